//! Conditions along an interleaving: what has to hold before some steps so that a guard is true after them.
//!
//! An atom of a guard is carried backwards over the steps before it: what a step assigns is replaced by what it is assigned
//! (the weakest precondition). A step of the same thread leaves an atom about that thread; a step of another one may bring that thread's
//! variables in: then the atom is about two threads. Atoms about three are given up, and so are those that depend on
//! arbitrary values.

use crate::refute::Candidate;
use crate::run::Taken;
use crate::scopes::definitely_assigned;
use crate::tiers::Tiers;
use crate::translate::variables;
use rustc_hash::{FxHashMap, FxHashSet};
use throng_cfa::flow::{
    BinaryOperator, Edge, Expression, ExpressionId, Expressions, Program, Scope, TemplateId, UnaryOperator,
    VariableId,
};
use throng_cfa::invariant::{Party, Predicate};

/// Atoms with more nodes are given up.
const MOST_NODES: usize = 40;

/// An atom on its way back.
#[derive(Clone, Debug)]
struct Atom {
    expression: ExpressionId,
    /// Whose variables are its own.
    active: usize,
    /// Whose variables are passive ones.
    passive: Option<usize>,
}

/// The atoms of all weakest preconditions along an interleaving, as candidates.
pub(crate) fn along(
    program: &Program,
    expressions: &mut Expressions,
    steps: &[Taken],
    tiers: &Tiers,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let template = |thread: usize| template_of(program, steps, thread);
    for (position, taken) in steps.iter().enumerate() {
        let mut atoms = Vec::new();
        atoms_of(expressions, program.edge(taken.edge).guard, &mut atoms);
        let mut current: Vec<Atom> = atoms
            .into_iter()
            .map(|expression| Atom { expression, active: taken.thread, passive: None })
            .collect();
        for before in steps[..position].iter().rev() {
            let edge = program.edge(before.edge);
            let mut next = Vec::new();
            for atom in current {
                let Some(atom) = back(program, expressions, edge, before.thread, &atom) else { continue };
                let mut parts = Vec::new();
                atoms_of(expressions, atom.expression, &mut parts);
                for expression in parts {
                    let part = Atom { expression, ..atom.clone() };
                    if let Some(predicate) = predicate(program, expressions, &part, &template) {
                        if seen.insert(predicate.clone()) {
                            let tier = if predicate.passive.is_some() { 3 } else { 1 };
                            let tier = tiers.of(expressions, predicate.expression, tier);
                            found.push(Candidate { predicate, tier });
                        }
                        next.push(part);
                    }
                }
            }
            current = next;
        }
    }
    found
}

/// The code of a thread of an interleaving.
pub(crate) fn template_of(program: &Program, steps: &[Taken], thread: usize) -> TemplateId {
    let own = steps.iter().find(|taken| taken.thread == thread);
    own.map_or(program.main, |taken| program.location(program.edge(taken.edge).from).template)
}

/// The atom before a step; `None` if it is about too many threads or too large.
fn back(
    program: &Program,
    expressions: &mut Expressions,
    edge: &Edge,
    thread: usize,
    atom: &Atom,
) -> Option<Atom> {
    let mentioned = variables(expressions, atom.expression);
    let is_shared = |id: VariableId| program.variable(id).scope == Scope::Shared;
    let targets: Vec<VariableId> = edge.assignments.iter().map(|it| it.target).collect();
    let acts_as_own = thread == atom.active;
    let acts_as_passive = atom.passive == Some(thread);
    let touched = mentioned.own.iter().any(|it| targets.contains(it) && (is_shared(*it) || acts_as_own))
        || acts_as_passive && mentioned.passive.iter().any(|it| targets.contains(it));
    if !touched {
        return Some(atom.clone());
    }
    let mut passive = atom.passive;
    if !acts_as_own && !acts_as_passive {
        passive = Some(passive.is_none().then_some(thread)?);
    }
    // A row's scalars are not followed.
    if edge.assignments.iter().any(|it| it.index.is_some() && mentioned.own.contains(&it.target)) {
        return None;
    }
    let mut by: FxHashMap<Expression, ExpressionId> = FxHashMap::default();
    for assignment in &edge.assignments {
        if assignment.index.is_some() {
            continue;
        }
        let value =
            if acts_as_own { assignment.value } else { as_passive(program, expressions, assignment.value)? };
        let is_theirs = !is_shared(assignment.target);
        let what = if is_theirs && !acts_as_own {
            Expression::Passive(assignment.target)
        } else {
            Expression::Variable(assignment.target)
        };
        by.insert(what, value);
    }
    let expression = substitute(expressions, atom.expression, &by)?;
    Some(Atom { expression, active: atom.active, passive })
}

/// An expression of the acting thread as one of a passive thread.
fn as_passive(program: &Program, expressions: &mut Expressions, id: ExpressionId) -> Option<ExpressionId> {
    let mentioned = variables(expressions, id);
    let mut by = FxHashMap::default();
    for variable in mentioned.own {
        let it = program.variable(variable);
        if it.scope != Scope::Shared {
            let passive = expressions.insert(Expression::Passive(variable), it.bits);
            by.insert(Expression::Variable(variable), passive);
        }
    }
    substitute(expressions, id, &by)
}

/// The predicate that an atom is, if it is one.
fn predicate(
    program: &Program,
    expressions: &mut Expressions,
    atom: &Atom,
    template: &dyn Fn(usize) -> TemplateId,
) -> Option<Predicate> {
    if !is_determined(expressions, atom.expression) {
        return None;
    }
    let mentioned = variables(expressions, atom.expression);
    let own = mentioned.own.iter().any(|&it| program.variable(it).scope != Scope::Shared);
    if mentioned.passive.is_empty() {
        if mentioned.own.is_empty() {
            return None;
        }
        return Some(Predicate {
            expression: atom.expression,
            active: own.then(|| template(atom.active)),
            passive: None,
        });
    }
    let other = template(atom.passive?);
    if !own {
        // About one thread only, whose role is the other one.
        let mut by = FxHashMap::default();
        for variable in mentioned.passive {
            let value = expressions.variable(variable, program.variable(variable).bits);
            by.insert(Expression::Passive(variable), value);
        }
        let expression = substitute(expressions, atom.expression, &by)?;
        return Some(Predicate { expression, active: Some(other), passive: None });
    }
    let scope = definitely_assigned(program, other, &mentioned.passive);
    let passive = Some(Party { template: other, scope });
    Some(Predicate { expression: atom.expression, active: Some(template(atom.active)), passive })
}

/// Whether an expression has one value in a state.
pub(crate) fn is_determined(expressions: &Expressions, id: ExpressionId) -> bool {
    let (mut stack, mut count) = (vec![id], 0);
    while let Some(id) = stack.pop() {
        count += 1;
        match expressions.get(id) {
            Expression::Nondet(_)
            | Expression::ThisThread
            | Expression::NewThread
            | Expression::HasEnded(_)
            | Expression::ResultOf(_) => return false,
            _ if count > MOST_NODES => return false,
            _ => stack.extend(expressions.operands(id)),
        }
    }
    true
}

/// The comparisons and truth values that a condition is made of.
pub(crate) fn atoms_of(expressions: &Expressions, id: ExpressionId, atoms: &mut Vec<ExpressionId>) {
    let mut stack = vec![id];
    while let Some(id) = stack.pop() {
        if expressions.bits(id) != 1 {
            continue;
        }
        match expressions.get(id) {
            Expression::Constant(_) => {}
            Expression::Unary(_, a) => stack.push(a),
            Expression::Binary(BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor, a, b) => {
                stack.extend([a, b]);
            }
            Expression::Binary(BinaryOperator::Equal, a, b) if expressions.bits(a) == 1 => {
                stack.extend([a, b]);
            }
            Expression::IfThenElse(c, a, b) => stack.extend([c, a, b]),
            _ if atoms.contains(&id) => {}
            _ => atoms.push(id),
        }
    }
}

/// An expression with leaves replaced; `None` if it becomes too large.
pub(crate) fn substitute(
    expressions: &mut Expressions,
    id: ExpressionId,
    by: &FxHashMap<Expression, ExpressionId>,
) -> Option<ExpressionId> {
    let mut memo: FxHashMap<ExpressionId, ExpressionId> = FxHashMap::default();
    let mut stack = vec![id];
    while let Some(&top) = stack.last() {
        let n = stack.len();
        stack.extend(expressions.operands(top).filter(|it| !memo.contains_key(it)));
        if stack.len() > n {
            continue;
        }
        stack.pop();
        let bits = expressions.bits(top);
        let whole = expressions.get(top);
        let new = match whole {
            _ if by.contains_key(&whole) => by[&whole],
            Expression::Element(variable, index) => expressions.element(variable, memo[&index], bits),
            Expression::Unary(UnaryOperator::Not, a) => expressions.not(memo[&a]),
            Expression::Unary(UnaryOperator::Negate, a) => expressions.negate(memo[&a]),
            Expression::Binary(operator, a, b) => expressions.binary(operator, memo[&a], memo[&b]),
            Expression::IfThenElse(c, a, b) => expressions.if_then_else(memo[&c], memo[&a], memo[&b]),
            Expression::Extend { operand, is_signed } => expressions.resize(memo[&operand], bits, is_signed),
            Expression::Extract { operand, low } => expressions.extract(memo[&operand], low, bits),
            _ => top,
        };
        memo.insert(top, new);
        if memo.len() > 4 * MOST_NODES {
            return None;
        }
    }
    Some(memo[&id])
}
