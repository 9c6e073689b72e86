//! Predecessors of an element: regions from which one step leads to configurations that fit it.
//!
//! If a step leads to a configuration that fits an element, its threads are different threads of the configuration. The
//! thread that acted is one of them or not, and so is the thread that was started; all others were there before the
//! step. For each of these *roles* the smallest configurations before the step are found by solving the demands of the
//! edge ([`Action::solve`]), going backwards: the thread that acts, at the start of the edge, and the others.
//!
//! The atomic bit before the step tells whether the start of the edge is atomic, that after it whether the end is. After
//! the step no thread but the one that acted is at an atomic location.
//!
//! Steps that need no look: where neither the thread that acted nor the one that was started is a thread of the
//! element, and nothing changes that it mentions, the configuration before the step fits it as well. If only the atomic
//! bit changes, because a thread leaves a section that does not matter to the element, it fits the element around where
//! the thread was (`idle`).
//!
//! Where threads pass through locations (`through`), edges from there are left out, and the other ones are followed by
//! the way out of them.

use super::idle::Idle;
use super::scene::{Budget, Scene};
use super::solutions::Direction;
use super::step::Action;
use super::through::Through;
use crate::verdict::Trouble;
use std::collections::HashMap;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId, Program};
use throng_boolprog::{Cube, Pattern, ThreadPattern};

/// The edges of a program, by what they change.
#[derive(Debug)]
pub(super) struct Edges<'p> {
    program: &'p Program,
    through: &'p Through<'p>,
    idle: &'p Idle,
    pub(super) actions: Vec<Action<'p>>,
    /// By where a thread comes out that acted or was started.
    by_end: HashMap<LocationId, Vec<usize>>,
    /// By shared variables that are assigned to.
    by_shared: HashMap<u32, Vec<usize>>,
    /// Those that change the atomic bit.
    of_bit: Vec<usize>,
    /// Those that assign to passive threads.
    broadcasts: Vec<usize>,
}

/// The thread of an element that acted, and the one that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Roles {
    actor: Option<usize>,
    child: Option<usize>,
}

impl<'p> Edges<'p> {
    pub(super) fn new(program: &'p Program, through: &'p Through<'p>, idle: &'p Idle) -> Self {
        let outside = program.edges().iter().filter(|edge| !through.contains(edge.from));
        let actions = outside.map(|&edge| Action::new(program, edge)).collect();
        let mut edges = Self {
            program,
            through,
            idle,
            actions,
            by_end: HashMap::new(),
            by_shared: HashMap::new(),
            of_bit: Vec::new(),
            broadcasts: Vec::new(),
        };
        for (number, action) in edges.actions.iter().enumerate() {
            for end in action.edge.to.into_iter().chain(child(action.edge)) {
                edges.by_end.entry(through.end(end)).or_default().push(number);
            }
            for (index, _) in action.shared_targets.iter() {
                edges.by_shared.entry(index).or_default().push(number);
            }
            if edges.bit_before(action.edge) != edges.bit_after(action.edge) {
                edges.of_bit.push(number);
            }
            if action.is_broadcast() {
                edges.broadcasts.push(number);
            }
        }
        edges
    }

    fn bit_before(&self, edge: Edge) -> bool {
        self.program.location(edge.from).is_atomic
    }

    fn bit_after(&self, edge: Edge) -> bool {
        edge.to.is_some_and(|to| self.program.location(to).is_atomic)
    }

    /// The edges that may have predecessors of an element which it does not include, in order.
    pub(super) fn relevant(&self, element: &Pattern) -> Vec<usize> {
        let bit = self.program.atomic_bit();
        let ends = element.threads.iter().filter_map(|thread| self.by_end.get(&thread.location));
        let shared = element.shared.iter().filter_map(|(index, _)| self.by_shared.get(&index));
        let mut numbers: Vec<usize> = ends.chain(shared).flatten().copied().collect();
        if element.shared.get(bit).is_some() {
            numbers.extend(&self.of_bit);
        }
        if !element.threads.is_empty() {
            numbers.extend(&self.broadcasts);
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Reports the predecessors of an element along an edge, except for those that need no look, until `visit` returns
    /// `false`.
    pub(super) fn predecessors(
        &self,
        element: &Pattern,
        number: usize,
        budget: &mut Budget,
        visit: &mut dyn FnMut(Pattern, &mut Budget) -> Result<bool, Trouble>,
    ) -> Result<bool, Trouble> {
        let action = &self.actions[number];
        let bit = self.program.atomic_bit();
        if element.shared.get(bit).is_some_and(|wanted| wanted != self.bit_after(action.edge)) {
            return Ok(true);
        }
        for roles in self.roles(element, action) {
            if !self.predecessors_as(element, action, roles, budget, visit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The roles of an element's threads that need a look.
    fn roles(&self, element: &Pattern, action: &Action<'_>) -> Vec<Roles> {
        let at = |end: Option<LocationId>| {
            let end = end.map(|end| self.through.end(end));
            let threads = element.threads.iter().enumerate();
            let there = threads.filter(move |&(_, thread)| Some(thread.location) == end);
            // The same thread twice: it does not matter which one.
            let new = there.filter(|&(number, thread)| !element.threads[..number].contains(thread));
            [None].into_iter().chain(new.map(|(number, _)| Some(number)))
        };
        let mut roles = Vec::new();
        for actor in at(action.edge.to) {
            for child in at(child(action.edge)) {
                let child = match child {
                    // The other one of two that are the same.
                    Some(number) if Some(number) == actor => self.twin(element, number),
                    child => child,
                };
                let roles_now = Roles { actor, child };
                if !roles.contains(&roles_now)
                    && self.is_atomic_possible(element, actor)
                    && (actor.is_some() || child.is_some() || self.changes(element, action))
                {
                    roles.push(roles_now);
                }
            }
        }
        roles
    }

    /// Another thread of an element that is the same.
    fn twin(&self, element: &Pattern, number: usize) -> Option<usize> {
        let same = |&other: &usize| other != number && element.threads[other] == element.threads[number];
        (0..element.threads.len()).find(same)
    }

    /// After a step, no thread but the one that acted is at an atomic location.
    fn is_atomic_possible(&self, element: &Pattern, actor: Option<usize>) -> bool {
        let mut threads = element.threads.iter().enumerate();
        threads.all(|(number, thread)| {
            Some(number) == actor || !self.program.location(thread.location).is_atomic
        })
    }

    /// Whether a step of a thread that an element does not mention can change what it mentions.
    fn changes(&self, element: &Pattern, action: &Action<'_>) -> bool {
        let is_target =
            |targets: &Cube, cube: &Cube| cube.iter().any(|(index, _)| targets.get(index).is_some());
        let is_inside = self.bit_before(action.edge);
        let wanted = element.shared.get(self.program.atomic_bit());
        let is_idle = is_inside && self.idle.contains(action.edge.from, &element.shared);
        wanted.is_some_and(|wanted| wanted != is_inside) && !is_idle
            || is_target(&action.shared_targets, &element.shared)
            || element.threads.iter().any(|thread| is_target(&action.passive_targets, &thread.locals))
    }

    /// Predecessors where the threads of the element have these roles.
    fn predecessors_as(
        &self,
        element: &Pattern,
        action: &Action<'_>,
        roles: Roles,
        budget: &mut Budget,
        visit: &mut dyn FnMut(Pattern, &mut Budget) -> Result<bool, Trouble>,
    ) -> Result<bool, Trouble> {
        let bit = self.program.atomic_bit();
        let others = element.threads.iter().enumerate();
        let others = others.filter(|&(number, _)| Some(number) != roles.actor && Some(number) != roles.child);
        let others: Vec<&ThreadPattern> = others.map(|(_, thread)| thread).collect();
        let mut base = Scene {
            shared: action.shared_before(&element.shared.restricted(|index| index != bit)),
            ..Scene::default()
        };
        if action.is_broadcast() {
            base.passive = others.iter().map(|thread| action.passive_before(&thread.locals)).collect();
            if base.passive.is_empty() {
                base.passive.push(Default::default());
            }
        }
        for scene in self.scenes(element, action, roles, &base, budget)? {
            let mut solutions = action.solve(scene, Direction::Backwards);
            while let Some(scene) = solutions.next(budget)? {
                let Scene { shared: [shared, _], own: [locals, _], passive, .. } = scene;
                let mut threads = vec![ThreadPattern { location: action.edge.from, locals }];
                threads.extend(others.iter().enumerate().map(|(number, thread)| {
                    let before = passive.get(number).map(|[before, _]| before);
                    let locals = before.unwrap_or(&thread.locals).clone();
                    ThreadPattern { location: thread.location, locals }
                }));
                let shared = shared.with(bit, self.bit_before(action.edge));
                if !visit(Pattern { shared, threads }, budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The scenes that lead to the element's values for the thread that acted and the one that was started: one for
    /// each way through the locations that are passed.
    fn scenes(
        &self,
        element: &Pattern,
        action: &Action<'_>,
        roles: Roles,
        base: &Scene,
        budget: &mut Budget,
    ) -> Result<Vec<Scene>, Trouble> {
        let mut back = |role: Option<usize>, end: Option<LocationId>| match (role, end) {
            (Some(number), Some(end)) => self.through.back(end, &element.threads[number].locals, budget),
            _ => Ok(vec![Cube::any()]),
        };
        let actors = back(roles.actor, action.edge.to)?;
        let children = back(roles.child, child(action.edge))?;
        let mut scenes = Vec::new();
        for own in &actors {
            for child in &children {
                let mut scene = Scene { own: action.own_before(own), ..base.clone() };
                if action.copies_locals() {
                    let Some(both) = scene.own[0].and(child) else { continue };
                    scene.own[0] = both;
                } else {
                    scene.child = child.clone();
                }
                scenes.push(scene);
            }
        }
        Ok(scenes)
    }
}

/// Where an edge starts a thread.
fn child(edge: Edge) -> Option<LocationId> {
    match edge.effect {
        Effect::Start { at, locals: ChildLocals::Copied | ChildLocals::Fresh(_) } => Some(at),
        Effect::None | Effect::Assign(_) => None,
    }
}
