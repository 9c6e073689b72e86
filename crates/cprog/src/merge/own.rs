//! Which edges are *own*: what they do has nothing to do with other threads.
//!
//! *Somebody else*, for a thread, is a thread of another template, or another thread of the same template unless that is
//! `main` and nobody starts more of it. A variable that a thread has at hand is *foreign-read* if somebody else may read it:
//! it is shared and somebody else's edge reads it, or it is local and passive updates look at it, or it is a result and
//! the program asks for results. It is *foreign-written* if somebody else may write it: it is shared and somebody else's
//! edge assigns it, or passive updates do.
//!
//! An edge is own if
//! * it leads from an inner location, neither of its locations is atomic, and it does not lead to the end of the thread
//!   if the program asks for ends;
//! * it has no effect and does not look at other threads (`HasEnded`, `ResultOf`, `NewThread`);
//! * what it reads is not foreign-written, and what it writes is neither foreign-read nor foreign-written.

use crate::flow::{Edge, Effect, Expression, LocationKind, Program, Scope, TemplateId, VariableId};

/// The templates whose threads access a shared variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Users {
    Nobody,
    One(TemplateId),
    Many,
}

impl Users {
    fn add(&mut self, template: TemplateId, is_single: bool) {
        *self = match *self {
            Users::Nobody if is_single => Users::One(template),
            Users::One(one) if one == template => Users::One(one),
            _ => Users::Many,
        };
    }

    /// Whether there are others than the only thread of this template.
    fn has_others(self, template: TemplateId) -> bool {
        match self {
            Users::Nobody => false,
            Users::One(one) => one != template,
            Users::Many => true,
        }
    }
}

/// What threads do to each other's variables.
struct Accesses {
    readers: Vec<Users>,
    writers: Vec<Users>,
    asks_for_ends: bool,
}

impl Accesses {
    fn new(program: &Program) -> Self {
        let mut found = Self {
            readers: vec![Users::Nobody; program.variables.len()],
            writers: vec![Users::Nobody; program.variables.len()],
            asks_for_ends: false,
        };
        let is_main_started = program.edges.iter().any(
            |edge| matches!(edge.effect, Some(Effect::Spawn { template, .. }) if template == program.main),
        );
        for edge in &program.edges {
            let template = program.location(edge.from).template;
            let is_single = template == program.main && !is_main_started;
            found.edge(program, edge, template, is_single);
        }
        found
    }

    fn edge(&mut self, program: &Program, edge: &Edge, template: TemplateId, is_single: bool) {
        let is_shared = |variable: VariableId| program.variable(variable).scope == Scope::Shared;
        for id in program.expressions.subexpressions(edge.expressions()) {
            match program.expressions.get(id) {
                Expression::Variable(v) | Expression::Element(v, _) if is_shared(v) => {
                    self.readers[v.index()].add(template, is_single);
                }
                Expression::Passive(v) => self.readers[v.index()] = Users::Many,
                Expression::HasEnded(_) => self.asks_for_ends = true,
                Expression::ResultOf(_) => {
                    for result in program.templates.iter().filter_map(|template| template.result) {
                        self.readers[result.index()] = Users::Many;
                    }
                }
                _ => {}
            }
        }
        for assignment in edge.assignments.iter().filter(|assignment| is_shared(assignment.target)) {
            self.writers[assignment.target.index()].add(template, is_single);
        }
        for &(target, _) in edge.updates().iter().flat_map(|update| &update.assignments) {
            self.writers[target.index()] = Users::Many;
        }
    }

    fn is_own(&self, program: &Program, edge: &Edge) -> bool {
        let (from, to) = (program.location(edge.from), program.location(edge.to));
        let is_quiet = !from.is_atomic
            && !to.is_atomic
            && from.kind == LocationKind::Inner
            && (to.kind != LocationKind::End || !self.asks_for_ends)
            && edge.effect.is_none();
        let template = from.template;
        let reads_own = || {
            program.expressions.subexpressions(edge.expressions()).into_iter().all(|id| {
                match program.expressions.get(id) {
                    Expression::Variable(v) | Expression::Element(v, _) => {
                        !self.writers[v.index()].has_others(template)
                    }
                    Expression::HasEnded(_)
                    | Expression::ResultOf(_)
                    | Expression::NewThread
                    | Expression::Passive(_) => false,
                    _ => true,
                }
            })
        };
        let writes_own = || {
            edge.assignments.iter().map(|assignment| assignment.target.index()).all(|target| {
                !self.readers[target].has_others(template) && !self.writers[target].has_others(template)
            })
        };
        is_quiet && reads_own() && writes_own()
    }
}

/// By edge: whether it is own.
pub(super) fn own_edges(program: &Program) -> Vec<bool> {
    let accesses = Accesses::new(program);
    program.edges.iter().map(|edge| accesses.is_own(program, edge)).collect()
}
