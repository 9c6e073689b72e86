//! What one thread can do from given values, with all values of variables known.

use super::{Bits, Local, Outline, bits_within};
use throng_boolprog::flow::{
    Assignment, AssignmentId, ChildLocals, Effect, Expression, ExpressionId, LocationId, Reference,
    VariableId,
};

/// Values before and after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Valuation {
    shared: [Bits; 2],
    own: [Bits; 2],
}

/// A step of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Step {
    /// The shared variables and the atomic bit after it.
    pub(super) bits: Bits,
    pub(super) is_atomic: bool,
    /// The thread after it.
    pub(super) to: Local,
    pub(super) others: Others,
}

/// What a step does to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Others {
    /// Nothing.
    Stay,
    /// There is a new thread.
    Start(Local),
    /// Every other thread gets new values.
    Broadcast(Broadcast),
}

/// An assignment to variables of passive threads, with what the acting thread sees.
pub(super) type Broadcast = (AssignmentId, Valuation);

impl Outline<'_> {
    /// The steps of a thread whose values are known.
    pub(super) fn steps(&self, shared: Bits, location: LocationId, own: Bits) -> Vec<Step> {
        let now = Valuation { shared: [shared; 2], own: [own; 2] };
        let mut steps = Vec::new();
        for edge in self.program.outgoing(location) {
            if !edge.guard.into_iter().chain(edge.enforced).all(|it| self.holds(it, now, [0; 2])) {
                continue;
            }
            let after = |bits: Bits, own: Bits, others: Others| {
                let to = edge.to.map_or(Local::Gone, |to| self.local(to, own, Bits::MAX));
                Step { bits, is_atomic: self.is_atomic(to), to, others }
            };
            match edge.effect {
                Effect::None => steps.push(after(shared, own, Others::Stay)),
                Effect::Assign(id) => {
                    let assignment = self.program.assignment(id);
                    let is_broadcast = assignment.targets.iter().any(|target| target.is_passive);
                    for then in self.assigned(assignment, now, is_broadcast) {
                        let others = if is_broadcast { Others::Broadcast((id, then)) } else { Others::Stay };
                        steps.push(after(then.shared[1], then.own[1], others));
                    }
                }
                Effect::Start { at, locals } => {
                    for child in self.children(at, locals, now) {
                        steps.push(after(shared, own, Others::Start(child)));
                    }
                }
            }
        }
        steps
    }

    /// What a new thread can be: its arguments are known, or everything.
    fn children(&self, at: LocationId, locals: ChildLocals, now: Valuation) -> Vec<Local> {
        match locals {
            ChildLocals::Copied => vec![self.local(at, now.own[0], Bits::MAX)],
            ChildLocals::Fresh(None) => vec![self.local(at, 0, 0)],
            ChildLocals::Fresh(Some(id)) => {
                let arguments = self.program.assignment(id);
                let known =
                    arguments.targets.iter().fold(0, |bits, target| bits | super::bit(target.variable));
                let values = self.written(arguments, now, 0, false, [0, 0]);
                values.into_iter().map(|(_, bits)| self.local(at, bits, known)).collect()
            }
        }
    }

    /// The values before and after an assignment.
    fn assigned(&self, assignment: &Assignment, now: Valuation, is_broadcast: bool) -> Vec<Valuation> {
        let written = self.written(assignment, now, 0, false, [now.shared[0], now.own[0]]);
        let then = written
            .into_iter()
            .map(|(shared, own)| Valuation { shared: [now.shared[0], shared], own: [now.own[0], own] });
        let is_possible = |then: &Valuation| {
            let mut some = bits_within(if is_broadcast { self.passive } else { 0 });
            some.any(|passive| !self.passive_values(assignment, *then, passive).is_empty())
        };
        then.filter(is_possible).collect()
    }

    /// Where a passive thread can go. Other values than those that are known are any.
    pub(super) fn moved(&self, (id, then): Broadcast, local: Local) -> Vec<Local> {
        let Local::At { location, bits, known } = local else { return vec![local] };
        let assignment = self.program.assignment(id);
        let mut moved = Vec::new();
        for free in bits_within(self.kept[location.index()] & !known) {
            for values in self.passive_values(assignment, then, bits | free) {
                moved.push(self.local(location, values, Bits::MAX));
            }
        }
        // Where some values let the thread survive, that the others do not is nothing more to cover.
        if moved.is_empty() {
            moved.push(Local::Gone);
        }
        moved
    }

    /// The new variables of a passive thread for which all constraints can hold.
    fn passive_values(&self, assignment: &Assignment, then: Valuation, passive: Bits) -> Vec<Bits> {
        let before = Valuation { shared: [then.shared[0]; 2], own: [then.own[0]; 2] };
        let next = self.written(assignment, before, passive, true, [0, passive]);
        let allowed = next
            .into_iter()
            .map(|(_, bits)| bits)
            .filter(|&bits| assignment.constraints.iter().all(|&it| self.holds(it, then, [passive, bits])));
        allowed.collect()
    }

    /// The values that own or passive targets can get: shared and local ones, starting from `start`.
    fn written(
        &self,
        assignment: &Assignment,
        now: Valuation,
        passive: Bits,
        is_passive: bool,
        start: [Bits; 2],
    ) -> Vec<(Bits, Bits)> {
        let pairs = assignment.targets.iter().zip(&assignment.values);
        let pairs = pairs.filter(|(target, _)| target.is_passive == is_passive);
        pairs.fold(vec![(start[0], start[1])], |all, (target, &value)| {
            let values = self.values(self.program.expression(value), now, [passive; 2]);
            let values = [false, true].into_iter().filter(|&value| values.contains(value));
            let set = |bits: Bits, index: u32, value: bool| bits & !(1 << index) | Bits::from(value) << index;
            let with = |(shared, local): (Bits, Bits), value: bool| match target.variable {
                VariableId::Shared(index) => (set(shared, index, value), local),
                VariableId::Local(index) => (shared, set(local, index, value)),
            };
            values.flat_map(|value| all.iter().map(move |&bits| with(bits, value))).collect()
        })
    }

    fn holds(&self, condition: ExpressionId, then: Valuation, passive: [Bits; 2]) -> bool {
        self.values(self.program.expression(condition), then, passive).can_be_true
    }

    fn values(
        &self,
        expression: &Expression,
        then: Valuation,
        passive: [Bits; 2],
    ) -> throng_boolprog::expression::Values {
        expression.possible_values(|reference: &Reference| {
            let time = usize::from(reference.is_next);
            let (bits, index) = match reference.variable {
                VariableId::Shared(index) => (then.shared[time], index),
                VariableId::Local(index) if reference.is_passive => (passive[time], index),
                VariableId::Local(index) => (then.own[time], index),
            };
            bits >> index & 1 == 1
        })
    }
}
