//! The IC3 engine on systems from the literature and on corner cases; all evidence is checked.

mod common;

use common::system;
use throng_base::{Budget, Source, StopReason};
use throng_engine::{Answer, EngineKind, Options, OracleKind, Outcome, Silent, UnknownReason};
use throng_formats::{Format, Question};
use throng_model::System;

/// Without an oracle and without cuts: the search has to find everything out by itself.
fn run(system: &System) -> Outcome {
    let options = Options { oracle: OracleKind::None, cuts: false, ..Options::default() };
    common::run(EngineKind::Ic3, system, &options)
}

fn net(text: &str) -> System {
    let source = Source::from_text("test.spec", text);
    throng_formats::read_source(Format::Spec, &source, &Question::default())
        .expect("the net is readable")
        .system
}

fn statistic(outcome: &Outcome, name: &str) -> u64 {
    let mut counters = outcome.statistics.iter();
    counters.find_map(|(counter, value)| (counter == name).then_some(value)).expect("the counter exists")
}

/// Kaiser, Kroening, Wahl (CONCUR 2012), §3: backward search needs 9 elements of up to 3 threads, but 3 is not
/// reachable as a shared state because no two threads are ever under way.
#[test]
fn the_example_of_proof_minimisation_gets_a_proof_by_few_threads() {
    let elements = common::proof(run(&system(common::RUNNING_EXAMPLE, "0/0", "3|")));
    assert!(elements.len() < 9, "{elements:?}");
    assert!(elements.iter().all(|element| element.view().size() <= 2), "{elements:?}");
}

/// A lock that two threads hold (`examples/shared-log.tts`): that readers do not matter is seen only after predecessors with
/// fewer of them, which no target led to, have been blocked.
#[test]
fn counterexamples_to_generalisation_are_blocked() {
    let rules = "2 6\n0 0 -> 1 1\n1 1 -> 1 2\n1 2 -> 0 0 5 ~> 3\n0 0 -> 0 3\n1 0 -> 1 3\n0 3 -> 0 4\n1 3 -> 1 4\n0 4 \
                 -> 0 5\n1 4 -> 1 5\n";
    let outcome = run(&system(rules, "0/0", "1|1,2,4,4"));
    assert!(statistic(&outcome, "counterexamples_blocked") > 0);
    let elements = common::proof(outcome);
    assert!(elements.iter().all(|element| element.view().size() <= 2), "{elements:?}");
}

#[test]
fn a_target_that_is_initial_needs_no_step() {
    let Answer::Unsafe(trace) = run(&system("1 2\n", "0/0", "0|0,0,0")).answer else { panic!("not unsafe") };
    assert_eq!((trace.n_steps(), trace.initial.view().size()), (0, 3));
}

#[test]
fn without_targets_the_proof_is_empty() {
    // The target's shared state has no rule that leads there.
    let elements = common::proof(run(&system("3 2\n0 0 -> 1 1\n", "0/0", "2|")));
    assert_eq!(elements.len(), 1);
}

/// The counterexample is longer than the number of frames when it is found, since obligations are queued again.
#[test]
fn a_long_chain_is_followed_to_its_beginning() {
    let rules: String = (0..40).map(|i| format!("0 {i} -> 0 {}\n", i + 1)).collect();
    let Answer::Unsafe(trace) = run(&system(&format!("1 41\n{rules}"), "0|0", "0|40")).answer else {
        panic!("not unsafe")
    };
    assert_eq!(trace.n_steps(), 40);
}

#[test]
fn bounded_threads_stay_bounded() {
    let rules = "1 2\n0 0 -> 0 1\n";
    assert!(matches!(run(&system(rules, "0|0", "0|1,1")).answer, Answer::Safe(_)));
    assert!(matches!(run(&system(rules, "0|0,0", "0|1,1")).answer, Answer::Unsafe(_)));
    assert!(matches!(run(&system(rules, "0/0", "0|1,1")).answer, Answer::Unsafe(_)));
}

/// A lemma about a shared state alone, with no thread at all, is a generalisation like any other.
#[test]
fn the_empty_bag_at_an_unreachable_shared_state_is_a_lemma() {
    // Shared state 2 needs two threads in 1 at shared state 1, and the only rule into 1 needs 2.
    let rules = "3 3\n2 0 -> 1 1\n1 1 -> 2 2\n0 0 -> 0 1\n";
    let elements = common::proof(run(&system(rules, "0/0", "2|2,2")));
    assert!(elements.iter().all(|element| element.bag.is_empty()), "{elements:?}");
}

#[test]
fn a_broadcast_that_everybody_follows_separates_threads() {
    // The first thread to leave 0 takes all others to 2, so nobody else gets to 1.
    let rules = "2 3\n0 0 -> 1 1 0 ~> 2\n";
    assert!(matches!(run(&system(rules, "0/0", "1|1,1")).answer, Answer::Safe(_)));
    assert!(matches!(run(&system(rules, "0/0", "1|1,2,2")).answer, Answer::Unsafe(_)));
}

/// {0, 1} has no predecessor under a reset of 1, but its part {0} has one: Lemma 8 does not hold for rules with
/// moves, and a lemma made by it would not be inductive.
#[test]
fn what_a_reset_leaves_over_is_looked_at_again() {
    let reset = net(
        "vars a b c\nrules\n a >= 1 -> a' = a - 1, b' = 0, c' = c + 1;\n b >= 1 -> b' = b - 1, a' = a + 1;\n\
                     init a = 1, b = 1, c = 0\ntarget c >= 2, b >= 1\n",
    );
    assert!(matches!(run(&reset).answer, Answer::Safe(_)));
}

/// Weights of a million: threads are dropped by bisection, not one by one.
#[test]
fn heavy_weights_cost_little() {
    let heavy = net(
        "vars a b c\nrules\n a >= 1 -> a' = a - 1, b' = b + 1000000;\n b >= 1000000 -> b' = b - 1000000, c' = c \
                     + 999999;\ninit a = 1, b = 0, c = 0\ntarget c >= 1000000\n",
    );
    let outcome = run(&heavy);
    assert!(matches!(outcome.answer, Answer::Safe(_)));
    assert!(statistic(&outcome, "predecessors") < 10_000);
}

/// An oracle that says what is coverable keeps lemmas from being tried, not from being right.
#[test]
fn every_oracle_leads_to_the_same_verdict() {
    for oracle in OracleKind::ALL {
        let options = Options { oracle, ..Options::default() };
        let safe = common::run(EngineKind::Ic3, &system(common::RUNNING_EXAMPLE, "0/0", "3|"), &options);
        assert!(matches!(safe.answer, Answer::Safe(_)), "{}", oracle.name());
        let unsafe_ = common::run(EngineKind::Ic3, &system(common::RUNNING_EXAMPLE, "0/0", "1|2"), &options);
        assert!(matches!(unsafe_.answer, Answer::Unsafe(_)), "{}", oracle.name());
    }
}

#[test]
fn a_stopped_budget_ends_the_search() {
    let budget = Budget::unlimited();
    budget.stop(StopReason::Interrupted);
    let outcome = EngineKind::Ic3.run(
        &system("1 2\n0 0 -> 0 1\n", "0|0", "0|1,1"),
        &Options { oracle: OracleKind::None, ..Options::default() },
        &budget,
        &Silent,
    );
    assert_eq!(outcome.answer, Answer::Unknown(UnknownReason::Stopped(StopReason::Interrupted)));
}

/// Backward search meets counts that do not fit; lemmas have small ones.
#[test]
fn lemmas_stay_small_where_predecessors_overflow() {
    let heavy = net(
        "vars a b\nrules\n a >= 4000000000 -> a' = a - 4000000000, b' = b + 1;\n b >= 4000000000 -> b' = b - \
         4000000000, a' = a + 1;\ninit a = 1, b = 0\ntarget b >= 4000000000\n",
    );
    let backward = common::run(EngineKind::Backward, &heavy, &Options { cuts: false, ..Options::default() });
    assert_eq!(backward.answer, Answer::Unknown(UnknownReason::CountOverflow));
    assert_eq!(common::proof(run(&heavy)).len(), 2);
}

/// A rule that needs more threads than a count can hold ends the search, not the process.
#[test]
fn counts_that_overflow_end_in_unknown() {
    let overflowing = net(
        "vars a b\nrules\n a >= 4000000000 -> a' = a - 4000000000, b' = b + 1;\ninit a >= 1, b = 0\ntarget b >= 2\n",
    );
    assert_eq!(run(&overflowing).answer, Answer::Unknown(UnknownReason::CountOverflow));
}
