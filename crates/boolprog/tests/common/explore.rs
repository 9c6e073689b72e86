//! Runs programs as `throng_boolprog::flow` defines, with a few threads and by brute force: all states, one after the
//! other. Variables of functions that a thread is not in are kept at 0, since their values cannot matter.

use std::collections::BTreeSet;
use throng_boolprog::flow::{
    Assignment, ChildLocals, Effect, Expression, ExpressionId, FunctionId, LocationId, Program, Reference,
    VariableId,
};

/// A valuation: bit i is the variable with index i.
type Bits = u64;

/// A thread: where it is, and its variables.
type Thread = (LocationId, Bits);

/// Shared variables and threads, sorted: they have no names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    shared: Bits,
    threads: Vec<Thread>,
}

/// The locations that threads reach when `initial` threads start and at most `most` exist at a time.
pub(crate) fn reached(program: &Program, initial: usize, most: usize) -> BTreeSet<LocationId> {
    let explorer = Explorer { program, most };
    let mut pending: Vec<State> = Vec::new();
    for shared in 0..1 << program.shared().len() {
        let start: Vec<Thread> =
            explorer.valuations(program.entry()).into_iter().map(|bits| (program.entry(), bits)).collect();
        let threads = product(&vec![start; initial]);
        pending.extend(threads.into_iter().map(|threads| explorer.tidy(State { shared, threads })));
    }
    let mut seen: BTreeSet<State> = pending.iter().cloned().collect();
    let mut reached = BTreeSet::new();
    while let Some(state) = pending.pop() {
        reached.extend(state.threads.iter().map(|&(location, _)| location));
        for next in explorer.successors(&state) {
            if seen.insert(next.clone()) {
                pending.push(next);
            }
        }
    }
    reached
}

/// All ways to take one item of each list.
fn product<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |all, list| {
        all.iter()
            .flat_map(|start| list.iter().map(move |item| [&start[..], std::slice::from_ref(item)].concat()))
            .collect()
    })
}

/// Values before and after a step.
#[derive(Clone, Copy)]
struct Valuation {
    shared: [Bits; 2],
    own: [Bits; 2],
    passive: [Bits; 2],
}

impl Valuation {
    fn read(&self, reference: &Reference) -> bool {
        let time = usize::from(reference.is_next);
        let (bits, index) = match reference.variable {
            VariableId::Shared(index) => (self.shared[time], index),
            VariableId::Local(index) if reference.is_passive => (self.passive[time], index),
            VariableId::Local(index) => (self.own[time], index),
        };
        bits >> index & 1 == 1
    }

    fn can_be(&self, expression: &Expression, value: bool) -> bool {
        expression.possible_values(|reference| self.read(reference)).contains(value)
    }
}

struct Explorer<'p> {
    program: &'p Program,
    most: usize,
}

impl Explorer<'_> {
    /// The variables that a thread at a location can read, as bits.
    fn mask(&self, at: LocationId) -> Bits {
        let functions: Vec<FunctionId> = self.program.functions_at(at).collect();
        let locals = self.program.locals().iter().enumerate();
        let read = locals.filter(|(_, variable)| variable.function.is_none_or(|it| functions.contains(&it)));
        read.map(|(index, _)| 1 << index).sum()
    }

    /// All valuations of the variables that a thread at a location can read.
    fn valuations(&self, at: LocationId) -> Vec<Bits> {
        let mask = self.mask(at);
        let next = |&bits: &Bits| Some(bits.wrapping_sub(mask) & mask).filter(|&next| next != 0);
        std::iter::successors(Some(0), next).collect()
    }

    /// The one form of a state.
    fn tidy(&self, mut state: State) -> State {
        state.threads.iter_mut().for_each(|(at, bits)| *bits &= self.mask(*at));
        state.threads.sort_unstable();
        state
    }

    fn successors(&self, state: &State) -> Vec<State> {
        let atomic =
            state.threads.iter().position(|&(location, _)| self.program.location(location).is_atomic);
        let movable = (0..state.threads.len()).filter(|&index| atomic.is_none_or(|only| only == index));
        movable.flat_map(|index| self.steps(state, index)).map(|state| self.tidy(state)).collect()
    }

    /// The steps of one thread.
    fn steps(&self, state: &State, index: usize) -> Vec<State> {
        let (from, own) = state.threads[index];
        let mut others = state.threads.clone();
        others.remove(index);
        let now = Valuation { shared: [state.shared; 2], own: [own; 2], passive: [0; 2] };
        let mut states = Vec::new();
        for edge in self.program.outgoing(from) {
            let holds = |id: ExpressionId| now.can_be(self.program.expression(id), true);
            if !edge.guard.into_iter().chain(edge.enforced).all(holds) {
                continue;
            }
            let moved = |own: Bits| edge.to.map(|to| (to, own));
            match edge.effect {
                Effect::None => states.push(with(state.shared, &others, moved(own), None)),
                Effect::Assign(id) => {
                    let assignment = self.program.assignment(id);
                    for (shared, own, others) in self.assign(assignment, now, &others) {
                        states.push(with(shared, &others, moved(own), None));
                    }
                }
                Effect::Start { .. } if state.threads.len() >= self.most => {}
                Effect::Start { at, locals } => {
                    for child in self.children(at, locals, now) {
                        states.push(with(state.shared, &others, moved(own), Some((at, child))));
                    }
                }
            }
        }
        states
    }

    /// The variables that a new thread can have.
    fn children(&self, at: LocationId, locals: ChildLocals, now: Valuation) -> Vec<Bits> {
        let ChildLocals::Fresh(arguments) = locals else { return vec![now.own[0]] };
        let fits = |child: Bits| {
            let child = Valuation { own: [child; 2], ..now };
            arguments.map(|id| self.program.assignment(id)).is_none_or(|arguments| {
                arguments.targets.iter().zip(&arguments.values).all(|(target, &value)| {
                    let read = Reference { variable: target.variable, is_next: false, is_passive: false };
                    now.can_be(self.program.expression(value), child.read(&read))
                })
            })
        };
        self.valuations(at).into_iter().filter(|&child| fits(child)).collect()
    }

    /// What an assignment leads to: shared variables, those of the thread, and the other threads.
    fn assign(
        &self,
        assignment: &Assignment,
        now: Valuation,
        others: &[Thread],
    ) -> Vec<(Bits, Bits, Vec<Thread>)> {
        let mut results = Vec::new();
        for (shared, own) in self.written(assignment, now, false) {
            let then = Valuation { shared: [now.shared[0], shared], own: [now.own[0], own], ..now };
            // Without passive targets the constraints say nothing about passive variables.
            let is_broadcast = assignment.targets.iter().any(|target| target.is_passive);
            let mut some = 0..if is_broadcast { 1 << self.program.locals().len() } else { 1 };
            if !some.any(|passive| !self.passive(assignment, then, passive).is_empty()) {
                continue;
            }
            let choices = others.iter().map(|&(location, passive)| {
                let mut next: Vec<Option<Thread>> = self
                    .passive(assignment, then, passive)
                    .into_iter()
                    .map(|bits| Some((location, bits)))
                    .collect();
                if next.is_empty() {
                    next.push(None);
                }
                next
            });
            for others in product(&choices.collect::<Vec<_>>()) {
                results.push((shared, own, others.into_iter().flatten().collect()));
            }
        }
        results
    }

    /// The new variables of a passive thread for which all constraints can hold.
    fn passive(&self, assignment: &Assignment, then: Valuation, passive: Bits) -> Vec<Bits> {
        let then = Valuation { passive: [passive; 2], ..then };
        let now = Valuation { shared: [then.shared[0]; 2], own: [then.own[0]; 2], ..then };
        let next = self.written(assignment, now, true).into_iter().map(|(_, bits)| bits);
        let allowed = next.filter(|&bits| {
            let then = Valuation { passive: [passive, bits], ..then };
            assignment.constraints.iter().all(|&id| then.can_be(self.program.expression(id), true))
        });
        allowed.collect()
    }

    /// The values that targets can get, own or passive ones: shared variables and local ones.
    fn written(&self, assignment: &Assignment, now: Valuation, is_passive: bool) -> Vec<(Bits, Bits)> {
        let start = (now.shared[0], if is_passive { now.passive[0] } else { now.own[0] });
        let pairs = assignment.targets.iter().zip(&assignment.values);
        pairs.filter(|(target, _)| target.is_passive == is_passive).fold(
            vec![start],
            |all, (target, &value)| {
                let expression = self.program.expression(value);
                let values = [false, true].into_iter().filter(|&value| now.can_be(expression, value));
                let set = |(shared, local): (Bits, Bits), value: bool| match target.variable {
                    VariableId::Shared(index) => (shared & !(1 << index) | Bits::from(value) << index, local),
                    VariableId::Local(index) => (shared, local & !(1 << index) | Bits::from(value) << index),
                };
                values.flat_map(|value| all.iter().map(move |&bits| set(bits, value))).collect()
            },
        )
    }
}

/// A state with the thread that moved and the one that was started.
fn with(shared: Bits, others: &[Thread], moved: Option<Thread>, child: Option<Thread>) -> State {
    State { shared, threads: others.iter().copied().chain(moved).chain(child).collect() }
}
