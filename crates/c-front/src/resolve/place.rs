//! Lvalues: variables, `*p`, `p[i]`, members; and what may be assigned to.

use super::convert::Operand;
use super::{Outcome, Resolver};
use crate::hir::{Expression, ExpressionKind, Place, PlaceKind, TypeId, TypeKind};
use crate::syntax;
use throng_base::{Span, suggest};

impl Resolver<'_> {
    /// An expression that has to be an lvalue.
    pub(super) fn place(&mut self, expression: &syntax::Expression) -> Outcome<Place> {
        match self.operand(expression)? {
            Operand::Place(place) => Ok(place),
            operand => Err(self.error(
                "E0640",
                "this is not something that has an address or can be assigned to",
                operand.span(),
            )),
        }
    }

    /// An lvalue that may be assigned to: not `const`, not an array.
    pub(super) fn assignable(&mut self, expression: &syntax::Expression) -> Outcome<Place> {
        let place = self.place(expression)?;
        if matches!(place.kind, PlaceKind::Value(_)) || self.is_member_of_value(&place) {
            return Err(self.error("E0640", "this is a value, which cannot be assigned to", place.span));
        }
        if self.types.element(place.ty).is_some() {
            return Err(self.error_with_hint(
                "E0641",
                "an array cannot be assigned",
                place.span,
                "assign its elements, or put it into a struct",
            ));
        }
        if self.types.get(place.ty).qualifiers.is_const {
            let found = self.describe(place.ty);
            return Err(self.error(
                "E0642",
                format!("this is of type {found} and cannot be changed"),
                place.span,
            ));
        }
        if self.types.is_function(place.ty)
            || self.size_of(place.ty).is_none()
            || self.types.is_void(place.ty)
        {
            let found = self.describe(place.ty);
            return Err(self.error(
                "E0640",
                format!("something of type {found} cannot be assigned"),
                place.span,
            ));
        }
        Ok(place)
    }

    fn is_member_of_value(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Member(inner, _) | PlaceKind::Element(inner, _) => self.is_member_of_value(inner),
            PlaceKind::Value(_) => true,
            PlaceKind::Object(_) | PlaceKind::Dereference(_) => false,
        }
    }

    /// `*pointer`. What a known place's address points to is the place.
    pub(super) fn dereference(&mut self, pointer: Expression, span: Span) -> Outcome<Operand> {
        let Some(ty) = self.types.pointee(pointer.ty) else {
            let found = self.describe(pointer.ty);
            return Err(self.error("E0643", format!("{found} is not a pointer"), pointer.span));
        };
        if let ExpressionKind::FunctionAddress(function) = pointer.kind {
            return Ok(Operand::Function(function, span));
        }
        let kind = match pointer.kind {
            ExpressionKind::AddressOf(place) if place.ty == ty => place.kind,
            ExpressionKind::AddressOf(place) if self.types.element(place.ty) == Some(ty) => {
                let ptrdiff = self.types.ptrdiff_t();
                let zero = self.constant(0, ptrdiff, span);
                PlaceKind::Element(Box::new(place), Box::new(zero))
            }
            ExpressionKind::Offset { pointer: base, index, size, is_negative } => match base.kind {
                ExpressionKind::AddressOf(place)
                    if !is_negative && self.types.element(place.ty) == Some(ty) =>
                {
                    PlaceKind::Element(Box::new(place), index)
                }
                kind => {
                    let base = Box::new(Expression { kind, ..*base });
                    let kind = ExpressionKind::Offset { pointer: base, index, size, is_negative };
                    PlaceKind::Dereference(Box::new(Expression { kind, ty: pointer.ty, span: pointer.span }))
                }
            },
            kind => PlaceKind::Dereference(Box::new(Expression { kind, ..pointer })),
        };
        Ok(Operand::Place(Place { kind, ty, span }))
    }

    /// `a[i]`, which is `*(a + i)`.
    pub(super) fn index(
        &mut self,
        a: &syntax::Expression,
        i: &syntax::Expression,
        span: Span,
    ) -> Outcome<Operand> {
        let (a, i) = (self.operand(a), self.operand(i));
        let (mut a, mut i) = (a?, i?);
        // `i[a]` is the same.
        let is_integer =
            |resolver: &Self, operand: &Operand| resolver.types.is_integer(resolver.operand_type(operand));
        if is_integer(self, &a) && !is_integer(self, &i) {
            std::mem::swap(&mut a, &mut i);
        }
        let index = self.value(i)?;
        if let Operand::Place(array) = &a
            && let Some(element) = self.types.element(array.ty)
        {
            let index = self.pointer_index(index)?;
            let kind = PlaceKind::Element(Box::new(array.clone()), Box::new(index));
            return Ok(Operand::Place(Place { kind, ty: element, span }));
        }
        let pointer = self.value(a)?;
        let address = self.offset(pointer, index, false, span)?;
        self.dereference(address, span)
    }

    /// An index: an integer as wide as a pointer.
    pub(super) fn pointer_index(&mut self, index: Expression) -> Outcome<Expression> {
        if !self.types.is_integer(index.ty) {
            let found = self.describe(index.ty);
            return Err(self.error(
                "E0644",
                format!("an index has to be an integer, not {found}"),
                index.span,
            ));
        }
        let ptrdiff = self.types.ptrdiff_t();
        Ok(self.convert(index, ptrdiff))
    }

    /// `pointer + index` or `pointer - index`.
    pub(super) fn offset(
        &mut self,
        pointer: Expression,
        index: Expression,
        is_negative: bool,
        span: Span,
    ) -> Outcome<Expression> {
        let Some(element) = self.types.pointee(pointer.ty) else {
            let found = self.describe(pointer.ty);
            return Err(self.error(
                "E0643",
                format!("{found} is neither a pointer nor an array"),
                pointer.span,
            ));
        };
        let Some(size) = self.size_of(element) else {
            let found = self.describe(element);
            return Err(self.error(
                "E0645",
                format!("the size of {found}, to which the pointer points, is not known"),
                span,
            ));
        };
        let index = self.pointer_index(index)?;
        let ty = pointer.ty;
        let kind =
            ExpressionKind::Offset { pointer: Box::new(pointer), index: Box::new(index), size, is_negative };
        Ok(Expression { kind, ty, span })
    }

    /// `e.m`
    pub(super) fn member(
        &mut self,
        record: &syntax::Expression,
        name: &syntax::Name,
        span: Span,
    ) -> Outcome<Operand> {
        let place = match self.operand(record)? {
            Operand::Place(place) => place,
            Operand::Value(value) => {
                let (ty, span) = (value.ty, value.span);
                Place { kind: PlaceKind::Value(Box::new(value)), ty, span }
            }
            Operand::Function(_, span) => return Err(self.error("E0646", "a function has no members", span)),
        };
        if self.types.pointee(place.ty).is_some_and(|to| self.types.is_record(to)) {
            let found = self.describe(place.ty);
            let (message, hint) =
                (format!("{found} is a pointer and has no members"), format!("write `->{}`", name.text));
            return Err(self.error_with_hint("E0646", message, place.span, hint));
        }
        self.member_of(place, name, span).map(Operand::Place)
    }

    /// `e->m`
    pub(super) fn arrow(
        &mut self,
        pointer: &syntax::Expression,
        name: &syntax::Name,
        span: Span,
    ) -> Outcome<Operand> {
        let pointer = self.rvalue(pointer)?;
        if self.types.is_record(pointer.ty) {
            let hint = format!("write `.{}`", name.text);
            return Err(self.error_with_hint(
                "E0643",
                "this is not a pointer but a struct",
                pointer.span,
                hint,
            ));
        }
        let at = pointer.span;
        match self.dereference(pointer, at)? {
            Operand::Place(place) => self.member_of(place, name, span).map(Operand::Place),
            operand => Err(self.error("E0646", "a function has no members", operand.span())),
        }
    }

    /// The member of this name, through anonymous members if need be.
    pub(super) fn member_of(&mut self, place: Place, name: &syntax::Name, span: Span) -> Outcome<Place> {
        let path = self.field_path(place.ty, name)?;
        let mut place = place;
        for index in path {
            place = self.member_at(place, index, span);
        }
        Ok(place)
    }

    /// The numbers of the members on the way to the one of this name, or an error.
    pub(super) fn field_path(&mut self, ty: TypeId, name: &syntax::Name) -> Outcome<Vec<u32>> {
        let described = self.describe(ty);
        let TypeKind::Record(id) = *self.types.kind(ty) else {
            return Err(self.error("E0646", format!("{described} has no members"), name.span));
        };
        if let Some(path) = self.find_field(id, &name.text) {
            return Ok(path);
        }
        let Some(fields) = &self.records[id.index()].fields else {
            return Err(self.error(
                "E0630",
                format!("{described} is declared, but its members are not known here"),
                name.span,
            ));
        };
        let names = fields.iter().filter_map(|field| field.name.as_deref());
        let message = format!("{described} has no member `{}`", name.text);
        let mut diagnostic = self.text.error("E0647", message, name.span);
        if let Some(near) = suggest::closest(names, &name.text) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        Err(self.report(diagnostic))
    }

    /// A member by its number, with the qualifiers of the whole.
    fn member_at(&mut self, place: Place, index: u32, span: Span) -> Place {
        let mut added = self.types.get(place.ty).qualifiers;
        added.is_atomic = false;
        let ty = match *self.types.kind(place.ty) {
            TypeKind::Record(id) => self.field(id, index).map(|field| field.ty),
            _ => None,
        };
        let ty = ty.expect("invariant: the path to a member goes through structs");
        let ty = self.types.qualify(ty, added);
        Place { kind: PlaceKind::Member(Box::new(place), index), ty, span }
    }
}
