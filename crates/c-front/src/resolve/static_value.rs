//! Initial values of static storage (C11 §6.6 p7–p9): constants, and addresses of static objects and functions with
//! constants added. Compound literals of constants are constants too, as GNU C has it.

use super::{Outcome, Resolver};
use crate::hir::{Expression, ExpressionKind, PlaceKind, Storage, Store};
use crate::syntax;

impl Resolver<'_> {
    /// The stores of a struct that is a constant: a compound literal outside of functions.
    pub(super) fn constant_record(&self, value: &Expression) -> Option<Vec<Store>> {
        if !self.types.is_record(value.ty) {
            return None;
        }
        let place = match &value.kind {
            ExpressionKind::Load(place) => place,
            ExpressionKind::Block(statements, _) => {
                // The same in a function, for a `static` variable.
                let [
                    crate::hir::Statement {
                        kind: crate::hir::StatementKind::Declare(_, Some(stores)), ..
                    },
                ] = &statements[..]
                else {
                    return None;
                };
                return Some(stores.clone());
            }
            _ => return None,
        };
        let PlaceKind::Object(object) = place.kind else { return None };
        self.is_static_literal(object).then(|| self.objects[object.index()].initial.clone())
    }

    /// Whether an object is a compound literal outside of functions: no name in C has a parenthesis.
    pub(super) fn is_static_literal(&self, object: crate::hir::ObjectId) -> bool {
        let object = &self.objects[object.index()];
        object.name.starts_with('(') && object.storage == Storage::Static
    }

    /// A value of static storage: a constant, or an address with a constant added.
    pub(super) fn static_value(&mut self, value: Expression) -> Outcome<Expression> {
        let mut value = value;
        self.read_known(&mut value);
        if let Some(bits) = self.value_of(&value) {
            let (ty, span) = (value.ty, value.span);
            return Ok(self.constant(bits, ty, span));
        }
        if self.is_static_value(&value) {
            return Ok(value);
        }
        Err(self.error("E0621", "the initial value of something static is not constant", value.span))
    }

    fn is_static_value(&self, value: &Expression) -> bool {
        if self.value_of(value).is_some() {
            return true;
        }
        match &value.kind {
            // Integers are known already; these are floating-point numbers.
            ExpressionKind::FunctionAddress(_) | ExpressionKind::Constant(_) => true,
            ExpressionKind::AddressOf(place) => self.is_static_place(place),
            ExpressionKind::Convert(operand) => self.is_static_value(operand),
            ExpressionKind::Offset { pointer, index, .. } => {
                self.is_static_value(pointer) && self.value_of(index).is_some()
            }
            ExpressionKind::Binary(syntax::BinaryOperator::Add | syntax::BinaryOperator::Subtract, a, b) => {
                self.is_static_value(a) && self.is_static_value(b)
            }
            ExpressionKind::Conditional(condition, a, b) => {
                self.value_of(condition).is_some() && self.is_static_value(a) && self.is_static_value(b)
            }
            // Floating-point numbers are constants, of values that are not modelled.
            ExpressionKind::Unmodelled(_, operands) => {
                operands.iter().all(|operand| self.is_static_value(operand))
            }
            _ => false,
        }
    }

    fn is_static_place(&self, place: &crate::hir::Place) -> bool {
        match &place.kind {
            PlaceKind::Object(object) => self.objects[object.index()].storage == Storage::Static,
            PlaceKind::Member(inner, _) => self.is_static_place(inner),
            PlaceKind::Element(inner, index) => self.is_static_place(inner) && self.value_of(index).is_some(),
            PlaceKind::Dereference(pointer) => self.is_static_value(pointer),
            PlaceKind::Value(_) => false,
        }
    }
}
