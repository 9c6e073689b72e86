//! Obligations: what has to hold for a run to mean anything in C.
//!
//! Where C leaves undefined what happens, the graph goes on only if it does not: [`Lower::require`] puts the condition on the next
//! edges, and leads to an error where it does not hold, so that no run is left out in silence. What constants, types and
//! intervals settle costs nothing. What the user assumes is a condition without an error, and a line of the ledger.
//!
//! *Life*: a pointer to a variable whose block or function has ended points to nothing. Functions are inlined, so where code is
//! being made it is known which blocks are open. What is not seen is a pointer that was kept from an earlier time in the same
//! block or function: it points to the variable as it is now.

use super::graph::{Obligation, one_line};
use super::{Lower, interval, scope};
use crate::flow::{ExpressionId, LocationId, PropertyId, PropertyKind, Settled, TemplateId};
use crate::hir::{self, ObjectId, Statement, StatementKind, Storage};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_base::Span;

/// What is known about obligations and assertions.
#[derive(Default)]
pub(super) struct Duties {
    /// Variables that a declaration in a block brings to life.
    declared: FxHashSet<ObjectId>,
    /// How many obligations were settled.
    settled: usize,
    /// The location of each obligation that fails, by template.
    locations: FxHashMap<(TemplateId, PropertyId), LocationId>,
}

impl Duties {
    /// For a program that nothing was made of yet.
    pub(super) fn new(program: &hir::Program) -> Self {
        let mut declared = FxHashSet::default();
        for body in program.functions.iter().filter_map(|function| function.body.as_deref()) {
            let mut visit = |statement: &Statement, _: &[ObjectId]| {
                if let StatementKind::Declare(object, _) = &statement.kind {
                    declared.insert(*object);
                }
            };
            scope::walk(body, &mut Vec::new(), &mut visit);
        }
        Self { declared, ..Self::default() }
    }
}

/// What happens if an obligation fails.
fn failure(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Pointers => "use of a pointer that points to no living object of its type",
        PropertyKind::Bounds => "index out of bounds",
        PropertyKind::Division => "division by zero or overflow",
        PropertyKind::Shift => "shift by the width or more",
        _ => "a place that is said to be unreachable",
    }
}

/// The line of the ledger if an obligation is assumed.
fn assumption(kind: PropertyKind) -> (&'static str, &'static str) {
    match kind {
        PropertyKind::Pointers => (
            "assumes-valid-pointers",
            "runs in which a pointer that points to no living object of its type is used are not looked at",
        ),
        PropertyKind::Bounds => (
            "assumes-in-bounds",
            "runs in which an index is out of the bounds of its array are not looked at",
        ),
        PropertyKind::Division => (
            "assumes-no-division-by-zero",
            "runs in which something is divided by zero, or the least integer by -1, are not looked at",
        ),
        PropertyKind::Shift => (
            "assumes-no-wide-shift",
            "runs in which something is shifted by its width or more are not looked at",
        ),
        _ => (
            "assumes-unreachable",
            "runs that come to a place that is said to be unreachable are not looked at",
        ),
    }
}

impl Lower<'_> {
    /// The next edges mean what they say only if this holds: one bit.
    pub(super) fn require(&mut self, kind: PropertyKind, condition: ExpressionId, span: Span) {
        if self.e.as_constant(condition) == Some(1) || interval::is_certain(&self.e, condition) {
            self.duties.settled += 1;
            return;
        }
        let property = if self.options.assumed.contains(&kind) {
            let (word, text) = assumption(kind);
            self.note(word, text, span);
            None
        } else {
            let source = one_line(self.program.text.slice(span));
            Some((kind, format!("{}: {source}", failure(kind))))
        };
        self.obligations.push(Obligation { condition, property, span });
    }

    /// No thread may come here.
    pub(super) fn never(&mut self, span: Span) {
        let never = self.e.truth(false);
        self.require(PropertyKind::Unreachable, never, span);
        self.emit_assignments(Vec::new(), span);
    }

    /// Where a thread goes for which something does not hold: one location for all places in the same code.
    pub(super) fn obligation_location(&mut self, kind: PropertyKind, text: String, span: Span) -> LocationId {
        let property = self.property(kind, text.clone(), span);
        let key = (self.template, property);
        if let Some(&known) = self.duties.locations.get(&key) {
            return known;
        }
        let location = self.error_location(kind, text, span);
        self.duties.locations.insert(key, location);
        location
    }

    /// Whether an object lives where code is being made.
    pub(super) fn is_alive(&self, object: ObjectId) -> bool {
        let (function, is_parameter) = match self.memory.objects[object.index()].storage {
            Storage::Static | Storage::Thread => return true,
            Storage::Automatic(function) => (function, false),
            Storage::Parameter(function) => (function, true),
        };
        match self.frames.iter().find(|frame| frame.function == function) {
            Some(frame) => {
                is_parameter || !self.duties.declared.contains(&object) || frame.scope.contains(&object)
            }
            // Other threads see what belongs to main.
            None => self.shared_locals.contains(&object) && self.template != TemplateId::new(0),
        }
    }

    /// What was settled.
    pub(super) fn settled(&self) -> Settled {
        Settled { obligations: self.duties.settled, ..Settled::default() }
    }
}
