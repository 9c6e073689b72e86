//! A shorter invariant that excludes the same states.
//!
//! Proofs about abstract programs know nothing of what predicates have to do with each other, and split cases where a person would not.
//! Here, literals and elements go that the others make superfluous:
//!
//! * two elements that differ in the value of one literal only become one without it;
//! * a literal goes if the element without it describes nothing new but what other elements describe already;
//! * an element goes if others describe all that it describes.
//!
//! What is said about *all others* is a bit of its own here: nothing is known of it but that it has a value.
//!
//! The checker has to prove by induction what is left, one question for each element and step, about the threads that the element and the step are
//! about, and witnesses. That does not become harder: a counterexample to the induction of what is left is a state with
//! just these threads. There, every bit about all others has a value, so the state after the step is described by one of the
//! elements that there were, whose question would have had it as a counterexample, too.

use crate::translate::{Store, View, scope_of};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use throng_base::Budget;
use throng_cfa::flow::{LocationId, Program, Scope, TemplateId};
use throng_cfa::invariant::{Element, Invariant, Literal, Of, PredicateId, Predicates};
use throng_solver::bits::{BitSolver, Outcome};
use throng_solver::terms::{TermId, Terms};

/// Larger invariants are not read by anybody: the solver is not asked about them.
const MOST_LITERALS: usize = 4_000;

/// So often everything is looked at.
const ROUNDS: usize = 3;

/// See the module's documentation. If there is no time left, what has been reached.
pub(crate) fn simplify(program: &Program, invariant: Invariant, budget: &Budget) -> Invariant {
    let Invariant { counts, predicates, mut elements } = invariant;
    elements.iter_mut().for_each(|element| element.literals.sort_unstable());
    merge(&mut elements);
    let n_literals: usize = elements.iter().map(|element| element.literals.len()).sum();
    if n_literals <= MOST_LITERALS {
        let mut known = Known::new(program, &predicates, budget);
        for _ in 0..ROUNDS {
            let before = elements.clone();
            known.drop_literals(&mut elements);
            known.drop_elements(&mut elements);
            merge(&mut elements);
            if elements == before {
                break;
            }
        }
    }
    Invariant { counts, predicates, elements }
}

/// Joins elements that differ in one literal's value, and leaves out those that say more than another. Literals are sorted, and
/// stay so.
fn merge(elements: &mut Vec<Element>) {
    loop {
        elements.sort_unstable_by_key(|element| (element.literals.len(), element.clone()));
        elements.dedup();
        let mut kept: Vec<Element> = Vec::new();
        for element in elements.drain(..) {
            if !kept.iter().any(|smaller| includes(smaller, &element)) {
                kept.push(element);
            }
        }
        *elements = kept;
        let known: FxHashSet<&Element> = elements.iter().collect();
        let mut joined: Vec<Element> = Vec::new();
        for element in &*elements {
            for (place, literal) in element.literals.iter().enumerate() {
                if !literal.value {
                    continue;
                }
                let mut other = element.clone();
                other.literals[place].value = false;
                other.literals.sort_unstable();
                if known.contains(&other) {
                    other.literals = element.literals.clone();
                    other.literals.remove(place);
                    joined.push(other);
                }
            }
        }
        if joined.is_empty() {
            return;
        }
        // What was joined includes what it was joined from, which goes in the next round.
        elements.extend(joined);
    }
}

/// Whether everything that the second element describes, the first does, too, with the same threads.
fn includes(first: &Element, second: &Element) -> bool {
    first.threads == second.threads
        && (first.atomic.is_none() || first.atomic == second.atomic)
        && first.literals.iter().all(|literal| second.literals.binary_search(literal).is_ok())
}

/// What literals mean, for the solver.
struct Known<'a> {
    program: &'a Program,
    predicates: &'a Predicates,
    budget: &'a Budget,
    terms: Terms,
    solver: BitSolver,
    shared: Store,
    /// The variables of the thread with this place in an element.
    threads: FxHashMap<(TemplateId, usize), Store>,
    truths: FxHashMap<(PredicateId, Of), TermId>,
}

impl<'a> Known<'a> {
    fn new(program: &'a Program, predicates: &'a Predicates, budget: &'a Budget) -> Self {
        let mut terms = Terms::new();
        let shared = Store::fresh(program, Scope::Shared, &mut terms, "");
        Self {
            program,
            predicates,
            budget,
            terms,
            solver: BitSolver::default(),
            shared,
            threads: FxHashMap::default(),
            truths: FxHashMap::default(),
        }
    }

    /// Leaves out literals that others make superfluous, in small elements first.
    fn drop_literals(&mut self, elements: &mut [Element]) {
        elements.sort_unstable_by_key(|it| (it.threads.len(), it.literals.len(), it.clone()));
        for index in 0..elements.len() {
            let context = self.context(elements, index);
            let mut place = 0;
            while place < elements[index].literals.len() {
                let dropped = elements[index].literals[place];
                let mut question = context.clone();
                for literal in &elements[index].literals {
                    let truth = self.truth(*literal);
                    question.push(if *literal == dropped { self.terms.not(truth) } else { truth });
                }
                if self.is_impossible(&question) {
                    elements[index].literals.remove(place);
                } else {
                    place += 1;
                }
            }
        }
    }

    /// Leaves out elements that describe nothing new, large ones first.
    fn drop_elements(&mut self, elements: &mut Vec<Element>) {
        elements.sort_unstable_by_key(|it| Reverse((it.threads.len(), it.literals.len(), it.clone())));
        let mut index = 0;
        while index < elements.len() {
            let mut question = self.context(elements, index);
            question.extend(elements[index].literals.iter().map(|literal| self.truth(*literal)));
            if self.is_impossible(&question) {
                elements.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// That elements, but for the one that it is about, do not describe a state and its threads.
    fn context(&mut self, elements: &[Element], about: usize) -> Vec<TermId> {
        let Element { threads, atomic, .. } = &elements[about];
        let mut context = Vec::new();
        for (index, fact) in elements.iter().enumerate() {
            if index != about && (fact.atomic.is_none() || fact.atomic == *atomic) {
                for places in places(&fact.threads, threads) {
                    context.push(self.excludes(fact, &places));
                }
            }
        }
        context
    }

    /// That not all literals of an element hold, if its threads are those with these places.
    fn excludes(&mut self, fact: &Element, places: &[usize]) -> TermId {
        let mut any = self.terms.truth(false);
        for literal in &fact.literals {
            let of = match literal.of {
                Of::State => Of::State,
                Of::Thread(thread) => Of::Thread(places[thread]),
                Of::Pair(active, passive) => Of::Pair(places[active], places[passive]),
            };
            let truth = self.truth(Literal { of, ..*literal });
            let violated = self.terms.not(truth);
            any = self.terms.or(any, violated);
        }
        any
    }

    /// A literal as a formula. One that is about all others has a bit of its own.
    fn truth(&mut self, literal: Literal) -> TermId {
        let key = (literal.predicate, literal.of);
        let truth = match self.truths.get(&key) {
            Some(&truth) => truth,
            None => {
                let truth = self.translate(literal);
                self.truths.insert(key, truth);
                truth
            }
        };
        if literal.value { truth } else { self.terms.not(truth) }
    }

    fn translate(&mut self, literal: Literal) -> TermId {
        let predicate = self.predicates.get(literal.predicate);
        if predicate.passive.is_some() {
            return self.terms.fresh("for all", 1);
        }
        let nobody = Store::default();
        let own = match (literal.of, predicate.active) {
            (Of::Thread(thread), Some(template)) => {
                let (program, terms) = (self.program, &mut self.terms);
                &*self
                    .threads
                    .entry((template, thread))
                    .or_insert_with(|| Store::fresh(program, scope_of(template), terms, ""))
            }
            _ => &nobody,
        };
        View::new(&self.predicates.expressions, &self.shared, own).term(&mut self.terms, predicate.expression)
    }

    fn is_impossible(&mut self, question: &[TermId]) -> bool {
        matches!(self.solver.check(&self.terms, question, self.budget), Outcome::Unsat(_))
    }
}

/// All ways to find the threads of a fact among those of an element.
fn places(fact: &[LocationId], threads: &[LocationId]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &wanted in fact {
        let mut longer = Vec::new();
        for chosen in &all {
            let is_free = |it: &usize| threads[*it] == wanted && !chosen.contains(it);
            for place in (0..threads.len()).filter(is_free) {
                longer.push(chosen.iter().copied().chain([place]).collect());
            }
        }
        all = longer;
    }
    all
}

#[cfg(test)]
mod tests;
