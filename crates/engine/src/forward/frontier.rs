//! Nodes of a forward search that wait, in the order that was asked for.

use crate::options::Order;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_model::ConfigRef;
use throng_model::closed::ElementId;

/// See the module's documentation. Equals wait in the order in which they came.
#[derive(Debug)]
pub(crate) struct Frontier {
    order: Order,
    seed: u64,
    /// Keys, the smallest first.
    heap: BinaryHeap<Reverse<(u64, ElementId)>>,
}

impl Frontier {
    /// An empty frontier.
    pub(crate) fn new(order: Order, seed: u64) -> Self {
        Self { order, seed, heap: BinaryHeap::new() }
    }

    /// How many nodes wait.
    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Adds a node.
    pub(crate) fn push(&mut self, node: ElementId, config: ConfigRef<'_>) {
        let number = node.index() as u64;
        let key = match self.order {
            Order::Small => config.size(),
            Order::Large => u64::MAX - config.size(),
            Order::Depth => u64::MAX - number,
            Order::Breadth => number,
            Order::Random => mix(self.seed ^ number),
        };
        self.heap.push(Reverse((key, node)));
    }

    /// Removes the first node.
    pub(crate) fn pop(&mut self) -> Option<ElementId> {
        self.heap.pop().map(|Reverse((_, node))| node)
    }
}

/// The finaliser of SplitMix64: a bijection that looks random.
pub(crate) fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
