//! Runs that begin in the same way share their beginnings: a forest, which shows many configurations at little cost.

use crate::document::{Configuration, Item};
use crate::named::Namer;
use crate::{Trace, TraceItem};
use throng_model::{Config, TransitionSystem};

/// Where a branch begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// In an initial configuration, with exact numbers of threads.
    Initial(Configuration),
    /// Where an earlier branch, with this number, ends.
    Branch(usize),
}

/// A step, or a repeated segment, from somewhere; nothing for an initial configuration by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Where it begins.
    pub root: Root,
    /// What happens.
    pub item: Option<Item>,
}

/// Branches, each of which begins where an earlier one ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forest {
    /// In their order.
    pub branches: Vec<Branch>,
}

impl Forest {
    fn push(&mut self, root: Root, item: Option<Item>) -> usize {
        self.branches.push(Branch { root, item });
        self.branches.len() - 1
    }

    /// Begins in an initial configuration. Returns the number of the branch.
    pub fn plant(&mut self, system: &dyn TransitionSystem, initial: &Config) -> usize {
        self.push(Root::Initial(Namer::new(system).config(initial)), None)
    }

    /// Goes on where a branch ends. Returns the number of the new branch.
    pub fn grow(&mut self, system: &dyn TransitionSystem, from: usize, item: &TraceItem) -> usize {
        self.push(Root::Branch(from), Some(Namer::new(system).item(item)))
    }

    /// Adds a trace: the configurations after each step, of repeated segments in the first round, and after each repetition.
    pub fn add_trace(&mut self, system: &dyn TransitionSystem, trace: &Trace) {
        let root = self.plant(system, &trace.initial);
        self.add_items(system, root, &trace.items);
    }

    fn add_items(&mut self, system: &dyn TransitionSystem, mut from: usize, items: &[TraceItem]) {
        for item in items {
            if let TraceItem::Repeat { items, .. } = item {
                self.add_items(system, from, items);
            }
            from = self.grow(system, from, item);
        }
    }
}
