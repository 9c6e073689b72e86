//! Terms over bit-vectors of 1 to 128 bits, each kept once: equal terms have the same [`TermId`].
//!
//! The operations and their meaning are those of SMT-LIB's theory of fixed-size bit-vectors, with two
//! conventions: truth values are vectors of one bit (1 is true), and widths end at 128. In particular, and
//! unlike in C:
//!
//! * division by zero: `udiv` gives all ones, `urem` and `srem` give the dividend, `sdiv` gives 1 for a
//!   negative dividend and −1 for others;
//! * the least number divided by −1 is itself, with remainder 0;
//! * `srem` has the sign of the dividend and `sdiv` rounds towards zero (that is as in C);
//! * shifting by the width or more gives 0, or copies of the sign for `ashr`; the amount is unsigned.
//!
//! Who models C guards what C leaves undefined.
//!
//! Constructors simplify locally: constants are folded, neutral elements and double negations go, comparisons
//! and extracts look through extensions (`logic`, `arithmetic`, `compare`, `words`). All rules are
//! equivalences for all values. There is no search for a smallest or canonical form.
//!
//! INVARIANT: the parts of a term have smaller ids than the term. So walking the ids upwards meets parts
//! first, and no walk needs recursion: terms may be as deep as memory allows. The constructors' own recursion
//! goes to narrower terms only.

mod arithmetic;
mod compare;
mod eval;
mod logic;
mod traverse;
pub mod values;
mod words;

pub use eval::Evaluator;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The widest vector.
pub const MAX_WIDTH: u32 = 128;

throng_base::define_id! {
    /// A term of one [`Terms`].
    TermId
}

throng_base::define_id! {
    /// A variable of one [`Terms`].
    VarId
}

/// An operation on two vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Conjunction, bit by bit.
    And,
    /// Disjunction, bit by bit.
    Or,
    /// Exclusive disjunction, bit by bit.
    Xor,
    /// Sum, modulo.
    Add,
    /// Difference, modulo.
    Sub,
    /// Product, modulo.
    Mul,
    /// Unsigned quotient.
    UDiv,
    /// Unsigned remainder.
    URem,
    /// Signed quotient, rounded towards zero.
    SDiv,
    /// Signed remainder, with the sign of the dividend.
    SRem,
    /// Shift to the left.
    Shl,
    /// Shift to the right, filled with zeros.
    LShr,
    /// Shift to the right, filled with the sign.
    AShr,
    /// Equality; one bit.
    Eq,
    /// Unsigned less; one bit.
    Ult,
    /// Signed less; one bit.
    Slt,
    /// The first above the second.
    Concat,
}

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A value below 2^width.
    Constant(u128),
    /// A variable.
    Variable(VarId),
    /// All bits negated.
    Not(TermId),
    /// An operation on two terms, of the same width except for [`Op::Concat`].
    Binary(Op, TermId, TermId),
    /// The second if the first, of one bit, is 1, and the third otherwise.
    Ite(TermId, TermId, TermId),
    /// With zeros above.
    ZeroExtend(TermId),
    /// With copies of the sign above.
    SignExtend(TermId),
    /// As many bits as the term is wide, from this one upwards.
    Extract(TermId, u32),
}

impl Node {
    /// The terms it is made of.
    pub fn parts(&self) -> impl Iterator<Item = TermId> + use<> {
        let parts = match *self {
            Node::Constant(_) | Node::Variable(_) => [None; 3],
            Node::Not(a) | Node::ZeroExtend(a) | Node::SignExtend(a) | Node::Extract(a, _) => {
                [Some(a), None, None]
            }
            Node::Binary(_, a, b) => [Some(a), Some(b), None],
            Node::Ite(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        parts.into_iter().flatten()
    }
}

#[derive(Clone, Debug)]
struct VariableData {
    name: String,
    term: TermId,
}

/// Terms, each kept once. See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    widths: Vec<u8>,
    index: HashTable<TermId>,
    variables: Vec<VariableData>,
    by_name: FxHashMap<String, VarId>,
}

impl Terms {
    /// No terms.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What a term is.
    #[inline]
    pub fn node(&self, term: TermId) -> Node {
        self.nodes[term.index()]
    }

    /// How many bits a term has.
    #[inline]
    pub fn width(&self, term: TermId) -> u32 {
        u32::from(self.widths[term.index()])
    }

    /// The value of a constant.
    #[inline]
    pub fn as_constant(&self, term: TermId) -> Option<u128> {
        match self.node(term) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The constant of this width that is equal to the value modulo 2^width.
    ///
    /// # Panics
    /// If the width is not between 1 and 128.
    pub fn constant(&mut self, value: u128, width: u32) -> TermId {
        self.intern(Node::Constant(value & values::ones(width)), width)
    }

    /// The constant of this width that is equal to the value modulo 2^width.
    pub fn signed_constant(&mut self, value: i128, width: u32) -> TermId {
        self.constant(value.cast_unsigned(), width)
    }

    /// 1 or 0 in one bit.
    pub fn truth(&mut self, value: bool) -> TermId {
        self.constant(u128::from(value), 1)
    }

    /// Whether the term is the constant 1 of one bit.
    pub fn is_true(&self, term: TermId) -> bool {
        self.width(term) == 1 && self.as_constant(term) == Some(1)
    }

    /// Whether the term is the constant 0 of one bit.
    pub fn is_false(&self, term: TermId) -> bool {
        self.width(term) == 1 && self.as_constant(term) == Some(0)
    }

    /// The variable of this name, which is made if there is none.
    ///
    /// # Panics
    /// If there is one of another width, or if the width is not between 1 and 128.
    pub fn variable(&mut self, name: &str, width: u32) -> TermId {
        if let Some(&variable) = self.by_name.get(name) {
            let term = self.variable_term(variable);
            assert_eq!(self.width(term), width, "`{name}` has one width");
            return term;
        }
        let variable = VarId::new(self.variables.len());
        let term = self.intern(Node::Variable(variable), width);
        self.variables.push(VariableData { name: name.to_owned(), term });
        self.by_name.insert(name.to_owned(), variable);
        term
    }

    /// A variable that was not there before, whose name begins like this.
    pub fn fresh(&mut self, prefix: &str, width: u32) -> TermId {
        let mut number = self.variables.len();
        loop {
            let name = format!("{prefix}!{number}");
            if !self.by_name.contains_key(&name) {
                return self.variable(&name, width);
            }
            number += 1;
        }
    }

    /// The variable of this name, if there is one.
    pub fn find_variable(&self, name: &str) -> Option<TermId> {
        self.by_name.get(name).map(|&variable| self.variable_term(variable))
    }

    /// The term that is just this variable.
    pub fn variable_term(&self, variable: VarId) -> TermId {
        self.variables[variable.index()].term
    }

    /// The name of a variable.
    pub fn variable_name(&self, variable: VarId) -> &str {
        &self.variables[variable.index()].name
    }

    /// How many variables there are; their ids are the numbers below.
    pub fn n_variables(&self) -> usize {
        self.variables.len()
    }

    /// The id of a node, which is added if it is new.
    fn intern(&mut self, node: Node, width: u32) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&width), "a vector has 1 to {MAX_WIDTH} bits, not {width}");
        let width = width as u8;
        let Self { nodes, widths, index, .. } = self;
        let key = hash(node, width);
        let is_same = |id: &TermId| nodes[id.index()] == node && widths[id.index()] == width;
        if let Some(&id) = index.find(key, is_same) {
            return id;
        }
        let id = TermId::new(nodes.len());
        debug_assert!(node.parts().all(|part| part < id), "parts come first");
        nodes.push(node);
        widths.push(width);
        index.insert_unique(key, id, |id| hash(nodes[id.index()], widths[id.index()]));
        id
    }

    /// The width that two terms have in common.
    fn same_width(&self, a: TermId, b: TermId) -> u32 {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "both operands have the same width");
        width
    }

    /// The operands of a commutative operation in the order in which they are kept: constants last, then by
    /// id.
    fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let rank = |t: TermId| (self.as_constant(t).is_some(), t);
        if rank(a) <= rank(b) { (a, b) } else { (b, a) }
    }

    /// The operands of a term that is this operation.
    fn operands(&self, term: TermId, op: Op) -> Option<(TermId, TermId)> {
        match self.node(term) {
            Node::Binary(found, a, b) if found == op => Some((a, b)),
            _ => None,
        }
    }

    /// A term `x ∘ k` with a constant k, which commutative operations keep on the right.
    fn with_constant(&self, term: TermId, op: Op) -> Option<(TermId, u128)> {
        let (x, k) = self.operands(term, op)?;
        Some((x, self.as_constant(k)?))
    }

    /// Whether one is syntactically the negation of the other.
    fn are_complements(&self, a: TermId, b: TermId) -> bool {
        self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a)
    }
}

fn hash(node: Node, width: u8) -> u64 {
    let mut hasher = FxHasher::default();
    node.hash(&mut hasher);
    width.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
