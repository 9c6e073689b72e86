//! Locations that threads only pass through.
//!
//! Evidence may list locations P where a thread has one step that is always possible, that changes nothing but the
//! thread's own variables and location, and that depends on nothing else. A configuration stands for its *outcomes* then:
//! every thread at a location of P takes its steps, with all choices of `*`, until it is outside. The conditions on P:
//!
//! * each location of P has one edge; it has no guard and nothing enforced, and it leads to a location which is atomic iff
//!   the first one is; it changes nothing, or assigns to own variables, without constraints, what is computed from own
//!   variables;
//! * no cycle of edges stays inside of P, so a configuration has outcomes, at least one;
//! * no target and no element mentions a location of P;
//! * the program has no assignments to passive threads.
//!
//! # Why this is enough
//!
//! Let B be a set of configurations such that
//! (1) configurations without threads in P that fit a target are in B,
//! (2) no outcome of an initial configuration is in B,
//! (3) if d, without threads in P, takes one step and an outcome d′ of the result is in B, then d is in B.
//! Then no reachable configuration fits a target. The invariant is: no outcome of c is in B. It holds initially by (2).
//! Let it hold for c, let thread a step from c to c′, and let d′ be an outcome of c′.
//!
//! * If a is at a location of P, its step may be the first one on its way out of P: d′ is an outcome of c, so not in B.
//! * Otherwise let d be the outcome of c in which the other threads make the choices that they make on the way from
//!   c′ to d′. The step of a is possible in d as well, with the same changes: it depends on shared variables, a's own
//!   variables and the atomic bit, which are the same in c and d, and changes no other thread. After it, a and the thread
//!   that it may have started leave P as in d′. So an outcome of a successor of d is d′. Were d′ in B, so would be d by
//!   (3), against the invariant.
//!
//! If c fits a target, so does each of its outcomes: the threads that matter are not in P and stay, the shared variables
//! and the atomic bit are the same. There is an outcome, and by (1) it is in B, against the invariant.
//!
//! For a proof, B is ↑U. For a cover set it is the complement of ↓E.

use super::names::Names;
use super::scene::{Budget, Scene};
use super::solutions::Direction;
use super::step::Action;
use crate::verdict::{Condition, Rejection, Trouble};
use throng_boolprog::flow::{Assignment, Effect, LocationId, Program, VariableId};
use throng_boolprog::{Cube, ProgramQuestion, ThreadPattern};

/// The locations P of a program, verified.
#[derive(Debug)]
pub(super) struct Through<'p> {
    /// The step from each location of P.
    steps: Vec<Option<Action<'p>>>,
    /// Where threads come out; for a location outside, itself.
    ends: Vec<LocationId>,
}

impl<'p> Through<'p> {
    /// Verifies the conditions on the locations that are listed.
    pub(super) fn new(
        names: &Names<'p>,
        question: &ProgramQuestion,
        listed: &[String],
    ) -> Result<Self, Rejection> {
        let program = names.program;
        let n_locations = program.locations().len();
        let ends = LocationId::all(n_locations).collect();
        let mut through = Self { steps: vec![None; n_locations], ends };
        let locations = names.through(listed)?;
        let mut targets = program.assignments().iter().flat_map(|assignment| &assignment.targets);
        if !locations.is_empty() && targets.any(|target| target.is_passive) {
            let reason =
                "threads cannot pass through locations unseen, since the program assigns to passive threads";
            return Err(Rejection::new(Condition::Through, "the document", reason));
        }
        for &location in &locations {
            if let Some(reason) = what_is_wrong(program, question, location) {
                return Err(rejection(program, location, reason));
            }
            let edge = program.outgoing(location).first();
            through.steps[location.index()] = edge.map(|&edge| Action::new(program, edge));
        }
        for &location in &locations {
            through.find_end(program, location)?;
        }
        Ok(through)
    }

    /// Follows the steps from a location of P to where they end.
    fn find_end(&mut self, program: &Program, location: LocationId) -> Result<(), Rejection> {
        let (mut at, mut way) = (location, Vec::new());
        // Whoever is still inside after as many steps as there are locations goes in a circle.
        for _ in 0..=self.ends.len() {
            let next = self.steps[at.index()].as_ref().and_then(|step| step.edge.to);
            let Some(next) = next else {
                way.into_iter().for_each(|passed: LocationId| self.ends[passed.index()] = at);
                return Ok(());
            };
            way.push(at);
            // What has been followed before is not followed again.
            at = self.ends[next.index()];
        }
        Err(rejection(program, location, "leads back to itself inside of the locations passed through"))
    }

    pub(super) fn contains(&self, location: LocationId) -> bool {
        self.steps[location.index()].is_some()
    }

    /// Where a thread at a location comes out.
    pub(super) fn end(&self, location: LocationId) -> LocationId {
        self.ends[location.index()]
    }

    /// Rejects an element that mentions a location of P.
    pub(super) fn check_element<'t>(
        &self,
        names: &Names<'_>,
        place: &str,
        threads: impl IntoIterator<Item = &'t ThreadPattern>,
    ) -> Result<(), Rejection> {
        let inside = threads.into_iter().find(|thread| self.contains(thread.location));
        inside.map_or(Ok(()), |thread| {
            let text = names.program.location_text(thread.location);
            let reason = format!("mentions `{text}`, where threads are said to pass through");
            Err(Rejection::new(Condition::Through, place, reason))
        })
    }

    /// The own variables that are read or written on the way, with repetitions.
    pub(super) fn variables(&self) -> impl Iterator<Item = u32> + '_ {
        self.steps.iter().flatten().flat_map(Action::own_variables)
    }

    /// The valuations at `location` from which a thread can come out with one of `locals`, as a union.
    pub(super) fn back(
        &self,
        location: LocationId,
        locals: &Cube,
        budget: &mut Budget,
    ) -> Result<Vec<Cube>, Trouble> {
        let mut way = Vec::new();
        let mut at = location;
        while let Some(step) = &self.steps[at.index()] {
            way.push(step);
            at = step.edge.to.unwrap_or(self.ends[at.index()]);
        }
        let mut cubes = vec![locals.clone()];
        for step in way.into_iter().rev() {
            let mut before = Vec::new();
            for cube in &cubes {
                let scene = Scene { own: step.own_before(cube), ..Scene::default() };
                let mut solutions = step.solve(scene, Direction::Backwards);
                while let Some(Scene { own: [own, _], .. }) = solutions.next(budget)? {
                    before.push(own);
                }
            }
            before.sort_unstable();
            before.dedup();
            cubes = before;
        }
        Ok(cubes)
    }

    /// The valuations with which a thread at `location` with one of `locals` comes out, as a union.
    pub(super) fn forth(
        &self,
        location: LocationId,
        locals: &Cube,
        budget: &mut Budget,
    ) -> Result<Vec<Cube>, Trouble> {
        let mut cubes = vec![locals.clone()];
        let mut at = location;
        while let Some(step) = &self.steps[at.index()] {
            let mut after = Vec::new();
            for cube in &cubes {
                let scene = Scene { own: [cube.clone(), Cube::any()], ..Scene::default() };
                let mut solutions = step.solve(scene, Direction::Forwards);
                while let Some(scene) = solutions.next(budget)? {
                    after.push(step.own_after(&scene));
                }
            }
            after.sort_unstable();
            after.dedup();
            cubes = after;
            at = step.edge.to.unwrap_or(self.ends[at.index()]);
        }
        Ok(cubes)
    }
}

fn rejection(program: &Program, location: LocationId, reason: &str) -> Rejection {
    let place = format!("location `{}`, passed through", program.location_text(location));
    Rejection::new(Condition::Through, place, reason)
}

/// The first condition on a location that is violated, except for the absence of cycles.
fn what_is_wrong(
    program: &Program,
    question: &ProgramQuestion,
    location: LocationId,
) -> Option<&'static str> {
    let [edge] = program.outgoing(location) else { return Some("does not have exactly one step") };
    let Some(to) = edge.to else { return Some("is where threads end") };
    if edge.guard.is_some() || edge.enforced.is_some() {
        return Some("has a step that is not always possible");
    }
    if program.location(location).is_atomic != program.location(to).is_atomic {
        return Some("is where an atomic section begins or ends");
    }
    match edge.effect {
        Effect::None => {}
        Effect::Start { .. } => return Some("is where a thread is started"),
        Effect::Assign(id) if !is_own(program, program.assignment(id)) => {
            return Some("has a step that does more than to compute own variables from own variables");
        }
        Effect::Assign(_) => {}
    }
    let mut threads = question.targets.iter().flat_map(|target| &target.threads);
    if threads.any(|thread| thread.location == location) {
        return Some("is a target");
    }
    None
}

/// Whether an assignment is about own variables only, and always possible.
fn is_own(program: &Program, assignment: &Assignment) -> bool {
    let is_local = |variable| matches!(variable, VariableId::Local(_));
    let mut read = assignment.values.iter().flat_map(|&id| program.expression(id).references());
    assignment.constraints.is_empty()
        && assignment.targets.iter().all(|target| is_local(target.variable) && !target.is_passive)
        && read.all(|it| is_local(it.variable) && !it.is_next && !it.is_passive)
}
