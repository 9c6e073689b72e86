//! Operators with one or two operands, assignments, and `?:` (C11 §6.5). Arithmetic of floating-point numbers is kept as
//! unmodelled; an update that computes in such a type still is an update, since it changes its place.

use super::convert::Operand;
use super::{Outcome, Resolver};
use crate::hir::{Expression, ExpressionKind, PlaceKind, TypeId};
use crate::syntax::{self, BinaryOperator, UnaryOperator};
use throng_base::Span;

/// The operator as it is written.
pub(super) fn symbol(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::Less => "<",
        BinaryOperator::Greater => ">",
        BinaryOperator::LessOrEqual => "<=",
        BinaryOperator::GreaterOrEqual => ">=",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::BitXor => "^",
        BinaryOperator::BitOr => "|",
    }
}

pub(super) fn is_comparison(operator: BinaryOperator) -> bool {
    use BinaryOperator as Op;
    matches!(
        operator,
        Op::Less | Op::Greater | Op::LessOrEqual | Op::GreaterOrEqual | Op::Equal | Op::NotEqual
    )
}

pub(super) fn is_shift(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight)
}

/// Whether the operator is for integers only.
fn needs_integers(operator: BinaryOperator) -> bool {
    use BinaryOperator as Op;
    is_shift(operator) || matches!(operator, Op::Remainder | Op::BitAnd | Op::BitXor | Op::BitOr)
}

impl Resolver<'_> {
    pub(super) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: &syntax::Expression,
        span: Span,
    ) -> Outcome<Operand> {
        use UnaryOperator as Op;
        let value = match operator {
            Op::AddressOf => self.take_address(operand, span)?,
            Op::Dereference => {
                let pointer = self.rvalue(operand)?;
                return self.dereference(pointer, span);
            }
            Op::PreIncrement | Op::PreDecrement | Op::PostIncrement | Op::PostDecrement => {
                let place = self.assignable(operand)?;
                let one = self.int_constant(1, span);
                let is_increment = matches!(operator, Op::PreIncrement | Op::PostIncrement);
                let binary = if is_increment { BinaryOperator::Add } else { BinaryOperator::Subtract };
                let is_postfix = matches!(operator, Op::PostIncrement | Op::PostDecrement);
                self.update_place(binary, place, one, is_postfix, span)?
            }
            Op::Not => {
                let value = self.condition(operand)?;
                let ty = self.types.int();
                Expression { kind: ExpressionKind::Not(Box::new(value)), ty, span }
            }
            Op::Plus | Op::Minus | Op::BitNot => {
                let value = self.rvalue(operand)?;
                self.sign(operator, value, span)?
            }
        };
        Ok(Operand::Value(value))
    }

    /// `+e`, `-e`, `~e`
    fn sign(&mut self, operator: UnaryOperator, value: Expression, span: Span) -> Outcome<Expression> {
        let is_allowed = self.types.is_integer(value.ty)
            || (operator != UnaryOperator::BitNot && self.types.is_floating(value.ty));
        if !is_allowed {
            let found = self.describe(value.ty);
            return Err(self.error("E0634", format!("this operator is not for {found}"), span));
        }
        if operator != UnaryOperator::Plus && self.wide_field(&value).is_some() {
            return Err(self.open_width(span));
        }
        let value = self.promote(value);
        let ty = value.ty;
        if self.types.is_floating(ty) {
            let folded = match operator {
                UnaryOperator::Minus => self.negated_floating(&value, span),
                _ => matches!(value.kind, ExpressionKind::Constant(_)).then(|| value.clone()),
            };
            if let Some(folded) = folded {
                return Ok(folded);
            }
            return Ok(Self::unmodelled(
                "E0701",
                "floating-point arithmetic".to_owned(),
                vec![value],
                ty,
                span,
            ));
        }
        Ok(match operator {
            UnaryOperator::Minus => Expression { span, ..self.negated(value) },
            UnaryOperator::BitNot => match value.kind {
                ExpressionKind::Constant(bits) => self.constant(!bits, ty, span),
                _ => Expression { kind: ExpressionKind::BitNot(Box::new(value)), ty, span },
            },
            _ => Expression { span, ..value },
        })
    }

    /// `&e`
    fn take_address(&mut self, operand: &syntax::Expression, span: Span) -> Outcome<Expression> {
        match self.operand(operand)? {
            Operand::Function(function, _) => self.value(Operand::Function(function, span)),
            Operand::Place(place) if self.bit_field(&place).is_some() => {
                Err(self.error("E0648", "a bit-field has no address", span))
            }
            Operand::Place(place) if !matches!(place.kind, PlaceKind::Value(_)) => {
                let ty = self.types.pointer(place.ty);
                Ok(self.address(place, ty, span))
            }
            operand => {
                Err(self.error("E0640", "only a variable or a part of one has an address", operand.span()))
            }
        }
    }

    /// `left op right` for values.
    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Outcome<Expression> {
        let (a, b) = (self.types.pointee(left.ty), self.types.pointee(right.ty));
        match (operator, a, b) {
            (BinaryOperator::Add, Some(_), None) => return self.offset(left, right, false, span),
            (BinaryOperator::Add, None, Some(_)) => return self.offset(right, left, false, span),
            (BinaryOperator::Subtract, Some(_), None) => return self.offset(left, right, true, span),
            (BinaryOperator::Subtract, Some(element), Some(other)) => {
                return self.difference(left, right, element, other, span);
            }
            (operator, _, _) if is_comparison(operator) && (a.is_some() || b.is_some()) => {
                return self.compare_pointers(operator, left, right, span);
            }
            _ => {}
        }
        self.check_operands(operator, &left, &right, span)?;
        let int = self.types.int();
        self.check_wide_fields(operator, &left, &right, span)?;
        if is_shift(operator) {
            let (left, right) = (self.promote(left), self.promote(right));
            let ty = left.ty;
            let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
            return Ok(Expression { kind, ty, span });
        }
        let common = self.common_type(&left, &right);
        let (left, right) = (self.convert(left, common), self.convert(right, common));
        let ty = if is_comparison(operator) { int } else { common };
        if self.types.is_floating(common) {
            if let Some(folded) = self.folded_floating(operator, (&left, &right), span) {
                return Ok(folded);
            }
            let what = "floating-point arithmetic".to_owned();
            return Ok(Self::unmodelled("E0701", what, vec![left, right], ty, span));
        }
        Ok(Expression { kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), ty, span })
    }

    /// Reports operands that are no numbers, or no integers where these are needed.
    fn check_operands(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        span: Span,
    ) -> Outcome<()> {
        let is_fine = |ty: TypeId| match needs_integers(operator) {
            true => self.types.is_integer(ty),
            false => self.types.is_arithmetic(ty),
        };
        if is_fine(left.ty) && is_fine(right.ty) {
            return Ok(());
        }
        let (a, b) = (self.describe(left.ty), self.describe(right.ty));
        Err(self.error("E0634", format!("`{}` is not for {a} and {b}", symbol(operator)), span))
    }

    fn difference(
        &mut self,
        left: Expression,
        right: Expression,
        a: TypeId,
        b: TypeId,
        span: Span,
    ) -> Outcome<Expression> {
        let Some(size) = self.size_of(a).filter(|&size| size > 0) else {
            let found = self.describe(a);
            return Err(self.error(
                "E0645",
                format!("the size of {found}, to which the pointers point, is not known"),
                span,
            ));
        };
        if !self.types.compatible(a, b, false) {
            let (a, b) = (self.describe(left.ty), self.describe(right.ty));
            return Err(self.error("E0635", format!("{a} and {b} are not pointers into one array"), span));
        }
        let ty = self.types.ptrdiff_t();
        Ok(Expression { kind: ExpressionKind::Difference(Box::new(left), Box::new(right), size), ty, span })
    }

    /// A comparison where at least one operand is a pointer.
    fn compare_pointers(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Outcome<Expression> {
        if !self.types.is_scalar(left.ty)
            || !self.types.is_scalar(right.ty)
            || self.types.is_floating(left.ty)
            || self.types.is_floating(right.ty)
        {
            let (a, b) = (self.describe(left.ty), self.describe(right.ty));
            return Err(self.error("E0634", format!("{a} and {b} cannot be compared"), span));
        }
        let is_void = |ty| self.types.pointee(ty).is_some_and(|to| self.types.is_void(to));
        let common = match (self.types.pointee(left.ty), self.types.pointee(right.ty)) {
            (Some(_), None) => left.ty,
            (None, _) => right.ty,
            (Some(_), Some(_)) if self.is_null(&right) => left.ty,
            (Some(_), Some(_)) if self.is_null(&left) || is_void(right.ty) => right.ty,
            (Some(a), Some(b)) => {
                if !is_void(left.ty) && !self.types.compatible(a, b, false) {
                    let (a, b) = (self.describe(left.ty), self.describe(right.ty));
                    self.warn("W0601", format!("{a} and {b} are compared"), span);
                }
                left.ty
            }
        };
        for side in [&left, &right] {
            if self.types.is_integer(side.ty) && !self.is_null(side) {
                let (pointer, found) = (self.describe(common), self.describe(side.ty));
                self.warn("W0602", format!("{pointer} and {found} are compared"), span);
            }
        }
        let (left, right) = (self.convert(left, common), self.convert(right, common));
        let ty = self.types.int();
        Ok(Expression { kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), ty, span })
    }

    /// `place = value`
    pub(super) fn assign(
        &mut self,
        place: &syntax::Expression,
        value: &syntax::Expression,
        span: Span,
    ) -> Outcome<Expression> {
        let place = self.assignable(place);
        let value = self.rvalue(value)?;
        let place = place?;
        let value = self.assigned(value, place.ty, "what is assigned to,")?;
        let ty = value.ty;
        Ok(Expression { kind: ExpressionKind::Assign(place, Box::new(value)), ty, span })
    }

    /// `place op= value`
    pub(super) fn update(
        &mut self,
        operator: BinaryOperator,
        place: &syntax::Expression,
        value: &syntax::Expression,
        span: Span,
    ) -> Outcome<Expression> {
        let place = self.assignable(place);
        let value = self.rvalue(value)?;
        self.update_place(operator, place?, value, false, span)
    }

    fn update_place(
        &mut self,
        operator: BinaryOperator,
        place: crate::hir::Place,
        value: Expression,
        is_postfix: bool,
        span: Span,
    ) -> Outcome<Expression> {
        let ty = self.types.unqualified(place.ty);
        let old = Expression { kind: ExpressionKind::Load(place.clone()), ty, span: place.span };
        // Checks the operands and finds the type of the computation.
        let (computed, value, size) = match self.types.pointee(ty) {
            Some(element) => {
                if !matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract) {
                    let found = self.describe(ty);
                    return Err(self.error(
                        "E0634",
                        format!("`{}=` is not for {found}", symbol(operator)),
                        span,
                    ));
                }
                let value = self.pointer_index(value)?;
                let Some(size) = self.size_of(element) else {
                    let found = self.describe(element);
                    return Err(self.error(
                        "E0645",
                        format!("the size of {found}, to which the pointer points, is not known"),
                        span,
                    ));
                };
                (ty, value, Some(size))
            }
            None => {
                self.check_operands(operator, &old, &value, span)?;
                // What is kept of sums and the like does not depend on the width in which they are computed.
                if matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder) {
                    self.check_wide_fields(operator, &old, &value, span)?;
                }
                if is_shift(operator) {
                    (self.promoted_type(&old), self.promote(value), None)
                } else {
                    let computed = self.common_type(&old, &value);
                    (computed, self.convert(value, computed), None)
                }
            }
        };
        let value = Box::new(value);
        let kind = ExpressionKind::Update { place, operator, value, computed, size, is_postfix };
        Ok(Expression { kind, ty, span })
    }

    /// `c ? a : b` and `c ?: b`
    pub(super) fn conditional(
        &mut self,
        condition: &syntax::Expression,
        then: Option<&syntax::Expression>,
        otherwise: &syntax::Expression,
        span: Span,
    ) -> Outcome<Expression> {
        let condition = self.condition(condition);
        let then = then.map(|then| self.rvalue(then)).transpose();
        let otherwise = self.rvalue(otherwise)?;
        let (condition, then) = (condition?, then?);
        match then {
            Some(then) => {
                let ty = self.conditional_type(&then, &otherwise, span)?;
                let (then, otherwise) = (self.convert(then, ty), self.convert(otherwise, ty));
                let kind =
                    ExpressionKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
                Ok(Expression { kind, ty, span })
            }
            None => {
                let ty = self.conditional_type(&condition, &otherwise, span)?;
                let (condition, otherwise) = (self.convert(condition, ty), self.convert(otherwise, ty));
                let kind = ExpressionKind::Elvis(Box::new(condition), Box::new(otherwise));
                Ok(Expression { kind, ty, span })
            }
        }
    }

    /// The type of a value that is one of two (C11 §6.5.15).
    fn conditional_type(&mut self, a: &Expression, b: &Expression, span: Span) -> Outcome<TypeId> {
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            return Ok(self.common_type(a, b));
        }
        if self.types.is_void(a.ty) || self.types.is_void(b.ty) {
            return Ok(self.types.void());
        }
        match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(_), Some(_)) if self.is_null(a) => Ok(b.ty),
            (Some(_), Some(_)) if self.is_null(b) => Ok(a.ty),
            (Some(x), Some(y)) => {
                let added = self.types.get(y).qualifiers;
                let (x, y) = if self.types.is_void(y) { (y, x) } else { (x, y) };
                let target = if self.types.is_void(x) {
                    x
                } else if self.types.compatible(x, y, false) {
                    self.types.composite(x, y)
                } else {
                    let (a, b) = (self.describe(a.ty), self.describe(b.ty));
                    self.warn("W0601", format!("one of {a} and {b} is taken"), span);
                    self.types.void()
                };
                let others = self.types.get(y).qualifiers;
                let target = self.types.qualify(target, added);
                let target = self.types.qualify(target, others);
                Ok(self.types.pointer(target))
            }
            (Some(_), None) if self.types.is_integer(b.ty) => Ok(a.ty),
            (None, Some(_)) if self.types.is_integer(a.ty) => Ok(b.ty),
            _ if self.types.kind(a.ty) == self.types.kind(b.ty) => Ok(a.ty),
            _ => {
                let (a, b) = (self.describe(a.ty), self.describe(b.ty));
                Err(self.error("E0636", format!("{a} and {b} have no common type"), span))
            }
        }
    }
}
