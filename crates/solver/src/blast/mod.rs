//! From terms to clauses: every term becomes a vector of literals, the lowest bit first, made once per
//! solver.
//!
//! What the circuits are is told in `words`, how gates become clauses in `gates`. The clauses define outputs
//! of gates and restrict nothing, so a term may be translated at any time and never has to be taken back.

mod gates;
mod words;

use crate::sat::{Lit, Sat};
use crate::terms::{Node, Op, TermId, Terms, VarId};
use gates::Gates;
use rustc_hash::FxHashMap;
use words::Direction;

/// Terms of one [`Terms`] as literals of one solver.
pub(crate) struct Blaster {
    gates: Gates,
    /// Where the bits of a term begin.
    starts: FxHashMap<TermId, usize>,
    bits: Vec<Lit>,
    /// The variables that have bits.
    variables: Vec<VarId>,
}

impl Blaster {
    /// No terms. The solver has to be new.
    pub(crate) fn new(sat: Box<dyn Sat>) -> Self {
        Self { gates: Gates::new(sat), starts: FxHashMap::default(), bits: Vec::new(), variables: Vec::new() }
    }

    pub(crate) fn sat(&self) -> &dyn Sat {
        self.gates.sat()
    }

    pub(crate) fn sat_mut(&mut self) -> &mut dyn Sat {
        self.gates.sat_mut()
    }

    /// A literal that nothing depends on yet.
    pub(crate) fn fresh(&mut self) -> Lit {
        self.gates.fresh()
    }

    /// The value of a literal that always has one.
    pub(crate) fn as_constant(&self, lit: Lit) -> Option<bool> {
        self.gates.as_constant(lit)
    }

    /// The variables that occur in what was translated.
    pub(crate) fn variables(&self) -> &[VarId] {
        &self.variables
    }

    /// The bits of a term.
    pub(crate) fn bits(&mut self, terms: &Terms, term: TermId) -> &[Lit] {
        if !self.starts.contains_key(&term) {
            for part in terms.unvisited(&[term], |part| self.starts.contains_key(&part)) {
                let bits = self.of_parts(terms, part);
                self.remember(terms, part, &bits);
            }
        }
        self.known_bits(terms, term)
    }

    /// The literal of a term of one bit.
    pub(crate) fn bit(&mut self, terms: &Terms, term: TermId) -> Lit {
        assert_eq!(terms.width(term), 1, "a formula has one bit");
        self.bits(terms, term)[0]
    }

    /// The value of a term that was translated in the model that the solver has found.
    pub(crate) fn value(&self, terms: &Terms, term: TermId) -> u128 {
        let bits = self.known_bits(terms, term).iter();
        bits.enumerate().map(|(i, &lit)| u128::from(self.sat().value(lit)) << i).sum()
    }

    /// Makes a variable that has no bits yet equal to a term (or to its negation) for ever, without a clause.
    /// Whether that was possible: not if the term contains the variable.
    pub(crate) fn define(&mut self, terms: &Terms, variable: TermId, term: TermId, is_negated: bool) -> bool {
        let Node::Variable(id) = terms.node(variable) else { return false };
        if self.starts.contains_key(&variable) {
            return false;
        }
        let bits: Vec<Lit> = self.bits(terms, term).iter().map(|&lit| lit.equals(!is_negated)).collect();
        if self.starts.contains_key(&variable) {
            return false;
        }
        self.variables.push(id);
        self.remember(terms, variable, &bits);
        true
    }

    fn remember(&mut self, terms: &Terms, term: TermId, bits: &[Lit]) {
        debug_assert_eq!(bits.len(), terms.width(term) as usize, "a literal for each bit");
        self.starts.insert(term, self.bits.len());
        self.bits.extend_from_slice(bits);
    }

    fn known_bits(&self, terms: &Terms, term: TermId) -> &[Lit] {
        let start = self.starts[&term];
        &self.bits[start..start + terms.width(term) as usize]
    }

    /// The bits of a term whose parts have bits.
    fn of_parts(&mut self, terms: &Terms, term: TermId) -> Vec<Lit> {
        let width = terms.width(term) as usize;
        match terms.node(term) {
            Node::Constant(value) => words::constant(&self.gates, value, width),
            Node::Variable(variable) => {
                self.variables.push(variable);
                (0..width).map(|_| self.gates.fresh()).collect()
            }
            Node::Not(a) => words::negated(self.known_bits(terms, a)),
            Node::ZeroExtend(a) => {
                let mut bits = self.known_bits(terms, a).to_vec();
                bits.resize(width, self.gates.constant(false));
                bits
            }
            Node::SignExtend(a) => {
                let mut bits = self.known_bits(terms, a).to_vec();
                let sign = bits[bits.len() - 1];
                bits.resize(width, sign);
                bits
            }
            Node::Extract(a, low) => self.known_bits(terms, a)[low as usize..][..width].to_vec(),
            Node::Ite(condition, then, otherwise) => {
                let condition = self.known_bits(terms, condition)[0];
                let then = self.known_bits(terms, then).to_vec();
                let otherwise = self.known_bits(terms, otherwise).to_vec();
                words::mux(&mut self.gates, condition, &then, &otherwise)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.known_bits(terms, a).to_vec(), self.known_bits(terms, b).to_vec());
                self.of_operands(op, &a, &b)
            }
        }
    }

    fn of_operands(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let gates = &mut self.gates;
        let zero = gates.constant(false);
        let bit_by_bit = |gates: &mut Gates, gate: fn(&mut Gates, Lit, Lit) -> Lit| {
            a.iter().zip(b).map(|(&x, &y)| gate(gates, x, y)).collect()
        };
        match op {
            Op::And => bit_by_bit(gates, Gates::and),
            Op::Or => bit_by_bit(gates, Gates::or),
            Op::Xor => bit_by_bit(gates, Gates::xor),
            Op::Add => words::add(gates, a, b, zero),
            Op::Sub => words::sub(gates, a, b),
            Op::Mul => words::mul(gates, a, b),
            Op::UDiv => words::divide(gates, a, b).0,
            Op::URem => words::divide(gates, a, b).1,
            Op::SDiv => words::signed_quotient(gates, a, b),
            Op::SRem => words::signed_remainder(gates, a, b),
            Op::Shl => words::shift(gates, a, b, Direction::Left, zero),
            Op::LShr => words::shift(gates, a, b, Direction::Right, zero),
            Op::AShr => words::shift(gates, a, b, Direction::Right, a[a.len() - 1]),
            Op::Eq => vec![words::equal(gates, a, b)],
            Op::Ult => vec![words::less(gates, a, b, false)],
            Op::Slt => vec![words::signed_less(gates, a, b)],
            Op::Concat => [b, a].concat(),
        }
    }
}
