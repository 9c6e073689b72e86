//! Tables 2 and 3, eq. 33 and 37, and §3.3.3 about eq. 37: `m := m - 1` of a natural number, with the predicate `m < m_P`.

use super::oracle::{Concrete, Condition};
use super::{Example, THREAD, Transition, letters, set, threads};
use crate::monotone::Sides;
use crate::scene::Bit;
use crate::scene::{Others, Time, Who};
use std::collections::BTreeSet;
use throng_cfa::flow::{BinaryOperator, Scope};
use throng_cfa::invariant::PredicateId;

const LESS: &[Condition] = &[Condition::Inter(|_, m, other| m < other)];

fn decrement(bits: u32) -> Example {
    let mut it = Example::new(1);
    let m = it.variable("m", Scope::Local(THREAD), bits);
    let (mine, theirs, zero, one) = (it.get(m), it.passive(m), it.constant(m, 0), it.constant(m, 1));
    let less = it.binary(BinaryOperator::UnsignedLess, mine, theirs);
    let (guard, value) = (it.differ(mine, zero), it.binary(BinaryOperator::Subtract, mine, one));
    it.predicate(less, true);
    it.edge(0, 0, guard, &[(m, value)]);
    it.finish()
}

fn concrete(n: usize) -> BTreeSet<Transition> {
    let step = |shared, m: u32| m.checked_sub(1).map(|m| (shared, m));
    Concrete { values: 6, shared: vec![[0, 0]], step: &step, conditions: LESS }.transitions(n)
}

/// Eq. 33, and with `three` eq. 37, as a formula.
fn formula(three: bool) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for bits in 0..16_u32 {
        let [b, b_p, b_after, b_p_after] = [0, 1, 2, 3].map(|at| bits >> at & 1 == 1);
        let two = !b && b_p && !b_after || !b_p && b_after && !b_p_after;
        if two || three && !b && !b_p && !b_after && !b_p_after {
            let letter = |bit| if bit { 'T' } else { 'F' };
            all.insert([b, b_p, b_after, b_p_after].map(letter).iter().collect());
        }
    }
    all
}

#[test]
fn table_2_has_four_transitions() {
    let two = letters(&decrement(32).transitions(0, threads(2)));
    assert_eq!(two, set(&["FTFF", "FFTF", "TFTF", "FTFT"]));
    assert_eq!(two, formula(false), "eq. 33");
    assert_eq!(two, letters(&concrete(2)));
}

/// Table 3: the values of the three threads before the step and after it.
#[test]
fn table_3_has_a_transition_that_two_threads_do_not_have() {
    let step = |shared, m: u32| m.checked_sub(1).map(|m| (shared, m));
    let oracle = Concrete { values: 6, shared: vec![[0, 0]], step: &step, conditions: LESS };
    let rows = [([1, 0, 0], "FFF", "FFF"), ([1, 1, 0], "FFT", "FFF"), ([2, 1, 0], "FFT", "FFT")];
    for (before, bits, bits_after) in rows {
        let after = [before[0] - 1, before[1], before[2]];
        let row = |threads: &[u32]| -> String {
            let bits = (0..3).map(|thread| oracle.bits([0, 0], threads, thread));
            bits.map(|bit| if bit == 1 { 'T' } else { 'F' }).collect()
        };
        assert_eq!((row(&before), row(&after)), (bits.to_owned(), bits_after.to_owned()));
    }
    let three = letters(&decrement(32).transitions(0, threads(3)));
    assert_eq!(three, set(&["FTFF", "FFTF", "TFTF", "FTFT", "FFFF"]));
    assert_eq!(three, formula(true), "eq. 37");
    assert_eq!(three, letters(&concrete(3)));
}

/// With words of 4 bits, which are enough for so many threads.
#[test]
fn three_threads_are_enough() {
    let example = decrement(4);
    let three = example.transitions(0, threads(3));
    assert_eq!(three, concrete(3));
    for others in [threads(4), threads(5), threads(6), threads(7), Others::Any] {
        assert_eq!(example.transitions(0, others), three, "{others:?}");
    }
}

/// §3.3.3: eq. 42 is violated for b = b′ = T, since b_P = T cannot be continued. All of the non-monotone fragment is b′ ∧ b_P.
#[test]
fn the_abstraction_is_not_monotone() {
    let relation = decrement(32).relation(0, Others::Any);
    let sides = Sides::of(&relation.bits);
    assert!(!sides.is_monotone(relation.models(), 2));
    assert_eq!(sides.occurring(relation.models()), 2);
    let at = |who, time| {
        let bit = Bit::Value { predicate: PredicateId::new(0), who, time };
        1 << relation.bits.iter().position(|&it| it == bit).expect("it is in the relation")
    };
    let [b, b_after] = [Time::Before, Time::After].map(|time| at(Who::Active, time));
    let b_p: u64 = at(Who::Passive, Time::Before);
    let fragment: BTreeSet<u64> = sides.fragment(relation.models(), &[0, b_p]).into_iter().collect();
    assert_eq!(fragment, BTreeSet::from([b | b_p | b_after, b_p | b_after]));
}
