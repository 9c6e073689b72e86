//! Arrays of variable length: their bounds are what a variable holds, and that has limits.
//!
//! Also large variables that begin to live once in the life of a thread: what they hold then is their initial value, so that
//! no step has to write all of it.

use super::{Lower, walk};
use crate::hir::{
    Callee, Expression, ExpressionKind, FunctionId, ObjectId, Statement, StatementKind, Storage, TypeKind,
};
use throng_base::Span;
use throng_cfa::flow::{BinaryOperator, ExpressionId, PropertyKind};

impl Lower<'_> {
    /// How many elements an array of variable length has.
    pub(super) fn current_length(&mut self, object: ObjectId) -> Option<ExpressionId> {
        let length = self.program.objects.get(object.index())?.length?;
        let variable = self.scalar_variable(length)?;
        let bits = self.variables[variable.index()].bits;
        Some(self.e.variable(variable, bits))
    }

    /// Whether so many bytes from an address on are within an array of variable length.
    pub(super) fn fits_length(
        &mut self,
        object: ObjectId,
        address: ExpressionId,
        bytes: u64,
    ) -> Option<ExpressionId> {
        let length = self.current_length(object)?;
        let info = &self.memory.objects[object.index()];
        let TypeKind::Array { element, .. } = super::types::get(self.program, info.ty).kind else {
            return None;
        };
        let (base, size) = (info.address, super::types::size_of(self.program, element));
        let width = self.e.bits(address);
        let base = self.e.constant(u128::from(base), width);
        let bytes = self.e.constant(u128::from(bytes), width);
        let size = self.e.constant(u128::from(size), width);
        let length = self.e.resize(length, width, true);
        let end = self.e.binary(BinaryOperator::Multiply, length, size);
        let offset = self.e.subtract(address, base);
        let after = self.e.add(offset, bytes);
        Some(self.e.binary(BinaryOperator::UnsignedLessOrEqual, after, end))
    }

    /// An array of variable length is declared: the length is positive, or that is undefined; longer ones than those that are
    /// modelled are left out.
    pub(super) fn check_length(&mut self, object: ObjectId, span: Span) {
        let Some(length) = self.current_length(object) else { return };
        let TypeKind::Array { length: Some(most), .. } =
            super::types::get(self.program, self.memory.objects[object.index()].ty).kind
        else {
            return;
        };
        let width = self.e.bits(length);
        let (zero, most_elements) = (self.e.constant(0, width), self.e.constant(u128::from(most), width));
        let is_positive = self.e.binary(BinaryOperator::SignedLess, zero, length);
        let failure = "the length of an array is not positive";
        self.require_or(PropertyKind::Bounds, is_positive, failure, span);
        let text = format!(
            "arrays of variable length have at most {most} elements: runs with longer ones are not looked at"
        );
        self.note("assumes-short-arrays", &text, span);
        let is_short = self.e.binary(BinaryOperator::SignedLessOrEqual, length, most_elements);
        self.emit(is_short, Vec::new(), span);
    }

    /// Whether a variable begins to live once in the life of its thread, or of the program: in a function that nobody calls, outside
    /// of loops.
    pub(super) fn is_born_once(&self, object: ObjectId) -> bool {
        let Some(Storage::Automatic(function)) =
            self.program.objects.get(object.index()).map(|object| object.storage)
        else {
            return false;
        };
        let definition = &self.program.functions[function.index()];
        let body = definition.body.as_deref().unwrap_or_default();
        definition.labels.is_empty() && is_outside_loops(body, object) && self.runs_once(function, 0)
    }

    /// Whether a function runs once in the life of a thread: it is what the thread runs, or it is called in one place, outside of
    /// loops, by a function that runs once.
    fn runs_once(&self, function: FunctionId, depth: usize) -> bool {
        let callers = self.points.callers(function);
        let [caller] = callers[..] else { return callers.is_empty() };
        let definition = &self.program.functions[caller.index()];
        let body = definition.body.as_deref().unwrap_or_default();
        let mut count = 0;
        walk::statements(body, &mut |e| count += usize::from(calls(e, function)));
        depth < MAX_DEPTH
            && !self.points.started.contains(&function)
            && definition.labels.is_empty()
            && count == 1
            && calls_outside_loops(body, function) == 1
            && self.runs_once(caller, depth + 1)
    }
}

/// How far the calls are followed that lead to a variable.
const MAX_DEPTH: usize = 16;

/// Whether an expression is itself a call of a function.
fn calls(e: &Expression, function: FunctionId) -> bool {
    matches!(&e.kind, ExpressionKind::Call(Callee::Direct(callee), _) if *callee == function)
}

/// How many calls of a function are outside of loops; those within statements in expressions are not counted.
fn calls_outside_loops(list: &[Statement], function: FunctionId) -> usize {
    let in_expression = |e: &Expression| {
        let (mut count, mut has_statements) = (0, false);
        walk::expression(e, &mut |part| {
            count += usize::from(calls(part, function));
            has_statements |= matches!(part.kind, ExpressionKind::Block(..));
        });
        if has_statements { 0 } else { count }
    };
    let count = |statement: &Statement| match &statement.kind {
        StatementKind::Expression(e) | StatementKind::Return(Some(e)) => in_expression(e),
        StatementKind::Declare(_, Some(stores)) => {
            stores.iter().map(|store| in_expression(&store.value)).sum()
        }
        StatementKind::Block(body) => calls_outside_loops(body, function),
        StatementKind::If { condition, then, otherwise } => {
            in_expression(condition)
                + calls_outside_loops(then, function)
                + calls_outside_loops(otherwise, function)
        }
        _ => 0,
    };
    list.iter().map(count).sum()
}

/// Whether a variable is declared here, and not in a loop.
fn is_outside_loops(list: &[Statement], object: ObjectId) -> bool {
    list.iter().any(|statement| match &statement.kind {
        StatementKind::Declare(declared, _) => *declared == object,
        StatementKind::Block(body) => is_outside_loops(body, object),
        StatementKind::If { then, otherwise, .. } => {
            is_outside_loops(then, object) || is_outside_loops(otherwise, object)
        }
        _ => false,
    })
}
