//! Chains of orders: what is below what, through others, and successors between.
//!
//! Solvers of clauses find chains hard, since they see bits. Here the terms that are ordered are nodes of a graph, which is closed
//! under transitivity. A successor `x + 1` is above `x` if `x` is below anything (it does not wrap), and not above what is above
//! `x`; predecessors the other way round.

use rustc_hash::FxHashMap;
use throng_cfa::flow::{mask, signed};
use throng_solver::terms::{Node, Op, TermId, Terms};

/// Larger graphs are not closed.
const MOST_NODES: usize = 72;

/// What is known of two nodes: nothing, not above, below.
const BELOW_OR_EQUAL: u8 = 1;
const BELOW: u8 = 2;

/// An order of terms, unsigned or signed, closed.
#[derive(Clone, Debug, Default)]
pub(super) struct Closure {
    index: FxHashMap<TermId, usize>,
    nodes: Vec<TermId>,
    /// By two nodes.
    known: Vec<u8>,
}

impl Closure {
    /// The closure of these orders (whether strict) and of the orders of successors and constants.
    pub(super) fn new(
        terms: &Terms,
        orders: &[(TermId, TermId, bool)],
        others: &[TermId],
        root: &dyn Fn(TermId) -> TermId,
        is_signed: bool,
    ) -> Self {
        let mut closure = Self::default();
        for &(a, b, _) in orders {
            closure.insert(a);
            closure.insert(b);
        }
        let mut neighbours = Vec::new();
        for &other in others {
            if let Some((base, is_next)) = neighbour(terms, other) {
                let base = root(base);
                if closure.index.contains_key(&base) {
                    neighbours.push((base, root(other), is_next));
                    closure.insert(root(other));
                }
            }
        }
        let n = closure.nodes.len();
        if n > MOST_NODES {
            return Self::default();
        }
        closure.known = vec![0; n * n];
        for &(a, b, is_strict) in orders {
            closure.learn(closure.index[&a], closure.index[&b], is_strict);
        }
        closure.constants(terms, is_signed);
        closure.close();
        if !neighbours.is_empty() {
            for (base, other, is_next) in neighbours {
                closure.neighbour(closure.index[&base], closure.index[&other], is_next);
            }
            closure.close();
        }
        closure
    }

    /// Whether the first is below the second; or, if that is enough, equal.
    pub(super) fn implies(&self, a: TermId, b: TermId, is_strict: bool) -> bool {
        let (Some(&i), Some(&j)) = (self.index.get(&a), self.index.get(&b)) else { return false };
        let wanted = if is_strict { BELOW } else { BELOW_OR_EQUAL };
        self.known.get(i * self.nodes.len() + j).is_some_and(|&it| it >= wanted)
    }

    fn insert(&mut self, term: TermId) {
        let n = self.nodes.len();
        self.index.entry(term).or_insert_with(|| {
            self.nodes.push(term);
            n
        });
    }

    fn learn(&mut self, i: usize, j: usize, is_strict: bool) {
        let n = self.nodes.len();
        let new = if is_strict { BELOW } else { BELOW_OR_EQUAL };
        self.known[i * n + j] = self.known[i * n + j].max(new);
    }

    fn constants(&mut self, terms: &Terms, is_signed: bool) {
        let value = |term: TermId| {
            let bits = terms.width(term);
            terms.as_constant(term).map(|it| (bits, it, signed(it, bits)))
        };
        for i in 0..self.nodes.len() {
            for j in 0..self.nodes.len() {
                if let (Some((m, x, p)), Some((n, y, q))) = (value(self.nodes[i]), value(self.nodes[j]))
                    && m == n
                    && if is_signed { p < q } else { x < y }
                {
                    self.learn(i, j, true);
                }
            }
        }
    }

    fn close(&mut self) {
        let n = self.nodes.len();
        for k in 0..n {
            for i in 0..n {
                let first = self.known[i * n + k];
                if first == 0 {
                    continue;
                }
                for j in 0..n {
                    let second = self.known[k * n + j];
                    if second != 0 {
                        let both = first.max(second);
                        self.known[i * n + j] = self.known[i * n + j].max(both);
                    }
                }
            }
        }
    }

    /// `other` is the base plus one, or minus one.
    fn neighbour(&mut self, base: usize, other: usize, is_next: bool) {
        let n = self.nodes.len();
        let beyond = |closure: &Self, it: usize| {
            if is_next { closure.known[base * n + it] } else { closure.known[it * n + base] }
        };
        let strict: Vec<usize> = (0..n).filter(|&it| beyond(self, it) == BELOW).collect();
        if strict.is_empty() {
            return;
        }
        if is_next {
            self.learn(base, other, true);
            strict.into_iter().filter(|&it| it != other).for_each(|it| self.learn(other, it, false));
        } else {
            self.learn(other, base, true);
            strict.into_iter().filter(|&it| it != other).for_each(|it| self.learn(it, other, false));
        }
    }
}

/// The term that this one is the successor (or predecessor) of.
fn neighbour(terms: &Terms, term: TermId) -> Option<(TermId, bool)> {
    match terms.node(term) {
        Node::Binary(Op::Add, x, k) => {
            let bits = terms.width(term);
            match terms.as_constant(k)? {
                1 => Some((x, true)),
                it if it == mask(bits) => Some((x, false)),
                _ => None,
            }
        }
        Node::Binary(Op::Sub, x, k) if terms.as_constant(k) == Some(1) => Some((x, false)),
        _ => None,
    }
}
