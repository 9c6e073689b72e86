//! Expressions: what each kind of them means, with operators and calls in their own modules.

use super::convert::Operand;
use super::scope::Meaning;
use super::{Outcome, Resolver};
use crate::hir::{self, Expression, ExpressionKind, Place, PlaceKind, TypeId};
use crate::syntax::{self, Encoding, IntegerLiteral, IntegerWord};
use throng_base::Span;

/// The longest chain of operators such as `a + b + …` that is read: what comes later descends into them.
const MAX_CHAIN: usize = 4096;

impl Resolver<'_> {
    /// An expression before it is converted to a value.
    pub(super) fn operand(&mut self, expression: &syntax::Expression) -> Outcome<Operand> {
        use syntax::ExpressionKind as Kind;
        let span = expression.span;
        let value = match &expression.kind {
            Kind::Name(name) => return self.name(name, span),
            Kind::Integer(literal) => self.integer_literal(*literal, span)?,
            Kind::Character(value, encoding) => {
                let ty = match encoding {
                    Encoding::Narrow | Encoding::Wide => self.types.int(),
                    Encoding::Utf16 | Encoding::Utf32 => self.character_type(*encoding),
                };
                self.constant(*value as u128, ty, span)
            }
            Kind::Floating(text) => self.floating_literal(text, span),
            Kind::String { bytes, encoding } => return Ok(self.string(bytes, *encoding, span)),
            Kind::Unary(operator, operand) => return self.unary(*operator, operand, span),
            Kind::Binary(..) | Kind::And(..) | Kind::Or(..) | Kind::Comma(..) => self.chain(expression)?,
            Kind::Assign(None, place, value) => self.assign(place, value, span)?,
            Kind::Assign(Some(operator), place, value) => self.update(*operator, place, value, span)?,
            Kind::Conditional(condition, then, otherwise) => {
                self.conditional(condition, then.as_deref(), otherwise, span)?
            }
            Kind::Cast(ty, operand) => self.cast(ty, operand, span)?,
            Kind::CompoundLiteral(ty, list) => return self.compound_literal(ty, list, span),
            Kind::Call(callee, arguments) => return self.call(callee, arguments, span).map(Operand::Value),
            Kind::Member(record, name) => return self.member(record, name, span),
            Kind::Arrow(pointer, name) => return self.arrow(pointer, name, span),
            Kind::Index(a, i) => return self.index(a, i, span),
            Kind::SizeofExpression(operand) => match self.variable_size(operand, span) {
                Some(size) => size,
                None => {
                    let ty = self.unevaluated_type(operand)?;
                    self.size_constant(ty, span)?
                }
            },
            Kind::SizeofType(ty) => {
                let ty = self.type_name_of(ty)?;
                self.size_constant(ty, span)?
            }
            Kind::AlignofType(ty) => {
                let ty = self.type_name_of(ty)?;
                self.align_constant(ty, span)
            }
            Kind::AlignofExpression(operand) => {
                let ty = self.unevaluated_type(operand)?;
                self.align_constant(ty, span)
            }
            Kind::Offsetof(ty, designators) => self.offset_of(ty, designators, span)?,
            Kind::StatementExpression(block) => self.statement_expression(block, span)?,
            Kind::Generic(control, choices) => return self.generic(control, choices, span),
            Kind::VaArg(list, ty) => {
                let (list, ty) = (self.rvalue(list)?, self.type_name_of(ty)?);
                let ty = self.types.unqualified(ty);
                Self::unmodelled("E0702", "`va_arg`".to_owned(), vec![list], ty, span)
            }
            Kind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name_of(a)?, self.type_name_of(b)?);
                let is_compatible = self.types.compatible(a, b, false) && self.types.same_characters(a, b);
                self.int_constant(i128::from(is_compatible), span)
            }
            Kind::Choose(condition, a, b) => {
                let condition = self.integer_constant(condition, "what decides between two expressions")?;
                return self.operand(if condition != 0 { a } else { b });
            }
            Kind::LabelAddress(_) => {
                let ty = self.types.void_pointer();
                Self::unmodelled("E0703", "the address of a label".to_owned(), Vec::new(), ty, span)
            }
        };
        Ok(Operand::Value(value))
    }

    /// A name: a variable, a function or a constant.
    fn name(&mut self, name: &str, span: Span) -> Outcome<Operand> {
        match self.scopes.name(name) {
            Some((Meaning::Object(object), _)) => {
                let ty = self.visible_type(object);
                Ok(Operand::Place(Place { kind: PlaceKind::Object(object), ty, span }))
            }
            Some((Meaning::Function(function), _)) => Ok(Operand::Function(function, span)),
            Some((Meaning::Enumerator(value, ty), _)) => Ok(Operand::Value(self.constant(value, ty, span))),
            Some((Meaning::Typedef(_), _)) => {
                Err(self.error("E0601", format!("`{name}` is a type, not a value"), span))
            }
            None => self.unknown_name(name, span),
        }
    }

    fn unknown_name(&mut self, name: &str, span: Span) -> Outcome<Operand> {
        if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
            && let Some(context) = &self.function
        {
            let bytes = context.name.clone().into_bytes();
            return Ok(self.string(&bytes, Encoding::Narrow, span));
        }
        if let Some(function) = self.implicit_function(name, span) {
            return Ok(Operand::Function(function, span));
        }
        let mut diagnostic = self.text.error("E0600", format!("`{name}` is not declared"), span);
        if let Some(near) = self.scopes.closest(name) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        Err(self.report(diagnostic))
    }

    /// The first type of C11 §6.4.4.1 p5 that holds the value.
    fn integer_literal(&mut self, literal: IntegerLiteral, span: Span) -> Outcome<Expression> {
        let ranks = [IntegerWord::Int, IntegerWord::Long, IntegerWord::LongLong, IntegerWord::Int128];
        for rank in ranks.into_iter().skip(usize::from(literal.longs)) {
            let bits = self.types.width(rank);
            if !literal.is_unsigned && literal.value >> (bits - 1) == 0 {
                let ty = self.types.integer(rank, true);
                return Ok(self.constant(literal.value, ty, span));
            }
            let fits_unsigned = bits == 128 || literal.value >> bits == 0;
            if (literal.is_unsigned || !literal.is_decimal) && fits_unsigned {
                let ty = self.types.integer(rank, false);
                return Ok(self.constant(literal.value, ty, span));
            }
        }
        Err(self.error("E0602", "this number is too large for any integer type", span))
    }

    /// The type of the characters of a string with such a prefix.
    fn character_type(&mut self, encoding: Encoding) -> TypeId {
        match encoding {
            Encoding::Narrow => self.types.char(),
            Encoding::Wide => self.types.int(),
            Encoding::Utf16 => self.types.integer(IntegerWord::Short, false),
            Encoding::Utf32 => self.types.integer(IntegerWord::Int, false),
        }
    }

    /// A string literal: an array of static storage.
    pub(super) fn string(&mut self, bytes: &[u8], encoding: Encoding, span: Span) -> Operand {
        let element = self.character_type(encoding);
        let values = string_values(bytes, encoding);
        let ty = self.types.array(element, Some(values.len() as u64 + 1));
        let qualifiers = syntax::Qualifiers { is_const: true, ..Default::default() };
        let const_ty = self.types.qualify(ty, qualifiers);
        let name = format!("{:?}", String::from_utf8_lossy(bytes));
        let object = self.new_object(name, const_ty, hir::Storage::Static, span);
        self.objects[object.index()].initial = self.string_stores(&values, element, &[], span);
        Operand::Place(Place { kind: PlaceKind::Object(object), ty, span })
    }

    /// The type of an expression that is not evaluated.
    pub(super) fn unevaluated_type(&mut self, expression: &syntax::Expression) -> Outcome<TypeId> {
        let operand = self.operand(expression)?;
        Ok(self.operand_type(&operand))
    }

    fn size_constant(&mut self, ty: TypeId, span: Span) -> Outcome<Expression> {
        match self.size_of(ty) {
            Some(size) => {
                let size_t = self.types.size_t();
                Ok(self.constant(u128::from(size), size_t, span))
            }
            None => {
                let found = self.describe(ty);
                Err(self.error("E0645", format!("the size of {found} is not known here"), span))
            }
        }
    }

    fn align_constant(&mut self, ty: TypeId, span: Span) -> Expression {
        let size_t = self.types.size_t();
        self.constant(u128::from(self.align_of(ty)), size_t, span)
    }

    /// `offsetof(type, m.n[2])`: the address of that part of an object at address zero.
    fn offset_of(
        &mut self,
        ty: &syntax::TypeName,
        path: &[syntax::Designator],
        span: Span,
    ) -> Outcome<Expression> {
        let ty = self.type_name_of(ty)?;
        let pointer = self.types.pointer(ty);
        let zero = self.constant(0, pointer, span);
        let mut place = Place { kind: PlaceKind::Dereference(Box::new(zero)), ty, span };
        for step in path {
            place = match step {
                syntax::Designator::Member(name) => self.member_of(place, name, span)?,
                syntax::Designator::Index(index) | syntax::Designator::Range(index, _) => {
                    let index = self.rvalue(index)?;
                    let index = self.pointer_index(index)?;
                    let Some(element) = self.types.element(place.ty) else {
                        let found = self.describe(place.ty);
                        return Err(self.error("E0643", format!("{found} is not an array"), span));
                    };
                    Place { kind: PlaceKind::Element(Box::new(place), Box::new(index)), ty: element, span }
                }
            };
        }
        if self.bit_field(&place).is_some() {
            return Err(self.error("E0648", "a bit-field has no address", span));
        }
        let pointer = self.types.pointer(place.ty);
        let address = self.address(place, pointer, span);
        let size_t = self.types.size_t();
        Ok(self.convert(address, size_t))
    }

    /// `(type) e`
    fn cast(
        &mut self,
        ty: &syntax::TypeName,
        operand: &syntax::Expression,
        span: Span,
    ) -> Outcome<Expression> {
        let to = self.type_name_of(ty);
        let value = self.rvalue(operand)?;
        let to = self.types.unqualified(to?);
        if self.types.is_void(to) {
            return Ok(Expression { kind: ExpressionKind::Convert(Box::new(value)), ty: to, span });
        }
        let is_same = self.types.kind(to) == self.types.kind(value.ty);
        let is_scalar = self.types.is_scalar(to) && self.types.is_scalar(value.ty);
        let between_pointer_and_floating = (self.types.pointee(to).is_some()
            && self.types.is_floating(value.ty))
            || (self.types.is_floating(to) && self.types.pointee(value.ty).is_some());
        if is_scalar && !between_pointer_and_floating {
            if self.is_bit_field(&value) {
                // What is converted is no bit-field any more, and is not promoted by its width.
                return Ok(Expression { kind: ExpressionKind::Convert(Box::new(value)), ty: to, span });
            }
            let converted = self.convert(value, to);
            return Ok(Expression { span, ..converted });
        }
        if is_same {
            return Ok(Expression { span, ty: to, ..value });
        }
        let (from, to) = (self.describe(value.ty), self.describe(to));
        Err(self.error("E0633", format!("{from} cannot be converted to {to}"), span))
    }

    /// `_Generic(e, type: a, default: b)`: the expression of the type that `e` has.
    fn generic(
        &mut self,
        control: &syntax::Expression,
        choices: &[(Option<syntax::TypeName>, syntax::Expression)],
        span: Span,
    ) -> Outcome<Operand> {
        let control = self.rvalue(control)?;
        let ty = self.types.plain(control.ty);
        let mut chosen = None;
        for (name, expression) in choices {
            match name {
                None => chosen = chosen.or(Some(expression)),
                Some(name) => {
                    let candidate = self.type_name_of(name)?;
                    if self.types.get(candidate).qualifiers == syntax::Qualifiers::default()
                        && self.types.compatible(ty, candidate, false)
                        && self.types.same_characters(ty, candidate)
                    {
                        return self.operand(expression);
                    }
                }
            }
        }
        match chosen {
            Some(expression) => self.operand(expression),
            None => {
                let found = self.describe(ty);
                Err(self.error("E0649", format!("no choice of `_Generic` is for {found}"), span))
            }
        }
    }

    /// Operators that lean to the left, as long as they go on: without descending.
    fn chain(&mut self, expression: &syntax::Expression) -> Outcome<Expression> {
        use syntax::ExpressionKind as Kind;
        let mut nodes = Vec::new();
        let mut first = expression;
        while let Kind::Binary(_, left, _) | Kind::And(left, _) | Kind::Or(left, _) | Kind::Comma(left, _) =
            &first.kind
        {
            nodes.push(first);
            first = left;
        }
        if nodes.len() > MAX_CHAIN {
            let message = format!("more than {MAX_CHAIN} operators follow each other");
            return Err(self.error_with_hint("E0603", message, expression.span, "split the expression"));
        }
        let mut left = self.rvalue(first);
        for node in nodes.into_iter().rev() {
            let (Kind::Binary(_, _, right)
            | Kind::And(_, right)
            | Kind::Or(_, right)
            | Kind::Comma(_, right)) = &node.kind
            else {
                continue;
            };
            // Errors on both sides are found.
            let right = self.rvalue(right);
            left = match (left, right) {
                (Ok(left), Ok(right)) => self.combine(node, left, right),
                _ => Err(super::Reported),
            };
        }
        left
    }

    /// One operator of a chain.
    fn combine(
        &mut self,
        node: &syntax::Expression,
        left: Expression,
        right: Expression,
    ) -> Outcome<Expression> {
        use syntax::ExpressionKind as Kind;
        let span = node.span;
        let (kind, ty) = match &node.kind {
            Kind::Binary(operator, ..) => return self.binary(*operator, left, right, span),
            Kind::Comma(..) => {
                let ty = right.ty;
                (ExpressionKind::Comma(Box::new(left), Box::new(right)), ty)
            }
            kind => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                let (left, right) = (Box::new(left), Box::new(right));
                let is_and = matches!(kind, Kind::And(..));
                let kind =
                    if is_and { ExpressionKind::And(left, right) } else { ExpressionKind::Or(left, right) };
                (kind, self.types.int())
            }
        };
        Ok(Expression { kind, ty, span })
    }
}

/// The characters of a string literal.
pub(super) fn string_values(bytes: &[u8], encoding: Encoding) -> Vec<u128> {
    let wide = bytes.chunks(encoding.size()).map(|chunk| {
        chunk.iter().enumerate().map(|(index, &byte)| u128::from(byte) << (8 * index)).sum::<u128>()
    });
    wide.collect()
}
