//! Which edges are *movers*: whatever other threads do between one and the next step of its thread that is no mover, it
//! might as well be done before.
//!
//! *Somebody else*, for a thread, is a thread of another template, or another thread of the same template unless that is
//! `main` and nobody starts more of it. A variable that a thread has at hand is *foreign-read* if somebody else may read it:
//! it is shared and somebody else's edge reads it, or it is local and passive updates look at it, or it is a result and
//! the program asks for results. It is *foreign-written* if somebody else may write it: it is shared and somebody else's
//! edge assigns it, or passive updates do.
//!
//! An edge is a mover if
//! * it leads from an inner location, neither of its locations is atomic, and it does not lead to the end of the thread
//!   if the program asks for ends;
//! * it has no effect and does not look at other threads (`HasEnded`, `ResultOf`, `NewThread`);
//! * it frees no lock and is *sheltered*: each variable that it reads and that is foreign-written is protected from
//!   writing by a lock that the edge keeps, and each that it writes and that is foreign-read or foreign-written is protected by
//!   such a lock (`locks`).
//!
//! # What movers have in common
//!
//! Let a thread t take a mover m and, until it takes an edge that is no mover, other movers. In between, let another thread take
//! a step s. Then *s writes nothing that m reads, and neither reads nor writes what m writes*. For a
//! variable that m reads and s writes is foreign-written, and one that m writes and s accesses is foreign: m keeps a lock that
//! protects it from writing, or protects it. The edges that t takes after m and before s are movers, so they do not
//! free the lock. Hence t holds it when s is taken, and s does not write, or access, the variable.
//!
//! In particular, an edge that takes a lock is a mover if all who look at the lock either demand that it is free or hold it (and if
//! the edge does nothing else that others notice).
//!
//! # Edges that are taken at once
//!
//! An edge is *silent* if it is a mover, the only edge from its location, always possible (its guard is the constant `true`), and about
//! variables of its thread only that are neither foreign-read nor foreign-written. Then no step of others has anything to do with
//! it, before or after it. An edge that keeps or takes a lock is not silent: others' steps before it may be about the same variables.
//!
//! What `main` does while it is alone need not count as somebody else's, and might be moved without conditions. Neither is done here,
//! beyond what locks protect: with the former, a proof that had been quick (`tests/c/maxsimp-cas.c`) was not found in a minute,
//! because of a single question to the solver.

use super::alone::{alone, is_main_started};
use super::locks::{Lock, locks};
use crate::flow::{Edge, Expression, LocationKind, Program, Scope, TemplateId, VariableId};

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
        let is_main_started = is_main_started(program);
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

    /// Whether several threads may use a shared variable.
    fn is_contested(&self, variable: VariableId) -> bool {
        self.readers[variable.index()] == Users::Many || self.writers[variable.index()] == Users::Many
    }

    /// Whether threads of other templates, or other threads of this one, may write a variable.
    fn is_foreign_written(&self, variable: VariableId, template: TemplateId) -> bool {
        self.writers[variable.index()].has_others(template)
    }

    /// Whether they may read or write it.
    fn is_foreign(&self, variable: VariableId, template: TemplateId) -> bool {
        self.is_foreign_written(variable, template) || self.readers[variable.index()].has_others(template)
    }
}

/// What is known about a program.
struct Known<'a> {
    program: &'a Program,
    accesses: Accesses,
    locks: Vec<Lock>,
}

impl<'a> Known<'a> {
    fn new(program: &'a Program) -> Self {
        let is_alone = alone(program);
        let accesses = Accesses::new(program);
        let contested =
            VariableId::all(program.variables.len()).filter(|&variable| accesses.is_contested(variable));
        let locks = locks(program, &is_alone, contested);
        Self { program, accesses, locks }
    }

    fn is_mover(&self, number: usize) -> bool {
        let edge = &self.program.edges[number];
        self.is_quiet(edge) && !self.looks_at_threads(edge) && self.is_undisturbed(number, edge)
    }

    /// Whether a mover is silent.
    fn is_silent(&self, edge: &Edge) -> bool {
        let e = &self.program.expressions;
        let template = self.program.location(edge.from).template;
        let is_private = |v: VariableId| {
            self.program.variable(v).scope == Scope::Local(template) && !self.accesses.is_foreign(v, template)
        };
        let reads_private = |id| match e.get(id) {
            Expression::Variable(v) | Expression::Element(v, _) => is_private(v),
            _ => true,
        };
        self.program.location(edge.from).edges.1 == 1
            && e.as_constant(edge.guard) == Some(1)
            && e.subexpressions(edge.expressions()).into_iter().all(reads_private)
            && edge.assignments.iter().all(|assignment| is_private(assignment.target))
    }

    /// The first two conditions, but for expressions.
    fn is_quiet(&self, edge: &Edge) -> bool {
        let (from, to) = (self.program.location(edge.from), self.program.location(edge.to));
        !from.is_atomic
            && !to.is_atomic
            && from.kind == LocationKind::Inner
            && (to.kind != LocationKind::End || !self.accesses.asks_for_ends)
            && edge.effect.is_none()
    }

    fn looks_at_threads(&self, edge: &Edge) -> bool {
        let e = &self.program.expressions;
        let is_look = |id| {
            matches!(
                e.get(id),
                Expression::HasEnded(_)
                    | Expression::ResultOf(_)
                    | Expression::NewThread
                    | Expression::Passive(_)
            )
        };
        e.subexpressions(edge.expressions()).into_iter().any(is_look)
    }

    /// The third condition.
    fn is_undisturbed(&self, number: usize, edge: &Edge) -> bool {
        let e = &self.program.expressions;
        let template = self.program.location(edge.from).template;
        let locks = || self.locks.iter();
        let may_read = |id| match e.get(id) {
            Expression::Variable(v) | Expression::Element(v, _) => {
                !self.accesses.is_foreign_written(v, template)
                    || locks().any(|lock| lock.shelters_from_writing(number, v))
            }
            _ => true,
        };
        let may_write =
            |v| !self.accesses.is_foreign(v, template) || locks().any(|lock| lock.shelters(number, v));
        !locks().any(|lock| lock.is_freed_by(number))
            && e.subexpressions(edge.expressions()).into_iter().all(may_read)
            && edge.assignments.iter().all(|assignment| may_write(assignment.target))
    }
}

/// What may be moved, by edge.
pub(super) struct Movers {
    /// Whether it is a mover.
    pub(super) is_mover: Vec<bool>,
    /// Whether it is silent.
    pub(super) is_silent: Vec<bool>,
}

/// See the module's documentation.
pub(super) fn movers(program: &Program) -> Movers {
    let known = Known::new(program);
    let is_mover: Vec<bool> = (0..program.edges.len()).map(|number| known.is_mover(number)).collect();
    let is_silent =
        program.edges.iter().zip(&is_mover).map(|(edge, &is_mover)| is_mover && known.is_silent(edge));
    Movers { is_silent: is_silent.collect(), is_mover }
}
