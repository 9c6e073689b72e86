//! Nodes that wait to be expanded, in several orders at once.
//!
//! A guess can be wrong about a whole region: a search that follows it alone fills that region first. So the next node
//! is taken in turns from several queues (alternation, as planners do it): the nearest by potentials, the nearest by
//! distance, and the one with the fewest threads. The last makes the search one through 1, 2, 3, … threads: sooner or
//! later everything that few threads can do is explored, whatever the guesses say.

use super::distance::FAR;
use super::guide::Estimate;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_model::closed::ElementId;

/// What a queue goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Potentials, then distance; the newest of equals, because they lead on.
    Potential,
    /// Distance, then potentials; the newest of equals.
    Distance,
    /// Number of threads, then distance; the oldest of equals, for short traces.
    Threads,
}

impl By {
    /// In the order of turns.
    const ALL: [By; 3] = [By::Potential, By::Distance, By::Threads];
}

/// A waiting node: what the queue goes by, squeezed into 64 bits, and a number that decides between equals and tells
/// the node. The smallest comes first.
type Entry = Reverse<(u64, u32)>;

/// Larger numbers of threads are not told apart.
const MOST_THREADS: u64 = (1 << 22) - 1;

impl By {
    fn entry(self, estimate: Estimate, threads: u64, node: ElementId) -> Entry {
        let potential = u64::from(estimate.potential.min(FAR));
        let distance = u64::from(estimate.distance.min(FAR));
        let threads = threads.min(MOST_THREADS);
        // 21 bits suffice for estimates, 22 for threads.
        Reverse(match self {
            By::Potential => (potential << 43 | distance << 22 | threads, !node.raw()),
            By::Distance => (distance << 43 | potential << 22 | threads, !node.raw()),
            By::Threads => (threads << 42 | distance << 21 | potential, node.raw()),
        })
    }

    fn node(self, Reverse((_, number)): Entry) -> ElementId {
        let raw = if self == By::Threads { number } else { !number };
        ElementId::new(raw as usize)
    }
}

/// See the module's documentation. A node waits in all queues, and stays in the others when it is taken from one.
#[derive(Debug, Default)]
pub(super) struct Open {
    queues: [BinaryHeap<Entry>; By::ALL.len()],
    /// Whether a node has been taken, by node.
    taken: Vec<bool>,
    n_waiting: usize,
    turn: usize,
}

impl Open {
    /// How many nodes wait.
    pub(super) fn len(&self) -> usize {
        self.n_waiting
    }

    /// Adds the next node.
    pub(super) fn push(&mut self, node: ElementId, estimate: Estimate, threads: u64) {
        debug_assert_eq!(node.index(), self.taken.len());
        self.taken.push(false);
        self.n_waiting += 1;
        for (queue, by) in self.queues.iter_mut().zip(By::ALL) {
            queue.push(by.entry(estimate, threads, node));
        }
    }

    /// Takes the first node of the queue whose turn it is. Without potentials, two queues would be the same.
    pub(super) fn pop(&mut self, potentials: bool) -> Option<(By, ElementId)> {
        self.turn = (self.turn + 1) % By::ALL.len();
        if By::ALL[self.turn] == By::Potential && !potentials {
            self.turn += 1;
        }
        let by = By::ALL[self.turn];
        loop {
            let node = by.node(self.queues[self.turn].pop()?);
            if !self.taken[node.index()] {
                self.taken[node.index()] = true;
                self.n_waiting -= 1;
                return Some((by, node));
            }
        }
    }

    /// Estimates the nodes of the queue by potentials again.
    pub(super) fn estimate_again(&mut self, mut estimate: impl FnMut(ElementId) -> (Estimate, u64)) {
        let (queue, taken) = (&mut self.queues[0], &self.taken);
        let nodes = std::mem::take(queue).into_iter().map(|entry| By::Potential.node(entry));
        *queue = nodes
            .filter(|node| !taken[node.index()])
            .map(|node| {
                let (estimate, threads) = estimate(node);
                By::Potential.entry(estimate, threads, node)
            })
            .collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_take_turns_and_a_node_is_taken_once() {
        let mut open = Open::default();
        let estimate = |potential, distance| Estimate { potential, distance };
        for (number, (potential, distance, threads)) in
            [(9, 9, 1), (1, 5, 7), (5, 1, 7), (9, 9, 2)].into_iter().enumerate()
        {
            open.push(ElementId::new(number), estimate(potential, distance), threads);
        }
        let taken: Vec<(By, usize)> =
            std::iter::from_fn(|| open.pop(true)).map(|(by, node)| (by, node.index())).collect();
        let expected = [(By::Distance, 2), (By::Threads, 0), (By::Potential, 1), (By::Distance, 3)];
        assert_eq!((taken, open.len()), (expected.to_vec(), 0));
    }

    #[test]
    fn estimates_can_change_while_nodes_wait() {
        let mut open = Open::default();
        for number in 0..3 {
            open.push(ElementId::new(number), Estimate::default(), 1);
        }
        open.estimate_again(|node| (Estimate { potential: node.index() as u32, distance: 0 }, 1));
        let next = |open: &mut Open, by| loop {
            match open.pop(true) {
                Some((queue, node)) if queue == by => return node.index(),
                Some(_) => {}
                None => panic!("nothing waits"),
            }
        };
        // The turns before go to the newest by distance and the oldest by threads.
        assert_eq!(next(&mut open, By::Potential), 1);
    }
}
