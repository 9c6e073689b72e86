//! Conditions that say the same are one predicate: `s == m` and `m == s`, `a < b` and `b <= a`, `4 <= x` and `x < 4`.
//!
//! Two expressions have the same *normal form* if they differ only in the order of operands, in how a comparison with a constant is
//! written, and, for predicates that are not about all others, in a negation: a bit and its opposite are one bit. "For all" is not closed
//! under negation, so a predicate about all others and its negation are two. Of all conditions with one normal form, the first one that is met
//! stands for them, so users see what they or the program wrote. What is not recognised as the same is two predicates, as before.

use rustc_hash::FxHashMap;
use throng_cfa::flow::{
    BinaryOperator as B, Expression, ExpressionId, Expressions, Program, UnaryOperator, mask,
};
use throng_cfa::invariant::{Predicate, Predicates};

/// Expressions that are not longer are looked into.
const MOST_NODES: usize = 100;

/// What stands for conditions, by their normal form and whether its negation is the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Normal {
    first: FxHashMap<(ExpressionId, bool), ExpressionId>,
}

impl Normal {
    /// What users and the guards of a program say stands for what says the same.
    pub(crate) fn new(program: &Program, predicates: &mut Predicates) -> Self {
        let mut normal = Self::default();
        for predicate in std::mem::take(&mut predicates.list) {
            let predicate = normal.of(&mut predicates.expressions, predicate);
            predicates.insert(predicate);
        }
        let mut guards = Vec::new();
        for edge in &program.edges {
            crate::weakest::atoms_of(&program.expressions, edge.guard, &mut guards);
        }
        for expression in guards {
            normal.of(&mut predicates.expressions, Predicate { expression, active: None, passive: None });
        }
        normal
    }

    /// The predicate that stands for this one.
    pub(crate) fn of(&mut self, expressions: &mut Expressions, predicate: Predicate) -> Predicate {
        let either = predicate.passive.is_none();
        let key = (form(expressions, predicate.expression, either), either);
        let expression = *self.first.entry(key).or_insert(predicate.expression);
        Predicate { expression, ..predicate }
    }
}

/// The normal form of a condition. `either`: the same for its negation.
fn form(e: &mut Expressions, id: ExpressionId, either: bool) -> ExpressionId {
    let form = sorted(e, id);
    if !either {
        return form;
    }
    let negation = e.not(form);
    let negation = sorted(e, negation);
    form.min(negation)
}

/// An expression with its operands in order, where that does not matter, and comparisons with constants as `x < c` or its negation.
fn sorted(e: &mut Expressions, id: ExpressionId) -> ExpressionId {
    let mut memo: FxHashMap<ExpressionId, ExpressionId> = FxHashMap::default();
    let mut stack = vec![id];
    while let Some(&top) = stack.last() {
        let n = stack.len();
        stack.extend(e.operands(top).filter(|it| !memo.contains_key(it)));
        if stack.len() > n {
            continue;
        }
        stack.pop();
        if memo.len() > MOST_NODES {
            return id;
        }
        let new = match e.get(top) {
            Expression::Unary(UnaryOperator::Not, a) => e.not(memo[&a]),
            Expression::Binary(operator, a, b) => binary(e, operator, memo[&a], memo[&b]),
            _ => top,
        };
        memo.insert(top, new);
    }
    memo[&id]
}

fn binary(e: &mut Expressions, operator: B, a: ExpressionId, b: ExpressionId) -> ExpressionId {
    let bits = e.bits(a);
    let (low, high) = match operator {
        B::SignedLess | B::SignedLessOrEqual => (1 << (bits - 1), mask(bits) >> 1),
        _ => (0, mask(bits)),
    };
    let strict = match operator {
        B::SignedLess | B::SignedLessOrEqual => B::SignedLess,
        _ => B::UnsignedLess,
    };
    // The constant after c, unless that is the first one of all.
    let after = |e: &mut Expressions, c: u128| (c != high).then(|| e.constant(c.wrapping_add(1), bits));
    match (operator, e.as_constant(a), e.as_constant(b)) {
        // x <= c is x < c + 1.
        (B::SignedLessOrEqual | B::UnsignedLessOrEqual, None, Some(c)) => match after(e, c) {
            Some(next) => binary(e, strict, a, next),
            None => e.truth(true),
        },
        // c < x is not x < c + 1, and c <= x is not x < c.
        (B::SignedLess | B::UnsignedLess, Some(c), None) => match after(e, c) {
            Some(next) => {
                let below = binary(e, strict, b, next);
                negation(e, below)
            }
            None => e.truth(false),
        },
        (B::SignedLessOrEqual | B::UnsignedLessOrEqual, Some(c), None) if c == low => e.truth(true),
        (B::SignedLessOrEqual | B::UnsignedLessOrEqual, Some(_), None) => {
            let below = binary(e, strict, b, a);
            negation(e, below)
        }
        // Only 0 is below 1.
        (B::UnsignedLess, None, Some(1)) => {
            let zero = e.constant(0, bits);
            e.equal(a, zero)
        }
        // a <= b is not b < a.
        (B::SignedLessOrEqual | B::UnsignedLessOrEqual, None, None) => {
            let above = e.binary(strict, b, a);
            negation(e, above)
        }
        (B::Add | B::Multiply | B::And | B::Or | B::Xor | B::Equal, None, None) if b < a => {
            e.binary(operator, b, a)
        }
        _ => e.binary(operator, a, b),
    }
}

/// The negation as such: [`Expressions::not`] would turn a comparison around.
fn negation(e: &mut Expressions, condition: ExpressionId) -> ExpressionId {
    match e.get(condition) {
        Expression::Binary(B::SignedLess | B::UnsignedLess, ..) => {
            e.insert(Expression::Unary(UnaryOperator::Not, condition), 1)
        }
        _ => e.not(condition),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_cfa::flow::VariableId;

    /// Whether two conditions over x and y, seen one after the other, are one predicate.
    fn are_one(
        passive: bool,
        make: impl Fn(&mut Expressions, ExpressionId, ExpressionId) -> [ExpressionId; 2],
    ) -> bool {
        let mut e = Expressions::default();
        let (x, y) = (e.variable(VariableId::new(0), 8), e.variable(VariableId::new(1), 8));
        let both = make(&mut e, x, y);
        let (mut normal, first) = (Normal::default(), both[0]);
        let template = throng_cfa::flow::TemplateId::new(0);
        let party = || throng_cfa::invariant::Party { template, scope: Vec::new() };
        let both = both.map(|expression| {
            let passive = passive.then(party);
            normal.of(&mut e, Predicate { expression, active: Some(template), passive }).expression
        });
        assert_eq!(both[0], first, "the first one stands for itself");
        both[0] == both[1]
    }

    #[test]
    fn operands_of_equalities_have_no_order() {
        for passive in [false, true] {
            assert!(are_one(passive, |e, x, y| [e.equal(x, y), e.equal(y, x)]));
            let is_one = are_one(passive, |e, x, y| {
                let (a, b) = (e.add(x, y), e.add(y, x));
                [e.binary(B::UnsignedLess, a, x), e.binary(B::UnsignedLess, b, x)]
            });
            assert!(is_one);
            assert!(!are_one(passive, |e, x, y| {
                [e.binary(B::UnsignedLess, x, y), e.binary(B::UnsignedLess, y, x)]
            }));
            assert!(!are_one(passive, |e, x, y| {
                [e.binary(B::UnsignedLess, x, y), e.binary(B::SignedLess, x, y)]
            }));
        }
    }

    #[test]
    fn a_negation_is_the_same_unless_it_is_about_all_others() {
        for passive in [false, true] {
            let negated = are_one(passive, |e, x, y| {
                let equal = e.equal(x, y);
                [equal, e.not(equal)]
            });
            assert_eq!(negated, !passive);
            let turned = are_one(passive, |e, x, y| {
                [e.binary(B::SignedLess, x, y), e.binary(B::SignedLessOrEqual, y, x)]
            });
            assert_eq!(turned, !passive);
        }
    }

    /// All comparisons with constants of three bits, against all values.
    #[test]
    fn comparisons_with_constants_are_one_where_they_agree() {
        let operators =
            [B::UnsignedLess, B::UnsignedLessOrEqual, B::SignedLess, B::SignedLessOrEqual, B::Equal];
        let value = |e: &Expressions, id: ExpressionId, x: u128| -> bool {
            fn of(e: &Expressions, id: ExpressionId, x: u128) -> u128 {
                match e.get(id) {
                    Expression::Constant(c) => c,
                    Expression::Variable(_) => x,
                    Expression::Unary(_, a) => !of(e, a, x) & mask(e.bits(id)),
                    Expression::Binary(operator, a, b) => {
                        throng_cfa::flow::apply(operator, of(e, a, x), of(e, b, x), e.bits(a))
                    }
                    other => panic!("{other:?}"),
                }
            }
            of(e, id, x) == 1
        };
        let mut e = Expressions::default();
        let x = e.variable(VariableId::new(0), 3);
        let mut all = Vec::new();
        for operator in operators {
            for c in 0..8 {
                let c = e.constant(c, 3);
                all.extend([e.binary(operator, x, c), e.binary(operator, c, x)]);
            }
        }
        for id in all {
            let whole = form(&mut e, id, false);
            assert!((0..8).all(|x| value(&e, id, x) == value(&e, whole, x)), "{id:?}");
            let either = form(&mut e, id, true);
            let same = (0..8).filter(|&x| value(&e, id, x) == value(&e, either, x)).count();
            assert!(same == 0 || same == 8, "{id:?}");
        }
    }
}
