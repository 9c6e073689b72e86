//! Expressions over bit-vectors, each kept once: equal expressions have equal numbers.

use super::{NondetId, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_base::define_id;

define_id! {
    /// An expression, by its number in [`Expressions`]. Operands have smaller numbers.
    ExpressionId
}

/// Operators on one value; the result has the operand's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// All bits flipped; on one bit, negation of a truth value.
    Not,
    /// Two's complement.
    Negate,
}

/// Operators on two values of the same width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// Sum, wrapping.
    Add,
    /// Difference, wrapping.
    Subtract,
    /// Product, wrapping.
    Multiply,
    /// Unsigned quotient; all ones for a divisor of zero.
    UnsignedDivide,
    /// Unsigned remainder; the dividend for a divisor of zero.
    UnsignedRemainder,
    /// Signed quotient, rounded towards zero; for a divisor of zero 1 if the dividend is negative, otherwise -1.
    SignedDivide,
    /// Signed remainder, with the sign of the dividend; the dividend for a divisor of zero.
    SignedRemainder,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift towards the high end by the right operand as an unsigned number.
    ShiftLeft,
    /// Shift towards the low end, zeros come in.
    ShiftRightLogical,
    /// Shift towards the low end, copies of the sign come in.
    ShiftRightArithmetic,
    /// Whether both are equal: one bit.
    Equal,
    /// Unsigned less: one bit.
    UnsignedLess,
    /// Unsigned less or equal: one bit.
    UnsignedLessOrEqual,
    /// Signed less: one bit.
    SignedLess,
    /// Signed less or equal: one bit.
    SignedLessOrEqual,
}

impl BinaryOperator {
    /// Whether the result is a truth value.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOperator::Equal
                | BinaryOperator::UnsignedLess
                | BinaryOperator::UnsignedLessOrEqual
                | BinaryOperator::SignedLess
                | BinaryOperator::SignedLessOrEqual
        )
    }
}

/// An expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A value, zero above its width.
    Constant(u128),
    /// What a variable of length 1 holds: shared, or the thread's own.
    Variable(VariableId),
    /// What an element of a variable holds; the index is unsigned, of any width.
    Element(VariableId, ExpressionId),
    /// What a local variable of a passive thread holds; only in [`super::PassiveUpdate`].
    Passive(VariableId),
    /// An arbitrary value.
    Nondet(NondetId),
    /// The number of the thread that takes the step.
    ThisThread,
    /// The number of the thread that the edge starts, in the assignments of an edge with [`super::Effect::Spawn`].
    NewThread,
    /// One bit: whether there is a thread with this number and it has ended.
    HasEnded(ExpressionId),
    /// What the thread with this number holds in the result variable of its template; 0 if there is none.
    ResultOf(ExpressionId),
    /// One operand.
    Unary(UnaryOperator, ExpressionId),
    /// Two operands.
    Binary(BinaryOperator, ExpressionId, ExpressionId),
    /// The second if the first, one bit, is set, otherwise the third.
    IfThenElse(ExpressionId, ExpressionId, ExpressionId),
    /// More bits: zeros, or copies of the sign.
    Extend {
        /// The operand.
        operand: ExpressionId,
        /// Whether the sign is copied.
        is_signed: bool,
    },
    /// Fewer bits: those from `low` on.
    Extract {
        /// The operand.
        operand: ExpressionId,
        /// The lowest bit that stays.
        low: u32,
    },
}

/// All expressions of a program.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    /// With their widths.
    list: Vec<(Expression, u32)>,
    index: FxHashMap<(Expression, u32), ExpressionId>,
}

impl Expressions {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// An expression.
    pub fn get(&self, id: ExpressionId) -> Expression {
        self.list[id.index()].0
    }

    /// The width of an expression's value in bits.
    pub fn bits(&self, id: ExpressionId) -> u32 {
        self.list[id.index()].1
    }

    /// The number of an expression of this width, as it stands. Those who build expressions use functions that
    /// simplify and know the widths.
    pub fn insert(&mut self, expression: Expression, bits: u32) -> ExpressionId {
        debug_assert!((1..=128).contains(&bits), "widths are from 1 to 128 bits");
        let next = ExpressionId::new(self.list.len());
        *self.index.entry((expression, bits)).or_insert_with(|| {
            self.list.push((expression, bits));
            next
        })
    }

    /// The operands of an expression.
    pub fn operands(&self, id: ExpressionId) -> impl Iterator<Item = ExpressionId> + use<> {
        let (first, second, third) = match self.get(id) {
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Passive(_)
            | Expression::Nondet(_)
            | Expression::ThisThread
            | Expression::NewThread => (None, None, None),
            Expression::Element(_, a)
            | Expression::HasEnded(a)
            | Expression::ResultOf(a)
            | Expression::Unary(_, a)
            | Expression::Extend { operand: a, .. }
            | Expression::Extract { operand: a, .. } => (Some(a), None, None),
            Expression::Binary(_, a, b) => (Some(a), Some(b), None),
            Expression::IfThenElse(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [first, second, third].into_iter().flatten()
    }

    /// All subexpressions of some roots, the roots too, operands first.
    pub fn subexpressions(&self, roots: impl IntoIterator<Item = ExpressionId>) -> Vec<ExpressionId> {
        let mut open: Vec<ExpressionId> = roots.into_iter().collect();
        let mut seen = FxHashSet::default();
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(self.operands(id));
            }
        }
        let mut all: Vec<ExpressionId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }
}
