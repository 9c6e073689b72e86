//! Rules from given states: the successors of a configuration, made from the statements.
//!
//! Values that cannot matter any more are forgotten, so that states that differ only in them are one. See `rules` for what
//! such a rule says.

use crate::images::{Direction, Image, Pair};
use crate::rules::{Rules, bits};
use std::sync::Arc;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId};
use throng_boolprog::{Cube, ThreadPattern};
use throng_model::{LocalId, RuleId, SharedId};

impl Rules<'_> {
    /// What a thread in this local state can do.
    pub(crate) fn steps_of(&self, shared: SharedId, local: LocalId) -> Arc<[RuleId]> {
        self.steps_of.get((shared, local), |_| {
            let mut made = Vec::new();
            let Some(cube) = self.states.shared(shared) else { return made };
            let before = self.states.local(local);
            if self.is_open(cube) != self.program.location(before.location).is_atomic {
                return made;
            }
            for (number, edge) in self.outgoing(before.location) {
                let pair = Pair::new(cube.clone(), before.locals.clone());
                for Image { context, pair } in self.images[number as usize].of(Direction::Forward, &pair) {
                    let context = self.images[number as usize].relation.passive.as_ref().map(|_| context);
                    for (after, ends) in self.outcomes(number, edge, pair) {
                        let mut after = self.liveness.shared(self.program.atomic_bit(), &after);
                        after.set(self.program.atomic_bit(), bits(self.program, edge).1);
                        let to = self.states.shared_id(after);
                        let rule = self.along(
                            number,
                            (shared, local),
                            to,
                            ends,
                            context.clone(),
                            Direction::Forward,
                        );
                        made.extend(rule);
                    }
                }
            }
            made
        })
    }

    fn outgoing(&self, from: LocationId) -> impl Iterator<Item = (u32, Edge)> + '_ {
        let edges = self.program.outgoing(from);
        let first = self.program.first_edge(from);
        (first..).zip(edges.iter().copied())
    }

    /// Shared variables and threads after a step, when the acting thread and those that it starts have gone on.
    fn outcomes(&self, number: u32, edge: Edge, after: Pair) -> Vec<(Cube, [Option<LocalId>; 2])> {
        let id = |location, locals| self.states.local_id(&ThreadPattern { location, locals });
        let ends = |at: Option<LocationId>, own: &Cube| match at {
            None => vec![None],
            Some(at) => {
                let (end, cubes) = self.after_path(at, own);
                cubes.into_iter().map(|locals| Some(id(end, locals))).collect()
            }
        };
        let families: Vec<(Pair, Option<(LocationId, Cube)>)> = match edge.effect {
            Effect::None | Effect::Assign(_) => vec![(after, None)],
            Effect::Start { at, locals: ChildLocals::Fresh(_) } => {
                let families = self.images[number as usize].children(&after);
                families.into_iter().map(|(parent, child)| (parent, Some((at, child)))).collect()
            }
            Effect::Start { at, locals: ChildLocals::Copied } => {
                let split = self.without_common_choices(edge.to, at, after);
                split.into_iter().map(|pair| (pair.clone(), Some((at, pair.own)))).collect()
            }
        };
        let mut outcomes = Vec::new();
        for (pair, child) in families {
            let children = child.map_or(vec![None], |(at, child)| ends(Some(at), &child));
            for parent in ends(edge.to, &pair.own) {
                for &child in &children {
                    outcomes.push((pair.shared.clone(), [parent, child]));
                }
            }
        }
        outcomes
    }

    /// Fixes the variables that both a parent and the child that copies them may still read: the cubes of the two are
    /// independent of each other then.
    fn without_common_choices(&self, parent: Option<LocationId>, child: LocationId, pair: Pair) -> Vec<Pair> {
        let Some(parent) = parent else { return vec![pair] };
        let common = self.liveness.at(parent).common(self.liveness.at(child));
        let free: Vec<u32> = common.filter(|&variable| pair.own.get(variable).is_none()).collect();
        free.into_iter().fold(vec![pair], |pairs, variable| {
            let both = |pair: Pair| {
                let with = |value| Pair::new(pair.shared.clone(), pair.own.clone().with(variable, value));
                [with(false), with(true)]
            };
            pairs.into_iter().flat_map(both).collect()
        })
    }

    /// Where a thread that comes to a location goes on to at once, and what it can be there.
    fn after_path(&self, at: LocationId, before: &Cube) -> (LocationId, Vec<Cube>) {
        let (path, end) = self.through.path(self.program, at);
        let start = vec![self.liveness.local(at, before)];
        let cubes = path.iter().fold(start, |cubes, &number| {
            let images = &self.images[number as usize];
            let to = self.edge(number).to.unwrap_or(end);
            let after = |cube: Cube| images.of(Direction::Forward, &Pair::new(Cube::any(), cube));
            let live = |image: Image| self.liveness.local(to, &image.pair.own);
            cubes.into_iter().flat_map(after).map(live).collect()
        });
        (end, cubes)
    }
}
