//! Jumps past declarations: a variable whose declaration was jumped over is there, and its value is arbitrary.
//!
//! At a label, the variables in scope are those whose declarations stand before it in the blocks around it. A `goto` makes those of
//! them arbitrary that are not in scope where it stands; a `switch` those that are declared in it before one of its cases, of
//! which none is alive where it stands. A jump out of a block, or back before a declaration, makes nothing arbitrary by itself: the
//! declaration does, when it is reached again. GNU C does not let anybody jump into a statement expression.

use super::Lower;
use super::place::Spot;
use crate::hir::{ObjectId, Statement, StatementKind, Storage};
use throng_base::Span;

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

/// Shows each statement with the variables in scope before it.
pub(super) fn walk<'s>(
    list: &'s [Statement],
    scope: &mut Vec<ObjectId>,
    show: &mut dyn FnMut(&'s Statement, &[ObjectId]),
) {
    let outer = scope.len();
    for statement in list {
        show(statement, scope);
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
            self.havoc(&Spot::Named { object, path: Vec::new(), indices: Vec::new() }, ty, span);
        }
    }

    /// The variables in scope here that are not in scope at a label.
    pub(super) fn left_by_goto(&self, label: usize) -> Vec<ObjectId> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let there = frame.label_scopes.get(label).map_or(&[][..], Vec::as_slice);
        frame.scope.iter().copied().filter(|object| !there.contains(object)).collect()
    }

    /// The variables in scope at a label that are not in scope here.
    pub(super) fn entered_by_goto(&self, label: usize) -> Vec<ObjectId> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let there = frame.label_scopes.get(label).map_or(&[][..], Vec::as_slice);
        there.iter().copied().filter(|object| !frame.scope.contains(object)).collect()
    }
}
