//! Which traces are accepted.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod common;

use common::{accepted, config, initial, mutex, names, rejected, rule, signals, system};
use throng_check::{Accepted, Condition};
use throng_model::{Names, System};

fn trace(initial: &str, items: &str) -> String {
    format!(r#"{{"initial":{initial},"items":[{items}]}}"#)
}

/// On with n idle threads.
fn idle(n: u32) -> String {
    format!(r#"{{"shared":"on","threads":[["idle",{n}]]}}"#)
}

const TWO_GO: &str = r#"
    {"rule":"r4"}, {"rule":"r4"}, {"rule":"r1"}, {"rule":"r1"}, {"rule":"r1"},
    {"rule":"r2","moved":[{"from":"wait","to":"go","count":2},{"from":"wait","to":"idle","count":1}]},
    {"rule":"r5"}"#;

fn done() -> System {
    signals(&[config(1, &[(3, 1)])])
}

#[test]
fn an_execution_with_all_rule_kinds_is_accepted() {
    let answer = accepted(&done(), "trace", &trace(&idle(1), TWO_GO));
    assert_eq!(answer, Accepted::Trace { threads: 1, steps: 7 });
    assert_eq!(answer.to_string(), "unsafe (trace: 1 thread, 7 steps)");
}

#[test]
fn resets_make_threads_vanish() {
    let system = signals(&[config(0, &[])]);
    let moved = r#"{"rule":"r2","moved":[{"from":"wait","to":"go","count":1}]}"#;
    let reset = |moved: &str| trace(&idle(1), &format!(r#"{{"rule":"r1"}},{moved},{{"rule":"r3"REST}}"#));
    let body = reset(moved).replace("REST", r#","moved":[{"from":"go","count":1}]"#);
    accepted(&system, "trace", &body);
    let kept = reset(moved).replace("REST", "");
    rejected(
        &system,
        "trace",
        &kept,
        Condition::TraceMoves,
        &["step 3", "`r3`", "0 threads in `go`", "are 1"],
    );
    let turned = reset(moved).replace("REST", r#","moved":[{"from":"go","to":"idle","count":1}]"#);
    rejected(&system, "trace", &turned, Condition::TraceMoves, &["from `go` to `idle`"]);
}

#[test]
fn a_trace_starts_in_a_genuine_initial_configuration() {
    let system = done();
    let body = |initial: &str| trace(initial, TWO_GO);
    rejected(&system, "trace", &body(&idle(2)), Condition::TraceInitial, &["`on|idle*2`"]);
    rejected(&system, "trace", &body(&idle(0)), Condition::TraceInitial, &[]);
    let off = r#"{"shared":"off","threads":[["idle",1]]}"#;
    rejected(&system, "trace", &body(off), Condition::TraceInitial, &[]);
    let more = r#"{"shared":"on","threads":[["idle",1],["go",1]]}"#;
    rejected(&system, "trace", &body(more), Condition::TraceInitial, &[]);
    let split = r#"{"shared":"on","threads":[["idle",1],["go",0]]}"#;
    accepted(&system, "trace", &body(split));
}

#[test]
fn unbounded_locals_hold_at_least_their_exact_threads() {
    let locals = || names(&["p", "q"]);
    let target = || [config(0, &[])];
    let system =
        system(Names::single_anonymous(), locals(), &[], [initial(0, &[(0, 2), (1, 1)], &[0])], target());
    let start = |p: u32, q: u32| trace(&format!(r#"{{"threads":[["p",{p}],["q",{q}]]}}"#), "");
    accepted(&system, "trace", &start(2, 1));
    accepted(&system, "trace", &start(9, 1));
    rejected(&system, "trace", &start(1, 1), Condition::TraceInitial, &[]);
    rejected(&system, "trace", &start(2, 2), Condition::TraceInitial, &[]);
    rejected(&system, "trace", &start(2, 0), Condition::TraceInitial, &[]);
}

#[test]
fn every_step_must_be_enabled() {
    let step = r#"{"rule":"r1"},{"rule":"r1"}"#;
    let words = ["step 2", "`r1`", "needs 1 threads in `idle`", "there are 0"];
    rejected(&done(), "trace", &trace(&idle(1), step), Condition::TraceEnabled, &words);
    let shared = ["step 1", "`r5`", "needs shared state `off`, but it is `on`"];
    rejected(&done(), "trace", &trace(&idle(1), r#"{"rule":"r5"}"#), Condition::TraceEnabled, &shared);
    rejected(&done(), "trace", &trace(&idle(1), r#"{"rule":"r9"}"#), Condition::Names, &["step 1", "`r9`"]);
}

#[test]
fn every_passive_thread_must_be_accounted_for() {
    let body = |moved: &str| trace(&idle(1), &format!(r#"{{"rule":"r1"}},{{"rule":"r2"{moved}}}"#));
    rejected(&done(), "trace", &body(""), Condition::TraceMoves, &["step 2", "0 threads in `wait`"]);
    let bad = [
        r#","moved":[{"from":"wait","to":"go","count":2}]"#,
        r#","moved":[{"from":"wait","to":"done","count":1}]"#,
        r#","moved":[{"from":"wait","count":1}]"#,
        r#","moved":[{"from":"wait","to":"go","count":1},{"from":"idle","to":"go","count":0}]"#,
        r#","moved":[{"from":"wait","to":"go","count":1},{"from":"wait","to":"idle","count":1}]"#,
        r#","moved":[{"from":"wait","to":"go","count":18446744073709551615}]"#,
    ];
    for moved in bad {
        rejected(&done(), "trace", &body(moved), Condition::TraceMoves, &["step 2"]);
    }
    let unknown = r#","moved":[{"from":"wait","to":"nowhere","count":1}]"#;
    rejected(&done(), "trace", &body(unknown), Condition::Names, &["nowhere"]);
}

#[test]
fn a_trace_ends_above_a_target() {
    let words = ["the end of the trace"];
    rejected(&done(), "trace", &trace(&idle(1), r#"{"rule":"r1"}"#), Condition::TraceTarget, &words);
    let system = signals(&[]);
    rejected(&system, "trace", &trace(&idle(1), TWO_GO), Condition::TraceTarget, &[]);
}

#[test]
fn patterns_and_omega_have_no_place_in_a_trace() {
    let body = |initial: &str| trace(initial, "");
    let any = r#"{"shared":"on","threads":[[{"any":["idle"]},1]]}"#;
    rejected(&done(), "trace", &body(any), Condition::Form, &["patterns"]);
    let omega = r#"{"shared":"on","threads":[["idle","omega"]]}"#;
    rejected(&done(), "trace", &body(omega), Condition::Form, &["ω"]);
    rejected(&done(), "trace", &body(r#"{"threads":[["idle",1]]}"#), Condition::Form, &["shared state"]);
}

#[test]
fn the_verdict_must_fit() {
    let mut document = common::document("trace", &trace(&idle(1), TWO_GO));
    document.verdict = throng_cert::Verdict::Safe;
    let rejection = throng_check::check(&done(), &document).unwrap_err();
    assert_eq!(rejection.condition, Condition::Verdict);
}

/// A net: r1 makes p out of nothing, r2 turns 3 p into 1 q, r3 turns q into 2 p.
fn counters(target: common::Counts<'_>) -> System {
    system(
        Names::single_anonymous(),
        names(&["p", "q"]),
        &[
            rule((0, 0), &[], &[(0, 1)], &[]),
            rule((0, 0), &[(0, 3)], &[(1, 1)], &[]),
            rule((0, 0), &[(1, 1)], &[(0, 2)], &[]),
        ],
        [initial(0, &[], &[])],
        [config(0, target)],
    )
}

fn from_nothing(items: &str) -> String {
    trace(r#"{"threads":[]}"#, items)
}

#[test]
fn repetitions_are_counted_not_unrolled() {
    let system = counters(&[(0, 4_000_000_000)]);
    let repeat = |n: u64| from_nothing(&format!(r#"{{"repeat":{n},"items":[{{"rule":"r1"}}]}}"#));
    assert_eq!(
        accepted(&system, "trace", &repeat(u64::MAX)),
        Accepted::Trace { threads: 0, steps: u128::from(u64::MAX) }
    );
    accepted(&system, "trace", &repeat(4_000_000_000));
    rejected(&system, "trace", &repeat(3_999_999_999), Condition::TraceTarget, &[]);
}

#[test]
fn the_last_round_of_a_repetition_must_be_enabled_too() {
    let system = counters(&[(1, 10)]);
    let body = |made: u64, used: u64| {
        from_nothing(&format!(
            r#"{{"repeat":{made},"items":[{{"rule":"r1"}}]}},{{"repeat":{used},"items":[{{"rule":"r2"}}]}}"#
        ))
    };
    accepted(&system, "trace", &body(30, 10));
    let words = ["step 2", "needs 30 threads in `p` before the repetition it is part of, but there are 29"];
    rejected(&system, "trace", &body(29, 10), Condition::TraceEnabled, &words);
    // r2 then r3 loses one p a round and needs three in the last one.
    let turns = |made: u64| {
        from_nothing(&format!(
            r#"{{"repeat":{made},"items":[{{"rule":"r1"}}]}},
               {{"repeat":5,"items":[{{"rule":"r2"}},{{"rule":"r3"}}]}},{{"repeat":10,"items":[{{"rule":"r1"}}]}},
               {{"rule":"r2"}}"#
        ))
    };
    let one = counters(&[(1, 1)]);
    accepted(&one, "trace", &turns(7));
    rejected(&one, "trace", &turns(6), Condition::TraceEnabled, &["step 2"]);
}

#[test]
fn repetitions_nest() {
    let system = counters(&[(1, 1_000_000)]);
    let body = |inner: u64| {
        from_nothing(&format!(
            r#"{{"repeat":1000000,"items":[{{"repeat":{inner},"items":[{{"rule":"r1"}}]}},{{"rule":"r2"}}]}}"#
        ))
    };
    assert_eq!(accepted(&system, "trace", &body(3)), Accepted::Trace { threads: 0, steps: 4_000_000 });
    rejected(&system, "trace", &body(2), Condition::TraceEnabled, &["step 2"]);
    let huge = (0..3).fold(r#"{"rule":"r1"}"#.to_owned(), |items, _| {
        format!(r#"{{"repeat":18446744073709551615,"items":[{items}]}}"#)
    });
    rejected(&system, "trace", &from_nothing(&huge), Condition::Size, &["number"]);
}

#[test]
fn a_repetition_must_end_in_the_shared_state_it_starts_in() {
    let start = r#"{"shared":"free","threads":[["out",5]]}"#;
    let body = |n: u64| trace(start, &format!(r#"{{"repeat":{n},"items":[{{"rule":"r1"}}]}}"#));
    rejected(&mutex(), "trace", &body(1), Condition::TraceTarget, &[]);
    rejected(&mutex(), "trace", &body(2), Condition::TraceRepeat, &["`free`", "`held`"]);
    let both = trace(start, r#"{"repeat":9,"items":[{"rule":"r1"},{"rule":"r2"}]}"#);
    rejected(&mutex(), "trace", &both, Condition::TraceTarget, &[]);
    let twice = trace(start, r#"{"repeat":1,"items":[{"rule":"r1"},{"rule":"r1"}]}"#);
    rejected(&mutex(), "trace", &twice, Condition::TraceEnabled, &["step 2", "needs shared state `free`"]);
}

#[test]
fn a_repeated_broadcast_must_find_the_same_threads_in_every_round() {
    let signal = r#"{"rule":"r2","moved":[{"from":"wait","to":"go","count":1}]}"#;
    let reset = r#"{"rule":"r3","moved":[{"from":"go","count":1}]}"#;
    let round = |n: u64, more: &str| {
        trace(
            &idle(1),
            &format!(
                r#"{{"repeat":7,"items":[{{"rule":"r4"}}]}},
                   {{"repeat":{n},"items":[{{"rule":"r1"}},{more}{signal},{reset}]}}"#
            ),
        )
    };
    let system = signals(&[config(0, &[])]);
    // Every round uses up one of the eight idle threads, and leaves `wait` and `go` as they were.
    accepted(&system, "trace", &round(8, ""));
    rejected(&system, "trace", &round(9, ""), Condition::TraceEnabled, &["step 2", "9 threads in `idle`"]);
    // Two threads wait but only one is moved: in the first round already, and one more is left in each.
    let more = r#"{"rule":"r1"},"#;
    rejected(&system, "trace", &round(1, more), Condition::TraceMoves, &["`wait`"]);
    rejected(&system, "trace", &round(4, more), Condition::TraceRepeat, &["`wait`", "changes by 1"]);
    // Without the reset, `go` grows: harmless, since the signal does not move it. But then the state is
    // `off`.
    let grows = trace(
        &idle(1),
        r#"{"repeat":2,"items":[{"rule":"r1"},{"rule":"r2","moved":[{"from":"wait","to":"go","count":1}]}]}"#,
    );
    rejected(&system, "trace", &grows, Condition::TraceRepeat, &["`on`", "`off`"]);
}

#[test]
fn a_moved_local_that_grows_cannot_be_repeated() {
    // r1 moves p to p or q and adds two p.
    let system = system(
        Names::single_anonymous(),
        names(&["p", "q"]),
        &[rule((0, 0), &[], &[(0, 2)], &[(0, &[0, 1])])],
        [initial(0, &[(0, 2)], &[])],
        [config(0, &[(1, 20)])],
    );
    let body = |n: u64, stay: u64, go: u64| {
        trace(
            r#"{"threads":[["p",2]]}"#,
            &format!(
                r#"{{"repeat":{n},"items":[{{"rule":"r1","moved":[{{"from":"p","to":"p","count":{stay}}},
                   {{"from":"p","to":"q","count":{go}}}]}}]}}"#
            ),
        )
    };
    accepted(&system, "trace", &body(10, 0, 2));
    rejected(&system, "trace", &body(10, 1, 1), Condition::TraceRepeat, &["`p`", "changes by 1"]);
    // Three would leave three: the count is kept, but there are only two to begin with.
    rejected(&system, "trace", &body(10, 1, 2), Condition::TraceMoves, &["3 threads in `p`", "are 2"]);
    rejected(&system, "trace", &body(1, 1, 2), Condition::TraceMoves, &["3 threads in `p`", "there are 2"]);
}
