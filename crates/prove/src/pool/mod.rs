//! Candidates for facts about shared variables, a thread, or two threads, taken from the text of a program.
//!
//! Nothing is decided here: a candidate is a condition that might be worth knowing. Where they come from:
//!
//! * `atoms`: comparisons in guards (assertions are guards), values that are assigned, and both seen from before
//!   assignments (weakest preconditions);
//! * `relations`: variables that are copied to each other, compared or counted alike, compared in all ways, for one
//!   thread and for two; and with the constants that belong to them.
//! * `fields`: bits and fields of packed words.
//! * `ranges`: what obligations say of variables, and of those that their values come from.
//!
//! The pool is bounded: of each kind there are at most so many, those from the program's own text first. Its order depends on the program only.

mod atoms;
mod fields;
mod ranges;
mod relations;
mod rewrite;

pub(crate) use rewrite::rewrite;

use crate::translate;
use rustc_hash::{FxHashMap, FxHashSet};
use throng_cfa::flow::{
    BinaryOperator, Expression, ExpressionId, Expressions, Program, Scope, TemplateId, VariableId,
};

/// The tier of conditions on sums of variables that no guard mentions: they are hard for the solver and seldom of use.
pub(crate) const HEAVY: u8 = 4;

/// Larger expressions are not taken.
const LARGEST: usize = 40;

/// Whom a candidate is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Shared variables only.
    Shared,
    /// Also the variables of a thread of this code.
    Single(TemplateId),
    /// The variables of two threads: active and passive, the code with the smaller number first; perhaps shared ones.
    Pair(TemplateId, TemplateId),
}

/// A condition that might be worth knowing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// One bit, without arbitrary values.
    pub(crate) expression: ExpressionId,
    /// Whom it is about.
    pub(crate) kind: Kind,
    /// How far it is from the program's text; 0 for what stands there.
    pub(crate) tier: u8,
}

/// All candidates.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// Begins with the program's expressions.
    pub(crate) expressions: Expressions,
    /// The candidates, each once, sorted by tier.
    pub(crate) candidates: Vec<Candidate>,
}

/// How many candidates of each kind there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// About shared variables.
    pub(crate) shared: usize,
    /// About threads of one code.
    pub(crate) single: usize,
    /// About two threads of these codes.
    pub(crate) pair: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { shared: 160, single: 320, pair: 240 }
    }
}

impl Pool {
    /// The pool of a program.
    pub(crate) fn new(program: &Program, limits: Limits) -> Self {
        Self::after(program, program.expressions.clone(), limits)
    }

    /// The same, with expressions after these, which begin with the program's.
    pub(crate) fn after(program: &Program, expressions: Expressions, limits: Limits) -> Self {
        let mut builder = Builder::new(program, expressions);
        builder.guards();
        builder.ranges();
        builder.fields();
        builder.assigned();
        builder.relations();
        builder.preconditions();
        builder.finish(limits)
    }

    /// The candidates of a kind.
    pub(crate) fn of(&self, kind: Kind) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(move |it| it.kind == kind)
    }
}

struct Builder<'a> {
    program: &'a Program,
    e: Expressions,
    seen: FxHashSet<ExpressionId>,
    found: Vec<Candidate>,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, e: Expressions) -> Self {
        Self { program, e, seen: FxHashSet::default(), found: Vec::new() }
    }

    /// Adds a condition and its negation.
    fn add(&mut self, condition: ExpressionId, tier: u8) {
        debug_assert_eq!(self.e.bits(condition), 1, "a condition has one bit");
        let negation = self.e.not(condition);
        for expression in [condition, negation] {
            if !self.seen.insert(expression) {
                continue;
            }
            if let Some(kind) = self.kind(expression) {
                self.found.push(Candidate { expression, kind, tier });
            }
        }
    }

    /// Whom a condition is about; `None` if it is no candidate.
    fn kind(&self, expression: ExpressionId) -> Option<Kind> {
        if self.e.as_constant(expression).is_some() || !self.is_plain(expression) {
            return None;
        }
        let mentioned = translate::variables(&self.e, expression);
        let template = |list: &[VariableId]| {
            let owners = list.iter().filter_map(|&it| match self.program.variable(it).scope {
                Scope::Local(template) => Some(template),
                Scope::Shared => None,
            });
            let owners: FxHashSet<TemplateId> = owners.collect();
            (owners.len() <= 1).then(|| owners.into_iter().next())
        };
        match (template(&mentioned.own)?, template(&mentioned.passive)?) {
            (None, None) if self.mentions_number(expression) => None,
            (None, None) => Some(Kind::Shared),
            (Some(template), None) => Some(Kind::Single(template)),
            (Some(active), Some(passive)) if active.index() <= passive.index() => {
                Some(Kind::Pair(active, passive))
            }
            _ => None,
        }
    }

    fn mentions_number(&self, expression: ExpressionId) -> bool {
        let mut is_mentioned = false;
        self.walk(expression, |it| is_mentioned |= it == Expression::ThisThread);
        is_mentioned
    }

    /// Whether an expression is small, cheap for the solver, and its value depends on variables only.
    fn is_plain(&self, expression: ExpressionId) -> bool {
        let (mut is_plain, mut size) = (true, 0);
        self.walk(expression, |it| {
            size += 1;
            is_plain &= match it {
                Expression::Nondet(_)
                | Expression::NewThread
                | Expression::HasEnded(_)
                | Expression::ResultOf(_) => false,
                Expression::Element(variable, _) => {
                    self.program.variable(variable).length <= translate::LONGEST_ROW
                }
                Expression::Binary(operator, ..) => !is_expensive(operator),
                _ => true,
            };
        });
        is_plain && size <= LARGEST
    }

    /// Whether an expression calculates with two variables.
    fn is_heavy(&self, expression: ExpressionId) -> bool {
        let mut is_heavy = false;
        self.walk(expression, |it| {
            if let Expression::Binary(operator, a, b) = it {
                let is_arithmetic = matches!(
                    operator,
                    BinaryOperator::Add
                        | BinaryOperator::Subtract
                        | BinaryOperator::Multiply
                        | BinaryOperator::ShiftLeft
                        | BinaryOperator::ShiftRightLogical
                        | BinaryOperator::ShiftRightArithmetic
                );
                is_heavy |=
                    is_arithmetic && self.e.as_constant(a).is_none() && self.e.as_constant(b).is_none();
            }
        });
        is_heavy
    }

    fn walk(&self, expression: ExpressionId, mut visit: impl FnMut(Expression)) {
        let (mut stack, mut seen) = (vec![expression], FxHashSet::default());
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                visit(self.e.get(id));
                stack.extend(self.e.operands(id));
            }
        }
    }

    fn finish(self, limits: Limits) -> Pool {
        let mut candidates = self.found;
        candidates.sort_by_key(|it| it.tier);
        let mut counts: FxHashMap<Kind, usize> = FxHashMap::default();
        candidates.retain(|it| {
            let count = counts.entry(it.kind).or_default();
            *count += 1;
            *count
                <= match it.kind {
                    Kind::Shared => limits.shared,
                    Kind::Single(_) => limits.single,
                    Kind::Pair(..) => limits.pair,
                }
        });
        Pool { expressions: self.e, candidates }
    }
}

/// Whether the circuit of an operator is large (of its square, or more).
fn is_expensive(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::UnsignedDivide
            | BinaryOperator::SignedDivide
            | BinaryOperator::UnsignedRemainder
            | BinaryOperator::SignedRemainder
    )
}
