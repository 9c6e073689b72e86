//! Small changes of invariants of C programs.

use super::Mutations;
use crate::document::{Body, Invariant, InvariantElement, Literal, Predicate};

/// Operators in predicates and what takes their place.
const OPERATORS: [(&str, &str); 12] = [
    (" == ", " != "),
    (" != ", " == "),
    (" <u ", " <=u "),
    (" <=u ", " <u "),
    (" <s ", " <=s "),
    (" <=s ", " <s "),
    (" && ", " || "),
    (" || ", " && "),
    (" + ", " - "),
    (" - ", " + "),
    (" & ", " | "),
    (" | ", " & "),
];

impl Mutations<'_> {
    /// Elements and literals dropped, turned around or about other threads; threads elsewhere, more or fewer; predicates with
    /// other operators, other threads and smaller scopes.
    pub(super) fn of_invariant(&mut self, invariant: &Invariant) {
        for (i, predicate) in invariant.predicates.iter().enumerate() {
            for (label, predicate) in of_predicate(predicate) {
                let mut changed = invariant.clone();
                changed.predicates[i] = predicate;
                self.push(format!("predicate {i}: {label}"), Body::Invariant(changed));
            }
        }
        for (i, element) in invariant.elements.iter().enumerate() {
            let mut dropped = invariant.clone();
            dropped.elements.remove(i);
            self.push(format!("drop element {i}"), Body::Invariant(dropped));
            for (label, element) in of_element(element) {
                let mut changed = invariant.clone();
                changed.elements[i] = element;
                self.push(format!("element {i}: {label}"), Body::Invariant(changed));
            }
        }
    }
}

fn of_predicate(predicate: &Predicate) -> Vec<(String, Predicate)> {
    let mut found = Vec::new();
    for (old, new) in OPERATORS {
        for (at, _) in predicate.text.match_indices(old) {
            let text = format!("{}{new}{}", &predicate.text[..at], &predicate.text[at + old.len()..]);
            found.push((format!("`{text}`"), Predicate { text, ..predicate.clone() }));
        }
    }
    let text = format!("!({})", predicate.text);
    found.push(("negated".to_owned(), Predicate { text, ..predicate.clone() }));
    if predicate.active.is_some() {
        found.push(("no active thread".to_owned(), Predicate { active: None, ..predicate.clone() }));
    }
    if let Some(passive) = &predicate.passive {
        found.push(("no passive threads".to_owned(), Predicate { passive: None, ..predicate.clone() }));
        for (i, location) in passive.scope.iter().enumerate() {
            let mut smaller = passive.clone();
            smaller.scope.remove(i);
            let changed = Predicate { passive: Some(smaller), ..predicate.clone() };
            found.push((format!("not at location {location}"), changed));
        }
    }
    found
}

fn of_element(element: &InvariantElement) -> Vec<(String, InvariantElement)> {
    let mut found = Vec::new();
    let mut change = |label: String, change: &dyn Fn(&mut InvariantElement)| {
        let mut changed = element.clone();
        change(&mut changed);
        if changed != *element {
            found.push((label, changed));
        }
    };
    for atomic in [None, Some(false), Some(true)] {
        change(format!("atomic {atomic:?}"), &|element| element.atomic = atomic);
    }
    for (i, thread) in element.threads.iter().enumerate() {
        for location in thread.location.checked_sub(1).into_iter().chain(thread.location.checked_add(1)) {
            change(format!("thread {i} at location {location}"), &|element| {
                element.threads[i].location = location;
            });
        }
        change(format!("drop thread {i}"), &|element| drop_thread(element, i));
        change(format!("one more thread like {i}"), &|element| element.threads.push(thread.clone()));
    }
    for (i, literal) in element.literals.iter().enumerate() {
        change(format!("drop literal {literal}"), &|element| {
            element.literals.remove(i);
        });
        change(format!("flip literal {literal}"), &|element| element.literals[i].value ^= true);
        let next = literal.predicate.wrapping_add(1);
        change(format!("predicate {next} in {literal}"), &|element| element.literals[i].predicate = next);
        change(format!("threads of {literal} swapped"), &|element| {
            let Literal { thread, passive, .. } = &mut element.literals[i];
            if passive.is_some() {
                std::mem::swap(thread, passive);
            }
        });
        change(format!("{literal} for all others"), &|element| element.literals[i].passive = None);
    }
    found
}

/// Takes a thread out, with all that is said of it.
fn drop_thread(element: &mut InvariantElement, dropped: usize) {
    element.threads.remove(dropped);
    let dropped = u32::try_from(dropped).unwrap_or(u32::MAX);
    element.literals.retain(|literal| ![literal.thread, literal.passive].contains(&Some(dropped)));
    for literal in &mut element.literals {
        for thread in [&mut literal.thread, &mut literal.passive].into_iter().flatten() {
            *thread -= u32::from(*thread > dropped);
        }
    }
}
