//! "Is some element below this configuration?" and "is some element above it?" without looking at all
//! elements.
//!
//! For each shared state the elements form a trie: sorted by a fixed order of the locals, elements that begin
//! alike share a path. A query walks down several paths at once and visits only what agrees with it so far.
//! The answer depends on the elements only, not on the order of locals, which is chosen for speed: rare
//! locals first when looking below (most elements fail at the first local), frequent ones first when looking
//! above (paths are shared longest).

use crate::bag::Config;
use std::ops::Range;
use throng_model::{LocalId, SharedId};

/// A count of a local, by its position in the order of the trie.
type Step = (u32, u64);

/// An element: its shared state and its counts in the order of the trie.
type Path = (SharedId, Vec<Step>);

#[derive(Clone, Debug, Default)]
struct Node {
    /// What this node adds to its parent.
    step: Step,
    /// Children, sorted by step.
    children: Range<usize>,
    /// Whether an element ends here.
    ends: bool,
    /// The locals that occur at this node or below, squeezed into 64 bits.
    reach: u64,
}

/// The order of locals in a trie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    RareFirst,
    FrequentFirst,
}

/// A set of configurations.
#[derive(Debug)]
pub(crate) struct Index {
    /// Position of each local in the order; `None` if no element has it.
    rank: Vec<Option<u32>>,
    /// The root of each shared state comes first.
    nodes: Vec<Node>,
    n_shared: usize,
}

impl Index {
    pub(crate) fn new(elements: &[Config], order: Order) -> Self {
        let n_shared = elements.iter().map(|element| element.shared.index().saturating_add(1)).max();
        let mut index =
            Self { rank: ranks(elements, order), nodes: Vec::new(), n_shared: n_shared.unwrap_or(0) };
        let mut paths: Vec<Path> =
            elements.iter().filter_map(|element| Some((element.shared, index.path(element)?))).collect();
        debug_assert_eq!(paths.len(), elements.len(), "INVARIANT: every local of an element has a rank");
        paths.sort_unstable();
        paths.dedup();
        index.build(&paths);
        index
    }

    /// The counts of a configuration in the order of the trie; `None` if some local occurs in no element.
    fn path(&self, config: &Config) -> Option<Vec<Step>> {
        let steps = config.bag.entries().iter().map(|&(local, count)| Some((self.rank_of(local)?, count)));
        let mut path: Vec<Step> = steps.collect::<Option<_>>()?;
        path.sort_unstable();
        Some(path)
    }

    fn rank_of(&self, local: LocalId) -> Option<u32> {
        self.rank.get(local.index()).copied().flatten()
    }

    /// Makes the nodes level by level, so that the children of a node are neighbours.
    fn build(&mut self, paths: &[Path]) {
        self.nodes = vec![Node::default(); self.n_shared];
        // Nodes whose children are to be made: the node, its depth, and the paths through it.
        let mut work: Vec<(usize, usize, &[Path])> = paths
            .chunk_by(|a, b| a.0 == b.0)
            .filter_map(|chunk| Some((chunk.first()?.0.index(), 0, chunk)))
            .collect();
        let mut next = Vec::new();
        while !work.is_empty() {
            for (at, depth, chunk) in work.drain(..) {
                let start = self.nodes.len();
                // Paths that end here come first, being prefixes of the others.
                let longer = chunk.partition_point(|(_, path)| path.len() <= depth);
                let ends = longer > 0;
                let rest = chunk.get(longer..).unwrap_or_default();
                for group in rest.chunk_by(|a, b| a.1.get(depth) == b.1.get(depth)) {
                    let step =
                        group.first().and_then(|(_, path)| path.get(depth)).copied().unwrap_or_default();
                    next.push((self.nodes.len(), depth.saturating_add(1), group));
                    self.nodes.push(Node { step, ..Node::default() });
                }
                let end = self.nodes.len();
                if let Some(node) = self.nodes.get_mut(at) {
                    (node.children, node.ends) = (start..end, ends);
                }
            }
            std::mem::swap(&mut work, &mut next);
        }
        self.fill_reach();
    }

    /// Children stand after their parents, so one pass from the end suffices.
    fn fill_reach(&mut self) {
        for at in (0..self.nodes.len()).rev() {
            let Some(node) = self.nodes.get(at) else { continue };
            let below = self.slice(&node.children).iter().fold(0, |bits, child| bits | child.reach);
            let reach = below | bit(node.step);
            if let Some(node) = self.nodes.get_mut(at) {
                node.reach = reach;
            }
        }
    }

    fn slice(&self, range: &Range<usize>) -> &[Node] {
        self.nodes.get(range.clone()).unwrap_or_default()
    }

    /// The root of a shared state.
    fn root(&self, shared: SharedId) -> Option<&Node> {
        self.nodes.get(shared.index()).filter(|_| shared.index() < self.n_shared)
    }

    /// Whether some element is below `config`: `config` is in the upward closure of the elements.
    pub(crate) fn has_below(&self, config: &Config) -> bool {
        let Some(root) = self.root(config.shared) else { return false };
        if root.ends {
            return true;
        }
        // Locals that no element has do not help.
        let entries = config.bag.entries().iter();
        let mut path: Vec<Step> =
            entries.filter_map(|&(local, count)| Some((self.rank_of(local)?, count))).collect();
        path.sort_unstable();
        let mut open = vec![(root, &path[..])];
        while let Some((node, mut rest)) = open.pop() {
            let mut children = self.slice(&node.children);
            while let Some((&(rank, count), tail)) = rest.split_first() {
                rest = tail;
                let skip = children.partition_point(|child| child.step.0 < rank);
                children = children.get(skip..).unwrap_or_default();
                for child in children.iter().take_while(|child| child.step.0 == rank && child.step.1 <= count)
                {
                    if child.ends {
                        return true;
                    }
                    open.push((child, tail));
                }
                if children.is_empty() {
                    break;
                }
            }
        }
        false
    }

    /// Whether some element is above `config`: `config` is in the downward closure of the elements.
    pub(crate) fn has_above(&self, config: &Config) -> bool {
        let (Some(root), Some(path)) = (self.root(config.shared), self.path(config)) else { return false };
        if path.is_empty() {
            return root.ends || !root.children.is_empty();
        }
        let needed = with_bits(&path);
        let mut open = vec![(root, &needed[..])];
        while let Some((node, needed)) = open.pop() {
            let Some((&((rank, count), bits), tail)) = needed.split_first() else { continue };
            for child in self.slice(&node.children).iter().take_while(|child| child.step.0 <= rank) {
                if bits & !child.reach != 0 {
                    continue;
                }
                if child.step.0 < rank {
                    open.push((child, needed));
                } else if child.step.1 >= count {
                    if tail.is_empty() {
                        return true;
                    }
                    open.push((child, tail));
                }
            }
        }
        false
    }
}

fn bit(step: Step) -> u64 {
    1_u64.wrapping_shl(step.0)
}

/// Each step with the locals of it and all later ones, squeezed into 64 bits.
fn with_bits(path: &[Step]) -> Vec<(Step, u64)> {
    let mut needed: Vec<(Step, u64)> = path.iter().map(|&step| (step, bit(step))).collect();
    let mut later = 0;
    for (_, bits) in needed.iter_mut().rev() {
        *bits |= later;
        later = *bits;
    }
    needed
}

/// The position of each local that occurs in the elements.
fn ranks(elements: &[Config], order: Order) -> Vec<Option<u32>> {
    let entries = || elements.iter().flat_map(|element| element.bag.entries());
    let n_locals = entries().map(|(local, _)| local.index().saturating_add(1)).max().unwrap_or(0);
    let mut users = vec![0_u64; n_locals];
    for &(local, _) in entries() {
        if let Some(users) = users.get_mut(local.index()) {
            *users = users.saturating_add(1);
        }
    }
    let mut used: Vec<(u64, usize)> =
        users.iter().enumerate().filter(|&(_, &n)| n > 0).map(|(local, &n)| (n, local)).collect();
    used.sort_unstable();
    if order == Order::FrequentFirst {
        used.reverse();
    }
    let mut rank = vec![None; n_locals];
    for (position, (_, local)) in (0..).zip(used) {
        if let Some(rank) = rank.get_mut(local) {
            *rank = Some(position);
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bag::{Bag, OMEGA};

    const N_SHARED: usize = 2;
    const N_LOCALS: usize = 70;

    fn naive_le(small: &Config, large: &Config) -> bool {
        let mut entries = small.bag.entries().iter();
        small.shared == large.shared && entries.all(|&(local, count)| large.bag.count(local) >= count)
    }

    #[test]
    fn queries_agree_with_a_scan_of_all_elements() {
        arbtest::arbtest(|u| {
            let n_locals = *u.choose(&[3, 6, N_LOCALS])?;
            let mut config = |most: usize| {
                let mut bag = Bag::default();
                for _ in 0..u.int_in_range(0..=most)? {
                    let count = if u.ratio(1, 8)? { OMEGA } else { u.int_in_range(1..=3)? };
                    bag.extend([(LocalId::new(u.choose_index(n_locals)?), count)]).unwrap();
                }
                Ok(Config { shared: SharedId::new(u.choose_index(N_SHARED)?), bag })
            };
            let elements: Vec<Config> = (0..12).map(|_| config(4)).collect::<Result<_, _>>()?;
            let below = Index::new(&elements, Order::RareFirst);
            let above = Index::new(&elements, Order::FrequentFirst);
            for _ in 0..12 {
                let query = config(6)?;
                let expected = elements.iter().any(|element| naive_le(element, &query));
                assert_eq!(below.has_below(&query), expected, "{query:?} above one of {elements:?}");
                let expected = elements.iter().any(|element| naive_le(&query, element));
                assert_eq!(above.has_above(&query), expected, "{query:?} below one of {elements:?}");
            }
            Ok(())
        })
        .budget_ms(1000);
    }
}
