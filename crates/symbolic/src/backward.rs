//! Rules that lead to given states: the predecessors of a configuration, made from the statements.
//!
//! Whoever acts is either mentioned by the configuration after the step or not. In the first case the rule puts that thread;
//! in the second it only takes one, and matters if it changes the shared state or other threads. A step that starts a
//! thread may put the parent, the child or both. A rule by which others change is made for those that are there after the
//! step: it says what is before the step beside them, and beside fewer of them. See `rules` for what such a rule says.

use crate::images::{Context, Direction, Image, Pair};
use crate::relation::Owner;
use crate::rules::{Rules, bits};
use std::sync::Arc;
use throng_boolprog::Cube;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId};
use throng_model::{LocalId, RuleId, SharedId};

impl Rules<'_> {
    /// Rules after which a thread is in this local state.
    pub(crate) fn leading_to_thread(&self, shared: SharedId, local: LocalId) -> Arc<[RuleId]> {
        self.leading_to_thread.get((shared, local), |_| {
            let (mut made, after) = (Vec::new(), self.states.local(local));
            for &number in &self.incoming[after.location.index()] {
                if self.changes_others(number) {
                    continue;
                }
                let edge = self.edge(number);
                let to = edge.to.expect("INVARIANT: it leads here");
                let Some(goal) = self.goal(shared, edge) else { continue };
                for own in self.before_path(to, &after.locals) {
                    let before =
                        self.images[number as usize].of(Direction::Backward, &Pair::new(goal.clone(), own));
                    made.extend(
                        before.filter_map(|image| self.backward(number, image, shared, [Some(local), None])),
                    );
                }
            }
            for &number in &self.starting[after.location.index()] {
                let Some(goal) = self.goal(shared, self.edge(number)) else { continue };
                for pair in self.started(number, &Pair::new(goal, Cube::any()), &after.locals) {
                    let image = Image { context: Context::new(), pair };
                    made.extend(self.backward(number, image, shared, [None, Some(local)]));
                }
            }
            made
        })
    }

    /// Rules after which one thread is in one local state and has just started another, in the other.
    pub(crate) fn leading_to_both(&self, shared: SharedId, parent: LocalId, child: LocalId) -> Arc<[RuleId]> {
        self.leading_to_both.get((shared, parent, child), |_| {
            let mut made = Vec::new();
            let (after, started) = (self.states.local(parent), self.states.local(child));
            for &number in &self.starting[started.location.index()] {
                let edge = self.edge(number);
                let Some(to) = edge.to else { continue };
                let Some(goal) = self.goal(shared, edge) else { continue };
                if self.through.path(self.program, to).1 != after.location {
                    continue;
                }
                for own in self.before_path(to, &after.locals) {
                    for pair in self.started(number, &Pair::new(goal.clone(), own), &started.locals) {
                        let image = Image { context: Context::new(), pair };
                        made.extend(self.backward(number, image, shared, [Some(parent), Some(child)]));
                    }
                }
            }
            made
        })
    }

    /// What was before a step that starts a thread, which ends up with these variables.
    fn started(&self, number: u32, after: &Pair, child: &Cube) -> Vec<Pair> {
        let Effect::Start { at, locals } = self.edge(number).effect else { return Vec::new() };
        let images = &self.images[number as usize];
        let mut found = Vec::new();
        for child in self.before_path(at, child) {
            match locals {
                ChildLocals::Fresh(_) => found.extend(images.parents(&child, after)),
                ChildLocals::Copied => {
                    let Some(own) = after.own.and(&child) else { continue };
                    let both = Pair::new(after.shared.clone(), own);
                    found.extend(images.of(Direction::Backward, &both).map(|image| image.pair));
                }
            }
        }
        found
    }

    /// Rules by which a thread that is not mentioned afterwards changes the shared state or other threads.
    pub(crate) fn leading_to_shared(&self, shared: SharedId) -> Arc<[RuleId]> {
        self.leading_to_shared.get(shared, |_| {
            let mut made = Vec::new();
            let Some(cube) = self.states.shared(shared) else { return made };
            for &number in self.disturbing.iter().filter(|&&it| !self.changes_others(it)) {
                let edge = self.edge(number);
                let relation = &self.images[number as usize].relation;
                let (before, after) = bits(self.program, edge);
                let mut assigned = relation.assigned(Owner::Shared);
                let changes = before != after && !self.sections.is_idle(number, cube)
                    || assigned.any(|variable| cube.get(variable).is_some());
                let Some(goal) = self.goal(shared, edge).filter(|_| changes) else { continue };
                let images =
                    self.images[number as usize].of(Direction::Backward, &Pair::new(goal, Cube::any()));
                made.extend(images.filter_map(|image| self.backward(number, image, shared, [None, None])));
            }
            made
        })
    }

    /// Rules by which a thread changes others, of which these are there after the step (sorted, each once). That thread is in this local state
    /// afterwards, or is not mentioned.
    pub(crate) fn broadcasting(
        &self,
        shared: SharedId,
        actor: Option<LocalId>,
        others: Vec<LocalId>,
    ) -> Arc<[RuleId]> {
        if !self.has_broadcasts {
            return Arc::default();
        }
        self.broadcasting.get((shared, actor, others), |(_, _, others)| {
            let mut made = Vec::new();
            let edges = match actor {
                Some(actor) => &self.incoming[self.states.local(actor).location.index()],
                None => &self.disturbing,
            };
            for &number in edges.iter().filter(|&&it| self.changes_others(it)) {
                let edge = self.edge(number);
                let Some(goal) = self.goal(shared, edge) else { continue };
                let own = match (actor, edge.to) {
                    (Some(actor), Some(to)) => self.before_path(to, &self.states.local(actor).locals),
                    _ => vec![Cube::any()],
                };
                for own in own {
                    let theirs: Vec<&Cube> = others.iter().map(|&it| &self.states.local(it).locals).collect();
                    let before = self.images[number as usize].before(&Pair::new(goal.clone(), own), &theirs);
                    made.extend(
                        before.filter_map(|image| self.backward(number, image, shared, [actor, None])),
                    );
                }
            }
            made
        })
    }

    /// Whether an edge changes other threads.
    fn changes_others(&self, number: u32) -> bool {
        self.images[number as usize].relation.passive.is_some()
    }

    /// The shared state after a step along an edge; `None` if its atomic bit is another than that of the state.
    fn goal(&self, shared: SharedId, edge: Edge) -> Option<Cube> {
        let cube = self.states.shared(shared)?;
        (self.is_open(cube) == bits(self.program, edge).1).then(|| cube.clone())
    }

    /// A rule from what is before a step.
    fn backward(
        &self,
        number: u32,
        before: Image,
        to: SharedId,
        ends: [Option<LocalId>; 2],
    ) -> Option<RuleId> {
        let edge = self.edge(number);
        let Image { context, pair: Pair { mut shared, mut own } } = before;
        shared.set(self.program.atomic_bit(), bits(self.program, edge).0);
        self.forget(number, (&mut shared, &mut own), to, ends[0]);
        let actor = self.local_before(edge.from, own)?;
        let from = self.states.shared_id(shared);
        self.order.note(&self.states, from, Some(actor));
        let context = self.images[number as usize].relation.passive.as_ref().map(|_| context);
        self.along(number, (from, actor), to, ends, context, Direction::Backward)
    }

    /// A state of a thread that goes on from a location at once, and what it can have been there.
    fn before_path(&self, at: LocationId, after: &Cube) -> Vec<Cube> {
        let (path, _) = self.through.path(self.program, at);
        path.iter().rev().fold(vec![after.clone()], |cubes, &edge| {
            let images = &self.images[edge as usize];
            let before = |cube: Cube| images.of(Direction::Backward, &Pair::new(Cube::any(), cube));
            cubes.into_iter().flat_map(before).map(|image| image.pair.own).collect()
        })
    }
}
