//! The strongest facts that steps preserve, found from below: at first nothing is reachable; each step makes more reachable and
//! less known, until no step does.
//!
//! A model of a step that contradicts some candidates removes all that it contradicts. Why a step changes nothing is
//! remembered (a core of facts), so it is looked at again only when one of these is gone.

use super::lists::Lists;
use super::order::Order;
use super::scene::{Phase, Scene};
use super::slots::{Fact, Slot, SlotId, Slots};
use super::tasks::{Part, Task};
use crate::counting::Counting;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{EdgeId, Effect, LocationId, LocationKind, Program, Scope, TemplateId};
use throng_solver::terms::{TermId, Terms};
use throng_solver::{BitSolver, Outcome};

/// Why a task changes nothing.
#[derive(Debug)]
enum Settled {
    No,
    /// With these facts, the step is impossible.
    Impossible(Vec<Fact>),
    /// With these facts, these candidates (by target) hold afterwards.
    Holds(Vec<Fact>, FxHashSet<(usize, usize)>),
}

#[derive(Debug)]
struct Entry {
    task: Task,
    settled: Settled,
}

/// See the module's documentation.
#[derive(Debug)]
pub(super) struct Fixpoint<'a> {
    pub(super) program: &'a Program,
    pub(super) lists: &'a Lists,
    pub(super) counting: &'a Counting,
    pub(super) slots: Slots,
    pub(super) scenes: FxHashMap<(Option<EdgeId>, Vec<TemplateId>), Scene>,
    entries: Vec<Entry>,
    index: FxHashMap<Task, usize>,
    queue: BTreeSet<(u8, usize)>,
    /// By slot: the tasks that depend on it.
    dependents: FxHashMap<SlotId, Vec<usize>>,
    /// Whether facts about two threads can be changed by a third.
    with_two: bool,
    /// Whether other threads are left out: what a thread finds as long as nobody disturbs it. That proves nothing.
    pub(super) is_alone: bool,
    /// How often the solver was asked.
    pub(super) n_questions: u64,
    /// How many it may be asked.
    pub(super) most_questions: u64,
}

/// What is assumed: terms, each with a fact that says so.
#[derive(Debug)]
pub(super) struct Assumed {
    /// All of it.
    pub(super) all: Vec<TermId>,
    /// Some from which the rest follows.
    terms: Vec<TermId>,
    pub(super) facts: FxHashMap<TermId, Fact>,
    /// What needs no fact: how many threads there are where, at least.
    pub(super) bounds: Vec<TermId>,
    order: Order,
}

impl Assumed {
    /// Whether a condition follows, as far as can be seen without a solver.
    fn implies(&self, terms: &Terms, condition: TermId) -> bool {
        terms.is_true(condition)
            || self.facts.contains_key(&condition)
            || self.order.implies(terms, condition)
    }
}

impl<'a> Fixpoint<'a> {
    pub(super) fn new(
        program: &'a Program,
        lists: &'a Lists,
        counting: &'a Counting,
        with_two: bool,
    ) -> Self {
        Self {
            program,
            lists,
            counting,
            slots: Slots::new(program, lists),
            scenes: FxHashMap::default(),
            entries: Vec::new(),
            index: FxHashMap::default(),
            queue: BTreeSet::new(),
            dependents: FxHashMap::default(),
            with_two,
            is_alone: false,
            n_questions: 0,
            most_questions: u64::MAX,
        }
    }

    /// Whether an error is reachable as far as is known.
    pub(super) fn is_error_reachable(&self) -> bool {
        let is_error = |index: usize| matches!(self.program.locations[index].kind, LocationKind::Error(_));
        (0..self.program.locations.len()).any(|index| {
            is_error(index) && self.slots.get(self.slots.at(LocationId::new(index))).is_reachable
        })
    }

    /// Looks at steps until nothing changes, or, if wanted, until an error is reachable. Whether it came to the end.
    pub(super) fn run(&mut self, until_error: bool, budget: &Budget) -> Result<bool, StopReason> {
        self.add(Task::Start);
        while let Some((_, id)) = self.queue.pop_first() {
            budget.check()?;
            if self.n_questions > self.most_questions {
                return Ok(false);
            }
            let changed = self.look_at(id, budget)?;
            for (slot, is_new) in changed {
                if is_new {
                    self.extend(slot);
                    if until_error && self.is_error_reachable() {
                        return Ok(false);
                    }
                }
                self.wake(slot);
            }
        }
        Ok(true)
    }

    /// Lists all pairs of locations, also those that no step has led to: nobody stands there.
    pub(super) fn all_pairs(&mut self) {
        let locations = || (0..self.program.locations.len()).map(LocationId::new);
        for a in locations() {
            for b in locations().filter(|b| a.index() <= b.index()) {
                self.slots.pair(self.program, self.lists, a, b);
            }
        }
    }

    fn add(&mut self, task: Task) {
        if self.index.contains_key(&task) {
            return;
        }
        let id = self.entries.len();
        self.index.insert(task, id);
        self.entries.push(Entry { task, settled: Settled::No });
        for (slot, _) in task.before(self.program, self.lists, &mut self.slots) {
            self.dependents.entry(slot).or_default().push(id);
        }
        self.queue.insert((urgency(task), id));
    }

    fn wake(&mut self, slot: SlotId) {
        for &id in self.dependents.get(&slot).map_or(&[][..], Vec::as_slice) {
            self.queue.insert((urgency(self.entries[id].task), id));
        }
    }

    /// A slot has become reachable: more steps are possible.
    fn extend(&mut self, slot: SlotId) {
        let program = self.program;
        match self.slots.get(slot).slot {
            Slot::Global => {}
            Slot::At(location) => {
                for (edge, _) in program.edges_from(location) {
                    self.add(Task::Alone(edge));
                }
            }
            Slot::Pair(..) if self.is_alone => {}
            Slot::Pair(a, b) => {
                for (actor, other) in [(a, b), (b, a)] {
                    if !program.location(other).is_atomic {
                        for (edge, _) in program.edges_from(actor) {
                            self.add(Task::With(edge, other));
                        }
                    }
                }
                if self.with_two {
                    self.extend_by_third(a, b);
                }
            }
        }
    }

    /// Two locations have become reachable together: with a third one, more steps are possible.
    fn extend_by_third(&mut self, a: LocationId, b: LocationId) {
        let program = self.program;
        for third in (0..program.locations.len()).map(LocationId::new) {
            let is_possible = self.slots.is_pair_reachable(program, a, third)
                && self.slots.is_pair_reachable(program, b, third);
            if !is_possible {
                continue;
            }
            for (actor, x, y) in [(third, a, b), (a, b, third), (b, a, third)] {
                if let Some(tasks) = third_party(program, actor, x, y) {
                    tasks.into_iter().for_each(|task| self.add(task));
                }
            }
        }
    }

    /// What is assumed before a task, as terms.
    pub(super) fn assumed(&self, task: Task, scene: &mut Scene, before: &[Part]) -> Assumed {
        let (mut all, mut facts) = (Vec::new(), FxHashMap::default());
        for (slot, whom) in before {
            let holds = &self.slots.get(*slot).holds;
            for &whom in whom {
                for (candidate, &term) in scene.known(whom, Phase::Before).iter().enumerate() {
                    if holds[candidate] && !scene.terms.is_true(term) && !facts.contains_key(&term) {
                        facts.insert(term, Fact { slot: *slot, candidate: Some(candidate) });
                        all.push(term);
                    }
                }
            }
        }
        let (order, terms) = Order::new(&scene.terms, &all);
        let bounds = scene.bounds(self.counting, &task.stand(self.program));
        Assumed { all, terms, facts, bounds, order }
    }

    /// The scene of a task, taken out; with the candidates that are needed.
    pub(super) fn take_scene(&mut self, task: Task) -> (Scene, Vec<Part>, Vec<Part>) {
        let program = self.program;
        let key = (task.edge(), task.others(program));
        let mut scene = self.scenes.remove(&key).unwrap_or_else(|| match task.edge() {
            None => Scene::start(program),
            Some(edge) => Scene::step(program, program.edge(edge), &key.1),
        });
        let before = task.before(program, self.lists, &mut self.slots);
        let after = task.after(program, self.lists, &mut self.slots, scene.started());
        for (parts, phase) in [(&before, Phase::Before), (&after, Phase::After)] {
            for &whom in parts.iter().flat_map(|(_, whom)| whom) {
                scene.candidates(self.lists, whom, phase);
            }
        }
        (scene, before, after)
    }

    pub(super) fn put_scene(&mut self, task: Task, scene: Scene) {
        self.scenes.insert((task.edge(), task.others(self.program)), scene);
    }

    /// Looks at a task. The slots that changed, and whether each was not reachable before.
    fn look_at(&mut self, id: usize, budget: &Budget) -> Result<Vec<(SlotId, bool)>, StopReason> {
        let task = self.entries[id].task;
        if let Settled::Impossible(core) = &self.entries[id].settled
            && core.iter().all(|&fact| self.slots.holds(fact))
        {
            return Ok(Vec::new());
        }
        let (mut scene, before, after) = self.take_scene(task);
        let mut assumed = self.assumed(task, &mut scene, &before);
        let mut claims = Vec::new();
        for &whom in after.iter().flat_map(|(_, whom)| whom) {
            claims.extend(scene.known(whom, Phase::After));
        }
        assumed.order.close(&scene.terms, &claims);
        let result = self.look(id, &mut scene, &assumed, &after, budget);
        self.put_scene(task, scene);
        result
    }

    fn look(
        &mut self,
        id: usize,
        scene: &mut Scene,
        assumed: &Assumed,
        after: &[Part],
        budget: &Budget,
    ) -> Result<Vec<(SlotId, bool)>, StopReason> {
        let mut changed: Vec<(SlotId, bool)> = Vec::new();
        let mut open = self.open(scene, assumed, after);
        let is_new = after.iter().any(|(slot, _)| !self.slots.get(*slot).is_reachable);
        if !is_new && (open.is_empty() || self.is_settled(id, &open)) {
            return Ok(changed);
        }
        let mut solver = BitSolver::default();
        for &condition in scene.always.iter().chain(&assumed.bounds) {
            solver.assert(&scene.terms, condition);
        }
        if is_new {
            self.n_questions += 1;
            match solver.check(&scene.terms, &assumed.terms, budget) {
                Outcome::Unknown(reason) => return Err(reason),
                Outcome::Unsat(core) => {
                    self.entries[id].settled = Settled::Impossible(facts(assumed, &core));
                    return Ok(changed);
                }
                Outcome::Sat(model) => {
                    for (slot, _) in after {
                        if !self.slots.get(*slot).is_reachable {
                            self.slots.get_mut(*slot).is_reachable = true;
                            changed.push((*slot, true));
                        }
                    }
                    self.remove(scene, after, &model, &mut changed);
                    open = self.open(scene, assumed, after);
                }
            }
        }
        while !open.is_empty() {
            let claims: Vec<TermId> = open.iter().map(|&(_, _, term)| term).collect();
            let claims = assumed.order.clone().extend(&scene.terms, &claims);
            let negations: Vec<TermId> = claims.into_iter().map(|term| scene.terms.not(term)).collect();
            let goal = scene.terms.or_all(negations);
            let mut assumptions = assumed.terms.clone();
            assumptions.push(goal);
            self.n_questions += 1;
            match solver.check(&scene.terms, &assumptions, budget) {
                Outcome::Unknown(reason) => return Err(reason),
                Outcome::Unsat(core) => {
                    let covered = open.iter().map(|&(target, candidate, _)| (target, candidate)).collect();
                    self.entries[id].settled = Settled::Holds(facts(assumed, &core), covered);
                    break;
                }
                Outcome::Sat(model) => {
                    self.remove(scene, after, &model, &mut changed);
                    open.retain(|&(target, candidate, _)| self.slots.get(after[target].0).holds[candidate]);
                }
            }
        }
        Ok(changed)
    }

    /// The candidates that are still held for true afterwards and are not among what is assumed: the target, the
    /// candidate, its term.
    fn open(&self, scene: &Scene, assumed: &Assumed, after: &[Part]) -> Vec<(usize, usize, TermId)> {
        let mut open = Vec::new();
        for (target, (slot, whom)) in after.iter().enumerate() {
            let known = self.slots.get(*slot);
            if !known.is_reachable {
                continue;
            }
            for &whom in whom {
                for (candidate, &term) in scene.known(whom, Phase::After).iter().enumerate() {
                    if known.holds[candidate] && !assumed.implies(&scene.terms, term) {
                        open.push((target, candidate, term));
                    }
                }
            }
        }
        open
    }

    fn is_settled(&self, id: usize, open: &[(usize, usize, TermId)]) -> bool {
        match &self.entries[id].settled {
            Settled::Holds(core, covered) => {
                core.iter().all(|&fact| self.slots.holds(fact))
                    && open.iter().all(|&(target, candidate, _)| covered.contains(&(target, candidate)))
            }
            _ => false,
        }
    }

    /// Removes what a model contradicts.
    fn remove(
        &mut self,
        scene: &Scene,
        after: &[Part],
        model: &throng_solver::Model,
        changed: &mut Vec<(SlotId, bool)>,
    ) {
        for (slot, whom) in after {
            for &whom in whom {
                let values = model.values(&scene.terms, scene.known(whom, Phase::After));
                let known = self.slots.get_mut(*slot);
                let mut is_changed = false;
                for (candidate, value) in values.into_iter().enumerate() {
                    if value == 0 && known.holds[candidate] {
                        known.holds[candidate] = false;
                        is_changed = true;
                    }
                }
                if is_changed && !changed.iter().any(|(it, _)| it == slot) {
                    changed.push((*slot, false));
                }
            }
        }
    }
}

/// The facts that a core consists of.
pub(super) fn facts(assumed: &Assumed, core: &[TermId]) -> Vec<Fact> {
    core.iter().filter_map(|term| assumed.facts.get(term).copied()).collect()
}

/// What is looked at first: threads by themselves.
fn urgency(task: Task) -> u8 {
    match task {
        Task::Start | Task::Alone(_) => 0,
        Task::With(..) => 1,
        Task::WithTwo(..) => 2,
    }
}

/// The tasks in which a third thread acts and two others look on; `None` if it may not act.
pub(super) fn third_party(
    program: &Program,
    actor: LocationId,
    a: LocationId,
    b: LocationId,
) -> Option<Vec<Task>> {
    if program.location(a).is_atomic || program.location(b).is_atomic {
        return None;
    }
    let (a, b) =
        if super::lists::rank(program, a) <= super::lists::rank(program, b) { (a, b) } else { (b, a) };
    let is_noticed = |edge: &throng_cfa::flow::Edge| {
        let writes = edge.assignments.iter().any(|it| program.variable(it.target).scope == Scope::Shared);
        writes || matches!(edge.effect, Some(Effect::Broadcast(_) | Effect::Signal(_)))
    };
    let edges = program.edges_from(actor).filter(|(_, edge)| is_noticed(edge));
    Some(edges.map(|(id, _)| Task::WithTwo(id, a, b)).collect())
}
