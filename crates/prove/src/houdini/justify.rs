//! Which facts a proof needs: from "nobody stands at an error" backwards, to what each step needed to preserve what is needed already.

use super::fixpoint::{Assumed, Fixpoint, facts, third_party};
use super::scene::{Phase, Scene};
use super::slots::{Fact, Slot};
use super::tasks::{Part, Task};
use rustc_hash::FxHashSet;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{Effect, LocationId, LocationKind, Program, Scope};
use throng_solver::terms::TermId;
use throng_solver::{BitSolver, Outcome};

/// All facts of a fixpoint; what holds always is not repeated for locations.
pub(super) fn all(fixpoint: &Fixpoint<'_>) -> Vec<Fact> {
    let (slots, lists, program) = (&fixpoint.slots, fixpoint.lists, fixpoint.program);
    let global = slots.get(slots.global());
    let always: FxHashSet<_> =
        lists.global.iter().zip(&global.holds).filter(|&(_, &holds)| holds).map(|(&it, _)| it).collect();
    let mut found = Vec::new();
    for (slot, known) in slots.iter().enumerate() {
        let list = match known.slot {
            Slot::Global => &lists.global,
            Slot::At(location) => &lists.single[program.location(location).template.index()],
            Slot::Pair(a, b) => {
                let is_known = [a, b].iter().any(|&it| !slots.get(slots.at(it)).is_reachable);
                if is_known {
                    continue;
                }
                &lists.pair[&(program.location(a).template, program.location(b).template)]
            }
        };
        if !known.is_reachable {
            found.push(Fact { slot, candidate: None });
            continue;
        }
        let is_new = |candidate: &usize| known.slot == Slot::Global || !always.contains(&list[*candidate]);
        let holding = (0..list.len()).filter(|&candidate| known.holds[candidate]).filter(is_new);
        found.extend(holding.map(|candidate| Fact { slot, candidate: Some(candidate) }));
    }
    found
}

/// The facts that are needed to show that no error is reachable; the fixpoint shows it.
pub(super) fn needed(fixpoint: &mut Fixpoint<'_>, budget: &Budget) -> Result<Vec<Fact>, StopReason> {
    let is_error = |index: &usize| matches!(fixpoint.program.locations[*index].kind, LocationKind::Error(_));
    let errors = (0..fixpoint.program.locations.len()).filter(is_error);
    let mut list: Vec<Fact> = errors
        .map(|index| Fact { slot: fixpoint.slots.at(LocationId::new(index)), candidate: None })
        .collect();
    let mut needed = Needed { seen: list.iter().copied().collect() };
    let mut next = 0;
    while next < list.len() {
        let fact = list[next];
        next += 1;
        for task in sources(fixpoint, fact) {
            budget.check()?;
            for reason in needed.reasons(fixpoint, fact, task, budget)? {
                if needed.seen.insert(reason) {
                    list.push(reason);
                }
            }
        }
    }
    Ok(list)
}

struct Needed {
    seen: FxHashSet<Fact>,
}

impl Needed {
    /// Facts that together show that a task does not touch a fact.
    fn reasons(
        &self,
        fixpoint: &mut Fixpoint<'_>,
        fact: Fact,
        task: Task,
        budget: &Budget,
    ) -> Result<Vec<Fact>, StopReason> {
        let (mut scene, before, after) = fixpoint.take_scene(task);
        let goals = goals(&scene, &before, &after, fact);
        let result = match goals {
            None => Ok(Vec::new()),
            Some(goals) => match self.absent(fixpoint, &before) {
                Some(absent) => Ok(vec![absent]),
                None => self.core(fixpoint, task, &mut scene, &before, &goals, budget),
            },
        };
        fixpoint.put_scene(task, scene);
        result
    }

    /// That one of the threads is not where it should be, if that is known; if possible, what is needed anyway.
    fn absent(&self, fixpoint: &Fixpoint<'_>, before: &[Part]) -> Option<Fact> {
        let absent = before.iter().map(|&(slot, _)| Fact { slot, candidate: None });
        let absent: Vec<Fact> = absent.filter(|it| !fixpoint.slots.get(it.slot).is_reachable).collect();
        let is_single = |it: &&Fact| matches!(fixpoint.slots.get(it.slot).slot, Slot::At(_));
        let known = absent.iter().find(|it| self.seen.contains(it));
        known.or_else(|| absent.iter().find(is_single)).or(absent.first()).copied()
    }

    /// Few facts with which none of the goals can be missed.
    fn core(
        &self,
        fixpoint: &mut Fixpoint<'_>,
        task: Task,
        scene: &mut Scene,
        before: &[Part],
        goals: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<Fact>, StopReason> {
        let assumed = fixpoint.assumed(task, scene, before);
        let mut all = assumed.all.clone();
        // What is dropped first comes first.
        all.sort_by_key(|term| self.seen.contains(&assumed.facts[term]));
        let mut found = Vec::new();
        let goals: Vec<Option<TermId>> =
            if goals.is_empty() { vec![None] } else { goals.iter().copied().map(Some).collect() };
        for goal in goals {
            found.extend(self.core_of(fixpoint, scene, &assumed, &all, goal, budget)?);
        }
        Ok(found)
    }

    fn core_of(
        &self,
        fixpoint: &mut Fixpoint<'_>,
        scene: &mut Scene,
        assumed: &Assumed,
        all: &[TermId],
        goal: Option<TermId>,
        budget: &Budget,
    ) -> Result<Vec<Fact>, StopReason> {
        let mut solver = BitSolver::default();
        for &condition in scene.always.iter().chain(&assumed.bounds) {
            solver.assert(&scene.terms, condition);
        }
        if let Some(goal) = goal {
            let missed = scene.terms.not(goal);
            solver.assert(&scene.terms, missed);
        }
        let known: Vec<TermId> =
            all.iter().copied().filter(|term| self.seen.contains(&assumed.facts[term])).collect();
        fixpoint.n_questions += 1;
        if solver.check(&scene.terms, &known, budget).is_unsat() {
            return Ok(Vec::new());
        }
        fixpoint.n_questions += 1;
        match solver.check(&scene.terms, all, budget) {
            Outcome::Unknown(reason) => Err(reason),
            Outcome::Sat(_) => unreachable!("a fixpoint is inductive"),
            Outcome::Unsat(core) => {
                let (core, result) = solver.minimise_core(&scene.terms, core, budget);
                result?;
                Ok(facts(assumed, &core))
            }
        }
    }
}

/// What has to be true after a task for a fact to stay: terms; none if the step must not be possible. `None`
/// if the fact stays because it was there before.
fn goals(scene: &Scene, before: &[Part], after: &[Part], fact: Fact) -> Option<Vec<TermId>> {
    let Some(candidate) = fact.candidate else {
        let stays = before.iter().any(|&(slot, _)| slot == fact.slot);
        return (!stays).then(Vec::new);
    };
    let terms = |parts: &[Part], phase| {
        let whom = parts.iter().filter(|&&(slot, _)| slot == fact.slot).flat_map(|(_, whom)| whom);
        whom.map(|&whom| scene.known(whom, phase)[candidate]).collect::<Vec<TermId>>()
    };
    let earlier = terms(before, Phase::Before);
    let mut later = terms(after, Phase::After);
    later.retain(|term| !earlier.contains(term) && !scene.terms.is_true(*term));
    (!later.is_empty()).then_some(later)
}

/// The tasks that might touch a fact.
fn sources(fixpoint: &Fixpoint<'_>, fact: Fact) -> Vec<Task> {
    let program = fixpoint.program;
    let is_condition = fact.candidate.is_some();
    let mut tasks = Vec::new();
    match fixpoint.slots.get(fact.slot).slot {
        Slot::Global => tasks.extend((0..program.edges.len()).map(|it| Task::Alone(edge_id(it)))),
        Slot::At(location) => {
            for (index, edge) in program.edges.iter().enumerate() {
                if edge.to == location || entry(program, edge) == Some(location) {
                    tasks.push(Task::Alone(edge_id(index)));
                }
                if is_condition && !program.location(location).is_atomic && is_noticed(program, edge) {
                    tasks.push(Task::With(edge_id(index), location));
                }
            }
        }
        Slot::Pair(a, b) => {
            for (x, y) in [(a, b), (b, a)] {
                for (index, edge) in program.edges.iter().enumerate() {
                    if entry(program, edge) == Some(x) && edge.to == y {
                        tasks.push(Task::Alone(edge_id(index)));
                    }
                    if (edge.to == x || entry(program, edge) == Some(x)) && !program.location(y).is_atomic {
                        tasks.push(Task::With(edge_id(index), y));
                    }
                }
            }
            if is_condition {
                for actor in (0..program.locations.len()).map(LocationId::new) {
                    tasks.extend(third_party(program, actor, a, b).unwrap_or_default());
                }
            }
            tasks.sort_unstable();
            tasks.dedup();
        }
    }
    tasks
}

fn edge_id(index: usize) -> throng_cfa::flow::EdgeId {
    throng_cfa::flow::EdgeId::new(index)
}

/// Where the thread that an edge starts begins.
fn entry(program: &Program, edge: &throng_cfa::flow::Edge) -> Option<LocationId> {
    match &edge.effect {
        Some(Effect::Spawn { template, .. }) => Some(program.templates[template.index()].entry),
        _ => None,
    }
}

/// Whether others can notice a step.
fn is_noticed(program: &Program, edge: &throng_cfa::flow::Edge) -> bool {
    edge.assignments.iter().any(|it| program.variable(it.target).scope == Scope::Shared)
        || matches!(edge.effect, Some(Effect::Broadcast(_) | Effect::Signal(_)))
}
