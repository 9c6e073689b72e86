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

/// The shared state to which the first step of a trace leads.
fn first_step(system: &System, outcome: &Outcome) -> usize {
    match trace(outcome).items.first() {
        Some(TraceItem::Step(step)) => system.rule(step.rule).to.index(),
        other => panic!("no step comes first: {other:?}"),
    }
}

#[test]
fn paths_without_loops_are_tried_first_and_real_loops_before_others() {
    // Three ways to 5, all of two steps: over the loop of 1 and 2, in which another thread goes on than the one that arrived;
    // over the loop of 3 and 4, in which the same thread does; and over 6. The hardest stands first.
    let ways = [
        "0 0 -> 1 0\n1 0 -> 2 2\n2 0 -> 1 2\n1 0 -> 5 1\n",
        "0 0 -> 3 2\n3 2 -> 4 3\n4 3 -> 3 2\n3 2 -> 5 1\n",
    ];
    let easy = "0 0 -> 6 2\n6 2 -> 5 1\n";
    for (rules, via, paths) in [
        (format!("7 4\n{}{}{easy}", ways[0], ways[1]), 6, [1, 1, 1]),
        (format!("7 4\n{}{}", ways[0], ways[1]), 3, [0, 1, 1]),
        (format!("7 4\n{}", ways[0]), 1, [0, 0, 1]),
    ] {
        let system = system(&rules, "0/0", "5|1");
        let outcome = outcome(&system);
        assert_eq!((first_step(&system, &outcome), trace(&outcome).n_steps()), (via, 2));
        assert_eq!(counter(&outcome, "path_summaries"), Some(1), "no other path was looked at before");
        let names = ["paths_without_loops", "paths_with_real_loops", "paths_with_loops"];
        assert_eq!(names.map(|name| counter(&outcome, name)), paths.map(Some));
    }
}

/// So many times there are two ways, before what `end` says.
fn forks(n: usize, end: &str) -> String {
    let fork = |i: usize| format!("{i} 0 -> {} 1\n{i} 0 -> {} 2\n", i + 1, i + 1);
    (0..n).map(fork).collect::<String>() + end
}

#[test]
fn of_very_many_paths_only_one_is_looked_at_at_a_time() {
    let rules = format!("51 3\n{}", forks(50, ""));
    let outcome = outcome(&system(&rules, "0/0", "50|1*20,2*30"));
    assert_eq!(trace(&outcome).n_steps(), 50);
    assert_eq!(counter(&outcome, "paths_without_loops"), Some(1 << 50));
    assert!(counter(&outcome, "path_points").is_some_and(|points| points < 5_000), "{outcome:?}");
}

/// After 50 forks there is a loop that uses up a ticket in each round. Nobody ever makes tickets, so how many there are is
/// clear before the forks are looked at.
#[test]
fn paths_whose_end_is_infeasible_are_cut_short() {
    let end = "50 0 -> 51 0\n51 3 -> 50 4\n50 0 -> 52 5\n";
    let rules = format!("53 6\n{}", forks(50, end));
    let safe = outcome(&system(&rules, "0|3*999/0", "52|4*1000"));
    assert!(matches!(safe.answer, Answer::Safe(_)), "{:?}", safe.answer);
    assert_eq!(counter(&safe, "paths_with_loops"), Some(1 << 50));
    assert!(counter(&safe, "path_points").is_some_and(|points| points < 20), "{safe:?}");
    assert!(counter(&safe, "paths_cut_short").is_some_and(|cut_short| cut_short > 0), "{safe:?}");
    let bug = outcome(&system(&rules, "0|3*1000/0", "52|4*1000"));
    assert_eq!((rounds(trace(&bug)), trace(&bug).n_steps()), (vec![1000], 50 + 2000 + 1));
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

/// A race has this engine only where paths lead through simple loops.
#[test]
fn a_race_is_gated_by_the_shape_of_components() {
    let races = |system: &System| {
        let options = Options { head_start: 0, ..Options::default() };
        let contest = run(EngineKind::Auto, system, &options).contest;
        contest.iter().any(|contestant| contestant.name == "concolic")
    };
    assert!(races(&system(COUNTING, "0/0", "2|2*3")));
    // All shared states are in one component with two ways around; there is no loop; passive threads move.
    assert!(!races(&system("2 4\n0 0 -> 1 1\n0 0 -> 1 2\n1 0 -> 0 0\n", "0/0", "0|1,2")));
    assert!(!races(&system("3 3\n0 0 -> 1 1\n1 0 -> 2 2\n", "0/0", "2|1,2")));
    assert!(!races(&system("3 4\n0 0 -> 1 1\n1 1 -> 0 2 0 ~> 1\n0 0 -> 2 3\n", "0/0", "2|2*3")));
}
