//! A superset of the reachable thread states: each thread by itself, in the company of any number of others.
//!
//! For every location there is a set of valuations of shared variables, atomic bit included, and of the thread's own. It
//! contains what threads start with and is closed under the steps of each thread, of threads that it starts, and of others
//! that can be at other locations at the same time: these change the shared variables, and by broadcasts the thread's
//! own. So if somebody asks for what is outside, the cubes outside are a proof: whoever is in one was, a step before,
//! in one, or another thread was.

mod disturb;

use super::rename::{renamed, simpler};
use super::sets::{Space, StateSet};
use crate::relation::{Owner, Parts, assigned, written};
use crate::rules::bits;
use biodivine_lib_bdd::{Bdd, BddVariable};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use throng_base::{Budget, StopReason};
use throng_boolprog::InitThreads;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId, Program};

/// For each location, the valuations that a thread may see there, atomic bit included.
pub(crate) fn may_reach(
    space: &Space<'_>,
    threads: InitThreads,
    budget: &Budget,
) -> Result<Vec<Bdd>, StopReason> {
    let program = space.program;
    let mut parts = Vec::with_capacity(program.edges().len());
    for &edge in program.edges() {
        budget.check()?;
        parts.push(Parts::new(program, edge, &space.slots));
    }
    let nothing = vec![space.slots.always().not(); program.locations().len()];
    let mut search = Search {
        space,
        budget,
        parts,
        at: nothing.clone(),
        to_expand: nothing.clone(),
        to_disturb: nothing,
        waiting: BTreeSet::new(),
        influences: BTreeMap::new(),
        has_broadcasts: has_broadcasts(program),
        is_open: vec![false; program.locations().len()],
        closures: FxHashMap::default(),
    };
    search.find_open();
    if threads != InitThreads::Exactly(0) {
        let start = space.slots.always().var_select(space.atomic_bit(), false);
        search.join(program.entry(), &start, true);
    }
    // A thread that starts no others has no company if it is the only one. But proofs speak about what contains a pattern:
    // without the company they would not be closed.
    loop {
        while let Some((rank, location)) = search.waiting.pop_first() {
            search.disturb_fresh(location)?;
            search.waiting.remove(&(rank, location));
            search.expand(location)?;
        }
        if !search.disturb()? {
            return Ok(search.at);
        }
    }
}

/// Without the atomic bit.
pub(crate) fn thread_states(space: &Space<'_>, at: &[Bdd]) -> StateSet {
    StateSet { at: at.iter().map(|states| states.exists(&[space.atomic_bit()])).collect() }
}

/// Steps of others that change the same variables in the same way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// They assign these shared variables and lead from one atomic bit to the other.
    Shared(Vec<u32>, (bool, bool)),
    /// They go along this edge, which changes other threads.
    Broadcast(u32),
}

/// What others do, over all variables before a step and those that are assigned after it. The values of a passive thread are
/// own values here: it is the one that feels this. The atomic bit is assigned.
struct Influence {
    known: Bdd,
    /// What not everybody has felt, and perhaps some of the rest.
    new: Bdd,
}

struct Search<'a, 'p> {
    space: &'a Space<'p>,
    budget: &'a Budget,
    parts: Vec<Parts>,
    at: Vec<Bdd>,
    /// What is there and was not there when the location was expanded.
    to_expand: Vec<Bdd>,
    /// What is there and has not felt what others do.
    to_disturb: Vec<Bdd>,
    /// By rank.
    waiting: BTreeSet<(u32, LocationId)>,
    influences: BTreeMap<Kind, Influence>,
    has_broadcasts: bool,
    /// By location, whether threads come there by steps that have to do with others. Elsewhere they have felt what
    /// others do before they came.
    is_open: Vec<bool>,
    /// What valuations of shared variables become by all that others are known to do.
    closures: FxHashMap<Bdd, Bdd>,
}

impl Search<'_, '_> {
    fn find_open(&mut self) {
        let program = self.space.program;
        self.is_open[program.entry().index()] = true;
        for (number, &edge) in (0..).zip(program.edges()) {
            let child = match edge.effect {
                Effect::Start { at, .. } => Some(at),
                Effect::None | Effect::Assign(_) => None,
            };
            let to = edge.to.filter(|_| !self.is_private(number, edge));
            for at in [to, child].into_iter().flatten() {
                self.is_open[at.index()] = true;
            }
        }
    }

    /// Adds what can be seen at a location. Unless it is open, it is part of what has felt all that others do.
    fn join(&mut self, location: LocationId, states: &Bdd, is_open: bool) {
        let index = location.index();
        let more = states.and_not(&self.at[index]);
        if !more.is_false() {
            let all = self.at[index].or(&more);
            self.to_expand[index] = simpler(self.to_expand[index].or(&more), &all);
            if is_open {
                self.to_disturb[index] = simpler(self.to_disturb[index].or(&more), &all);
            }
            self.at[index] = all;
            self.waiting.insert((self.space.rank(location), location));
        }
    }

    /// What a thread at a location does.
    fn expand(&mut self, location: LocationId) -> Result<(), StopReason> {
        let program = self.space.program;
        let nothing = self.space.slots.always().not();
        let states = std::mem::replace(&mut self.to_expand[location.index()], nothing);
        let first = program.first_edge(location);
        for (number, &edge) in (first..).zip(program.outgoing(location)) {
            self.budget.check()?;
            let possible = states.and(&self.parts[number as usize].active);
            if self.is_private(number, edge) {
                // Others may be in an atomic section: then it is as if they had begun it after this step.
                self.go(edge, &possible, false);
                continue;
            }
            let possible = possible.var_select(self.space.atomic_bit(), bits(program, edge).0);
            if possible.is_false() {
                continue;
            }
            self.go(edge, &possible, true);
            if let Effect::Start { at, locals } = edge.effect {
                let child = self.child(number, edge, locals, &possible);
                let child = self.space.in_scope(at, &child);
                self.join(at, &child, true);
            }
            self.influence(number, edge, &possible);
        }
        Ok(())
    }

    /// Where the acting thread goes.
    fn go(&mut self, edge: Edge, possible: &Bdd, is_open: bool) {
        let Some(to) = edge.to else { return };
        let assigned = self.assigned(edge, &[Owner::Shared, Owner::Own]);
        let after = self.space.in_scope(to, &self.replace(possible, &assigned));
        let bits = bits(self.space.program, edge);
        let after = if bits.0 == bits.1 { after } else { self.with_bit(&after, bits.1) };
        self.join(to, &after, is_open);
    }

    /// Whether a step has nothing to do with others, so that it does not matter whether they act before or after it.
    fn is_private(&self, number: u32, edge: Edge) -> bool {
        let is_shared =
            |variable: &BddVariable| self.space.slots.all[variable.to_index()].owner == Owner::Shared;
        let support = self.parts[number as usize].active.support_set();
        !self.has_broadcasts
            && !matches!(edge.effect, Effect::Start { .. })
            && bits(self.space.program, edge) == (false, false)
            && self.assigned(edge, &[Owner::Shared]).is_empty()
            && !support.iter().any(is_shared)
    }

    fn of(&self, owner: Owner, is_new: bool) -> Vec<BddVariable> {
        let slots = self.space.slots.iter().filter(|(_, it)| it.owner == owner && it.is_new == is_new);
        slots.map(|(variable, _)| variable).collect()
    }

    /// The assigned variables of some owners.
    fn assigned(&self, edge: Edge, owners: &[Owner]) -> Vec<(Owner, u32)> {
        if matches!(edge.effect, Effect::Start { .. }) {
            return Vec::new();
        }
        let all = written(self.space.program, edge).map(assigned).unwrap_or_default();
        let mut all: Vec<(Owner, u32)> = all.into_iter().filter(|(it, _)| owners.contains(it)).collect();
        all.sort_unstable();
        all
    }

    fn variables(&self, assigned: &[(Owner, u32)], is_new: bool) -> Vec<BddVariable> {
        assigned.iter().map(|&(owner, variable)| self.space.variable(owner, variable, is_new)).collect()
    }

    /// Old values of assigned variables are lost, new ones take their place.
    fn replace(&self, possible: &Bdd, assigned: &[(Owner, u32)]) -> Bdd {
        self.renewed(&possible.exists(&self.variables(assigned, false)), assigned)
    }

    /// New values take the place of old ones, which are not mentioned.
    fn renewed(&self, kept: &Bdd, assigned: &[(Owner, u32)]) -> Bdd {
        if assigned.is_empty() {
            return kept.clone();
        }
        let new = self.variables(assigned, true);
        let names: FxHashMap<BddVariable, BddVariable> =
            new.into_iter().zip(self.variables(assigned, false)).collect();
        // Values before and after a step stand side by side, so the order is the same.
        renamed(kept, self.space.slots.all.len(), |it| names.get(&it).copied().unwrap_or(it))
    }

    fn with_bit(&self, states: &Bdd, open: bool) -> Bdd {
        states.var_exists(self.space.atomic_bit()).var_select(self.space.atomic_bit(), open)
    }

    fn child(&self, number: u32, edge: Edge, locals: ChildLocals, possible: &Bdd) -> Bdd {
        let after = match (locals, &self.parts[number as usize].child) {
            (ChildLocals::Fresh(arguments), Some(relation)) => {
                let arguments = arguments.map(|id| assigned(self.space.program.assignment(id)));
                let mut arguments: Vec<(Owner, u32)> = arguments.into_iter().flatten().collect();
                arguments.sort_unstable();
                let both = possible.and(relation).exists(&self.of(Owner::Own, false));
                self.renewed(&both, &arguments)
            }
            _ => possible.clone(),
        };
        self.with_bit(&after, bits(self.space.program, edge).1)
    }

    /// Notes what a step means to others.
    fn influence(&mut self, number: u32, edge: Edge, possible: &Bdd) {
        let own: Vec<BddVariable> = [self.of(Owner::Own, false), self.of(Owner::Own, true)].concat();
        let (kind, relation) = if let Some(passive) = &self.parts[number as usize].passive {
            let relation = possible.and(passive).exists(&own);
            (Kind::Broadcast(number), self.as_own(&relation))
        } else {
            let shared: Vec<u32> =
                self.assigned(edge, &[Owner::Shared]).into_iter().map(|(_, variable)| variable).collect();
            let bits = bits(self.space.program, edge);
            if shared.is_empty() && bits.0 == bits.1 {
                return;
            }
            (Kind::Shared(shared, bits), possible.exists(&own))
        };
        let bit = self.space.variable(Owner::Shared, self.space.program.atomic_bit(), true);
        let relation = relation.var_select(bit, bits(self.space.program, edge).1);
        let nothing = || self.space.slots.always().not();
        let influence =
            self.influences.entry(kind).or_insert_with(|| Influence { known: nothing(), new: nothing() });
        let more = relation.and_not(&influence.known);
        if !more.is_false() {
            influence.known = influence.known.or(&more);
            influence.new = simpler(influence.new.or(&more), &influence.known);
            self.closures.clear();
        }
    }

    /// A relation between values of a passive thread as one between own values.
    fn as_own(&self, relation: &Bdd) -> Bdd {
        renamed(relation, self.space.slots.all.len(), |variable| {
            let slot = self.space.slots.all[variable.to_index()];
            match slot.owner {
                Owner::Passive => self.space.variable(Owner::Own, slot.variable, slot.is_new),
                Owner::Shared | Owner::Own => variable,
            }
        })
    }
}

/// Whether threads of a program assign to others.
pub(crate) fn has_broadcasts(program: &Program) -> bool {
    let assignments = program.edges().iter().filter_map(|&edge| written(program, edge));
    assignments.flat_map(|it| &it.targets).any(|target| target.is_passive)
}
