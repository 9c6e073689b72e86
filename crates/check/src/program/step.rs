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

use super::values::bounds;
use crate::verdict::Trouble;
use throng_boolprog::Cube;
use throng_boolprog::flow::{
    Assignment, ChildLocals, Edge, Effect, ExpressionId, Program, Reference, VariableId,
};

/// How many cases may still be looked at.
#[derive(Debug)]
pub(super) struct Budget(u64);

impl Budget {
    pub(super) fn new(cases: u64) -> Self {
        Self(cases)
    }

    /// One more case.
    pub(super) fn spend(&mut self) -> Result<(), Trouble> {
        self.0 = self.0.checked_sub(1).ok_or(Trouble::TooManyCases)?;
        Ok(())
    }
}

/// Whose variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Shared,
    /// The thread that acts.
    Own,
    /// A passive thread of the scene.
    Passive(usize),
    /// The thread that is started; it has no values before the step.
    Child,
}

/// A variable before or after the step.
#[derive(Clone, Copy, Debug)]
struct Place {
    owner: Owner,
    index: u32,
    is_next: bool,
}

/// Values before and after a step, any of which may be open. Values after the step are here only for variables that it
/// assigns to.
#[derive(Clone, Debug, Default)]
pub(super) struct Scene {
    /// Shared variables, without the atomic bit.
    pub(super) shared: [Cube; 2],
    /// Variables of the thread that acts.
    pub(super) own: [Cube; 2],
    /// Variables of passive threads.
    pub(super) passive: Vec<[Cube; 2]>,
    /// Variables of the thread that is started, as far as they are arguments.
    pub(super) child: Cube,
}

impl Scene {
    fn cube(&self, place: Place) -> Option<&Cube> {
        let pair = match place.owner {
            Owner::Shared => &self.shared,
            Owner::Own => &self.own,
            Owner::Passive(number) => self.passive.get(number)?,
            Owner::Child => return Some(&self.child),
        };
        Some(&pair[usize::from(place.is_next)])
    }

    fn get(&self, place: Place) -> Option<bool> {
        self.cube(place).and_then(|cube| cube.get(place.index))
    }

    /// The scene with one more value.
    fn with(&self, place: Place, value: bool) -> Self {
        let mut scene = self.clone();
        let pair = match place.owner {
            Owner::Shared => Some(&mut scene.shared),
            Owner::Own => Some(&mut scene.own),
            Owner::Passive(number) => scene.passive.get_mut(number),
            Owner::Child => {
                scene.child.set(place.index, value);
                None
            }
        };
        if let Some(pair) = pair {
            pair[usize::from(place.is_next)].set(place.index, value);
        }
        scene
    }
}

/// The value that an expression must be able to have.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    True,
    /// That of an assigned variable.
    ValueOf(Place),
}

#[derive(Clone, Copy, Debug)]
struct Demand {
    expression: ExpressionId,
    wanted: Wanted,
    /// The passive thread that `x$` refers to.
    passive: Option<usize>,
}

enum Judgement {
    Holds,
    Fails,
    Open(Place),
}

/// In which direction a step is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forwards,
    Backwards,
}

/// An edge with what it assigns to.
#[derive(Clone, Debug)]
pub(super) struct Action<'p> {
    program: &'p Program,
    pub(super) edge: Edge,
    assignment: Option<&'p Assignment>,
    /// What a started thread gets, if not a copy of everything.
    arguments: Option<&'p Assignment>,
    /// The variables that are assigned to; only which ones have a value matters.
    pub(super) shared_targets: Cube,
    pub(super) own_targets: Cube,
    pub(super) passive_targets: Cube,
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
        };
        for target in assignment.map_or(&[][..], |it| &it.targets) {
            match target.variable {
                VariableId::Shared(index) => action.shared_targets.set(index, true),
                VariableId::Local(index) if target.is_passive => action.passive_targets.set(index, true),
                VariableId::Local(index) => action.own_targets.set(index, true),
            }
        }
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

    /// Where a reference is read: a variable that is not assigned to has one value.
    fn place(&self, reference: &Reference, passive: Option<usize>) -> Place {
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

    /// All demands for scenes with so many passive threads.
    fn demands(&self, n_passive: usize) -> Vec<Demand> {
        let mut demands = Vec::new();
        let conditions = self.edge.guard.into_iter().chain(self.edge.enforced);
        let is_true = |expression, passive| Demand { expression, wanted: Wanted::True, passive };
        demands.extend(conditions.map(|expression| is_true(expression, None)));
        let mut assigned = |assignment: &Assignment, owner: Owner, passive: Option<usize>| {
            for (target, &expression) in assignment.targets.iter().zip(&assignment.values) {
                let (owner, index) = match target.variable {
                    VariableId::Shared(index) => (Owner::Shared, index),
                    VariableId::Local(index) => (owner, index),
                };
                if target.is_passive == passive.is_some() {
                    let wanted = Wanted::ValueOf(Place { owner, index, is_next: true });
                    demands.push(Demand { expression, wanted, passive });
                }
            }
        };
        if let Some(arguments) = self.arguments {
            assigned(arguments, Owner::Child, None);
        }
        if let Some(assignment) = self.assignment {
            assigned(assignment, Owner::Own, None);
            let passive: Vec<Option<usize>> =
                if self.is_broadcast() { (0..n_passive).map(Some).collect() } else { vec![None] };
            for number in passive.iter().filter_map(|&number| number) {
                assigned(assignment, Owner::Passive(number), Some(number));
            }
            for passive in passive {
                let constraints = assignment.constraints.iter();
                demands.extend(constraints.map(|&expression| is_true(expression, passive)));
            }
        }
        demands
    }

    /// All solutions in a scene, see the module's documentation. `visit` returns whether to go on.
    pub(super) fn solve(
        &self,
        scene: &Scene,
        direction: Direction,
        budget: &mut Budget,
        visit: &mut dyn FnMut(&Scene) -> bool,
    ) -> Result<bool, Trouble> {
        debug_assert!(!self.is_broadcast() || !scene.passive.is_empty(), "INVARIANT: see the documentation");
        let demands = self.demands(scene.passive.len());
        self.split(&demands, scene, direction, budget, visit)
    }

    fn split(
        &self,
        demands: &[Demand],
        scene: &Scene,
        direction: Direction,
        budget: &mut Budget,
        visit: &mut dyn FnMut(&Scene) -> bool,
    ) -> Result<bool, Trouble> {
        budget.spend()?;
        let mut open = None;
        for demand in demands {
            match self.judge(*demand, scene, direction) {
                Judgement::Holds => {}
                Judgement::Fails => return Ok(true),
                Judgement::Open(place) => {
                    open.get_or_insert(place);
                }
            }
        }
        let Some(place) = open else { return Ok(visit(scene)) };
        for value in [false, true] {
            if !self.split(demands, &scene.with(place, value), direction, budget, visit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn judge(&self, demand: Demand, scene: &Scene, direction: Direction) -> Judgement {
        let expression = self.program.expression(demand.expression);
        let place = |reference: &Reference| self.place(reference, demand.passive);
        let wanted = match demand.wanted {
            Wanted::True => Some(true),
            Wanted::ValueOf(place) => scene.get(place),
        };
        if wanted.is_none() && direction == Direction::Backwards {
            // Whatever the expression can be, it can be something.
            return Judgement::Holds;
        }
        let found = bounds(expression, |reference| scene.get(place(reference)));
        let open = || expression.references().map(place).find(|&place| scene.get(place).is_none());
        match (wanted, demand.wanted) {
            (Some(value), _) if found.sure.contains(value) => Judgement::Holds,
            (Some(value), _) if !found.perhaps.contains(value) => Judgement::Fails,
            (None, _) if found.sure.contains(false) && found.sure.contains(true) => Judgement::Holds,
            (None, Wanted::ValueOf(target))
                if found.perhaps.contains(false) != found.perhaps.contains(true) =>
            {
                Judgement::Open(target)
            }
            // INVARIANT: without open variables the bounds meet, and one of the cases before applied.
            _ => open().map_or(Judgement::Fails, Judgement::Open),
        }
    }
}
