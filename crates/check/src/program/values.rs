//! What an expression can be when some variables have no value yet.
//!
//! An expression has a set of possible values, since `*` is chosen wherever it stands. If variables are open, that set
//! is known between two bounds: the values that are possible *in any case*, whatever the open variables are, and those
//! that *may* be possible for some values of them. Every choice and every operand stands in one place, so the bounds of
//! an operator follow from the bounds of its operands. Without open variables both bounds are the set itself. With them
//! the bounds are not always sharp (`x | !x`): who needs to know splits on a variable.

use throng_boolprog::expression::{Node, Values};
use throng_boolprog::flow::{Expression, Reference};

/// Bounds of the set of values that an expression can have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Possible in any case.
    pub(super) sure: Values,
    /// Perhaps possible.
    pub(super) perhaps: Values,
}

const NONE: Values = Values { can_be_false: false, can_be_true: false };

impl Bounds {
    fn exactly(values: Values) -> Self {
        Self { sure: values, perhaps: values }
    }

    /// What an operator makes of its operands: it maps values to sets of values.
    fn combine(self, right: Self, operator: impl Fn(bool, bool) -> Values) -> Self {
        let all = |left: Values, right: Values| {
            let pairs = [(false, false), (false, true), (true, false), (true, true)];
            let possible = pairs.into_iter().filter(|&(a, b)| left.contains(a) && right.contains(b));
            possible.map(|(a, b)| operator(a, b)).fold(NONE, |all, values| Values {
                can_be_false: all.can_be_false || values.can_be_false,
                can_be_true: all.can_be_true || values.can_be_true,
            })
        };
        Self { sure: all(self.sure, right.sure), perhaps: all(self.perhaps, right.perhaps) }
    }
}

/// The bounds of an expression where `read` gives the values of variables, `None` for open ones.
pub(super) fn bounds(expression: &Expression, read: impl Fn(&Reference) -> Option<bool>) -> Bounds {
    let open = Bounds { sure: NONE, perhaps: Values::EITHER };
    let mut stack: Vec<Bounds> = Vec::with_capacity(8);
    for node in expression.nodes() {
        // INVARIANT: postorder, so operands are on the stack. Were they not, nothing would be claimed about them.
        let mut pop = || stack.pop().unwrap_or(open);
        let bounds = match node {
            Node::Constant(value) => Bounds::exactly(Values::only(*value)),
            Node::Choice => Bounds::exactly(Values::EITHER),
            Node::Read(reference) => {
                read(reference).map_or(open, |value| Bounds::exactly(Values::only(value)))
            }
            Node::Not => pop().combine(Bounds::exactly(Values::only(true)), |a, _| Values::only(!a)),
            Node::Binary(operator) => {
                let right = pop();
                pop().combine(right, |a, b| Values::only(operator.apply(a, b)))
            }
            Node::Schoose => {
                let second = pop();
                pop().combine(second, |a, b| if a || b { Values::only(a) } else { Values::EITHER })
            }
        };
        stack.push(bounds);
    }
    stack.pop().unwrap_or(open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_boolprog::expression::Operator;
    use throng_boolprog::flow::VariableId;

    fn variable(index: u32) -> Expression {
        let variable = VariableId::Shared(index);
        Expression::read(Reference { variable, is_next: false, is_passive: false })
    }

    fn index(reference: &Reference) -> usize {
        match reference.variable {
            VariableId::Shared(index) | VariableId::Local(index) => index as usize,
        }
    }

    #[test]
    fn bounds_hold_for_every_completion_and_meet_without_open_variables() {
        let operators = [
            Operator::And,
            Operator::Or,
            Operator::Xor,
            Operator::Implies,
            Operator::Equal,
            Operator::NotEqual,
        ];
        let leaves = [variable(0), variable(1), Expression::choice(), Expression::constant(true)];
        let mut expressions: Vec<Expression> = Vec::new();
        for a in &leaves {
            for b in &leaves {
                expressions.push(a.clone().schoose(b.clone()).negated());
                for operator in operators {
                    let inner = a.clone().binary(operator, b.clone());
                    expressions.push(inner.clone().binary(Operator::Xor, variable(1).negated()));
                    expressions.push(variable(0).binary(operator, inner));
                }
            }
        }
        for expression in &expressions {
            for partial in [[None, None], [Some(true), None], [None, Some(false)], [Some(false), Some(true)]]
            {
                let found = bounds(expression, |reference| partial[index(reference)]);
                for completion in [[false, false], [false, true], [true, false], [true, true]] {
                    let mut pairs = partial.iter().zip(&completion);
                    if !pairs.all(|(value, chosen)| value.is_none_or(|value| value == *chosen)) {
                        continue;
                    }
                    let values = expression.possible_values(|reference| completion[index(reference)]);
                    for value in [false, true] {
                        assert!(!found.sure.contains(value) || values.contains(value), "{expression:?}");
                        assert!(found.perhaps.contains(value) || !values.contains(value), "{expression:?}");
                        let is_total = partial.iter().all(Option::is_some);
                        assert!(!is_total || found.sure.contains(value) == values.contains(value));
                    }
                }
            }
        }
    }
}
