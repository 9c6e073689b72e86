//! Obligations: what has to hold for a run to mean anything in C.
//!
//! Where C leaves undefined what happens, the graph goes on only if it does not: [`Lower::require`] puts the condition on the next
//! edges, and leads to an error where it does not hold, so that no run is left out in silence. What constants, types and
//! intervals settle costs nothing. What the user assumes is a condition without an error, and a line of the ledger.
//!
//! *Life*: a pointer to a variable whose block or function has ended points to nothing. Functions are inlined, so where code is
//! being made it is known which blocks are open; pointers that outlive what they point to are seen to by `dangling`.

use super::graph::{Obligation, one_line};
use super::{Lower, interval, scope, walk};
use crate::hir::{self, Callee, Expression, ExpressionKind, ObjectId, Statement, StatementKind, Storage};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_base::Span;
use throng_cfa::flow::{ExpressionId, LocationId, PropertyId, PropertyKind, Settled, TemplateId};
use throng_cfa::text::Position;

/// What is known about obligations and assertions.
#[derive(Default)]
pub(super) struct Duties {
    /// Variables that live as long as a block is open.
    declared: FxHashSet<ObjectId>,
    /// How many obligations were settled.
    settled: usize,
    /// Where the statements begin that threads come to.
    visited: FxHashSet<u32>,
    /// The location of each obligation that fails, by template.
    locations: FxHashMap<(TemplateId, PropertyId), LocationId>,
}

impl Duties {
    /// For a program that nothing was made of yet.
    pub(super) fn new(program: &hir::Program) -> Self {
        let mut declared = FxHashSet::default();
        for body in program.functions.iter().filter_map(|function| function.body.as_deref()) {
            scope::all_lives(program, body, &mut declared);
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
        PropertyKind::Shift => "shift by a negative number, or by the width or more",
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
            "runs in which something is shifted by a negative number, or by its width or more, are not looked at",
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
        self.require_or(kind, condition, failure(kind), span);
    }

    /// The same, with what it is if it does not hold.
    pub(super) fn require_or(
        &mut self,
        kind: PropertyKind,
        condition: ExpressionId,
        failure: &str,
        span: Span,
    ) {
        if self.e.as_constant(condition) == Some(1) || interval::is_certain(&self.e, condition) {
            // An access to a variable by its name is none.
            self.duties.settled += usize::from(kind != PropertyKind::Pointers);
            return;
        }
        let property = if self.options.assumed.contains(&kind) {
            let (word, text) = assumption(kind);
            self.note(word, text, span);
            None
        } else {
            let source = one_line(self.program.text.slice(span));
            Some((kind, format!("{failure}: {source}")))
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
                is_parameter || !self.duties.declared.contains(&object) || frame.open.contains(&object)
            }
            // Other threads see what belongs to main.
            None => self.shared_locals.contains(&object) && self.template != TemplateId::new(0),
        }
    }

    /// A thread may come to a statement.
    pub(super) fn visit(&mut self, span: Span) {
        if self.is_reachable() {
            self.duties.visited.insert(span.start);
        }
    }

    /// The program gives up here. In functions that assume something, that is how they do it.
    pub(super) fn note_abort(&mut self, span: Span) {
        let is_assumption = self.frames.iter().any(|frame| frame.name.contains("assume"));
        if self.is_reachable() && !is_assumption {
            let text = "abort() may be called, which is no error here: the run ends";
            self.note("abort", text, span);
        }
    }

    /// What was settled.
    pub(super) fn settled(&self) -> Settled {
        let mut settled = Settled { obligations: self.duties.settled, ..Settled::default() };
        let known: FxHashSet<Position> = self
            .properties
            .iter()
            .map(|property| self.sites[property.site.index()].position.clone())
            .collect();
        for asserted in self.asserted() {
            let position = self.program.text.position(asserted.span.start);
            if known.contains(&position) {
                continue;
            }
            let is_visited = self.duties.visited.contains(&asserted.decided);
            let list = if is_visited { &mut settled.assertions } else { &mut settled.dead };
            if !list.contains(&position) {
                list.push(position);
            }
        }
        settled
    }

    /// Everything in the text that says what must not happen.
    fn asserted(&self) -> Vec<Asserted> {
        let mut found = Vec::new();
        for function in &self.program.functions {
            if !self.program.text.is_system(function.span.start)
                && let Some(body) = function.body.as_deref()
            {
                let labels: Vec<&str> = function.labels.iter().map(|label| &*label.name).collect();
                self.asserted_in(body, &labels, None, &mut found);
            }
        }
        found
    }

    /// The same in a list of statements; `branch` is where the innermost statement with a condition around it begins.
    fn asserted_in(
        &self,
        list: &[Statement],
        labels: &[&str],
        branch: Option<u32>,
        found: &mut Vec<Asserted>,
    ) {
        for statement in list {
            let (span, here) = (statement.span, Some(statement.span.start));
            let mut visit = |e: &Expression| {
                if let ExpressionKind::Call(Callee::Direct(function), _) = &e.kind {
                    let name = &*self.program.functions[function.index()].name;
                    if self.options.properties.functions.iter().any(|known| known == name) {
                        found.push(Asserted { span: e.span, decided: branch.unwrap_or(span.start) });
                    } else if self.options.properties.assertions && ASSERTIONS.contains(&name) {
                        found.push(Asserted { span: e.span, decided: span.start });
                    }
                }
            };
            match &statement.kind {
                StatementKind::Block(body) => self.asserted_in(body, labels, branch, found),
                StatementKind::If { condition, then, otherwise } => {
                    walk::expression(condition, &mut visit);
                    self.asserted_in(then, labels, here, found);
                    self.asserted_in(otherwise, labels, here, found);
                }
                StatementKind::Loop { condition, step, body, .. } => {
                    condition.iter().chain(step).for_each(|e| walk::expression(e, &mut visit));
                    self.asserted_in(body, labels, here, found);
                }
                StatementKind::Switch { value, body } => {
                    walk::expression(value, &mut visit);
                    self.asserted_in(body, labels, here, found);
                }
                StatementKind::Label(label) => {
                    let name = labels.get(label.index()).copied().unwrap_or_default();
                    if self.options.properties.names_label(name) {
                        found.push(Asserted { span, decided: branch.unwrap_or(span.start) });
                    }
                }
                _ => walk::statements(std::slice::from_ref(statement), &mut visit),
            }
        }
    }
}

/// Something in the text that says what must not happen.
struct Asserted {
    span: Span,
    /// Where the statement begins that decides whether it happens.
    decided: u32,
}

/// Functions that assert, or are called when an assertion fails.
const ASSERTIONS: [&str; 7] = [
    "assert",
    "__assert_fail",
    "__assert_rtn",
    "__assert",
    "__throng_assert_fail",
    "__VERIFIER_assert",
    "__CPROVER_assert",
];
