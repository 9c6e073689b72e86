//! Minimal coverability sets: known ones, comparison with the Karp–Miller engine, and closure checked independently.

mod common;

use common::{RUNNING_EXAMPLE, run, system};
use throng_base::{Budget, StopReason};
use throng_cert::{CoverSet, Evidence, EvidenceDocument};
use throng_engine::mincov::{Coverability, coverability_set};
use throng_engine::{Answer, EngineKind, Observer, Options, Progress, Safety, Silent, UnknownReason};
use throng_model::{Bag, Config, LocalId, OMEGA, SharedId, System};

fn covered(system: &System) -> Coverability {
    coverability_set(system, &Budget::unlimited(), &Silent)
}

fn config(shared: usize, counts: &[(usize, u32)]) -> Config {
    let counts = counts.iter().map(|&(local, count)| (LocalId::new(local), count));
    Config::new(SharedId::new(shared), Bag::from_counts(counts).expect("small counts"))
}

/// The set of a system whose target is not coverable, which the checker accepts and Karp–Miller finds as well.
fn compared(system: &System) -> Vec<Config> {
    let Coverability { elements, ending, .. } = covered(system);
    assert_eq!(ending, Ok(()));
    let evidence = Evidence::CoverSet(CoverSet { elements: elements.clone() });
    let document = EvidenceDocument::new(&evidence, system, Default::default());
    throng_check::check(system, &document).expect("the set is closed");
    let Answer::Safe(Safety::CoverSet(mut other)) =
        run(EngineKind::KarpMiller, system, &Options::default()).answer
    else {
        panic!("no cover set")
    };
    other.elements.sort();
    assert_eq!(elements, other.elements);
    elements
}

#[test]
fn one_thread_at_a_time_is_on_its_way_in_the_running_example() {
    let elements = compared(&system(RUNNING_EXAMPLE, "0/0", "3|"));
    let expected =
        [config(0, &[(0, OMEGA)]), config(1, &[(0, OMEGA), (1, 1)]), config(1, &[(0, OMEGA), (2, 1)])];
    assert_eq!(elements, expected);
}

/// A loop that makes a thread in 1 each time, another one that turns those into threads in 2.
#[test]
fn accelerations_are_found_one_after_the_other() {
    let rules = "3 4\n0 0 +> 0 1\n0 0 -> 1 0\n1 1 -> 1 2\n1 0 -> 2 3\n";
    let elements = compared(&system(rules, "0|0", "2|0"));
    let expected = [
        config(0, &[(0, 1), (1, OMEGA)]),
        config(1, &[(0, 1), (1, OMEGA), (2, OMEGA)]),
        config(2, &[(1, OMEGA), (2, OMEGA), (3, 1)]),
    ];
    assert_eq!(elements, expected);
}

/// Kaiser's thesis, Figure 24: the broadcast moves whoever is in 2 away before another thread gets there.
#[test]
fn nothing_is_accelerated_across_a_broadcast() {
    let budget = Budget::unlimited();
    let figure_24 = system("1 3\n0 0 -> 0 1\n0 1 -> 0 2 2 ~> 0\n", "0/0", "0|2,2");
    let elements = coverability_set(&figure_24, &budget, &Stop(&budget, 2_000)).elements;
    let two = |element: &Config| throng_model::bag::count(&element.bag, LocalId::new(2));
    assert!(elements.iter().all(|element| two(element) <= 1), "{elements:?}");
}

/// Stops a search after some work, deterministically.
struct Stop<'a>(&'a Budget, u64);

impl Observer for Stop<'_> {
    fn progress(&self, progress: &Progress) {
        if progress.steps > self.1 {
            self.0.stop(StopReason::Timeout);
        }
    }
}

/// Each round adds a thread, but a broadcast closes it, so there is nothing to accelerate: what was found until
/// then is a lower bound.
#[test]
fn a_search_that_cannot_end_says_so_and_what_it_found() {
    let endless = system("3 4\n0 0 +> 1 1\n1 0 -> 0 0 1 ~> 2\n2 2 -> 2 3\n", "0|0", "2|");
    let budget = Budget::unlimited();
    let found = coverability_set(&endless, &budget, &Stop(&budget, 500));
    assert_eq!(found.ending, Err(UnknownReason::Stopped(StopReason::Timeout)));
    let many = config(0, &[(0, 1), (2, 20)]);
    assert!(found.elements.iter().any(|element| many.view().le(element.view())), "{:?}", found.elements);
}

#[test]
fn a_budget_that_has_ended_leaves_an_empty_set() {
    let budget = Budget::unlimited();
    budget.stop(StopReason::Interrupted);
    let found = coverability_set(&system(RUNNING_EXAMPLE, "0/0", "3|"), &budget, &Silent);
    assert_eq!(found.ending, Err(UnknownReason::Stopped(StopReason::Interrupted)));
}
