//! Which steps others do not notice until their thread goes on, and which they never notice.
//!
//! A step is *quiet* if it has no effect and does not look at other threads, leads from an inner location, neither from nor to
//! an atomic one, and not to the end of its thread if ends are seen. What it *needs* of a variable that it reads and others
//! write is that nobody else writes it; of one that it writes and others read or write, that nobody else accesses it
//! (`others`). A lock gives that if the thread owns it after the step (`locks`).
//!
//! A sequence of steps of one thread is *moving* if all are quiet, and for each of them and each of its needs there is a lock
//! that gives it, that no later step of the sequence gives up. Then, until the thread takes another step, no step of another
//! thread writes what a step of the sequence reads, or accesses what it writes: the thread owns those locks all the time.
//!
//! A step is *silent* if it is quiet, needs nothing, is the only one from its location and its guard is the constant 1.

use super::locks::{Lock, locks};
use super::others::Others;
use throng_cfa::flow::{Edge, EdgeId, Expression, ExpressionId, LocationKind, Program};

/// What is known of the edges of a program.
pub(super) struct Movers<'a> {
    program: &'a Program,
    others: Others,
    locks: Vec<Lock>,
}

/// The needs of a moving sequence: for each, the locks (by their places) that still give it.
pub(super) type Needs = Vec<Vec<usize>>;

impl<'a> Movers<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        let others = Others::new(program);
        let locks = locks(program, &others);
        Self { program, others, locks }
    }

    /// The needs of a moving sequence with one more step, if that is moving.
    pub(super) fn moving(&self, before: &Needs, id: EdgeId) -> Option<Needs> {
        let edge = self.program.edge(id);
        if !self.is_quiet(edge) {
            return None;
        }
        let mut needs = before.clone();
        for need in &mut needs {
            need.retain(|&lock| !self.locks[lock].is_given_up_by(id));
        }
        needs.extend(self.needs(id, edge));
        needs.iter().all(|need| !need.is_empty()).then_some(needs)
    }

    /// Whether an edge is silent.
    pub(super) fn is_silent(&self, id: EdgeId) -> bool {
        let edge = self.program.edge(id);
        self.is_quiet(edge)
            && self.needs(id, edge).is_empty()
            && self.program.location(edge.from).edges.1 == 1
            && self.program.expressions.as_constant(edge.guard) == Some(1)
    }

    fn is_quiet(&self, edge: &Edge) -> bool {
        let (from, to) = (self.program.location(edge.from), self.program.location(edge.to));
        let e = &self.program.expressions;
        let is_own = |id: ExpressionId| match e.get(id) {
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Element(..)
            | Expression::Nondet(_)
            | Expression::ThisThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::IfThenElse(..)
            | Expression::Extend { .. }
            | Expression::Extract { .. } => true,
            Expression::Passive(_)
            | Expression::NewThread
            | Expression::HasEnded(_)
            | Expression::ResultOf(_) => false,
        };
        edge.effect.is_none()
            && from.kind == LocationKind::Inner
            && !from.is_atomic
            && !to.is_atomic
            && !(to.kind == LocationKind::End && self.others.ends_are_seen)
            && e.subexpressions(edge.expressions()).into_iter().all(is_own)
    }

    /// For each need of a quiet edge, the locks that give it.
    fn needs(&self, id: EdgeId, edge: &Edge) -> Needs {
        let template = self.program.location(edge.from).template;
        let owned = |gives: &dyn Fn(&Lock) -> bool| -> Vec<usize> {
            let all = self.locks.iter().enumerate();
            all.filter(|(_, lock)| lock.is_owned_after(id, edge) && gives(lock)).map(|(at, _)| at).collect()
        };
        let mut needs = Vec::new();
        for &v in &self.others.reads[id.index()] {
            if self.others.write(v, template) {
                needs.push(owned(&|lock| lock.guards_from_writing(v)));
            }
        }
        for v in edge.assignments.iter().map(|assignment| assignment.target) {
            if self.others.write(v, template) || self.others.read(v, template) {
                needs.push(owned(&|lock| lock.guards(v)));
            }
        }
        needs
    }
}
