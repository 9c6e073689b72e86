//! Walks over terms: the parts of a term, its variables, and putting terms for variables.

use super::{Node, Op, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

impl Terms {
    /// All parts of the roots, themselves included, parts before what they are part of.
    pub fn subterms(&self, roots: &[TermId]) -> Vec<TermId> {
        self.unvisited(roots, |_| false)
    }

    /// All parts of the roots that can be reached without passing through a visited one, parts first.
    pub(crate) fn unvisited(&self, roots: &[TermId], is_visited: impl Fn(TermId) -> bool) -> Vec<TermId> {
        let mut found: FxHashSet<TermId> = FxHashSet::default();
        let mut order: Vec<TermId> = Vec::new();
        for &root in roots {
            if !is_visited(root) && found.insert(root) {
                order.push(root);
            }
        }
        let mut next = 0;
        while let Some(&term) = order.get(next) {
            next += 1;
            for part in self.node(term).parts() {
                if !is_visited(part) && found.insert(part) {
                    order.push(part);
                }
            }
        }
        order.sort_unstable();
        order
    }

    /// The variables that occur in a term, in the order in which they were made.
    pub fn variables_of(&self, roots: &[TermId]) -> Vec<VarId> {
        let variables = self.subterms(roots).into_iter().filter_map(|term| match self.node(term) {
            Node::Variable(variable) => Some(variable),
            _ => None,
        });
        variables.collect()
    }

    /// The terms with variables replaced, all at once, by the terms that `by` tells, simplified again.
    ///
    /// # Panics
    /// If a variable and what replaces it have different widths.
    pub fn substitute(&mut self, roots: &[TermId], by: &dyn Fn(VarId) -> Option<TermId>) -> Vec<TermId> {
        let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
        for term in self.subterms(roots) {
            let node = self.node(term);
            let replaced = match node {
                Node::Variable(variable) => by(variable).unwrap_or(term),
                _ if node.parts().all(|part| new[&part] == part) => term,
                _ => self.rebuild(node, self.width(term), |part| new[&part]),
            };
            assert_eq!(self.width(term), self.width(replaced), "a term is replaced by one of its width");
            new.insert(term, replaced);
        }
        roots.iter().map(|root| new[root]).collect()
    }

    /// The node with other parts of the same widths.
    fn rebuild(&mut self, node: Node, width: u32, new: impl Fn(TermId) -> TermId) -> TermId {
        match node {
            Node::Constant(value) => self.constant(value, width),
            Node::Variable(variable) => self.variable_term(variable),
            Node::Not(a) => self.not(new(a)),
            Node::Binary(op, a, b) => self.binary(op, new(a), new(b)),
            Node::Ite(a, b, c) => self.ite(new(a), new(b), new(c)),
            Node::ZeroExtend(a) => self.zext(new(a), width),
            Node::SignExtend(a) => self.sext(new(a), width),
            Node::Extract(a, low) => self.extract(new(a), low + width - 1, low),
        }
    }

    /// An operation on two terms.
    pub fn binary(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        match op {
            Op::And => self.and(a, b),
            Op::Or => self.or(a, b),
            Op::Xor => self.xor(a, b),
            Op::Add => self.add(a, b),
            Op::Sub => self.sub(a, b),
            Op::Mul => self.mul(a, b),
            Op::UDiv => self.udiv(a, b),
            Op::URem => self.urem(a, b),
            Op::SDiv => self.sdiv(a, b),
            Op::SRem => self.srem(a, b),
            Op::Shl => self.shl(a, b),
            Op::LShr => self.lshr(a, b),
            Op::AShr => self.ashr(a, b),
            Op::Eq => self.eq(a, b),
            Op::Ult => self.ult(a, b),
            Op::Slt => self.slt(a, b),
            Op::Concat => self.concat(a, b),
        }
    }
}
