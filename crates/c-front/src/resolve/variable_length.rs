//! Arrays of variable length (C11 §6.7.6.2): variables of functions whose outermost length is computed where they are
//! declared. The length is kept in a variable of its own; in expressions, the array is of unknown length, so nothing can be made
//! of its type that depends on it, but for `sizeof`.

use super::scope::Meaning;
use super::{Outcome, Resolver};
use crate::hir::{
    Expression, ExpressionKind, ObjectId, Place, PlaceKind, Statement, StatementKind, Storage, Store, TypeId,
    TypeKind,
};
use crate::syntax::{self, ArraySize, BinaryOperator, Declarator, Derived, Initializer, Name, Specifiers};
use throng_base::Span;

/// The most elements that are modelled: what is longer is left out, and the report says so.
pub(crate) const MOST_ELEMENTS: u64 = 1 << 14;

impl Resolver<'_> {
    /// The length of an array of variable length, if a declarator declares one.
    pub(super) fn variable_length(
        &mut self,
        specifiers: &Specifiers,
        declarator: &Declarator,
    ) -> Option<Outcome<Expression>> {
        let is_automatic = self.function.is_some()
            && !self.scopes.is_file()
            && !specifiers.is_thread_local
            && matches!(
                specifiers.storage,
                None | Some(syntax::Storage::Auto) | Some(syntax::Storage::Register)
            );
        let Some((Derived::Array { size: ArraySize::Expression(length), .. }, _)) =
            declarator.derived.split_last()
        else {
            return None;
        };
        if !is_automatic {
            return None;
        }
        let errors = self.errors.len();
        let value = match self.rvalue(length) {
            Ok(value) => value,
            Err(reported) => return Some(Err(reported)),
        };
        if !self.types.is_integer(value.ty) || self.known_value_of(&value).is_some() {
            // An array like any other: what is wrong is told there.
            self.errors.truncate(errors);
            return None;
        }
        Some(Ok(value))
    }

    /// Declares an array of variable length.
    pub(super) fn variable_array(
        &mut self,
        name: &Name,
        base: TypeId,
        declarator: &Declarator,
        length: Expression,
        initializer: Option<&Initializer>,
        out: &mut Vec<Statement>,
    ) -> Outcome<()> {
        if let Some((_, other)) = self.scopes.name_here(&name.text) {
            return Err(self.redeclared(name, other));
        }
        if initializer.is_some() {
            let message = "an array of variable length has no initial value";
            return Err(self.error("E0616", message, name.span));
        }
        let inner = &declarator.derived[..declarator.derived.len() - 1];
        let element = self.derived_type(base, inner)?;
        let Some(size) = self.size_of(element).filter(|&size| size > 0) else {
            let found = self.describe(element);
            return Err(self.error("E0618", format!("there are no arrays of {found}"), name.span));
        };
        let most = MOST_ELEMENTS.min((1 << 30) / size).max(1);
        let ty = self.types.array(element, Some(most));
        let storage = self.function.as_ref().map_or(Storage::Static, |it| Storage::Automatic(it.id));
        let (ptrdiff, span) = (self.types.ptrdiff_t(), length.span);
        let counter = self.new_object(format!("length of {}", name.text), ptrdiff, storage, span);
        let value = self.convert(length, ptrdiff);
        let stores = vec![Store { path: Vec::new(), value }];
        out.push(Statement { kind: StatementKind::Declare(counter, Some(stores)), span });
        let array = self.new_object(name.text.to_string(), ty, storage, name.span);
        self.objects[array.index()].length = Some(counter);
        self.scopes.declare(name.text.clone(), Meaning::Object(array), name.span);
        out.push(Statement { kind: StatementKind::Declare(array, None), span: name.span });
        Ok(())
    }

    /// The type of a variable in expressions.
    pub(super) fn visible_type(&mut self, object: ObjectId) -> TypeId {
        let ty = self.objects[object.index()].ty;
        match (self.objects[object.index()].length, self.types.kind(ty)) {
            (Some(_), &TypeKind::Array { element, .. }) => self.types.array(element, None),
            _ => ty,
        }
    }

    /// `sizeof a` of an array of variable length.
    pub(super) fn variable_size(&mut self, operand: &syntax::Expression, span: Span) -> Option<Expression> {
        let syntax::ExpressionKind::Name(name) = &operand.kind else { return None };
        let Some((Meaning::Object(object), _)) = self.scopes.name(name) else { return None };
        let counter = self.objects[object.index()].length?;
        let ty = self.objects[object.index()].ty;
        let &TypeKind::Array { element, .. } = self.types.kind(ty) else { return None };
        let size = self.size_of(element)?;
        let (size_t, ptrdiff) = (self.types.size_t(), self.types.ptrdiff_t());
        let place = Place { kind: PlaceKind::Object(counter), ty: ptrdiff, span };
        let length = Expression { kind: ExpressionKind::Load(place), ty: ptrdiff, span };
        let length = self.convert(length, size_t);
        let size = self.constant(u128::from(size), size_t, span);
        let kind = ExpressionKind::Binary(BinaryOperator::Multiply, Box::new(length), Box::new(size));
        Some(Expression { kind, ty: size_t, span })
    }
}
