//! Arenas of configurations: all bags in one array, four bytes of shared state and four of offset each.
//!
//! A configuration with four threads in four locals takes 40 bytes here, and 5 more where it is interned.

use crate::{ConfigRef, Entry, SharedId};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

throng_base::define_id! {
    /// A configuration in an arena or store.
    ConfigId
}

/// Configurations by number, with repetitions.
#[derive(Clone, Debug, Default)]
pub struct ConfigArena {
    shared: Vec<SharedId>,
    ends: Vec<u32>,
    entries: Vec<Entry>,
}

impl ConfigArena {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.shared.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.shared.is_empty()
    }

    /// Appends a copy.
    pub fn push(&mut self, config: ConfigRef<'_>) -> ConfigId {
        let id = ConfigId::new(self.shared.len());
        self.shared.push(config.shared);
        self.entries.extend_from_slice(config.bag);
        self.ends.push(
            u32::try_from(self.entries.len()).expect("an arena holds fewer than 2^32 entries (32 GiB)"),
        );
        id
    }

    /// The configuration with this number.
    #[inline]
    pub fn get(&self, id: ConfigId) -> ConfigRef<'_> {
        let index = id.index();
        ConfigRef::new(self.shared[index], &self.entries[self.start(id)..self.ends[index] as usize])
    }

    /// The offset of its first entry among all entries.
    #[inline]
    fn start(&self, id: ConfigId) -> usize {
        id.index().checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }

    /// All configurations in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ConfigId, ConfigRef<'_>)> {
        ConfigId::all(self.len()).map(|id| (id, self.get(id)))
    }
}

/// Interned configurations: equal ones have the same number.
#[derive(Clone, Debug, Default)]
pub struct ConfigStore {
    arena: ConfigArena,
    index: HashTable<ConfigId>,
}

impl ConfigStore {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.arena.is_empty()
    }

    /// The number of a configuration, which is added if it is new; and whether it is new.
    pub fn intern(&mut self, config: ConfigRef<'_>) -> (ConfigId, bool) {
        let Self { arena, index } = self;
        let hash = hash(config);
        if let Some(&id) = index.find(hash, |&id| arena.get(id) == config) {
            return (id, false);
        }
        let id = arena.push(config);
        index.insert_unique(hash, id, |&id| self::hash(arena.get(id)));
        (id, true)
    }

    /// The number of a configuration, if it is there.
    pub fn find(&self, config: ConfigRef<'_>) -> Option<ConfigId> {
        self.index.find(hash(config), |&id| self.arena.get(id) == config).copied()
    }

    /// The configuration with this number.
    pub fn get(&self, id: ConfigId) -> ConfigRef<'_> {
        self.arena.get(id)
    }

    /// All configurations in order of insertion.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ConfigId, ConfigRef<'_>)> {
        self.arena.iter()
    }
}

fn hash(config: ConfigRef<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(config.shared.raw());
    for entry in config.bag {
        hasher.write_u64(u64::from(entry.local.raw()) << 32 | u64::from(entry.count));
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bag, Config, LocalId};

    fn config(shared: usize, locals: &[usize]) -> Config {
        Config::new(
            SharedId::new(shared),
            Bag::from_locals(locals.iter().copied().map(LocalId::new)).unwrap(),
        )
    }

    #[test]
    fn equal_configurations_share_a_number() {
        let mut store = ConfigStore::default();
        let all: Vec<Config> = (0..200).map(|i| config(i % 3, &[i % 7, i % 5, 9])).collect();
        for c in &all {
            store.intern(c.view());
        }
        let distinct: std::collections::BTreeSet<&Config> = all.iter().collect();
        assert_eq!(store.len(), distinct.len());
        for c in &all {
            let id = store.find(c.view()).unwrap();
            assert_eq!((store.intern(c.view()), store.get(id)), ((id, false), c.view()));
        }
    }

    #[test]
    fn four_threads_take_tens_of_bytes() {
        let per_config = size_of::<SharedId>() + size_of::<u32>() + 4 * size_of::<Entry>();
        assert_eq!(per_config, 40);
    }
}
