//! Shared and local states, numbered when they are first met.
//!
//! A shared state is a cube over shared variables that always says what the atomic bit is; a local state is a location
//! with a cube over local variables. Numbers stay valid, and everybody may ask at the same time.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};
use throng_boolprog::{Cube, ThreadPattern};
use throng_model::{LocalId, RuleId, SharedId};

/// Things that are numbered in the order in which they are met.
#[derive(Debug)]
pub(crate) struct Interner<T> {
    items: boxcar::Vec<T>,
    index: RwLock<FxHashMap<T, usize>>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { items: boxcar::Vec::new(), index: RwLock::default() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    /// The number of a thing.
    pub(crate) fn intern(&self, item: &T) -> usize {
        let index = self.index.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = index.get(item) {
            return number;
        }
        drop(index);
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        // Somebody may have been faster. Things are only added here, so numbers are consecutive.
        *index.entry(item.clone()).or_insert_with(|| self.items.push(item.clone()))
    }

    /// The thing with this number.
    pub(crate) fn get(&self, number: usize) -> &T {
        &self.items[number]
    }

    /// How many things there are.
    pub(crate) fn len(&self) -> usize {
        self.items.count()
    }
}

/// The states of a program that were met.
#[derive(Debug)]
pub(crate) struct States {
    shared: Interner<Option<Cube>>,
    locals: Interner<ThreadPattern>,
}

impl States {
    /// The shared state that stands for "a target is reached": it has no variables, and nothing happens there.
    pub(crate) const REACHED: SharedId = SharedId::new(0);

    pub(crate) fn new() -> Self {
        let states = Self { shared: Interner::default(), locals: Interner::default() };
        states.shared.intern(&None);
        states
    }

    pub(crate) fn shared_id(&self, cube: Cube) -> SharedId {
        SharedId::new(self.shared.intern(&Some(cube)))
    }

    /// The cube of a shared state; `None` for [`Self::REACHED`].
    pub(crate) fn shared(&self, id: SharedId) -> Option<&Cube> {
        self.shared.get(id.index()).as_ref()
    }

    pub(crate) fn local_id(&self, pattern: &ThreadPattern) -> LocalId {
        LocalId::new(self.locals.intern(pattern))
    }

    pub(crate) fn local(&self, id: LocalId) -> &ThreadPattern {
        self.locals.get(id.index())
    }

    /// How many shared and local states were met.
    pub(crate) fn len(&self) -> (usize, usize) {
        (self.shared.len(), self.locals.len())
    }
}

/// Lists that are made when they are first asked for.
#[derive(Debug)]
pub(crate) struct Memo<K, V = RuleId> {
    known: RwLock<FxHashMap<K, Arc<[V]>>>,
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self { known: RwLock::default() }
    }
}

impl<K, V> Memo<K, V> {
    /// Forgets all lists.
    pub(crate) fn clear(&self) {
        self.known.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl<K: Eq + Hash, V> Memo<K, V> {
    /// The list for a key. If two ask at the same time it may be made twice, and one is kept.
    pub(crate) fn get(&self, key: K, make: impl FnOnce(&K) -> Vec<V>) -> Arc<[V]> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(list) = known.get(&key) {
            return Arc::clone(list);
        }
        drop(known);
        let list: Arc<[V]> = make(&key).into();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(key).or_insert(list))
    }
}
