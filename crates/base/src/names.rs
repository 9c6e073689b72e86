//! Names of an input, each kept once: they live in one string with an index into it, a few bytes more than the
//! text itself.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// Distinct names in order of insertion.
#[derive(Clone, Debug, Default)]
pub struct NameTable {
    text: String,
    ends: Vec<u32>,
    index: HashTable<u32>,
}

impl NameTable {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name with this index.
    pub fn get(&self, index: usize) -> &str {
        slice(&self.text, &self.ends, index)
    }

    /// The index of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        let (text, ends) = (&self.text, &self.ends);
        self.index.find(hash(name), |&i| slice(text, ends, i as usize) == name).map(|&i| i as usize)
    }

    /// The index of a name, which is added if it is new; and whether it is new.
    pub fn insert(&mut self, name: &str) -> (usize, bool) {
        if let Some(index) = self.find(name) {
            return (index, false);
        }
        let index = self.ends.len();
        self.text.push_str(name);
        self.ends.push(u32::try_from(self.text.len()).expect("names come from a source below 4 GiB"));
        let (text, ends) = (&self.text, &self.ends);
        self.index.insert_unique(hash(name), index as u32, |&i| hash(slice(text, ends, i as usize)));
        (index, true)
    }
}

fn slice<'a>(text: &'a str, ends: &[u32], index: usize) -> &'a str {
    let start = if index == 0 { 0 } else { ends[index - 1] as usize };
    &text[start..ends[index] as usize]
}

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again() {
        let mut table = NameTable::default();
        for i in 0..1000 {
            assert_eq!(table.insert(&format!("p{i}")), (i, true));
        }
        assert_eq!(table.insert("p7"), (7, false));
        assert_eq!((table.get(999), table.find("p999"), table.find("p1000")), ("p999", Some(999), None));
    }
}
