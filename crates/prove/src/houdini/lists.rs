//! Which candidates are considered where.
//!
//! A *slot* is a place where facts are kept: one for all states, one for each location, one for each pair of locations where two
//! threads stand. Slots of the same codes have the same candidates.

use crate::pool::{HEAVY, Kind, Pool, rewrite};
use crate::translate;
use rustc_hash::{FxHashMap, FxHashSet};
use throng_cfa::flow::{
    BinaryOperator, Edge, Expression, ExpressionId, Expressions, LocationId, LocationKind, Program, Scope,
    TemplateId, UnaryOperator, VariableId,
};

/// How much is considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Power {
    /// Whether conditions on shared variables and on one thread are considered for two threads as well.
    pub(super) pairs: bool,
    /// Whether conditions are considered that hold while a flag has a value.
    pub(super) conditional: bool,
    /// Whether conditions on sums are considered that no guard mentions.
    pub(super) heavy: bool,
}

/// At most so many conditions that others depend on, and conditions that depend on each of them.
const MOST_WHEN: usize = 12;
const MOST_THEN: usize = 40;
/// At most so many conditions on shared variables, and on one thread, are considered for two threads.
const MOST_SHARED: usize = 60;
const MOST_OWN: usize = 12;

/// Which candidates are considered where.
#[derive(Debug)]
pub(super) struct Lists {
    pub(super) expressions: Expressions,
    pub(super) global: Vec<ExpressionId>,
    /// By template.
    pub(super) single: Vec<Vec<ExpressionId>>,
    /// By templates, the smaller number first.
    pub(super) pair: FxHashMap<(TemplateId, TemplateId), Vec<ExpressionId>>,
}

impl Lists {
    pub(super) fn new(program: &Program, pool: &Pool, power: Power) -> Self {
        let mut e = pool.expressions.clone();
        let of = |kind| {
            let taken = pool.of(kind).filter(|it| power.heavy || it.tier < HEAVY);
            taken.map(|it| it.expression).collect::<Vec<_>>()
        };
        let shared = of(Kind::Shared);
        let asserted = asserted(program);
        let mut global = shared.clone();
        let mut single = Vec::new();
        for template in (0..program.templates.len()).map(TemplateId::new) {
            let mut list = shared.clone();
            list.extend(of(Kind::Single(template)));
            single.push(list);
        }
        if power.conditional {
            let dependent = Dependent { program, asserted: &asserted };
            dependent.extend(&mut e, &shared.clone(), &mut global);
            for list in &mut single {
                let plain = list.clone();
                dependent.extend(&mut e, &plain, list);
            }
        }
        let flags: Vec<Vec<ExpressionId>> = (0..program.templates.len())
            .map(|index| {
                let own = pool.of(Kind::Single(TemplateId::new(index)));
                let flags = own.filter(|it| it.tier == 0 && is_flag(&e, it.expression));
                flags.map(|it| it.expression).take(MOST_OWN).collect()
            })
            .collect();
        let mut pair = FxHashMap::default();
        for a in (0..program.templates.len()).map(TemplateId::new) {
            for b in (a.index()..program.templates.len()).map(TemplateId::new) {
                let mut list = of(Kind::Pair(a, b));
                if power.pairs {
                    list.extend(shared.iter().filter(|&&it| is_bounded(&e, it)).take(MOST_SHARED));
                    two_flags(program, &mut e, &flags[a.index()], &flags[b.index()], &mut list);
                }
                pair.insert((a, b), list);
            }
        }
        Self { expressions: e, global, single, pair }
    }

    /// How many candidates there are.
    pub(super) fn len(&self) -> usize {
        self.global.len()
            + self.single.iter().map(Vec::len).sum::<usize>()
            + self.pair.values().map(Vec::len).sum::<usize>()
    }
}

/// The order of locations in pairs: by template first.
pub(super) fn rank(program: &Program, location: LocationId) -> (usize, usize) {
    (program.location(location).template.index(), location.index())
}

/// The variables that guards of steps to errors mention.
fn asserted(program: &Program) -> FxHashSet<VariableId> {
    let is_error = |edge: &&Edge| matches!(program.location(edge.to).kind, LocationKind::Error(_));
    let guards = program.edges.iter().filter(is_error).map(|edge| edge.guard);
    guards.flat_map(|guard| translate::variables(&program.expressions, guard).own).collect()
}

/// Whether a condition says that a variable has a value, or has not.
fn is_flag(e: &Expressions, condition: ExpressionId) -> bool {
    let positive = match e.get(condition) {
        Expression::Unary(UnaryOperator::Not, a) => a,
        _ => condition,
    };
    match e.get(positive) {
        Expression::Variable(_) => true,
        Expression::Element(_, index) => e.as_constant(index).is_some(),
        Expression::Binary(BinaryOperator::Equal, a, b) => is_place(e, a) && e.as_constant(b).is_some(),
        _ => false,
    }
}

/// Whether a condition compares a variable with a constant.
fn is_bounded(e: &Expressions, condition: ExpressionId) -> bool {
    let compared = match e.get(condition) {
        Expression::Binary(operator, a, b) if operator.is_comparison() => Some((a, b)),
        _ => None,
    };
    let is_constant = |it| e.as_constant(it).is_some();
    is_flag(e, condition)
        || compared.is_some_and(|(a, b)| is_place(e, a) && is_constant(b) || is_constant(a) && is_place(e, b))
}

/// What two threads' flags may be together: one of them, or one of two.
fn two_flags(
    program: &Program,
    e: &mut Expressions,
    active: &[ExpressionId],
    passive: &[ExpressionId],
    list: &mut Vec<ExpressionId>,
) {
    let passive: Vec<ExpressionId> =
        passive.iter().filter_map(|&condition| as_passive(program, e, condition)).collect();
    list.extend(active.iter().chain(&passive));
    for &a in active {
        list.extend(passive.iter().map(|&b| e.or(a, b)));
    }
}

/// A condition on the active thread as one on the passive thread; `None` if it cannot be said.
fn as_passive(program: &Program, e: &mut Expressions, condition: ExpressionId) -> Option<ExpressionId> {
    let mut is_possible = true;
    let passive = rewrite(e, condition, &mut |e, leaf, bits| match leaf {
        Expression::Variable(variable) if program.variable(variable).scope != Scope::Shared => {
            Some(e.insert(Expression::Passive(variable), bits))
        }
        Expression::Element(variable, _) => {
            is_possible &= program.variable(variable).scope == Scope::Shared;
            None
        }
        Expression::ThisThread => {
            is_possible = false;
            None
        }
        _ => None,
    });
    is_possible.then_some(passive)
}

/// Whether a condition says that two variables, or parts of them, are equal.
fn is_link(e: &Expressions, condition: ExpressionId) -> bool {
    match e.get(condition) {
        Expression::Binary(BinaryOperator::Equal, a, b) => is_part(e, a) && is_part(e, b),
        _ => false,
    }
}

/// Whether an expression is a variable, or bits of one.
fn is_part(e: &Expressions, expression: ExpressionId) -> bool {
    match e.get(expression) {
        Expression::Extract { operand, .. } | Expression::Extend { operand, .. } => is_part(e, operand),
        Expression::Binary(BinaryOperator::And | BinaryOperator::ShiftRightLogical, a, b) => {
            is_part(e, a) && e.as_constant(b).is_some()
        }
        _ => is_place(e, expression),
    }
}

fn is_place(e: &Expressions, expression: ExpressionId) -> bool {
    match e.get(expression) {
        Expression::Variable(_) => true,
        Expression::Element(_, index) => e.as_constant(index).is_some(),
        _ => false,
    }
}

/// Conditions that hold while others do: while a flag has a value, or while two variables are equal.
struct Dependent<'a> {
    program: &'a Program,
    asserted: &'a FxHashSet<VariableId>,
}

impl Dependent<'_> {
    fn extend(&self, e: &mut Expressions, plain: &[ExpressionId], list: &mut Vec<ExpressionId>) {
        let is_shared = |id: &VariableId| self.program.variable(*id).scope == Scope::Shared;
        let mentioned = |e: &Expressions, it| translate::variables(e, it).own;
        let mut when: Vec<ExpressionId> = Vec::new();
        let mut take = |it: &mut dyn Iterator<Item = ExpressionId>| {
            let n = when.len() + MOST_WHEN;
            for condition in it {
                if when.len() < n && !when.contains(&condition) {
                    when.push(condition);
                }
            }
        };
        let conditions = || plain.iter().copied();
        let shared = |it| mentioned(e, it).iter().any(is_shared);
        take(&mut conditions().filter(|&it| is_bit(e, it)));
        take(&mut conditions().filter(|&it| is_link(e, it) && shared(it)));
        take(&mut conditions().filter(|&it| is_flag(e, it) && !shared(it)));
        take(&mut conditions().filter(|&it| is_link(e, it) && !shared(it)));
        take(&mut conditions().filter(|&it| is_flag(e, it) && shared(it)));
        let is_asserted = |it: &&ExpressionId| mentioned(e, **it).iter().any(|id| self.asserted.contains(id));
        let (mut then, others): (Vec<ExpressionId>, Vec<ExpressionId>) = plain.iter().partition(is_asserted);
        then.extend(others);
        then.truncate(MOST_THEN);
        let mut seen: FxHashSet<ExpressionId> = list.iter().copied().collect();
        for &condition in &when {
            let off = e.not(condition);
            for &consequence in &then {
                let either = e.or(off, consequence);
                let is_new = consequence != condition && consequence != off;
                if is_new && e.as_constant(either).is_none() && seen.insert(either) {
                    list.push(either);
                }
            }
        }
    }
}

/// Whether a condition is one bit of a shared variable, or its negation.
fn is_bit(e: &Expressions, condition: ExpressionId) -> bool {
    match e.get(condition) {
        Expression::Unary(UnaryOperator::Not, a) => is_place(e, a),
        _ => is_place(e, condition),
    }
}
