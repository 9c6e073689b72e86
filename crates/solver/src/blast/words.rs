//! Circuits over vectors of literals, the lowest bit first.
//!
//! Sums ripple, since unit propagation does not care about depth; products are shifted sums, of a constant
//! factor by its non-adjacent form; quotients and remainders come from the school method, subtracting the
//! divisor where it fits. That circuit is larger than guessing q and r with q·d + r = n, but known inputs
//! determine all its gates by unit propagation, and division by zero comes out as SMT-LIB has it.

use super::gates::Gates;
use crate::sat::Lit;

pub(super) fn constant(gates: &Gates, value: u128, width: usize) -> Vec<Lit> {
    (0..width).map(|i| gates.constant(value >> i & 1 == 1)).collect()
}

/// a + b + carry, modulo.
pub(super) fn add(gates: &mut Gates, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
    let mut sum = Vec::with_capacity(a.len());
    for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
        sum.push(gates.xor3(x, y, carry));
        if i + 1 < a.len() {
            carry = gates.majority(x, y, carry);
        }
    }
    sum
}

/// a − b, modulo.
pub(super) fn sub(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let one = gates.constant(true);
    add(gates, a, &negated(b), one)
}

pub(super) fn negated(a: &[Lit]) -> Vec<Lit> {
    a.iter().map(|&lit| !lit).collect()
}

/// −a if `sign`, and a otherwise.
fn negated_if(gates: &mut Gates, sign: Lit, a: &[Lit]) -> Vec<Lit> {
    let flipped: Vec<Lit> = a.iter().map(|&lit| gates.xor(lit, sign)).collect();
    let zero = constant(gates, 0, a.len());
    add(gates, &flipped, &zero, sign)
}

/// Whether a < b, or a ≤ b if `or_equal`; unsigned.
pub(super) fn less(gates: &mut Gates, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
    let start = gates.constant(or_equal);
    // The highest bit that differs decides; so it comes last.
    a.iter().zip(b).fold(start, |below, (&x, &y)| gates.majority(!x, y, below))
}

/// Whether a < b; signed. The least number becomes 0, so the order is the unsigned one.
pub(super) fn signed_less(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let flip = |bits: &[Lit]| {
        let mut bits = bits.to_vec();
        if let Some(sign) = bits.last_mut() {
            *sign = !*sign;
        }
        bits
    };
    less(gates, &flip(a), &flip(b), false)
}

pub(super) fn equal(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let same = a.iter().zip(b).map(|(&x, &y)| !gates.xor(x, y)).collect();
    gates.and_all(same)
}

pub(super) fn mux(gates: &mut Gates, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Vec<Lit> {
    then.iter().zip(otherwise).map(|(&t, &e)| gates.mux(condition, t, e)).collect()
}

/// a · b, modulo.
pub(super) fn mul(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let n_known = |bits: &[Lit]| bits.iter().filter(|&&lit| gates.as_constant(lit).is_some()).count();
    // The factor whose bits choose what is added is the one with more known bits.
    let (a, b) = if n_known(a) > n_known(b) { (b, a) } else { (a, b) };
    let values: Option<Vec<bool>> = b.iter().map(|&lit| gates.as_constant(lit)).collect();
    if let Some(values) = values {
        return mul_by_constant(gates, a, &values);
    }
    let width = a.len();
    let mut product = constant(gates, 0, width);
    for (shift, &digit) in b.iter().enumerate() {
        if gates.as_constant(digit) == Some(false) {
            continue;
        }
        let row: Vec<Lit> = a[..width - shift].iter().map(|&lit| gates.and(lit, digit)).collect();
        let zero = gates.constant(false);
        let sum = add(gates, &product[shift..], &row, zero);
        product.truncate(shift);
        product.extend(sum);
    }
    product
}

/// a · k, modulo. Digits −1, 0 and 1 without neighbours that are both not 0: at most half of them cost an
/// addition.
fn mul_by_constant(gates: &mut Gates, a: &[Lit], bits: &[bool]) -> Vec<Lit> {
    let width = a.len();
    let mut product = constant(gates, 0, width);
    let mut carry = false;
    for shift in 0..width {
        let (bit, next) = (bits[shift], bits.get(shift + 1).copied().unwrap_or(false));
        // bit + carry is 0, 1 or 2; if odd and the next bit is 1, this digit is −1 and carries.
        let is_odd = bit != carry;
        let is_negative = is_odd && next;
        carry = if is_odd { next } else { bit && carry };
        if is_odd {
            let (low, high) = product.split_at(shift);
            let row = &a[..width - shift];
            let zero = gates.constant(false);
            let sum = if is_negative { sub(gates, high, row) } else { add(gates, high, row, zero) };
            product = [low, &sum].concat();
        }
    }
    product
}

/// Unsigned quotient and remainder.
pub(super) fn divide(gates: &mut Gates, n: &[Lit], d: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let width = n.len();
    // small[k]: d has no bits from k on.
    let mut small = vec![gates.constant(true); width + 1];
    for k in (0..width).rev() {
        small[k] = gates.and(small[k + 1], !d[k]);
    }
    let mut quotient = vec![gates.constant(false); width];
    let mut rest: Vec<Lit> = Vec::with_capacity(width);
    for position in (0..width).rev() {
        // What is left after the higher digits, and the next digit of n: as many bits as were looked at.
        rest.insert(0, n[position]);
        let k = rest.len();
        let fits_low = less(gates, &d[..k], &rest, true);
        let fits = gates.and(fits_low, small[k]);
        let difference = sub(gates, &rest, &d[..k]);
        rest = mux(gates, fits, &difference, &rest);
        quotient[position] = fits;
    }
    (quotient, rest)
}

/// Signed quotient: that of the absolute values, negated if the signs differ.
pub(super) fn signed_quotient(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let (a, b) = (negated_if(gates, sign_a, a), negated_if(gates, sign_b, b));
    let (quotient, _) = divide(gates, &a, &b);
    let sign = gates.xor(sign_a, sign_b);
    negated_if(gates, sign, &quotient)
}

/// Signed remainder: that of the absolute values, with the sign of the dividend.
pub(super) fn signed_remainder(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let (a, b) = (negated_if(gates, sign_a, a), negated_if(gates, sign_b, b));
    let (_, rest) = divide(gates, &a, &b);
    negated_if(gates, sign_a, &rest)
}

/// Towards which end bits move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
}

/// A shift by an unsigned amount, with `fill` coming in: one stage for each bit of the amount that is less
/// than the width.
pub(super) fn shift(
    gates: &mut Gates,
    a: &[Lit],
    amount: &[Lit],
    direction: Direction,
    fill: Lit,
) -> Vec<Lit> {
    let width = a.len();
    let mut bits = a.to_vec();
    let mut too_far: Vec<Lit> = Vec::new();
    for (stage, &by) in amount.iter().enumerate() {
        let distance = 1_usize.checked_shl(stage as u32).filter(|&distance| stage < 8 && distance < width);
        let Some(distance) = distance else {
            too_far.push(by);
            continue;
        };
        let shifted: Vec<Lit> = (0..width)
            .map(|i| match direction {
                Direction::Left => i.checked_sub(distance).map_or(fill, |from| bits[from]),
                Direction::Right => bits.get(i + distance).copied().unwrap_or(fill),
            })
            .collect();
        bits = mux(gates, by, &shifted, &bits);
    }
    let too_far = gates.or_all(too_far);
    bits.iter().map(|&lit| gates.mux(too_far, fill, lit)).collect()
}
