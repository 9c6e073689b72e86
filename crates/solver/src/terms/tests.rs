//! What constructors simplify. That simplified terms have the right values is tested in `tests/bits`.

use super::*;

#[test]
fn equal_terms_have_the_same_id() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", 32), terms.variable("y", 32));
    assert_eq!(terms.variable("x", 32), x);
    assert_eq!(terms.add(x, y), terms.add(y, x));
    assert_ne!(terms.sub(x, y), terms.sub(y, x));
    assert_ne!(terms.constant(5, 8), terms.constant(5, 16));
    let (a, b) = (terms.fresh("t", 8), terms.fresh("t", 8));
    assert_ne!(a, b);
}

#[test]
fn neutral_and_absorbing_elements_go() {
    let mut terms = Terms::new();
    let x = terms.variable("x", 32);
    let [zero, one, ones] = [0, 1, u128::MAX].map(|value| terms.constant(value, 32));
    for same in [
        terms.add(x, zero),
        terms.sub(x, zero),
        terms.mul(x, one),
        terms.udiv(x, one),
        terms.sdiv(x, one),
        terms.and(x, ones),
        terms.or(x, zero),
        terms.xor(x, zero),
        terms.shl(x, zero),
        terms.lshr(x, zero),
        terms.ashr(x, zero),
        terms.and(x, x),
        terms.urem(x, zero),
    ] {
        assert_eq!(same, x);
    }
    for nothing in
        [terms.sub(x, x), terms.mul(x, zero), terms.and(x, zero), terms.xor(x, x), terms.urem(x, one)]
    {
        assert_eq!(nothing, zero);
    }
    let negated = terms.neg(x);
    assert_eq!(terms.add(x, negated), zero);
    assert_eq!(terms.neg(negated), x);
    assert_eq!(terms.mul(x, ones), negated);
}

#[test]
fn truth_values_of_c_become_the_conditions_they_are() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", 32), terms.variable("y", 32));
    let condition = terms.slt(x, y);
    let as_int = terms.zext(condition, 32);
    assert_eq!(terms.is_nonzero(as_int), condition);
    let [zero, one] = [0, 1].map(|value| terms.constant(value, 32));
    let chosen = terms.ite(condition, one, zero);
    assert_eq!(terms.is_nonzero(chosen), condition);
    let opposite = terms.not(condition);
    assert_eq!(terms.eq(chosen, zero), opposite);
    assert_eq!(terms.ite(opposite, zero, one), chosen);
}

#[test]
fn conversions_there_and_back_go() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", 8), terms.variable("y", 8));
    let (wide_x, wide_y) = (terms.sext(x, 32), terms.sext(y, 32));
    assert_eq!(terms.extract(wide_x, 7, 0), x);
    let wide_sum = terms.add(wide_x, wide_y);
    let sum = terms.add(x, y);
    assert_eq!(terms.extract(wide_sum, 7, 0), sum);
    assert_eq!(terms.eq(wide_x, wide_y), terms.eq(x, y));
    assert_eq!(terms.slt(wide_x, wide_y), terms.slt(x, y));
    let large = terms.constant(300, 32);
    let equal = terms.eq(wide_x, large);
    assert!(terms.is_false(equal));
    let quotient = terms.udiv(wide_x, wide_y);
    let (high, low) = (terms.extract(quotient, 31, 9), terms.extract(quotient, 8, 0));
    assert_eq!(terms.concat(high, low), quotient);
}

#[test]
#[should_panic(expected = "same width")]
fn widths_have_to_agree() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", 8), terms.variable("y", 16));
    terms.add(x, y);
}

#[test]
#[should_panic(expected = "1 to 128 bits")]
fn vectors_end_at_128_bits() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", 128), terms.variable("y", 1));
    terms.concat(x, y);
}
