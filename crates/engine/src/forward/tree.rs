//! The tree of a forward search: ω-configurations, where each came from, and which are maximal.
//!
//! Every node c satisfies ↓c ⊆ Cover. A child is a successor of its parent, possibly *accelerated*: where a path
//! of the tree leads from an ancestor a to a successor s ≥ a by rules without moves only, it can be repeated, so
//! counts that grew from a to s become ω. Across a rule with moves that would be wrong: its moves can undo what
//! the repetition gained (Kaiser's thesis, §4.3.1 and Figure 24).
//!
//! A node that a later one covers need not be expanded, since the successors of the later one cover its own. It
//! stays in the tree all the same: paths run through it, and accelerations look at it. So nothing is ever cut
//! off, and the maximal nodes of a search that ends are exactly the coverability set.
//!
//! # Minimal ancestors
//!
//! It suffices to compare a successor with the ancestors on the path that are *minimal*, which cover no other one there: if s
//! covers an ancestor a, it covers a minimal one b below a, and what is larger in s than in a is larger than in b
//! (Zhao's thesis on STAR, Oxford 2009, §3.3.3). So both ways end at the same ω-configuration: the smallest one above s whose
//! counts are ω wherever they are larger than in an ancestor below it.
//!
//! Which ancestors are minimal needs no comparison. A node that was accelerated covers an ancestor, and is not minimal.
//! One that was not is minimal: it is not above another one on the path, since it would have been accelerated or equal to it,
//! and neither equal to one nor below one, since what a node covers is not added. So each node has a link to the nearest
//! ancestor that was not accelerated; STAR keeps lists of lists for the path of its depth-first search.

use crate::options::Ancestors;
use crate::record::{ForwardNode, ForwardTree};
use rustc_hash::FxHashMap;
use throng_model::closed::ElementId;
use throng_model::{Bag, ClosedSet, ConfigRef, DownwardClosedSet, OMEGA, RuleId, bag};

/// Where a node came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// The parent.
    pub(crate) parent: ElementId,
    /// The rule that leads from there.
    pub(crate) rule: RuleId,
    /// Whether that rule leaves passive threads alone.
    pub(crate) plain: bool,
}

/// See the module's documentation. Nodes are numbered by the elements of the downward-closed set.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    set: DownwardClosedSet,
    origins: Vec<Option<Origin>>,
    /// For accelerated nodes, the ancestors that were compared with, in the order in which they were used.
    accelerations: FxHashMap<ElementId, Vec<ElementId>>,
    /// The nearest minimal ancestor of each node on a path without moves; the node itself if there is none.
    minimal_above: Vec<ElementId>,
    /// How often a successor was compared with an ancestor.
    n_compared: u64,
}

impl Tree {
    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.origins.len()
    }

    /// How many nodes are maximal.
    pub(crate) fn n_maximal(&self) -> usize {
        self.set.generators().len()
    }

    /// How many nodes are accelerated.
    pub(crate) fn n_accelerated(&self) -> usize {
        self.accelerations.len()
    }

    /// How often a successor was compared with an ancestor.
    pub(crate) fn n_compared(&self) -> u64 {
        self.n_compared
    }

    /// The ω-configuration of a node.
    #[inline]
    pub(crate) fn get(&self, node: ElementId) -> ConfigRef<'_> {
        self.set.generators().get(node)
    }

    /// Where a node came from; `None` for initial configurations.
    #[inline]
    pub(crate) fn origin(&self, node: ElementId) -> Option<Origin> {
        self.origins[node.index()]
    }

    /// The ancestors that a node was accelerated by.
    pub(crate) fn accelerations(&self, node: ElementId) -> &[ElementId] {
        self.accelerations.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Whether no other node is known to cover this one.
    #[inline]
    pub(crate) fn is_maximal(&self, node: ElementId) -> bool {
        self.set.generators().is_present(node)
    }

    /// Whether no other node covers this one, now that somebody wants to expand it.
    pub(crate) fn keep_if_maximal(&mut self, node: ElementId) -> bool {
        self.set.keep_if_maximal(node)
    }

    /// Sees to it that [`Tree::maximal`] has maximal nodes only.
    pub(crate) fn minimise(&mut self) {
        self.set.minimise();
    }

    /// The maximal nodes, with some that are not if [`Tree::minimise`] was not called.
    pub(crate) fn maximal(&self) -> impl Iterator<Item = (ElementId, ConfigRef<'_>)> {
        self.set.generators().iter()
    }

    /// A maximal node that covers a configuration.
    #[inline]
    pub(crate) fn covering(&self, config: ConfigRef<'_>) -> Option<ElementId> {
        self.set.witness(config)
    }

    /// Adds a node that no other covers.
    pub(crate) fn add(
        &mut self,
        config: ConfigRef<'_>,
        origin: Option<Origin>,
        ancestors: Vec<ElementId>,
    ) -> ElementId {
        let node = self.set.add_new(config);
        debug_assert_eq!(node.index(), self.origins.len());
        self.origins.push(origin);
        let above = origin.filter(|origin| origin.plain).map(|origin| self.nearest_minimal(origin.parent));
        self.minimal_above.push(above.unwrap_or(node));
        if !ancestors.is_empty() {
            self.accelerations.insert(node, ancestors);
        }
        node
    }

    /// The tree for people to look at.
    pub(crate) fn draw(&self) -> ForwardTree {
        let node = |id: ElementId| ForwardNode {
            config: self.get(id).to_config(),
            parent: self.origin(id).map(|origin| (origin.parent.index(), origin.rule)),
            accelerated: !self.accelerations(id).is_empty(),
            maximal: self.is_maximal(id),
        };
        ForwardTree { nodes: ElementId::all(self.len()).map(node).collect() }
    }

    /// The node itself if it is minimal on its path, and its nearest minimal ancestor otherwise.
    fn nearest_minimal(&self, node: ElementId) -> ElementId {
        if self.accelerations(node).is_empty() { node } else { self.minimal_above[node.index()] }
    }

    /// The ancestor that is looked at after another one; the first after `None`.
    fn next_ancestor(
        &self,
        parent: ElementId,
        after: Option<ElementId>,
        ancestors: Ancestors,
    ) -> Option<ElementId> {
        match (ancestors, after) {
            (Ancestors::All, None) => Some(parent),
            (Ancestors::All, Some(node)) => {
                self.origin(node).filter(|origin| origin.plain).map(|origin| origin.parent)
            }
            (Ancestors::Minimal, None) => Some(self.nearest_minimal(parent)),
            (Ancestors::Minimal, Some(node)) => {
                Some(self.minimal_above[node.index()]).filter(|&above| above != node)
            }
        }
    }

    /// Accelerates a successor of `parent` by a rule without moves, as far as ancestors allow. Returns those that
    /// were used, in order.
    pub(crate) fn accelerate(
        &mut self,
        parent: ElementId,
        successor: ConfigRef<'_>,
        ancestors: Ancestors,
        after: &mut Bag,
    ) -> Vec<ElementId> {
        let mut used = Vec::new();
        after.assign(successor.bag);
        loop {
            let n_used = used.len();
            let mut next = self.next_ancestor(parent, None, ancestors);
            while let Some(ancestor) = next {
                self.n_compared += 1;
                let config = self.get(ancestor);
                if config.shared == successor.shared
                    && bag::le(config.bag, after)
                    && raise_to_omega(config.bag, after)
                {
                    used.push(ancestor);
                }
                next = self.next_ancestor(parent, Some(ancestor), ancestors);
            }
            // What is larger now may cover ancestors that it did not cover before.
            if used.len() == n_used {
                return used;
            }
        }
    }
}

/// Replaces the finite counts of `bag` that are larger than in `below` by ω; whether there are any.
pub(crate) fn raise_to_omega(below: &[throng_model::Entry], bag: &mut Bag) -> bool {
    let mut raised = false;
    let mut rest = below;
    bag.raise(|entry| {
        if entry.count == OMEGA {
            return false;
        }
        // Both are sorted, so what was passed is not looked at again.
        let position = rest.partition_point(|other| other.local < entry.local);
        rest = &rest[position..];
        let count = rest.first().filter(|other| other.local == entry.local).map_or(0, |other| other.count);
        raised |= count < entry.count;
        count < entry.count
    });
    raised
}
