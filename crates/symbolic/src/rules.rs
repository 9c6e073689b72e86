//! Rules between states that are cubes, made when they are first asked for.
//!
//! A rule says what an edge does to the cubes of a shared state and of one or two threads. There are two kinds, and engines
//! need not tell them apart:
//!
//! * *Backward*: from every valuation of what a rule takes, the step can lead into what it puts. It is made for what is
//!   after the step, whose predecessors it gives exactly: a set of threads that covers a valuation of the cubes after
//!   covers one of the cubes before some rule.
//! * *Forward*: to every valuation of what a rule puts, the step can lead from one of what it takes. It is made for what
//!   is before the step, whose successors it gives exactly.
//!
//! So a backward search over cubes finds configurations of which *some* valuation is coverable if any is, and a forward
//! search configurations of which *all* valuations are. Both agree on whether a target is.

use crate::images::{Context, Direction, Image, Images, Pair};
use crate::liveness::Liveness;
use crate::relation::Owner;
use crate::states::{Memo, States};
use crate::through::Through;
use std::sync::Arc;
use throng_boolprog::flow::{ChildLocals, Edge, Effect, LocationId, Program};
use throng_boolprog::{Cube, ProgramQuestion, ThreadPattern};
use throng_model::{Bag, LocalId, RuleId, SharedId};

/// What a rule stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A step along the edge with this number, and along those that it leads through.
    Edge(u32),
    /// A target is reached. Nobody moves.
    Target,
}

/// A rule between states.
#[derive(Clone, Debug)]
pub(crate) struct SymbolicRule {
    pub(crate) from: SharedId,
    pub(crate) to: SharedId,
    pub(crate) take: Bag,
    pub(crate) put: Bag,
    pub(crate) action: Action,
    /// Where the acting thread and the one that it starts end up, where the rule says so.
    pub(crate) ends: [Option<LocalId>; 2],
    /// If others change: what that depends on.
    pub(crate) context: Option<Context>,
}

/// The rules of a program that were met.
#[derive(Debug)]
pub(crate) struct Rules<'p> {
    pub(crate) program: &'p Program,
    pub(crate) question: ProgramQuestion,
    /// By edge.
    pub(crate) images: Vec<Images>,
    pub(crate) liveness: Liveness,
    pub(crate) through: Through,
    pub(crate) states: States,
    rules: boxcar::Vec<SymbolicRule>,
    /// Edges that a search takes by themselves, by where they lead in the end.
    incoming: Vec<Vec<u32>>,
    /// Edges that start a thread, by where it is in the end.
    starting: Vec<Vec<u32>>,
    /// Edges that somebody can take whom the configuration after the step does not mention, and that change something
    /// for others.
    disturbing: Vec<u32>,
    into_thread: Memo<(SharedId, LocalId)>,
    into_both: Memo<(SharedId, LocalId, LocalId)>,
    into_shared: Memo<SharedId>,
    from_thread: Memo<(SharedId, LocalId)>,
    to_target: Memo<(SharedId, Bag)>,
    from_targets: Memo<()>,
    passive: Memo<(u32, Context, Direction, LocalId), LocalId>,
}

impl<'p> Rules<'p> {
    pub(crate) fn new(
        program: &'p Program,
        question: ProgramQuestion,
        images: Vec<Images>,
        through: Through,
    ) -> Self {
        let liveness = Liveness::new(program, &question);
        let n = program.locations().len();
        let (mut incoming, mut starting) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        let mut disturbing = Vec::new();
        for (number, &edge) in (0_u32..).zip(program.edges()) {
            if through.contains(edge.from) {
                continue;
            }
            if let Some(to) = edge.to {
                incoming[through.path(program, to).1.index()].push(number);
            }
            if let Effect::Start { at, .. } = edge.effect {
                starting[through.path(program, at).1.index()].push(number);
            }
            let relation = &images[number as usize].relation;
            let is_silent = relation.assigned(Owner::Shared).next().is_none() && relation.passive.is_none();
            if !is_silent || bits(program, edge).0 != bits(program, edge).1 {
                disturbing.push(number);
            }
        }
        Self {
            program,
            question,
            images,
            liveness,
            through,
            states: States::new(),
            rules: boxcar::Vec::new(),
            incoming,
            starting,
            disturbing,
            into_thread: Memo::default(),
            into_both: Memo::default(),
            into_shared: Memo::default(),
            from_thread: Memo::default(),
            to_target: Memo::default(),
            from_targets: Memo::default(),
            passive: Memo::default(),
        }
    }

    pub(crate) fn get(&self, id: RuleId) -> &SymbolicRule {
        &self.rules[id.index()]
    }

    /// How many rules were met.
    pub(crate) fn len(&self) -> usize {
        self.rules.count()
    }

    fn edge(&self, number: u32) -> Edge {
        self.program.edges()[number as usize]
    }

    fn add(&self, rule: SymbolicRule) -> RuleId {
        RuleId::new(self.rules.push(rule))
    }

    pub(crate) fn is_atomic(&self, local: LocalId) -> bool {
        self.program.location(self.states.local(local).location).is_atomic
    }

    fn is_open(&self, shared: &Cube) -> bool {
        shared.get(self.program.atomic_bit()).expect("INVARIANT: shared states have an atomic bit")
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

    /// Rules after which a thread is in this local state.
    pub(crate) fn into_thread(&self, shared: SharedId, local: LocalId) -> Arc<[RuleId]> {
        self.into_thread.get((shared, local), |_| {
            let (mut made, after) = (Vec::new(), self.states.local(local));
            for &number in &self.incoming[after.location.index()] {
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
    pub(crate) fn into_both(&self, shared: SharedId, parent: LocalId, child: LocalId) -> Arc<[RuleId]> {
        self.into_both.get((shared, parent, child), |_| {
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

    /// Whether some rule starts a thread that ends up at a location.
    pub(crate) fn starts_at(&self, location: LocationId) -> bool {
        !self.starting[location.index()].is_empty()
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
    pub(crate) fn into_shared(&self, shared: SharedId) -> Arc<[RuleId]> {
        self.into_shared.get(shared, |_| {
            let mut made = Vec::new();
            let Some(cube) = self.states.shared(shared) else { return made };
            for &number in &self.disturbing {
                let edge = self.edge(number);
                let relation = &self.images[number as usize].relation;
                let (before, after) = bits(self.program, edge);
                let mut assigned = relation.assigned(Owner::Shared);
                let changes = relation.passive.is_some()
                    || before != after
                    || assigned.any(|variable| cube.get(variable).is_some());
                let Some(goal) = self.goal(shared, edge).filter(|_| changes) else { continue };
                let images =
                    self.images[number as usize].of(Direction::Backward, &Pair::new(goal, Cube::any()));
                made.extend(images.filter_map(|image| self.backward(number, image, shared, [None, None])));
            }
            made
        })
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
        let Image { context, pair: Pair { mut shared, own } } = before;
        shared.set(self.program.atomic_bit(), bits(self.program, edge).0);
        let from = self.states.shared_id(shared);
        let actor = self.states.local_id(&ThreadPattern { location: edge.from, locals: own });
        let context = self.images[number as usize].relation.passive.as_ref().map(|_| context);
        self.along(number, (from, actor), to, ends, context)
    }

    /// A rule along an edge; `None` if it changes nothing.
    fn along(
        &self,
        number: u32,
        (from, actor): (SharedId, LocalId),
        to: SharedId,
        ends: [Option<LocalId>; 2],
        context: Option<Context>,
    ) -> Option<RuleId> {
        if from == to && ends == [Some(actor), None] && context.is_none() {
            return None;
        }
        let bag = |locals: &mut dyn Iterator<Item = LocalId>| {
            Bag::from_locals(locals).expect("two threads are few")
        };
        let (take, put) = (bag(&mut std::iter::once(actor)), bag(&mut ends.into_iter().flatten()));
        Some(self.add(SymbolicRule { from, to, take, put, action: Action::Edge(number), ends, context }))
    }

    /// What a thread in this local state can do.
    pub(crate) fn from_thread(&self, shared: SharedId, local: LocalId) -> Arc<[RuleId]> {
        self.from_thread.get((shared, local), |_| {
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
                        made.extend(self.along(number, (shared, local), to, ends, context.clone()));
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

    /// The rule by which threads that fit a target reach it.
    pub(crate) fn to_target(&self, shared: SharedId, threads: Bag) -> RuleId {
        let made = self.to_target.get((shared, threads), |(_, threads)| {
            let take = threads.clone();
            let (to, put, action) = (States::REACHED, Bag::new(), Action::Target);
            vec![self.add(SymbolicRule {
                from: shared,
                to,
                take,
                put,
                action,
                ends: [None, None],
                context: None,
            })]
        });
        made[0]
    }

    /// The rules that lead to [`States::REACHED`] from exactly the targets.
    pub(crate) fn from_targets(&self) -> Arc<[RuleId]> {
        self.from_targets.get((), |()| {
            let mut made = Vec::new();
            for target in &self.question.targets {
                let locals = target.threads.iter().map(|thread| self.states.local_id(thread));
                let locals: Vec<LocalId> = locals.collect();
                let n_atomic = locals.iter().filter(|&&local| self.is_atomic(local)).count();
                let threads = Bag::from_locals(locals).expect("INVARIANT: a question has few threads");
                let bit = self.program.atomic_bit();
                for open in [false, true] {
                    let fits = target.shared.get(bit).is_none_or(|wanted| wanted == open);
                    if fits && n_atomic <= usize::from(open) {
                        let shared = self.states.shared_id(target.shared.clone().with(bit, open));
                        made.push(self.to_target(shared, threads.clone()));
                    }
                }
            }
            made
        })
    }

    /// The states that a passive thread has before or after a step with this context.
    pub(crate) fn passive(
        &self,
        number: u32,
        context: &Context,
        direction: Direction,
        local: LocalId,
    ) -> Arc<[LocalId]> {
        self.passive.get((number, context.clone(), direction, local), |_| {
            let ThreadPattern { location, locals } = self.states.local(local);
            let cubes = self.images[number as usize].of_passive(direction, context, locals);
            let cubes = cubes.into_iter().map(|cube| match direction {
                Direction::Backward => cube,
                Direction::Forward => self.liveness.local(*location, &cube),
            });
            let ids =
                cubes.map(|locals| self.states.local_id(&ThreadPattern { location: *location, locals }));
            let mut ids: Vec<LocalId> = ids.collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        })
    }
}

/// The atomic bit before and after a step along an edge.
pub(crate) fn bits(program: &Program, edge: Edge) -> (bool, bool) {
    let is_atomic = |at: LocationId| program.location(at).is_atomic;
    (is_atomic(edge.from), edge.to.is_some_and(is_atomic))
}
