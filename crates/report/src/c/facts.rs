//! An invariant in words: what holds always, at which lines, and which threads exclude each other.
//!
//! An invariant lists what no reachable state is. For people each element is turned round: in these places, one of these
//! conditions holds. Elements that say the same about several places become one sentence.

use super::phrase::{Names, Phrases};
use super::places::Places;
use std::collections::{BTreeMap, BTreeSet};
use throng_cprog::flow::{LocationId, Program};
use throng_cprog::invariant::{Element, Invariant, Literal, Of, Predicate, PredicateKind};

/// What threads of an element are called.
const THREADS: [&str; 6] = ["A", "B", "C", "D", "E", "F"];

/// Places of threads that exclude each other, or for which something holds.
type Place = BTreeSet<LocationId>;

/// All sentences of an invariant, in the order of the text.
pub(super) fn sentences(program: &Program, invariant: &Invariant) -> Vec<String> {
    let places = Places::new(program);
    let mut sorted = Sorted::default();
    for element in &invariant.elements {
        sorted.add(program, invariant, &places, element);
    }
    let mut out: Vec<String> = sorted.always.iter().map(|claim| format!("always: {claim}")).collect();
    if !sorted.nowhere.is_empty() {
        out.push(format!("no thread comes to {}", places.words(&sorted.nowhere)));
    }
    out.extend(at_places(&places, &sorted.at));
    out.extend(exclusions(&places, &sorted.apart));
    out.extend(pairs(&places, &sorted.pairs));
    out.extend(sorted.others);
    out
}

/// Elements by how they are told.
#[derive(Default)]
struct Sorted {
    /// About no thread.
    always: BTreeSet<String>,
    /// Where nobody comes.
    nowhere: Place,
    /// What holds for a thread, and where.
    at: BTreeMap<String, Place>,
    /// Two places that are not taken at once.
    apart: BTreeSet<(LocationId, LocationId)>,
    /// What holds for two threads: the first place, what holds, and all second places.
    pairs: BTreeMap<(LocationId, String), Place>,
    /// More threads.
    others: BTreeSet<String>,
}

impl Sorted {
    fn add(&mut self, program: &Program, invariant: &Invariant, places: &Places<'_>, element: &Element) {
        // That no error is reached is what the invariant is for.
        if element.threads.iter().any(|&location| places.is_error(location)) {
            return;
        }
        let claim = claim(program, invariant, element);
        match (&element.threads[..], element.literals.is_empty() && element.atomic.is_none()) {
            ([], _) => {
                self.always.insert(claim);
            }
            (&[location], true) => {
                self.nowhere.insert(location);
            }
            (&[location], false) => {
                self.at.entry(claim).or_default().insert(location);
            }
            (&[first, second], true) => {
                self.apart.insert((first.min(second), first.max(second)));
            }
            (&[first, second], false) => {
                self.pairs.entry((first, claim)).or_default().insert(second);
            }
            (threads, is_empty) => {
                let who = threads.iter().enumerate().map(|(index, &location)| {
                    format!("{} at {}", name(index), places.words(&BTreeSet::from([location])))
                });
                let who = who.collect::<Vec<_>>().join(", ");
                let sentence = if is_empty {
                    format!("never threads {who}")
                } else {
                    format!("with threads {who}: {claim}")
                };
                self.others.insert(sentence);
            }
        }
    }
}

fn name(index: usize) -> String {
    THREADS.get(index).map_or_else(|| format!("T{index}"), |name| (*name).to_owned())
}

/// What holds instead of an element: one of its literals does not.
fn claim(program: &Program, invariant: &Invariant, element: &Element) -> String {
    let mut claims: Vec<String> = Vec::new();
    match element.atomic {
        Some(true) => claims.push("nobody is in an atomic section".to_owned()),
        Some(false) => claims.push("somebody is in an atomic section".to_owned()),
        None => {}
    }
    let several = element.threads.len() > 1;
    claims.extend(element.literals.iter().map(|literal| opposite(program, invariant, *literal, several)));
    if claims.is_empty() { "false".to_owned() } else { claims.join(" or ") }
}

/// What holds if a literal does not.
fn opposite(program: &Program, invariant: &Invariant, literal: Literal, several: bool) -> String {
    let Literal { predicate, of, value } = literal;
    let predicate = invariant.predicates.get(predicate);
    let thread = |index: usize| if several { name(index) } else { String::new() };
    let (active, passive) = match of {
        Of::State => (String::new(), "each".to_owned()),
        Of::Thread(active) => (thread(active), "other".to_owned()),
        Of::Pair(active, passive) => (name(active), name(passive)),
    };
    let names = Names { active: &active, passive: &passive };
    let phrases = Phrases { program, expressions: &invariant.predicates.expressions, names };
    let is_pair = matches!(of, Of::Pair(..));
    let text = phrases.condition(predicate.expression, !value);
    match (is_pair, predicate.kind()) {
        (false, PredicateKind::Universal) => quantified(program, predicate, &text, value, "thread"),
        (false, PredicateKind::InterThread) => quantified(program, predicate, &text, value, "other thread"),
        _ => text,
    }
}

/// What holds for all (other) threads, or for one of them.
fn quantified(program: &Program, predicate: &Predicate, text: &str, value: bool, noun: &str) -> String {
    let scope = predicate.passive.as_ref().map(|party| {
        let scope: Place = party.scope.iter().copied().collect();
        in_scope(&Places::new(program).words(&scope))
    });
    // A literal says "for all": that one is false is what does not happen, so "for all" is what does.
    let quantifier = if value { "for some" } else { "for every" };
    format!("{quantifier} {noun}{}: {text}", scope.unwrap_or_default())
}

/// ` at line 33`; a whole function needs no preposition.
fn in_scope(words: &str) -> String {
    match words.strip_prefix("everywhere in ") {
        Some(function) if !function.contains(' ') => format!(" in {function}"),
        _ => format!(" at {words}"),
    }
}

/// What holds at places: all that holds at the same ones together.
fn at_places(places: &Places<'_>, at: &BTreeMap<String, Place>) -> Vec<String> {
    let mut by_place: BTreeMap<&Place, Vec<&str>> = BTreeMap::new();
    for (claim, place) in at {
        by_place.entry(place).or_default().push(claim);
    }
    let mut sorted: Vec<(&Place, Vec<&str>)> = by_place.into_iter().collect();
    sorted.sort_by_key(|(place, _)| place.iter().map(|&id| places.rank(id)).min());
    sorted
        .iter()
        .map(|(place, claims)| format!("{}: {}", at_words(places, place), claims.join("; ")))
        .collect()
}

/// `at line 33`, `everywhere in worker`.
fn at_words(places: &Places<'_>, place: &Place) -> String {
    let words = places.words(place);
    if words.starts_with("everywhere") { words } else { format!("at {words}") }
}

/// Which places exclude each other: those that exclude the same ones together.
fn exclusions(places: &Places<'_>, apart: &BTreeSet<(LocationId, LocationId)>) -> Vec<String> {
    let mut partners: BTreeMap<LocationId, Place> = BTreeMap::new();
    for &(first, second) in apart {
        partners.entry(first).or_default().insert(second);
        partners.entry(second).or_default().insert(first);
    }
    let mut groups: BTreeMap<Place, Place> = BTreeMap::new();
    for (location, others) in partners {
        groups.entry(others).or_default().insert(location);
    }
    let mut sorted: Vec<(Place, Place)> = Vec::new();
    for (others, group) in groups {
        // Each pair of groups appears twice.
        let is_known = sorted.iter().any(|(first, second)| *first == others && *second == group);
        if !is_known {
            sorted.push((group, others));
        }
    }
    sorted.sort_by_key(|(group, _)| group.iter().map(|&id| places.rank(id)).min());
    let sentence = |(group, others): &(Place, Place)| {
        if group == others {
            format!("never two threads at {}", plain(places, group))
        } else {
            format!("never a thread at {} and another at {}", plain(places, group), plain(places, others))
        }
    };
    sorted.iter().map(sentence).collect()
}

/// A set of places after `at`.
fn plain(places: &Places<'_>, place: &Place) -> String {
    let words = places.words(place);
    words.replace("everywhere in ", "all lines of ")
}

/// What holds for two threads, by places.
fn pairs(places: &Places<'_>, pairs: &BTreeMap<(LocationId, String), Place>) -> Vec<String> {
    let mut merged: BTreeMap<(&str, &Place), Place> = BTreeMap::new();
    for ((first, claim), second) in pairs {
        merged.entry((claim, second)).or_default().insert(*first);
    }
    let mut sorted: Vec<_> = merged.into_iter().collect();
    sorted.sort_by_key(|(_, first)| first.iter().map(|&id| places.rank(id)).min());
    let sentence = |((claim, second), first): &((&str, &Place), Place)| {
        format!(
            "with a thread A at {} and a thread B at {}: {claim}",
            plain(places, first),
            plain(places, second)
        )
    };
    sorted.iter().map(sentence).collect()
}
