//! The value of terms when the variables have values.

use super::{Node, TermId, Terms, VarId, values};
use rustc_hash::FxHashMap;

/// Evaluates terms under one valuation and remembers the values of all parts.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    valuation: &'a dyn Fn(VarId) -> u128,
    known: FxHashMap<TermId, u128>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator for terms of `terms`; values of variables are taken modulo 2^width.
    pub fn new(terms: &'a Terms, valuation: &'a dyn Fn(VarId) -> u128) -> Self {
        Self { terms, valuation, known: FxHashMap::default() }
    }

    /// The value of a term.
    pub fn value(&mut self, term: TermId) -> u128 {
        for part in self.terms.unvisited(&[term], |part| self.known.contains_key(&part)) {
            let value = self.of_parts(part);
            self.known.insert(part, value);
        }
        self.known[&term]
    }

    /// Whether a term of one bit is true.
    pub fn holds(&mut self, term: TermId) -> bool {
        self.value(term) == 1
    }

    /// The value of a term whose parts have known values.
    fn of_parts(&self, term: TermId) -> u128 {
        let width = self.terms.width(term);
        let known = |part: TermId| self.known[&part];
        match self.terms.node(term) {
            Node::Constant(value) => value,
            Node::Variable(variable) => (self.valuation)(variable) & values::ones(width),
            Node::Not(a) => !known(a) & values::ones(width),
            Node::Binary(op, a, b) => values::apply(op, self.terms.width(b), known(a), known(b)),
            Node::Ite(condition, then, otherwise) => {
                if known(condition) == 1 {
                    known(then)
                } else {
                    known(otherwise)
                }
            }
            Node::ZeroExtend(a) => known(a),
            Node::SignExtend(a) => values::sign_extend(known(a), self.terms.width(a), width),
            Node::Extract(a, low) => known(a) >> low & values::ones(width),
        }
    }
}

impl std::fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Evaluator").field("known", &self.known.len()).finish_non_exhaustive()
    }
}

impl Terms {
    /// The value of a term. For several terms under the same valuation, an [`Evaluator`] does common parts
    /// once.
    pub fn eval(&self, term: TermId, valuation: &dyn Fn(VarId) -> u128) -> u128 {
        Evaluator::new(self, valuation).value(term)
    }
}
