//! Locks: variables of which the graphs' text shows that at most one thread *has* them.
//!
//! Let L be a shared scalar that no thread's start and no passive update assigns. An edge
//!
//! * *acquires* L if its guard implies L = 0 and it assigns a constant other than 0,
//! * *leaves* L if it does not assign it, or assigns it what it holds: itself, or 0 where its guard implies L = 0,
//! * *gives up* L otherwise, whatever it assigns.
//!
//! L is *had* at locations by the largest set of locations without entries such that each edge to one of them acquires L, or
//! leaves L and comes from one of them. L is a lock if each edge that gives it up comes from where it is had, or from where its
//! thread is alone.
//!
//! # At most one thread has a lock
//!
//! A thread *owns* L from when it takes an edge that acquires L until it takes one that gives L up. In all reachable states (a)
//! at most one thread owns L, (b) if one does, L is not 0, and (c) a thread where L is had owns it. At the start nobody owns it
//! and all are at entries, whatever L holds; so it is for a thread that is started. An edge that acquires L finds it at 0, so
//! by (b) nobody owns it, and then its thread alone does, and L is not 0. An edge that leaves L does not change L, and nobody's
//! owning. An edge that gives L up is taken by an owner, by (c), which is the only one by (a), or by the only thread that there
//! is: nobody owns L afterwards, and it does not matter what L is. (c) is kept since a thread comes to where L is had by
//! acquiring it, or by leaving it and from where it is had; and what others do does not change its owning.
//!
//! # What nobody else does meanwhile
//!
//! An edge is *under* L if it comes from where L is had, or its guard implies L = 0, or it comes from where its thread is
//! alone. While a thread owns L, no other one takes an edge under L: it would own L too (c, a), or find L = 0 (b), or be the
//! only thread. So if all edges that write a shared variable are under L (those that read it, too), then no other thread writes
//! (reads) it while a thread owns L. This includes L itself.
//!
//! That a guard implies L = 0 is read off its conjuncts: L == 0, or the negation of a bit L.

use super::others::Others;
use throng_cfa::flow::{
    BinaryOperator, Edge, EdgeId, Effect, Expression, ExpressionId, Program, Scope, UnaryOperator, VariableId,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Acquires,
    Leaves,
    GivesUp,
}

/// A lock.
pub(super) struct Lock {
    /// By edge.
    uses: Vec<Use>,
    /// By location.
    is_had: Vec<bool>,
    /// By variable: whether it is shared and all edges that write it are under the lock.
    is_written_under: Vec<bool>,
    /// The same of all edges that read it.
    is_read_under: Vec<bool>,
}

impl Lock {
    pub(super) fn is_given_up_by(&self, edge: EdgeId) -> bool {
        self.uses[edge.index()] == Use::GivesUp
    }

    /// Whether a thread that has taken an edge owns the lock.
    pub(super) fn is_owned_after(&self, id: EdgeId, edge: &Edge) -> bool {
        match self.uses[id.index()] {
            Use::Acquires => true,
            Use::Leaves => self.is_had[edge.from.index()],
            Use::GivesUp => false,
        }
    }

    /// Whether no other thread writes a variable while a thread owns the lock.
    pub(super) fn guards_from_writing(&self, variable: VariableId) -> bool {
        self.is_written_under[variable.index()]
    }

    /// Whether no other thread reads or writes it.
    pub(super) fn guards(&self, variable: VariableId) -> bool {
        self.is_written_under[variable.index()] && self.is_read_under[variable.index()]
    }
}

/// All locks of a program.
pub(super) fn locks(program: &Program, others: &Others) -> Vec<Lock> {
    let candidates = VariableId::all(program.variables.len()).filter(|&id| {
        let variable = program.variable(id);
        variable.scope == Scope::Shared && variable.length == 1
    });
    candidates.filter_map(|id| lock(program, others, id)).collect()
}

fn lock(program: &Program, others: &Others, id: VariableId) -> Option<Lock> {
    let uses: Vec<Use> =
        program.edges.iter().map(|edge| use_of(program, edge, id)).collect::<Option<Vec<_>>>()?;
    if !uses.contains(&Use::Acquires) {
        return None;
    }
    let is_had = had(program, &uses);
    let has_or_is_alone = |edge: &Edge| is_had[edge.from.index()] || others.is_alone[edge.from.index()];
    let is_lock =
        program.edges.iter().zip(&uses).all(|(edge, it)| *it != Use::GivesUp || has_or_is_alone(edge));
    if !is_lock {
        return None;
    }
    let is_shared: Vec<bool> = program.variables.iter().map(|it| it.scope == Scope::Shared).collect();
    let (mut is_written_under, mut is_read_under) = (is_shared.clone(), is_shared);
    for (edge, reads) in program.edges.iter().zip(&others.reads) {
        if has_or_is_alone(edge) || implies_zero(program, edge.guard, id) {
            continue;
        }
        for assignment in &edge.assignments {
            is_written_under[assignment.target.index()] = false;
        }
        for v in reads {
            is_read_under[v.index()] = false;
        }
    }
    Some(Lock { uses, is_had, is_written_under, is_read_under })
}

/// What an edge does to a variable; `None` if a thread's start or a passive update assigns it.
fn use_of(program: &Program, edge: &Edge, id: VariableId) -> Option<Use> {
    let given: &[_] = match &edge.effect {
        Some(Effect::Spawn { arguments, .. }) => arguments,
        _ => &[],
    };
    let updated = edge.updates().iter().flat_map(|update| &update.assignments);
    if given.iter().chain(updated).any(|&(target, _)| target == id) {
        return None;
    }
    let mut assigned = edge.assignments.iter().filter(|assignment| assignment.target == id);
    let Some(assignment) = assigned.next() else { return Some(Use::Leaves) };
    if assigned.next().is_some() || assignment.index.is_some() {
        return Some(Use::GivesUp);
    }
    Some(match program.expressions.get(assignment.value) {
        Expression::Variable(same) if same == id => Use::Leaves,
        Expression::Constant(value) if implies_zero(program, edge.guard, id) => {
            if value == 0 {
                Use::Leaves
            } else {
                Use::Acquires
            }
        }
        _ => Use::GivesUp,
    })
}

/// Whether one of the conjuncts of a truth value says that a variable is 0.
fn implies_zero(program: &Program, guard: ExpressionId, id: VariableId) -> bool {
    let e = &program.expressions;
    let is_it = |sub: ExpressionId| e.get(sub) == Expression::Variable(id);
    let mut conjuncts = vec![guard];
    while let Some(conjunct) = conjuncts.pop() {
        let says = match e.get(conjunct) {
            Expression::Binary(BinaryOperator::And, a, b) if e.bits(conjunct) == 1 => {
                conjuncts.extend([a, b]);
                false
            }
            Expression::Binary(BinaryOperator::Equal, a, b) => {
                let zero = Some(0);
                (is_it(a) && e.as_constant(b) == zero) || (is_it(b) && e.as_constant(a) == zero)
            }
            Expression::Unary(UnaryOperator::Not, a) => is_it(a) && e.bits(conjunct) == 1,
            _ => false,
        };
        if says {
            return true;
        }
    }
    false
}

/// By location: whether the variable is had there. Locations are taken out until no edge contradicts.
fn had(program: &Program, uses: &[Use]) -> Vec<bool> {
    let mut is_had = vec![true; program.locations.len()];
    for template in &program.templates {
        is_had[template.entry.index()] = false;
    }
    loop {
        let mut is_stable = true;
        for (edge, it) in program.edges.iter().zip(uses) {
            let arrives_with = *it == Use::Acquires || (*it == Use::Leaves && is_had[edge.from.index()]);
            if is_had[edge.to.index()] && !arrives_with {
                is_had[edge.to.index()] = false;
                is_stable = false;
            }
        }
        if is_stable {
            return is_had;
        }
    }
}
