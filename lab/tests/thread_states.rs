//! Cutoffs of random systems against their definitions.

use std::collections::{BTreeMap, BTreeSet};
use throng_base::Budget;
use throng_cert::{Evidence, EvidenceDocument};
use throng_engine::mincov::coverability_set;
use throng_engine::thread_states::{Pace, ThreadState, cutoffs, explore, may_reach, reachability_cutoff};
use throng_engine::{Observer, Progress, Silent};
use throng_lab::programs::program_from_seed;
use throng_lab::random::from_seed;
use throng_model::{Config, System};

/// Random systems that take longer than this are passed over.
const MOST_STEPS: u64 = 1_000;

struct Brake<'a>(&'a Budget);

impl Observer for Brake<'_> {
    fn progress(&self, progress: &Progress) {
        let Progress { elements, expanded, steps, .. } = *progress;
        if elements.max(expanded).max(steps) > MOST_STEPS {
            self.0.stop(throng_base::StopReason::Timeout);
        }
    }
}

fn states(configs: &[Config]) -> BTreeSet<ThreadState> {
    let states = configs.iter().flat_map(|config| {
        config.bag.iter().map(|entry| ThreadState { shared: config.shared, local: entry.local })
    });
    states.collect()
}

/// The thread states that n threads reach, with their first depths.
fn layer(system: &System, n: u64) -> BTreeMap<ThreadState, u64> {
    let exploration = explore(system, n, usize::MAX, &Budget::unlimited(), &Silent);
    exploration.expect("no limit").states().collect()
}

#[test]
fn cutoffs_are_the_smallest_numbers_with_their_property() {
    let mut uniform_is_larger = 0;
    let mut largest = 0;
    let systems = (0..700).map(|seed| program_from_seed(seed).build());
    let systems = systems.chain((0..1200).map(|seed| from_seed(seed).sketch.build()));
    let mut n_compared = 0;
    for system in systems.filter(|system| !system.is_net()) {
        let budget = Budget::unlimited();
        let covered = coverability_set(&system, &budget, &Brake(&budget));
        if covered.ending.is_err() {
            continue;
        }
        let reachable = states(&covered.elements);
        assert!(states(&may_reach(&system, &budget).expect("no limit")).is_superset(&reachable));
        let Ok(found) = cutoffs(&system, &reachable, &budget, &Brake(&budget), |_| ()) else { continue };
        n_compared += 1;
        // Narrowed from both sides from the beginning, with so little work at a time that both sides have to do with it.
        let pace = Pace { few_configs: 0, first_effort: 2 };
        let limits = (&Budget::unlimited(), &Silent as &dyn Observer);
        let mut not_enough = 0;
        let mut note = |threads| not_enough = threads;
        let narrowed = reachability_cutoff(&system, &reachable, pace, limits, &mut note).expect("no limit");
        assert_eq!(narrowed.threads, found.reachability, "narrowed");
        assert_eq!(not_enough + 1, found.reachability, "one thread less is not enough");
        if let Some(needy) = narrowed.needy {
            let asked = system.with_targets(vec![needy.state.to_config()]);
            let document = EvidenceDocument::new(&Evidence::Trace(needy.trace), &asked, Default::default());
            let checked = throng_check::check(&asked, &document);
            assert!(checked.is_ok(), "{checked:?} for {:?}", system.initial());
            let before = found.reachability.checked_sub(1).map(|n| layer(&system, n));
            assert!(before.is_none_or(|before| !before.contains_key(&needy.state)), "fewer reach it");
        } else {
            assert!(reachable.is_empty());
        }
        let layers: Vec<BTreeMap<ThreadState, u64>> =
            (1..=found.uniform + 1).map(|n| layer(&system, n)).collect();
        for (n, reached) in (1..).zip(&layers) {
            let all = reached.keys().copied().collect::<BTreeSet<_>>();
            assert!(all.is_subset(&reachable));
            assert_eq!(all == reachable, n >= found.reachability, "{n} threads, n₀ = {}", found.reachability);
            let is_last = reached == &layers[layers.len() - 1];
            assert_eq!(is_last, n >= found.uniform, "{n} threads, N₀ = {}", found.uniform);
        }
        uniform_is_larger += usize::from(found.uniform > found.reachability);
        largest = largest.max(found.reachability);
    }
    assert!(n_compared > 700, "only {n_compared} compared");
    assert!(
        uniform_is_larger > 10 && largest > 3,
        "{uniform_is_larger} with N₀ > n₀, largest n₀ = {largest}"
    );
}
