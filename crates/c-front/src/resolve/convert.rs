//! Conversions (C11 §6.3): lvalues to values, arrays and functions to pointers, integer promotions, the usual arithmetic
//! conversions, and conversion as if by assignment. Constants are converted at once.

use super::constant::truncate;
use super::{Outcome, Resolver};
use crate::hir::{Expression, ExpressionKind, FunctionId, Place, PlaceKind, TypeId, TypeKind, Unmodelled};
use crate::syntax::{self, IntegerWord};
use throng_base::Span;

/// What an expression is before it is converted to a value.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    /// A value.
    Value(Expression),
    /// An lvalue.
    Place(Place),
    /// A function.
    Function(FunctionId, Span),
}

impl Operand {
    pub(super) fn span(&self) -> Span {
        match self {
            Operand::Value(value) => value.span,
            Operand::Place(place) => place.span,
            Operand::Function(_, span) => *span,
        }
    }
}

impl Resolver<'_> {
    /// The type of an operand as `sizeof` and `typeof` see it.
    pub(super) fn operand_type(&self, operand: &Operand) -> TypeId {
        match operand {
            Operand::Value(value) => value.ty,
            Operand::Place(place) => place.ty,
            Operand::Function(function, _) => self.functions[function.index()].ty,
        }
    }

    /// The value of an expression.
    pub(super) fn rvalue(&mut self, expression: &syntax::Expression) -> Outcome<Expression> {
        let operand = self.operand(expression)?;
        self.value(operand)
    }

    /// The value of an operand (C11 §6.3.2.1): places are loaded, arrays and functions become pointers.
    pub(super) fn value(&mut self, operand: Operand) -> Outcome<Expression> {
        match operand {
            Operand::Value(value) => Ok(value),
            Operand::Function(function, span) => {
                let ty = self.types.pointer(self.functions[function.index()].ty);
                self.used_functions.insert(function);
                Ok(Expression { kind: ExpressionKind::FunctionAddress(function), ty, span })
            }
            Operand::Place(place) => self.load(place),
        }
    }

    fn load(&mut self, place: Place) -> Outcome<Expression> {
        let span = place.span;
        if let Some(element) = self.types.element(place.ty) {
            let ty = self.types.pointer(element);
            return Ok(self.address(place, ty, span));
        }
        if self.types.is_function(place.ty) {
            let ty = self.types.pointer(place.ty);
            return Ok(match place.kind {
                PlaceKind::Dereference(pointer) => *pointer,
                _ => Expression { kind: ExpressionKind::AddressOf(place), ty, span },
            });
        }
        let ty = self.types.unqualified(place.ty);
        if self.types.is_void(ty) {
            // `*p` of a `void *` is evaluated for what `p` does.
            if let PlaceKind::Dereference(pointer) = place.kind {
                return Ok(Expression { kind: ExpressionKind::Convert(pointer), ty, span });
            }
        }
        if self.size_of(ty).is_none() {
            let name = self.describe(ty);
            return Err(self.error("E0630", format!("the value of incomplete type {name} is used"), span));
        }
        Ok(Expression { kind: Self::load_kind(place), ty, span })
    }

    /// A load; a compound literal is declared first, and then its object is loaded.
    fn load_kind(place: Place) -> ExpressionKind {
        if let PlaceKind::Value(value) = place.kind {
            return value.kind;
        }
        if let PlaceKind::Dereference(pointer) = &place.kind
            && let ExpressionKind::Block(statements, Some(result)) = &pointer.kind
            && let ExpressionKind::AddressOf(object) = &result.kind
            && object.ty == place.ty
        {
            let value =
                Expression { kind: ExpressionKind::Load(object.clone()), ty: place.ty, span: place.span };
            return ExpressionKind::Block(statements.clone(), Some(Box::new(value)));
        }
        ExpressionKind::Load(place)
    }

    /// The address of a place, as a pointer of this type.
    pub(super) fn address(&mut self, place: Place, ty: TypeId, span: Span) -> Expression {
        let address = Expression { kind: ExpressionKind::AddressOf(place), ty, span };
        match self.value_of(&address) {
            Some(value) => self.constant(value, ty, span),
            None => match address.kind {
                // `&*p` is `p` (C11 §6.5.3.2 p3).
                ExpressionKind::AddressOf(Place { kind: PlaceKind::Dereference(pointer), .. })
                    if pointer.ty == ty =>
                {
                    *pointer
                }
                kind => Expression { kind, ty, span },
            },
        }
    }

    /// Converts a value to a type, without asking whether C does so by itself.
    pub(super) fn convert(&mut self, value: Expression, to: TypeId) -> Expression {
        let to = self.types.unqualified(to);
        if value.ty == to {
            return value;
        }
        let span = value.span;
        if let ExpressionKind::Constant(bits) = value.kind
            && let Some(bits) = self.converted_bits(bits, value.ty, to)
        {
            return self.constant(bits, to, span);
        }
        if let Some(folded) = self.converted_floating(&value, to) {
            return folded;
        }
        let to_or_from_floating = self.types.is_floating(value.ty) || self.types.is_floating(to);
        if to_or_from_floating && !self.types.is_void(to) {
            let what = "a conversion of floating-point numbers".to_owned();
            return Self::unmodelled("E0701", what, vec![value], to, span);
        }
        Expression { kind: ExpressionKind::Convert(Box::new(value)), ty: to, span }
    }

    /// Something that is not modelled, with operands.
    pub(super) fn unmodelled(
        code: &'static str,
        what: String,
        operands: Vec<Expression>,
        ty: TypeId,
        span: Span,
    ) -> Expression {
        Expression { kind: ExpressionKind::Unmodelled(Unmodelled { code, what }, operands), ty, span }
    }

    /// The type of an integer after the promotions (C11 §6.3.1.1 p2). Bit-fields are promoted by their widths.
    pub(super) fn promoted_type(&mut self, value: &Expression) -> TypeId {
        let ty = self.types.plain(value.ty);
        let Some((bits, is_signed)) = self.types.integer_shape(ty) else { return ty };
        let (bits, is_field) = match self.field_width(value) {
            Some(width) => (width, true),
            None => (bits, false),
        };
        let below_int = match *self.types.kind(ty) {
            TypeKind::Integer { rank, .. } => rank < IntegerWord::Int || (is_field && bits <= 32),
            _ => true,
        };
        if !below_int {
            return ty;
        }
        // Everything narrower than an int fits one; an unsigned bit-field of 32 bits does not.
        self.types.integer(IntegerWord::Int, is_signed || bits < 32)
    }

    /// Whether a value was read from a bit-field or written to one.
    pub(super) fn is_bit_field(&self, value: &Expression) -> bool {
        self.field_width(value).is_some()
    }

    /// The width of the bit-field that a value was read from or written to.
    pub(super) fn field_width(&self, value: &Expression) -> Option<u32> {
        if let ExpressionKind::Comma(_, last) = &value.kind {
            return self.field_width(last);
        }
        if let ExpressionKind::Block(_, Some(last)) = &value.kind {
            return self.field_width(last);
        }
        let (ExpressionKind::Load(place)
        | ExpressionKind::Assign(place, _)
        | ExpressionKind::Update { place, .. }) = &value.kind
        else {
            return None;
        };
        self.bit_field(place).map(|(_, width)| width)
    }

    /// First bit and width, if a place is a bit-field.
    pub(super) fn bit_field(&self, place: &Place) -> Option<(u32, u32)> {
        let PlaceKind::Member(record, index) = &place.kind else { return None };
        let TypeKind::Record(id) = *self.types.kind(record.ty) else { return None };
        self.field(id, *index)?.bits
    }

    /// The value after the integer promotions.
    pub(super) fn promote(&mut self, value: Expression) -> Expression {
        let ty = self.promoted_type(&value);
        self.convert(value, ty)
    }

    /// The common type of two arithmetic values (C11 §6.3.1.8).
    pub(super) fn common_type(&mut self, a: &Expression, b: &Expression) -> TypeId {
        let (a, b) = (self.promoted_type(a), self.promoted_type(b));
        match (self.types.kind(a).clone(), self.types.kind(b).clone()) {
            (TypeKind::Floating { bytes: m, .. }, TypeKind::Floating { bytes: n, .. }) => {
                if m >= n {
                    a
                } else {
                    b
                }
            }
            (TypeKind::Floating { .. }, _) => a,
            (_, TypeKind::Floating { .. }) => b,
            (
                TypeKind::Integer { rank: m, is_signed: s, bits: v },
                TypeKind::Integer { rank: n, is_signed: t, bits: w },
            ) => {
                if s == t {
                    return if m >= n { a } else { b };
                }
                let (unsigned, signed) = if t { ((a, m, v), (b, n, w)) } else { ((b, n, w), (a, m, v)) };
                if unsigned.1 >= signed.1 {
                    unsigned.0
                } else if signed.2 > unsigned.2 {
                    signed.0
                } else {
                    self.types.integer(signed.1, false)
                }
            }
            _ => a,
        }
    }

    /// A value that is compared with zero: an integer or a pointer.
    pub(super) fn condition(&mut self, expression: &syntax::Expression) -> Outcome<Expression> {
        let value = self.rvalue(expression)?;
        self.truth(value)
    }

    /// See [`Resolver::condition`].
    pub(super) fn truth(&mut self, value: Expression) -> Outcome<Expression> {
        if self.types.is_floating(value.ty) {
            if let Some(truth) = self.floating_truth(&value) {
                return Ok(truth);
            }
            let (int, span) = (self.types.int(), value.span);
            let what = "a comparison of floating-point numbers".to_owned();
            return Ok(Self::unmodelled("E0701", what, vec![value], int, span));
        }
        if self.types.is_scalar(value.ty) {
            return Ok(value);
        }
        let found = self.describe(value.ty);
        Err(self.error("E0631", format!("{found} cannot be compared with zero"), value.span))
    }

    /// Whether a value is a null pointer constant (C11 §6.3.2.3 p3): a constant zero, or one cast to `void *`.
    pub(super) fn is_null(&self, value: &Expression) -> bool {
        let is_void_pointer = self
            .types
            .pointee(value.ty)
            .is_some_and(|to| self.types.is_void(to) && self.types.get(to).qualifiers == Default::default());
        (self.types.is_integer(value.ty) || is_void_pointer) && self.value_of(value) == Some(0)
    }

    /// Converts as if by assignment (C11 §6.5.16.1). `what` names the target in messages.
    pub(super) fn assigned(&mut self, value: Expression, to: TypeId, what: &str) -> Outcome<Expression> {
        let to = self.types.unqualified(to);
        let (from, span) = (value.ty, value.span);
        if from == to
            || (self.types.is_arithmetic(from) && self.types.is_arithmetic(to))
            || (self.types.is_bool(to) && self.types.pointee(from).is_some())
        {
            return Ok(self.convert(value, to));
        }
        match (self.types.pointee(from), self.types.pointee(to)) {
            (Some(a), Some(b)) => {
                let agrees =
                    self.types.is_void(a) || self.types.is_void(b) || self.types.compatible(a, b, false);
                if !agrees && !self.differ_in_sign(a, b) && !self.is_null(&value) {
                    let (from, to) = (self.describe(from), self.describe(to));
                    self.warn("W0601", format!("{what} of type {to} is given {from}"), span);
                }
                Ok(self.convert(value, to))
            }
            (None, Some(_)) if self.types.is_integer(from) => {
                if !self.is_null(&value) {
                    let (from, to) = (self.describe(from), self.describe(to));
                    self.warn("W0602", format!("{what} of type {to} is given {from} without a cast"), span);
                }
                Ok(self.convert(value, to))
            }
            (Some(_), None) if self.types.is_integer(to) => {
                let (from, name) = (self.describe(from), self.describe(to));
                self.warn("W0602", format!("{what} of type {name} is given {from} without a cast"), span);
                Ok(self.convert(value, to))
            }
            _ if self.types.kind(from) == self.types.kind(to) && !self.types.is_void(to) => {
                Ok(Expression { ty: to, ..value })
            }
            _ => {
                let (from, to) = (self.describe(from), self.describe(to));
                Err(self.error("E0632", format!("{what} of type {to} cannot be given {from}"), span))
            }
        }
    }

    /// Whether two integer types differ in their sign only: pointers to such are exchanged freely in practice.
    fn differ_in_sign(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.integer_shape(a), self.types.integer_shape(b)) {
            (Some((m, _)), Some((n, _))) => m == n,
            _ => false,
        }
    }

    /// Converts an argument for which no parameter is declared (C11 §6.5.2.2 p6).
    pub(super) fn default_promotion(&mut self, value: Expression) -> Expression {
        match *self.types.kind(value.ty) {
            TypeKind::Floating { bytes: 4, is_real: true } => {
                let double = self.types.of(TypeKind::Floating { bytes: 8, is_real: true });
                self.convert(value, double)
            }
            _ => self.promote(value),
        }
    }

    /// A value whose sign is changed at once if it is constant and does not overflow.
    pub(super) fn negated(&mut self, value: Expression) -> Expression {
        let (ty, span) = (value.ty, value.span);
        if let (ExpressionKind::Constant(bits), Some((width, is_signed))) =
            (&value.kind, self.types.integer_shape(ty))
        {
            let is_least = is_signed && *bits == 1 << (width - 1);
            if !is_least {
                return self.constant(truncate(bits.wrapping_neg(), width), ty, span);
            }
        }
        Expression { kind: ExpressionKind::Negate(Box::new(value)), ty, span }
    }
}
