//! A set of configurations with an index in both directions of the order.
//!
//! The set is what its callers make of it: [`super::UpwardClosedSet`] and [`super::DownwardClosedSet`] keep it
//! an antichain. Elements that were removed keep their number and their configuration, so that a search can
//! still follow pointers through them.
//!
//! Downwards the index is a [trie](super::trie). Upwards it is, for each shared state, local and [`rank`], the
//! list of elements with a thread there: what is above a bag is on the list of each of its locals and has no
//! smaller rank, so for each rank the shortest list is walked, with a 64-bit signature of the locals before
//! each comparison.

use super::trie::Trie;
use crate::store::{ConfigArena, ConfigId};
use crate::{ConfigRef, Entry, LocalId, SharedId, bag};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

throng_base::define_id! {
    /// An element of an [`Antichain`], present or removed.
    ElementId
}

/// The end of a list.
const NONE: u32 = u32::MAX;

/// The head of a list of elements, newest first.
#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    len: u32,
}

impl Default for List {
    fn default() -> Self {
        Self { first: NONE, len: 0 }
    }
}

/// A small number that grows with the order: `a ≤ b` implies `rank(a) ≤ rank(b)`. It is the number of threads,
/// where no local counts more than [`RANK_CAP`] and all of them no more than 63.
fn rank(entries: &[Entry]) -> u32 {
    entries.iter().fold(0, |sum, entry| (sum + entry.count.min(RANK_CAP)).min(63))
}

/// Counts up to this are told apart by the rank.
const RANK_CAP: u32 = 16;

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Antichain {
    arena: ConfigArena,
    present: Vec<bool>,
    n_present: usize,
    signatures: Vec<u64>,
    trie: Trie,
    /// Elements with a thread in a local, by rank.
    by_local: FxHashMap<(SharedId, LocalId, u32), List>,
    /// For each entry of each element, the next element on the list of that entry's local.
    next_by_local: Vec<u32>,
    /// Elements with a shared state.
    by_shared: FxHashMap<SharedId, SharedList>,
    /// For each element, the next one on the list of its shared state.
    next_by_shared: Vec<u32>,
}

/// Elements with one shared state; the list is walked only for what is above the empty bag.
#[derive(Clone, Copy, Debug)]
struct SharedList {
    first: u32,
    /// The ranks that occur, one bit each.
    ranks: u64,
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
        first(|report| self.trie.for_each_below(config, report))
    }

    /// Some element above `config` or equal to it.
    pub fn find_above(&self, config: ConfigRef<'_>) -> Option<ElementId> {
        first(|report| self.for_each_above(config, report))
    }

    /// Reports every element below `config` or equal to it.
    pub fn for_each_below(
        &self,
        config: ConfigRef<'_>,
        report: impl FnMut(ElementId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.trie.for_each_below(config, report)
    }

    /// Reports every element above `config` or equal to it.
    pub fn for_each_above(
        &self,
        config: ConfigRef<'_>,
        report: impl FnMut(ElementId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.above_from_rank(config, rank(config.bag), report)
    }

    /// Reports the elements above `config` whose rank is at least `least`.
    fn above_from_rank(
        &self,
        config: ConfigRef<'_>,
        least: u32,
        mut report: impl FnMut(ElementId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(&SharedList { first, ranks }) = self.by_shared.get(&config.shared) else {
            return ControlFlow::Continue(());
        };
        let signature = bag::signature(config.bag);
        let mut report_if_above = |id: ElementId| {
            let candidate = self.present[id.index()] && signature & !self.signatures[id.index()] == 0;
            if candidate && bag::le(config.bag, self.get(id).bag) {
                report(id)
            } else {
                ControlFlow::Continue(())
            }
        };
        if config.bag.is_empty() {
            let mut at = first;
            while at != NONE {
                report_if_above(ElementId::new(at as usize))?;
                at = self.next_by_shared[at as usize];
            }
            return ControlFlow::Continue(());
        }
        let mut left = ranks & u64::MAX.checked_shl(least).unwrap_or(0);
        while left != 0 {
            let rank = left.trailing_zeros();
            left &= left - 1;
            let Some((local, mut at)) = self.shortest_list(config, rank) else { continue };
            while at != NONE {
                let id = ElementId::new(at as usize);
                report_if_above(id)?;
                at = self.next_by_local[self.link(id, local)];
            }
        }
        ControlFlow::Continue(())
    }

    /// The local of a bag that the fewest elements of this rank have, and the first of them; `None` if some
    /// local of the bag has no such element.
    fn shortest_list(&self, config: ConfigRef<'_>, rank: u32) -> Option<(LocalId, u32)> {
        let mut shortest: Option<(LocalId, List)> = None;
        for entry in config.bag {
            let list = *self.by_local.get(&(config.shared, entry.local, rank))?;
            if shortest.is_none_or(|(_, best)| list.len < best.len) {
                shortest = Some((entry.local, list));
            }
        }
        shortest.map(|(local, list)| (local, list.first))
    }

    /// Adds an element. No equal element may be present.
    pub fn add(&mut self, config: ConfigRef<'_>) -> ElementId {
        let id = ElementId::new(self.arena.push(config).index());
        self.present.push(true);
        self.n_present += 1;
        self.signatures.push(bag::signature(config.bag));
        self.trie.insert(config, id);
        let rank = rank(config.bag);
        for entry in config.bag {
            let list = self.by_local.entry((config.shared, entry.local, rank)).or_default();
            self.next_by_local.push(std::mem::replace(&mut list.first, id.raw()));
            list.len += 1;
        }
        let list = self.by_shared.entry(config.shared).or_insert(SharedList { first: NONE, ranks: 0 });
        self.next_by_shared.push(std::mem::replace(&mut list.first, id.raw()));
        list.ranks |= 1 << rank;
        id
    }

    /// Removes an element that is present; it keeps its number and configuration.
    pub fn remove(&mut self, id: ElementId) {
        debug_assert!(self.present[id.index()]);
        self.present[id.index()] = false;
        self.n_present -= 1;
        self.trie.remove(self.arena.get(ConfigId::new(id.index())));
    }

    /// Removes the elements strictly above `config`; tells how many. `config` itself may not be present.
    pub fn remove_above(&mut self, config: ConfigRef<'_>) -> usize {
        let mut above = Vec::new();
        // Where the rank is the exact number of threads, only larger ranks can be strictly above.
        let rank = rank(config.bag);
        let exact = rank < 63 && config.bag.iter().all(|entry| entry.count < RANK_CAP);
        let _ = self.above_from_rank(config, rank + u32::from(exact), |id| {
            above.push(id);
            ControlFlow::Continue(())
        });
        above.iter().for_each(|&id| self.remove(id));
        above.len()
    }

    /// Removes the elements below `config` or equal to it; tells how many.
    pub fn remove_below(&mut self, config: ConfigRef<'_>) -> usize {
        let mut below = Vec::new();
        let _ = self.trie.for_each_below(config, |id| {
            below.push(id);
            ControlFlow::Continue(())
        });
        below.iter().for_each(|&id| self.remove(id));
        below.len()
    }

    /// Where [`Antichain::next_by_local`] has the successor of an element on the list of one of its locals.
    fn link(&self, id: ElementId, local: LocalId) -> usize {
        let at = self.get(id).bag.iter().position(|entry| entry.local == local);
        self.arena.start(ConfigId::new(id.index()))
            + at.expect("elements on the list of a local have a thread there")
    }
}

/// The first id that an enumeration reports.
#[inline]
fn first(
    enumerate: impl FnOnce(&mut dyn FnMut(ElementId) -> ControlFlow<()>) -> ControlFlow<()>,
) -> Option<ElementId> {
    let mut found = None;
    let _ = enumerate(&mut |id| {
        found = Some(id);
        ControlFlow::Break(())
    });
    found
}
