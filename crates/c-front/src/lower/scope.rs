//! Scopes and lives of the variables of blocks.
//!
//! *Lives*: a variable lives from when its block is entered until it is left, wherever in it it is declared (C11 §6.2.4 p6); so does a
//! compound literal. *Jumps past declarations*: a variable whose declaration was jumped over is there, and its value is arbitrary.
//!
//! At a label, the variables in scope are those whose declarations stand before it in the blocks around it. A `goto` makes those of
//! them arbitrary that are not in scope where it stands; a `switch` those that are declared in it before one of its cases, of
//! which none is alive where it stands. A jump out of a block, or back before a declaration, makes nothing arbitrary by itself: the
//! declaration does, when it is reached again. GNU C does not let anybody jump into a statement expression.

use super::Lower;
use super::place::Spot;
use super::walk as all;
use crate::hir::{
    Expression, ExpressionKind, Function, ObjectId, Program, Statement, StatementKind, Storage,
};
use rustc_hash::FxHashSet;
use throng_base::Span;

/// How many variables are in scope, and how many live.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Depth {
    pub(super) scope: usize,
    pub(super) open: usize,
}

/// Whether a block within an expression is a compound literal: no name in C has a parenthesis.
pub(super) fn is_literal(program: &Program, list: &[Statement]) -> bool {
    match list {
        [Statement { kind: StatementKind::Declare(object, _), .. }] => {
            program.objects[object.index()].name.starts_with('(')
        }
        _ => false,
    }
}

/// The variables whose block is this list, in order: those that are declared in it, and the compound literals of its expressions.
pub(super) fn lives(program: &Program, list: &[Statement]) -> Vec<ObjectId> {
    let mut found = Vec::new();
    for statement in list {
        if let StatementKind::Declare(object, _) = &statement.kind {
            found.push(*object);
        }
        for e in heads(statement) {
            all::expression(e, &mut |e| {
                if let ExpressionKind::Block(body, _) = &e.kind
                    && let [Statement { kind: StatementKind::Declare(object, _), .. }] = &body[..]
                    && is_literal(program, body)
                {
                    found.push(*object);
                }
            });
        }
    }
    found
}

/// The expressions of a statement without those of statements in it.
fn heads(statement: &Statement) -> Vec<&Expression> {
    match &statement.kind {
        StatementKind::Expression(e)
        | StatementKind::Return(Some(e))
        | StatementKind::If { condition: e, .. }
        | StatementKind::Switch { value: e, .. } => vec![e],
        StatementKind::Declare(_, Some(stores)) => stores.iter().map(|store| &store.value).collect(),
        StatementKind::Loop { condition, step, .. } => condition.iter().chain(step).collect(),
        _ => Vec::new(),
    }
}

/// The lists of statements that are blocks within a statement.
fn inner(statement: &Statement) -> Vec<&[Statement]> {
    match &statement.kind {
        StatementKind::Block(body)
        | StatementKind::Loop { body, .. }
        | StatementKind::Switch { body, .. } => {
            vec![body]
        }
        StatementKind::If { then, otherwise, .. } => vec![then, otherwise],
        _ => Vec::new(),
    }
}

/// All variables that live in some block of a list, expressions included.
pub(super) fn all_lives(program: &Program, list: &[Statement], found: &mut FxHashSet<ObjectId>) {
    found.extend(lives(program, list));
    for statement in list {
        for body in inner(statement) {
            all_lives(program, body, found);
        }
        for e in heads(statement) {
            all::expression(e, &mut |e| {
                if let ExpressionKind::Block(body, _) = &e.kind
                    && !is_literal(program, body)
                {
                    found.extend(lives(program, body));
                    body.iter().flat_map(inner).for_each(|body| all_lives(program, body, found));
                }
            });
        }
    }
}

/// The variables that live at each label of a function, its parameters included.
pub(super) fn lives_at_labels(program: &Program, function: &Function) -> Vec<Vec<ObjectId>> {
    let mut found = vec![Vec::new(); function.labels.len()];
    let mut open = function.parameters.clone();
    look_for_labels(program, function.body.as_deref().unwrap_or_default(), &mut open, &mut found);
    found
}

fn look_for_labels(
    program: &Program,
    list: &[Statement],
    open: &mut Vec<ObjectId>,
    found: &mut [Vec<ObjectId>],
) {
    let outer = open.len();
    open.extend(lives(program, list));
    for statement in list {
        if let StatementKind::Label(label) = &statement.kind
            && let Some(found) = found.get_mut(label.index())
        {
            found.extend_from_slice(open);
        }
        for body in inner(statement) {
            look_for_labels(program, body, open, found);
        }
        // Labels in expressions are reached from there only, where the same blocks and more are open.
        for e in heads(statement) {
            all::expression(e, &mut |e| {
                if let ExpressionKind::Block(body, _) = &e.kind {
                    look_for_labels(program, body, open, found);
                }
            });
        }
    }
    open.truncate(outer);
}

/// The variables in scope at each label of a function.
pub(super) fn at_labels(body: &[Statement], n_labels: usize) -> Vec<Vec<ObjectId>> {
    let mut found = vec![Vec::new(); n_labels];
    walk(body, &mut Vec::new(), &mut |statement, scope| {
        if let StatementKind::Label(label) = &statement.kind
            && let Some(found) = found.get_mut(label.index())
        {
            found.extend_from_slice(scope);
        }
    });
    found
}

/// The variables that are declared in the body of a switch before a case or a default, perhaps of a switch in it.
pub(super) fn before_cases(body: &[Statement]) -> Vec<ObjectId> {
    let mut found = Vec::new();
    walk(body, &mut Vec::new(), &mut |statement, scope| {
        if matches!(statement.kind, StatementKind::Case(..) | StatementKind::Default) {
            found.extend_from_slice(scope);
        }
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether somebody can jump into statements: to a label, or to a case of a switch around them.
pub(super) fn has_entries(list: &[Statement]) -> bool {
    list.iter().any(|statement| match &statement.kind {
        StatementKind::Label(_) | StatementKind::Case(..) | StatementKind::Default => true,
        // The cases of a switch are reached by way of its head only, but labels in it are not.
        StatementKind::Block(body)
        | StatementKind::Loop { body, .. }
        | StatementKind::Switch { body, .. } => has_entries(body),
        StatementKind::If { then, otherwise, .. } => has_entries(then) || has_entries(otherwise),
        _ => false,
    })
}

/// Shows each statement with the variables in scope before it; those of statement expressions as well, some of them once more with
/// fewer of the variables.
pub(super) fn walk<'s>(
    list: &'s [Statement],
    scope: &mut Vec<ObjectId>,
    show: &mut dyn FnMut(&'s Statement, &[ObjectId]),
) {
    let outer = scope.len();
    for statement in list {
        show(statement, scope);
        for e in heads(statement) {
            all::expression(e, &mut |e| {
                if let ExpressionKind::Block(body, _) = &e.kind {
                    walk(body, scope, show);
                }
            });
        }
        match &statement.kind {
            StatementKind::Declare(object, _) => scope.push(*object),
            StatementKind::Block(body)
            | StatementKind::Loop { body, .. }
            | StatementKind::Switch { body, .. } => walk(body, scope, show),
            StatementKind::If { then, otherwise, .. } => {
                walk(then, scope, show);
                walk(otherwise, scope, show);
            }
            _ => {}
        }
    }
    scope.truncate(outer);
}

impl Lower<'_> {
    /// Makes variables arbitrary whose declarations are jumped over.
    pub(super) fn jump_over(&mut self, objects: &[ObjectId], span: Span) {
        if !self.is_reachable() {
            return;
        }
        for &object in objects {
            // As where it is declared: what lives for ever keeps its value.
            if matches!(self.memory.objects[object.index()].storage, Storage::Static | Storage::Thread) {
                continue;
            }
            let ty = self.memory.objects[object.index()].ty;
            self.start_life(object, span);
            self.havoc(&Spot::Named { object, path: Vec::new(), indices: Vec::new() }, ty, span);
        }
    }

    /// The variables in scope here that are not in scope at a label.
    pub(super) fn left_by_goto(&self, label: usize) -> Vec<ObjectId> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let there = frame.label_scopes.get(label).map_or(&[][..], Vec::as_slice);
        frame.scope.iter().copied().filter(|object| !there.contains(object)).collect()
    }

    /// The variables that live here and not at a label.
    pub(super) fn ended_by_goto(&self, label: usize) -> Vec<ObjectId> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let there = frame.label_lives.get(label).map_or(&[][..], Vec::as_slice);
        frame.open.iter().copied().filter(|object| !there.contains(object)).collect()
    }

    /// The variables in scope at a label that are not in scope here.
    pub(super) fn entered_by_goto(&self, label: usize) -> Vec<ObjectId> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let there = frame.label_scopes.get(label).map_or(&[][..], Vec::as_slice);
        there.iter().copied().filter(|object| !frame.scope.contains(object)).collect()
    }
}
