//! The two cutoffs, given what is reachable at all.

use super::{ThreadState, explore, first_depths};
use crate::{Observer, UnknownReason};
use std::collections::{BTreeMap, BTreeSet};
use throng_base::Budget;
use throng_cert::Trace;
use throng_model::TransitionSystem;

/// What so many threads reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// How many threads.
    pub threads: u64,
    /// How many thread states they reach.
    pub reached: usize,
    /// How many of those they reach in as few steps as any number of threads.
    pub at_first_depth: usize,
    /// How many configurations they have.
    pub configs: usize,
}

/// A thread state that fewer threads do not reach.
#[derive(Clone, Debug)]
pub struct Needy {
    /// The thread state.
    pub state: ThreadState,
    /// How it is reached.
    pub trace: Trace,
}

/// See the module's documentation.
#[derive(Clone, Debug)]
pub struct Cutoffs {
    /// n₀: so many threads reach everything that any number of threads reach, and no fewer do.
    pub reachability: u64,
    /// N₀: so many threads reach it in as few steps as any number of threads, and no fewer do.
    pub uniform: u64,
    /// What needs n₀ threads; `None` if nothing is reachable.
    pub needy: Option<Needy>,
    /// What 1, 2, …, N₀ threads reach.
    pub layers: Vec<Layer>,
}

/// Computes the cutoffs, given all reachable thread states. `report` learns of each layer when it is complete.
pub fn cutoffs(
    system: &dyn TransitionSystem,
    reachable: &BTreeSet<ThreadState>,
    budget: &Budget,
    observer: &dyn Observer,
    mut report: impl FnMut(&Layer),
) -> Result<Cutoffs, UnknownReason> {
    let first = first_depths(system, reachable, budget, observer)?;
    let mut layers: Vec<Layer> = Vec::new();
    let mut found: Option<(u64, Option<Needy>)> = None;
    let mut before: BTreeSet<ThreadState> = BTreeSet::new();
    for threads in 1.. {
        let exploration = explore(system, threads, usize::MAX, budget, observer)?;
        let depths: BTreeMap<ThreadState, u64> =
            exploration.states().filter(|(state, _)| reachable.contains(state)).collect();
        let at_first_depth = depths.iter().filter(|&(state, depth)| first.get(state) == Some(depth)).count();
        let layer =
            Layer { threads, reached: depths.len(), at_first_depth, configs: exploration.n_configs() };
        report(&layer);
        layers.push(layer);
        if found.is_none() && depths.len() == reachable.len() {
            // Of what is new, the last to be reached.
            let new = depths.iter().filter(|(state, _)| !before.contains(state));
            let last =
                new.max_by_key(|&(state, depth)| (depth, std::cmp::Reverse(state))).map(|(&state, _)| state);
            let needy =
                last.and_then(|state| Some(Needy { state, trace: exploration.trace_to(system, state)? }));
            found = Some((threads, needy));
        }
        if let Some((reachability, needy)) = found.take_if(|_| at_first_depth == reachable.len()) {
            return Ok(Cutoffs { reachability, uniform: threads, needy, layers });
        }
        before = depths.into_keys().collect();
    }
    unreachable!("INVARIANT: there are cutoffs for every finite set of thread states")
}
