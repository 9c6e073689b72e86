//! Floating-point constants: what a compiler computes while it compiles.
//!
//! A constant of type `float` or `double` is the bits that it has in memory (IEEE 754), and operations on constants are done here,
//! rounded to the nearest as compilers do. Nothing else computes with floating-point numbers: operations on variables, on
//! `long double`, and on machines whose registers are wider than their numbers (ILP32) have no model.

use super::Resolver;
use super::constant::extend;
use crate::hir::{DataModel, Expression, ExpressionKind, TypeId, TypeKind};
use crate::syntax::BinaryOperator;
use throng_base::Span;

/// A number with the size of its type; a `float` is kept as the `double` of the same value.
#[derive(Clone, Copy)]
struct Number {
    value: f64,
    bytes: u32,
}

impl Number {
    fn bits(self) -> u128 {
        if self.bytes == 4 {
            u128::from((self.value as f32).to_bits())
        } else {
            u128::from(self.value.to_bits())
        }
    }

    /// The number of this value, rounded to a type.
    fn of(value: f64, bytes: u32) -> Self {
        let value = if bytes == 4 { f64::from(value as f32) } else { value };
        Self { value, bytes }
    }
}

impl Resolver<'_> {
    /// A literal with its suffix.
    pub(super) fn floating_literal(&mut self, text: &str, span: Span) -> Expression {
        let (digits, bytes) = match text.as_bytes().last() {
            Some(b'f' | b'F') => (&text[..text.len() - 1], 4),
            Some(b'l' | b'L') => {
                (&text[..text.len() - 1], if self.data_model == DataModel::Lp64 { 16 } else { 12 })
            }
            _ => (text, 8),
        };
        let ty = self.types.of(TypeKind::Floating { bytes, is_real: true });
        // Decimal ones only: Rust does not read what C writes in hexadecimal, nor imaginary numbers.
        let value = match bytes {
            4 => digits.parse::<f32>().ok().map(f64::from),
            8 => digits.parse::<f64>().ok(),
            _ => None,
        };
        match value.filter(|value| value.is_finite() && self.data_model == DataModel::Lp64) {
            Some(value) => self.floating(Number { value, bytes }, ty, span),
            None => Self::unmodelled("E0701", "a floating-point number".to_owned(), Vec::new(), ty, span),
        }
    }

    fn floating(&self, number: Number, ty: TypeId, span: Span) -> Expression {
        Expression { kind: ExpressionKind::Constant(number.bits()), ty, span }
    }

    /// The number that an expression is, if it is a constant of type `float` or `double`.
    fn floating_value(&self, value: &Expression) -> Option<Number> {
        let ExpressionKind::Constant(bits) = value.kind else { return None };
        match *self.types.kind(value.ty) {
            TypeKind::Floating { bytes: 4, is_real: true } => {
                Some(Number { value: f64::from(f32::from_bits(bits as u32)), bytes: 4 })
            }
            TypeKind::Floating { bytes: 8, is_real: true } => {
                Some(Number { value: f64::from_bits(bits as u64), bytes: 8 })
            }
            _ => None,
        }
    }

    /// A constant in another type, if one of both types is a floating-point type.
    pub(super) fn converted_floating(&mut self, value: &Expression, to: TypeId) -> Option<Expression> {
        let span = value.span;
        if let (
            ExpressionKind::Constant(bits),
            Some((width, is_signed)),
            TypeKind::Floating { bytes: 4 | 8, is_real: true },
        ) = (&value.kind, self.types.integer_shape(value.ty), self.types.kind(to))
        {
            if self.data_model != DataModel::Lp64 {
                return None;
            }
            let TypeKind::Floating { bytes, is_real: true } = *self.types.kind(to) else { return None };
            let number = extend(*bits, width, is_signed);
            // At once, since rounding twice is not rounding; numbers of 128 bits without a sign may look negative.
            let value = match (bytes, is_signed || width < 128) {
                (4, true) => f64::from(number as f32),
                (4, false) => f64::from(*bits as f32),
                (_, true) => number as f64,
                (_, false) => *bits as f64,
            };
            return Some(self.floating(Number { value, bytes }, to, span));
        }
        let number = self.floating_value(value)?;
        if self.types.is_bool(to) {
            return Some(self.constant(u128::from(number.value != 0.0), to, span));
        }
        if let TypeKind::Floating { bytes: bytes @ (4 | 8), is_real: true } = *self.types.kind(to) {
            return Some(self.floating(Number::of(number.value, bytes), to, span));
        }
        let (width, is_signed) = self.types.integer_shape(to)?;
        let whole = number.value.trunc();
        // What does not fit is undefined; numbers of more than 64 bits are left alone.
        let half = 2f64.powi(width as i32 - 1);
        let range = if is_signed { -half..half } else { 0.0..2.0 * half };
        (width <= 64 && range.contains(&whole)).then(|| self.constant(whole as i128 as u128, to, span))
    }

    /// `a op b` for constants of the same floating-point type; of type `int` for comparisons.
    pub(super) fn folded_floating(
        &mut self,
        operator: BinaryOperator,
        (left, right): (&Expression, &Expression),
        span: Span,
    ) -> Option<Expression> {
        use BinaryOperator as Op;
        let (a, b) = (self.floating_value(left)?, self.floating_value(right)?);
        let (x, y) = (a.value, b.value);
        let truth = match operator {
            Op::Less => x < y,
            Op::Greater => x > y,
            Op::LessOrEqual => x <= y,
            Op::GreaterOrEqual => x >= y,
            Op::Equal => x == y,
            Op::NotEqual => x != y,
            _ => {
                // The sum, product or quotient of two `float`s rounded to `double` and then to `float` is rounded right.
                let value = match operator {
                    Op::Add => x + y,
                    Op::Subtract => x - y,
                    Op::Multiply => x * y,
                    Op::Divide => x / y,
                    _ => return None,
                };
                // Which not-a-number it is, is nobody's business.
                let number = Number::of(value, a.bytes);
                return (!number.value.is_nan()).then(|| self.floating(number, left.ty, span));
            }
        };
        Some(self.int_constant(i128::from(truth), span))
    }

    /// `-e` for a constant.
    pub(super) fn negated_floating(&mut self, value: &Expression, span: Span) -> Option<Expression> {
        let number = self.floating_value(value)?;
        Some(self.floating(Number { value: -number.value, ..number }, value.ty, span))
    }

    /// Whether a constant is not zero, as an `int`.
    pub(super) fn floating_truth(&mut self, value: &Expression) -> Option<Expression> {
        let number = self.floating_value(value)?;
        Some(self.int_constant(i128::from(number.value != 0.0), value.span))
    }
}
