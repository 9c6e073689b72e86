//! What follows from comparisons without asking a solver: equal terms stand for each other, strict orders are orders, ranges
//! contain smaller ones. No chains of orders.
//!
//! Of hundreds of facts about the same few variables, few are left that say the rest.

use rustc_hash::{FxHashMap, FxHashSet};
use throng_cprog::flow::{mask, signed};
use throng_solver::terms::{Node, Op, TermId, Terms};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Relation {
    Equal,
    NotEqual,
    UnsignedLess,
    UnsignedLessOrEqual,
    SignedLess,
    SignedLessOrEqual,
}

use Relation as R;

type Comparison = (Relation, TermId, TermId);

/// The values that a term has at most.
#[derive(Clone, Copy, Debug)]
struct Range {
    least: u128,
    most: u128,
    signed_least: i128,
    signed_most: i128,
}

/// What is known from comparisons.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    parent: FxHashMap<TermId, TermId>,
    known: FxHashSet<Comparison>,
    ranges: FxHashMap<TermId, Range>,
}

impl Order {
    /// What these conditions say, and which of them say it all.
    pub(super) fn new(terms: &Terms, conditions: &[TermId]) -> (Self, Vec<TermId>) {
        let mut order = Self::default();
        let kept = order.extend(terms, conditions);
        (order, kept)
    }

    /// Adds what these conditions say. Those that say it all, with what was known before.
    pub(super) fn extend(&mut self, terms: &Terms, conditions: &[TermId]) -> Vec<TermId> {
        let mut kept = Vec::new();
        let mut rest = Vec::new();
        for &condition in conditions {
            match comparison(terms, condition) {
                None => kept.push(condition),
                Some((R::Equal, a, b)) => {
                    if self.join(terms, a, b) {
                        kept.push(condition);
                    }
                }
                Some(it) => rest.push((condition, it)),
            }
        }
        for &(_, it) in &rest {
            let it = self.canonical(it);
            self.narrow(terms, it);
        }
        // Stronger ones first.
        rest.sort_by_key(|&(_, (relation, ..))| match relation {
            R::UnsignedLess | R::SignedLess => 0,
            R::NotEqual => 2,
            _ => 1,
        });
        let mut attained = FxHashSet::default();
        for (condition, it) in rest {
            let it = self.canonical(it);
            let is_new = match bound(terms, it) {
                Some(bound) if it.0 != R::NotEqual => {
                    self.attains(terms, it) && attained.insert((bound.is_lower, it.0 as u8 / 2 % 2, bound.of))
                }
                _ => !self.implies_canonical(terms, it),
            };
            if is_new {
                self.known.insert(it);
                kept.push(condition);
            }
        }
        kept
    }

    /// Whether a condition follows.
    pub(super) fn implies(&self, terms: &Terms, condition: TermId) -> bool {
        comparison(terms, condition).is_some_and(|it| self.implies_canonical(terms, self.canonical(it)))
    }

    fn root(&self, mut term: TermId) -> TermId {
        while let Some(&parent) = self.parent.get(&term) {
            term = parent;
        }
        term
    }

    /// Makes terms equal; constants stay representatives. Whether they were not.
    fn join(&mut self, terms: &Terms, a: TermId, b: TermId) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return false;
        }
        let (child, parent) = if terms.as_constant(a).is_some() { (b, a) } else { (a, b) };
        if terms.as_constant(child).is_none() {
            self.parent.insert(child, parent);
        }
        true
    }

    fn canonical(&self, (relation, a, b): Comparison) -> Comparison {
        let (a, b) = (self.root(a), self.root(b));
        match relation {
            R::Equal | R::NotEqual => (relation, a.min(b), a.max(b)),
            _ => (relation, a, b),
        }
    }

    fn range(&self, terms: &Terms, term: TermId) -> Range {
        let bits = terms.width(term);
        let all = Range {
            least: 0,
            most: mask(bits),
            signed_least: signed(1 << (bits - 1), bits),
            signed_most: signed(mask(bits) >> 1, bits),
        };
        self.ranges.get(&term).copied().unwrap_or(all)
    }

    /// Takes a comparison with a constant into account.
    fn narrow(&mut self, terms: &Terms, it: Comparison) {
        let Some(bound) = bound(terms, it) else { return };
        if it.0 == R::NotEqual {
            return;
        }
        let mut range = self.range(terms, bound.of);
        let Some(end) = bound.end(it.0) else { return };
        match (end, bound.is_lower) {
            (End::Unsigned(value), true) => range.least = range.least.max(value),
            (End::Unsigned(value), false) => range.most = range.most.min(value),
            (End::Signed(value), true) => range.signed_least = range.signed_least.max(value),
            (End::Signed(value), false) => range.signed_most = range.signed_most.min(value),
        }
        self.ranges.insert(bound.of, range);
    }

    /// Whether a comparison with a constant is as narrow as the range.
    fn attains(&self, terms: &Terms, it: Comparison) -> bool {
        let Some(bound) = bound(terms, it) else { return false };
        let range = self.range(terms, bound.of);
        match (bound.end(it.0), bound.is_lower) {
            (None, _) => true,
            (Some(End::Unsigned(value)), true) => range.least == value,
            (Some(End::Unsigned(value)), false) => range.most == value,
            (Some(End::Signed(value)), true) => range.signed_least == value,
            (Some(End::Signed(value)), false) => range.signed_most == value,
        }
    }

    fn implies_canonical(&self, terms: &Terms, (relation, a, b): Comparison) -> bool {
        if a == b {
            return matches!(relation, R::Equal | R::UnsignedLessOrEqual | R::SignedLessOrEqual);
        }
        if let (Some(x), Some(y)) = (terms.as_constant(a), terms.as_constant(b)) {
            return holds(relation, x, y, terms.width(a));
        }
        let has = |relation, a, b| self.known.contains(&(relation, a, b));
        let is_known = has(relation, a, b)
            || match relation {
                R::NotEqual => {
                    [R::UnsignedLess, R::SignedLess].iter().any(|&it| has(it, a, b) || has(it, b, a))
                }
                R::UnsignedLessOrEqual => has(R::UnsignedLess, a, b),
                R::SignedLessOrEqual => has(R::SignedLess, a, b),
                _ => false,
            };
        is_known || self.is_in_range(terms, (relation, a, b))
    }

    fn is_in_range(&self, terms: &Terms, it: Comparison) -> bool {
        let Some(bound) = bound(terms, it) else { return false };
        if !self.ranges.contains_key(&bound.of) {
            return false;
        }
        let range = self.range(terms, bound.of);
        if it.0 == R::NotEqual {
            let number = signed(bound.value, bound.bits);
            return bound.value < range.least
                || bound.value > range.most
                || number < range.signed_least
                || number > range.signed_most;
        }
        match (bound.end(it.0), bound.is_lower) {
            (None, _) => false,
            (Some(End::Unsigned(value)), true) => range.least >= value,
            (Some(End::Unsigned(value)), false) => range.most <= value,
            (Some(End::Signed(value)), true) => range.signed_least >= value,
            (Some(End::Signed(value)), false) => range.signed_most <= value,
        }
    }
}

/// A comparison of a term with a constant.
struct Bound {
    of: TermId,
    value: u128,
    bits: u32,
    /// Whether the constant stands on the left.
    is_lower: bool,
}

enum End {
    Unsigned(u128),
    Signed(i128),
}

impl Bound {
    /// The last value that is allowed; `None` if none is.
    fn end(&self, relation: Relation) -> Option<End> {
        let number = signed(self.value, self.bits);
        Some(match (relation, self.is_lower) {
            (R::UnsignedLessOrEqual, _) => End::Unsigned(self.value),
            (R::SignedLessOrEqual, _) => End::Signed(number),
            (R::UnsignedLess, true) => {
                End::Unsigned(self.value.checked_add(1).filter(|&it| it <= mask(self.bits))?)
            }
            (R::UnsignedLess, false) => End::Unsigned(self.value.checked_sub(1)?),
            (R::SignedLess, true) => End::Signed(number.checked_add(1)?),
            (R::SignedLess, false) => End::Signed(number.checked_sub(1)?),
            (R::Equal | R::NotEqual, _) => return None,
        })
    }
}

fn bound(terms: &Terms, (_, a, b): Comparison) -> Option<Bound> {
    let bits = terms.width(a);
    match (terms.as_constant(a), terms.as_constant(b)) {
        (Some(value), None) => Some(Bound { of: b, value, bits, is_lower: true }),
        (None, Some(value)) => Some(Bound { of: a, value, bits, is_lower: false }),
        _ => None,
    }
}

/// A condition as a comparison.
fn comparison(terms: &Terms, condition: TermId) -> Option<Comparison> {
    let (node, is_negated) = match terms.node(condition) {
        Node::Not(inner) => (terms.node(inner), true),
        node => (node, false),
    };
    match (node, is_negated) {
        (Node::Binary(Op::Eq, a, b), false) => Some((R::Equal, a, b)),
        (Node::Binary(Op::Eq, a, b), true) => Some((R::NotEqual, a, b)),
        (Node::Binary(Op::Ult, a, b), false) => Some((R::UnsignedLess, a, b)),
        (Node::Binary(Op::Ult, a, b), true) => Some((R::UnsignedLessOrEqual, b, a)),
        (Node::Binary(Op::Slt, a, b), false) => Some((R::SignedLess, a, b)),
        (Node::Binary(Op::Slt, a, b), true) => Some((R::SignedLessOrEqual, b, a)),
        _ => None,
    }
}

fn holds(relation: Relation, x: u128, y: u128, bits: u32) -> bool {
    let (p, q) = (signed(x, bits), signed(y, bits));
    match relation {
        R::Equal => x == y,
        R::NotEqual => x != y,
        R::UnsignedLess => x < y,
        R::UnsignedLessOrEqual => x <= y,
        R::SignedLess => p < q,
        R::SignedLessOrEqual => p <= q,
    }
}
