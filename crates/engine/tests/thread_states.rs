//! Reachable thread states and cutoffs of systems where they are known.

mod common;

use common::system;
use std::collections::BTreeSet;
use throng_base::Budget;
use throng_cert::{Evidence, EvidenceDocument};
use throng_engine::Silent;
use throng_engine::mincov::coverability_set;
use throng_engine::thread_states::{Cutoffs, Gathered, ThreadState, cutoffs, explore, may_reach};
use throng_model::{LocalId, SharedId, System};

fn state(shared: usize, local: usize) -> ThreadState {
    ThreadState { shared: SharedId::new(shared), local: LocalId::new(local) }
}

/// All reachable thread states of a system without moves.
fn reachable(system: &System) -> BTreeSet<ThreadState> {
    let covered = coverability_set(system, &Budget::unlimited(), &Silent);
    assert_eq!(covered.ending, Ok(()));
    let states = covered.elements.iter().flat_map(|element| {
        element.bag.iter().map(|entry| ThreadState { shared: element.shared, local: entry.local })
    });
    states.collect()
}

fn cutoffs_of(system: &System) -> Cutoffs {
    let reachable = reachable(system);
    let found = cutoffs(system, &reachable, &Budget::unlimited(), &Silent, |_| ()).expect("no limit");
    if let Some(needy) = &found.needy {
        let asked = system.with_targets(vec![needy.state.to_config()]);
        let evidence = Evidence::Trace(needy.trace.clone());
        let document = EvidenceDocument::new(&evidence, &asked, Default::default());
        throng_check::check(&asked, &document).expect("the trace is right");
    }
    found
}

/// Each thread increments the shared state once; whoever has and sees `c` is lost (§4.2 of the thesis).
fn counter(c: usize) -> System {
    let steps: String = (0..c).map(|s| format!("{s} 0 -> {} 1\n", s + 1)).collect();
    system(&format!("{} 3\n{steps}{c} 1 -> {c} 2\n", c + 1), "0/0", "0|0")
}

#[test]
fn a_counter_needs_as_many_threads_as_it_counts() {
    for c in 1..6 {
        let counter = counter(c);
        let reaches = |threads: usize, wanted| {
            let found = explore(&counter, threads as u64, usize::MAX, &Budget::unlimited(), &Silent);
            found.expect("no limit").states().any(|(state, _)| state == wanted)
        };
        assert!(reaches(c, state(c, 2)) && !reaches(c - 1, state(c, 2)));
        // One thread more is needed to see the last shared state without having moved.
        let found = cutoffs_of(&counter);
        assert_eq!((found.reachability, found.uniform), (c as u64 + 1, c as u64 + 1));
        assert_eq!(found.needy.map(|needy| needy.state), Some(state(c, 0)));
    }
}

#[test]
fn more_threads_can_be_faster_without_reaching_more() {
    // Alone, a thread comes back to 0 after three steps; with another one, somebody is there after one.
    let found = cutoffs_of(&system("2 3\n0 0 -> 1 1\n1 1 -> 1 2\n1 2 -> 1 0\n", "0/0", "0|0"));
    assert_eq!((found.reachability, found.uniform), (1, 2));
    let reached: Vec<(usize, usize)> = found.layers.iter().map(|l| (l.reached, l.at_first_depth)).collect();
    assert_eq!(reached, [(4, 3), (4, 4)]);
}

#[test]
fn created_threads_count() {
    // The first thread makes others, which may meet in 3.
    let spawning = system("2 4\n0 0 +> 0 1\n0 1 -> 1 2\n1 1 -> 1 3\n", "0|0", "0|0");
    let found = cutoffs_of(&spawning);
    assert_eq!((found.reachability, found.needy.map(|needy| needy.state)), (3, Some(state(1, 3))));
    let two = explore(&spawning, 2, usize::MAX, &Budget::unlimited(), &Silent).expect("no limit");
    assert!(two.states().all(|(reached, _)| reached != state(1, 3)));
}

#[test]
fn thread_by_thread_is_a_superset() {
    // Taken one by one, a thread could be in 1 while another is in 1 too.
    let lock = system("2 3\n0 0 -> 1 1\n1 1 -> 0 0\n0 1 -> 0 2\n", "0/0", "0|0");
    let may: BTreeSet<ThreadState> = may_reach(&lock, &Budget::unlimited())
        .expect("no limit")
        .iter()
        .flat_map(|config| config.bag.iter().map(|e| ThreadState { shared: config.shared, local: e.local }))
        .collect();
    assert!(may.is_superset(&reachable(&lock)));
    assert!(may.contains(&state(0, 1)) && !reachable(&lock).contains(&state(0, 1)));
}

/// The local states of a system that nobody has to be in, as far as it has any.
fn left_out(system: &System) -> Vec<usize> {
    let gathered = Gathered::new(system, &reachable(system), &|_| true);
    let local = |&index: &usize| gathered.as_ref().is_some_and(|it| it.leaves_out(LocalId::new(index)));
    (0..system.n_locals()).filter(local).collect()
}

#[test]
fn where_threads_come_at_once_nobody_has_to_be() {
    // From 0 to 1 and 2 without anybody noticing; what 3 does is seen.
    assert_eq!(left_out(&system("2 4\n0 0 -> 0 1\n0 1 -> 0 2\n0 2 -> 1 3\n", "0/0", "0|0")), [1, 2]);
    // A thread may be in 0 and not get on: it has to wait for the shared state 1.
    let waits = system("2 4\n0 0 -> 1 3\n1 0 -> 1 1\n1 1 -> 0 2\n", "0/0", "0|0");
    assert!(left_out(&waits).is_empty());
    // Somebody comes to 1 in another way.
    let two_ways = system("2 4\n0 0 -> 0 1\n0 0 -> 1 1\n1 1 -> 0 2\n", "0/0", "0|0");
    assert!(left_out(&two_ways).is_empty());
    // Threads come back to 0 in 1, where they do not get on.
    let back = system("2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 2 -> 1 0\n1 2 -> 0 2\n", "0/0", "0|0");
    assert!(left_out(&back).is_empty());
    // A broadcast moves who is in 1. (Three threads, since what more cover need not be found where threads are moved.)
    let moved = system("2 4\n0 0 -> 0 1\n0 1 -> 1 2\n1 2 -> 0 2 1 ~> 3\n", "0|0,0,0", "0|0");
    assert!(left_out(&moved).is_empty());
}

#[test]
fn runs_without_places_to_wait_are_runs_of_the_original() {
    // Who is in 0 goes on to 1, 2 and 3 when it comes there, or waits.
    let text = "3 5\n0 0 -> 0 1\n0 1 -> 0 2\n0 2 -> 0 3\n0 0 -> 1 4\n1 3 -> 2 4\n";
    let original = system(text, "0/0", "2|4");
    let gathered = Gathered::new(&original, &reachable(&original), &|_| true).expect("it is smaller");
    assert_eq!(left_out(&original), [1, 2, 3]);
    let found = explore(gathered.system(), 2, usize::MAX, &Budget::unlimited(), &Silent).expect("no limit");
    let trace = found.trace_to(gathered.system(), state(2, 4)).expect("two threads do it");
    let lifted = gathered.lift(&original, &trace).expect("it is a run");
    assert_eq!((trace.items.len(), lifted.items.len()), (2, 5));
    let document = EvidenceDocument::new(&Evidence::Trace(lifted), &original, Default::default());
    throng_check::check(&original, &document).expect("the trace is right");
}
