//! The ticket lock (Figure 5) with the predicates of eq. 27–29: `m != m_P`, `t > max(m, m_P)`, `s == m`.
//!
//! The thesis counts transitions with the place of the passive thread, of which there are three: 147, 429 and 552 for 2, 3 and 4 threads. Its
//! numbers are naturals. Here they are words of 32 bits: with guards against overflow of `t` and `s` they are naturals as far as a
//! step of few threads can tell, and the guard of `s` makes no difference.
//!
//! Figure 10: 13 states of two threads, where (as in Figure 31) a thread that has unlocked is in one last local state, without predicates.

use super::oracle::{Concrete, Condition, Shared};
use super::{Example, THREAD, Transition, threads};
use crate::scene::Others;
use std::collections::BTreeSet;
use throng_cfa::flow::{BinaryOperator, Scope, mask};

/// The places of a thread; edge i goes from place i to the next.
const L1: usize = 0;
const L2: usize = 1;
const L3: usize = 2;
const END: usize = 3;
const EDGES: [usize; 3] = [L1, L2, L3];

/// Which numbers do not overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    Natural,
    /// `assume(t != -1)`.
    OnlyTickets,
    Wrapping,
}

fn ticket_lock(numbers: Numbers, bits: u32) -> Example {
    let mut it = Example::new(4);
    let (s, t) = (it.variable("s", Scope::Shared, bits), it.variable("t", Scope::Shared, bits));
    let m = it.variable("m", Scope::Local(THREAD), bits);
    let [serving, next, mine] = [s, t, m].map(|variable| it.get(variable));
    let theirs = it.passive(m);
    let unique = it.differ(mine, theirs);
    let below = [mine, theirs].map(|ticket| it.binary(BinaryOperator::UnsignedLess, ticket, next));
    let below = it.expressions().all(below);
    let is_served = it.binary(BinaryOperator::Equal, serving, mine);
    it.predicate(unique, true);
    it.predicate(below, true);
    it.predicate(is_served, false);
    let (one, last) = (it.constant(m, 1), it.constant(m, mask(bits)));
    let truth = it.expressions().truth(true);
    let [serving_more, next_more] = [serving, next].map(|value| it.binary(BinaryOperator::Add, value, one));
    let [serving_fits, next_fits] = [serving, next].map(|value| it.differ(value, last));
    let take = if numbers == Numbers::Wrapping { truth } else { next_fits };
    let unlock = if numbers == Numbers::Natural { serving_fits } else { truth };
    it.edge(L1, L2, take, &[(m, next), (t, next_more)]);
    it.edge(L2, L3, is_served, &[]);
    it.edge(L3, END, unlock, &[(s, serving_more)]);
    it.finish()
}

const CONDITIONS: &[Condition] = &[
    Condition::Inter(|_, m, other| m != other),
    Condition::Inter(|[_, t], m, other| t > m.max(other)),
    Condition::Single(|[s, _], m| s == m),
];

/// The step from a place, with numbers below `n`.
fn step(numbers: Numbers, place: usize, n: u32) -> impl Fn(Shared, u32) -> Option<(Shared, u32)> {
    move |[s, t], m| {
        let more = |value: u32, wraps: bool| match value + 1 {
            next if next < n => Some(next),
            _ => wraps.then_some(0),
        };
        match place {
            L1 => Some(([s, more(t, numbers == Numbers::Wrapping)?], t)),
            L2 => (s == m).then_some(([s, t], m)),
            _ => Some(([more(s, numbers != Numbers::Natural)?, t], m)),
        }
    }
}

/// Eq. 34 with numbers below 6.
fn concrete(numbers: Numbers, place: usize, n: usize) -> BTreeSet<Transition> {
    let shared = (0..6).flat_map(|s| (0..6).map(move |t| [s, t])).collect();
    Concrete { values: 6, shared, step: &step(numbers, place, 6), conditions: CONDITIONS }.transitions(n)
}

/// The transitions of all edges for n threads, with those of the oracle.
fn counts(numbers: Numbers, n: usize) -> [usize; 3] {
    let example = ticket_lock(numbers, 32);
    EDGES.map(|edge| {
        let transitions = example.transitions(edge, threads(n));
        assert_eq!(transitions, concrete(numbers, edge, n), "{n} threads, edge {edge}");
        transitions.len()
    })
}

/// With the place of the passive thread.
fn with_places(counts: [usize; 3]) -> usize {
    3 * counts.iter().sum::<usize>()
}

#[test]
fn naturals_have_the_transitions_of_the_thesis() {
    let found = [2, 3, 4].map(|n| counts(Numbers::Natural, n));
    assert_eq!(found, [[25, 4, 20], [87, 8, 48], [114, 10, 60]]);
    assert_eq!(found.map(with_places), [147, 429, 552]);
}

#[test]
fn words_without_overflow_of_tickets_are_naturals() {
    assert_eq!([2, 3, 4].map(|n| with_places(counts(Numbers::OnlyTickets, n))), [147, 429, 552]);
}

#[test]
fn wrapping_tickets_have_more_transitions() {
    assert_eq!(with_places(counts(Numbers::Wrapping, 4)), 612);
}

/// The lock saturates at 4 threads, where Theorem 13 promises 4·2 + 2. With words of 5 bits, which are enough for so many tickets.
#[test]
fn four_threads_are_as_good_as_any_number() {
    for numbers in [Numbers::Natural, Numbers::Wrapping] {
        let example = ticket_lock(numbers, 5);
        for edge in EDGES {
            let four = example.transitions(edge, threads(4));
            assert_eq!(four, concrete(numbers, edge, 4));
            assert_ne!(four, example.transitions(edge, threads(3)));
            for others in [threads(5), threads(10), Others::Any] {
                assert_eq!(example.transitions(edge, others), four, "{numbers:?}, edge {edge}, {others:?}");
            }
        }
    }
}

/// The same for words of 32 bits, as programs have them.
#[test]
fn any_number_of_threads_has_the_transitions_of_four() {
    let example = ticket_lock(Numbers::OnlyTickets, 32);
    let found = EDGES.map(|edge| example.transitions(edge, Others::Any).len());
    assert_eq!(with_places(found), 552);
}

/// A thread: where it is and its predicates, if it has not ended.
type Local = (usize, Option<u8>);

/// What two threads can become when the first one acts.
fn successors(transitions: &[BTreeSet<Transition>], [active, passive]: [Local; 2]) -> Vec<[Local; 2]> {
    let Some(of_place) = transitions.get(active.0) else { return Vec::new() };
    let agrees = |it: &&Transition| Some(it[0]) == active.1 && passive.1.is_none_or(|bits| bits == it[1]);
    let after = |it: &Transition| {
        let to = active.0 + 1;
        [(to, (to != END).then_some(it[2])), (passive.0, passive.1.map(|_| it[3]))]
    };
    of_place.iter().filter(agrees).map(after).collect()
}

/// Figure 10.
#[test]
fn two_threads_have_thirteen_states() {
    let example = ticket_lock(Numbers::Natural, 32);
    let transitions = EDGES.map(|edge| example.transitions(edge, threads(2)));
    // s = t = 1 and m = 0: the tickets are not unique, smaller than t, and not served.
    let oracle = Concrete {
        values: 2,
        shared: Vec::new(),
        step: &|shared, m| Some((shared, m)),
        conditions: CONDITIONS,
    };
    let start = (L1, Some(oracle.bits([1, 1], &[0, 0], 0)));
    assert_eq!(start, (L1, Some(0b010)));
    let (mut seen, mut open) = (BTreeSet::from([[start; 2]]), vec![[start; 2]]);
    while let Some([a, b]) = open.pop() {
        for pair in [[a, b], [b, a]] {
            for mut next in successors(&transitions, pair) {
                // Modulo symmetry.
                next.sort_unstable();
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
    }
    assert_eq!(seen.len(), 13);
    // The successor of the initial state that the thesis writes out.
    assert!(seen.contains(&[(L1, Some(0b011)), (L2, Some(0b111))]));
    assert!(!seen.iter().any(|[a, b]| a.0 == L3 && b.0 == L3), "mutual exclusion");
}
