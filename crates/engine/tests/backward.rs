//! The backward engine on systems from the literature and on corner cases; all evidence is checked.

mod common;

use common::system;
use throng_base::{Budget, Source, StopReason};
use throng_engine::{Answer, EngineKind, Options, Outcome, QueueOrder, Silent, UnknownReason};
use throng_formats::{Format, Question};
use throng_model::System;

/// The search itself: cuts would settle most of these systems at once.
fn run(system: &System) -> Outcome {
    common::run(EngineKind::Backward, system, &Options { cuts: false, ..Options::default() })
}

fn proof_sizes(outcome: Outcome) -> (usize, u64) {
    let elements = common::proof(outcome);
    (elements.len(), elements.iter().map(|element| element.view().size()).max().unwrap_or(0))
}

/// Kaiser, Kroening, Wahl (CONCUR 2012), the example of §3: Algorithm 1 ends with 9 minimal states of at most
/// 3 threads (Figure 1, left).
#[test]
fn the_example_of_the_paper_has_nine_minimal_states() {
    assert_eq!(proof_sizes(run(&system(common::RUNNING_EXAMPLE, "0/0", "3|"))), (9, 3));
}

#[test]
fn what_breaks_a_cut_is_not_expanded() {
    let example = system(common::RUNNING_EXAMPLE, "0/0", "3|");
    let with_cuts = common::run(EngineKind::Backward, &example, &Options::default());
    assert!(proof_sizes(with_cuts).0 < 9);
}

#[test]
fn the_newest_element_first_proves_the_same() {
    let options = Options { cuts: false, queue: QueueOrder::Lifo, ..Options::default() };
    let example = system(common::RUNNING_EXAMPLE, "0/0", "3|");
    assert_eq!(proof_sizes(common::run(EngineKind::Backward, &example, &options)), (9, 3));
}

#[test]
fn a_target_that_is_initial_needs_no_step() {
    let Answer::Unsafe(trace) = run(&system("1 2\n", "0/0", "0|0,0,0")).answer else { panic!("not unsafe") };
    assert_eq!((trace.n_steps(), trace.initial.view().size()), (0, 3));
}

#[test]
fn bounded_threads_stay_bounded() {
    let rules = "1 2\n0 0 -> 0 1\n";
    assert!(matches!(run(&system(rules, "0|0", "0|1,1")).answer, Answer::Safe(_)));
    assert!(matches!(run(&system(rules, "0|0,0", "0|1,1")).answer, Answer::Unsafe(_)));
    assert!(matches!(run(&system(rules, "0/0", "0|1,1")).answer, Answer::Unsafe(_)));
}

/// The trace starts with every exact thread, also those that nobody needs.
#[test]
fn a_trace_starts_in_a_genuine_initial_configuration() {
    let Answer::Unsafe(trace) = run(&system("1 3\n0 0 -> 0 1\n", "0|0,2,2/0", "0|1,1")).answer else {
        panic!("not unsafe")
    };
    assert_eq!(trace.initial.view().size(), 4);
}

#[test]
fn a_broadcast_that_everybody_follows_separates_threads() {
    // The first thread to leave 0 takes all others to 2, so nobody else gets to 1.
    let rules = "2 3\n0 0 -> 1 1 0 ~> 2\n";
    assert!(matches!(run(&system(rules, "0/0", "1|1,1")).answer, Answer::Safe(_)));
    assert!(matches!(run(&system(rules, "0/0", "1|1,2,2")).answer, Answer::Unsafe(_)));
}

#[test]
fn a_stopped_budget_ends_the_search() {
    let budget = Budget::unlimited();
    budget.stop(StopReason::Interrupted);
    let outcome = EngineKind::Backward.run(
        &system("1 2\n0 0 -> 0 1\n", "0|0", "0|1,1"),
        &Options::default(),
        &budget,
        &Silent,
    );
    assert_eq!(outcome.answer, Answer::Unknown(UnknownReason::Stopped(StopReason::Interrupted)));
}

/// A rule that needs more threads than a count can hold ends the search, not the process.
#[test]
fn counts_that_overflow_end_in_unknown() {
    let net = "vars a b\nrules\n a >= 4000000000 -> a' = a - 4000000000, b' = b + 1;\n b >= 4000000000 -> b' = b - \
               4000000000, a' = a + 1;\ninit a = 1, b = 0\ntarget b >= 4000000000\n";
    let source = Source::from_text("test.spec", net);
    let system = throng_formats::read_source(Format::Spec, &source, &Question::default()).unwrap().system;
    assert_eq!(run(&system).answer, Answer::Unknown(UnknownReason::CountOverflow));
}
