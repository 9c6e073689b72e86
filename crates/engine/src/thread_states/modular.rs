//! A superset of the reachable thread states: each thread by itself, in the company of any number of others.
//!
//! For each shared state there is one ω-configuration, with any number of threads in every local state seen with it so far.
//! Whatever follows joins the configuration of its shared state, until nothing changes. These configurations contain the
//! initial ones and are closed under successors, so they are a cover set: evidence that nothing else is reached.

use crate::UnknownReason;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::{Bag, Config, ConfigRef, LocalId, OMEGA, SharedId, TransitionSystem};

/// For each shared state that may be reached, sorted, the configuration of all threads that may be there.
pub fn may_reach(system: &dyn TransitionSystem, budget: &Budget) -> Result<Vec<Config>, UnknownReason> {
    let mut company = Company::default();
    let _ = system.for_each_initial(&mut |initial| {
        company.join(initial);
        ControlFlow::Continue(())
    });
    while let Some(shared) = company.waiting.pop() {
        budget.check()?;
        let locals = company.at.get_mut(&shared).expect("INVARIANT: what waits is there");
        locals.is_waiting = false;
        let bag = Bag::from_counts(locals.sorted.iter().map(|&local| (local, OMEGA)))?;
        let enumeration = system.for_each_successor(ConfigRef::new(shared, &bag), &mut |_, after| {
            company.join(after);
            ControlFlow::Continue(())
        });
        let _ = enumeration?;
    }
    company.configs()
}

/// The local states seen with one shared state.
#[derive(Default)]
struct Locals {
    sorted: Vec<LocalId>,
    is_waiting: bool,
}

#[derive(Default)]
struct Company {
    at: FxHashMap<SharedId, Locals>,
    waiting: Vec<SharedId>,
}

impl Company {
    fn join(&mut self, config: ConfigRef<'_>) {
        let is_new_state = !self.at.contains_key(&config.shared);
        let locals = self.at.entry(config.shared).or_default();
        let mut has_grown = is_new_state;
        for entry in config.bag {
            if let Err(at) = locals.sorted.binary_search(&entry.local) {
                locals.sorted.insert(at, entry.local);
                has_grown = true;
            }
        }
        if has_grown && !locals.is_waiting {
            locals.is_waiting = true;
            self.waiting.push(config.shared);
        }
    }

    fn configs(self) -> Result<Vec<Config>, UnknownReason> {
        let mut all: Vec<(SharedId, Locals)> = self.at.into_iter().collect();
        all.sort_unstable_by_key(|&(shared, _)| shared);
        let config = |(shared, locals): (SharedId, Locals)| {
            Ok(Config::new(shared, Bag::from_counts(locals.sorted.into_iter().map(|local| (local, OMEGA)))?))
        };
        all.into_iter().map(config).collect()
    }
}
