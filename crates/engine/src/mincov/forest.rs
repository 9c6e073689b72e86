//! The nodes of the search: trees of ω-configurations from which subtrees are cut off again and again.
//!
//! Places of nodes that were cut off are used again. A [`Handle`] remembers which node it was made for, so one that
//! has become stale is noticed.

use super::acceleration::AccelerationId;
use throng_model::closed::ElementId;
use throng_model::{Bag, Config, RuleId};

/// A node that may have been cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Handle {
    index: u32,
    generation: u32,
}

/// Where a node came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) parent: Handle,
    pub(super) rule: RuleId,
    /// Whether that rule leaves passive threads alone.
    pub(super) plain: bool,
}

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) config: Config,
    /// `None` for roots.
    pub(super) origin: Option<Origin>,
    /// The accelerations that were fired here, in order.
    pub(super) accelerations: Vec<AccelerationId>,
    /// Its number among the processed nodes, if it is one.
    pub(super) element: Option<ElementId>,
    /// Perhaps with some that were cut off.
    children: Vec<Handle>,
    generation: u32,
    alive: bool,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Forest {
    nodes: Vec<Node>,
    free: Vec<u32>,
    n_ever: u64,
}

impl Forest {
    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// How many nodes were ever added.
    pub(super) fn n_ever(&self) -> u64 {
        self.n_ever
    }

    /// The node of a handle; `None` if it was cut off.
    pub(super) fn get(&self, handle: Handle) -> Option<&Node> {
        let node = self.nodes.get(handle.index as usize)?;
        (node.alive && node.generation == handle.generation).then_some(node)
    }

    /// As [`Forest::get`], to change it.
    pub(super) fn get_mut(&mut self, handle: Handle) -> Option<&mut Node> {
        let node = self.nodes.get_mut(handle.index as usize)?;
        (node.alive && node.generation == handle.generation).then_some(node)
    }

    /// Adds a node, as the last child of its parent.
    pub(super) fn add(&mut self, config: Config, origin: Option<Origin>) -> Handle {
        self.n_ever += 1;
        let fresh = |generation| Node {
            config,
            origin,
            accelerations: Vec::new(),
            element: None,
            children: Vec::new(),
            generation,
            alive: true,
        };
        let handle = match self.free.pop() {
            Some(index) => {
                let node = &mut self.nodes[index as usize];
                let generation = node.generation.wrapping_add(1);
                *node = fresh(generation);
                Handle { index, generation }
            }
            None => {
                let index = u32::try_from(self.nodes.len()).expect("a forest holds fewer than 2^32 nodes");
                self.nodes.push(fresh(0));
                Handle { index, generation: 0 }
            }
        };
        if let Some(parent) = origin.and_then(|origin| self.get_mut(origin.parent)) {
            parent.children.push(handle);
        }
        handle
    }

    /// Makes a node a root.
    pub(super) fn detach(&mut self, handle: Handle) {
        let Some(origin) = self.get_mut(handle).and_then(|node| node.origin.take()) else { return };
        if let Some(parent) = self.get_mut(origin.parent) {
            parent.children.retain(|&child| child != handle);
        }
    }

    /// Cuts off what is below a node; `removed` sees what was processed of it.
    pub(super) fn cut_below(&mut self, handle: Handle, removed: impl FnMut(ElementId)) {
        let children = self.get_mut(handle).map(|node| std::mem::take(&mut node.children));
        self.cut_all(children.unwrap_or_default(), removed);
    }

    /// Cuts off a node with what is below it.
    pub(super) fn cut(&mut self, handle: Handle, removed: impl FnMut(ElementId)) {
        self.cut_all(vec![handle], removed);
    }

    fn cut_all(&mut self, mut waiting: Vec<Handle>, mut removed: impl FnMut(ElementId)) {
        while let Some(handle) = waiting.pop() {
            let Some(node) = self.get_mut(handle) else { continue };
            waiting.append(&mut node.children);
            node.element.take().into_iter().for_each(&mut removed);
            node.alive = false;
            // Configurations can be large, and the place may not be needed again soon.
            node.config.bag = Bag::new();
            node.accelerations = Vec::new();
            self.free.push(handle.index);
        }
    }

    /// The nodes, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.alive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::SharedId;

    fn config(shared: usize) -> Config {
        Config::new(SharedId::new(shared), Bag::new())
    }

    #[test]
    fn cutting_off_makes_handles_stale_and_places_are_used_again() {
        let mut forest = Forest::default();
        let from = |parent| Some(Origin { parent, rule: RuleId::new(0), plain: true });
        let root = forest.add(config(0), None);
        let child = forest.add(config(1), from(root));
        let grandchild = forest.add(config(2), from(child));
        forest.get_mut(grandchild).unwrap().element = Some(ElementId::new(7));
        let mut removed = Vec::new();
        forest.cut(child, |element| removed.push(element.index()));
        assert_eq!((removed, forest.len()), (vec![7], 1));
        assert!(forest.get(child).is_none() && forest.get(grandchild).is_none());
        let other = forest.add(config(3), from(root));
        assert!(forest.get(child).is_none() && forest.get(grandchild).is_none());
        assert_eq!(forest.get(other).unwrap().config, config(3));
        assert_eq!((forest.iter().count(), forest.n_ever()), (2, 4));
    }

    #[test]
    fn what_was_detached_survives_its_parent() {
        let mut forest = Forest::default();
        let root = forest.add(config(0), None);
        let child = forest.add(config(1), Some(Origin { parent: root, rule: RuleId::new(0), plain: false }));
        forest.detach(child);
        forest.cut(root, |_| {});
        assert!(forest.get(child).is_some_and(|node| node.origin.is_none()));
    }
}
