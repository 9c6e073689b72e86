//! The elements that generate a closed set, with an index for what is below a configuration.
//!
//! Elements that were removed keep their number and their configuration, so that a search can still follow
//! pointers through them.

use super::long::{LongElements, is_long};
use super::trie::Trie;
use crate::ConfigRef;
use crate::store::{ConfigArena, ConfigId};
use std::ops::ControlFlow;

throng_base::define_id! {
    /// An element of an [`Antichain`], present or removed.
    ElementId
}

/// A set of configurations with an index for what is below a given one. Nothing here demands that its elements are
/// incomparable; the closed sets see to that.
#[derive(Clone, Debug, Default)]
pub struct Antichain {
    arena: ConfigArena,
    present: Vec<bool>,
    n_present: usize,
    trie: Trie,
    long: LongElements,
}

impl Antichain {
    /// How many elements are present.
    pub fn len(&self) -> usize {
        self.n_present
    }

    /// Whether no element is present.
    pub fn is_empty(&self) -> bool {
        self.n_present == 0
    }

    /// How many elements there have ever been: all ids are below this.
    pub fn n_ever(&self) -> usize {
        self.arena.len()
    }

    /// The configuration of an element, also if it has been removed.
    #[inline]
    pub fn get(&self, id: ElementId) -> ConfigRef<'_> {
        self.arena.get(ConfigId::new(id.index()))
    }

    /// Whether an element is present.
    #[inline]
    pub fn is_present(&self, id: ElementId) -> bool {
        self.present[id.index()]
    }

    /// The elements that are present, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (ElementId, ConfigRef<'_>)> {
        ElementId::all(self.n_ever()).filter(|&id| self.is_present(id)).map(|id| (id, self.get(id)))
    }

    /// Some element below `config` or equal to it.
    #[inline]
    pub fn find_below(&self, config: ConfigRef<'_>) -> Option<ElementId> {
        let mut found = None;
        let _ = self.for_each_below(config, |id| {
            found = Some(id);
            ControlFlow::Break(())
        });
        found
    }

    /// Reports every element below `config` or equal to it.
    #[inline]
    pub fn for_each_below(
        &self,
        config: ConfigRef<'_>,
        mut report: impl FnMut(ElementId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.trie.for_each_below(config, &mut report)?;
        self.long.for_each_below(config, |id| self.get(id), report)
    }

    /// Whether what is below `config` is found without comparing it with very many elements.
    pub(super) fn is_cheap_below(&self, config: ConfigRef<'_>) -> bool {
        !is_long(config) || self.long.n_at(config.shared) <= 1024
    }

    /// The element that is equal to `config`.
    pub fn find(&self, config: ConfigRef<'_>) -> Option<ElementId> {
        if !is_long(config) {
            return self.trie.find(config);
        }
        let mut found = None;
        let _ = self.long.for_each_below(
            config,
            |id| self.get(id),
            |id| {
                found = (self.get(id) == config).then_some(id);
                if found.is_none() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        found
    }

    /// Adds an element. No equal element may be present.
    pub fn add(&mut self, config: ConfigRef<'_>) -> ElementId {
        let id = ElementId::new(self.arena.push(config).index());
        self.present.push(true);
        self.n_present += 1;
        if is_long(config) {
            self.long.insert(config, id);
        } else {
            self.trie.insert(config, id);
        }
        id
    }

    /// Removes an element that is present; it keeps its number and configuration.
    pub fn remove(&mut self, id: ElementId) {
        debug_assert!(self.present[id.index()]);
        self.present[id.index()] = false;
        self.n_present -= 1;
        let config = self.arena.get(ConfigId::new(id.index()));
        if is_long(config) {
            self.long.remove(config, id);
        } else {
            self.trie.remove(config);
        }
    }
}
