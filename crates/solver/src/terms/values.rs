//! What the operations mean on values: vectors of up to 128 bits as `u128` with zeros above.
//!
//! This is the definition that everything else is tested against, and it is itself tested against the
//! machine's arithmetic.

use super::Op;

/// The value of this width with all bits 1.
///
/// # Panics
/// If the width is not between 1 and 128.
#[inline]
pub fn ones(width: u32) -> u128 {
    assert!((1..=128).contains(&width), "a vector has 1 to 128 bits, not {width}");
    u128::MAX >> (128 - width)
}

/// The value as a signed number.
#[inline]
pub fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    (value << unused).cast_signed() >> unused
}

/// The signed value of this width with only the sign set: the least.
#[inline]
pub fn least(width: u32) -> u128 {
    1 << (width - 1)
}

/// The value extended by copies of its sign.
#[inline]
pub fn sign_extend(value: u128, from: u32, to: u32) -> u128 {
    signed(value, from).cast_unsigned() & ones(to)
}

/// An operation on values. `width` is that of the operands; for [`Op::Concat`] that of the lower one.
pub fn apply(op: Op, width: u32, a: u128, b: u128) -> u128 {
    let truth = u128::from;
    let value = match op {
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv => signed_quotient(signed(a, width), signed(b, width)).cast_unsigned(),
        Op::SRem => {
            let (a, b) = (signed(a, width), signed(b, width));
            if b == 0 { a.cast_unsigned() } else { a.wrapping_rem(b).cast_unsigned() }
        }
        Op::Shl => {
            if b < u128::from(width) {
                a << b
            } else {
                0
            }
        }
        Op::LShr => {
            if b < u128::from(width) {
                a >> b
            } else {
                0
            }
        }
        Op::AShr => (signed(a, width) >> b.min(u128::from(width) - 1)).cast_unsigned(),
        Op::Eq => return truth(a == b),
        Op::Ult => return truth(a < b),
        Op::Slt => return truth(signed(a, width) < signed(b, width)),
        Op::Concat => return a << width | b,
    };
    value & ones(width)
}

fn signed_quotient(a: i128, b: i128) -> i128 {
    match b {
        0 if a < 0 => 1,
        0 => -1,
        _ => a.wrapping_div(b),
    }
}
