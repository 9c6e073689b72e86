//! The directed forward search on systems with known answers; all evidence is checked.

mod common;

use common::{run, system};
use throng_base::{Budget, StopReason};
use throng_cert::Trace;
use throng_engine::{Answer, EngineKind, Observer, Options, Progress, Safety, UnknownReason};
use throng_model::System;

const ENGINE: EngineKind = EngineKind::Forward;

fn trace(system: &System) -> Trace {
    match run(ENGINE, system, &Options::default()).answer {
        Answer::Unsafe(trace) => trace,
        answer => panic!("not unsafe: {answer:?}"),
    }
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

/// A lock that nobody waits for: two threads meet inside.
#[test]
fn a_bug_of_two_threads_is_found_with_two_threads() {
    let broken = system("2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 2\n1 2 -> 0 0\n", "0/0", "1|2,2");
    let trace = trace(&broken);
    assert_eq!((trace.initial.view().size(), trace.n_steps()), (2, 4));
}

/// Threads can gather in 1 without end, in either shared state; only one of them is needed for the bug. Larger
/// configurations cover the smaller ones from which it is reached, so a search without a bound would follow them.
#[test]
fn an_endless_chain_does_not_keep_the_search_from_a_bug() {
    let rules = "3 6\n0 0 -> 0 1\n1 0 -> 1 1\n0 1 -> 1 2\n1 2 -> 0 3\n0 3 -> 1 4\n1 4 -> 2 5\n";
    let trace = trace(&system(rules, "0/0", "2|5"));
    assert_eq!((trace.initial.view().size(), trace.n_steps()), (1, 5));
}

#[test]
fn many_threads_are_found_when_fewer_do_not_suffice() {
    let rules = "1 3\n0 0 -> 0 1\n0 1 -> 0 2\n";
    let trace = trace(&system(rules, "0/0", &format!("0|{}", ["2"; 9].join(","))));
    assert_eq!((trace.initial.view().size(), trace.n_steps()), (9, 18));
}

/// Whoever enters 2 sends all others from 1 to 3; the bug needs one in each, after a broadcast.
#[test]
fn traces_go_through_broadcasts() {
    let rules = "2 5\n0 0 -> 0 1\n0 1 -> 1 2 1 ~> 3\n1 3 -> 1 4\n";
    let trace = trace(&system(rules, "0/0", "1|2,4,3"));
    assert_eq!((trace.initial.view().size(), trace.n_steps()), (3, 5));
}

#[test]
fn exact_numbers_of_threads_stay_exact() {
    let rules = "2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 2\n1 2 -> 0 0\n";
    assert_eq!(trace(&system(rules, "0|0,0", "1|2,2")).initial.view().size(), 2);
    let answer = run(ENGINE, &system(rules, "0|0", "1|2,2"), &Options::default()).answer;
    let Answer::Safe(Safety::CoverSet(cover)) = answer else { panic!("not safe: {answer:?}") };
    assert_eq!(cover.elements.len(), 3);
}

/// One thread at a time leaves 0, so the space is finite although any number of threads start.
#[test]
fn a_finite_space_is_exhausted_for_any_number_of_threads() {
    let locked = system("2 2\n0 0 -> 1 1\n1 1 -> 0 0\n", "0/0", "1|1,1");
    let answer = run(ENGINE, &locked, &Options::default()).answer;
    assert!(matches!(answer, Answer::Safe(Safety::CoverSet(_))), "{answer:?}");
}

#[test]
fn an_infinite_space_ends_with_the_budget() {
    let budget = Budget::unlimited();
    let endless = system("2 2\n0 0 -> 0 1\n", "0/0", "1|1");
    let outcome = ENGINE.run(&endless, &Options::default(), &budget, &Stop(&budget, 2_000));
    assert_eq!(outcome.answer, Answer::Unknown(UnknownReason::Stopped(StopReason::Timeout)));
}

#[test]
fn a_target_below_the_start_needs_no_step() {
    assert_eq!(trace(&system("1 2\n0 0 -> 0 1\n", "0/0", "0|0,0,0")).n_steps(), 0);
}
