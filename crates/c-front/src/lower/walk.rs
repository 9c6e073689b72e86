//! Visiting every expression of a body, for questions that the structure does not matter to.

use crate::hir::{Callee, Expression, ExpressionKind, Place, PlaceKind, Statement, StatementKind};

/// Visits statements and everything in them.
pub fn statements<'p>(list: &'p [Statement], visit: &mut impl FnMut(&'p Expression)) {
    for statement in list {
        match &statement.kind {
            StatementKind::Expression(e) | StatementKind::Return(Some(e)) => expression(e, visit),
            StatementKind::Declare(_, Some(stores)) => {
                stores.iter().for_each(|store| expression(&store.value, visit));
            }
            StatementKind::Block(body) => statements(body, visit),
            StatementKind::If { condition, then, otherwise } => {
                expression(condition, visit);
                statements(then, visit);
                statements(otherwise, visit);
            }
            StatementKind::Loop { condition, step, body, .. } => {
                condition.iter().chain(step).for_each(|e| expression(e, visit));
                statements(body, visit);
            }
            StatementKind::Switch { value, body } => {
                expression(value, visit);
                statements(body, visit);
            }
            StatementKind::Declare(_, None)
            | StatementKind::Case(..)
            | StatementKind::Default
            | StatementKind::Label(_)
            | StatementKind::Goto(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return(None)
            | StatementKind::Unmodelled(_) => {}
        }
    }
}

/// Visits an expression and everything in it.
pub fn expression<'p>(e: &'p Expression, visit: &mut impl FnMut(&'p Expression)) {
    visit(e);
    match &e.kind {
        ExpressionKind::Constant(_) | ExpressionKind::FunctionAddress(_) => {}
        ExpressionKind::Load(p) | ExpressionKind::AddressOf(p) => place(p, visit),
        ExpressionKind::Negate(a)
        | ExpressionKind::BitNot(a)
        | ExpressionKind::Not(a)
        | ExpressionKind::Convert(a) => expression(a, visit),
        ExpressionKind::Binary(_, a, b)
        | ExpressionKind::Difference(a, b, _)
        | ExpressionKind::And(a, b)
        | ExpressionKind::Or(a, b)
        | ExpressionKind::Elvis(a, b)
        | ExpressionKind::Comma(a, b)
        | ExpressionKind::Offset { pointer: a, index: b, .. } => {
            expression(a, visit);
            expression(b, visit);
        }
        ExpressionKind::Conditional(a, b, c) => {
            expression(a, visit);
            expression(b, visit);
            expression(c, visit);
        }
        ExpressionKind::Assign(p, v) | ExpressionKind::Update { place: p, value: v, .. } => {
            place(p, visit);
            expression(v, visit);
        }
        ExpressionKind::Call(callee, arguments) => {
            if let Callee::Indirect(f) = callee {
                expression(f, visit);
            }
            arguments.iter().for_each(|argument| expression(argument, visit));
        }
        ExpressionKind::Builtin(_, arguments) | ExpressionKind::Unmodelled(_, arguments) => {
            arguments.iter().for_each(|argument| expression(argument, visit));
        }
        ExpressionKind::Block(body, value) => {
            statements(body, visit);
            value.iter().for_each(|e| expression(e, visit));
        }
    }
}

/// Visits a place and everything in it.
pub fn place<'p>(p: &'p Place, visit: &mut impl FnMut(&'p Expression)) {
    match &p.kind {
        PlaceKind::Object(_) => {}
        PlaceKind::Dereference(e) | PlaceKind::Value(e) => expression(e, visit),
        PlaceKind::Member(inner, _) => place(inner, visit),
        PlaceKind::Element(inner, index) => {
            place(inner, visit);
            expression(index, visit);
        }
    }
}
