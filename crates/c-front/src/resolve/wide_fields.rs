//! Bit-fields that are wider than an `int`: C does not say of which type they are after the promotions.
//!
//! GCC computes with `unsigned long f : 40` in 40 bits, Clang in those of the declared type. Where the results may differ the
//! program is refused; where the other operand says which type is meant, or the results are the same, it is not.

use super::operators::{is_comparison, is_shift};
use super::{Outcome, Reported, Resolver};
use crate::hir::{Expression, ExpressionKind};
use crate::syntax::BinaryOperator;
use throng_base::Span;

impl Resolver<'_> {
    /// Width and sign of the bit-field that a value was read from, if it is wider than an `int` and narrower than its type. What is
    /// computed from it has its type, unless another operand is of the full width.
    pub(super) fn wide_field(&self, value: &Expression) -> Option<(u32, bool)> {
        if let ExpressionKind::Binary(operator, left, right) = &value.kind {
            return match (self.wide_field(left), self.wide_field(right)) {
                _ if is_comparison(*operator) => None,
                (Some(wide), _) if is_shift(*operator) => Some(wide),
                _ if is_shift(*operator) => None,
                (Some(wide), Some(other)) => Some(wide.max(other)),
                (Some(wide), None) => (!self.is_full(right, left)).then_some(wide),
                (None, Some(wide)) => (!self.is_full(left, right)).then_some(wide),
                (None, None) => None,
            };
        }
        let width = self.field_width(value)?;
        let (bits, is_signed) = self.types.integer_shape(value.ty)?;
        (width > 32 && width < bits).then_some((width, is_signed))
    }

    pub(super) fn open_width(&mut self, span: Span) -> Reported {
        let message = "it depends on the compiler in how many bits this is computed";
        self.error("E0637", message, span)
    }

    /// Refuses operations on wide bit-fields whose results depend on the compiler.
    pub(super) fn check_wide_fields(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        span: Span,
    ) -> Outcome<()> {
        use BinaryOperator as Op;
        let is_open = match operator {
            // The number of places is a number, whatever its type.
            Op::ShiftRight => false,
            Op::ShiftLeft => self.wide_field(left).is_some(),
            _ => self.is_open_with(operator, left, right) || self.is_open_with(operator, right, left),
        };
        if is_open { Err(self.open_width(span)) } else { Ok(()) }
    }

    fn is_open_with(&self, operator: BinaryOperator, value: &Expression, other: &Expression) -> bool {
        use BinaryOperator as Op;
        let Some((width, is_signed)) = self.wide_field(value) else { return false };
        let Some((bits, is_other_signed)) = self.types.integer_shape(other.ty) else {
            return false;
        };
        let declared = self.types.integer_shape(value.ty).map_or(0, |(bits, _)| bits);
        let is_full = self.wide_field(other).is_none() && bits >= declared && is_other_signed == is_signed;
        // Neither wraps around nor changes its sign in either type.
        let is_small = self.value_of(other).is_some_and(|number| number >> (width - 1) == 0);
        let is_growing = matches!(operator, Op::Add | Op::Subtract | Op::Multiply);
        !(is_full || (is_small && !is_growing))
    }

    /// Whether the other operand of a wide bit-field has all the bits of its declared type.
    fn is_full(&self, other: &Expression, field: &Expression) -> bool {
        let bits_of = |e: &Expression| self.types.integer_shape(e.ty).map_or(0, |(bits, _)| bits);
        // Constants were converted to the common type.
        let is_number = matches!(other.kind, ExpressionKind::Constant(_));
        self.wide_field(other).is_none() && !is_number && bits_of(other) >= bits_of(field)
    }
}
