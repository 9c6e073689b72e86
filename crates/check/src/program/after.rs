//! Successors of an element of a cover set: crowds of all configurations that one step leads to.
//!
//! One thread of a group acts along an edge from its location; the others stay what they are, unless the edge assigns to
//! passive threads. The values with which the step is possible are found by splitting ([`Action::solve`]), going
//! forwards; in each part the values after the step are cubes again, for the shared variables and for the thread that
//! acted. The atomic bit before the step tells whether the start of the edge is atomic: threads of other groups at atomic
//! locations are not there when the step is taken, nor after it.
//!
//! A thread that is started with a copy of the local variables has the same values as its parent, which two cubes do not
//! say. So such a successor comes with the values that both have; if it is not inside of the cover set, these are split,
//! one variable after the other, as long as an element mentions variables that are open.
//!
//! Passive threads: each thread of a group gets new values by itself, or is gone. The values that matter are split
//! first, so a group becomes a union of groups, among which its threads are distributed in all ways.

use super::inside::{Crowd, Group, Inside, distributions};
use super::scene::{Budget, Scene};
use super::solutions::Direction;
use super::step::Action;
use super::through::Through;
use crate::bag::OMEGA;
use crate::verdict::Trouble;
use throng_boolprog::flow::{Effect, LocationId, Program};
use throng_boolprog::{Cube, ThreadPattern};

/// Successors of elements.
pub(super) struct Successors<'a> {
    pub(super) program: &'a Program,
    pub(super) through: &'a Through<'a>,
    pub(super) inside: &'a Inside,
    /// The local variables that matter to elements or on the way through locations that are passed.
    pub(super) mentioned: Cube,
}

impl Successors<'_> {
    /// A successor of the element along the edge, by a thread of one of its groups, that is not inside of the cover set.
    pub(super) fn find_outside(
        &self,
        element: &Crowd,
        action: &Action<'_>,
        group: usize,
        budget: &mut Budget,
    ) -> Result<Option<Crowd>, Trouble> {
        let bit = self.program.atomic_bit();
        let is_atomic = |at: LocationId| self.program.location(at).is_atomic;
        let (actor, count) = &element.groups[group];
        let before = is_atomic(action.edge.from);
        if *count == 0 || element.shared.get(bit).is_some_and(|wanted| wanted != before) {
            return Ok(None);
        }
        let mut others = element.groups.clone();
        others[group].1 = if *count == OMEGA { OMEGA } else { count.saturating_sub(1) };
        others.retain(|(thread, _)| !is_atomic(thread.location));
        let start = Scene {
            shared: [element.shared.restricted(|index| index != bit), Cube::any()],
            own: [actor.locals.clone(), Cube::any()],
            ..Scene::default()
        };
        let mut solutions = if action.is_broadcast() {
            action.solve_active(start)
        } else {
            action.solve(start, Direction::Forwards)
        };
        while let Some(scene) = solutions.next(budget)? {
            if action.is_broadcast() && action.passive_after(&scene, &Cube::any(), budget)?.is_empty() {
                // Whatever passive threads there are, the constraints cannot hold.
                continue;
            }
            let after = action.edge.to.is_some_and(is_atomic);
            let shared = action.shared_after(&scene).with(bit, after);
            for groups in self.others_after(action, &scene, &others, budget)? {
                let crowd = Crowd { shared: shared.clone(), groups };
                let found = self.with_actor(action, &scene, &crowd, budget)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// What the other groups can be after the step.
    fn others_after(
        &self,
        action: &Action<'_>,
        scene: &Scene,
        others: &[Group],
        budget: &mut Budget,
    ) -> Result<Vec<Vec<Group>>, Trouble> {
        if !action.is_broadcast() {
            return Ok(vec![others.to_vec()]);
        }
        let mut all: Vec<Vec<Group>> = vec![Vec::new()];
        for (thread, count) in others {
            let after = action.passive_after(scene, &thread.locals, budget)?;
            let location = thread.location;
            let after: Vec<ThreadPattern> =
                after.into_iter().map(|locals| ThreadPattern { location, locals }).collect();
            let ways = distributions(&after, *count, budget)?;
            let mut longer = Vec::new();
            for start in &all {
                for way in &ways {
                    budget.spend()?;
                    longer.push([&start[..], &way[..]].concat());
                }
            }
            all = longer;
        }
        Ok(all)
    }

    /// Adds the thread that acted and the one that was started, and looks whether the result is inside.
    fn with_actor(
        &self,
        action: &Action<'_>,
        scene: &Scene,
        crowd: &Crowd,
        budget: &mut Budget,
    ) -> Result<Option<Crowd>, Trouble> {
        let mut pending = vec![(action.own_after(scene), scene.child.clone())];
        while let Some((own, child)) = pending.pop() {
            budget.spend()?;
            let child = if action.copies_locals() { own.clone() } else { child };
            let start = match action.edge.effect {
                Effect::Start { at, .. } => Some(at),
                Effect::None | Effect::Assign(_) => None,
            };
            let actors = self.comes_out(action.edge.to, &own, budget)?;
            let children = self.comes_out(start, &child, budget)?;
            let mut outside = None;
            for groups in actors.iter().flat_map(|actor| children.iter().map(move |child| [actor, child])) {
                let mut whole = crowd.clone();
                whole.groups.extend(groups.into_iter().flatten().cloned());
                outside = self.inside.find_outside(whole, budget)?;
                if outside.is_some() {
                    break;
                }
            }
            let Some(outside) = outside else { continue };
            let open = self.mentioned.iter().map(|(index, _)| index).find(|&it| own.get(it).is_none());
            match open.filter(|_| action.copies_locals()) {
                None => return Ok(Some(outside)),
                Some(index) => {
                    pending
                        .extend([false, true].map(|value| (own.clone().with(index, value), child.clone())));
                }
            }
        }
        Ok(None)
    }

    /// What becomes of a thread at a location, one group for each way; one way without a group if there is no thread.
    fn comes_out(
        &self,
        at: Option<LocationId>,
        locals: &Cube,
        budget: &mut Budget,
    ) -> Result<Vec<Option<Group>>, Trouble> {
        let Some(at) = at else { return Ok(vec![None]) };
        let location = self.through.end(at);
        let cubes = self.through.forth(at, locals, budget)?;
        Ok(cubes.into_iter().map(|locals| Some((ThreadPattern { location, locals }, 1))).collect())
    }
}
