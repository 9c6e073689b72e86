//! An invariant in words: what holds always, at which lines, and which threads exclude each other.
//!
//! An invariant lists what no reachable state is. For people each element is turned round: in these places, one of these
//! conditions holds. Elements that say the same about several places become one sentence.

use super::claim::Claim;
use super::phrase::{Atom, Names, Phrases};
use super::places::{Places, Rank};
use std::collections::{BTreeMap, BTreeSet};
use throng_cfa::flow::{LocationId, Program};
use throng_cfa::invariant::{Count, Element, Invariant, Literal, Of, Predicate, PredicateKind};

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
    sorted.find_always(&places);
    sorted.leave_out_what_follows();
    let mut out: Vec<String> = invariant.counts.iter().map(|count| counts(&places, count)).collect();
    out.extend(sorted.always.iter().map(|claim| format!("always: {claim}")));
    if !sorted.nowhere.is_empty() {
        out.push(format!("no thread comes to {}", places.words(&sorted.nowhere)));
    }
    out.extend(at_places(&places, &sorted.at));
    out.extend(exclusions(&places, &sorted.apart));
    out.extend(pairs(&places, &sorted.pairs));
    out.extend(sorted.others);
    out
}

/// What holds for a thread at each line where something does, by file and line; what always holds is left out.
pub(super) fn by_line(program: &Program, invariant: &Invariant) -> BTreeMap<(String, u32), Vec<String>> {
    let places = Places::new(program);
    let mut sorted = Sorted::default();
    for element in &invariant.elements {
        sorted.add(program, invariant, &places, element);
    }
    sorted.find_always(&places);
    sorted.leave_out_what_follows();
    let mut lines: BTreeMap<(String, u32), Vec<String>> = BTreeMap::new();
    for (claim, place) in &sorted.at {
        for &location in place {
            let position = &program.site(program.location(location).site).position;
            let claims = lines.entry((position.file.clone(), position.line)).or_default();
            let claim = claim.to_string();
            if !claims.contains(&claim) {
                claims.push(claim);
            }
        }
    }
    lines
}

/// What a count is: `#readers` is the number of threads at lines 31..40.
fn counts(places: &Places<'_>, count: &Count) -> String {
    let mut by_weight: BTreeMap<u64, Place> = BTreeMap::new();
    // Nobody comes to an error.
    for &(location, weight) in count.weights.iter().filter(|&&(location, _)| !places.is_error(location)) {
        by_weight.entry(weight).or_default().insert(location);
    }
    let parts = by_weight.iter().map(|(weight, place)| match weight {
        1 => format!("the number of threads at {}", places.words(place)),
        _ => format!("{weight} times the number of threads at {}", places.words(place)),
    });
    format!("`{}` is {}", count.name, parts.collect::<Vec<_>>().join(", plus "))
}

/// Elements by how they are told.
#[derive(Default)]
struct Sorted {
    /// About no thread.
    always: BTreeSet<Claim>,
    /// Where nobody comes.
    nowhere: Place,
    /// What holds for a thread, and where.
    at: BTreeMap<Claim, Place>,
    /// The same, where it is about the state only.
    of_state: BTreeMap<Claim, Place>,
    /// Two places that are not taken at once.
    apart: BTreeSet<(LocationId, LocationId)>,
    /// What holds for two threads: the first place, what holds, and all second places.
    pairs: BTreeMap<(LocationId, Claim), Place>,
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
                let is_of_state =
                    element.atomic.is_none() && element.literals.iter().all(|it| it.of == Of::State);
                let map = if is_of_state { &mut self.of_state } else { &mut self.at };
                map.entry(claim).or_default().insert(location);
            }
            (&[first, second], true) => {
                self.apart.insert((first.min(second), first.max(second)));
            }
            (&[first, second], false) => {
                self.pairs.entry((first, claim)).or_default().insert(second);
            }
            (threads, is_empty) => {
                let who = threads.iter().enumerate().map(|(index, &location)| {
                    format!("{} at {}", name(index), plain(places, &BTreeSet::from([location])))
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

impl Sorted {
    /// What holds of the state wherever the first thread is, holds always.
    fn find_always(&mut self, places: &Places<'_>) {
        for (claim, place) in std::mem::take(&mut self.of_state) {
            if places.is_always(&place) {
                self.always.insert(claim);
            } else {
                self.at.entry(claim).or_default().extend(place);
            }
        }
    }
}

impl Sorted {
    /// Leaves out what follows from what is said anyway: always, or at least at the same places.
    fn leave_out_what_follows(&mut self) {
        let always: Vec<Claim> = self.always.iter().cloned().collect();
        self.always.retain(|claim| !always.iter().any(|other| other != claim && other.implies(claim)));
        self.at.retain(|claim, _| !always.iter().any(|other| other.implies(claim)));
        let at: Vec<(Claim, Place)> =
            self.at.iter().map(|(claim, place)| (claim.clone(), place.clone())).collect();
        self.at.retain(|claim, place| {
            let follows = |(other, wider): &(Claim, Place)| {
                let is_twin = claim.implies(other) && place == wider;
                other != claim
                    && place.is_subset(wider)
                    && other.implies(claim)
                    && (!is_twin || other < claim)
            };
            !at.iter().any(follows)
        });
    }
}

fn name(index: usize) -> String {
    THREADS.get(index).map_or_else(|| format!("T{index}"), |name| (*name).to_owned())
}

/// What holds instead of an element: one of its literals does not.
fn claim(program: &Program, invariant: &Invariant, element: &Element) -> Claim {
    let mut claim = Claim::default();
    match element.atomic {
        Some(true) => claim.add_words("nobody is in an atomic section".to_owned()),
        Some(false) => claim.add_words("somebody is in an atomic section".to_owned()),
        None => {}
    }
    let several = element.threads.len() > 1;
    for literal in &element.literals {
        match opposite(program, invariant, *literal, several) {
            Ok(atoms) => atoms.into_iter().for_each(|atom| claim.add(atom)),
            Err(words) => claim.add_words(words),
        }
    }
    claim
}

/// What holds if a literal does not: one of these atoms, or something in words.
fn opposite(
    program: &Program,
    invariant: &Invariant,
    literal: Literal,
    several: bool,
) -> Result<Vec<Atom>, String> {
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
    let noun = match (is_pair, predicate.kind()) {
        (false, PredicateKind::Universal) => "thread",
        (false, PredicateKind::InterThread) => "other thread",
        _ => return Ok(phrases.alternatives(predicate.expression, !value)),
    };
    let text = phrases.condition(predicate.expression, !value);
    Err(quantified(program, predicate, &text, value, noun))
}

/// What holds for all (other) threads, or for one of them.
fn quantified(program: &Program, predicate: &Predicate, text: &str, value: bool, noun: &str) -> String {
    let scope = predicate.passive.as_ref().map(|party| {
        let places = Places::new(program);
        // Nobody is at an error: that is what the invariant is for.
        let scope: Place = party.scope.iter().copied().filter(|&at| !places.is_error(at)).collect();
        in_scope(&places.words(&scope))
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
fn at_places(places: &Places<'_>, at: &BTreeMap<Claim, Place>) -> Vec<String> {
    let mut by_place: BTreeMap<&Place, Vec<String>> = BTreeMap::new();
    for (claim, place) in at {
        by_place.entry(place).or_default().push(claim.to_string());
    }
    let mut sorted: Vec<(&Place, Vec<String>)> = by_place.into_iter().collect();
    sorted.sort_by_key(|(place, _)| first_rank(places, place));
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

/// Where a set of places begins, for sorting.
fn first_rank(places: &Places<'_>, place: &Place) -> Option<Rank> {
    place.iter().map(|&id| places.rank(id)).min()
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
    let mut groups: Vec<(Place, Place)> = groups.into_iter().collect();
    groups.sort_by_key(|(others, group)| std::cmp::Reverse(others.len() * group.len()));
    let mut sorted: Vec<(Place, Place)> = Vec::new();
    for (others, group) in groups {
        // Each pair of groups appears twice, and a larger pair says what its parts would.
        let is_known = sorted.iter().any(|(one, two)| {
            (others.is_subset(one) && group.is_subset(two)) || (group.is_subset(one) && others.is_subset(two))
        });
        if !is_known {
            let is_later = first_rank(places, &group) > first_rank(places, &others);
            sorted.push(if is_later { (others, group) } else { (group, others) });
        }
    }
    sorted.sort_by_key(|(group, _)| first_rank(places, group));
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
fn pairs(places: &Places<'_>, pairs: &BTreeMap<(LocationId, Claim), Place>) -> Vec<String> {
    let mut merged: BTreeMap<(&Claim, &Place), Place> = BTreeMap::new();
    for ((first, claim), second) in pairs {
        merged.entry((claim, second)).or_default().insert(*first);
    }
    let mut sorted: Vec<_> = merged.into_iter().collect();
    sorted.sort_by_key(|(_, first)| first_rank(places, first));
    let sentence = |((claim, second), first): &((&Claim, &Place), Place)| {
        format!(
            "with a thread A at {} and a thread B at {}: {claim}",
            plain(places, first),
            plain(places, second)
        )
    };
    sorted.iter().map(sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_c_front::lower::{Options, read_text};
    use throng_c_front::preprocess::Preprocessing;
    use throng_cfa::invariant::{PredicateId, Predicates, read_predicates};

    const TEXT: &str = "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
void reach_error(void);
int s, next;
void *worker(void *p) {
    int m = next;
    next = m + 1;
    s = m; s = m;
    if (s != m) reach_error();
    return p;
}
int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
";

    fn program() -> Program {
        match read_text("a.c", TEXT, &Preprocessing::default(), &Options::default()) {
            Ok((program, _)) => program,
            Err(errors) => panic!("{}", errors.iter().map(|error| format!("{error}\n")).collect::<String>()),
        }
    }

    /// The locations of a line, in order.
    fn at(program: &Program, line: u32) -> Vec<LocationId> {
        let is_there = |id: &LocationId| {
            let location = program.location(*id);
            let is_inner = location.kind == throng_cfa::flow::LocationKind::Inner;
            is_inner && program.site(location.site).position.line == line
        };
        LocationId::all(program.locations.len()).filter(is_there).collect()
    }

    fn invariant(program: &Program, predicates: &str, elements: Vec<Element>) -> Invariant {
        let mut list = Predicates::new(program.expressions.clone());
        read_predicates(program, "p.txt", predicates, &mut list).expect("the predicates are right");
        Invariant { counts: Vec::new(), predicates: list, elements }
    }

    fn literal(predicate: usize, of: Of, value: bool) -> Literal {
        Literal { predicate: PredicateId::new(predicate), of, value }
    }

    #[test]
    fn elements_are_turned_round() {
        let program = program();
        let line = |line| at(&program, line)[0];
        let predicates = "0 <= s\nworker: m < next\nworker: m != m$\nall worker: m < next\n";
        let single = |location, literals| Element { threads: vec![location], literals, ..Element::default() };
        let invariant = invariant(
            &program,
            predicates,
            vec![
                Element { literals: vec![literal(0, Of::State, false)], ..Element::default() },
                single(line(8), vec![literal(1, Of::Thread(0), false)]),
                single(line(8), vec![literal(2, Of::Thread(0), false)]),
                single(line(8), vec![literal(0, Of::State, true), literal(3, Of::State, true)]),
                Element {
                    threads: vec![line(8), line(7)],
                    literals: vec![literal(2, Of::Pair(0, 1), false)],
                    ..Element::default()
                },
            ],
        );
        let sentences = sentences(&program, &invariant);
        assert_eq!(sentences[0], "always: 0 <= s");
        assert!(sentences[1].starts_with("at line 8"), "{sentences:#?}");
        assert!(sentences[1].contains("m < next"), "{sentences:#?}");
        assert!(sentences[1].contains(": m != other.m"), "{sentences:#?}");
        assert!(sentences[1].contains("for every other thread"), "{sentences:#?}");
        assert!(sentences[1].contains("s < 0 or for some thread"), "{sentences:#?}");
        assert!(sentences[1].contains(": next <= each.m"), "{sentences:#?}");
        let last = sentences.last().expect("there are sentences");
        assert!(last.starts_with("with a thread A at line 8") && last.ends_with(": A.m != B.m"), "{last}");
    }

    #[test]
    fn places_that_exclude_each_other_are_told_together() {
        let program = program();
        let critical: Vec<LocationId> = (7..=9).flat_map(|line| at(&program, line)).collect();
        let mut elements = Vec::new();
        for (index, &first) in critical.iter().enumerate() {
            for &second in &critical[index..] {
                elements.push(Element { threads: vec![first, second], ..Element::default() });
            }
        }
        let both = invariant(&program, "", elements);
        assert_eq!(sentences(&program, &both), ["never two threads at lines 7..9"]);
        let (one, other) = (at(&program, 7), at(&program, 9));
        let elements = one.iter().flat_map(|&first| {
            other.iter().map(move |&second| Element { threads: vec![second, first], ..Element::default() })
        });
        let apart = invariant(&program, "", elements.collect());
        assert_eq!(sentences(&program, &apart), ["never a thread at line 7 and another at line 9"]);
        // What a sentence says, no second one says again.
        let middle = at(&program, 8);
        let elements = critical.iter().flat_map(|&first| {
            middle.iter().map(move |&second| Element { threads: vec![first, second], ..Element::default() })
        });
        let middle = invariant(&program, "", elements.collect());
        assert_eq!(sentences(&program, &middle), ["never a thread at lines 7..9 and another at line 8"]);
    }

    #[test]
    fn what_holds_wherever_the_first_thread_is_holds_always() {
        let program = program();
        let ends = program.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        let of_main: BTreeSet<LocationId> =
            ends.filter(|&it| program.location(it).template == program.main).collect();
        let element = |at: &LocationId| Element {
            threads: vec![*at],
            literals: vec![literal(0, Of::State, false)],
            ..Element::default()
        };
        let all = invariant(&program, "0 <= s\n", of_main.iter().map(element).collect());
        assert_eq!(sentences(&program, &all), ["always: 0 <= s"]);
        let elsewhere = invariant(&program, "0 <= s\n", at(&program, 7).iter().map(element).collect());
        assert_eq!(sentences(&program, &elsewhere), ["at line 7: 0 <= s"]);
    }

    #[test]
    fn a_step_of_a_line_has_a_number_and_nobody_may_come_to_a_place() {
        let program = program();
        let lines = at(&program, 8);
        assert!(lines.len() > 1, "there are two statements");
        let nowhere =
            invariant(&program, "", vec![Element { threads: vec![lines[1]], ..Element::default() }]);
        assert_eq!(sentences(&program, &nowhere), ["no thread comes to line 8.2"]);
        // Errors are what it is all about.
        let error = LocationId::all(program.locations.len())
            .find(|&id| matches!(program.location(id).kind, throng_cfa::flow::LocationKind::Error(_)))
            .expect("there is an error");
        let claim = invariant(&program, "", vec![Element { threads: vec![error], ..Element::default() }]);
        assert!(sentences(&program, &claim).is_empty());
    }
}
