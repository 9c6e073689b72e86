//! A work queue by number of threads: smallest first, and the oldest or the newest first among equals.

use crate::options::QueueOrder;
use std::collections::{BTreeMap, VecDeque};
use throng_model::closed::ElementId;

/// See the module's documentation. The number of distinct sizes is small, so a tree of queues costs little.
#[derive(Clone, Debug, Default)]
pub(crate) struct SizeQueue {
    queues: BTreeMap<u64, VecDeque<ElementId>>,
    order: QueueOrder,
    len: usize,
}

impl SizeQueue {
    /// An empty queue with this order among equals.
    pub(crate) fn new(order: QueueOrder) -> Self {
        Self { order, ..Self::default() }
    }

    /// How many elements wait.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds an element with so many threads.
    pub(crate) fn push(&mut self, size: u64, element: ElementId) {
        self.queues.entry(size).or_default().push_back(element);
        self.len += 1;
    }

    /// Removes the first of the smallest elements.
    pub(crate) fn pop(&mut self) -> Option<ElementId> {
        let mut smallest = self.queues.first_entry()?;
        let element = match self.order {
            QueueOrder::Fifo => smallest.get_mut().pop_front(),
            QueueOrder::Lifo => smallest.get_mut().pop_back(),
        };
        if smallest.get().is_empty() {
            smallest.remove();
        }
        self.len -= 1;
        element
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_elements_come_first_and_equals_in_order() {
        for (order, expected) in [(QueueOrder::Fifo, [1, 4, 3, 0, 2]), (QueueOrder::Lifo, [4, 1, 3, 2, 0])] {
            let mut queue = SizeQueue::new(order);
            for (size, id) in [(3, 0), (1, 1), (3, 2), (2, 3), (1, 4)] {
                queue.push(size, ElementId::new(id));
            }
            let popped: Vec<usize> = std::iter::from_fn(|| queue.pop()).map(ElementId::index).collect();
            assert_eq!((popped, queue.len()), (expected.to_vec(), 0));
        }
    }
}
