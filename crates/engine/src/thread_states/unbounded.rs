//! In how many steps any number of threads reach a thread state.
//!
//! Breadth first over ω-configurations without accelerations: where any number of threads start there are enough for
//! every step, so what is met at depth d is what some number of threads reach in d steps, and nothing else. A
//! configuration that an earlier one covers is not followed, since the earlier one can do the same steps. The search goes on
//! until everything that was asked for has been met: asked for what is not reachable, it need not end.

use super::ThreadState;
use crate::{Observer, Progress, UnknownReason};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::{ClosedSet, Config, ConfigRef, DownwardClosedSet, TransitionSystem};

/// The smallest number of steps in which some number of threads reaches each of these thread states, all of which are
/// reachable.
pub fn first_depths(
    system: &dyn TransitionSystem,
    wanted: &BTreeSet<ThreadState>,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<BTreeMap<ThreadState, u64>, UnknownReason> {
    let mut search =
        Search { wanted, found: BTreeMap::new(), seen: DownwardClosedSet::default(), next: Vec::new() };
    let _ = system.for_each_initial(&mut |initial| {
        search.meet(initial, 0);
        ControlFlow::Continue(())
    });
    let mut depth = 0;
    while search.found.len() < wanted.len() && !search.next.is_empty() {
        depth += 1;
        for config in std::mem::take(&mut search.next) {
            budget.check()?;
            let enumeration = system.for_each_successor(config.view(), &mut |_, after| {
                search.meet(after, depth);
                ControlFlow::Continue(())
            });
            let _ = enumeration?;
        }
        let (elements, frontier) = (search.seen.generators().len() as u64, search.next.len() as u64);
        observer.progress(&Progress { elements, frontier, steps: depth, ..Progress::default() });
    }
    Ok(search.found)
}

struct Search<'a> {
    wanted: &'a BTreeSet<ThreadState>,
    found: BTreeMap<ThreadState, u64>,
    seen: DownwardClosedSet,
    /// The configurations of the next depth.
    next: Vec<Config>,
}

impl Search<'_> {
    fn meet(&mut self, config: ConfigRef<'_>, depth: u64) {
        if self.seen.contains(config) {
            return;
        }
        self.seen.insert(config);
        self.next.push(config.to_config());
        for entry in config.bag {
            let state = ThreadState { shared: config.shared, local: entry.local };
            if self.wanted.contains(&state) {
                self.found.entry(state).or_insert(depth);
            }
        }
    }
}
