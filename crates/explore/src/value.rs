//! Values in states: numbers as long as nothing arbitrary is in them, terms otherwise, in words of 32 bits.
//!
//! A word below 2^31 is that number; above, it refers to a larger number or to a term. A program that chooses nothing
//! arbitrarily is thus searched without ever making a term.

use crate::operators;
use rustc_hash::FxHashMap;
use throng_cfa::flow::{BinaryOperator, UnaryOperator};
use throng_solver::terms::{Op, values};
use throng_solver::{TermId, Terms};

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Known(u128),
    Term(TermId),
}

impl Value {
    /// Zero, and false.
    pub(crate) const ZERO: Self = Value::Known(0);
    /// True.
    pub(crate) const TRUE: Self = Value::Known(1);
}

const WIDE: u32 = 1 << 31;
const TERM: u32 = WIDE | 1 << 30;

/// Whether a word stands for a term.
#[inline]
pub(crate) fn is_term(word: u32) -> bool {
    word >= TERM
}

/// The term of a word.
#[inline]
pub(crate) fn as_term(word: u32) -> Option<TermId> {
    is_term(word).then(|| TermId::new((word - TERM) as usize))
}

/// Terms and large numbers.
#[derive(Debug, Default)]
pub(crate) struct Values {
    pub(crate) terms: Terms,
    wide: Vec<u128>,
    wide_index: FxHashMap<u128, u32>,
    /// Inputs by width and number: those that steps choose, and those of states in canonical form.
    inputs: FxHashMap<(bool, u32, u32), TermId>,
}

impl Values {
    /// The value of a word.
    #[inline]
    pub(crate) fn decode(&self, word: u32) -> Value {
        match word {
            ..WIDE => Value::Known(u128::from(word)),
            WIDE..TERM => Value::Known(self.wide[(word - WIDE) as usize]),
            _ => Value::Term(TermId::new((word - TERM) as usize)),
        }
    }

    /// The word for a value.
    #[inline]
    pub(crate) fn encode(&mut self, value: Value) -> u32 {
        match value {
            Value::Known(number) if number < u128::from(WIDE) => number as u32,
            Value::Known(number) => {
                let next = u32::try_from(self.wide.len()).expect("fewer than 2^30 large numbers");
                assert!(next < TERM - WIDE, "fewer than 2^30 large numbers");
                let wide = &mut self.wide;
                *self.wide_index.entry(number).or_insert_with(|| {
                    wide.push(number);
                    WIDE + next
                })
            }
            Value::Term(term) => {
                assert!(term.raw() < u32::MAX - TERM, "fewer than 2^30 terms");
                TERM + term.raw()
            }
        }
    }

    /// The term for a value of this width.
    pub(crate) fn term(&mut self, value: Value, bits: u32) -> TermId {
        match value {
            Value::Known(number) => self.terms.constant(number, bits),
            Value::Term(term) => term,
        }
    }

    /// A term as a value.
    pub(crate) fn value(&self, term: TermId) -> Value {
        self.terms.as_constant(term).map_or(Value::Term(term), Value::Known)
    }

    /// An arbitrary value that a step chooses, or the input of a state in canonical form with this number.
    pub(crate) fn input(&mut self, is_canonical: bool, bits: u32, number: u32) -> TermId {
        let terms = &mut self.terms;
        *self.inputs.entry((is_canonical, bits, number)).or_insert_with(|| {
            let prefix = if is_canonical { 's' } else { 'f' };
            terms.variable(&format!("{prefix}{bits}_{number}"), bits)
        })
    }

    /// An operator on one value.
    pub(crate) fn unary(&mut self, operator: UnaryOperator, a: Value, bits: u32) -> Value {
        let ones = values::ones(bits);
        match (operator, a) {
            (UnaryOperator::Not, Value::Known(a)) => Value::Known(!a & ones),
            (UnaryOperator::Negate, Value::Known(a)) => Value::Known(a.wrapping_neg() & ones),
            (UnaryOperator::Not, Value::Term(a)) => {
                let result = self.terms.not(a);
                self.value(result)
            }
            (UnaryOperator::Negate, Value::Term(a)) => {
                let result = self.terms.neg(a);
                self.value(result)
            }
        }
    }

    /// An operator on two values; `bits` is the width of the operands.
    pub(crate) fn binary(&mut self, operator: BinaryOperator, a: Value, b: Value, bits: u32) -> Value {
        if let (Value::Known(a), Value::Known(b)) = (a, b) {
            return Value::Known(apply(operator, a, b, bits));
        }
        let (a, b) = (self.term(a, bits), self.term(b, bits));
        let result = operators::binary(&mut self.terms, operator, a, b);
        self.value(result)
    }

    /// The second if the first, otherwise the third.
    pub(crate) fn if_then_else(
        &mut self,
        condition: Value,
        then: Value,
        otherwise: Value,
        bits: u32,
    ) -> Value {
        match condition {
            Value::Known(0) => otherwise,
            Value::Known(_) => then,
            Value::Term(_) if then == otherwise => then,
            Value::Term(condition) => {
                let (then, otherwise) = (self.term(then, bits), self.term(otherwise, bits));
                let result = self.terms.ite(condition, then, otherwise);
                self.value(result)
            }
        }
    }

    /// Whether a value is this number.
    pub(crate) fn is_number(&mut self, value: Value, number: u128, bits: u32) -> Value {
        if number > values::ones(bits) {
            return Value::ZERO;
        }
        self.binary(BinaryOperator::Equal, value, Value::Known(number), bits)
    }

    /// More bits.
    pub(crate) fn extend(&mut self, value: Value, from: u32, to: u32, is_signed: bool) -> Value {
        match value {
            Value::Known(number) if is_signed => Value::Known(values::sign_extend(number, from, to)),
            Value::Known(number) => Value::Known(number),
            Value::Term(term) => {
                let result = if is_signed { self.terms.sext(term, to) } else { self.terms.zext(term, to) };
                self.value(result)
            }
        }
    }

    /// The bits from `low` on.
    pub(crate) fn extract(&mut self, value: Value, low: u32, bits: u32) -> Value {
        match value {
            Value::Known(number) => Value::Known((number >> low) & values::ones(bits)),
            Value::Term(term) => {
                let result = self.terms.extract(term, low + bits - 1, low);
                self.value(result)
            }
        }
    }

    /// The value as one of this width: high bits are cut off, or zeros are added.
    pub(crate) fn resize(&mut self, value: Value, from: u32, to: u32) -> Value {
        match from.cmp(&to) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Less => self.extend(value, from, to, false),
            std::cmp::Ordering::Greater => self.extract(value, 0, to),
        }
    }
}

/// An operator on two numbers; `bits` is the width of the operands.
pub(crate) fn apply(operator: BinaryOperator, a: u128, b: u128, bits: u32) -> u128 {
    let op = match operator {
        BinaryOperator::Equal => return u128::from(a == b),
        BinaryOperator::UnsignedLess => return u128::from(a < b),
        BinaryOperator::UnsignedLessOrEqual => return u128::from(a <= b),
        BinaryOperator::SignedLessOrEqual => return 1 - values::apply(Op::Slt, bits, b, a),
        BinaryOperator::SignedLess => Op::Slt,
        BinaryOperator::Add => Op::Add,
        BinaryOperator::Subtract => Op::Sub,
        BinaryOperator::Multiply => Op::Mul,
        BinaryOperator::UnsignedDivide => Op::UDiv,
        BinaryOperator::UnsignedRemainder => Op::URem,
        BinaryOperator::SignedDivide => Op::SDiv,
        BinaryOperator::SignedRemainder => Op::SRem,
        BinaryOperator::And => Op::And,
        BinaryOperator::Or => Op::Or,
        BinaryOperator::Xor => Op::Xor,
        BinaryOperator::ShiftLeft => Op::Shl,
        BinaryOperator::ShiftRightLogical => Op::LShr,
        BinaryOperator::ShiftRightArithmetic => Op::AShr,
    };
    values::apply(op, bits, a, b)
}
