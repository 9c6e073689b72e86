//! The known thread states as a system with rules, for the engines.
//!
//! Rules are what threads do in known thread states. A rule that leads out of these leads to the shared state *outside*, and one to
//! an error to *error*: both are targets. So is a known local state with a shared state that it was not seen with, where a rule makes
//! that of it. So if no target can be covered, nothing but the known thread states is ever reached, and no error.

use super::known::Known;
use super::states::{Change, Fired, States};
use super::{Limits, Trouble};
use rustc_hash::FxHashSet;
use throng_cfa::flow::{EdgeId, Effect};
use throng_model::{Bag, Config, Initial, LocalId, Move, Names, Rule, SharedId, System, SystemBuilder};

/// What a rule stands for.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) edge: EdgeId,
    /// The state of the thread that acts, before.
    pub(super) own: u32,
    /// What it leads to.
    pub(super) fired: Fired,
    /// The thread that is signalled: before and after.
    pub(super) signalled: Option<(u32, u32)>,
}

/// A system with what it is made of. Numbers of states are those of [`States`].
pub(super) struct Numbered {
    pub(super) system: System,
    pub(super) origins: Vec<Origin>,
}

struct Maker<'s, 'a> {
    states: &'s mut States<'a>,
    known: &'s Known,
    /// With the shared state that they lead to, which `to` is not yet.
    rules: Vec<(Rule, u32)>,
    origins: Vec<Origin>,
    /// Thread states that may not be reached.
    outside: FxHashSet<(u32, u32)>,
    /// Pairs of shared states that were looked at.
    seen: FxHashSet<(u32, u32)>,
}

/// Stands for what is not known, until all states have numbers.
const OUTSIDE: u32 = u32::MAX;
const ERROR: u32 = u32::MAX - 1;

/// Makes the system.
pub(super) fn make(states: &mut States<'_>, known: &Known, limits: &Limits) -> Result<Numbered, Trouble> {
    let (shared, own) = states.start()?;
    let mut maker = Maker {
        states,
        known,
        rules: Vec::new(),
        origins: Vec::new(),
        outside: FxHashSet::default(),
        seen: FxHashSet::default(),
    };
    for shared in known.shared() {
        for &own in known.with(shared) {
            for fired in maker.states.fired(shared, own)?.iter() {
                maker.add(shared, own, fired)?;
            }
            if maker.rules.len() > limits.rules {
                return Err(Trouble::TooMany);
            }
        }
    }
    let Maker { states, rules, origins, outside, .. } = maker;
    let n_shared = states.shared.rows.len();
    let number = |shared: u32| match shared {
        OUTSIDE => SharedId::new(n_shared),
        ERROR => SharedId::new(n_shared + 1),
        other => SharedId::new(other as usize),
    };
    let names = (Names::Numbered(n_shared + 2), Names::Numbered(states.own.rows.len()));
    let mut builder = SystemBuilder::new(names.0, names.1);
    for (rule, to) in rules {
        builder.rule(&Rule { to: number(to), ..rule }, 0);
    }
    let exact = bag(own)?;
    builder.initial(Initial { shared: number(shared), exact, unbounded: Vec::new() });
    let mut outside: Vec<(u32, u32)> = outside.into_iter().collect();
    outside.sort_unstable();
    for (shared, own) in outside {
        builder.target(Config::new(number(shared), bag([own])?));
    }
    for end in [OUTSIDE, ERROR] {
        builder.target(Config::new(number(end), Bag::new()));
    }
    let system = builder.finish().map_err(|error| Trouble::Internal(error.to_string()))?;
    Ok(Numbered { system, origins })
}

fn bag(locals: impl IntoIterator<Item = u32>) -> Result<Bag, Trouble> {
    let locals = locals.into_iter().map(|local| LocalId::new(local as usize));
    Bag::from_locals(locals).map_err(|_| Trouble::TooMany)
}

impl Maker<'_, '_> {
    /// The rules for what a thread does.
    fn add(&mut self, shared: u32, own: u32, fired: &Fired) -> Result<(), Trouble> {
        let origin = Origin { edge: fired.edge, own, fired: fired.clone(), signalled: None };
        let put: Vec<u32> = fired.own.into_iter().chain(fired.child).collect();
        let to = match fired.error {
            Some(_) => ERROR,
            None => self.destination(fired.shared, &put),
        };
        let effect = &self.states.program.edge(fired.edge).effect;
        let moves = match effect {
            Some(Effect::Broadcast(_)) if to < ERROR => self.moves(shared, own, fired)?,
            _ => {
                if to < ERROR {
                    self.carry(shared, fired.shared);
                }
                Vec::new()
            }
        };
        if matches!(effect, Some(Effect::Signal(_))) && to < ERROR {
            self.signals(shared, own, fired, &put)?;
        }
        let put = if to < ERROR { bag(put)? } else { Bag::new() };
        let from = SharedId::new(shared as usize);
        let rule = Rule { from, to: from, take: bag([own])?, put, moves };
        // What changes nothing is no rule.
        if !(to == shared && rule.take == rule.put && rule.moves.is_empty()) {
            self.rules.push((rule, to));
            self.origins.push(origin);
        }
        Ok(())
    }

    /// The shared state that a rule leads to, if these threads are known with it.
    fn destination(&self, shared: u32, put: &[u32]) -> u32 {
        let is_known = self.known.is_seen(shared) && put.iter().all(|&own| self.known.contains(shared, own));
        if is_known { shared } else { OUTSIDE }
    }

    /// Others are with the new shared state what they were with the old one.
    fn carry(&mut self, before: u32, after: u32) {
        if before == after || !self.seen.insert((before, after)) {
            return;
        }
        let missing = self.known.with(before).iter().filter(|&&own| !self.known.contains(after, own));
        self.outside.extend(missing.map(|&own| (after, own)));
    }

    /// What a broadcast does to others.
    fn moves(&mut self, shared: u32, own: u32, fired: &Fired) -> Result<Vec<Move>, Trouble> {
        let mut moves = Vec::new();
        for &other in self.known.with(shared) {
            let destinations = match self.states.change(shared, own, fired.edge, other)? {
                Change::Never => vec![other],
                Change::Sure(changed) => vec![changed],
                Change::Perhaps(changed) => vec![other, changed],
            };
            let missing = destinations.iter().filter(|&&to| !self.known.contains(fired.shared, to));
            self.outside.extend(missing.map(|&to| (fired.shared, to)));
            if destinations != [other] {
                let mut destinations: Vec<LocalId> =
                    destinations.iter().map(|&to| LocalId::new(to as usize)).collect();
                destinations.sort_unstable();
                destinations.dedup();
                moves.push(Move { source: LocalId::new(other as usize), destinations });
            }
        }
        moves.sort_unstable_by_key(|step| step.source);
        Ok(moves)
    }

    /// Rules for each thread that may get a signal. The rule without one stays: whether somebody waits cannot be asked.
    fn signals(&mut self, shared: u32, own: u32, fired: &Fired, put: &[u32]) -> Result<(), Trouble> {
        for &other in self.known.with(shared) {
            let change = self.states.change(shared, own, fired.edge, other)?;
            let (Change::Sure(changed) | Change::Perhaps(changed)) = change else { continue };
            if changed == other {
                continue;
            }
            let mut put = put.to_vec();
            put.push(changed);
            let to = self.destination(fired.shared, &put);
            let put = if to < ERROR { bag(put)? } else { Bag::new() };
            let from = SharedId::new(shared as usize);
            let rule = Rule { from, to: from, take: bag([own, other])?, put, moves: Vec::new() };
            self.rules.push((rule, to));
            let signalled = Some((other, changed));
            self.origins.push(Origin { edge: fired.edge, own, fired: fired.clone(), signalled });
        }
        Ok(())
    }
}
