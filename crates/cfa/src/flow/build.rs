//! Making expressions: functions that know the widths, fold constants and simplify a little.
//!
//! The simplifications are those that keep graphs readable (`x & true`, `ite(c, a, a)`, shifts for powers of two); they
//! hold for all values, with the meaning of operators that the parent module gives. Whoever needs a normal form makes
//! it.

use super::{BinaryOperator, Expression, ExpressionId, Expressions, NondetId, UnaryOperator, VariableId};
use rustc_hash::FxHashMap;

/// The bits of a value that a width keeps.
pub fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// A value of this width as a signed number.
pub fn signed(value: u128, bits: u32) -> i128 {
    let shift = 128 - bits.min(128);
    ((value << shift) as i128) >> shift
}

/// What an operator on two values of this width gives: the operators' definition.
pub fn apply(operator: BinaryOperator, a: u128, b: u128, bits: u32) -> u128 {
    let (x, y) = (signed(a, bits), signed(b, bits));
    let value = match operator {
        BinaryOperator::Add => a.wrapping_add(b),
        BinaryOperator::Subtract => a.wrapping_sub(b),
        BinaryOperator::Multiply => a.wrapping_mul(b),
        BinaryOperator::UnsignedDivide => a.checked_div(b).unwrap_or(u128::MAX),
        BinaryOperator::UnsignedRemainder => a.checked_rem(b).unwrap_or(a),
        BinaryOperator::SignedDivide if y == 0 => {
            if x < 0 {
                1
            } else {
                u128::MAX
            }
        }
        BinaryOperator::SignedDivide => x.wrapping_div(y) as u128,
        BinaryOperator::SignedRemainder if y == 0 => a,
        BinaryOperator::SignedRemainder => x.wrapping_rem(y) as u128,
        BinaryOperator::And => a & b,
        BinaryOperator::Or => a | b,
        BinaryOperator::Xor => a ^ b,
        BinaryOperator::ShiftLeft if b >= u128::from(bits) => 0,
        BinaryOperator::ShiftLeft => a << b,
        BinaryOperator::ShiftRightLogical if b >= u128::from(bits) => 0,
        BinaryOperator::ShiftRightLogical => a >> b,
        BinaryOperator::ShiftRightArithmetic => (x >> b.min(127)) as u128,
        BinaryOperator::Equal => u128::from(a == b),
        BinaryOperator::UnsignedLess => u128::from(a < b),
        BinaryOperator::UnsignedLessOrEqual => u128::from(a <= b),
        BinaryOperator::SignedLess => u128::from(x < y),
        BinaryOperator::SignedLessOrEqual => u128::from(x <= y),
    };
    value & mask(if operator.is_comparison() { 1 } else { bits })
}

impl Expressions {
    /// A value.
    pub fn constant(&mut self, value: u128, bits: u32) -> ExpressionId {
        self.insert(Expression::Constant(value & mask(bits)), bits)
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> ExpressionId {
        self.constant(u128::from(value), 1)
    }

    /// The value of an expression that is a constant.
    pub fn as_constant(&self, id: ExpressionId) -> Option<u128> {
        match self.get(id) {
            Expression::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// What a variable of length 1 and this width holds.
    pub fn variable(&mut self, variable: VariableId, bits: u32) -> ExpressionId {
        self.insert(Expression::Variable(variable), bits)
    }

    /// What an element of a variable of this width holds.
    pub fn element(&mut self, variable: VariableId, index: ExpressionId, bits: u32) -> ExpressionId {
        self.insert(Expression::Element(variable, index), bits)
    }

    /// An arbitrary value of this width.
    pub fn nondet(&mut self, nondet: NondetId, bits: u32) -> ExpressionId {
        self.insert(Expression::Nondet(nondet), bits)
    }

    /// All bits flipped; negation of a truth value.
    pub fn not(&mut self, a: ExpressionId) -> ExpressionId {
        let bits = self.bits(a);
        match self.get(a) {
            Expression::Constant(value) => self.constant(!value, bits),
            Expression::Unary(UnaryOperator::Not, operand) => operand,
            Expression::Binary(BinaryOperator::SignedLess, x, y) => {
                self.binary(BinaryOperator::SignedLessOrEqual, y, x)
            }
            Expression::Binary(BinaryOperator::SignedLessOrEqual, x, y) => {
                self.binary(BinaryOperator::SignedLess, y, x)
            }
            Expression::Binary(BinaryOperator::UnsignedLess, x, y) => {
                self.binary(BinaryOperator::UnsignedLessOrEqual, y, x)
            }
            Expression::Binary(BinaryOperator::UnsignedLessOrEqual, x, y) => {
                self.binary(BinaryOperator::UnsignedLess, y, x)
            }
            _ => self.insert(Expression::Unary(UnaryOperator::Not, a), bits),
        }
    }

    /// The two's complement.
    pub fn negate(&mut self, a: ExpressionId) -> ExpressionId {
        let bits = self.bits(a);
        match self.get(a) {
            Expression::Constant(value) => self.constant(value.wrapping_neg(), bits),
            Expression::Unary(UnaryOperator::Negate, operand) => operand,
            _ => self.insert(Expression::Unary(UnaryOperator::Negate, a), bits),
        }
    }

    /// Both, on truth values or bits.
    pub fn and(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        self.binary(BinaryOperator::And, a, b)
    }

    /// Either, on truth values or bits.
    pub fn or(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        self.binary(BinaryOperator::Or, a, b)
    }

    /// All of these truth values.
    pub fn all(&mut self, conditions: impl IntoIterator<Item = ExpressionId>) -> ExpressionId {
        let truth = self.truth(true);
        conditions.into_iter().fold(truth, |a, b| self.and(a, b))
    }

    /// Whether two values are equal.
    pub fn equal(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        self.binary(BinaryOperator::Equal, a, b)
    }

    /// Whether a value is not zero.
    pub fn is_nonzero(&mut self, a: ExpressionId) -> ExpressionId {
        let bits = self.bits(a);
        if bits == 1 {
            return a;
        }
        let zero = self.constant(0, bits);
        let equal = self.equal(a, zero);
        self.not(equal)
    }

    /// The sum.
    pub fn add(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        self.binary(BinaryOperator::Add, a, b)
    }

    /// The difference.
    pub fn subtract(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        self.binary(BinaryOperator::Subtract, a, b)
    }

    /// Two operands of the same width.
    pub fn binary(&mut self, operator: BinaryOperator, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b), "operands of {operator:?} have one width");
        let result = if operator.is_comparison() { 1 } else { bits };
        if let (Some(x), Some(y)) = (self.as_constant(a), self.as_constant(b)) {
            return self.constant(apply(operator, x, y, bits), result);
        }
        if let Some(simple) = self.simplified(operator, a, b, bits) {
            return simple;
        }
        self.insert(Expression::Binary(operator, a, b), result)
    }

    /// A shorter way to say it, if there is one; not both operands are constant.
    fn simplified(
        &mut self,
        operator: BinaryOperator,
        a: ExpressionId,
        b: ExpressionId,
        bits: u32,
    ) -> Option<ExpressionId> {
        use BinaryOperator as B;
        let ones = mask(bits);
        let (left, right) = (self.as_constant(a), self.as_constant(b));
        let is_same = a == b;
        match (operator, left, right) {
            // Constants stand on the right.
            (B::Add | B::Multiply | B::And | B::Or | B::Xor | B::Equal, Some(_), None) => {
                Some(self.binary(operator, b, a))
            }
            (B::Add | B::Subtract | B::Or | B::Xor, _, Some(0)) => Some(a),
            (B::ShiftLeft | B::ShiftRightLogical | B::ShiftRightArithmetic, _, Some(0)) => Some(a),
            (B::Multiply | B::UnsignedDivide | B::SignedDivide, _, Some(1)) if bits > 1 => Some(a),
            (B::UnsignedRemainder, _, Some(1)) => Some(self.constant(0, bits)),
            (B::And | B::Multiply, _, Some(0)) => Some(self.constant(0, bits)),
            (B::And, _, Some(y)) if y == ones => Some(a),
            (B::Or, _, Some(y)) if y == ones => Some(self.constant(ones, bits)),
            (B::And | B::Or, _, _) if is_same => Some(a),
            (B::And | B::Or, _, _) if bits == 1 && self.is_negation(a, b) => {
                Some(self.truth(operator == B::Or))
            }
            (B::Subtract | B::Xor, _, _) if is_same => Some(self.constant(0, bits)),
            (B::Equal | B::UnsignedLessOrEqual | B::SignedLessOrEqual, _, _) if is_same => {
                Some(self.truth(true))
            }
            (B::UnsignedLess | B::SignedLess, _, _) if is_same => Some(self.truth(false)),
            (B::UnsignedLess, _, Some(0)) => Some(self.truth(false)),
            (B::UnsignedLessOrEqual, Some(0), _) => Some(self.truth(true)),
            (B::Equal, _, Some(y)) => self.simplified_equality(a, y, bits),
            (B::Add, _, Some(y)) => match self.get(a) {
                // (x + c) + d
                Expression::Binary(B::Add, x, c) => {
                    let c = self.as_constant(c)?;
                    let sum = self.constant(c.wrapping_add(y), bits);
                    Some(self.add(x, sum))
                }
                _ => None,
            },
            (B::Subtract, _, Some(y)) => {
                let negated = self.constant(y.wrapping_neg(), bits);
                match self.get(a) {
                    Expression::Binary(B::Add, _, c) if self.as_constant(c).is_some() => {
                        Some(self.add(a, negated))
                    }
                    _ => None,
                }
            }
            (B::UnsignedDivide, _, Some(y)) if y.is_power_of_two() => {
                let shift = self.constant(u128::from(y.trailing_zeros()), bits);
                Some(self.binary(B::ShiftRightLogical, a, shift))
            }
            (B::UnsignedRemainder, _, Some(y)) if y.is_power_of_two() => {
                let low = self.constant(y - 1, bits);
                Some(self.and(a, low))
            }
            _ => None,
        }
    }

    /// Whether one truth value is written as the negation of the other.
    fn is_negation(&self, a: ExpressionId, b: ExpressionId) -> bool {
        self.get(a) == Expression::Unary(UnaryOperator::Not, b)
            || self.get(b) == Expression::Unary(UnaryOperator::Not, a)
    }

    /// `a == y` in fewer words.
    fn simplified_equality(&mut self, a: ExpressionId, y: u128, bits: u32) -> Option<ExpressionId> {
        if bits == 1 {
            return Some(if y == 1 { a } else { self.not(a) });
        }
        match self.get(a) {
            // `(int) bit == 0`, and other extended values.
            Expression::Extend { operand, is_signed } => {
                let narrow = self.bits(operand);
                let back = if is_signed {
                    (signed(y & mask(narrow), narrow) as u128) & mask(bits)
                } else {
                    y & mask(narrow)
                };
                if back != y {
                    return Some(self.truth(false));
                }
                let constant = self.constant(y, narrow);
                Some(self.equal(operand, constant))
            }
            Expression::IfThenElse(c, t, e) => {
                let (t, e) = (self.as_constant(t)?, self.as_constant(e)?);
                match (t == y, e == y) {
                    (true, true) => Some(self.truth(true)),
                    (true, false) => Some(c),
                    (false, true) => Some(self.not(c)),
                    (false, false) => Some(self.truth(false)),
                }
            }
            // `x + c == d`
            Expression::Binary(BinaryOperator::Add, x, c) => {
                let c = self.as_constant(c)?;
                let rest = self.constant(y.wrapping_sub(c), bits);
                Some(self.equal(x, rest))
            }
            _ => None,
        }
    }

    /// The second if the first is set, otherwise the third.
    pub fn if_then_else(&mut self, c: ExpressionId, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        let bits = self.bits(a);
        debug_assert_eq!(bits, self.bits(b), "the arms of a choice have one width");
        if a == b {
            return a;
        }
        if let Some(value) = self.as_constant(c) {
            return if value == 1 { a } else { b };
        }
        if let Expression::Unary(UnaryOperator::Not, inner) = self.get(c) {
            return self.if_then_else(inner, b, a);
        }
        if bits == 1 {
            match (self.as_constant(a), self.as_constant(b)) {
                (Some(1), Some(_)) => return c,
                (Some(_), Some(_)) => return self.not(c),
                (Some(1), None) => return self.or(c, b),
                (Some(_), None) => {
                    let not = self.not(c);
                    return self.and(not, b);
                }
                (None, Some(0)) => return self.and(c, a),
                (None, Some(_)) => {
                    let not = self.not(c);
                    return self.or(not, a);
                }
                (None, None) => {}
            }
        }
        self.insert(Expression::IfThenElse(c, a, b), bits)
    }

    /// A value in another width: cut, or extended with zeros or copies of the sign.
    pub fn resize(&mut self, a: ExpressionId, to: u32, is_signed: bool) -> ExpressionId {
        let from = self.bits(a);
        match from.cmp(&to) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.extract(a, 0, to),
            std::cmp::Ordering::Less => self.extend(a, to, is_signed),
        }
    }

    fn extend(&mut self, a: ExpressionId, to: u32, is_signed: bool) -> ExpressionId {
        let from = self.bits(a);
        match self.get(a) {
            Expression::Constant(value) if is_signed => self.constant(signed(value, from) as u128, to),
            Expression::Constant(value) => self.constant(value, to),
            // What was extended with zeros has none of its own signs.
            Expression::Extend { operand, is_signed: false } => {
                self.insert(Expression::Extend { operand, is_signed: false }, to)
            }
            Expression::Extend { operand, is_signed: true } if is_signed => {
                self.insert(Expression::Extend { operand, is_signed: true }, to)
            }
            _ => self.insert(Expression::Extend { operand: a, is_signed }, to),
        }
    }

    /// The bits from `low` on, as many as `to`.
    pub fn extract(&mut self, a: ExpressionId, low: u32, to: u32) -> ExpressionId {
        let from = self.bits(a);
        if low == 0 && from == to {
            return a;
        }
        match self.get(a) {
            Expression::Constant(value) => self.constant(value >> low, to),
            Expression::Extend { operand, is_signed } if low == 0 => {
                let narrow = self.bits(operand);
                if narrow >= to { self.extract(operand, 0, to) } else { self.extend(operand, to, is_signed) }
            }
            Expression::Extract { operand, low: lower } => self.extract(operand, low + lower, to),
            _ => self.insert(Expression::Extract { operand: a, low }, to),
        }
    }
}

/// What takes the place of an expression whose operands have been replaced, if not itself.
pub type Replacement<'a> = &'a mut dyn FnMut(&mut Expressions, Expression, u32) -> Option<ExpressionId>;

impl Expressions {
    /// An expression made anew, operands first, with replacements; what has been done before is in `known`.
    pub fn rewrite(
        &mut self,
        id: ExpressionId,
        known: &mut FxHashMap<ExpressionId, ExpressionId>,
        replace: Replacement,
    ) -> ExpressionId {
        if let Some(&result) = known.get(&id) {
            return result;
        }
        let bits = self.bits(id);
        let mut of = |e: &mut Self, operand| e.rewrite(operand, known, replace);
        let expression = match self.get(id) {
            leaf @ (Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Passive(_)
            | Expression::Nondet(_)
            | Expression::ThisThread
            | Expression::NewThread) => leaf,
            Expression::Element(variable, index) => Expression::Element(variable, of(self, index)),
            Expression::HasEnded(a) => Expression::HasEnded(of(self, a)),
            Expression::ResultOf(a) => Expression::ResultOf(of(self, a)),
            Expression::Unary(operator, a) => Expression::Unary(operator, of(self, a)),
            Expression::Binary(operator, a, b) => Expression::Binary(operator, of(self, a), of(self, b)),
            Expression::IfThenElse(c, a, b) => Expression::IfThenElse(of(self, c), of(self, a), of(self, b)),
            Expression::Extend { operand, is_signed } => {
                Expression::Extend { operand: of(self, operand), is_signed }
            }
            Expression::Extract { operand, low } => Expression::Extract { operand: of(self, operand), low },
        };
        let result = replace(self, expression, bits).unwrap_or_else(|| self.simplify(expression, bits));
        known.insert(id, result);
        result
    }

    /// An expression of this width, made by the functions above.
    fn simplify(&mut self, expression: Expression, bits: u32) -> ExpressionId {
        match expression {
            Expression::Unary(UnaryOperator::Not, a) => self.not(a),
            Expression::Unary(UnaryOperator::Negate, a) => self.negate(a),
            Expression::Binary(operator, a, b) => self.binary(operator, a, b),
            Expression::IfThenElse(c, a, b) => self.if_then_else(c, a, b),
            Expression::Extend { operand, is_signed } => self.resize(operand, bits, is_signed),
            Expression::Extract { operand, low } => self.extract(operand, low, bits),
            other => self.insert(other, bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operators on all pairs of small values, against arithmetic on integers.
    #[test]
    fn operators_are_those_of_machines() {
        for a in 0..16u128 {
            for b in 0..16u128 {
                let (x, y) = (signed(a, 4), signed(b, 4));
                assert_eq!(apply(BinaryOperator::Add, a, b, 4), (a + b) % 16);
                assert_eq!(apply(BinaryOperator::Multiply, a, b, 4), (a * b) % 16);
                assert_eq!(apply(BinaryOperator::SignedLess, a, b, 4), u128::from(x < y));
                if b != 0 {
                    assert_eq!(apply(BinaryOperator::SignedDivide, a, b, 4), ((x / y) & 15) as u128);
                    assert_eq!(apply(BinaryOperator::SignedRemainder, a, b, 4), ((x % y) & 15) as u128);
                }
                let shifted = if b > 3 { if x < 0 { 15 } else { 0 } } else { ((x >> b) & 15) as u128 };
                assert_eq!(apply(BinaryOperator::ShiftRightArithmetic, a, b, 4), shifted);
            }
        }
        assert_eq!(apply(BinaryOperator::UnsignedDivide, 5, 0, 4), 15);
        assert_eq!(apply(BinaryOperator::SignedDivide, 12, 0, 4), 1);
    }

    #[test]
    fn simple_things_stay_simple() {
        let mut e = Expressions::default();
        let x = e.variable(VariableId::new(0), 32);
        let b = e.variable(VariableId::new(1), 1);
        let zero = e.constant(0, 32);
        assert_eq!(e.add(zero, x), x);
        let wide = e.resize(b, 32, false);
        let is_zero = e.equal(wide, zero);
        assert_eq!(is_zero, e.not(b));
        let five = e.constant(5, 32);
        let eight = e.constant(8, 32);
        let sum = e.add(x, five);
        let equal = e.equal(sum, eight);
        let three = e.constant(3, 32);
        assert_eq!(equal, e.equal(x, three));
        let narrow = e.resize(wide, 1, false);
        assert_eq!(narrow, b);
    }
}
