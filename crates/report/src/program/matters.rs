//! Which values of variables matter in an interleaving: those that are read before they are overwritten.
//!
//! Initial values are arbitrary, and so are those that `*` and calls leave behind, so most of them are noise. What is read
//! is found by going backwards through the steps. Where the evidence does not tell by which edge a step was taken, what
//! any of them reads counts as read. This decides what is shown and nothing else.

use super::follow::{Followed, Moment};
use std::collections::BTreeSet;
use throng_boolprog::Cube;
use throng_boolprog::expression::Node;
use throng_boolprog::flow::{
    Assignment, AssignmentId, ChildLocals, Edge, Effect, ExpressionId, Program, VariableId,
};

/// What matters in an interleaving.
#[derive(Debug, Default)]
pub(super) struct Matters {
    /// The shared variables whose initial values are read.
    shared: BTreeSet<u32>,
    /// The local variables whose first values are read, by thread.
    locals: Vec<BTreeSet<u32>>,
    /// For each moment, the variables that it leaves arbitrary and that nobody reads before they are overwritten.
    noise: Vec<BTreeSet<VariableId>>,
}

impl Matters {
    /// What matters in an interleaving of a program.
    pub(super) fn of(program: &Program, followed: &Followed) -> Self {
        let mut backwards = Backwards {
            program,
            shared: BTreeSet::new(),
            locals: vec![BTreeSet::new(); followed.finally.len()],
        };
        let mut noise: Vec<_> =
            followed.moments.iter().rev().map(|&moment| backwards.before(moment)).collect();
        noise.reverse();
        Self { shared: backwards.shared, locals: backwards.locals, noise }
    }

    /// The initial values of shared variables that matter.
    pub(super) fn initial_shared(&self, values: &Cube) -> Cube {
        values.restricted(|variable| self.shared.contains(&variable))
    }

    /// The first values of a thread's variables that matter.
    pub(super) fn first_values(&self, thread: usize, values: &Cube) -> Cube {
        let read = self.locals.get(thread);
        values.restricted(|variable| read.is_some_and(|read| read.contains(&variable)))
    }

    /// Whether what a moment does to a variable is worth showing.
    pub(super) fn is_worth_showing(&self, moment: usize, variable: VariableId) -> bool {
        self.noise.get(moment).is_none_or(|noise| !noise.contains(&variable))
    }
}

/// What is read later, while steps are followed backwards.
struct Backwards<'a> {
    program: &'a Program,
    shared: BTreeSet<u32>,
    locals: Vec<BTreeSet<u32>>,
}

impl Backwards<'_> {
    /// Goes back over a step; what it writes that is noise is returned.
    fn before(&mut self, moment: Moment) -> BTreeSet<VariableId> {
        let program = self.program;
        let edges: Vec<Edge> = candidates(program, moment).collect();
        let mut noise = BTreeSet::new();
        // Only what each of the candidates writes is surely overwritten.
        if let [edge] = &edges[..]
            && let Effect::Assign(assignment) = edge.effect
        {
            noise = self.overwrite(moment.actor, program.assignment(assignment));
        }
        for edge in edges {
            edge.guard.into_iter().chain(edge.enforced).for_each(|it| self.read(moment.actor, it));
            match edge.effect {
                Effect::None => {}
                Effect::Assign(assignment) => self.read_assignment(moment.actor, assignment),
                Effect::Start { locals, .. } => self.start(moment, locals),
            }
        }
        noise
    }

    fn overwrite(&mut self, actor: usize, assignment: &Assignment) -> BTreeSet<VariableId> {
        let mut noise = BTreeSet::new();
        for (target, &value) in assignment.targets.iter().zip(&assignment.values) {
            if target.is_passive {
                continue;
            }
            let was_read = match target.variable {
                VariableId::Shared(index) => self.shared.remove(&index),
                VariableId::Local(index) => self.locals[actor].remove(&index),
            };
            if !was_read && is_arbitrary(self.program, value) {
                noise.insert(target.variable);
            }
        }
        noise
    }

    fn read_assignment(&mut self, actor: usize, assignment: AssignmentId) {
        let assignment = self.program.assignment(assignment);
        assignment.values.iter().for_each(|&value| self.read(actor, value));
        let written =
            |variable| assignment.targets.iter().any(|it| it.variable == variable && !it.is_passive);
        for &constraint in &assignment.constraints {
            for reference in self.program.expression(constraint).references() {
                // The new value of a variable that is not assigned is the old one.
                if !reference.is_next || reference.is_passive || !written(reference.variable) {
                    self.reads(actor, reference.variable, reference.is_passive);
                }
            }
        }
    }

    /// What a new thread reads of its first values is what its parent has, if it gets a copy.
    fn start(&mut self, moment: Moment, locals: ChildLocals) {
        let Some((child, _)) = moment.started else { return };
        match locals {
            ChildLocals::Copied => {
                let read = self.locals[child].clone();
                self.locals[moment.actor].extend(read);
            }
            ChildLocals::Fresh(Some(arguments)) => {
                let values = &self.program.assignment(arguments).values;
                values.iter().for_each(|&value| self.read(moment.actor, value));
            }
            ChildLocals::Fresh(None) => {}
        }
    }

    fn read(&mut self, actor: usize, expression: ExpressionId) {
        for reference in self.program.expression(expression).references() {
            self.reads(actor, reference.variable, reference.is_passive);
        }
    }

    fn reads(&mut self, actor: usize, variable: VariableId, is_passive: bool) {
        match variable {
            VariableId::Shared(index) => {
                self.shared.insert(index);
            }
            VariableId::Local(index) if is_passive => {
                let others = self.locals.iter_mut().enumerate().filter(|(thread, _)| *thread != actor);
                others.for_each(|(_, read)| {
                    read.insert(index);
                });
            }
            VariableId::Local(index) => {
                self.locals[actor].insert(index);
            }
        }
    }
}

/// The edges by which a step may have been taken.
pub(super) fn candidates(program: &Program, moment: Moment) -> impl Iterator<Item = Edge> {
    program.outgoing(moment.from).iter().copied().filter(move |edge| {
        let started = match edge.effect {
            Effect::Start { at, .. } => Some(at),
            Effect::None | Effect::Assign(_) => None,
        };
        edge.to == moment.to && started == moment.started.map(|(_, at)| at)
    })
}

fn is_arbitrary(program: &Program, value: ExpressionId) -> bool {
    matches!(program.expression(value).nodes(), [Node::Choice])
}
