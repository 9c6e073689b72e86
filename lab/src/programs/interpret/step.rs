//! The steps of programs, from their definition.

use super::values::{Bits, Valuation, bits_within};
use super::{Explorer, State, Thread};
use std::rc::Rc;
use throng_boolprog::flow::{
    Assignment, ChildLocals, Edge, Effect, ExpressionId, LocationId, Target, VariableId,
};

impl Explorer<'_> {
    /// The states after one step.
    pub(super) fn successors(&self, state: &State) -> Vec<State> {
        let atomic = state.threads.iter().position(|&thread| self.is_atomic(thread));
        let movable = (0..state.threads.len()).filter(|&index| atomic.is_none_or(|only| only == index));
        // Of threads that are the same, one is enough.
        let different = movable.filter(|&index| !state.threads[..index].contains(&state.threads[index]));
        let mut found = Vec::new();
        for index in different {
            if self.sees_others(state.threads[index]) {
                found.extend(self.steps(state, index).into_iter().map(|state| self.tidy(state)));
                continue;
            }
            for step in &*self.steps_alone(state.shared, state.threads[index]) {
                let created = state.created + step.created;
                if step.created > 0 && created > self.most {
                    continue;
                }
                let mut threads = state.threads.clone();
                threads.remove(index);
                threads.extend(&step.threads);
                threads.sort_unstable();
                found.push(State { shared: step.shared, threads, created });
            }
        }
        found
    }

    /// Whether a step of a thread depends on others, or changes them.
    fn sees_others(&self, (at, _): Thread) -> bool {
        self.program.outgoing(at).iter().any(|edge| match edge.effect {
            Effect::Assign(id) => self.program.assignment(id).targets.iter().any(|target| target.is_passive),
            Effect::None | Effect::Start { .. } => false,
        })
    }

    /// The steps of a thread that sees no others, as if there were none. They are the same in many states.
    fn steps_alone(&self, shared: Bits, thread: Thread) -> Rc<[State]> {
        let known = self.alone.borrow().get(&(shared, thread)).cloned();
        known.unwrap_or_else(|| {
            let state = State { shared, threads: vec![thread], created: 0 };
            let mut steps: Vec<State> =
                self.steps(&state, 0).into_iter().map(|state| self.tidy(state)).collect();
            steps.sort_unstable();
            steps.dedup();
            let steps: Rc<[State]> = steps.into();
            self.alone.borrow_mut().insert((shared, thread), Rc::clone(&steps));
            steps
        })
    }

    /// The steps of one thread.
    fn steps(&self, state: &State, index: usize) -> Vec<State> {
        let (from, own) = state.threads[index];
        let now = Valuation { shared: [state.shared; 2], own: [own; 2], passive: [0; 2] };
        let possible =
            |edge: &&Edge| edge.guard.into_iter().chain(edge.enforced).all(|it| self.holds(now, it));
        let edges = self.program.outgoing(from).iter().filter(possible);
        edges.flat_map(|edge| self.follow(state, index, edge, now)).collect()
    }

    fn holds(&self, now: Valuation, condition: ExpressionId) -> bool {
        now.can_be(self.program.expression(condition), true)
    }

    /// What an edge leads to whose guard holds.
    fn follow(&self, state: &State, index: usize, edge: &Edge, now: Valuation) -> Vec<State> {
        let mut others = state.threads.clone();
        others.remove(index);
        let after = |shared: Bits, own: Bits, others: &[Thread], child: Option<Thread>| State {
            shared,
            threads: others.iter().copied().chain(edge.to.map(|to| (to, own))).chain(child).collect(),
            created: state.created + u32::from(child.is_some()),
        };
        let (shared, own) = (state.shared, now.own[0]);
        match edge.effect {
            Effect::None => vec![after(shared, own, &others, None)],
            Effect::Assign(id) => {
                let results = self.assign(self.program.assignment(id), now, &others);
                results.iter().map(|(shared, own, others)| after(*shared, *own, others, None)).collect()
            }
            Effect::Start { .. } if state.created >= self.most => Vec::new(),
            Effect::Start { at, locals } => {
                let children = self.children(at, locals, now).into_iter();
                children.map(|child| after(shared, own, &others, Some((at, child)))).collect()
            }
        }
    }

    /// The variables that a new thread can have.
    fn children(&self, at: LocationId, locals: ChildLocals, now: Valuation) -> Vec<Bits> {
        match locals {
            ChildLocals::Copied => vec![now.own[0]],
            ChildLocals::Fresh(None) => bits_within(self.kept(at)),
            ChildLocals::Fresh(Some(arguments)) => {
                let arguments = self.program.assignment(arguments);
                let fresh = bits_within(self.kept(at)).into_iter();
                fresh.filter(|&child| self.are_arguments(arguments, now, child)).collect()
            }
        }
    }

    /// Whether a new thread's variables are what its arguments can be.
    fn are_arguments(&self, arguments: &Assignment, now: Valuation, child: Bits) -> bool {
        arguments.targets.iter().zip(&arguments.values).all(|(target, &value)| {
            let VariableId::Local(index) = target.variable else { return false };
            now.can_be(self.program.expression(value), child >> index & 1 == 1)
        })
    }

    /// What an assignment leads to: shared variables, those of the thread, and the other threads.
    fn assign(
        &self,
        assignment: &Assignment,
        now: Valuation,
        others: &[Thread],
    ) -> Vec<(Bits, Bits, Vec<Thread>)> {
        let mut results = Vec::new();
        // Without passive targets the constraints say nothing about passive variables.
        let is_broadcast = assignment.targets.iter().any(|target| target.is_passive);
        let some = bits_within(if is_broadcast { self.passive } else { 0 });
        for (shared, own) in self.written(assignment, now, false) {
            let then = Valuation { shared: [now.shared[0], shared], own: [now.own[0], own], ..now };
            if some.iter().all(|&passive| self.passive_values(assignment, then, passive).is_empty()) {
                continue;
            }
            if !is_broadcast {
                results.push((shared, own, others.to_vec()));
                continue;
            }
            let choices = others.iter().map(|&(location, passive)| {
                let next = self.passive_values(assignment, then, passive).into_iter();
                let next: Vec<Option<Thread>> = next.map(|bits| Some((location, bits))).collect();
                if next.is_empty() { vec![None] } else { next }
            });
            for others in product(&choices.collect::<Vec<_>>()) {
                results.push((shared, own, others.into_iter().flatten().collect()));
            }
        }
        results
    }

    /// The new variables of a passive thread for which all constraints can hold.
    fn passive_values(&self, assignment: &Assignment, then: Valuation, passive: Bits) -> Vec<Bits> {
        let before = Valuation { shared: [then.shared[0]; 2], own: [then.own[0]; 2], passive: [passive; 2] };
        let next = self.written(assignment, before, true).into_iter().map(|(_, bits)| bits);
        let allowed = next.filter(|&bits| {
            let then = Valuation { passive: [passive, bits], ..then };
            assignment.constraints.iter().all(|&constraint| self.holds(then, constraint))
        });
        allowed.collect()
    }

    /// The values that targets can get, own or passive ones: shared variables and local ones.
    fn written(&self, assignment: &Assignment, now: Valuation, is_passive: bool) -> Vec<(Bits, Bits)> {
        let start = (now.shared[0], if is_passive { now.passive[0] } else { now.own[0] });
        let pairs = assignment.targets.iter().zip(&assignment.values);
        let pairs = pairs.filter(|(target, _)| target.is_passive == is_passive);
        pairs.fold(vec![start], |all, (target, &value)| {
            let expression = self.program.expression(value);
            let values = [false, true].into_iter().filter(|&value| now.can_be(expression, value));
            values.flat_map(|value| all.iter().map(move |&bits| with(bits, target, value))).collect()
        })
    }
}

/// Shared variables and local ones, with one more value.
fn with((shared, local): (Bits, Bits), target: &Target, value: bool) -> (Bits, Bits) {
    let set = |bits: Bits, index: u32| bits & !(1 << index) | Bits::from(value) << index;
    match target.variable {
        VariableId::Shared(index) => (set(shared, index), local),
        VariableId::Local(index) => (shared, set(local, index)),
    }
}

/// All ways to take one item of each list.
fn product<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |all, list| {
        let longer = |start: &Vec<T>| {
            let start = start.clone();
            list.iter().map(move |item| [&start[..], std::slice::from_ref(item)].concat()).collect::<Vec<_>>()
        };
        all.iter().flat_map(longer).collect()
    })
}
