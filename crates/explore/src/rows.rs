//! Rows of words, each kept once: states are made of the numbers of their rows, so that what changes little costs little.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// See the module's documentation.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    words: Vec<u32>,
    /// Where each row ends; it begins where the one before ends.
    ends: Vec<usize>,
    index: HashTable<u32>,
}

/// A hash of words.
pub(crate) fn hash(words: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    words.hash(&mut hasher);
    hasher.finish()
}

impl Rows {
    /// A row.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> &[u32] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.words[start..self.ends[id]]
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of a row, which is kept if it is new.
    pub(crate) fn insert(&mut self, row: &[u32]) -> u32 {
        let key = hash(row);
        let Self { words, ends, index } = self;
        let get = |id: u32| {
            let id = id as usize;
            let start = if id == 0 { 0 } else { ends[id - 1] };
            &words[start..ends[id]]
        };
        if let Some(&id) = index.find(key, |&id| get(id) == row) {
            return id;
        }
        let id = u32::try_from(ends.len()).expect("fewer than 2^32 rows");
        index.insert_unique(key, id, |&id| hash(get(id)));
        words.extend_from_slice(row);
        ends.push(words.len());
        id
    }
}
