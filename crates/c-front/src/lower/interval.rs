//! Between which numbers the value of an expression lies, by its operators alone: what settles a condition without any search.
//!
//! Variables and arbitrary values may hold anything of their width. All numbers are unsigned; an interval that a wrapped or
//! signed operation would cut in two is everything.

use rustc_hash::FxHashMap;
use throng_cfa::flow::{self, BinaryOperator as B, Expression, ExpressionId, Expressions, UnaryOperator};

/// The least and the largest value.
type Interval = (u128, u128);

/// How many expressions are looked at for one condition: beyond that, a value is anything.
const LIMIT: usize = 400;

/// Whether a condition of one bit holds whatever its variables hold.
pub(super) fn is_certain(e: &Expressions, condition: ExpressionId) -> bool {
    Intervals { e, known: FxHashMap::default() }.of(condition) == (1, 1)
}

struct Intervals<'e> {
    e: &'e Expressions,
    known: FxHashMap<ExpressionId, Interval>,
}

impl Intervals<'_> {
    fn of(&mut self, id: ExpressionId) -> Interval {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let most = flow::mask(self.e.bits(id));
        if self.known.len() >= LIMIT {
            return (0, most);
        }
        // For the limit: an expression that is being looked at counts.
        self.known.insert(id, (0, most));
        let found = match self.e.get(id) {
            Expression::Constant(value) => (value, value),
            Expression::Unary(UnaryOperator::Not, a) => {
                let (low, high) = self.of(a);
                (most - high, most - low)
            }
            Expression::Binary(operator, a, b) => self.binary(operator, a, b, most),
            Expression::IfThenElse(condition, a, b) => match self.of(condition) {
                (1, _) => self.of(a),
                (_, 0) => self.of(b),
                _ => {
                    let (a, b) = (self.of(a), self.of(b));
                    (a.0.min(b.0), a.1.max(b.1))
                }
            },
            Expression::Extend { operand, is_signed } => self.extend(operand, is_signed, most),
            Expression::Extract { operand, low } => {
                let (from, to) = self.of(operand);
                if to >> low <= most { (from >> low, to >> low) } else { (0, most) }
            }
            _ => (0, most),
        };
        self.known.insert(id, found);
        found
    }

    fn extend(&mut self, operand: ExpressionId, is_signed: bool, most: u128) -> Interval {
        let bits = self.e.bits(operand);
        let (low, high) = self.of(operand);
        if !is_signed || high >> (bits - 1) == 0 {
            return (low, high);
        }
        let above = most - flow::mask(bits);
        if low >> (bits - 1) == 1 { (low + above, high + above) } else { (0, most) }
    }

    fn binary(&mut self, operator: B, left: ExpressionId, right: ExpressionId, most: u128) -> Interval {
        let bits = self.e.bits(left);
        let (a, b) = (self.of(left), self.of(right));
        let is_positive = |x: Interval| x.1 >> (bits - 1) == 0;
        let everything = (0, most);
        let within = |low: Option<u128>, high: Option<u128>| match (low, high) {
            (Some(low), Some(high)) if high <= most => (low, high),
            _ => everything,
        };
        match operator {
            B::Add => within(a.0.checked_add(b.0), a.1.checked_add(b.1)),
            B::Subtract => within(a.0.checked_sub(b.1), a.1.checked_sub(b.0)),
            B::Multiply => within(a.0.checked_mul(b.0), a.1.checked_mul(b.1)),
            B::SignedDivide | B::SignedRemainder if !is_positive(a) || !is_positive(b) => everything,
            B::UnsignedDivide | B::SignedDivide if b.0 > 0 => (a.0 / b.1, a.1 / b.0),
            B::UnsignedRemainder | B::SignedRemainder if b.0 > 0 => (0, a.1.min(b.1 - 1)),
            B::And => (0, a.1.min(b.1)),
            B::Or => (a.0.max(b.0), all_ones(a.1 | b.1)),
            B::Xor => (0, all_ones(a.1 | b.1)),
            B::ShiftRightLogical if b.0 == b.1 && b.0 < u128::from(bits) => (a.0 >> b.0, a.1 >> b.0),
            B::ShiftRightLogical => (0, a.1),
            B::ShiftRightArithmetic if is_positive(a) => (0, a.1),
            B::ShiftLeft if b.0 == b.1 && b.0 < u128::from(bits) && a.1 <= most >> b.0 => {
                (a.0 << b.0, a.1 << b.0)
            }
            B::Equal if a.1 < b.0 || b.1 < a.0 => (0, 0),
            B::Equal if a.0 == a.1 && a == b => (1, 1),
            B::UnsignedLess => compare(a.1 < b.0, a.0 >= b.1),
            B::UnsignedLessOrEqual => compare(a.1 <= b.0, a.0 > b.1),
            B::SignedLess | B::SignedLessOrEqual => {
                let (Some(a), Some(b)) = (signed(a, bits), signed(b, bits)) else { return everything };
                match operator {
                    B::SignedLess => compare(a.1 < b.0, a.0 >= b.1),
                    _ => compare(a.1 <= b.0, a.0 > b.1),
                }
            }
            _ => everything,
        }
    }
}

/// A truth value by whether it is always and whether it is never.
fn compare(always: bool, never: bool) -> Interval {
    (u128::from(always), u128::from(!never))
}

/// The interval moved so that signed order is unsigned order; `None` if it has numbers of both signs.
fn signed((low, high): Interval, bits: u32) -> Option<Interval> {
    let sign = 1 << (bits - 1);
    (low >> (bits - 1) == high >> (bits - 1)).then_some((low ^ sign, high ^ sign))
}

/// The least number of ones that is not smaller.
fn all_ones(value: u128) -> u128 {
    match value.leading_zeros() {
        128 => 0,
        zeros => u128::MAX >> zeros,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_cfa::flow::{NondetId, apply};

    fn arbitrary(e: &mut Expressions, number: usize, bits: u32) -> ExpressionId {
        e.insert(Expression::Nondet(NondetId::new(number)), bits)
    }

    #[test]
    fn masks_remainders_and_narrow_types_bound_an_index() {
        let mut e = Expressions::default();
        let x = arbitrary(&mut e, 0, 32);
        let (three, four) = (e.constant(3, 32), e.constant(4, 32));
        let masked = e.and(x, three);
        let rest = e.binary(B::UnsignedRemainder, x, four);
        let signed_rest = e.binary(B::SignedRemainder, x, four);
        for (index, expected) in [(masked, true), (rest, true), (signed_rest, false), (x, false)] {
            let index = e.resize(index, 64, true);
            let length = e.constant(4, 64);
            let is_inside = e.binary(B::UnsignedLess, index, length);
            assert_eq!(is_certain(&e, is_inside), expected);
        }
        let narrow = arbitrary(&mut e, 1, 8);
        let narrow = e.resize(narrow, 64, false);
        let length = e.constant(256, 64);
        let is_inside = e.binary(B::UnsignedLess, narrow, length);
        assert!(is_certain(&e, is_inside));
    }

    /// All operators on four bits, with operands between all pairs of numbers.
    #[test]
    fn intervals_hold_what_operators_give() {
        let operators = [
            B::Add,
            B::Subtract,
            B::Multiply,
            B::UnsignedDivide,
            B::UnsignedRemainder,
            B::SignedDivide,
            B::SignedRemainder,
            B::And,
            B::Or,
            B::Xor,
            B::ShiftLeft,
            B::ShiftRightLogical,
            B::ShiftRightArithmetic,
            B::Equal,
            B::UnsignedLess,
            B::UnsignedLessOrEqual,
            B::SignedLess,
            B::SignedLessOrEqual,
        ];
        let pairs: Vec<Interval> =
            (0..8).flat_map(|low| (low..8).map(move |high| (2 * low, 2 * high + 1))).collect();
        let mut e = Expressions::default();
        let (left, right) = (arbitrary(&mut e, 0, 4), arbitrary(&mut e, 1, 4));
        for operator in operators {
            let most = if operator.is_comparison() { 1 } else { 15 };
            for &a in &pairs {
                for &b in &pairs {
                    let known = FxHashMap::from_iter([(left, a), (right, b)]);
                    let (low, high) = Intervals { e: &e, known }.binary(operator, left, right, most);
                    for x in a.0..=a.1 {
                        for y in b.0..=b.1 {
                            let value = apply(operator, x, y, 4);
                            assert!((low..=high).contains(&value), "{operator:?} {x} {y}: {value}");
                        }
                    }
                }
            }
        }
    }
}
