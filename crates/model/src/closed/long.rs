//! Elements with many entries, kept apart: neither a trie nor lists by local suit them.
//!
//! The ω-configurations of a forward search can have a thread in every second of thousands of local states. Such
//! elements are few, so what is *below* a configuration is found by comparing with all of them, first by the bits
//! of their locals. What is *above* one is asked far more often; for that there is a column of bits for each local,
//! one bit per element that has a thread there, and the intersection of the columns of a bag is a short list of
//! suspects.

use super::{Antichain, ElementId};
use crate::{ConfigRef, Entry, LocalId, SharedId, bag};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Whether a configuration has so many entries that it is kept here.
#[inline]
pub(super) fn is_long(config: ConfigRef<'_>) -> bool {
    config.bag.len() > 24
}

/// The locals of a bag as bits.
type Row = Box<[u64]>;

fn row(entries: &[Entry]) -> Row {
    let n_words = entries.last().map_or(0, |entry| entry.local.index() / 64 + 1);
    let mut row = vec![0; n_words];
    for entry in entries {
        row[entry.local.index() / 64] |= 1 << (entry.local.index() % 64);
    }
    row.into_boxed_slice()
}

/// Whether all bits of a row are in another.
fn is_subset(row: &[u64], other: &[u64]) -> bool {
    row.len() <= other.len() && row.iter().zip(other).all(|(bits, others)| bits & !others == 0)
}

/// The long elements of a set, for finding what is below a configuration.
#[derive(Clone, Debug, Default)]
pub(super) struct LongElements {
    by_shared: FxHashMap<SharedId, Vec<(ElementId, Row)>>,
}

impl LongElements {
    /// Adds a long element.
    pub(super) fn insert(&mut self, config: ConfigRef<'_>, id: ElementId) {
        self.by_shared.entry(config.shared).or_default().push((id, row(config.bag)));
    }

    /// How many there are with this shared state.
    pub(super) fn n_at(&self, shared: SharedId) -> usize {
        self.by_shared.get(&shared).map_or(0, Vec::len)
    }

    /// Removes an element that is present.
    pub(super) fn remove(&mut self, config: ConfigRef<'_>, id: ElementId) {
        if let Some(list) = self.by_shared.get_mut(&config.shared) {
            list.retain(|(listed, _)| *listed != id);
        }
    }

    /// Reports the long elements below `config`, equal ones included.
    #[inline]
    pub(super) fn for_each_below<'a>(
        &self,
        config: ConfigRef<'_>,
        get: impl Fn(ElementId) -> ConfigRef<'a>,
        mut report: impl FnMut(ElementId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !is_long(config) {
            return ControlFlow::Continue(());
        }
        let Some(list) = self.by_shared.get(&config.shared) else { return ControlFlow::Continue(()) };
        let locals = row(config.bag);
        let mut below =
            list.iter().filter(|(id, row)| is_subset(row, &locals) && bag::le(get(*id).bag, config.bag));
        below.try_for_each(|&(id, _)| report(id))
    }
}

/// The long elements of one shared state, for finding what is above a configuration.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    elements: Vec<ElementId>,
    bits: FxHashMap<LocalId, Vec<u64>>,
}

impl Columns {
    /// Adds an element.
    pub(super) fn add(&mut self, id: ElementId, config: ConfigRef<'_>) {
        let (word, bit) = (self.elements.len() / 64, 1 << (self.elements.len() % 64));
        self.elements.push(id);
        for entry in config.bag {
            let column = self.bits.entry(entry.local).or_default();
            column.resize(word + 1, 0);
            column[word] |= bit;
        }
    }

    /// Some element above `config`, which is not empty, or equal to it, but not this one. The newest are tried first,
    /// since they tend to be the largest.
    pub(super) fn find(
        &self,
        elements: &Antichain,
        config: ConfigRef<'_>,
        except: Option<ElementId>,
    ) -> Option<ElementId> {
        let (first, others) = config.bag.split_first()?;
        let is_above = |id: ElementId| {
            Some(id) != except && elements.is_present(id) && bag::le(config.bag, elements.get(id).bag)
        };
        if is_long(config)
            && let Some(&newest) = self.elements.last()
            && is_above(newest)
        {
            return Some(newest);
        }
        let mut suspects: SmallVec<[u64; 32]> = SmallVec::from_slice(self.bits.get(&first.local)?);
        for entry in others {
            let column = self.bits.get(&entry.local)?;
            suspects.truncate(column.len());
            let mut any = 0;
            for (suspects, column) in suspects.iter_mut().zip(column) {
                *suspects &= column;
                any |= *suspects;
            }
            if any == 0 {
                return None;
            }
        }
        for (word, mut suspects) in suspects.into_iter().enumerate().rev() {
            while suspects != 0 {
                let bit = 63 - suspects.leading_zeros();
                suspects ^= 1 << bit;
                let id = self.elements[word * 64 + bit as usize];
                if is_above(id) {
                    return Some(id);
                }
            }
        }
        None
    }
}
