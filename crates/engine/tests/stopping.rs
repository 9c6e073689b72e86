//! A search that is not needed any more stops soon, whatever it is doing: enumerations with very many predecessors or
//! successors look at the budget, too.

mod common;

use common::system;
use std::time::{Duration, Instant};
use throng_base::{Budget, StopReason};
use throng_engine::{Answer, EngineKind, Options, OracleKind, Silent, UnknownReason};
use throng_model::System;

const ENGINES: [EngineKind; 2] = [EngineKind::Widen, EngineKind::WidenPessimistic];

/// Ten times what is promised: test machines are shared.
const SOON: Duration = Duration::from_secs(1);

/// A system whose proof takes a while and whose forward search never ends.
fn endless() -> System {
    let mut rules = String::from("2 40\n0 0 +> 0 1\n0 1 -> 0 1 39 ~> 1\n");
    for local in 1..38 {
        rules += &format!("0 {local} -> 0 {}\n1 {local} -> 0 {}\n", local + 1, (local * 7) % 38 + 1);
    }
    system(&rules, "0|0", "1|38,38,38,38,38")
}

#[test]
fn both_sides_stop_when_asked_to() {
    for engine in ENGINES {
        let budget = Budget::unlimited();
        let options = Options { jobs: 2, ..Options::default() };
        let system = endless();
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
        if let (Answer::Unknown(reason), late) = stopped {
            assert_eq!(reason, UnknownReason::Stopped(StopReason::Interrupted));
            assert!(late < SOON, "{late:?}");
        }
    }
}

/// The steps of a search that takes a moment, long enough for the other one to get stuck.
const LENGTH: usize = 3000;

/// Thirty threads in one local state.
fn threads(local: usize) -> String {
    vec![local.to_string(); 30].join(",")
}

/// Moves of passive threads between local state 1 and the local states 2 to 9.
fn moves(written: impl Fn(usize) -> String) -> String {
    (2..10).map(|other| format!(" {}", written(other))).collect()
}

fn timed(engine: EngineKind, system: &System, options: &Options) -> (Answer, Duration) {
    let started = Instant::now();
    let answer = engine.run(system, options, &Budget::unlimited(), &Silent).answer;
    (answer, started.elapsed())
}

/// The target has C(38, 8), about 49 million, predecessors by the last rule: each of 30 threads may have come from any
/// of nine local states. Meanwhile the forward search walks to it. It needs as long as alone, or twice as long if both
/// share a core; the rest is the time that stopping takes.
#[test]
fn a_covered_target_stops_an_enumeration_of_predecessors() {
    let mut rules = format!("{} 10\n", LENGTH + 2);
    for shared in 0..LENGTH {
        rules += &format!("{shared} 0 -> {} 0\n", shared + 1);
    }
    rules += &format!("{LENGTH} 0 -> {} 0{}\n", LENGTH + 1, moves(|other| format!("{other} ~> 1")));
    let target = format!("{}|{}", LENGTH + 1, threads(1));
    let system = system(&rules, "0/0,2,3,4,5,6,7,8,9", &target);
    let (answer, alone) = timed(EngineKind::KarpMiller, &system, &Options::default());
    assert!(matches!(answer, Answer::Unsafe(_)), "{answer:?}");
    for engine in ENGINES {
        // A guess would spare the enumeration.
        let options = Options { jobs: 2, widen: false, ..Options::default() };
        let (answer, together) = timed(engine, &system, &options);
        assert!(matches!(answer, Answer::Unsafe(_)), "{answer:?}");
        assert!(together < 2 * alone + SOON, "{}: {together:?}, alone {alone:?}", engine.name());
    }
}

/// The start has as many successors: each of 30 threads may go to any of nine local states. Meanwhile the backward
/// search walks from the target to where it ends, which needs as long as alone, or twice as long.
#[test]
fn a_proof_stops_an_enumeration_of_successors() {
    let mut rules = format!("{} 10\n", LENGTH + 2);
    for shared in 1..LENGTH {
        rules += &format!("{shared} 0 -> {} 0\n", shared + 1);
    }
    let destinations = moves(|other| format!("1 ~> {other}"));
    rules += &format!("0 0 -> {} 0{destinations} 1 ~> 1\n", LENGTH + 1);
    let system = system(&rules, &format!("0|0,{}", threads(1)), &format!("{LENGTH}|0"));
    for engine in ENGINES {
        let (answer, alone) =
            timed(engine, &system, &Options { oracle: OracleKind::None, ..Options::default() });
        assert!(matches!(answer, Answer::Safe(_)), "{answer:?}");
        let (answer, together) = timed(engine, &system, &Options { jobs: 2, ..Options::default() });
        assert!(matches!(answer, Answer::Safe(_)), "{answer:?}");
        assert!(together < 2 * alone + SOON, "{}: {together:?}, alone {alone:?}", engine.name());
    }
}
