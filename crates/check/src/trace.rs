//! Traces: replay from an initial configuration, repeated segments by arithmetic.
//!
//! A step says how many passive threads went where, so it changes every count by a fixed amount. It is
//! possible iff its counts before satisfy `take` (at least) and, for each source of the rule's moves, passive
//! threads are exactly as many as the step moves. So a step is a [`Segment`]: a shared state before and
//! after, an *effect* on each local, and needs: *at least* n threads here, *exactly* n threads there.
//! Segments compose: the needs of the second are those of the whole after subtracting the effect of the
//! first.
//!
//! (segment)^k with effect e: the i-th round, i from 0, starts with c + i·e. A need c + i·e ≥ n is linear in
//! i, so it holds in all rounds iff it holds in the first (e ≥ 0) or the last (e < 0): c ≥ n, or c ≥ n −
//! (k−1)·e. A need c + i·e = n holds in all rounds iff c = n and (k = 1 or e = 0): a local whose threads are
//! all moved must come back to the same count. The effect is k·e. All of this is exact: the trace is accepted
//! iff unrolling it would be. Repetitions nest, since the result is a segment again.

use crate::bag::{count_in, counts};
use crate::names::{self, place};
use crate::verdict::{Accepted, Condition, Rejection, Trouble};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use throng_cert::document::{Configuration, Item, MAX_REPEAT_DEPTH, Step, Trace};
use throng_model::{Initial, LocalId, RuleId, RuleRef, SharedId, System};

/// Accepts a trace or says which condition it violates first.
pub(crate) fn check(system: &System, trace: &Trace) -> Result<Accepted, Rejection> {
    let end = replay(system, trace)?;
    if !system.targets().iter().any(|target| {
        target.shared == end.state.shared
            && counts(&target.bag).all(|(l, n)| end.state.count(l) >= i128::from(n))
    }) {
        return Err(no_target());
    }
    Ok(Accepted::Trace { threads: end.threads, steps: end.steps })
}

/// The rejection of a trace that does not end above a target.
pub(crate) fn no_target() -> Rejection {
    let reason = "the last configuration covers no target";
    Rejection::new(Condition::TraceTarget, "the end of the trace", reason)
}

/// Executes a trace, whatever is asked for.
pub(crate) fn replay(system: &System, trace: &Trace) -> Result<End, Rejection> {
    let (mut state, threads) = initial(system, &trace.initial)?;
    let mut reader = Reader::new(system);
    let mut steps = 0_u128;
    for item in &trace.items {
        let segment = reader.segment(item, 0)?;
        state.run(system, &segment)?;
        steps = steps.saturating_add(segment.n_steps);
    }
    Ok(End { state, threads, steps })
}

/// An initial configuration that is written in a document, and how many threads it has.
pub(crate) fn initial(system: &System, written: &Configuration) -> Result<(State, u128), Rejection> {
    let start = names::exact(system, "the initial configuration", written)?;
    let state = State {
        shared: start.shared,
        counts: start.bag.entries().iter().map(|&(local, count)| (local, i128::from(count))).collect(),
    };
    if !system.initial().iter().any(|initial| state.is_instance_of(initial)) {
        let reason = format!("{} is not initial in the input", names::describe(system, &start));
        return Err(Rejection::new(Condition::TraceInitial, "the initial configuration", reason));
    }
    let threads = start.bag.entries().iter().fold(0, |sum: u128, &(_, n)| sum.saturating_add(n.into()));
    Ok((state, threads))
}

/// Where a trace ends, and its size.
pub(crate) struct End {
    pub(crate) state: State,
    /// Threads at the start.
    pub(crate) threads: u128,
    /// Steps, repetitions counted; saturates.
    pub(crate) steps: u128,
}

/// Where a replay stands. Counts are never negative.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) shared: SharedId,
    pub(crate) counts: BTreeMap<LocalId, i128>,
}

impl State {
    fn count(&self, local: LocalId) -> i128 {
        self.counts.get(&local).copied().unwrap_or(0)
    }

    /// Whether this is a configuration of the initial set: all exact threads, and others in unbounded locals
    /// only.
    fn is_instance_of(&self, initial: &Initial) -> bool {
        self.shared == initial.shared
            && counts(&initial.exact).all(|(local, count)| self.count(local) >= i128::from(count))
            && self.counts.iter().all(|(&local, &count)| {
                count == i128::from(count_in(&initial.exact, local))
                    || initial.unbounded.binary_search(&local).is_ok()
            })
    }

    /// Executes a segment, if it can be executed here.
    pub(crate) fn run(&mut self, system: &System, segment: &Segment) -> Result<(), Rejection> {
        let Some((from, to, origin)) = segment.shared else { return Ok(()) };
        if self.shared != from {
            let name = |shared: SharedId| system.shared_names().get(shared.index());
            let reason = format!("needs shared state `{}`, but it is `{}`", name(from), name(self.shared));
            return Err(Rejection::new(Condition::TraceEnabled, origin.describe(system), reason));
        }
        let local_name = |local: LocalId| system.local_names().get(local.index());
        for (&local, need) in &segment.at_least {
            let count = self.count(local);
            if count < need.count {
                let needed = need.count;
                let name = local_name(local);
                let reason =
                    format!("needs {needed} threads in `{name}`{}, but there are {count}", need.when());
                return Err(Rejection::new(Condition::TraceEnabled, need.origin.describe(system), reason));
            }
        }
        for (&local, need) in &segment.exactly {
            let count = self.count(local);
            if count != need.count {
                let (needed, name) = (need.count, local_name(local));
                let reason = format!(
                    "moves as if there were {needed} threads in `{name}`{}, but there are {count}",
                    need.when()
                );
                return Err(Rejection::new(Condition::TraceMoves, need.origin.describe(system), reason));
            }
        }
        for (&local, &effect) in &segment.effect {
            let overflow = || Trouble::Overflow.at(origin.describe(system));
            let count = self.count(local).checked_add(effect).ok_or_else(overflow)?;
            debug_assert!(count >= 0, "INVARIANT: what is taken or moved was needed");
            self.counts.insert(local, count);
        }
        self.shared = to;
        Ok(())
    }
}

/// A step as it stands in the document.
#[derive(Clone, Copy, Debug)]
struct Origin {
    /// Counted from 0 in the order of the text.
    number: usize,
    rule: RuleId,
}

impl Origin {
    fn describe(self, system: &System) -> String {
        format!("{} (rule `{}`)", place("step", self.number), system.rule_name(self.rule))
    }
}

/// A need for threads before a segment.
#[derive(Clone, Copy, Debug)]
struct Need {
    count: i128,
    /// The step that needs them.
    origin: Origin,
    /// Whether it does so inside a repetition, so that the count is that before the repetition.
    repeated: bool,
}

impl Need {
    fn when(self) -> &'static str {
        if self.repeated { " before the repetition it is part of" } else { "" }
    }
}

/// What a piece of a trace needs and does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Segment {
    /// Shared states before and after, with the first step; `None` if there is no step.
    shared: Option<(SharedId, SharedId, Origin)>,
    effect: BTreeMap<LocalId, i128>,
    at_least: BTreeMap<LocalId, Need>,
    exactly: BTreeMap<LocalId, Need>,
    n_steps: u128,
}

impl Segment {
    fn effect_on(&self, local: LocalId) -> i128 {
        self.effect.get(&local).copied().unwrap_or(0)
    }

    fn change(&mut self, local: LocalId, by: i128) -> Result<(), Trouble> {
        let effect = self.effect.entry(local).or_insert(0);
        *effect = effect.checked_add(by).ok_or(Trouble::Overflow)?;
        Ok(())
    }

    fn need_at_least(&mut self, local: LocalId, need: Need) {
        let kept = self.at_least.entry(local).or_insert(need);
        if kept.count < need.count {
            *kept = need;
        }
    }

    /// Continues with another segment.
    fn then(&mut self, system: &System, next: &Segment) -> Result<(), Rejection> {
        let Some((from, to, origin)) = next.shared else { return Ok(()) };
        let overflow = || Trouble::Overflow.at(origin.describe(system));
        match &mut self.shared {
            None => self.shared = next.shared,
            Some((_, after, _)) if *after == from => *after = to,
            Some((_, after, _)) => {
                let name = |shared: SharedId| system.shared_names().get(shared.index());
                let reason = format!("needs shared state `{}`, but it is `{}`", name(from), name(*after));
                return Err(Rejection::new(Condition::TraceEnabled, origin.describe(system), reason));
            }
        }
        for (&local, &need) in &next.at_least {
            let count = need.count.checked_sub(self.effect_on(local)).ok_or_else(overflow)?;
            self.need_at_least(local, Need { count, ..need });
        }
        for (&local, &need) in &next.exactly {
            let count = need.count.checked_sub(self.effect_on(local)).ok_or_else(overflow)?;
            match self.exactly.entry(local) {
                Entry::Vacant(vacant) => drop(vacant.insert(Need { count, ..need })),
                Entry::Occupied(kept) if kept.get().count == count => {}
                Entry::Occupied(kept) => {
                    let reason = format!(
                        "the numbers of threads in `{}` that it moves cannot follow those of {}",
                        system.local_names().get(local.index()),
                        kept.get().origin.describe(system)
                    );
                    return Err(Rejection::new(Condition::TraceMoves, need.origin.describe(system), reason));
                }
            }
        }
        for (&local, &effect) in &next.effect {
            self.change(local, effect).map_err(|_| overflow())?;
        }
        self.n_steps = self.n_steps.saturating_add(next.n_steps);
        Ok(())
    }

    /// The segment `times` times in a row; `times` is at least 1.
    fn repeated(mut self, system: &System, times: u64) -> Result<Self, Rejection> {
        let Some((from, to, first)) = self.shared else { return Ok(self) };
        let overflow = || Trouble::Overflow.at(first.describe(system));
        for need in self.at_least.values_mut().chain(self.exactly.values_mut()) {
            need.repeated = true;
        }
        if times == 1 {
            return Ok(self);
        }
        if from != to {
            let name = |shared: SharedId| system.shared_names().get(shared.index());
            let reason =
                format!("the repetition starts in shared state `{}` but ends in `{}`", name(from), name(to));
            return Err(Rejection::new(Condition::TraceRepeat, first.describe(system), reason));
        }
        if let Some((&local, need)) = self.exactly.iter().find(|&(&local, _)| self.effect_on(local) != 0) {
            let reason = format!(
                "moves all threads of `{}`, whose number changes by {} in every round of the repetition",
                system.local_names().get(local.index()),
                self.effect_on(local)
            );
            return Err(Rejection::new(Condition::TraceRepeat, need.origin.describe(system), reason));
        }
        let later_rounds = i128::from(times.saturating_sub(1));
        for (local, need) in &mut self.at_least {
            let effect = self.effect.get(local).copied().unwrap_or(0);
            if effect < 0 {
                let lost = effect.checked_mul(later_rounds).ok_or_else(overflow)?;
                need.count = need.count.checked_sub(lost).ok_or_else(overflow)?;
            }
        }
        for effect in self.effect.values_mut() {
            *effect = effect.checked_mul(i128::from(times)).ok_or_else(overflow)?;
        }
        self.n_steps = self.n_steps.saturating_mul(u128::from(times));
        Ok(self)
    }
}

/// Turns items into segments, numbering steps as they stand in the text.
pub(crate) struct Reader<'a> {
    system: &'a System,
    n_written: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(system: &'a System) -> Self {
        Self { system, n_written: 0 }
    }

    pub(crate) fn segment(&mut self, item: &Item, depth: usize) -> Result<Segment, Rejection> {
        match item {
            Item::Step(step) => self.step(step),
            Item::Repeat { times, items } => {
                let place = || format!("the repetition before {}", place("step", self.n_written));
                if depth >= MAX_REPEAT_DEPTH {
                    let reason = format!("repetitions are nested more than {MAX_REPEAT_DEPTH} deep");
                    return Err(Rejection::new(Condition::Size, place(), reason));
                }
                if *times == 0 {
                    return Err(Rejection::new(Condition::Form, place(), "repeats 0 times"));
                }
                let mut whole = Segment::default();
                for item in items {
                    let segment = self.segment(item, depth.saturating_add(1))?;
                    whole.then(self.system, &segment)?;
                }
                whole.repeated(self.system, *times)
            }
        }
    }

    fn step(&mut self, step: &Step) -> Result<Segment, Rejection> {
        let number = self.n_written;
        self.n_written = number.saturating_add(1);
        if step.act.is_some() {
            let reason = "`act` speaks about a program";
            return Err(Rejection::new(Condition::Form, place("step", number), reason));
        }
        let id = names::rule(self.system, &place("step", number), &step.rule)?;
        let origin = Origin { number, rule: id };
        let moved = self.moved(step, origin)?;
        let rule = self.system.rule(id);
        step_segment(rule, origin, &moved).map_err(|trouble| trouble.at(origin.describe(self.system)))
    }

    /// The moves of a step, each one that the rule allows.
    fn moved(&self, step: &Step, origin: Origin) -> Result<Vec<Passive>, Rejection> {
        let rule = self.system.rule(origin.rule);
        let place = origin.describe(self.system);
        let reject = |reason: String| Err(Rejection::new(Condition::TraceMoves, place.clone(), reason));
        let mut resolved = Vec::new();
        for moved in &step.moved {
            let from = names::local(self.system, &place, &moved.from)?;
            let to = moved.to.as_ref().map(|to| names::local(self.system, &place, to)).transpose()?;
            let Some(destinations) = rule.destinations_of(from) else {
                return reject(format!("the rule does not move threads of `{}`", moved.from));
            };
            match to {
                Some(to) if !destinations.contains(&to) => {
                    let to = self.system.local_names().get(to.index());
                    return reject(format!("the rule does not move threads from `{}` to `{to}`", moved.from));
                }
                None if !destinations.is_empty() => {
                    return reject(format!("the rule does not let the threads of `{}` vanish", moved.from));
                }
                _ => resolved.push(Passive { from, to, count: i128::from(moved.count) }),
            }
        }
        Ok(resolved)
    }
}

/// Passive threads that went from one local to another, or vanished.
struct Passive {
    from: LocalId,
    to: Option<LocalId>,
    count: i128,
}

/// One step as a segment.
fn step_segment(rule: RuleRef<'_>, origin: Origin, moved: &[Passive]) -> Result<Segment, Trouble> {
    let mut segment =
        Segment { shared: Some((rule.from, rule.to, origin)), n_steps: 1, ..Segment::default() };
    for (local, count) in counts(rule.take) {
        let count = i128::from(count);
        segment.need_at_least(local, Need { count, origin, repeated: false });
        segment.change(local, count.checked_neg().ok_or(Trouble::Overflow)?)?;
    }
    for (source, _) in rule.moves() {
        let count = i128::from(count_in(rule.take, source));
        segment.exactly.insert(source, Need { count, origin, repeated: false });
    }
    for passive in moved {
        if let Some(need) = segment.exactly.get_mut(&passive.from) {
            need.count = need.count.checked_add(passive.count).ok_or(Trouble::Overflow)?;
        }
        segment.change(passive.from, passive.count.checked_neg().ok_or(Trouble::Overflow)?)?;
        if let Some(to) = passive.to {
            segment.change(to, passive.count)?;
        }
    }
    for (local, count) in counts(rule.put) {
        segment.change(local, i128::from(count))?;
    }
    Ok(segment)
}
