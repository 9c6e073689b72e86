//! A search that is not needed any more stops soon, whatever it is doing: enumerations with very many predecessors or
//! successors look at the budget, too.

mod common;

use common::system;
use std::time::{Duration, Instant};
use throng_base::{Budget, Source, StopReason};
use throng_engine::{Answer, EngineKind, Options, OracleKind, Outcome, Silent, UnknownReason};
use throng_formats::{Format, Question};
use throng_model::System;

const ENGINES: [EngineKind; 2] = [EngineKind::Widen, EngineKind::WidenPessimistic];

/// Far more than is promised, since test machines are shared, and far less than the enumerations below take.
const SOON: Duration = Duration::from_secs(5);

/// A net with a target four thousand million steps away: each firing of the first transition gains a token but resets a
/// place that is needed as well, so nothing can be accelerated.
fn endless() -> System {
    let net = "vars x y\nrules\n\
        x >= 1 -> x' = x + 1, y' = 0;\nx >= 1 -> y' = y + 1;\n\
        init x = 1, y = 0\ntarget x >= 4000000000, y >= 1\n";
    let source = Source::from_text("endless.spec", net);
    throng_formats::read_source(Format::Spec, &source, &Question::default())
        .expect("the text is right")
        .system
}

/// A loop whose rounds are used up one before the end: summaries see that at once, but the proof without cuts has four
/// thousand million elements.
fn endless_without_moves() -> System {
    let rules = "3 5\n0 0 -> 1 1\n1 3 -> 0 2\n0 0 -> 2 4\n";
    system(rules, "0|3*3999999999/0", "2|2*4000000000")
}

#[test]
fn every_engine_stops_when_asked_to() {
    for engine in EngineKind::ALL {
        let budget = Budget::unlimited();
        let options = Options { jobs: 2, cuts: false, ..Options::default() };
        let system = if engine == EngineKind::Concolic { endless_without_moves() } else { endless() };
        let stopped = std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let outcome = engine.run(&system, &options, &budget, &Silent);
                (outcome.answer, Instant::now())
            });
            std::thread::sleep(Duration::from_millis(200));
            let asked = Instant::now();
            budget.stop(StopReason::Interrupted);
            let (answer, ended) = worker.join().expect("no panic");
            (answer, ended.saturating_duration_since(asked))
        });
        let (answer, late) = stopped;
        let interrupted = Answer::Unknown(UnknownReason::Stopped(StopReason::Interrupted));
        assert_eq!(answer, interrupted, "{}", engine.name());
        assert!(late < SOON, "{}: {late:?}", engine.name());
    }
}

/// How many steps the search that has the answer takes: enough for the other one to be in its enumeration. Steps
/// forwards take longer, since a node is compared with all before it.
const STEPS_FORWARDS: usize = 5000;
const STEPS_BACKWARDS: usize = 100_000;

/// Thirty threads in local state 1.
fn crowd() -> String {
    ["1"; 30].join(",")
}

/// Moves of passive threads between local state 1 and the local states 2 to 9.
fn moves(written: impl Fn(usize) -> String) -> String {
    (2..10).map(|other| format!(" {}", written(other))).collect()
}

fn timed(engine: EngineKind, system: &System, options: &Options) -> (Outcome, Duration) {
    let started = Instant::now();
    let outcome = engine.run(system, options, &Budget::unlimited(), &Silent);
    (outcome, started.elapsed())
}

fn counter(outcome: &Outcome, name: &str) -> u64 {
    outcome.statistics.iter().find(|&(counter, _)| counter == name).expect("a counter").1
}

/// The target has C(38, 8), about 49 million, predecessors by the last rule: each of 30 threads may have come from any
/// of nine local states. Meanwhile the forward search walks to it. It needs as long as alone, or twice as long if both
/// share a core; the rest is the time that stopping takes. The counters say that it was stopped on the way.
#[test]
fn a_covered_target_stops_an_enumeration_of_predecessors() {
    let mut rules = format!("{} 10\n", STEPS_FORWARDS + 2);
    for shared in 0..STEPS_FORWARDS {
        rules += &format!("{shared} 0 -> {} 0\n", shared + 1);
    }
    rules += &format!(
        "{STEPS_FORWARDS} 0 -> {} 0{}\n",
        STEPS_FORWARDS + 1,
        moves(|other| format!("{other} ~> 1"))
    );
    let target = format!("{}|{}", STEPS_FORWARDS + 1, crowd());
    let system = system(&rules, "0/0,2,3,4,5,6,7,8,9", &target);
    let (outcome, alone) = timed(EngineKind::KarpMiller, &system, &Options::default());
    assert!(matches!(outcome.answer, Answer::Unsafe(_)), "{:?}", outcome.answer);
    for engine in ENGINES {
        // A guess would spare the enumeration.
        let options = Options { jobs: 2, widen: false, ..Options::default() };
        let (outcome, together) = timed(engine, &system, &options);
        assert!(matches!(outcome.answer, Answer::Unsafe(_)), "{:?}", outcome.answer);
        assert!(counter(&outcome, "iterations") == 1 && counter(&outcome, "predecessors") >= 256);
        assert!(together < 2 * alone + SOON, "{}: {together:?}, alone {alone:?}", engine.name());
    }
}

/// The start has as many successors: each of 30 threads may go to any of nine local states. Meanwhile the backward
/// search walks from the target to where it ends, which needs as long as alone, or twice as long.
#[test]
fn a_proof_stops_an_enumeration_of_successors() {
    let mut rules = format!("{} 10\n", STEPS_BACKWARDS + 2);
    for shared in 1..STEPS_BACKWARDS {
        rules += &format!("{shared} 0 -> {} 0\n", shared + 1);
    }
    let destinations = moves(|other| format!("1 ~> {other}"));
    rules += &format!("0 0 -> {} 0{destinations} 1 ~> 1\n", STEPS_BACKWARDS + 1);
    let system = system(&rules, &format!("0|0,{}", crowd()), &format!("{STEPS_BACKWARDS}|0"));
    for engine in ENGINES {
        let options = Options { oracle: OracleKind::None, ..Options::default() };
        let (outcome, alone) = timed(engine, &system, &options);
        assert!(matches!(outcome.answer, Answer::Safe(_)), "{:?}", outcome.answer);
        let (outcome, together) = timed(engine, &system, &Options { jobs: 2, ..Options::default() });
        assert!(matches!(outcome.answer, Answer::Safe(_)), "{:?}", outcome.answer);
        assert!(counter(&outcome, "nodes_expanded") == 1 && counter(&outcome, "successors") >= 256);
        assert!(together < 2 * alone + SOON, "{}: {together:?}, alone {alone:?}", engine.name());
    }
}
