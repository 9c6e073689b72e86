//! Lists of words, each kept once and known by its number.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Rows {
    words: Vec<u32>,
    /// Where each list ends.
    ends: Vec<usize>,
    index: HashTable<u32>,
}

fn hash(row: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    row.hash(&mut hasher);
    hasher.finish()
}

fn part<'a>(words: &'a [u32], ends: &[usize], id: u32) -> &'a [u32] {
    let id = id as usize;
    let start = id.checked_sub(1).map_or(0, |before| ends[before]);
    &words[start..ends[id]]
}

impl Rows {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A list by its number.
    #[inline]
    pub(super) fn get(&self, id: u32) -> &[u32] {
        part(&self.words, &self.ends, id)
    }

    /// The number of a list.
    pub(super) fn insert(&mut self, row: &[u32]) -> u32 {
        let Self { words, ends, index } = self;
        let key = hash(row);
        if let Some(&id) = index.find(key, |&id| part(words, ends, id) == row) {
            return id;
        }
        let id = u32::try_from(ends.len()).expect("fewer than 2^32 lists fit the memory");
        words.extend_from_slice(row);
        ends.push(words.len());
        index.insert_unique(key, id, |&id| hash(part(words, ends, id)));
        id
    }
}

#[cfg(test)]
mod tests {
    use super::Rows;

    #[test]
    fn equal_lists_have_one_number() {
        let mut rows = Rows::default();
        let lists: [&[u32]; 4] = [&[], &[1], &[1, 2], &[2]];
        let ids: Vec<u32> = lists.iter().map(|list| rows.insert(list)).collect();
        assert_eq!(ids, [0, 1, 2, 3]);
        for (id, list) in ids.into_iter().zip(lists) {
            assert_eq!(rows.insert(list), id);
            assert_eq!(rows.get(id), list);
        }
        assert_eq!(rows.len(), 4);
    }
}
