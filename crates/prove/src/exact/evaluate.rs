//! Values of expressions where some variables are not known: a number, or nothing is known.

use super::layout::Layout;
use throng_cfa::flow::{
    BinaryOperator, Expression, ExpressionId, NondetId, Program, Scope, UnaryOperator, VariableId, apply,
    mask, signed,
};

/// What expressions are evaluated in.
#[derive(Clone, Copy)]
pub(super) struct Situation<'a> {
    pub(super) shared: &'a [u128],
    pub(super) own: &'a [u128],
    pub(super) passive: &'a [u128],
    /// Arbitrary values that were chosen.
    pub(super) chosen: &'a [(NondetId, u128)],
}

/// Evaluates expressions; keeps its memory from one time to the next.
#[derive(Default)]
pub(super) struct Evaluator {
    /// By expression.
    values: Vec<Option<u128>>,
}

impl Evaluator {
    /// Evaluates these expressions, operands first.
    pub(super) fn run(
        &mut self,
        program: &Program,
        layout: &Layout,
        order: &[ExpressionId],
        situation: Situation<'_>,
    ) {
        self.values.resize(program.expressions.len(), None);
        for &id in order {
            self.values[id.index()] = self.value(program, layout, id, situation);
        }
    }

    /// The value of an expression that was evaluated.
    pub(super) fn get(&self, id: ExpressionId) -> Option<u128> {
        self.values[id.index()]
    }

    fn value(
        &self,
        program: &Program,
        layout: &Layout,
        id: ExpressionId,
        situation: Situation<'_>,
    ) -> Option<u128> {
        let bits = program.expressions.bits(id);
        let own = |variable: VariableId, index: u128| -> Option<u128> {
            let known = program.variable(variable);
            let start = layout.start(variable)?;
            if index >= u128::from(known.length) {
                return Some(0);
            }
            let row = if known.scope == Scope::Shared { situation.shared } else { situation.own };
            row.get(start + index as usize).copied()
        };
        match program.expressions.get(id) {
            Expression::Constant(value) => Some(value),
            Expression::Variable(variable) => own(variable, 0),
            Expression::Element(variable, index) => own(variable, self.get(index)?),
            Expression::Passive(variable) => situation.passive.get(layout.start(variable)?).copied(),
            Expression::Nondet(nondet) => {
                situation.chosen.iter().find(|&&(other, _)| other == nondet).map(|&(_, value)| value)
            }
            Expression::ThisThread
            | Expression::NewThread
            | Expression::HasEnded(_)
            | Expression::ResultOf(_) => None,
            Expression::Unary(operator, a) => {
                let a = self.get(a)?;
                let value = match operator {
                    UnaryOperator::Not => !a,
                    UnaryOperator::Negate => a.wrapping_neg(),
                };
                Some(value & mask(bits))
            }
            Expression::Binary(operator, a, b) => {
                let width = program.expressions.bits(a);
                binary(operator, self.get(a), self.get(b), a == b, width)
            }
            Expression::IfThenElse(c, a, b) => match self.get(c) {
                Some(1) => self.get(a),
                Some(_) => self.get(b),
                None => self.get(a).filter(|_| self.get(a) == self.get(b)),
            },
            Expression::Extend { operand, is_signed } => {
                let value = self.get(operand)?;
                let from = program.expressions.bits(operand);
                Some(if is_signed { signed(value, from) as u128 & mask(bits) } else { value })
            }
            Expression::Extract { operand, low } => Some((self.get(operand)? >> low) & mask(bits)),
        }
    }
}

/// An operator on values that may be unknown: some results do not depend on both.
fn binary(
    operator: BinaryOperator,
    a: Option<u128>,
    b: Option<u128>,
    is_same: bool,
    bits: u32,
) -> Option<u128> {
    if let (Some(a), Some(b)) = (a, b) {
        return Some(apply(operator, a, b, bits));
    }
    match operator {
        BinaryOperator::And | BinaryOperator::Multiply if a == Some(0) || b == Some(0) => Some(0),
        BinaryOperator::Or if a == Some(mask(bits)) || b == Some(mask(bits)) => Some(mask(bits)),
        BinaryOperator::Equal if is_same => Some(1),
        _ => None,
    }
}
