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

use crate::fixed::Fixed;
use crate::images::{Context, Direction, Images};
use crate::liveness::Liveness;
use crate::order::Order;
use crate::precision::{Precision, Touched};
use crate::relation::Owner;
use crate::sections::Sections;
use crate::states::{Memo, States};
use crate::through::Through;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError, RwLock};
use throng_boolprog::flow::{Edge, Effect, LocationId, Program};
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
    /// Which kind it is of.
    pub(crate) direction: Direction,
}

/// The rules of a program that were met.
#[derive(Debug)]
pub(crate) struct Rules<'p> {
    pub(crate) program: &'p Program,
    pub(crate) question: ProgramQuestion,
    /// By edge.
    pub(crate) images: Vec<Images>,
    pub(crate) liveness: Liveness,
    pub(crate) fixed: Fixed,
    pub(crate) through: Through,
    pub(crate) sections: Sections,
    pub(crate) touched: Touched,
    precision: RwLock<Precision>,
    pub(crate) states: States,
    pub(crate) order: Order,
    rules: boxcar::Vec<SymbolicRule>,
    /// Edges that a search takes by themselves, by where they lead in the end.
    pub(crate) incoming: Vec<Vec<u32>>,
    /// Edges that start a thread, by where it is in the end.
    pub(crate) starting: Vec<Vec<u32>>,
    /// Edges that somebody can take whom the configuration after the step does not mention, and that change something
    /// for others.
    pub(crate) disturbing: Vec<u32>,
    pub(crate) leading_to_thread: Memo<(SharedId, LocalId)>,
    pub(crate) leading_to_both: Memo<(SharedId, LocalId, LocalId)>,
    pub(crate) leading_to_shared: Memo<SharedId>,
    /// Whether some edge changes other threads.
    pub(crate) has_broadcasts: bool,
    pub(crate) broadcasting: Memo<(SharedId, Option<LocalId>, Vec<LocalId>)>,
    pub(crate) steps_of: Memo<(SharedId, LocalId)>,
    reaching: Memo<(SharedId, Bag)>,
    leading_to_reached: Memo<()>,
    passive: Memo<(u32, Context, Direction, LocalId), LocalId>,
    /// Which passive threads forward rules have led to a state.
    sources: RwLock<FxHashMap<(u32, Context, LocalId), BTreeSet<LocalId>>>,
}

impl<'p> Rules<'p> {
    pub(crate) fn new(
        program: &'p Program,
        question: ProgramQuestion,
        images: Vec<Images>,
        through: Through,
        liveness: Liveness,
        fixed: Fixed,
        skip_sections: bool,
    ) -> Self {
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
        let sections = if skip_sections { Sections::new(program, &images) } else { Sections::none(program) };
        let touched = Touched::new(program, &images, &through);
        let has_broadcasts = images.iter().any(|it| it.relation.passive.is_some());
        Self {
            program,
            question,
            sections,
            images,
            liveness,
            fixed,
            through,
            touched,
            precision: RwLock::new(Precision::Full),
            states: States::new(),
            order: Order::default(),
            rules: boxcar::Vec::new(),
            incoming,
            starting,
            disturbing,
            leading_to_thread: Memo::default(),
            leading_to_both: Memo::default(),
            leading_to_shared: Memo::default(),
            has_broadcasts,
            broadcasting: Memo::default(),
            steps_of: Memo::default(),
            reaching: Memo::default(),
            leading_to_reached: Memo::default(),
            passive: Memo::default(),
            sources: RwLock::default(),
        }
    }

    /// Which values backward rules look at.
    pub(crate) fn precision(&self) -> Precision {
        self.precision.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes backward rules look at other values from now on. Rules that were made before are not found any more.
    pub(crate) fn set_precision(&self, precision: Precision) {
        *self.precision.write().unwrap_or_else(PoisonError::into_inner) = precision;
        self.leading_to_thread.clear();
        self.leading_to_both.clear();
        self.leading_to_shared.clear();
        self.broadcasting.clear();
    }

    /// What backward rules say about what is before a step: less than they could.
    pub(crate) fn forget(
        &self,
        edge: u32,
        (shared, own): (&mut Cube, &mut Cube),
        to: SharedId,
        parent: Option<LocalId>,
    ) {
        let precision = self.precision.read().unwrap_or_else(PoisonError::into_inner);
        if let Precision::Full = *precision {
            return;
        }
        let bit = self.program.atomic_bit();
        let open = shared.get(bit);
        let after = self.states.shared(to);
        *shared = self.touched.restrict(&precision, (edge, Owner::Shared), shared, after);
        open.into_iter().for_each(|open| shared.set(bit, open));
        let after = parent.map(|parent| &self.states.local(parent).locals);
        *own = self.touched.restrict(&precision, (edge, Owner::Own), own, after);
    }

    pub(crate) fn get(&self, id: RuleId) -> &SymbolicRule {
        &self.rules[id.index()]
    }

    /// How many rules were met.
    pub(crate) fn len(&self) -> usize {
        self.rules.count()
    }

    pub(crate) fn edge(&self, number: u32) -> Edge {
        self.program.edges()[number as usize]
    }

    fn add(&self, rule: SymbolicRule) -> RuleId {
        RuleId::new(self.rules.push(rule))
    }

    pub(crate) fn is_atomic(&self, local: LocalId) -> bool {
        self.program.location(self.states.local(local).location).is_atomic
    }

    pub(crate) fn is_open(&self, shared: &Cube) -> bool {
        shared.get(self.program.atomic_bit()).expect("INVARIANT: shared states have an atomic bit")
    }

    /// Whether some rule starts a thread that ends up at a location.
    pub(crate) fn starts_at(&self, location: LocationId) -> bool {
        !self.starting[location.index()].is_empty()
    }

    /// A rule along an edge; `None` if it changes nothing.
    pub(crate) fn along(
        &self,
        number: u32,
        (from, actor): (SharedId, LocalId),
        to: SharedId,
        ends: [Option<LocalId>; 2],
        context: Option<Context>,
        direction: Direction,
    ) -> Option<RuleId> {
        if from == to && ends == [Some(actor), None] && context.is_none() {
            return None;
        }
        let bag = |locals: &mut dyn Iterator<Item = LocalId>| {
            Bag::from_locals(locals).expect("two threads are few")
        };
        let (take, put) = (bag(&mut std::iter::once(actor)), bag(&mut ends.into_iter().flatten()));
        Some(self.add(SymbolicRule {
            from,
            to,
            take,
            put,
            action: Action::Edge(number),
            ends,
            context,
            direction,
        }))
    }

    /// The rule by which threads that fit a target reach it.
    pub(crate) fn reaching(&self, shared: SharedId, threads: Bag) -> RuleId {
        let made = self.reaching.get((shared, threads), |(_, threads)| {
            let take = threads.clone();
            let (to, put, action) = (States::REACHED, Bag::new(), Action::Target);
            let direction = Direction::Forward;
            let (ends, context) = ([None, None], None);
            vec![self.add(SymbolicRule { from: shared, to, take, put, action, ends, context, direction })]
        });
        made[0]
    }

    /// The rules that lead to [`States::REACHED`] from exactly the targets.
    pub(crate) fn leading_to_reached(&self) -> Arc<[RuleId]> {
        self.leading_to_reached.get((), |()| {
            let mut made = Vec::new();
            for target in &self.question.targets {
                let locals =
                    target.threads.iter().map(|it| self.local_before(it.location, it.locals.clone()));
                let Some(locals) = locals.collect::<Option<Vec<LocalId>>>() else { continue };
                let n_atomic = locals.iter().filter(|&&local| self.is_atomic(local)).count();
                let threads = Bag::from_locals(locals).expect("INVARIANT: a question has few threads");
                let bit = self.program.atomic_bit();
                for open in [false, true] {
                    let fits = target.shared.get(bit).is_none_or(|wanted| wanted == open);
                    if fits && n_atomic <= usize::from(open) {
                        let shared = self.states.shared_id(target.shared.clone().with(bit, open));
                        made.push(self.reaching(shared, threads.clone()));
                    }
                }
            }
            made
        })
    }

    /// The state of a thread before a step, or one that is wanted; `None` if no thread has it.
    pub(crate) fn local_before(&self, location: LocationId, locals: Cube) -> Option<LocalId> {
        let locals = self.fixed.complete(location, locals)?;
        Some(self.states.local_id(&ThreadPattern { location, locals }))
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
            let ids = cubes.into_iter().filter_map(|cube| match direction {
                Direction::Backward => self.local_before(*location, cube),
                Direction::Forward => {
                    let locals = self.liveness.local(*location, &cube);
                    Some(self.states.local_id(&ThreadPattern { location: *location, locals }))
                }
            });
            let mut ids: Vec<LocalId> = ids.collect();
            ids.sort_unstable();
            ids.dedup();
            if direction == Direction::Forward {
                let mut sources = self.sources.write().unwrap_or_else(PoisonError::into_inner);
                for &id in &ids {
                    sources.entry((number, context.clone(), id)).or_default().insert(local);
                }
            }
            ids
        })
    }

    /// The states from which a rule leads a passive thread to this one: all of them for a backward rule, and those that
    /// were met for a forward rule.
    pub(crate) fn sources(&self, rule: &SymbolicRule, local: LocalId) -> Vec<LocalId> {
        let (Some(context), &Action::Edge(number)) = (&rule.context, &rule.action) else {
            return vec![local];
        };
        match rule.direction {
            Direction::Backward => self.passive(number, context, Direction::Backward, local).to_vec(),
            Direction::Forward => {
                let sources = self.sources.read().unwrap_or_else(PoisonError::into_inner);
                let known = sources.get(&(number, context.clone(), local));
                known.map(|known| known.iter().copied().collect()).unwrap_or_default()
            }
        }
    }
}

/// The atomic bit before and after a step along an edge.
pub(crate) fn bits(program: &Program, edge: Edge) -> (bool, bool) {
    let is_atomic = |at: LocationId| program.location(at).is_atomic;
    (is_atomic(edge.from), edge.to.is_some_and(is_atomic))
}
