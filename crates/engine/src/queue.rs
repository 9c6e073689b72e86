//! A work queue by number of threads: smallest first, and first in, first out among equals.

use std::collections::{BTreeMap, VecDeque};
use throng_model::closed::ElementId;

/// See the module's documentation. The number of distinct sizes is small, so a tree of queues costs little.
#[derive(Clone, Debug, Default)]
pub(crate) struct SizeQueue {
    queues: BTreeMap<u64, VecDeque<ElementId>>,
    len: usize,
}

impl SizeQueue {
    /// How many elements wait.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Adds an element with so many threads.
    pub(crate) fn push(&mut self, size: u64, element: ElementId) {
        self.queues.entry(size).or_default().push_back(element);
        self.len += 1;
    }

    /// Removes the oldest of the smallest elements.
    pub(crate) fn pop(&mut self) -> Option<ElementId> {
        let mut smallest = self.queues.first_entry()?;
        let element = smallest.get_mut().pop_front();
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
        let mut queue = SizeQueue::default();
        for (size, id) in [(3, 0), (1, 1), (3, 2), (2, 3), (1, 4)] {
            queue.push(size, ElementId::new(id));
        }
        let order: Vec<usize> = std::iter::from_fn(|| queue.pop()).map(ElementId::index).collect();
        assert_eq!((order, queue.len()), (vec![1, 4, 3, 0, 2], 0));
    }
}
