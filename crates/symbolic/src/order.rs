//! Which states of backward searches contain which.
//!
//! States are numbered cubes, and engines compare numbers. But a cube may stand for all that another one stands for, so what
//! is above a configuration with the smaller cubes is above one with the larger ones. The states that backward rules lead
//! from are noted here as they appear, each with all that contain it.

use crate::states::States;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::{PoisonError, RwLock};
use throng_boolprog::flow::LocationId;
use throng_model::{Bag, ConfigRef, Entry, LocalId, SharedId};

/// States with those that contain them, themselves included.
#[derive(Debug, Default)]
pub(crate) struct Order {
    known: RwLock<Known>,
}

#[derive(Debug, Default)]
struct Known {
    shared: Vec<SharedId>,
    locals: FxHashMap<LocationId, Vec<LocalId>>,
    wider_shared: FxHashMap<SharedId, Vec<SharedId>>,
    wider_locals: FxHashMap<LocalId, Vec<LocalId>>,
}

impl Order {
    /// Takes note of what a backward rule leads from.
    pub(crate) fn note(&self, states: &States, shared: SharedId, local: Option<LocalId>) {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let is_known = known.wider_shared.contains_key(&shared)
            && local.is_none_or(|local| known.wider_locals.contains_key(&local));
        drop(known);
        if is_known {
            return;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let Known { shared: all, locals, wider_shared, wider_locals } = &mut *known;
        let includes = |a: SharedId, b: SharedId| match (states.shared(a), states.shared(b)) {
            (Some(a), Some(b)) => a.includes(b),
            _ => a == b,
        };
        add(shared, all, wider_shared, includes);
        if let Some(local) = local {
            let all = locals.entry(states.local(local).location).or_default();
            let includes = |a, b| states.local(a).locals.includes(&states.local(b).locals);
            add(local, all, wider_locals, includes);
        }
    }

    /// Reports, for each shared state that contains that of a configuration, all local states that contain one of its threads.
    pub(crate) fn for_each_wider(
        &self,
        config: ConfigRef<'_>,
        report: &mut dyn FnMut(ConfigRef<'_>) -> ControlFlow<()>,
    ) {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let Some(wider_shared) = known.wider_shared.get(&config.shared) else { return };
        let mut threads = Bag::new();
        for &Entry { local, count } in config.bag {
            let only_itself = [local];
            let wider = known.wider_locals.get(&local).map_or(&only_itself[..], Vec::as_slice);
            if wider.iter().any(|&local| threads.add(local, count).is_err()) {
                return;
            }
        }
        for &shared in wider_shared {
            if report(ConfigRef::new(shared, &threads)).is_break() {
                return;
            }
        }
    }
}

fn add<T: Copy + Eq + std::hash::Hash>(
    new: T,
    all: &mut Vec<T>,
    wider: &mut FxHashMap<T, Vec<T>>,
    includes: impl Fn(T, T) -> bool,
) {
    if wider.contains_key(&new) {
        return;
    }
    let mut containing = vec![new];
    for &other in &*all {
        if includes(other, new) {
            containing.push(other);
        } else if includes(new, other) {
            wider.entry(other).or_default().push(new);
        }
    }
    wider.insert(new, containing);
    all.push(new);
}

/// Whether a configuration stands for all that another one stands for, and for what covers that.
pub(crate) fn is_wider(states: &States, wide: ConfigRef<'_>, narrow: ConfigRef<'_>) -> bool {
    let shared = match (states.shared(wide.shared), states.shared(narrow.shared)) {
        (Some(wide), Some(narrow)) => wide.includes(narrow),
        _ => wide.shared == narrow.shared,
    };
    let threads = |config: ConfigRef<'_>| -> Vec<LocalId> {
        let threads = config.bag.iter().flat_map(|it| std::iter::repeat_n(it.local, it.count as usize));
        threads.take(MOST_THREADS + 1).collect()
    };
    let (wide, mut narrow) = (threads(wide), threads(narrow));
    let few = narrow.len() <= MOST_THREADS;
    shared && few && wide.len() <= narrow.len() && fit(states, &wide, &mut narrow)
}

/// Configurations with more threads are not compared thread by thread.
const MOST_THREADS: usize = 16;

/// Whether every thread finds one of its own that it contains.
fn fit(states: &States, wide: &[LocalId], narrow: &mut Vec<LocalId>) -> bool {
    let Some((&first, others)) = wide.split_first() else { return true };
    let pattern = states.local(first);
    for index in 0..narrow.len() {
        let other = states.local(narrow[index]);
        if other.location == pattern.location && pattern.locals.includes(&other.locals) {
            let taken = narrow.swap_remove(index);
            if fit(states, others, narrow) {
                return true;
            }
            narrow.push(taken);
            let last = narrow.len() - 1;
            narrow.swap(index, last);
        }
    }
    false
}
