//! Programs by brute force: all configurations with a few threads, one after the other. Shares no code with the checker;
//! expressions are evaluated by the reader's crate.

use std::collections::{BTreeMap, BTreeSet};
use throng_boolprog::flow::{
    Assignment, ChildLocals, Effect, Expression, ExpressionId, LocationId, Program, Reference, VariableId,
};
use throng_boolprog::{Cube, InitThreads, Pattern};

pub(crate) type Bits = u32;
pub(crate) type Thread = (LocationId, Bits);

/// Threads before and after a step; `None`: gone.
pub(crate) type Changes = Vec<(Thread, Option<Thread>)>;

/// Total valuations; threads are sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Config {
    pub(crate) shared: Bits,
    pub(crate) threads: Vec<Thread>,
}

impl Config {
    pub(crate) fn new(shared: Bits, mut threads: Vec<Thread>) -> Self {
        threads.sort_unstable();
        Self { shared, threads }
    }
}

/// A step: what it leads to, and who did what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) actor: Thread,
    pub(crate) after: Option<Thread>,
    pub(crate) child: Option<Thread>,
    /// The shared variables after the step.
    pub(crate) shared: Bits,
    /// All other threads, before and after the step.
    pub(crate) others: Changes,
}

impl Step {
    pub(crate) fn config(&self) -> Config {
        let others = self.others.iter().filter_map(|&(_, after)| after);
        Config::new(self.shared, others.chain(self.after).chain(self.child).collect())
    }
}

/// All ways to take one item of each list.
pub(crate) fn product<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |all, list| {
        all.iter()
            .flat_map(|start| list.iter().map(move |item| [&start[..], std::slice::from_ref(item)].concat()))
            .collect()
    })
}

/// Values before and after a step.
#[derive(Clone, Copy, Default)]
struct Values {
    shared: [Bits; 2],
    own: [Bits; 2],
    passive: [Bits; 2],
}

impl Values {
    fn can(&self, expression: &Expression, value: bool) -> bool {
        let read = |reference: &Reference| {
            let time = usize::from(reference.is_next);
            let (bits, index) = match (reference.variable, reference.is_passive) {
                (VariableId::Shared(index), _) => (self.shared[time], index),
                (VariableId::Local(index), false) => (self.own[time], index),
                (VariableId::Local(index), true) => (self.passive[time], index),
            };
            bits >> index & 1 == 1
        };
        expression.possible_values(read).contains(value)
    }
}

/// A program that is executed.
#[derive(Clone, Copy)]
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
}

impl Machine<'_> {
    pub(crate) fn n_shared(self) -> Bits {
        1 << self.program.shared().len()
    }

    pub(crate) fn n_local(self) -> Bits {
        1 << self.program.locals().len()
    }

    fn is_atomic(self, at: LocationId) -> bool {
        self.program.location(at).is_atomic
    }

    /// The atomic bit; `None` if there is no such configuration.
    pub(crate) fn bit(self, config: &Config) -> Option<bool> {
        match config.threads.iter().filter(|thread| self.is_atomic(thread.0)).count() {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// All configurations with at most so many threads, at locations that are kept.
    pub(crate) fn configs(self, most: usize, keep: &dyn Fn(LocationId) -> bool) -> Vec<Config> {
        let locations = LocationId::all(self.program.locations().len()).filter(|&at| keep(at));
        let threads: Vec<Thread> =
            locations.flat_map(|at| (0..self.n_local()).map(move |bits| (at, bits))).collect();
        let mut bags: Vec<(usize, Vec<Thread>)> = vec![(0, Vec::new())];
        let mut start = 0;
        for _ in 0..most {
            let end = bags.len();
            for at in start..end {
                for (number, &thread) in threads.iter().enumerate().skip(bags[at].0) {
                    let bag = [&bags[at].1[..], &[thread]].concat();
                    bags.push((number, bag));
                }
            }
            start = end;
        }
        let all = (0..self.n_shared())
            .flat_map(|shared| bags.iter().map(move |(_, bag)| Config::new(shared, bag.clone())));
        all.filter(|config| self.bit(config).is_some()).collect()
    }

    pub(crate) fn is_initial(self, config: &Config, threads: InitThreads) -> bool {
        config.threads.iter().all(|thread| thread.0 == self.program.entry())
            && match threads {
                InitThreads::Exactly(count) => config.threads.len() == count as usize,
                InitThreads::Any => true,
            }
    }

    pub(crate) fn successors(self, config: &Config) -> BTreeSet<Config> {
        self.steps(config).iter().map(Step::config).collect()
    }

    /// All steps.
    pub(crate) fn steps(self, config: &Config) -> Vec<Step> {
        let atomic = config.threads.iter().position(|thread| self.is_atomic(thread.0));
        let movable = (0..config.threads.len()).filter(|&it| atomic.is_none_or(|only| only == it));
        movable.flat_map(|it| self.steps_of(config, it)).collect()
    }

    /// The steps of one thread.
    fn steps_of(self, config: &Config, index: usize) -> Vec<Step> {
        let mut others = config.threads.clone();
        let (from, own) = others.remove(index);
        let now = Values { shared: [config.shared; 2], own: [own; 2], passive: [0; 2] };
        let holds = |id: ExpressionId| now.can(self.program.expression(id), true);
        let mut found = Vec::new();
        for edge in self.program.outgoing(from) {
            if !edge.guard.into_iter().chain(edge.enforced).all(holds) {
                continue;
            }
            let same: Vec<_> = others.iter().map(|&thread| (thread, Some(thread))).collect();
            let step = Step {
                actor: (from, own),
                after: edge.to.map(|to| (to, own)),
                child: None,
                shared: config.shared,
                others: same,
            };
            match edge.effect {
                Effect::None => found.push(step),
                Effect::Assign(id) => {
                    for (shared, own, others) in self.assign(self.program.assignment(id), now, &others) {
                        let after = edge.to.map(|to| (to, own));
                        found.push(Step { after, shared, others, ..step.clone() });
                    }
                }
                Effect::Start { at, locals } => {
                    for child in (0..self.n_local()).filter(|&child| self.can_start(locals, now, child)) {
                        found.push(Step { child: Some((at, child)), ..step.clone() });
                    }
                }
            }
        }
        found
    }

    fn can_start(self, locals: ChildLocals, now: Values, child: Bits) -> bool {
        match locals {
            ChildLocals::Copied => child == now.own[0],
            ChildLocals::Fresh(None) => true,
            ChildLocals::Fresh(Some(id)) => {
                let arguments = self.program.assignment(id);
                arguments.targets.iter().zip(&arguments.values).all(|(target, &value)| {
                    let VariableId::Local(index) = target.variable else { return false };
                    now.can(self.program.expression(value), child >> index & 1 == 1)
                })
            }
        }
    }

    fn assign(self, assignment: &Assignment, now: Values, others: &[Thread]) -> Vec<(Bits, Bits, Changes)> {
        let mut results = Vec::new();
        let is_broadcast = assignment.targets.iter().any(|target| target.is_passive);
        for shared in 0..self.n_shared() {
            for own in 0..self.n_local() {
                let then = Values { shared: [now.shared[0], shared], own: [now.own[0], own], ..now };
                if !self.gives(assignment, then, false) {
                    continue;
                }
                let passives = |passive: Bits| {
                    let next = move |next: Bits| Values { passive: [passive, next], ..then };
                    let all = 0..if is_broadcast { self.n_local() } else { 1 };
                    let fits = move |values: &Values| {
                        let holds = |&id: &ExpressionId| values.can(self.program.expression(id), true);
                        (!is_broadcast || self.gives(assignment, *values, true))
                            && assignment.constraints.iter().all(holds)
                    };
                    all.map(next).filter(fits).map(|values| values.passive[1]).collect::<Vec<Bits>>()
                };
                let mut some = 0..if is_broadcast { self.n_local() } else { 1 };
                if !some.any(|passive| !passives(passive).is_empty()) {
                    continue;
                }
                if !is_broadcast {
                    let same = others.iter().map(|&thread| (thread, Some(thread))).collect();
                    results.push((shared, own, same));
                    continue;
                }
                let choices: Vec<Vec<Option<Thread>>> = others
                    .iter()
                    .map(|&(at, bits)| match passives(bits) {
                        none if none.is_empty() => vec![None],
                        some => some.into_iter().map(|bits| Some((at, bits))).collect(),
                    })
                    .collect();
                for rest in product(&choices) {
                    results.push((shared, own, others.iter().copied().zip(rest).collect()));
                }
            }
        }
        results
    }

    /// Whether exactly the targets change, to values they can have: own and shared ones, or passive ones.
    fn gives(self, assignment: &Assignment, values: Values, is_passive: bool) -> bool {
        let now = Values {
            shared: [values.shared[0]; 2],
            own: [values.own[0]; 2],
            passive: [values.passive[0]; 2],
        };
        let mut expected: BTreeMap<VariableId, ExpressionId> = BTreeMap::new();
        for (target, &value) in assignment.targets.iter().zip(&assignment.values) {
            if target.is_passive == is_passive {
                expected.insert(target.variable, value);
            }
        }
        let locals = if is_passive { values.passive } else { values.own };
        let shared = (0..self.program.shared().len() as u32)
            .filter(|_| !is_passive)
            .map(|it| (VariableId::Shared(it), values.shared.map(|bits| bits >> it & 1 == 1)));
        let locals = (0..self.program.locals().len() as u32)
            .map(|it| (VariableId::Local(it), locals.map(|bits| bits >> it & 1 == 1)));
        shared.chain(locals).all(|(variable, [before, after])| match expected.get(&variable) {
            None => before == after,
            Some(&value) => now.can(self.program.expression(value), after),
        })
    }

    /// Whether a configuration fits a pattern.
    pub(crate) fn fits(self, config: &Config, pattern: &Pattern) -> bool {
        let bit = self.program.atomic_bit();
        let shared = pattern.shared.iter().all(|(index, value)| {
            if index == bit {
                self.bit(config) == Some(value)
            } else {
                config.shared >> index & 1 == Bits::from(value)
            }
        });
        shared && self.can_place(&config.threads, pattern, 0)
    }

    /// Whether the threads of a pattern from `from` on can be different ones of these.
    fn can_place(self, threads: &[Thread], pattern: &Pattern, from: usize) -> bool {
        let Some(wanted) = pattern.threads.get(from) else { return true };
        (0..threads.len()).any(|number| {
            let (at, bits) = threads[number];
            let rest = [&threads[..number], &threads[number + 1..]].concat();
            at == wanted.location && agrees(bits, &wanted.locals) && self.can_place(&rest, pattern, from + 1)
        })
    }

    /// The outcomes of a configuration: threads at these locations take their steps until they are elsewhere.
    pub(crate) fn outcomes(self, config: &Config, through: &[LocationId]) -> BTreeSet<Config> {
        let mut pending = vec![config.clone()];
        let mut found = BTreeSet::new();
        while let Some(config) = pending.pop() {
            match config.threads.iter().position(|thread| through.contains(&thread.0)) {
                Some(index) => pending.extend(self.steps_of(&config, index).iter().map(Step::config)),
                None => {
                    found.insert(config);
                }
            }
        }
        found
    }
}

/// Whether a total valuation agrees with a partial one.
pub(crate) fn agrees(bits: Bits, cube: &Cube) -> bool {
    cube.iter().all(|(index, value)| bits >> index & 1 == Bits::from(value))
}
