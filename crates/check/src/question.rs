//! The question that a system asks, in the checker's own configurations: where executions start, and what
//! they must not cover.

use crate::bag::{Bag, Config, OMEGA, counts};
use crate::names::place;
use crate::verdict::Rejection;
use throng_model::System;

/// One ω-configuration for each initial set, ω in its unbounded locals: ↓I is their downward closure.
pub(crate) fn initial(system: &System) -> Result<Vec<Config>, Rejection> {
    let configs = system.initial().iter().enumerate().map(|(index, initial)| {
        let unbounded = initial.unbounded.iter().map(|&local| (local, OMEGA));
        let bag = Bag::from_counts(counts(&initial.exact).chain(unbounded));
        let bag = bag.map_err(|trouble| trouble.at(place("initial configuration", index)))?;
        Ok(Config { shared: initial.shared, bag })
    });
    configs.collect()
}

/// The targets.
pub(crate) fn targets(system: &System) -> Result<Vec<Config>, Rejection> {
    let configs = system.targets().iter().enumerate().map(|(index, target)| {
        let bag = Bag::from_counts(counts(&target.bag));
        let bag = bag.map_err(|trouble| trouble.at(place("target", index)))?;
        Ok(Config { shared: target.shared, bag })
    });
    configs.collect()
}
