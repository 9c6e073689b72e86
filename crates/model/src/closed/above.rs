//! An index for what is above a configuration.
//!
//! For each shared state, local and [`rank`] there is a list of the elements with a thread there. What is above
//! a bag is on the list of each of its locals and has no smaller rank, so for each rank the shortest list is
//! walked, with a 64-bit signature of the locals before each comparison. Elements with many entries are in columns
//! of bits instead, see [`super::long`].

use super::long::{Columns, is_long};
use super::{Antichain, ElementId};
use crate::{ConfigRef, Entry, LocalId, SharedId, bag};
use rustc_hash::FxHashMap;

/// An element on a list, with the signature of its locals.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    signature: u64,
    id: ElementId,
}

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub(super) struct AboveIndex {
    by_local: FxHashMap<(SharedId, LocalId, u32), Vec<Candidate>>,
    by_shared: FxHashMap<SharedId, SharedList>,
    /// Elements on the lists, removed ones included.
    listed: Vec<ElementId>,
}

#[derive(Clone, Debug, Default)]
struct SharedList {
    /// The ranks that occur among short elements, one bit each.
    ranks: u64,
    /// All elements; walked only for what is above the empty bag.
    elements: Vec<ElementId>,
    /// The long ones.
    long: Columns,
}

impl AboveIndex {
    /// Lists a new element.
    pub(super) fn add(&mut self, id: ElementId, config: ConfigRef<'_>) {
        let list = self.by_shared.entry(config.shared).or_default();
        list.elements.push(id);
        self.listed.push(id);
        if is_long(config) {
            list.long.add(id, config);
            return;
        }
        let (rank, signature) = (rank(config.bag), bag::signature(config.bag));
        list.ranks |= 1 << rank;
        for entry in config.bag {
            let list = self.by_local.entry((config.shared, entry.local, rank)).or_default();
            list.push(Candidate { signature, id });
        }
    }

    /// Forgets elements that have been removed, once they are the majority.
    pub(super) fn compact(&mut self, elements: &Antichain) {
        if self.listed.len() > 2 * elements.len() + 64 {
            let listed = std::mem::take(self).listed;
            for id in listed.into_iter().filter(|&id| elements.is_present(id)) {
                self.add(id, elements.get(id));
            }
        }
    }

    /// Some element above `config` or equal to it, but not this one.
    pub(super) fn find(
        &self,
        elements: &Antichain,
        config: ConfigRef<'_>,
        except: Option<ElementId>,
    ) -> Option<ElementId> {
        let list = self.by_shared.get(&config.shared)?;
        if config.bag.is_empty() {
            let mut present = list.elements.iter().rev().copied().filter(|&id| elements.is_present(id));
            return present.find(|&id| Some(id) != except);
        }
        if let Some(id) = list.long.find(elements, config, except) {
            return Some(id);
        }
        let signature = bag::signature(config.bag);
        let mut ranks = list.ranks & u64::MAX << rank(config.bag);
        while ranks != 0 {
            let above = self.shortest_list(config, ranks.trailing_zeros()).iter().find(|candidate| {
                signature & !candidate.signature == 0
                    && Some(candidate.id) != except
                    && elements.is_present(candidate.id)
                    && bag::le(config.bag, elements.get(candidate.id).bag)
            });
            if let Some(candidate) = above {
                return Some(candidate.id);
            }
            ranks &= ranks - 1;
        }
        None
    }

    /// The shortest of the lists of a bag's locals for elements of this rank; empty if one has none.
    fn shortest_list(&self, config: ConfigRef<'_>, rank: u32) -> &[Candidate] {
        let lists = config.bag.iter().map(|entry| self.by_local.get(&(config.shared, entry.local, rank)));
        lists
            .map(|list| list.map_or(&[][..], Vec::as_slice))
            .min_by_key(|list| list.len())
            .unwrap_or_default()
    }
}

/// A small number that grows with the order: `a ≤ b` implies `rank(a) ≤ rank(b)`. It is the number of threads,
/// where no local counts for more than four and all of them for no more than 63.
fn rank(entries: &[Entry]) -> u32 {
    entries.iter().fold(0, |sum, entry| (sum + entry.count.min(4)).min(63))
}
