//! Operators and conversions on the integers of C, with what has to hold for them.

use super::{Integers, Lower, types};
use crate::hir::{TypeId, TypeKind};
use crate::syntax::BinaryOperator;
use throng_base::Span;
use throng_cfa::flow::{BinaryOperator as Flow, ExpressionId, PropertyKind};

impl Lower<'_> {
    /// A value of one type in another.
    pub(super) fn convert(
        &mut self,
        value: ExpressionId,
        from: TypeId,
        to: TypeId,
        span: Span,
    ) -> ExpressionId {
        let bits = types::bits_of(self.program, to);
        if types::is_unmodelled(self.program, from) != types::is_unmodelled(self.program, to) {
            let message = "a conversion of a floating-point number is not modelled";
            return self.unmodelled_at(bits, "E0701", message, span);
        }
        match types::get(self.program, to).kind {
            TypeKind::Bool => self.e.is_nonzero(value),
            TypeKind::Void => value,
            _ => self.e.resize(value, bits, types::is_signed(self.program, from)),
        }
    }

    /// Whether a conversion keeps values, and so whether they are zero.
    pub(super) fn is_widening(&self, from: TypeId, to: TypeId) -> bool {
        let is_integer = |ty| {
            matches!(
                types::get(self.program, ty).kind,
                TypeKind::Integer { .. } | TypeKind::Bool | TypeKind::Pointer(_)
            )
        };
        let is_bool = matches!(types::get(self.program, to).kind, TypeKind::Bool);
        is_integer(from)
            && is_integer(to)
            && (is_bool || types::bits_of(self.program, from) <= types::bits_of(self.program, to))
    }

    /// `a op b` in this type; comparisons give one bit.
    pub(super) fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        ty: TypeId,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) -> ExpressionId {
        let is_signed = types::is_signed(self.program, ty);
        if types::is_unmodelled(self.program, ty) {
            let bits = if super::is_comparison(operator) { 1 } else { self.e.bits(a) };
            return self.unmodelled_at(bits, "E0701", "floating-point arithmetic is not modelled", span);
        }
        let pick = |signed: Flow, unsigned: Flow| if is_signed { signed } else { unsigned };
        let less = pick(Flow::SignedLess, Flow::UnsignedLess);
        let less_or_equal = pick(Flow::SignedLessOrEqual, Flow::UnsignedLessOrEqual);
        self.check_operands(operator, is_signed, a, b, span);
        match operator {
            BinaryOperator::Add => self.e.add(a, b),
            BinaryOperator::Subtract => self.e.subtract(a, b),
            BinaryOperator::Multiply => self.e.binary(Flow::Multiply, a, b),
            BinaryOperator::Divide => self.e.binary(pick(Flow::SignedDivide, Flow::UnsignedDivide), a, b),
            BinaryOperator::Remainder => {
                self.e.binary(pick(Flow::SignedRemainder, Flow::UnsignedRemainder), a, b)
            }
            BinaryOperator::BitAnd => self.e.and(a, b),
            BinaryOperator::BitOr => self.e.or(a, b),
            BinaryOperator::BitXor => self.e.binary(Flow::Xor, a, b),
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                let amount = self.shift_amount(a, b);
                let operator = match operator {
                    BinaryOperator::ShiftLeft => Flow::ShiftLeft,
                    _ => pick(Flow::ShiftRightArithmetic, Flow::ShiftRightLogical),
                };
                self.e.binary(operator, a, amount)
            }
            BinaryOperator::Less => self.e.binary(less, a, b),
            BinaryOperator::Greater => self.e.binary(less, b, a),
            BinaryOperator::LessOrEqual => self.e.binary(less_or_equal, a, b),
            BinaryOperator::GreaterOrEqual => self.e.binary(less_or_equal, b, a),
            BinaryOperator::Equal => self.e.equal(a, b),
            BinaryOperator::NotEqual => {
                let equal = self.e.equal(a, b);
                self.e.not(equal)
            }
        }
    }

    /// The amount of a shift in the width of what is shifted: too large ones stay too large.
    fn shift_amount(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        let (width, own) = (self.e.bits(a), self.e.bits(b));
        if own <= width {
            return self.e.resize(b, width, false);
        }
        let limit = self.e.constant(u128::from(width), own);
        let is_small = self.e.binary(Flow::UnsignedLess, b, limit);
        let clamped = self.e.if_then_else(is_small, b, limit);
        self.e.resize(clamped, width, false)
    }

    fn check_operands(
        &mut self,
        operator: BinaryOperator,
        is_signed: bool,
        a: ExpressionId,
        b: ExpressionId,
        span: Span,
    ) {
        match operator {
            BinaryOperator::Divide | BinaryOperator::Remainder => self.check_division(is_signed, a, b, span),
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => {
                let is_wanted = is_signed || self.options.integers == Integers::Mathematical;
                if is_wanted {
                    let fits = self.fits(operator, is_signed, a, b);
                    self.oblige_no_overflow(fits, is_signed, span);
                }
            }
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                let (width, own) = (self.e.bits(a), self.e.bits(b));
                let width = self.e.constant(u128::from(width), own);
                let is_small = self.e.binary(Flow::UnsignedLess, b, width);
                self.require(PropertyKind::Shift, is_small, span);
                if self.options.checks.overflow && is_signed && operator == BinaryOperator::ShiftLeft {
                    let fits = self.shift_fits(a, b, is_small);
                    let text = "left shift of a negative number or into the sign";
                    self.oblige(fits, Some((PropertyKind::Overflow, text)), span);
                }
            }
            _ => {}
        }
    }

    /// Whether a signed number can be shifted to the left: it is not negative, and no bit comes to the sign or beyond
    /// (C11 §6.5.7 p4).
    fn shift_fits(&mut self, a: ExpressionId, b: ExpressionId, is_small: ExpressionId) -> ExpressionId {
        let bits = self.e.bits(a);
        let amount = self.shift_amount(a, b);
        let shifted = self.e.binary(Flow::ShiftLeft, a, amount);
        let back = self.e.binary(Flow::ShiftRightArithmetic, shifted, amount);
        let is_same = self.e.equal(back, a);
        let zero = self.e.constant(0, bits);
        let is_negative = self.e.binary(Flow::SignedLess, a, zero);
        let is_natural = self.e.not(is_negative);
        let fits = self.e.and(is_same, is_natural);
        // A shift that is too wide is another error.
        let is_wide = self.e.not(is_small);
        self.e.or(is_wide, fits)
    }

    fn check_division(&mut self, is_signed: bool, a: ExpressionId, b: ExpressionId, span: Span) {
        let is_nonzero = self.e.is_nonzero(b);
        let mut condition = is_nonzero;
        if is_signed && self.options.checks.overflow && self.options.assumed.contains(&PropertyKind::Division)
        {
            let fits = self.quotient_fits(a, b);
            self.oblige(fits, Some((PropertyKind::Overflow, "signed overflow")), span);
        } else if is_signed {
            let fits = self.quotient_fits(a, b);
            condition = self.e.and(condition, fits);
        }
        self.require(PropertyKind::Division, condition, span);
    }

    /// Whether a quotient is an integer of the width: it is not when the least one is divided by -1.
    fn quotient_fits(&mut self, a: ExpressionId, b: ExpressionId) -> ExpressionId {
        let bits = self.e.bits(a);
        let least = self.e.constant(1 << (bits - 1), bits);
        let ones = self.e.constant(u128::MAX, bits);
        let is_least = self.e.equal(a, least);
        let is_ones = self.e.equal(b, ones);
        let overflows = self.e.and(is_least, is_ones);
        self.e.not(overflows)
    }

    /// Whether the exact result fits the width, where twice the width is more than there is: 128 bits.
    fn fits_widest(
        &mut self,
        operator: BinaryOperator,
        is_signed: bool,
        a: ExpressionId,
        b: ExpressionId,
    ) -> ExpressionId {
        let bits = self.e.bits(a);
        let zero = self.e.constant(0, bits);
        match (operator, is_signed) {
            (BinaryOperator::Multiply, _) => {
                let product = self.e.binary(Flow::Multiply, a, b);
                let divide = if is_signed { Flow::SignedDivide } else { Flow::UnsignedDivide };
                let quotient = self.e.binary(divide, product, a);
                let mut comes_back = self.e.equal(quotient, b);
                if is_signed {
                    // -1 times the least one gives the least one again, and so does the division.
                    let fits = self.quotient_fits(b, a);
                    comes_back = self.e.and(comes_back, fits);
                }
                let is_zero = self.e.equal(a, zero);
                self.e.or(is_zero, comes_back)
            }
            (BinaryOperator::Subtract, true) => {
                let difference = self.e.subtract(a, b);
                let signs = self.e.binary(Flow::Xor, a, b);
                let changed = self.e.binary(Flow::Xor, a, difference);
                let both = self.e.and(signs, changed);
                let overflows = self.e.binary(Flow::SignedLess, both, zero);
                self.e.not(overflows)
            }
            (_, true) => {
                let sum = self.e.add(a, b);
                let (left, right) = (self.e.binary(Flow::Xor, a, sum), self.e.binary(Flow::Xor, b, sum));
                let both = self.e.and(left, right);
                let overflows = self.e.binary(Flow::SignedLess, both, zero);
                self.e.not(overflows)
            }
            (BinaryOperator::Subtract, false) => self.e.binary(Flow::UnsignedLessOrEqual, b, a),
            (_, false) => {
                let sum = self.e.add(a, b);
                self.e.binary(Flow::UnsignedLessOrEqual, a, sum)
            }
        }
    }

    /// Whether the exact result fits the width.
    pub(super) fn fits(
        &mut self,
        operator: BinaryOperator,
        is_signed: bool,
        a: ExpressionId,
        b: ExpressionId,
    ) -> ExpressionId {
        let bits = self.e.bits(a);
        let wide = match operator {
            BinaryOperator::Multiply => 2 * bits,
            _ => bits + if is_signed { 1 } else { 2 },
        };
        if wide > 128 {
            return self.fits_widest(operator, is_signed, a, b);
        }
        let (x, y) = (self.e.resize(a, wide, is_signed), self.e.resize(b, wide, is_signed));
        let operator = match operator {
            BinaryOperator::Multiply => Flow::Multiply,
            BinaryOperator::Subtract => Flow::Subtract,
            _ => Flow::Add,
        };
        let exact = self.e.binary(operator, x, y);
        let wrapped = self.e.resize(exact, bits, false);
        let back = self.e.resize(wrapped, wide, is_signed);
        self.e.equal(exact, back)
    }

    /// An overflow is an error, or does not happen, or wraps around.
    pub(super) fn oblige_no_overflow(&mut self, fits: ExpressionId, is_signed: bool, span: Span) {
        if self.e.as_constant(fits) == Some(1) {
            return;
        }
        if is_signed && self.options.checks.overflow {
            self.oblige(fits, Some((PropertyKind::Overflow, "signed overflow")), span);
        } else if self.options.integers == Integers::Mathematical {
            self.assume_no_overflow(fits, span);
        } else {
            self.note("signed-overflow-wraps", "signed integers wrap around on overflow", span);
        }
    }

    /// Integers are unbounded, as was asked for.
    pub(super) fn assume_no_overflow(&mut self, fits: ExpressionId, span: Span) {
        let text = "integers are taken to be unbounded: runs in which one overflows are not looked at";
        self.note("mathematical-integers", text, span);
        self.oblige(fits, None, span);
    }

    /// Notes what has to hold for the next edge.
    pub(super) fn oblige(
        &mut self,
        condition: ExpressionId,
        property: Option<(PropertyKind, &str)>,
        span: Span,
    ) {
        if self.e.as_constant(condition) == Some(1) {
            return;
        }
        let source = super::graph::one_line(self.program.text.slice(span));
        let property = property.map(|(kind, text)| (kind, format!("{text}: {source}")));
        self.obligations.push(super::graph::Obligation { condition, property, span });
    }
}
