//! What one step of a thread demands of the values before and after it: the checker's own definition of a step.
//!
//! A [`Scene`] holds the variables that a step can speak about, before and after it: the shared ones, those of the thread
//! that acts, of some passive threads, and of a thread that is started. Any of them may be open. Variables that the step
//! does not assign to have one value: that after the step is that before it. An [`Action`] is an edge of the program with
//! its demands:
//!
//! * `guard` and `enforced` can be true before the step;
//! * the value of an assigned variable is one that its expression can have;
//! * each of the `constraints` can be true for old and new values. In an assignment with passive targets (`x$`), they and
//!   the values of passive targets are demanded for each passive thread in the scene, and the step is possible only if
//!   they hold for some values of passive variables, old and new. So a scene for such a step has at least one
//!   passive thread; where no real one is meant, its values are open and mean nothing.
//!
//! [`Action::solve`] finds all ways to fulfil the demands: it splits on open variables that undecided demands read until
//! everything is decided. The scenes that it reports are disjoint, and together they are all solutions. In a
//! reported scene, open variables that were assigned a value ([`Wanted::ValueOf`]) have, going backwards, *some* possible
//! value, going forwards *each* value as a possible one.
//!
//! Going forwards, passive threads that cannot get new values do not make a step impossible: they are gone. So steps with
//! passive targets are solved for the active part first ([`Action::solve_active`]), then for each passive thread by itself
//! ([`Action::passive_after`]).

use super::scene::{Budget, Owner, Place, Scene};
use super::solutions::{Demand, Direction, Solutions, Wanted};
use crate::verdict::Trouble;
use std::borrow::Cow;
use throng_boolprog::Cube;
use throng_boolprog::flow::{
    Assignment, ChildLocals, Edge, Effect, ExpressionId, Program, Reference, VariableId,
};

/// An edge with what it assigns to.
#[derive(Clone, Debug)]
pub(super) struct Action<'p> {
    pub(super) program: &'p Program,
    pub(super) edge: Edge,
    assignment: Option<&'p Assignment>,
    /// What a started thread gets, if not a copy of everything.
    arguments: Option<&'p Assignment>,
    /// The variables that are assigned to; only which ones have a value matters.
    pub(super) shared_targets: Cube,
    pub(super) own_targets: Cube,
    pub(super) passive_targets: Cube,
    /// The demands for a scene without passive threads.
    demands: Vec<Demand>,
}

impl<'p> Action<'p> {
    pub(super) fn new(program: &'p Program, edge: Edge) -> Self {
        let (mut assignment, mut arguments) = (None, None);
        match edge.effect {
            Effect::Assign(id) => assignment = Some(program.assignment(id)),
            Effect::Start { locals: ChildLocals::Fresh(Some(id)), .. } => {
                arguments = Some(program.assignment(id));
            }
            Effect::None | Effect::Start { .. } => {}
        }
        let mut action = Self {
            program,
            edge,
            assignment,
            arguments,
            shared_targets: Cube::any(),
            own_targets: Cube::any(),
            passive_targets: Cube::any(),
            demands: Vec::new(),
        };
        for target in assignment.map_or(&[][..], |it| &it.targets) {
            match target.variable {
                VariableId::Shared(index) => action.shared_targets.set(index, true),
                VariableId::Local(index) if target.is_passive => action.passive_targets.set(index, true),
                VariableId::Local(index) => action.own_targets.set(index, true),
            }
        }
        action.demands = action.all_demands(0);
        action
    }

    /// Whether every other thread changes with this step.
    pub(super) fn is_broadcast(&self) -> bool {
        !self.passive_targets.is_any()
    }

    /// Whether a thread is started with a copy of all variables.
    pub(super) fn copies_locals(&self) -> bool {
        matches!(self.edge.effect, Effect::Start { locals: ChildLocals::Copied, .. })
    }

    /// The local variables that the step assigns or computes with.
    pub(super) fn own_variables(&self) -> impl Iterator<Item = u32> + '_ {
        let values = self.assignment.iter().flat_map(|assignment| &assignment.values);
        let read = values.flat_map(|&id| self.program.expression(id).references());
        let read = read.filter_map(|reference| match reference.variable {
            VariableId::Local(index) => Some(index),
            VariableId::Shared(_) => None,
        });
        read.chain(self.own_targets.iter().map(|(index, _)| index))
    }

    /// The scene's part for the acting thread when it has these values after the step.
    pub(super) fn own_before(&self, after: &Cube) -> [Cube; 2] {
        divided(after, &self.own_targets)
    }

    /// The same for the shared variables.
    pub(super) fn shared_before(&self, after: &Cube) -> [Cube; 2] {
        divided(after, &self.shared_targets)
    }

    /// The same for a passive thread.
    pub(super) fn passive_before(&self, after: &Cube) -> [Cube; 2] {
        divided(after, &self.passive_targets)
    }

    /// The values of the acting thread after the step.
    pub(super) fn own_after(&self, scene: &Scene) -> Cube {
        united(&scene.own, &self.own_targets)
    }

    /// The shared variables after the step.
    pub(super) fn shared_after(&self, scene: &Scene) -> Cube {
        united(&scene.shared, &self.shared_targets)
    }

    /// Where a reference is read: a variable that is not assigned to has one value.
    pub(super) fn place(&self, reference: &Reference, passive: Option<usize>) -> Place {
        let (owner, index, targets) = match (reference.variable, reference.is_passive) {
            (VariableId::Shared(index), _) => (Owner::Shared, index, &self.shared_targets),
            (VariableId::Local(index), false) => (Owner::Own, index, &self.own_targets),
            // A passive variable outside of broadcasts is none that has a value.
            (VariableId::Local(index), true) => {
                (Owner::Passive(passive.unwrap_or(usize::MAX)), index, &self.passive_targets)
            }
        };
        Place { owner, index, is_next: reference.is_next && targets.get(index).is_some() }
    }

    /// The demands on the acting thread and what it starts, constraints excepted.
    fn active_demands(&self) -> Vec<Demand> {
        let conditions = self.edge.guard.into_iter().chain(self.edge.enforced);
        let mut demands: Vec<Demand> = conditions.map(|expression| is_true(expression, None)).collect();
        if let Some(arguments) = self.arguments {
            demands.extend(assigned(arguments, Owner::Child, None));
        }
        if let Some(assignment) = self.assignment {
            demands.extend(assigned(assignment, Owner::Own, None));
        }
        demands
    }

    /// The demands on a passive thread of the scene.
    fn passive_demands(&self, number: usize) -> impl Iterator<Item = Demand> + '_ {
        self.assignment.into_iter().flat_map(move |assignment| {
            let constraints = assignment.constraints.iter();
            let constraints = constraints.map(move |&expression| is_true(expression, Some(number)));
            assigned(assignment, Owner::Passive(number), Some(number)).chain(constraints)
        })
    }

    /// All demands for scenes with so many passive threads.
    fn all_demands(&self, n_passive: usize) -> Vec<Demand> {
        let mut demands = self.active_demands();
        if self.is_broadcast() {
            demands.extend((0..n_passive).flat_map(|number| self.passive_demands(number)));
        } else if let Some(assignment) = self.assignment {
            demands.extend(assignment.constraints.iter().map(|&expression| is_true(expression, None)));
        }
        demands
    }

    /// The active part of a step with passive targets, going forwards: solutions in which all shared and own variables have
    /// values that matter to passive threads. They are possible if [`Action::passive_after`] of anything is not empty.
    pub(super) fn solve_active(&self, scene: Scene) -> Solutions<'_> {
        let known = self.passive_demands(0).map(|demand| Demand { wanted: Wanted::Known, ..demand });
        let demands = self.active_demands().into_iter().chain(known).collect();
        Solutions::new(self, Cow::Owned(demands), scene, Direction::Forwards)
    }

    /// What becomes of a passive thread with one of these valuations, as a union, in a scene that [`Action::solve_active`]
    /// has found. Nothing: it is gone.
    pub(super) fn passive_after(
        &self,
        active: &Scene,
        locals: &Cube,
        budget: &mut Budget,
    ) -> Result<Vec<Cube>, Trouble> {
        let scene = Scene { passive: vec![[locals.clone(), Cube::any()]], ..active.clone() };
        let demands = self.passive_demands(0).collect();
        let mut solutions = Solutions::new(self, Cow::Owned(demands), scene, Direction::Forwards);
        let mut after = Vec::new();
        while let Some(part) = solutions.next(budget)? {
            after.extend(part.passive.first().map(|pair| united(pair, &self.passive_targets)));
        }
        after.sort_unstable();
        after.dedup();
        Ok(after)
    }

    /// All solutions in a scene, see the module's documentation.
    pub(super) fn solve(&self, scene: Scene, direction: Direction) -> Solutions<'_> {
        debug_assert!(!self.is_broadcast() || !scene.passive.is_empty(), "INVARIANT: see the documentation");
        let demands = if self.is_broadcast() {
            Cow::Owned(self.all_demands(scene.passive.len()))
        } else {
            Cow::Borrowed(&self.demands[..])
        };
        Solutions::new(self, demands, scene, direction)
    }
}

/// A condition can be true.
fn is_true(expression: ExpressionId, passive: Option<usize>) -> Demand {
    Demand { expression, wanted: Wanted::True, passive }
}

/// The values of an assignment's passive targets, where `passive` is a thread, or of its other targets; local ones are
/// those of `owner`.
fn assigned(
    assignment: &Assignment,
    owner: Owner,
    passive: Option<usize>,
) -> impl Iterator<Item = Demand> + '_ {
    let targets = assignment.targets.iter().zip(&assignment.values);
    let targets = targets.filter(move |(target, _)| target.is_passive == passive.is_some());
    targets.map(move |(target, &expression)| {
        let (owner, index) = match target.variable {
            VariableId::Shared(index) => (Owner::Shared, index),
            VariableId::Local(index) => (owner, index),
        };
        Demand { expression, wanted: Wanted::ValueOf(Place { owner, index, is_next: true }), passive }
    })
}

/// Values after a step: those of variables that are not assigned to are values before it as well.
fn divided(after: &Cube, targets: &Cube) -> [Cube; 2] {
    let is_target = |index: u32| targets.get(index).is_some();
    [after.restricted(|index| !is_target(index)), after.restricted(is_target)]
}

/// All values after a step.
fn united([before, after]: &[Cube; 2], targets: &Cube) -> Cube {
    before.iter().filter(|&(index, _)| targets.get(index).is_none()).chain(after.iter()).collect()
}
