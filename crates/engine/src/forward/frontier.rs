//! Nodes of a forward search that wait, in the order that was asked for.

use crate::options::Order;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_model::closed::ElementId;
use throng_model::{ConfigRef, SharedId};

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct Frontier {
    order: Order,
    seed: u64,
    /// How many nodes were expanded.
    n_expanded: u64,
    /// The shared state of the node that was expanded last.
    shared: Option<SharedId>,
    /// Keys, the smallest first.
    heap: BinaryHeap<Reverse<(u64, u32, ElementId)>>,
}

impl Frontier {
    /// An empty frontier.
    pub(crate) fn new(order: Order, seed: u64) -> Self {
        Self { order, seed, n_expanded: 0, shared: None, heap: BinaryHeap::new() }
    }

    /// How many nodes wait.
    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// What is added from now on are successors of a node with this shared state.
    pub(crate) fn expand(&mut self, shared: SharedId) {
        self.n_expanded += 1;
        self.shared = Some(shared);
    }

    /// Adds a node.
    pub(crate) fn push(&mut self, node: ElementId, config: ConfigRef<'_>) {
        let number = node.index() as u64;
        let key = match self.order {
            Order::Small => config.size(),
            Order::Large => u64::MAX - config.size(),
            Order::Depth => u64::MAX - number,
            Order::DepthStay => {
                u64::MAX - 2 * self.n_expanded - u64::from(self.shared == Some(config.shared))
            }
            Order::Breadth => number,
            Order::Random => mix(self.seed ^ number),
        };
        // Of equals the newest is first in depth, and the oldest otherwise.
        let among_equals = if self.order == Order::DepthStay { u32::MAX - node.raw() } else { 0 };
        self.heap.push(Reverse((key, among_equals, node)));
    }

    /// Removes the first node.
    pub(crate) fn pop(&mut self) -> Option<ElementId> {
        self.heap.pop().map(|Reverse((_, _, node))| node)
    }
}

/// The finaliser of SplitMix64: a bijection that looks random.
pub(crate) fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which nodes are taken. First come two roots with shared state 0; then the first that is taken has
    /// successors 2, 3, 4 with shared states 0, 1, 0; then the one that is taken next has successors 5, 6 with 1, 0.
    fn taken(order: Order) -> Vec<usize> {
        let mut frontier = Frontier::new(order, 0);
        let node = ElementId::new;
        let push = |frontier: &mut Frontier, number, shared| {
            frontier.push(node(number), ConfigRef::new(SharedId::new(shared), &[]));
        };
        push(&mut frontier, 0, 0);
        push(&mut frontier, 1, 0);
        let mut taken = vec![frontier.pop().unwrap().index()];
        frontier.expand(SharedId::new(0));
        [(2, 0), (3, 1), (4, 0)].into_iter().for_each(|(number, shared)| push(&mut frontier, number, shared));
        taken.push(frontier.pop().unwrap().index());
        frontier.expand(SharedId::new(0));
        [(5, 1), (6, 0)].into_iter().for_each(|(number, shared)| push(&mut frontier, number, shared));
        taken.extend(std::iter::from_fn(|| frontier.pop()).map(ElementId::index));
        taken
    }

    #[test]
    fn successors_that_stay_come_first_and_never_before_those_of_a_newer_node() {
        assert_eq!(taken(Order::Breadth), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(taken(Order::Depth), [1, 4, 6, 5, 3, 2, 0]);
        assert_eq!(taken(Order::DepthStay), [1, 4, 6, 5, 2, 3, 0]);
    }
}
