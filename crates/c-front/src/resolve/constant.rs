//! Constant expressions (C11 §6.6), evaluated on typed expressions bit by bit: every operation wraps around at the width
//! of its type, as the machine does. Addresses below a constant pointer are constants too, as `offsetof` by hand needs.

use super::{Outcome, Resolver};
use crate::hir::{Builtin, Expression, ExpressionKind, Place, PlaceKind, TypeId, TypeKind};
use crate::syntax::{self, BinaryOperator};
use throng_base::Span;

/// The lowest bits of a number.
pub(super) fn truncate(value: u128, bits: u32) -> u128 {
    if bits >= 128 { value } else { value & ((1 << bits) - 1) }
}

/// The number that bits of a type stand for. Unsigned numbers of 128 bits above the largest `i128` wrap around.
pub(super) fn extend(value: u128, bits: u32, is_signed: bool) -> i128 {
    if bits >= 128 || !is_signed {
        return truncate(value, bits) as i128;
    }
    let shift = 128 - bits;
    ((value << shift) as i128) >> shift
}

/// `a op b` in a type of this shape; `None` for a division by zero or a shift by too much.
pub(super) fn apply(operator: BinaryOperator, a: u128, b: u128, bits: u32, is_signed: bool) -> Option<u128> {
    use BinaryOperator as Op;
    let (x, y) = (extend(a, bits, is_signed), extend(b, bits, is_signed));
    let ordering = if is_signed { x.cmp(&y) } else { truncate(a, bits).cmp(&truncate(b, bits)) };
    let value = match operator {
        Op::Multiply => a.wrapping_mul(b),
        Op::Divide if is_signed => x.checked_div(y)? as u128,
        Op::Divide => truncate(a, bits).checked_div(truncate(b, bits))?,
        Op::Remainder if is_signed => x.checked_rem(y)? as u128,
        Op::Remainder => truncate(a, bits).checked_rem(truncate(b, bits))?,
        Op::Add => a.wrapping_add(b),
        Op::Subtract => a.wrapping_sub(b),
        Op::ShiftLeft if b < u128::from(bits) => a << b,
        Op::ShiftRight if b < u128::from(bits) && is_signed => (x >> b) as u128,
        Op::ShiftRight if b < u128::from(bits) => truncate(a, bits) >> b,
        Op::ShiftLeft | Op::ShiftRight => return None,
        Op::Less => u128::from(ordering.is_lt()),
        Op::Greater => u128::from(ordering.is_gt()),
        Op::LessOrEqual => u128::from(ordering.is_le()),
        Op::GreaterOrEqual => u128::from(ordering.is_ge()),
        Op::Equal => u128::from(ordering.is_eq()),
        Op::NotEqual => u128::from(ordering.is_ne()),
        Op::BitAnd => a & b,
        Op::BitXor => a ^ b,
        Op::BitOr => a | b,
    };
    Some(truncate(value, bits))
}

impl Resolver<'_> {
    /// The bits of a value of integer or pointer type if it is constant.
    pub(super) fn value_of(&self, expression: &Expression) -> Option<u128> {
        // Chains such as `a + b + c + …` lean to the left: they are walked, not descended.
        let mut chain = Vec::new();
        let mut first = expression;
        while let ExpressionKind::Binary(_, left, _) = &first.kind {
            chain.push(first);
            first = left;
        }
        let mut value = self.simple_value_of(first)?;
        for node in chain.into_iter().rev() {
            let ExpressionKind::Binary(operator, left, right) = &node.kind else { return None };
            let (bits, is_signed) = self.types.scalar_shape(left.ty)?;
            value = apply(*operator, value, self.value_of(right)?, bits, is_signed)?;
        }
        Some(value)
    }

    fn simple_value_of(&self, expression: &Expression) -> Option<u128> {
        let value = match &expression.kind {
            ExpressionKind::Constant(value) => *value,
            ExpressionKind::AddressOf(place) => self.address_of(place)?,
            ExpressionKind::Negate(operand) => self.value_of(operand)?.wrapping_neg(),
            ExpressionKind::BitNot(operand) => !self.value_of(operand)?,
            ExpressionKind::Not(operand) => u128::from(self.value_of(operand)? == 0),
            ExpressionKind::And(a, b) => u128::from(self.value_of(a)? != 0 && self.value_of(b)? != 0),
            ExpressionKind::Or(a, b) => u128::from(self.value_of(a)? != 0 || self.value_of(b)? != 0),
            ExpressionKind::Conditional(c, a, b) => {
                self.value_of(if self.value_of(c)? != 0 { a } else { b })?
            }
            ExpressionKind::Elvis(a, b) => match self.value_of(a)? {
                0 => self.value_of(b)?,
                value => value,
            },
            ExpressionKind::Convert(operand) => {
                self.converted_bits(self.value_of(operand)?, operand.ty, expression.ty)?
            }
            ExpressionKind::Offset { pointer, index, size, is_negative } => {
                let bytes = self.value_of(index)?.wrapping_mul(u128::from(*size));
                let pointer = self.value_of(pointer)?;
                if *is_negative { pointer.wrapping_sub(bytes) } else { pointer.wrapping_add(bytes) }
            }
            ExpressionKind::Difference(a, b, size) => {
                let bits = self.data_model.pointer_bits();
                let bytes = self.value_of(a)?.wrapping_sub(self.value_of(b)?);
                extend(bytes, bits, true).checked_div(i128::from(*size))? as u128
            }
            ExpressionKind::Builtin(Builtin::Expect, operands) => self.value_of(operands.first()?)?,
            _ => return None,
        };
        let (bits, _) = self.types.scalar_shape(expression.ty)?;
        Some(truncate(value, bits))
    }

    /// The address of a place that is below a constant pointer.
    fn address_of(&self, place: &Place) -> Option<u128> {
        match &place.kind {
            PlaceKind::Dereference(pointer) => self.value_of(pointer),
            PlaceKind::Member(record, index) => {
                let TypeKind::Record(id) = *self.types.kind(record.ty) else { return None };
                let offset = self.field(id, *index)?.offset;
                Some(self.address_of(record)?.wrapping_add(u128::from(offset)))
            }
            PlaceKind::Element(array, index) => {
                let size = self.size_of(place.ty)?;
                let bytes = self.value_of(index)?.wrapping_mul(u128::from(size));
                Some(self.address_of(array)?.wrapping_add(bytes))
            }
            PlaceKind::Object(_) | PlaceKind::Value(_) => None,
        }
    }

    /// The bits of a value in another type. `None` for floating-point numbers.
    pub(super) fn converted_bits(&self, value: u128, from: TypeId, to: TypeId) -> Option<u128> {
        let (from_bits, is_signed) = self.types.scalar_shape(from)?;
        if self.types.is_bool(to) {
            return Some(u128::from(truncate(value, from_bits) != 0));
        }
        let (bits, _) = self.types.scalar_shape(to)?;
        Some(truncate(extend(value, from_bits, is_signed) as u128, bits))
    }

    /// A constant integer as a number, or an error.
    pub(super) fn integer_constant(&mut self, expression: &syntax::Expression, what: &str) -> Outcome<i128> {
        let value = self.rvalue(expression)?;
        self.integer_value(&value, what)
    }

    /// The number that a typed expression stands for, or an error if it is not constant.
    pub(super) fn integer_value(&mut self, value: &Expression, what: &str) -> Outcome<i128> {
        let Some((bits, is_signed)) = self.types.integer_shape(value.ty) else {
            let found = self.describe(value.ty);
            return Err(self.error("E0620", format!("{what} is not an integer but {found}"), value.span));
        };
        match self.value_of(value) {
            Some(number) => Ok(extend(number, bits, is_signed)),
            None => Err(self.error("E0621", format!("{what} is not constant"), value.span)),
        }
    }

    /// The value of an expression that may read `const` variables whose value is known.
    pub(super) fn known_value_of(&self, expression: &Expression) -> Option<u128> {
        let mut copy = expression.clone();
        self.read_known(&mut copy);
        self.value_of(&copy)
    }

    /// Replaces reads of `const` variables by their values where these are known.
    pub(super) fn read_known(&self, expression: &mut Expression) {
        match &mut expression.kind {
            ExpressionKind::Load(Place { kind: PlaceKind::Object(object), .. }) => {
                if let Some(&value) = self.known_values.get(object) {
                    expression.kind = ExpressionKind::Constant(value);
                }
            }
            ExpressionKind::Negate(a)
            | ExpressionKind::BitNot(a)
            | ExpressionKind::Not(a)
            | ExpressionKind::Convert(a) => self.read_known(a),
            ExpressionKind::Binary(_, a, b)
            | ExpressionKind::And(a, b)
            | ExpressionKind::Or(a, b)
            | ExpressionKind::Elvis(a, b) => {
                self.read_known(a);
                self.read_known(b);
            }
            ExpressionKind::Conditional(c, a, b) => {
                self.read_known(c);
                self.read_known(a);
                self.read_known(b);
            }
            _ => {}
        }
    }

    /// An integer constant of a type.
    pub(super) fn constant(&mut self, value: u128, ty: TypeId, span: Span) -> Expression {
        let bits = self.types.scalar_shape(ty).map_or(128, |(bits, _)| bits);
        Expression { kind: ExpressionKind::Constant(truncate(value, bits)), ty, span }
    }

    /// An `int`.
    pub(super) fn int_constant(&mut self, value: i128, span: Span) -> Expression {
        let int = self.types.int();
        self.constant(value as u128, int, span)
    }
}
