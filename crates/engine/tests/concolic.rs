//! The concolic search on systems whose paths are known; all evidence is checked.

mod common;

use common::{proof, run, system};
use throng_base::Source;
use throng_cert::{Trace, TraceItem};
use throng_engine::{Answer, EngineKind, Options, Outcome, UnknownReason};
use throng_formats::{Format, Question};
use throng_model::System;

const ENGINE: EngineKind = EngineKind::Concolic;

fn outcome(system: &System) -> Outcome {
    run(ENGINE, system, &Options::default())
}

fn counter(outcome: &Outcome, name: &str) -> Option<u64> {
    outcome.statistics.iter().find(|&(other, _)| other == name).map(|(_, value)| value)
}

fn trace(outcome: &Outcome) -> &Trace {
    match &outcome.answer {
        Answer::Unsafe(trace) => trace,
        answer => panic!("not unsafe: {answer:?}"),
    }
}

fn is_unsafe(system: &System) -> bool {
    match outcome(system).answer {
        Answer::Unsafe(_) => true,
        Answer::Safe(_) => false,
        Answer::Unknown(reason) => panic!("unknown({reason})"),
    }
}

/// How often the loops of a trace are gone around.
fn rounds(trace: &Trace) -> Vec<u64> {
    let rounds = trace.items.iter().filter_map(|item| match item {
        TraceItem::Repeat { times, .. } => Some(*times),
        TraceItem::Step(_) => None,
    });
    rounds.collect()
}

/// Whoever gets the lock leaves it for 2, one after the other; then somebody stops everything.
const COUNTING: &str = "3 4\n0 0 -> 1 1\n1 1 -> 0 2\n0 0 -> 2 3\n";

#[test]
fn without_a_path_there_is_a_proof_at_once() {
    let unreachable = system("4 2\n0 0 -> 1 1\n2 0 -> 3 0\n", "0/0", "3|0");
    let outcome = outcome(&unreachable);
    assert_eq!(counter(&outcome, "components"), Some(0));
    assert_eq!(counter(&outcome, "path_points"), Some(0));
    assert_eq!(proof(outcome).len(), 2, "the shared states 2 and 3, with any threads");
}

#[test]
fn a_billion_rounds_are_one_summary() {
    for n in [1, 2, 1000, 1_000_000_000] {
        let outcome = outcome(&system(COUNTING, "0/0", &format!("2|2*{n}")));
        assert_eq!(rounds(trace(&outcome)), [n]);
        assert_eq!(trace(&outcome).initial.view().size(), n + 1);
        assert!(counter(&outcome, "path_points").unwrap_or(u64::MAX) < 20);
        assert_eq!(counter(&outcome, "iterations"), None, "nothing was searched");
    }
}

#[test]
fn a_loop_need_not_be_gone_around() {
    let outcome = outcome(&system(COUNTING, "0/0", "2|3"));
    assert_eq!((rounds(trace(&outcome)), trace(&outcome).n_steps()), (vec![], 1));
}

#[test]
fn exact_counts_bound_the_rounds() {
    // Every round uses up one of the threads that start in 3.
    let rules = "3 5\n0 0 -> 1 1\n1 3 -> 0 2\n0 0 -> 2 4\n";
    for tickets in 0..4 {
        for done in 1..5 {
            let init = if tickets == 0 { "0/0".into() } else { format!("0|3*{tickets}/0") };
            let counting = system(rules, &init, &format!("2|2*{done}"));
            assert_eq!(is_unsafe(&counting), done <= tickets, "{done} of {tickets}");
        }
    }
    let many = system(rules, "0|3*999999999/0", "2|2*1000000000");
    assert!(!is_unsafe(&many), "and that takes no billion elements to prove");
}

/// The loop 0 → 1 → 2 → 0 is entered at 0 and left at 1: a round that is not complete gives a thread in 2, complete
/// rounds give one in 2, 3 and 4 each.
#[test]
fn loops_are_entered_and_left_at_different_points() {
    let rules = "4 6\n0 0 -> 1 2\n1 0 -> 2 3\n2 0 -> 0 4\n1 0 -> 3 5\n";
    for (twos, threes, fours, expected) in
        [(1, 0, 0, vec![]), (4, 3, 3, vec![3]), (2, 1, 1, vec![1]), (1, 1, 0, vec![1]), (7, 2, 0, vec![6])]
    {
        let target = format!("3|2*{twos},3*{threes},4*{fours},5");
        let target = target.replace("3*0,", "").replace("4*0,", "");
        let outcome = outcome(&system(rules, "0/0", &target));
        assert_eq!(rounds(trace(&outcome)), expected, "{target}");
    }
}

#[test]
fn horizontal_rules_are_loops_too() {
    let outcome = outcome(&system("2 4\n0 0 -> 0 1\n0 0 -> 1 2\n", "0/0", "1|1*77"));
    assert_eq!(rounds(trace(&outcome)), [77]);
}

#[test]
fn loops_one_after_the_other_have_their_own_rounds() {
    // The second loop turns what the first has made, two at a time.
    let rules = "4 5\n0 0 -> 1 0\n1 0 -> 0 1\n0 0 -> 2 4\n2 1 -> 3 2\n3 1 -> 2 3\n";
    let outcome = outcome(&system(rules, "0/0", "2|1*5,2*40,3*30"));
    assert_eq!(rounds(trace(&outcome)), [85, 40]);
}

#[test]
fn threads_are_created_in_loops() {
    let spawning = "3 4\n0 0 +> 1 1\n1 0 -> 0 0\n0 0 -> 2 3\n";
    let outcome = outcome(&system(spawning, "0|0", "2|1*100,3"));
    assert_eq!((rounds(trace(&outcome)), trace(&outcome).initial.view().size()), (vec![100], 1));
    // Who spawns has to be there, and nothing else is.
    assert!(!is_unsafe(&system(spawning, "0|0", "2|1*100,3,3")));
    assert!(!is_unsafe(&system(spawning, "0|1", "2|3")));
}

#[test]
fn all_rules_between_components_are_tried() {
    // Both rules lead from 0 to 1; only the second leaves a thread in 1.
    let rules = "2 4\n0 0 -> 1 2\n0 0 -> 1 1\n";
    assert_eq!(trace(&outcome(&system(rules, "0/0", "1|1"))).n_steps(), 1);
    assert!(!is_unsafe(&system(rules, "0/0", "1|1,2")), "only one of them fires");
}

/// The same rules from several sets of initial configurations.
fn from(text: &str, inits: &[&str], target: &str) -> System {
    let init = inits.iter().map(|&init| init.into()).collect();
    let question = Question { init, target: vec![target.into()], ..Question::default() };
    let source = Source::from_text("test.tts", text);
    throng_formats::read_source(Format::Tts, &source, &question).expect("the text is right").system
}

#[test]
fn every_set_of_initial_configurations_is_tried() {
    let rules = "3 4\n0 0 -> 2 2\n1 1 -> 2 3\n";
    // A box: either shared state with any of the locals.
    assert!(is_unsafe(&from(rules, &["0/0,1", "1/0,1"], "2|0,1,3")));
    // No box: in shared state 1 there is nobody in 0.
    assert!(!is_unsafe(&from(rules, &["0/0", "1/1"], "2|0,3")));
    assert!(is_unsafe(&from(rules, &["0/0", "1/1"], "2|0,2")));
    // One set has any number of threads in 0, the other two.
    let counted = "3 3\n0 0 -> 2 2\n1 0 -> 2 1\n";
    assert!(is_unsafe(&from(counted, &["0/0", "1|0,0"], "2|0*9,2")));
    assert!(!is_unsafe(&from(counted, &["0/0", "1|0,0"], "2|0*2,1")));
    assert!(is_unsafe(&from(counted, &["0/0", "1|0,0"], "2|0,1")));
}

#[test]
fn moved_passive_threads_are_outside_of_the_method() {
    let broadcast = system("2 3\n0 0 -> 1 1 0 ~> 2\n", "0/0", "1|1,2");
    assert_eq!(outcome(&broadcast).answer, Answer::Unknown(UnknownReason::Unsupported));
}

/// Two ways to 3: through 1, where two horizontal rules are more than a loop, and through 2, where there is nobody.
#[test]
fn other_components_are_searched_along_their_slices() {
    let rules = "4 6\n0 0 -> 1 1\n1 1 -> 1 2\n1 2 -> 1 3\n1 0 -> 3 4\n0 0 -> 2 1\n2 1 -> 2 3\n2 3 -> 2 5\n2 5 -> 3 4\n";
    let options = Options { head_start: 0, ..Options::default() };
    let outcome = run(ENGINE, &system(rules, "0/0", "3|3,4"), &options);
    assert_eq!(counter(&outcome, "spaghetti"), Some(2));
    assert!(counter(&outcome, "slices").is_some_and(|slices| slices > 0));
    assert_eq!(trace(&outcome).n_steps(), 4);
    let whole = run(ENGINE, &system(rules, "0/0", "3|3,3"), &options);
    assert!(
        matches!(whole.answer, Answer::Safe(_)),
        "the whole system is searched in the end: {:?}",
        whole.answer
    );
    // With the head start that it has by default, a plain backward search is enough.
    let plain = run(ENGINE, &system(rules, "0/0", "3|3,4"), &Options::default());
    assert_eq!((counter(&plain, "slices"), trace(&plain).n_steps()), (Some(0), 4));
}
