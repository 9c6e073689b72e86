//! Operators between two operands, by precedence and without recursion: a sum of a thousand terms is one loop.

use super::{Parsed, Parser};
use crate::lexer::{Punctuator, TokenKind};
use crate::syntax::{BinaryOperator, Expression, ExpressionKind};

/// An operator that takes two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Binary(BinaryOperator),
    And,
    Or,
}

/// The operator that a punctuator is, and how strongly it binds.
fn operator(punctuator: Punctuator) -> Option<(Operator, u8)> {
    use BinaryOperator as B;
    use Punctuator as P;
    let (operator, strength) = match punctuator {
        P::OrOr => return Some((Operator::Or, 1)),
        P::AndAnd => return Some((Operator::And, 2)),
        P::Or => (B::BitOr, 3),
        P::Xor => (B::BitXor, 4),
        P::And => (B::BitAnd, 5),
        P::Equal => (B::Equal, 6),
        P::NotEqual => (B::NotEqual, 6),
        P::Less => (B::Less, 7),
        P::Greater => (B::Greater, 7),
        P::LessOrEqual => (B::LessOrEqual, 7),
        P::GreaterOrEqual => (B::GreaterOrEqual, 7),
        P::ShiftLeft => (B::ShiftLeft, 8),
        P::ShiftRight => (B::ShiftRight, 8),
        P::Plus => (B::Add, 9),
        P::Minus => (B::Subtract, 9),
        P::Star => (B::Multiply, 10),
        P::Slash => (B::Divide, 10),
        P::Percent => (B::Remainder, 10),
        _ => return None,
    };
    Some((Operator::Binary(operator), strength))
}

/// Operands with the heights of their trees, and operators that wait for their right operand.
#[derive(Default)]
struct Stacks {
    operands: Vec<(Expression, u32)>,
    operators: Vec<(Operator, u8)>,
}

impl Parser<'_> {
    /// An expression of operators stronger than `?:`.
    pub(super) fn binary(&mut self) -> Parsed<Expression> {
        self.apart(Self::binary_chain)
    }

    fn binary_chain(&mut self) -> Parsed<Expression> {
        let first = self.cast()?;
        let mut stacks = Stacks { operands: vec![(first, self.height)], ..Stacks::default() };
        while let TokenKind::Punctuator(punctuator) = self.peek() {
            let Some((next, strength)) = operator(punctuator) else { break };
            self.advance();
            while stacks.operators.last().is_some_and(|&(_, waiting)| waiting >= strength) {
                self.apply(&mut stacks)?;
            }
            self.height = 0;
            let operand = self.cast()?;
            stacks.operators.push((next, strength));
            stacks.operands.push((operand, self.height));
        }
        while !stacks.operators.is_empty() {
            self.apply(&mut stacks)?;
        }
        let (expression, height) = stacks.operands.pop().expect("a first operand was pushed");
        self.height = height;
        Ok(expression)
    }

    /// Gives the last operator its operands.
    fn apply(&mut self, stacks: &mut Stacks) -> Parsed<()> {
        let last = (stacks.operators.pop(), stacks.operands.pop(), stacks.operands.pop());
        let (Some((operator, _)), Some((right, right_height)), Some((left, left_height))) = last else {
            unreachable!("every operator stands between two operands")
        };
        self.height = left_height.max(right_height);
        self.grow()?;
        let span = left.span.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match operator {
            Operator::Binary(operator) => ExpressionKind::Binary(operator, left, right),
            Operator::And => ExpressionKind::And(left, right),
            Operator::Or => ExpressionKind::Or(left, right),
        };
        stacks.operands.push((Expression { kind, span }, self.height));
        Ok(())
    }
}
