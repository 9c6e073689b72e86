//! Boolean combinations of linear constraints on places, and the upward-closed sets they denote.
//!
//! A formula is a coverability question if it denotes an upward-closed set; then its minimal elements are the
//! targets. Negations are pushed to the atoms; an atom with positive weights is the finite disjunction of its
//! minimal solutions (`x + y >= 2` is `{x,x}` or `{x,y}` or `{y,y}`); a conjunction takes componentwise
//! maxima, a disjunction the union; results are kept minimal throughout. An atom that is not upward closed
//! ([`atom`]) is refused with the reason, even if the formula around it happens to be upward closed.
//!
//! Nodes live in a flat array, children before parents: no operation recurses, so nesting costs no stack.

mod atom;
pub(crate) mod expression;
mod linear;

pub(crate) use atom::Comparison;
pub(crate) use linear::Linear;

use crate::Draft;
use atom::{Atom, Denotation};
use linear::{Overflow, for_each_minimal_solution};
use throng_base::{Diagnostic, Source, Span};
use throng_model::closed::{ClosedSet, UpwardClosedSet};
use throng_model::{Bag, Config, LocalId, Names, SharedId, bag};

/// Bags that may be made on the way to the minimal elements of one formula.
const MAX_BAGS: usize = 2_000_000;

/// Entries of these bags.
const MAX_ENTRIES: usize = 40_000_000;

/// Errors reported for one formula.
const MAX_ERRORS: usize = 10;

/// A node of a [`Formula`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(usize);

#[derive(Debug)]
enum Node {
    Constant(bool),
    Atom(Atom),
    Not(NodeId),
    /// Conjunction or disjunction.
    Many {
        is_and: bool,
        parts: Vec<NodeId>,
    },
}

/// Formulas under construction. Each node may be used as a part of one other node.
#[derive(Debug, Default)]
pub(crate) struct Formula {
    nodes: Vec<Node>,
}

impl Formula {
    fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    /// True or false.
    pub(crate) fn constant(&mut self, value: bool) -> NodeId {
        self.add(Node::Constant(value))
    }

    /// A comparison that stands at `span`.
    pub(crate) fn compare(
        &mut self,
        left: Linear,
        comparison: Comparison,
        right: Linear,
        source: &Source,
        span: Span,
    ) -> Result<NodeId, Diagnostic> {
        let atom =
            Atom::new(left, comparison, right, span).map_err(|Overflow| too_large_number(source, span))?;
        Ok(self.add(Node::Atom(atom)))
    }

    /// Each of these places has so many tokens: a transition with this preset is enabled.
    pub(crate) fn covers(&mut self, preset: &[throng_model::Entry], span: Span) -> NodeId {
        let mut all = self.constant(true);
        for entry in preset {
            let count = Linear::constant(i128::from(entry.count));
            let atom = Atom::new(Linear::place(entry.local), Comparison::GreaterEqual, count, span)
                .expect("a 32-bit number does not overflow 128 bits");
            let part = self.add(Node::Atom(atom));
            all = self.and(all, part);
        }
        all
    }

    /// Negation.
    pub(crate) fn not(&mut self, part: NodeId) -> NodeId {
        self.add(Node::Not(part))
    }

    /// Conjunction.
    pub(crate) fn and(&mut self, left: NodeId, right: NodeId) -> NodeId {
        self.join(true, left, right)
    }

    /// Disjunction.
    pub(crate) fn or(&mut self, left: NodeId, right: NodeId) -> NodeId {
        self.join(false, left, right)
    }

    /// Joins two nodes into one flat list, so that a conjunction of a million atoms is one node.
    fn join(&mut self, is_and: bool, left: NodeId, right: NodeId) -> NodeId {
        let mut parts = self.take_parts(is_and, left);
        let mut others = self.take_parts(is_and, right);
        if parts.len() < others.len() {
            std::mem::swap(&mut parts, &mut others);
        }
        parts.append(&mut others);
        self.add(Node::Many { is_and, parts })
    }

    fn take_parts(&mut self, is_and: bool, node: NodeId) -> Vec<NodeId> {
        match &mut self.nodes[node.0] {
            Node::Many { is_and: same, parts } if *same == is_and => std::mem::take(parts),
            _ => vec![node],
        }
    }

    /// The minimal configurations that satisfy `root` (its negation, if not `positive`) for the net of a
    /// draft. None at all if it is unsatisfiable. With several shared states the formula leaves them open, so
    /// each of them has its targets.
    pub(crate) fn targets(
        self,
        root: NodeId,
        positive: bool,
        source: &Source,
        draft: &Draft,
    ) -> Result<Vec<Config>, Vec<Diagnostic>> {
        let names = draft.builder.local_names();
        let polarity = self.polarities(root, positive);
        let mut evaluation = Evaluation { source, names, bags: 0, entries: 0, errors: Vec::new() };
        let mut values: Vec<Vec<Bag>> = Vec::new();
        values.resize_with(self.nodes.len(), Vec::new);
        for (at, node) in self.nodes.iter().enumerate() {
            let Some(positive) = polarity[at] else { continue };
            values[at] = evaluation.node(node, positive, &mut values).map_err(|error| vec![error])?;
        }
        if !evaluation.errors.is_empty() {
            evaluation.errors.sort_by_key(|(at, _)| *at);
            return Err(evaluation.errors.into_iter().take(MAX_ERRORS).map(|(_, error)| error).collect());
        }
        let minimal = std::mem::take(&mut values[root.0]);
        let shared = SharedId::all(draft.builder.n_shared());
        Ok(shared.flat_map(|s| minimal.iter().map(move |bag| Config::new(s, bag.clone()))).collect())
    }

    /// For each node under `root` whether it counts as it stands or negated.
    fn polarities(&self, root: NodeId, positive: bool) -> Vec<Option<bool>> {
        let mut polarity = vec![None; self.nodes.len()];
        polarity[root.0] = Some(positive);
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let Some(own) = polarity[at] else { continue };
            match node {
                Node::Constant(_) | Node::Atom(_) => {}
                Node::Not(part) => polarity[part.0] = Some(!own),
                Node::Many { parts, .. } => parts.iter().for_each(|part| polarity[part.0] = Some(own)),
            }
        }
        polarity
    }
}

/// The bottom-up computation of minimal elements. A set is the list of its minimal elements: none for false,
/// the empty bag for true.
struct Evaluation<'s> {
    source: &'s Source,
    names: &'s Names,
    bags: usize,
    entries: usize,
    /// Refused atoms, with their offsets.
    errors: Vec<(u32, Diagnostic)>,
}

impl Evaluation<'_> {
    fn node(&mut self, node: &Node, positive: bool, values: &mut [Vec<Bag>]) -> Result<Vec<Bag>, Diagnostic> {
        match node {
            Node::Constant(value) => Ok(if *value == positive { vec![Bag::new()] } else { Vec::new() }),
            Node::Atom(atom) => self.atom(atom, positive),
            Node::Not(part) => Ok(std::mem::take(&mut values[part.0])),
            Node::Many { is_and, parts } => {
                let parts = parts.iter().map(|part| std::mem::take(&mut values[part.0]));
                if *is_and == positive { self.conjunction(parts) } else { self.union(parts.flatten()) }
            }
        }
    }

    fn atom(&mut self, atom: &Atom, positive: bool) -> Result<Vec<Bag>, Diagnostic> {
        let overflow = |source| too_large_number(source, atom.span);
        match atom.denotation(positive).map_err(|Overflow| overflow(self.source))? {
            Denotation::True => Ok(vec![Bag::new()]),
            Denotation::False => Ok(Vec::new()),
            Denotation::AtLeast(terms, need) => {
                let mut minimal = Vec::new();
                let mut outcome = Ok(());
                for_each_minimal_solution(&terms, need, |bag| {
                    outcome = self.count(&bag);
                    minimal.push(bag);
                    outcome.is_ok()
                })
                .map_err(|Overflow| overflow(self.source))?;
                outcome.map(|()| minimal)
            }
            Denotation::Refused(reason) => {
                if self.errors.len() < MAX_ERRORS {
                    let error = atom.refusal(reason, positive, self.source, self.names);
                    self.errors.push((atom.span.start, error));
                }
                Ok(Vec::new())
            }
        }
    }

    /// Componentwise maxima of one element from each set.
    fn conjunction(&mut self, parts: impl Iterator<Item = Vec<Bag>>) -> Result<Vec<Bag>, Diagnostic> {
        let mut single: Vec<(LocalId, u32)> = Vec::new();
        let mut others = Vec::new();
        for part in parts {
            match &part[..] {
                [] => return Ok(Vec::new()),
                [bag] => single.extend(bag.iter().map(|entry| (entry.local, entry.count))),
                _ => others.push(part),
            }
        }
        let mut product = vec![largest_counts(single)];
        self.count(&product[0])?;
        others.sort_by_key(Vec::len);
        for part in others {
            let (mut rest, mut maximum) = (Bag::new(), Bag::new());
            let mut maxima = Vec::new();
            for left in &product {
                for right in &part {
                    bag::difference_into(right, left, &mut rest);
                    bag::sum_into(left, &rest, &mut maximum).expect("the larger of two counts is a count");
                    self.count(&maximum)?;
                    maxima.push(maximum.clone());
                }
            }
            product = self.union(maxima.into_iter())?;
        }
        Ok(product)
    }

    /// The minimal elements among these, in their order.
    fn union(&mut self, bags: impl Iterator<Item = Bag>) -> Result<Vec<Bag>, Diagnostic> {
        let mut bags = bags.peekable();
        let Some(first) = bags.next() else { return Ok(Vec::new()) };
        if bags.peek().is_none() {
            return Ok(vec![first]);
        }
        let mut set = UpwardClosedSet::default();
        for bag in std::iter::once(first).chain(bags) {
            self.count(&bag)?;
            set.insert(Config::new(SharedId::new(0), bag).view());
        }
        set.minimise();
        Ok(set.generators().iter().map(|(_, config)| Bag::from(config.bag)).collect())
    }

    /// Counts a bag that has been made; fails when there are too many.
    fn count(&mut self, bag: &Bag) -> Result<(), Diagnostic> {
        self.bags += 1;
        self.entries += bag.len();
        if self.bags <= MAX_BAGS && self.entries <= MAX_ENTRIES {
            return Ok(());
        }
        Err(Diagnostic::error("E0412", "the formula has too many minimal solutions")
            .note(format!(
                "as a list of targets it needs more than {MAX_BAGS} of them or {MAX_ENTRIES} entries"
            ))
            .note(format!("in {}", self.source.name()))
            .hint("ask for its parts one by one"))
    }
}

/// The bag with the largest count listed for each local.
fn largest_counts(mut counts: Vec<(LocalId, u32)>) -> Bag {
    counts.sort_unstable_by_key(|&(local, count)| (local, std::cmp::Reverse(count)));
    counts.dedup_by_key(|&mut (local, _)| local);
    Bag::from_counts(counts).expect("each local occurs once, so nothing adds up")
}

/// The error for a number or a count beyond what configurations hold.
pub(crate) fn too_large_number(source: &Source, span: Span) -> Diagnostic {
    Diagnostic::error("E0102", "number too large").at(source, span, format!("at most {}", bag::MAX_COUNT))
}

#[cfg(test)]
mod tests;
