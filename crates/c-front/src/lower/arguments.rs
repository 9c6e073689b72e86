//! The arguments of `main`. Their number is any number; the texts have no model, but for one use: `atoi(argv[1])` and the like
//! are any number, the same one each time.
//!
//! That is exact if nothing else looks at the text. What does look at it reads memory without a model, and is refused where that
//! matters; a second way to make a number of the same text is refused likewise.

use super::threads::strip;
use super::{Lower, types};
use crate::hir::{Expression, ExpressionKind, FunctionId, ObjectId, PlaceKind, Storage, TypeKind};
use throng_cfa::flow::{BinaryOperator, ExpressionId, PropertyKind, Scope, Variable, VariableId};

/// What is said where the texts matter.
pub(super) const MESSAGE: &str = "the arguments of main are not modelled";

/// Functions of the library that make a number of a text.
const CONVERSIONS: [&str; 7] = ["atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", "strtoull"];

impl<'p> Lower<'p> {
    /// The value of a call that makes a number of an argument of `main`, if it is one.
    pub(super) fn argument_number(
        &mut self,
        function: FunctionId,
        arguments: &'p [Expression],
        e: &'p Expression,
    ) -> Option<ExpressionId> {
        let definition = &self.program.functions[function.index()];
        if !CONVERSIONS.contains(&definition.name.as_str())
            || !self.program.text.is_system(definition.span.start)
        {
            return None;
        }
        let (number, count) = self.argument_of_main(arguments.first()?)?;
        let is_decimal = match arguments {
            [_] => true,
            [_, end, base] => {
                matches!(strip(end).kind, ExpressionKind::Constant(0))
                    && matches!(strip(base).kind, ExpressionKind::Constant(_))
            }
            _ => false,
        };
        let bits = types::bits_of(self.program, e.ty);
        let known = self.argument_numbers.get(&number).copied();
        if !is_decimal || known.is_some_and(|(other, _)| other != function) {
            return Some(self.unmodelled_at(bits, "E0717", MESSAGE, e.span));
        }
        // `argv[argc]` is null.
        let width = self.variables[count.index()].bits;
        let (count, least) = (self.e.variable(count, width), self.e.constant(number, width));
        let is_there = self.e.binary(BinaryOperator::SignedLess, least, count);
        let failure = "use of an argument of main that is not there";
        self.require_or(PropertyKind::Pointers, is_there, failure, e.span);
        let variable = match known {
            Some((_, variable)) => variable,
            None => self.new_argument(number, function, bits, e),
        };
        self.note("arguments", "numbers in arguments of main are arbitrary, and the same each time", e.span);
        Some(self.e.variable(variable, bits))
    }

    fn new_argument(&mut self, number: u128, function: FunctionId, bits: u32, e: &Expression) -> VariableId {
        let variable = self.add_variable(Variable {
            name: format!("number in argument {number}"),
            function: None,
            scope: Scope::Shared,
            bits,
            ty: self.value_type(e.ty),
            length: 1,
            initial: None,
            address: None,
            is_ghost: true,
        });
        self.argument_numbers.insert(number, (function, variable));
        variable
    }

    /// Which argument of `main` an expression is, and the variable that has how many there are: `argv[2]`, as long as neither
    /// parameter is changed.
    fn argument_of_main(&mut self, text: &Expression) -> Option<(u128, VariableId)> {
        let ExpressionKind::Load(place) = &strip(text).kind else { return None };
        let PlaceKind::Dereference(pointer) = &place.kind else { return None };
        let (list, number) = match &pointer.kind {
            ExpressionKind::Offset { pointer, index, is_negative: false, .. } => match strip(index).kind {
                ExpressionKind::Constant(number) => (&**pointer, number),
                _ => return None,
            },
            _ => (&**pointer, 0),
        };
        let ExpressionKind::Load(list) = &strip(list).kind else { return None };
        let PlaceKind::Object(list) = list.kind else { return None };
        let Storage::Parameter(main) = self.program.objects[list.index()].storage else { return None };
        let definition = &self.program.functions[main.index()];
        let &[count, known] = &definition.parameters[..] else { return None };
        let is_main = definition.name == "main" && known == list && self.options.threads_run.is_empty();
        if !is_main || self.is_changed(count) || self.is_changed(list) || number == 0 {
            return None;
        }
        let ty = self.program.objects[count.index()].ty;
        let is_int = matches!(types::get(self.program, ty).kind, TypeKind::Integer { .. });
        let count = self.scalar_variable(count).filter(|_| is_int)?;
        Some((number, count))
    }

    fn is_changed(&self, object: ObjectId) -> bool {
        self.points.is_written(object)
    }
}
