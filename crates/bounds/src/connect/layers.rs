//! Layers of a target: the sets Bᵢ of the parent module's documentation, exactly.

use crate::exact::Weights;
use crate::space::Space;
use rustc_hash::{FxHashMap, FxHashSet};
use throng_model::{Bag, Config, ConfigRef, Entry, LocalId};

/// See the module's documentation.
pub(super) struct Layers {
    space: Space,
    layers: Vec<Layer>,
}

enum Layer {
    Weights {
        weights: FxHashMap<usize, u64>,
        /// The largest weight of an initial configuration.
        bound: u128,
    },
    /// The complement of X.
    Reached(FxHashSet<usize>),
}

/// That weights stay at or above a number.
struct Demand<'a> {
    weights: &'a FxHashMap<usize, u64>,
    /// What could still be taken away.
    surplus: u128,
}

impl Layers {
    pub(super) fn new(space: Space) -> Self {
        Self { space, layers: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    pub(super) fn push_weights(&mut self, weights: &Weights, bound: u128) {
        let weights = weights.own().iter().copied().collect();
        self.layers.push(Layer::Weights { weights, bound });
    }

    pub(super) fn push_reached(&mut self, reached: FxHashSet<usize>) {
        self.layers.push(Layer::Reached(reached));
    }

    /// The first layer i with the configuration in Bᵢ.
    pub(super) fn place(&self, config: ConfigRef<'_>) -> Option<usize> {
        for (i, layer) in self.layers.iter().enumerate() {
            match layer {
                Layer::Weights { weights, bound } => {
                    let weight = self.weight(weights, config);
                    if weight != *bound {
                        return (weight > *bound).then_some(i);
                    }
                }
                Layer::Reached(reached) => {
                    if self.space.vector(config).any(|(state, _)| !reached.contains(&state)) {
                        return Some(i);
                    }
                }
            }
        }
        None
    }

    /// A minimal element of a Bᵢ below a configuration that is in it.
    pub(super) fn minimise(&self, config: ConfigRef<'_>, place: usize) -> Config {
        let mut demands = self.demands(config, place);
        let load = |entry: &Entry| -> u128 {
            demands.iter().map(|demand| u128::from(demand.weight(self.space.local(entry.local)))).sum()
        };
        let mut entries: Vec<(u128, Entry)> = config.bag.iter().map(|&entry| (load(&entry), entry)).collect();
        // Many light threads are worth less than a few heavy ones.
        entries.sort_by_key(|&(load, entry)| (load, entry.local));
        let anchor = self.anchor(config, place, &entries);
        let mut bag = Bag::new();
        bag.assign(config.bag);
        for (_, entry) in entries {
            let kept = u32::from(anchor == Some(entry.local));
            let state = self.space.local(entry.local);
            let removable =
                demands.iter().fold(entry.count - kept, |most, demand| demand.removable(state, most));
            demands.iter_mut().for_each(|demand| demand.remove(state, removable));
            bag.remove(entry.local, removable);
        }
        Config::new(config.shared, bag)
    }

    /// What the weights up to a layer demand of an element of its Bᵢ.
    fn demands(&self, config: ConfigRef<'_>, place: usize) -> Vec<Demand<'_>> {
        let layers = self.layers.iter().enumerate().take(place + 1);
        let demands = layers.filter_map(|(i, layer)| {
            let Layer::Weights { weights, bound } = layer else { return None };
            let least = bound.saturating_add(u128::from(i == place));
            Some(Demand { weights, surplus: self.weight(weights, config).saturating_sub(least) })
        });
        demands.collect()
    }

    /// The local whose last thread has to stay because it is in X: the heaviest, which comes last.
    fn anchor(&self, config: ConfigRef<'_>, place: usize, entries: &[(u128, Entry)]) -> Option<LocalId> {
        let Some(Layer::Reached(reached)) = self.layers.get(place) else { return None };
        if !reached.contains(&self.space.shared(config.shared)) {
            return None;
        }
        let locals = entries.iter().rev().map(|(_, entry)| entry.local);
        locals.into_iter().find(|&local| !reached.contains(&self.space.local(local)))
    }

    /// y·config. It fits: there are at most 2²⁴ states, with a weight below 2⁶⁴ and fewer than 2³² threads each.
    fn weight(&self, weights: &FxHashMap<usize, u64>, config: ConfigRef<'_>) -> u128 {
        let weight = |state| u128::from(weights.get(&state).copied().unwrap_or(0));
        self.space.vector(config).map(|(state, count)| weight(state) * u128::from(count)).sum()
    }
}

impl Demand<'_> {
    fn weight(&self, state: usize) -> u64 {
        self.weights.get(&state).copied().unwrap_or(0)
    }

    /// How many threads can be taken away from a state, at most so many.
    fn removable(&self, state: usize, most: u32) -> u32 {
        let affordable = self.surplus.checked_div(self.weight(state).into());
        affordable.and_then(|affordable| u32::try_from(affordable).ok()).map_or(most, |n| n.min(most))
    }

    fn remove(&mut self, state: usize, count: u32) {
        self.surplus -= u128::from(self.weight(state)) * u128::from(count);
    }
}
