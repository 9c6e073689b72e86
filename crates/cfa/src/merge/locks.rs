//! Locks, who holds them, and what they protect.
//!
//! A *lock* is a shared scalar L that each edge treats in one of these ways:
//!
//! * it *takes* L: its guard demands L = 0, and it assigns a constant other than 0;
//! * it *frees* L: it assigns 0, and starts where L is *held* or where `main` is alone (`alone`);
//! * it *leaves* L as it is: it does not assign it, or assigns L itself, or 0 while its guard demands L = 0.
//!
//! L is held at a location that is no entry if each edge to it takes L, or leaves it as it is and starts where
//! L is held (the greatest such set: what no thread reaches does no harm).
//!
//! # At most one thread holds a lock
//!
//! Let G be the threads that have taken L and not freed it since. Then in all reachable states
//! (1) G has at most one thread, (2) L is not 0 unless G is empty, and (3) a thread that is where L is held is in G. For this
//! is so at the start, whatever L is, since G is empty and entries are not among these locations; and starting threads does not
//! change it. A step that takes L finds it at 0, so that G was empty, and has its thread in G then. A step that frees L is
//! taken by a thread that is in G, by (3), so G = {it} by (1) and becomes empty; or by the only
//! thread, and G is empty afterwards whether that thread was in it or not. Other steps leave L and G alone. As for (3): a
//! thread comes to such a location by taking L, or from another one without freeing L; and while it stands there others
//! do not take it out of G, since a thread leaves G by its own steps only.
//!
//! # Exclusion
//!
//! An edge is *under* L if it starts where L is held, or its guard demands L = 0, or it starts where `main` is alone. While a
//! thread is in G, no *other* thread takes an edge under L: it would be in G too, or find L = 0, or be the only thread. L
//! *protects* a shared variable if all edges that read or write it are under L, and protects it *from writing* if all that write it
//! are; the variable may be L itself. An edge *keeps* L if its thread is in G afterwards, since it takes L, or leaves it as it is and
//! starts where L is held. So, from a step that keeps L until its thread frees L, no other thread accesses what L
//! protects, nor writes what it protects from writing.
//!
//! This is about the text of guards: one demands L = 0 if it has the conjunct `L == 0`, or `!L` for a bit. Locks whose value
//! tells who has them, that are elements of a row, or that only one thread uses are not found. Neither are those that are taken under
//! a condition which the thread looks at later (`trylock`), since where it does so the lock may or may not be held.

use crate::flow::{
    BinaryOperator, Edge, Effect, Expression, ExpressionId, Expressions, Program, Scope, UnaryOperator,
    Variable, VariableId,
};

/// What an edge does to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Takes,
    Frees,
    Leaves,
}

/// A lock.
pub(super) struct Lock {
    /// By edge.
    uses: Vec<Use>,
    /// By edge: whether its thread holds the lock afterwards.
    keeps: Vec<bool>,
    /// By variable: whether it is protected.
    protects: Vec<bool>,
    /// By variable: whether it is protected from writing.
    protects_from_writing: Vec<bool>,
}

impl Lock {
    /// Whether an edge frees it.
    pub(super) fn is_freed_by(&self, edge: usize) -> bool {
        self.uses[edge] == Use::Frees
    }

    /// Whether no other thread accesses a variable from a step along this edge on until its thread frees the lock.
    pub(super) fn shelters(&self, edge: usize, variable: VariableId) -> bool {
        self.keeps[edge] && self.protects[variable.index()]
    }

    /// Whether no other thread writes it.
    pub(super) fn shelters_from_writing(&self, edge: usize, variable: VariableId) -> bool {
        self.keeps[edge] && self.protects_from_writing[variable.index()]
    }
}

/// The locks among some variables.
pub(super) fn locks(
    program: &Program,
    is_alone: &[bool],
    candidates: impl Iterator<Item = VariableId>,
) -> Vec<Lock> {
    candidates.filter_map(|variable| lock(program, is_alone, variable)).collect()
}

/// A variable as a lock, if it is one.
fn lock(program: &Program, is_alone: &[bool], id: VariableId) -> Option<Lock> {
    let variable = program.variable(id);
    if variable.scope != Scope::Shared || variable.length != 1 {
        return None;
    }
    let uses: Vec<Use> = program.edges.iter().map(|edge| use_of(program, edge, id)).collect::<Option<_>>()?;
    if !uses.contains(&Use::Takes) {
        return None;
    }
    let is_held = held(program, &uses);
    let mut edges = program.edges.iter().zip(&uses);
    if edges
        .any(|(edge, &it)| it == Use::Frees && !is_held[edge.from.index()] && !is_alone[edge.from.index()])
    {
        return None;
    }
    let keeps =
        |(edge, &it): (&Edge, &Use)| it == Use::Takes || (it == Use::Leaves && is_held[edge.from.index()]);
    let keeps = program.edges.iter().zip(&uses).map(keeps).collect();
    let is_under = |edge: &Edge| {
        is_held[edge.from.index()]
            || is_alone[edge.from.index()]
            || demands_zero(&program.expressions, edge.guard, id)
    };
    let (protects, protects_from_writing) = protected(program, is_under);
    Some(Lock { uses, keeps, protects, protects_from_writing })
}

/// What an edge does to a variable, if it treats it like a lock.
fn use_of(program: &Program, edge: &Edge, lock: VariableId) -> Option<Use> {
    let is_touched = match &edge.effect {
        Some(Effect::Spawn { arguments, .. }) => arguments.iter().any(|&(target, _)| target == lock),
        _ => edge.updates().iter().flat_map(|update| &update.assignments).any(|&(target, _)| target == lock),
    };
    if is_touched {
        return None;
    }
    let assignments: Vec<_> = edge.assignments.iter().filter(|a| a.target == lock).collect();
    let assignment = match assignments[..] {
        [] => return Some(Use::Leaves),
        [assignment] if assignment.index.is_none() => assignment,
        _ => return None,
    };
    let is_free = demands_zero(&program.expressions, edge.guard, lock);
    match (program.expressions.get(assignment.value), is_free) {
        (Expression::Variable(same), _) if same == lock => Some(Use::Leaves),
        (Expression::Constant(0), true) => Some(Use::Leaves),
        (Expression::Constant(0), false) => Some(Use::Frees),
        (Expression::Constant(_), true) => Some(Use::Takes),
        _ => None,
    }
}

/// Whether a truth value is written such that it implies that a variable is zero.
pub(super) fn demands_zero(e: &Expressions, guard: ExpressionId, variable: VariableId) -> bool {
    let is_variable = |id| e.get(id) == Expression::Variable(variable);
    match e.get(guard) {
        Expression::Binary(BinaryOperator::And, a, b) if e.bits(guard) == 1 => {
            demands_zero(e, a, variable) || demands_zero(e, b, variable)
        }
        Expression::Binary(BinaryOperator::Equal, a, b) => {
            (is_variable(a) && e.as_constant(b) == Some(0)) || (is_variable(b) && e.as_constant(a) == Some(0))
        }
        Expression::Unary(UnaryOperator::Not, a) => e.bits(a) == 1 && is_variable(a),
        _ => false,
    }
}

/// By location: whether the lock is held there.
fn held(program: &Program, uses: &[Use]) -> Vec<bool> {
    let mut is_held = vec![true; program.locations.len()];
    let freed = program.edges.iter().zip(uses).filter(|(_, it)| **it == Use::Frees).map(|(edge, _)| edge.to);
    let mut open: Vec<_> = program.templates.iter().map(|template| template.entry).chain(freed).collect();
    while let Some(location) = open.pop() {
        if std::mem::replace(&mut is_held[location.index()], false) {
            let edges = program.edges_from(location);
            open.extend(edges.filter(|(id, _)| uses[id.index()] != Use::Takes).map(|(_, edge)| edge.to));
        }
    }
    is_held
}

/// By variable: whether it is shared and all edges that access it are such; and the same for those that write it.
fn protected(program: &Program, is_under: impl Fn(&Edge) -> bool) -> (Vec<bool>, Vec<bool>) {
    let is_shared = |variable: &Variable| variable.scope == Scope::Shared;
    let mut from_all: Vec<bool> = program.variables.iter().map(is_shared).collect();
    let mut from_writing = from_all.clone();
    for edge in program.edges.iter().filter(|edge| !is_under(edge)) {
        for id in program.expressions.subexpressions(edge.expressions()) {
            if let Expression::Variable(v) | Expression::Element(v, _) = program.expressions.get(id) {
                from_all[v.index()] = false;
            }
        }
        for assignment in &edge.assignments {
            from_all[assignment.target.index()] = false;
            from_writing[assignment.target.index()] = false;
        }
    }
    (from_all, from_writing)
}
