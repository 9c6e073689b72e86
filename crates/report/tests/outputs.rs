//! Text, JSON and DOT against the files in `tests/golden`. `UPDATE_GOLDEN=1 cargo test` rewrites the files;
//! review the difference.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{golden, validator};
use throng_base::{Diagnostic, Source, Span, StopReason};
use throng_cert::{CoverSet, Cut, Evidence, Proof, Trace, TraceItem};
use throng_engine::{Statistics, UnknownReason};
use throng_model::names::NameTable;
use throng_model::{
    Bag, Config, Initial, LocalId, Move, Moved, Names, OMEGA, Rule, RuleId, SharedId, Step, System,
    SystemBuilder,
};
use throng_report::{Case, Cost, Finding, Phase, RunResult, dot, json, text};

fn bag(locals: &[(usize, u32)]) -> Bag {
    Bag::from_counts(locals.iter().map(|&(local, count)| (LocalId::new(local), count))).unwrap()
}

fn config(shared: usize, locals: &[(usize, u32)]) -> Config {
    Config::new(SharedId::new(shared), bag(locals))
}

fn rule(
    shared: (usize, usize),
    take: &[(usize, u32)],
    put: &[(usize, u32)],
    moves: &[(usize, &[usize])],
) -> Rule {
    let moves = moves.iter().map(|&(source, destinations)| Move {
        source: LocalId::new(source),
        destinations: destinations.iter().copied().map(LocalId::new).collect(),
    });
    Rule {
        from: SharedId::new(shared.0),
        to: SharedId::new(shared.1),
        take: bag(take),
        put: bag(put),
        moves: moves.collect(),
    }
}

fn names(names: &[&str]) -> Names {
    let mut table = NameTable::default();
    for name in names {
        table.insert(name);
    }
    Names::Listed(table)
}

fn step(rule: usize, moved: &[(usize, Option<usize>, u32)]) -> TraceItem {
    let moved = moved.iter().map(|&(from, to, count)| Moved {
        from: LocalId::new(from),
        to: to.map(LocalId::new),
        count,
    });
    TraceItem::Step(Step { rule: RuleId::new(rule), moved: moved.collect() })
}

/// A lock that is tested and set in two steps: two threads get it.
fn broken_lock() -> System {
    let mut builder = SystemBuilder::new(names(&["free", "taken"]), names(&["idle", "saw_free", "critical"]));
    builder.rule(&rule((0, 0), &[(0, 1)], &[(1, 1)], &[]), 4);
    builder.rule(&rule((0, 1), &[(1, 1)], &[(2, 1)], &[]), 5);
    builder.rule(&rule((1, 1), &[(1, 1)], &[(2, 1)], &[]), 6);
    builder.rule(&rule((1, 0), &[(2, 1)], &[(0, 1)], &[]), 8);
    let unbounded = vec![LocalId::new(0)];
    builder.initial(Initial { shared: SharedId::new(0), exact: Bag::new(), unbounded });
    builder.target(config(1, &[(2, 2)]));
    builder.finish().unwrap()
}

fn broken_lock_trace(threads: u32) -> Evidence {
    let items = vec![step(0, &[]), step(0, &[]), step(1, &[]), step(2, &[])];
    Evidence::Trace(Trace { initial: config(0, &[(0, threads)]), items })
}

/// A main thread that creates workers, wakes all who sleep, and ends.
fn pool() -> System {
    let locals = names(&["main", "asleep", "awake", "working"]);
    let mut builder = SystemBuilder::new(Names::Numbered(2), locals);
    builder.rule(&rule((0, 0), &[(0, 1)], &[(0, 1), (1, 1)], &[]), 3);
    builder.rule(&rule((0, 1), &[(0, 1)], &[], &[(1, &[1, 2])]), 4);
    builder.rule(&rule((1, 1), &[(2, 1)], &[(3, 1)], &[]), 5);
    builder.rule(&rule((1, 0), &[], &[], &[(1, &[])]), 6);
    builder.initial(Initial { shared: SharedId::new(0), exact: bag(&[(0, 1)]), unbounded: Vec::new() });
    builder.target(config(0, &[(3, 2)]));
    builder.finish().unwrap()
}

fn pool_trace() -> Evidence {
    let items = vec![
        TraceItem::Repeat { times: 3, items: vec![step(0, &[])] },
        step(1, &[(1, Some(2), 2), (1, Some(1), 1)]),
        step(2, &[]),
        step(2, &[]),
        step(3, &[(1, None, 1)]),
    ];
    Evidence::Trace(Trace { initial: config(0, &[(0, 1)]), items })
}

/// A net in which two tokens make one.
fn factory() -> System {
    let mut builder = SystemBuilder::net(names(&["raw", "part", "box \"x\""]));
    builder.named_rule("cut", &rule((0, 0), &[(0, 1)], &[(1, 2)], &[]), 7).unwrap();
    builder.named_rule("pack", &rule((0, 0), &[(1, 3)], &[(2, 1)], &[]), 9).unwrap();
    builder.initial(Initial { shared: SharedId::new(0), exact: bag(&[(0, 3000)]), unbounded: Vec::new() });
    builder.target(config(0, &[(2, 2000)]));
    builder.target(config(0, &[(1, 9000)]));
    builder.finish().unwrap()
}

fn factory_trace() -> Evidence {
    let pack = TraceItem::Repeat { times: 2, items: vec![step(1, &[])] };
    let round = vec![step(0, &[]), step(0, &[]), step(0, &[]), pack];
    let items = vec![TraceItem::Repeat { times: 1000, items: round }];
    Evidence::Trace(Trace { initial: config(0, &[(0, 3000)]), items })
}

fn lock_proof() -> Evidence {
    let cut = Cut {
        shared: vec![(SharedId::new(1), 1)],
        locals: vec![(LocalId::new(2), 2)],
        bound: 1,
        traps: Vec::new(),
    };
    let elements = vec![config(1, &[(2, 2)]), config(1, &[(1, 1), (2, 1)]), config(0, &[(1, 2)])];
    Evidence::Proof(Proof { cuts: vec![cut], traps: Vec::new(), elements })
}

fn counters() -> Statistics {
    let mut statistics = Statistics::default();
    statistics.push("elements", 3);
    statistics.push("predecessors", 12);
    statistics
}

fn warning() -> Diagnostic {
    let source = Source::from_text("models/lock.tts", "2 3\n0 0 -> 0 0\n");
    Diagnostic::warning("W0102", "this rule changes nothing")
        .at(&source, Span::new(4, 14), "")
        .hint("remove it")
}

fn decided<'a>(system: &'a System, evidence: &'a Evidence, statistics: &'a Statistics) -> RunResult<'a> {
    RunResult {
        file: "models/lock.tts",
        arguments: "models/lock.tts",
        format: Some("tts"),
        threads: None,
        engine: "backward",
        contest: &[],
        finding: Finding::Decided { case: Case::System { system, evidence }, checked: true },
        statistics,
        proving: None,
        assertions: &[],
        proved: &[],
        warnings: &[],
        evidence_file: None,
        cost: None,
    }
}

const PLAIN: text::TextOptions = text::TextOptions { width: 100, verbose: false };

#[test]
fn an_interleaving_is_a_table_with_a_column_per_thread() {
    let (system, statistics) = (broken_lock(), counters());
    golden("lock-unsafe.txt", &text::render(&decided(&system, &broken_lock_trace(2), &statistics), PLAIN));
}

#[test]
fn threads_that_never_act_are_summed_up() {
    let (system, statistics) = (broken_lock(), counters());
    golden(
        "lock-bystanders.txt",
        &text::render(&decided(&system, &broken_lock_trace(40), &statistics), PLAIN),
    );
}

#[test]
fn creation_broadcast_and_end_of_threads_are_shown() {
    let (system, statistics) = (pool(), counters());
    golden("pool-unsafe.txt", &text::render(&decided(&system, &pool_trace(), &statistics), PLAIN));
}

#[test]
fn a_narrow_screen_gets_a_list_of_steps() {
    let (system, statistics) = (pool(), counters());
    let options = text::TextOptions { width: 40, verbose: false };
    golden("pool-narrow.txt", &text::render(&decided(&system, &pool_trace(), &statistics), options));
}

#[test]
fn a_net_gets_a_list_of_firings_with_repetitions_not_unrolled() {
    let (system, statistics) = (factory(), counters());
    golden("factory-unsafe.txt", &text::render(&decided(&system, &factory_trace(), &statistics), PLAIN));
}

#[test]
fn a_long_trace_shows_its_beginning_and_its_end() {
    let (system, statistics) = (broken_lock(), counters());
    let round = [step(0, &[]), step(1, &[]), step(3, &[])];
    let mut items: Vec<TraceItem> = (0..300).flat_map(|_| round.clone()).collect();
    items.extend([step(0, &[]), step(0, &[]), step(1, &[]), step(2, &[])]);
    let evidence = Evidence::Trace(Trace { initial: config(0, &[(0, 2)]), items });
    let run = decided(&system, &evidence, &statistics);
    let shown = text::render(&run, PLAIN);
    assert!(shown.lines().count() < 230 && shown.contains("rows left out"), "{shown}");
    let all = text::render(&run, text::TextOptions { width: 100, verbose: true });
    assert!(all.lines().count() > 904 && !all.contains("rows left out"), "{all}");
}

#[test]
fn a_trace_that_is_no_execution_is_not_shown_as_one() {
    let (system, statistics) = (broken_lock(), counters());
    for items in [vec![step(3, &[])], vec![step(99, &[])], vec![step(0, &[(0, None, 1)])]] {
        let evidence = Evidence::Trace(Trace { initial: config(0, &[(0, 2)]), items });
        let text = text::render(&decided(&system, &evidence, &statistics), PLAIN);
        assert!(text.contains("not an execution"), "{text}");
    }
}

#[test]
fn a_proof_is_summed_up_in_words_with_warnings_last() {
    let (system, statistics, evidence) = (broken_lock(), counters(), lock_proof());
    let warnings = [warning()];
    let run = RunResult {
        assertions: &[],
        proved: &[],
        warnings: &warnings,
        evidence_file: Some("proof.json"),
        ..decided(&system, &evidence, &statistics)
    };
    let options = text::TextOptions { width: 100, verbose: true };
    golden("lock-safe.txt", &text::render(&run, options));
    golden("lock-safe.json", &json::render(&run));
}

#[test]
fn a_proof_for_some_threads_does_not_claim_more() {
    let (system, statistics, evidence) = (broken_lock(), counters(), lock_proof());
    let run = RunResult { threads: Some(3), ..decided(&system, &evidence, &statistics) };
    let text = text::render(&run, PLAIN);
    let claim = "safe: no bad configuration can be reached for 3 threads (--threads); other numbers were not looked at.";
    assert!(text.contains(claim) && text.contains("(for 3 threads only)"), "{text}");
    assert!(!text.contains("however many") && text.ends_with("\nverdict: safe\n"), "{text}");
    assert!(json::render(&run).contains("\"threads\": 3"), "{}", json::render(&run));
}

#[test]
fn evidence_that_nobody_checked_is_called_unchecked() {
    let (system, statistics, evidence) = (broken_lock(), counters(), lock_proof());
    let mut run = decided(&system, &evidence, &statistics);
    let case = Case::System { system: &system, evidence: &evidence };
    run.finding = Finding::Decided { case, checked: false };
    assert!(text::render(&run, PLAIN).ends_with("\nverdict: safe (unchecked)\n"));
    assert!(json::render(&run).contains("\"checked\": false"));
}

#[test]
fn an_unknown_says_why_and_what_was_counted() {
    let (system, statistics) = (broken_lock(), counters());
    let reason = UnknownReason::Stopped(StopReason::Timeout);
    let evidence = lock_proof();
    let mut run = decided(&system, &evidence, &statistics);
    run.finding =
        Finding::Unknown { subject: Some((&system).into()), reason: &reason, phase: Phase::Searching };
    run.cost = Some(Cost { elapsed: std::time::Duration::from_millis(1500), memory: Some(1 << 20) });
    golden("lock-unknown.txt", &text::render(&run, PLAIN));
    golden("lock-unknown.json", &json::render(&run));
}

#[test]
fn graphs_of_systems_proofs_and_traces() {
    golden("lock-system.dot", &dot::system(&broken_lock()));
    golden("pool-system.dot", &dot::system(&pool()));
    golden("factory-system.dot", &dot::system(&factory()));
    let Evidence::Proof(proof) = lock_proof() else { unreachable!() };
    golden("lock-proof.dot", &dot::proof(&broken_lock(), &proof));
    let elements = vec![config(0, &[(0, OMEGA), (1, OMEGA)]), config(1, &[(0, OMEGA), (1, OMEGA), (2, 1)])];
    golden("lock-cover.dot", &dot::cover_set(&broken_lock(), &CoverSet { elements }));
    let Evidence::Trace(trace) = factory_trace() else { unreachable!() };
    golden("factory-trace.dot", &dot::trace(&factory(), &trace).unwrap());
}

#[test]
fn result_documents_fit_their_schema() {
    let validator = validator("result-v1.schema.json");
    let statistics = counters();
    let warnings = [warning()];
    let reason = UnknownReason::CountOverflow;
    let (lock, pool, factory) = (broken_lock(), pool(), factory());
    let cover = Evidence::CoverSet(CoverSet { elements: vec![config(0, &[(0, OMEGA)])] });
    let (proof, trace) = (lock_proof(), broken_lock_trace(2));
    let (moving, repeating) = (pool_trace(), factory_trace());
    let unread = Finding::Unknown { subject: None, reason: &reason, phase: Phase::Reading };
    let runs = [
        decided(&lock, &proof, &statistics),
        decided(&lock, &cover, &statistics),
        RunResult {
            assertions: &[],
            proved: &[],
            warnings: &warnings,
            evidence_file: Some("t.json"),
            ..decided(&lock, &trace, &statistics)
        },
        decided(&pool, &moving, &statistics),
        decided(&factory, &repeating, &statistics),
        RunResult { finding: unread, format: None, ..decided(&lock, &trace, &statistics) },
    ];
    for run in runs {
        validator.check(&json::render(&run));
    }
}
