//! Thread states that are known: shared states with the local states that were seen with them.

use rustc_hash::FxHashSet;

/// Pairs of a shared and a local state.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pairs: FxHashSet<(u32, u32)>,
    /// By shared state.
    locals: Vec<Vec<u32>>,
    /// Shared states that were seen.
    is_seen: Vec<bool>,
}

impl Known {
    /// Adds what a configuration shows; whether any of it is new.
    pub(super) fn add(&mut self, shared: u32, locals: &[u32]) -> bool {
        let place = shared as usize;
        if self.locals.len() <= place {
            self.locals.resize(place + 1, Vec::new());
            self.is_seen.resize(place + 1, false);
        }
        let mut is_new = !std::mem::replace(&mut self.is_seen[place], true);
        for &local in locals {
            if self.pairs.insert((shared, local)) {
                self.locals[place].push(local);
                is_new = true;
            }
        }
        is_new
    }

    pub(super) fn remove(&mut self, shared: u32, local: u32) {
        if self.pairs.remove(&(shared, local)) {
            self.locals[shared as usize].retain(|&other| other != local);
        }
    }

    pub(super) fn contains(&self, shared: u32, local: u32) -> bool {
        self.pairs.contains(&(shared, local))
    }

    pub(super) fn is_seen(&self, shared: u32) -> bool {
        self.is_seen.get(shared as usize).copied().unwrap_or(false)
    }

    /// The local states that were seen with a shared state.
    pub(super) fn with(&self, shared: u32) -> &[u32] {
        self.locals.get(shared as usize).map_or(&[], Vec::as_slice)
    }

    /// The shared states that were seen.
    pub(super) fn shared(&self) -> impl Iterator<Item = u32> + use<> {
        let seen: Vec<u32> =
            (0_u32..).zip(&self.is_seen).filter(|(_, seen)| **seen).map(|(s, _)| s).collect();
        seen.into_iter()
    }

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }
}
