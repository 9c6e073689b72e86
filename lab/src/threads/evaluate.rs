//! Values of expressions in a state, as [`throng_cfa::flow`] defines them; by itself, to compare others with.

use super::explore::{Layout, State};
use throng_cfa::flow::{BinaryOperator, Expression, ExpressionId, LocationKind, Scope, UnaryOperator};

/// A state as a thread sees it that takes a step.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) layout: &'a Layout<'a>,
    pub(super) state: &'a State,
    /// The place of the thread in the list.
    pub(super) thread: usize,
    /// The place of a passive thread that is looked at.
    pub(super) passive: Option<usize>,
    /// Arbitrary values, by their number in the program.
    pub(super) nondets: &'a [u128],
}

/// As many ones.
pub(super) fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

fn signed(value: u128, bits: u32) -> i128 {
    ((value << (128 - bits)) as i128) >> (128 - bits)
}

impl View<'_> {
    /// The value of an expression.
    pub(super) fn eval(&self, id: ExpressionId) -> u128 {
        let program = self.layout.program;
        let width = |id| program.expressions.bits(id);
        let value = match program.expressions.get(id) {
            Expression::Constant(value) => value,
            Expression::Variable(variable) => self.read(variable, 0),
            Expression::Element(variable, index) => self.read(variable, self.eval(index)),
            Expression::Passive(variable) => {
                let place = self.passive.expect("a passive thread is looked at");
                self.state.threads[place].locals[self.layout.place(variable)]
            }
            Expression::Nondet(nondet) => self.nondets[nondet.index()],
            Expression::ThisThread => self.thread as u128 + 1,
            Expression::NewThread => self.state.threads.len() as u128 + 1,
            Expression::HasEnded(a) => u128::from(self.numbered(self.eval(a)).is_some_and(|place| {
                program.location(self.state.threads[place].location).kind == LocationKind::End
            })),
            Expression::ResultOf(a) => self.numbered(self.eval(a)).map_or(0, |place| self.result(place)),
            Expression::Unary(UnaryOperator::Not, a) => !self.eval(a),
            Expression::Unary(UnaryOperator::Negate, a) => self.eval(a).wrapping_neg(),
            Expression::Binary(operator, a, b) => binary(operator, self.eval(a), self.eval(b), width(a)),
            Expression::IfThenElse(a, b, c) => self.eval(if self.eval(a) == 1 { b } else { c }),
            Expression::Extend { operand, is_signed: true } => {
                signed(self.eval(operand), width(operand)) as u128
            }
            Expression::Extend { operand, .. } => self.eval(operand),
            Expression::Extract { operand, low } => self.eval(operand) >> low,
        };
        value & mask(width(id))
    }

    /// A scalar of a variable; zero beyond the end.
    fn read(&self, variable: throng_cfa::flow::VariableId, index: u128) -> u128 {
        let data = self.layout.program.variable(variable);
        if index >= u128::from(data.length) {
            return 0;
        }
        let place = self.layout.place(variable) + index as usize;
        match data.scope {
            Scope::Shared => self.state.shared[place],
            Scope::Local(_) => self.state.threads[self.thread].locals[place],
        }
    }

    fn numbered(&self, number: u128) -> Option<usize> {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        (place < self.state.threads.len()).then_some(place)
    }

    fn result(&self, place: usize) -> u128 {
        let program = self.layout.program;
        let thread = &self.state.threads[place];
        let template = program.location(thread.location).template;
        let result = program.templates[template.index()].result;
        result.map_or(0, |variable| thread.locals[self.layout.place(variable)])
    }
}

fn binary(operator: BinaryOperator, a: u128, b: u128, bits: u32) -> u128 {
    let (x, y) = (signed(a, bits), signed(b, bits));
    let shift = |f: &dyn Fn(u32) -> u128| if b < u128::from(bits) { f(b as u32) } else { 0 };
    match operator {
        BinaryOperator::Add => a.wrapping_add(b),
        BinaryOperator::Subtract => a.wrapping_sub(b),
        BinaryOperator::Multiply => a.wrapping_mul(b),
        BinaryOperator::UnsignedDivide => a.checked_div(b).unwrap_or(u128::MAX),
        BinaryOperator::UnsignedRemainder => a.checked_rem(b).unwrap_or(a),
        BinaryOperator::SignedDivide if y == 0 && x < 0 => 1,
        BinaryOperator::SignedDivide if y == 0 => u128::MAX,
        BinaryOperator::SignedDivide => x.wrapping_div(y) as u128,
        BinaryOperator::SignedRemainder if y == 0 => a,
        BinaryOperator::SignedRemainder => x.wrapping_rem(y) as u128,
        BinaryOperator::And => a & b,
        BinaryOperator::Or => a | b,
        BinaryOperator::Xor => a ^ b,
        BinaryOperator::ShiftLeft => shift(&|n| a << n),
        BinaryOperator::ShiftRightLogical => shift(&|n| a >> n),
        BinaryOperator::ShiftRightArithmetic => (x >> b.min(127)) as u128,
        BinaryOperator::Equal => u128::from(a == b),
        BinaryOperator::UnsignedLess => u128::from(a < b),
        BinaryOperator::UnsignedLessOrEqual => u128::from(a <= b),
        BinaryOperator::SignedLess => u128::from(x < y),
        BinaryOperator::SignedLessOrEqual => u128::from(x <= y),
    }
}
