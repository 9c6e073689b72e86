//! What follows from comparisons without asking a solver: equal terms stand for each other, strict orders are orders, ranges
//! contain smaller ones, orders form chains (`closure`).
//!
//! Of hundreds of facts about the same few variables, few are left that say the rest.

use super::closure::Closure;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use throng_cfa::flow::{mask, signed};
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
    /// The same, in the order in which they came.
    listed: Vec<Comparison>,
    ranges: FxHashMap<TermId, Range>,
    unsigned: Rc<Closure>,
    signed: Rc<Closure>,
    /// Conditions that are no comparisons.
    plain: FxHashSet<TermId>,
    /// What is known while something is not the case, beyond what is known anyway.
    unless: FxHashMap<Unless, Rc<Order>>,
}

/// Conditions that hold unless the same thing does: it, also as a term, and each condition with what holds.
type Group = (Unless, TermId, Vec<(TermId, TermId)>);

/// What is not the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Unless {
    Comparison(Comparison),
    Other(TermId),
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
        let mut disjunctions = Vec::new();
        for &condition in conditions {
            match comparison(terms, condition) {
                None if is_disjunction(terms, condition) => disjunctions.push(condition),
                None => {
                    if self.plain.insert(condition) {
                        kept.push(condition);
                    }
                }
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
                if self.known.insert(it) {
                    self.listed.push(it);
                }
                kept.push(condition);
            }
        }
        kept.extend(self.extend_by_disjunctions(terms, &disjunctions));
        kept
    }

    /// Adds conditions that hold unless others do.
    fn extend_by_disjunctions(&mut self, terms: &Terms, conditions: &[TermId]) -> Vec<TermId> {
        let mut groups: Vec<Group> = Vec::new();
        for &condition in conditions {
            if self.implies(terms, condition) {
                continue;
            }
            let Some((off, then)) = parts(terms, condition) else { continue };
            let key = self.unless(terms, off);
            match groups.iter_mut().find(|(it, ..)| *it == key) {
                Some((.., list)) => list.push((condition, then)),
                None => groups.push((key, off, vec![(condition, then)])),
            }
        }
        let mut kept = Vec::new();
        for (key, off, list) in groups {
            let mut under = match self.unless.get(&key) {
                Some(under) => (**under).clone(),
                None => {
                    let mut under = Self { unless: FxHashMap::default(), ..self.clone() };
                    if let Some((R::NotEqual, a, b)) = comparison(terms, off) {
                        under.join(terms, a, b);
                    }
                    under
                }
            };
            let then: Vec<TermId> = list.iter().map(|&(_, then)| then).collect();
            let needed: FxHashSet<TermId> = under.extend(terms, &then).into_iter().collect();
            kept.extend(
                list.iter().filter(|(_, then)| needed.contains(then)).map(|&(condition, _)| condition),
            );
            self.unless.insert(key, Rc::new(under));
        }
        kept
    }

    fn unless(&self, terms: &Terms, off: TermId) -> Unless {
        match comparison(terms, off) {
            Some(it) => Unless::Comparison(self.canonical(it)),
            None => Unless::Other(off),
        }
    }

    /// Finds chains of orders, also to successors that these conditions mention.
    pub(super) fn close(&mut self, terms: &Terms, conditions: &[TermId]) {
        let mut others = Vec::new();
        for &condition in conditions {
            if let Some((_, a, b)) = comparison(terms, condition) {
                others.extend([a, b]);
            }
        }
        for &(_, a, b) in &self.listed {
            others.extend([a, b]);
        }
        others.sort_unstable();
        others.dedup();
        let orders = |less: Relation, less_or_equal: Relation| {
            let mut orders: Vec<(TermId, TermId, bool)> = Vec::new();
            for &(relation, a, b) in &self.listed {
                if relation == less || relation == less_or_equal {
                    orders.push((a, b, relation == less));
                }
                // What is not the greatest is below it, what is not zero is above zero.
                if let (R::NotEqual, Some(bound)) = (relation, bound(terms, (relation, a, b))) {
                    let bits = bound.bits;
                    let constant = if bound.is_lower { a } else { b };
                    let (least, most) = match less {
                        R::UnsignedLess => (0, mask(bits)),
                        _ => (1 << (bits - 1), mask(bits) >> 1),
                    };
                    if bound.value == most {
                        orders.push((bound.of, constant, true));
                    } else if bound.value == least {
                        orders.push((constant, bound.of, true));
                    }
                }
            }
            orders.sort_unstable();
            orders
        };
        let root = |term| self.root(term);
        let unsigned =
            Closure::new(terms, &orders(R::UnsignedLess, R::UnsignedLessOrEqual), &others, &root, false);
        let signed = Closure::new(terms, &orders(R::SignedLess, R::SignedLessOrEqual), &others, &root, true);
        (self.unsigned, self.signed) = (Rc::new(unsigned), Rc::new(signed));
    }

    /// Whether a condition follows.
    pub(super) fn implies(&self, terms: &Terms, condition: TermId) -> bool {
        if let Some(it) = comparison(terms, condition) {
            return self.implies_canonical(terms, self.canonical(it));
        }
        if self.plain.contains(&condition) {
            return true;
        }
        parts(terms, condition).is_some_and(|(off, then)| {
            let under = self.unless.get(&self.unless(terms, off));
            self.implies(terms, off)
                || self.implies(terms, then)
                || under.is_some_and(|under| under.implies(terms, then))
        })
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
        is_known || self.is_in_range(terms, (relation, a, b)) || self.is_in_chain(relation, a, b)
    }

    fn is_in_chain(&self, relation: Relation, a: TermId, b: TermId) -> bool {
        match relation {
            R::Equal => false,
            R::NotEqual => [&*self.unsigned, &*self.signed]
                .iter()
                .any(|it| it.implies(a, b, true) || it.implies(b, a, true)),
            R::UnsignedLess => self.unsigned.implies(a, b, true),
            R::UnsignedLessOrEqual => self.unsigned.implies(a, b, false),
            R::SignedLess => self.signed.implies(a, b, true),
            R::SignedLessOrEqual => self.signed.implies(a, b, false),
        }
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

fn is_disjunction(terms: &Terms, condition: TermId) -> bool {
    matches!(terms.node(condition), Node::Binary(Op::Or, ..))
}

/// A disjunction as what is the case unless something else is, which is the negation of an equality or of a bit, if possible.
fn parts(terms: &Terms, condition: TermId) -> Option<(TermId, TermId)> {
    let Node::Binary(Op::Or, a, b) = terms.node(condition) else { return None };
    let rank = |term| match comparison(terms, term) {
        Some((R::NotEqual, ..)) => 0,
        None if !is_disjunction(terms, term) => 1,
        Some(_) => 2,
        None => 3,
    };
    Some(if rank(a) <= rank(b) { (a, b) } else { (b, a) })
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
