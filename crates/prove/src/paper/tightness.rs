//! Eq. 40 and Table 4: one predicate for which fewer than 4·1 + 2 threads are not enough; and Theorem 13.
//!
//! The thesis has `m` from 1 to 7. Here it has three bits: a thread with 0 violates nothing, and neither does one with 6 as long as nobody has 2,
//! so the transitions are the same. The thesis says that there are two; those of its table are two of 16, the last one and one that four
//! threads show.
//!
//! Theorem 13 says that R̃_n = R̃_b for all n ≥ b. What its proof shows is that R̃_n is in the union of R̃_2 … R̃_b: with more threads than
//! a variable has values, there are fewer transitions again (the last test). [`Others::Any`] is that union.

use super::oracle::{Concrete, Condition};
use super::{Example, THREAD, Transition, letters, set, threads};
use crate::scene::Others;
use std::collections::BTreeSet;
use throng_cfa::flow::{BinaryOperator, ExpressionId, Scope, VariableId};

/// (whether s, m, m_P) that must not be together: the clauses of eq. 40.
const CLAUSES: [(bool, u32, u32); 4] = [(true, 7, 5), (true, 2, 6), (false, 1, 3), (false, 2, 4)];

fn example() -> Example {
    let mut it = Example::new(1);
    let (s, m) = (it.variable("s", Scope::Shared, 1), it.variable("m", Scope::Local(THREAD), 3));
    let shared = it.get(s);
    let not_shared = it.expressions().not(shared);
    let clauses = CLAUSES.map(|(is_set, mine, theirs)| {
        let escape = if is_set { not_shared } else { shared };
        let (a, b) = (it.get(m), it.passive(m));
        let mine = is_not(&mut it, m, a, mine);
        let theirs = is_not(&mut it, m, b, theirs);
        let either = it.expressions().or(mine, theirs);
        it.expressions().or(escape, either)
    });
    let predicate = it.expressions().all(clauses);
    it.predicate(predicate, true);
    let (mine, one, seven) = (it.get(m), it.constant(m, 1), it.constant(m, 7));
    let is_one = it.binary(BinaryOperator::Equal, mine, one);
    let guard = it.expressions().and(not_shared, is_one);
    let yes = it.expressions().truth(true);
    it.edge(0, 0, guard, &[(s, yes), (m, seven)]);
    it.finish()
}

fn is_not(it: &mut Example, variable: VariableId, value: ExpressionId, number: u32) -> ExpressionId {
    let number = it.constant(variable, u128::from(number));
    it.differ(value, number)
}

fn concrete(n: usize) -> BTreeSet<Transition> {
    let conditions = [Condition::Inter(|[s, _], m, other| !CLAUSES.contains(&(s == 1, m, other)))];
    let step = |[s, x]: [u32; 2], m: u32| (s == 0 && m == 1).then_some(([1, x], 7));
    Concrete { values: 8, shared: vec![[0, 0], [1, 0]], step: &step, conditions: &conditions }.transitions(n)
}

/// Table 4: the first transition needs six threads, the second four.
#[test]
fn table_4_needs_six_threads() {
    let example = example();
    let mut counts = Vec::new();
    for n in 2..=7 {
        let found = letters(&example.transitions(0, threads(n)));
        assert_eq!(found, letters(&concrete(n)), "{n} threads");
        assert_eq!(found.contains("FFFF"), n >= 6, "{n} threads");
        assert_eq!(found.contains("FFFT"), n >= 4, "{n} threads");
        counts.push(found.len());
    }
    assert_eq!(counts, [3, 8, 13, 15, 16, 16]);
}

#[test]
fn six_threads_are_as_good_as_any_number() {
    let example = example();
    assert_eq!(example.transitions(0, Others::Any), example.transitions(0, threads(6)));
    assert_ne!(example.transitions(0, Others::Any), example.transitions(0, threads(5)));
}

/// `m := m` of a bit with `m != m_P`: two threads can differ from all others, three cannot.
#[test]
fn theorem_13_is_about_all_numbers_up_to_the_bound() {
    let mut it = Example::new(1);
    let m = it.variable("m", Scope::Local(THREAD), 1);
    let (mine, theirs) = (it.get(m), it.passive(m));
    let (differ, truth) = (it.differ(mine, theirs), it.expressions().truth(true));
    it.predicate(differ, true);
    it.edge(0, 0, truth, &[(m, mine)]);
    let it = it.finish();
    assert!(letters(&it.transitions(0, threads(2))).contains("TTTT"));
    assert_eq!(letters(&it.transitions(0, threads(6))), set(&["FFFF", "FTFT", "TFTF"]));
    let union: BTreeSet<Transition> = (2..=6).flat_map(|n| it.transitions(0, threads(n))).collect();
    assert_eq!(it.transitions(0, Others::Any), union);
}
