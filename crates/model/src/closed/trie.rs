//! A trie of bags that finds the elements below a bag.
//!
//! A bag is a path of (local, count) entries in the order of locals, below a root per shared state. A search
//! for elements below `u` only follows entries that `u` can pay for, so it visits the prefixes of sub-bags of
//! `u` that occur in the set: never more than all sub-bags, and few when the set is sparse around `u`.
//! Children with the same local form a chain by increasing count. The chains of a node are found through one
//! hash table keyed by (node, local), or by walking the list of them where that is shorter than the rest of
//! `u`. A node all of whose elements have a local that `u` lacks is not entered; most nodes far down have few
//! elements, so this ends most searches early.

use super::ElementId;
use crate::{ConfigRef, SharedId, bag};
use hashbrown::HashTable;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// No node, or no element.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    /// The local, or the shared state of a root.
    key: u32,
    count: u32,
    /// The next node with the same parent and key and a larger count.
    next: u32,
    /// The element that ends here.
    element: u32,
    /// How many elements end at or below this node.
    live: u32,
    /// Locals that all elements ever inserted at or below this node have, as a signature.
    common: u64,
    /// The list of the chains below this node, by their first nodes.
    first_chain: u32,
    n_chains: u32,
    /// The next chain with the same parent; valid in the first node of a chain.
    next_chain: u32,
}

impl Node {
    /// Notes that an element with this signature ends at or below the node.
    fn gain(&mut self, signature: u64) {
        self.live += 1;
        self.common &= signature;
    }
}

/// Nodes to visit in a search for what is below a bag, each with the first entry that may follow. An explicit
/// stack, since bags may be long.
struct Walk {
    /// The signature of the bag, or all ones for a small bag.
    signature: u64,
    stack: SmallVec<[(u32, u32); 16]>,
}

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub(super) struct Trie {
    nodes: Vec<Node>,
    /// The first node of each chain, by parent and key.
    chains: HashTable<u32>,
}

impl Trie {
    /// Adds an element. No element with this configuration may be present.
    pub(super) fn insert(&mut self, config: ConfigRef<'_>, id: ElementId) {
        let signature = bag::signature(config.bag);
        let mut node = self.child_or_insert(NONE, config.shared.raw(), 0);
        self.nodes[node as usize].gain(signature);
        for entry in config.bag {
            node = self.child_or_insert(node, entry.local.raw(), entry.count);
            self.nodes[node as usize].gain(signature);
        }
        debug_assert_eq!(self.nodes[node as usize].element, NONE);
        self.nodes[node as usize].element = id.raw();
    }

    /// The element that is equal to `config`.
    pub(super) fn find(&self, config: ConfigRef<'_>) -> Option<ElementId> {
        let node = self.node(config)?;
        let element = self.nodes[node as usize].element;
        (element != NONE).then(|| ElementId::new(element as usize))
    }

    /// The node that a configuration leads to.
    fn node(&self, config: ConfigRef<'_>) -> Option<u32> {
        let mut node = self.root(config.shared);
        for entry in config.bag {
            if node == NONE {
                return None;
            }
            node = self.chain(node, entry.local.raw());
            while node != NONE && self.nodes[node as usize].count != entry.count {
                node = self.nodes[node as usize].next;
            }
        }
        (node != NONE).then_some(node)
    }

    /// Removes an element that is present.
    pub(super) fn remove(&mut self, config: ConfigRef<'_>) {
        let mut node = self.node(config).expect("INVARIANT: only elements that are present are removed");
        self.nodes[node as usize].element = NONE;
        while node != NONE {
            self.nodes[node as usize].live -= 1;
            node = self.nodes[node as usize].parent;
        }
    }

    /// Reports the elements below `config`, equal ones included, in an order that depends on the elements
    /// only.
    #[inline]
    pub(super) fn for_each_below(
        &self,
        config: ConfigRef<'_>,
        mut report: impl FnMut(ElementId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let root = self.root(config.shared);
        if root == NONE || self.nodes[root as usize].live == 0 {
            return ControlFlow::Continue(());
        }
        if self.nodes[root as usize].element != NONE {
            report(ElementId::new(self.nodes[root as usize].element as usize))?;
        }
        // Up to a few entries there are hardly more nodes to visit than a signature costs to compute.
        let signature = if config.bag.len() > 3 { bag::signature(config.bag) } else { u64::MAX };
        let mut walk = Walk { signature, stack: SmallVec::new() };
        walk.stack.push((root, 0));
        while let Some((node, position)) = walk.stack.pop() {
            let rest = &config.bag[position as usize..];
            let Node { first_chain, n_chains, .. } = self.nodes[node as usize];
            if (n_chains as usize) < rest.len() {
                let mut chain = first_chain;
                while chain != NONE {
                    let first = &self.nodes[chain as usize];
                    if let Ok(at) = rest.binary_search_by_key(&first.key, |entry| entry.local.raw()) {
                        self.follow(chain, rest[at].count, position + at as u32 + 1, &mut walk, &mut report)?;
                    }
                    chain = first.next_chain;
                }
            } else {
                for (entry, after) in rest.iter().zip(position + 1..) {
                    let chain = self.chain(node, entry.local.raw());
                    self.follow(chain, entry.count, after, &mut walk, &mut report)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Reports the elements at the nodes of a chain up to `count` and pushes the nodes that may have more below.
    #[inline]
    fn follow(
        &self,
        mut node: u32,
        count: u32,
        position: u32,
        walk: &mut Walk,
        report: &mut impl FnMut(ElementId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while node != NONE {
            let found = &self.nodes[node as usize];
            if found.count > count {
                break;
            }
            if found.element != NONE {
                report(ElementId::new(found.element as usize))?;
            }
            let has_more = found.live > u32::from(found.element != NONE);
            if has_more && found.common & !walk.signature == 0 {
                walk.stack.push((node, position));
            }
            node = found.next;
        }
        ControlFlow::Continue(())
    }

    fn root(&self, shared: SharedId) -> u32 {
        self.chain(NONE, shared.raw())
    }

    /// The first node of the chain of this parent and key.
    #[inline]
    fn chain(&self, parent: u32, key: u32) -> u32 {
        let same = |&node: &u32| {
            let node = &self.nodes[node as usize];
            node.parent == parent && node.key == key
        };
        self.chains.find(hash(parent, key), same).copied().unwrap_or(NONE)
    }

    fn child_or_insert(&mut self, parent: u32, key: u32, count: u32) -> u32 {
        let first = self.chain(parent, key);
        let (mut before, mut node) = (NONE, first);
        while node != NONE && self.nodes[node as usize].count < count {
            (before, node) = (node, self.nodes[node as usize].next);
        }
        if node != NONE && self.nodes[node as usize].count == count {
            return node;
        }
        let new = u32::try_from(self.nodes.len())
            .ok()
            .filter(|&new| new != NONE)
            .expect("a trie has fewer nodes than 2^32");
        let mut next_chain = NONE;
        if before == NONE && first != NONE {
            next_chain = self.nodes[first as usize].next_chain;
        } else if first == NONE && parent != NONE {
            let parent = &mut self.nodes[parent as usize];
            next_chain = std::mem::replace(&mut parent.first_chain, new);
            parent.n_chains += 1;
        }
        let (element, live, common, first_chain, n_chains) = (NONE, 0, u64::MAX, NONE, 0);
        self.nodes.push(Node {
            parent,
            key,
            count,
            next: node,
            element,
            live,
            common,
            first_chain,
            n_chains,
            next_chain,
        });
        self.link(new, before, first);
        new
    }

    /// Makes a new node known to its chain: after `before`, or as the head instead of `first`.
    fn link(&mut self, new: u32, before: u32, first: u32) {
        let Self { nodes, chains } = self;
        let Node { parent, key, .. } = nodes[new as usize];
        if before != NONE {
            nodes[before as usize].next = new;
            return;
        }
        if first == NONE {
            let rehash = |&node: &u32| hash(nodes[node as usize].parent, nodes[node as usize].key);
            chains.insert_unique(hash(parent, key), new, rehash);
            return;
        }
        if let Some(head) = chains.find_mut(hash(parent, key), |&node| node == first) {
            *head = new;
        }
        if parent != NONE {
            // The list of chains goes through heads, so the old head's predecessor must now name the new one.
            let mut at = nodes[parent as usize].first_chain;
            if at == first {
                nodes[parent as usize].first_chain = new;
                return;
            }
            while nodes[at as usize].next_chain != first {
                at = nodes[at as usize].next_chain;
            }
            nodes[at as usize].next_chain = new;
        }
    }
}

/// Mixes both words into all bits: the table uses the top seven as well as the low ones.
#[inline]
fn hash(parent: u32, key: u32) -> u64 {
    let word = (u64::from(parent) << 32 | u64::from(key)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ (word >> 32)
}
