//! Values of expressions: bit-vectors of up to 128 bits as numbers with zeros above their width.

use throng_cfa::flow::{BinaryOperator, UnaryOperator};

/// The ones of a width.
pub(super) fn mask(bits: u32) -> u128 {
    match bits {
        0 => 0,
        1..128 => (1_u128 << bits).wrapping_sub(1),
        _ => u128::MAX,
    }
}

/// The value with its sign copied to all bits above the width.
fn signed(value: u128, bits: u32) -> i128 {
    let unused = 128_u32.saturating_sub(bits);
    (value.wrapping_shl(unused) as i128).wrapping_shr(unused)
}

/// A value in more bits.
pub(super) fn extend(value: u128, from: u32, to: u32, is_signed: bool) -> u128 {
    let wide = if is_signed { signed(value, from) as u128 } else { value };
    wide & mask(to)
}

/// An operator on one value of this width.
pub(super) fn unary(operator: UnaryOperator, value: u128, bits: u32) -> u128 {
    let result = match operator {
        UnaryOperator::Not => !value,
        UnaryOperator::Negate => value.wrapping_neg(),
    };
    result & mask(bits)
}

/// An operator on two values of this width.
pub(super) fn binary(operator: BinaryOperator, a: u128, b: u128, bits: u32) -> u128 {
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let result = match operator {
        BinaryOperator::Add => a.wrapping_add(b),
        BinaryOperator::Subtract => a.wrapping_sub(b),
        BinaryOperator::Multiply => a.wrapping_mul(b),
        BinaryOperator::UnsignedDivide => a.checked_div(b).unwrap_or(u128::MAX),
        BinaryOperator::UnsignedRemainder => a.checked_rem(b).unwrap_or(a),
        BinaryOperator::SignedDivide if b == 0 => {
            if sa < 0 {
                1
            } else {
                u128::MAX
            }
        }
        // The least number divided by -1 wraps around to itself, and nothing remains.
        BinaryOperator::SignedDivide => sa.checked_div(sb).unwrap_or(sa) as u128,
        BinaryOperator::SignedRemainder if b == 0 => a,
        BinaryOperator::SignedRemainder => sa.checked_rem(sb).unwrap_or(0) as u128,
        BinaryOperator::And => a & b,
        BinaryOperator::Or => a | b,
        BinaryOperator::Xor => a ^ b,
        BinaryOperator::ShiftLeft => distance(b, bits).map_or(0, |by| a.wrapping_shl(by)),
        BinaryOperator::ShiftRightLogical => distance(b, bits).map_or(0, |by| a.wrapping_shr(by)),
        BinaryOperator::ShiftRightArithmetic => sa.wrapping_shr(distance(b, bits).unwrap_or(127)) as u128,
        BinaryOperator::Equal => u128::from(a == b),
        BinaryOperator::UnsignedLess => u128::from(a < b),
        BinaryOperator::UnsignedLessOrEqual => u128::from(a <= b),
        BinaryOperator::SignedLess => u128::from(sa < sb),
        BinaryOperator::SignedLessOrEqual => u128::from(sa <= sb),
    };
    if operator.is_comparison() { result } else { result & mask(bits) }
}

/// By how much is shifted, if that is less than the width.
fn distance(by: u128, bits: u32) -> Option<u32> {
    u32::try_from(by).ok().filter(|&by| by < bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinaryOperator as B;

    /// Every operator on every pair of bytes, compared with the machine's.
    #[test]
    fn operators_on_bytes_are_those_of_the_machine() {
        for a in 0..=255_u8 {
            for b in 0..=255_u8 {
                let (sa, sb) = (a as i8, b as i8);
                let expected = [
                    (B::Add, a.wrapping_add(b)),
                    (B::Subtract, a.wrapping_sub(b)),
                    (B::Multiply, a.wrapping_mul(b)),
                    (B::UnsignedDivide, a.checked_div(b).unwrap_or(255)),
                    (B::UnsignedRemainder, a.checked_rem(b).unwrap_or(a)),
                    (
                        B::SignedDivide,
                        if b == 0 { if sa < 0 { 1 } else { 255 } } else { sa.wrapping_div(sb) as u8 },
                    ),
                    (B::SignedRemainder, if b == 0 { a } else { sa.wrapping_rem(sb) as u8 }),
                    (B::And, a & b),
                    (B::Or, a | b),
                    (B::Xor, a ^ b),
                    (B::ShiftLeft, if b < 8 { a << b } else { 0 }),
                    (B::ShiftRightLogical, if b < 8 { a >> b } else { 0 }),
                    (B::ShiftRightArithmetic, (sa >> b.min(7)) as u8),
                    (B::Equal, u8::from(a == b)),
                    (B::UnsignedLess, u8::from(a < b)),
                    (B::UnsignedLessOrEqual, u8::from(a <= b)),
                    (B::SignedLess, u8::from(sa < sb)),
                    (B::SignedLessOrEqual, u8::from(sa <= sb)),
                ];
                for (operator, value) in expected {
                    let found = binary(operator, a.into(), b.into(), 8);
                    assert_eq!(found, value.into(), "{a} {operator:?} {b}");
                }
            }
        }
    }

    #[test]
    fn the_widest_values_have_signs_too() {
        let least = 1_u128 << 127;
        assert_eq!(binary(B::SignedDivide, least, u128::MAX, 128), least);
        assert_eq!(binary(B::SignedLess, least, 0, 128), 1);
        assert_eq!(extend(0x80, 8, 128, true), u128::MAX ^ 0x7f);
        assert_eq!(extend(0x80, 8, 16, false), 0x80);
        assert_eq!(unary(UnaryOperator::Negate, 1, 1), 1);
    }
}
