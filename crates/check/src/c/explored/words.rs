//! Values in states: numbers as long as nothing arbitrary is in them, terms over arbitrary values otherwise; and the words of 32
//! bits that stand for them.
//!
//! A word below 2^31 is that number; others refer to a larger number or to a term.

use crate::c::operators;
use crate::c::value;
use rustc_hash::FxHashMap;
use throng_cfa::flow::{BinaryOperator, UnaryOperator};
use throng_solver::{TermId, Terms};

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A number, zero above its width.
    Known(u128),
    /// A term of its width that is no constant.
    Term(TermId),
}

impl Value {
    pub(super) const ZERO: Self = Value::Known(0);
    pub(super) const TRUE: Self = Value::Known(1);
}

const WIDE: u32 = 1 << 31;
const TERM: u32 = WIDE | (1 << 30);

/// The term that a word stands for.
#[inline]
pub(super) fn as_term(word: u32) -> Option<TermId> {
    word.checked_sub(TERM).map(|term| TermId::new(term as usize))
}

/// Whether some of the words stand for terms.
pub(super) fn has_terms(row: &[u32]) -> bool {
    row.iter().any(|&word| word >= TERM)
}

/// Terms and large numbers.
#[derive(Debug, Default)]
pub(super) struct Values {
    pub(super) terms: Terms,
    wide: Vec<u128>,
    numbers: FxHashMap<u128, u32>,
}

impl Values {
    /// The value of a word.
    #[inline]
    pub(super) fn decode(&self, word: u32) -> Value {
        match word {
            ..WIDE => Value::Known(u128::from(word)),
            WIDE..TERM => Value::Known(self.wide[(word ^ WIDE) as usize]),
            TERM.. => Value::Term(TermId::new((word ^ TERM) as usize)),
        }
    }

    /// The word for a value.
    #[inline]
    pub(super) fn encode(&mut self, value: Value) -> u32 {
        match value {
            Value::Known(number) if number < u128::from(WIDE) => number as u32,
            Value::Known(number) => {
                let wide = &mut self.wide;
                *self.numbers.entry(number).or_insert_with(|| {
                    let next = u32::try_from(wide.len()).unwrap_or(u32::MAX);
                    assert!(next < 1 << 30, "fewer than 2^30 large numbers fit the memory");
                    wide.push(number);
                    WIDE | next
                })
            }
            Value::Term(term) => {
                assert!(term.raw() < 1 << 30, "fewer than 2^30 terms fit the memory");
                TERM | term.raw()
            }
        }
    }

    /// The term for a value of this width.
    pub(super) fn term(&mut self, value: Value, bits: u32) -> TermId {
        match value {
            Value::Known(number) => self.terms.constant(number, bits),
            Value::Term(term) => term,
        }
    }

    /// A term as a value.
    pub(super) fn value(&self, term: TermId) -> Value {
        self.terms.as_constant(term).map_or(Value::Term(term), Value::Known)
    }

    /// An operator on one value of this width.
    pub(super) fn unary(&mut self, operator: UnaryOperator, a: Value, bits: u32) -> Value {
        let a = match a {
            Value::Known(a) => return Value::Known(value::unary(operator, a, bits)),
            Value::Term(a) => a,
        };
        let result = operators::unary(&mut self.terms, operator, a);
        self.value(result)
    }

    /// An operator on two values of this width.
    pub(super) fn binary(&mut self, operator: BinaryOperator, a: Value, b: Value, bits: u32) -> Value {
        if let (Value::Known(a), Value::Known(b)) = (a, b) {
            return Value::Known(value::binary(operator, a, b, bits));
        }
        let (a, b) = (self.term(a, bits), self.term(b, bits));
        let result = operators::binary(&mut self.terms, operator, a, b);
        self.value(result)
    }

    /// The second if the first, of one bit, is 1, otherwise the third; these are of this width.
    pub(super) fn choose(&mut self, condition: Value, then: Value, otherwise: Value, bits: u32) -> Value {
        match condition {
            Value::Known(1) => then,
            Value::Known(_) => otherwise,
            Value::Term(_) if then == otherwise => then,
            Value::Term(condition) => {
                let (then, otherwise) = (self.term(then, bits), self.term(otherwise, bits));
                let result = self.terms.ite(condition, then, otherwise);
                self.value(result)
            }
        }
    }

    /// Both, of one bit.
    pub(super) fn both(&mut self, a: Value, b: Value) -> Value {
        self.binary(BinaryOperator::And, a, b, 1)
    }

    /// The opposite of one bit.
    pub(super) fn opposite(&mut self, a: Value) -> Value {
        self.unary(UnaryOperator::Not, a, 1)
    }

    /// Whether a value of this width is a number.
    pub(super) fn is_number(&mut self, a: Value, number: u128, bits: u32) -> Value {
        if number > value::mask(bits) {
            return Value::ZERO;
        }
        self.binary(BinaryOperator::Equal, a, Value::Known(number), bits)
    }

    /// A value in more bits.
    pub(super) fn extend(&mut self, a: Value, (from, to): (u32, u32), is_signed: bool) -> Value {
        match a {
            Value::Known(a) => Value::Known(value::extend(a, from, to, is_signed)),
            Value::Term(a) => {
                let result = if is_signed { self.terms.sext(a, to) } else { self.terms.zext(a, to) };
                self.value(result)
            }
        }
    }

    /// So many bits of a value, from `low` on.
    pub(super) fn extract(&mut self, a: Value, low: u32, bits: u32) -> Value {
        match a {
            Value::Known(a) => Value::Known(a.checked_shr(low).unwrap_or(0) & value::mask(bits)),
            Value::Term(a) => {
                let result = self.terms.extract(a, low.saturating_add(bits).saturating_sub(1), low);
                self.value(result)
            }
        }
    }

    /// A value in another width, as an unsigned number.
    pub(super) fn resize(&mut self, a: Value, (from, to): (u32, u32)) -> Value {
        match a {
            Value::Known(a) => Value::Known(a & value::mask(to)),
            Value::Term(_) if from == to => a,
            Value::Term(_) if from < to => self.extend(a, (from, to), false),
            Value::Term(_) => self.extract(a, 0, to),
        }
    }
}
