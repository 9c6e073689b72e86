//! Whether a step leads from a state that no element describes to one that an element describes.
//!
//! One question for every element, edge, and way in which the element's threads take part in the step: one of them takes it or
//! none does, one of them is started by it or none is, all others are passive. Questions about the same edge and
//! passive threads at the same locations share a scene, hence a solver.
//!
//! That no element describes the state before is assumed for the threads at hand and one witness, and only as far as it
//! turns out to be needed: a model is looked at for elements that describe it, and these are excluded, until there is no model
//! or no such element. Witnesses are looked at last.

use super::facts::{self, Facts, Writes};
use super::forall::Stage;
use super::scene::{ACTOR, Scene, Slot, Time};
use super::words;
use crate::{Condition, Rejection};
use std::collections::BTreeMap;
use throng_base::Budget;
use throng_cfa::flow::{Edge, EdgeId, Effect, LocationId};
use throng_cfa::invariant::{Element, Literal, Of, PredicateKind};
use throng_solver::{Model, Outcome, TermId};

/// So many threads of an element, and the acting one, are looked at together.
const MOST_THREADS: usize = 12;

/// How many elements are excluded before the solver is asked again.
const AT_ONCE: usize = 16;

/// After so many questions a scene gets a new solver.
const QUESTIONS: usize = 300;

/// An element after a step, with the threads of the scene that its threads are.
struct Job {
    element: usize,
    threads: Vec<Slot>,
}

/// An element before a step, with the threads of the scene that its threads may be.
struct Instance {
    element: usize,
    threads: Vec<Slot>,
}

/// No step does.
pub(super) fn check(facts: &Facts<'_>, budget: &Budget) -> Result<(), Rejection> {
    if let Some(index) = facts.elements.iter().position(|element| element.threads.len() > MOST_THREADS) {
        let reason = format!("it has more than {MOST_THREADS} threads");
        return Err(Rejection::new(Condition::Size, words::element(facts, index), reason));
    }
    for (index, edge) in facts.program.edges.iter().enumerate() {
        for (passive, jobs) in jobs(facts, edge) {
            budget.check().map_err(words::stopped)?;
            Question { facts, id: EdgeId::new(index), edge, passive: &passive }.check(&jobs, budget)?;
        }
    }
    Ok(())
}

/// The questions about an edge, by the locations of passive threads.
fn jobs(facts: &Facts<'_>, edge: &Edge) -> BTreeMap<Vec<LocationId>, Vec<Job>> {
    let mut all: BTreeMap<Vec<LocationId>, Vec<Job>> = BTreeMap::new();
    let writes = facts::writes(facts.program, edge);
    let entry = started_at(facts, edge);
    let is_atomic_after = facts.is_atomic(edge.to) || entry.is_some_and(|at| facts.is_atomic(at));
    for (index, element) in facts.elements.iter().enumerate() {
        if element.atomic.is_some_and(|is_atomic| is_atomic != is_atomic_after) {
            continue;
        }
        let at = |place: LocationId| (0..element.threads.len()).filter(move |&i| element.threads[i] == place);
        let actors: Vec<Option<usize>> = std::iter::once(None).chain(at(edge.to).map(Some)).collect();
        let started: Vec<usize> = entry.map_or_else(Vec::new, |entry| at(entry).collect());
        for &actor in &actors {
            let news = std::iter::once(None).chain(started.iter().copied().map(Some));
            for new in news.filter(|new| new.is_none() || *new != actor) {
                let is_bystander = actor.is_none() && new.is_none();
                if is_bystander && changes_nothing(facts, edge, &writes, element, is_atomic_after) {
                    continue;
                }
                if let Some((passive, threads)) = roles(facts, edge, element, actor, new) {
                    all.entry(passive).or_default().push(Job { element: index, threads });
                }
            }
        }
    }
    all
}

/// Where the thread begins that an edge starts.
fn started_at(facts: &Facts<'_>, edge: &Edge) -> Option<LocationId> {
    match edge.effect {
        Some(Effect::Spawn { template, .. }) => Some(facts.program.templates[template.index()].entry),
        _ => None,
    }
}

/// The locations of the passive threads, sorted, and which thread of the scene each thread of the element is; `None` if the
/// step is impossible with such threads.
fn roles(
    facts: &Facts<'_>,
    edge: &Edge,
    element: &Element,
    actor: Option<usize>,
    new: Option<usize>,
) -> Option<(Vec<LocationId>, Vec<Slot>)> {
    let is_passive = |&thread: &usize| Some(thread) != actor && Some(thread) != new;
    let mut passive: Vec<usize> = (0..element.threads.len()).filter(is_passive).collect();
    passive.sort_by_key(|&thread| element.threads[thread]);
    let locations: Vec<LocationId> = passive.iter().map(|&thread| element.threads[thread]).collect();
    // Nobody takes a step while another thread is in an atomic section.
    if locations.iter().any(|&at| facts.is_atomic(at)) {
        return None;
    }
    let is_main = |at: &&LocationId| facts.template(**at) == facts.program.main;
    let n_main = locations.iter().chain([&edge.from]).filter(is_main).count();
    if facts.main_is_single && n_main > 1 {
        return None;
    }
    let mut threads = vec![ACTOR; element.threads.len()];
    for (place, &thread) in passive.iter().enumerate() {
        threads[thread] = place.saturating_add(1);
    }
    if let Some(new) = new {
        threads[new] = passive.len().saturating_add(1);
    }
    Some((locations, threads))
}

/// Whether an element that describes the state after a step, in which none of its threads moves or begins, describes the
/// state before it, too.
fn changes_nothing(
    facts: &Facts<'_>,
    edge: &Edge,
    writes: &Writes,
    element: &Element,
    is_atomic_after: bool,
) -> bool {
    if element.atomic.is_some() && facts.is_atomic(edge.from) != is_atomic_after {
        return false;
    }
    element.literals.iter().all(|literal| {
        let reads = facts.reads_of(literal.predicate);
        let is_unchanged = !reads.by_number
            && reads.shared.is_disjoint(&writes.shared)
            && reads.active.is_disjoint(&writes.others)
            && reads.passive.is_disjoint(&writes.others);
        is_unchanged && counts_the_same(facts, edge, writes, literal)
    })
}

/// Whether a literal about all threads, whose variables do not change in passive threads, is true before the step if it is true
/// after it, whatever the acting thread and the new one are.
fn counts_the_same(facts: &Facts<'_>, edge: &Edge, writes: &Writes, literal: &Literal) -> bool {
    let predicate = facts.predicates.get(literal.predicate);
    let is_for_all = !matches!(literal.of, Of::Pair(..))
        && matches!(predicate.kind(), PredicateKind::Universal | PredicateKind::InterThread);
    let Some(party) = predicate.passive.as_ref().filter(|_| is_for_all) else { return true };
    let counts = |at: LocationId| party.scope.contains(&at);
    let is_unchanged = facts.reads_of(literal.predicate).passive.is_disjoint(&writes.own);
    if literal.value {
        // Only the acting thread could have violated it before.
        !counts(edge.from) || (counts(edge.to) && is_unchanged)
    } else {
        // Only the acting thread or the new one could be who violates it only now.
        let acting = !counts(edge.to) || (counts(edge.from) && is_unchanged);
        acting && !started_at(facts, edge).is_some_and(counts)
    }
}

/// An edge and where passive threads stand.
struct Question<'q> {
    facts: &'q Facts<'q>,
    id: EdgeId,
    edge: &'q Edge,
    passive: &'q [LocationId],
}

impl Question<'_> {
    fn check(&self, jobs: &[Job], budget: &Budget) -> Result<(), Rejection> {
        let facts = self.facts;
        let mut instances = self.instances();
        // Where threads stand is enough for being described.
        if instances.iter().any(|instance| facts.elements[instance.element].literals.is_empty()) {
            return Ok(());
        }
        let mut stage = Stage::new(Scene::new(facts, self.edge, self.passive));
        let mut cores: Vec<Vec<TermId>> = Vec::new();
        for (number, job) in jobs.iter().enumerate() {
            if number > 0 && number.is_multiple_of(QUESTIONS) {
                stage.scene.renew();
            }
            let assumptions = literals(&mut stage, &facts.elements[job.element], &job.threads, Time::After);
            if cores.iter().any(|core| core.iter().all(|part| assumptions.contains(part))) {
                continue;
            }
            loop {
                let n_asserted = stage.scene.solver.asserted().len();
                match stage.scene.solver.check(&stage.scene.terms, &assumptions, budget) {
                    Outcome::Unknown(reason) => return Err(words::stopped(reason)),
                    Outcome::Unsat(core) if core.is_empty() => return Ok(()),
                    Outcome::Unsat(core) => {
                        cores.push(core);
                        break;
                    }
                    Outcome::Sat(model) if exclude(&mut stage, &mut instances, &model, &[]) => {}
                    Outcome::Sat(model) if self.exclude_with_witness(&mut stage, &model) => {}
                    // Looking at elements made terms that come with assertions, such as numbers of threads: the model is
                    // older than these.
                    Outcome::Sat(_) if stage.scene.solver.asserted().len() > n_asserted => {}
                    Outcome::Sat(model) => {
                        return Err(words::step(facts, job.element, self.id, &stage.scene, &model));
                    }
                }
            }
        }
        Ok(())
    }

    /// All ways in which an element may describe the state before, as far as threads at hand are concerned.
    fn instances(&self) -> Vec<Instance> {
        let locations = std::iter::once(self.edge.from).chain(self.passive.iter().copied());
        self.instances_of(&locations.enumerate().collect::<Vec<_>>(), None)
    }

    /// All ways in which an element may describe the state before with threads among these, and this one among them.
    fn instances_of(&self, slots: &[(Slot, LocationId)], needed: Option<Slot>) -> Vec<Instance> {
        let is_atomic = self.facts.is_atomic(self.edge.from);
        let mut all = Vec::new();
        for subset in 0_u32..1_u32.checked_shl(slots.len() as u32).unwrap_or(0) {
            let is_chosen = |place: usize| subset.checked_shr(place as u32).unwrap_or(0) & 1 == 1;
            let chosen: Vec<(Slot, LocationId)> =
                (0..slots.len()).filter(|&place| is_chosen(place)).map(|place| slots[place]).collect();
            if needed.is_some_and(|needed| chosen.iter().all(|&(slot, _)| slot != needed)) {
                continue;
            }
            let mut threads: Vec<LocationId> = chosen.iter().map(|&(_, at)| at).collect();
            threads.sort_unstable();
            for &element in self.facts.at(&threads) {
                let known = &self.facts.elements[element];
                if known.atomic.is_none_or(|wanted| wanted == is_atomic) {
                    arrange(&known.threads, &chosen, &mut Vec::new(), &mut |threads| {
                        all.push(Instance { element, threads: threads.to_vec() });
                    });
                }
            }
        }
        all
    }

    /// Excludes elements that describe the state before in a model, with a witness among their threads. Whether there were
    /// any, or whether it is only known now where the witnesses stand.
    fn exclude_with_witness(&self, stage: &mut Stage<'_>, model: &Model) -> bool {
        let locations = std::iter::once(self.edge.from).chain(self.passive.iter().copied());
        let at_hand: Vec<(Slot, LocationId)> = locations.enumerate().collect();
        let mut is_new = false;
        for slot in stage.scene.n_at_hand..stage.scene.threads.len() {
            let exists = stage.scene.exists(slot);
            is_new |= model.holds(&stage.scene.terms, exists) && stage.locate(slot);
        }
        if is_new {
            return true;
        }
        for slot in stage.scene.n_at_hand..stage.scene.threads.len() {
            let Some((at, conditions)) = stage.place_in(slot, model) else { continue };
            let slots: Vec<(Slot, LocationId)> = at_hand.iter().copied().chain([(slot, at)]).collect();
            let mut instances = self.instances_of(&slots, Some(slot));
            if exclude(stage, &mut instances, model, &conditions) {
                return true;
            }
        }
        false
    }
}

/// All ways to give each thread of an element a slot of its own with the same location.
fn arrange(
    threads: &[LocationId],
    slots: &[(Slot, LocationId)],
    chosen: &mut Vec<Slot>,
    found: &mut dyn FnMut(&[Slot]),
) {
    let Some(&wanted) = threads.get(chosen.len()) else { return found(chosen) };
    for &(slot, at) in slots {
        if at == wanted && !chosen.contains(&slot) {
            chosen.push(slot);
            arrange(threads, slots, chosen, found);
            chosen.pop();
        }
    }
}

/// The literals of an element as formulas, which are wanted after the step, and before it not all of them.
fn literals(stage: &mut Stage<'_>, element: &Element, threads: &[Slot], time: Time) -> Vec<TermId> {
    let mut all = Vec::new();
    for literal in &element.literals {
        let wanted = if time == Time::After { literal.value } else { !literal.value };
        let truth = stage.truth(literal, threads, time, wanted);
        all.push(if literal.value { truth } else { stage.scene.terms.not(truth) });
    }
    all
}

/// Excludes some elements that describe the state before the step in a model, or that may do so because the model says nothing
/// about a literal for all threads. They are excluded under these conditions. Whether there were any.
fn exclude(
    stage: &mut Stage<'_>,
    instances: &mut Vec<Instance>,
    model: &Model,
    conditions: &[TermId],
) -> bool {
    let facts = stage.scene.facts;
    let mut terms: Vec<TermId> = Vec::new();
    let mut known: Vec<Vec<Option<usize>>> = Vec::new();
    for instance in &*instances {
        let literals = facts.elements[instance.element].literals.iter();
        let places = literals.map(|literal| {
            let term = stage.known(literal, &instance.threads, Time::Before, !literal.value)?;
            terms.push(term);
            Some(terms.len().saturating_sub(1))
        });
        known.push(places.collect());
    }
    let values = model.values(&stage.scene.terms, &terms);
    let mut describing: Vec<(usize, usize, usize)> = Vec::new();
    for (index, instance) in instances.iter().enumerate() {
        let literals = &facts.elements[instance.element].literals;
        let mut n_unknown = 0_usize;
        let is_possible = literals.iter().zip(&known[index]).all(|(literal, place)| match *place {
            Some(place) => (values[place] == 1) == literal.value,
            None => {
                n_unknown = n_unknown.saturating_add(1);
                true
            }
        });
        if is_possible {
            describing.push((n_unknown, literals.len(), index));
        }
    }
    describing.sort_unstable();
    // What surely describes the model first.
    let fewest = describing.first().map(|&(n_unknown, ..)| n_unknown);
    describing.retain(|&(n_unknown, ..)| Some(n_unknown) == fewest);
    describing.truncate(AT_ONCE);
    let mut chosen: Vec<usize> = describing.iter().map(|&(.., index)| index).collect();
    chosen.sort_unstable();
    for index in chosen.iter().rev() {
        let instance = instances.swap_remove(*index);
        let element = &facts.elements[instance.element];
        let all = literals(stage, element, &instance.threads, Time::Before);
        let scene = &mut stage.scene;
        let others: Vec<TermId> =
            all.iter().chain(conditions).map(|&formula| scene.terms.not(formula)).collect();
        let some = scene.terms.or_all(others);
        scene.assert(some);
    }
    !chosen.is_empty()
}
