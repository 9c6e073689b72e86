//! Programs with finite data are decided as systems: proofs are accepted, interleavings are real, and nothing else is said than by
//! trying everything.

#[path = "../../explore/tests/common/mod.rs"]
mod common;

use common::{naive, random};
use std::path::Path;
use throng_base::Budget;
use throng_c_front::lower::{Options as Reading, read};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::Program;
use throng_check::c::check_invariant;
use throng_prove::{Counted, Exact, ExactLimits, Exactly, Unlisted, prepare};

/// Decides a program; also says how large it became.
fn decide(program: &Program) -> (Exactly, Counted) {
    decide_within(program, ExactLimits { steps: 300_000, ..ExactLimits::FEW })
}

fn decide_within(program: &Program, limits: ExactLimits) -> (Exactly, Counted) {
    let prepared = prepare(program);
    let mut counted = Counted::default();
    let exact = Exact { original: program, prepared: &prepared, limits, jobs: 1, seed: 0 };
    let found = exact.decide(&Budget::unlimited(), &mut |it| counted = *it);
    if let Exactly::Safe(invariant) = &found {
        let accepted = check_invariant(&prepared.program, invariant, &Budget::unlimited());
        // Only what is not tracked may make a proof too weak.
        assert!(accepted.is_ok() || counted.untracked > 0, "{accepted:?}\n{}", prepared.program.text());
        if accepted.is_err() {
            return (Exactly::Unknown(throng_engine::UnknownReason::Inconclusive), counted);
        }
    }
    (found, counted)
}

#[test]
fn programs_with_finite_data_are_decided() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let safe = ["barrier-broadcast", "bsd-akbd", "dekker", "peterson", "semaphore", "spin", "szymanski"];
    let broken = ["barrier-broadcast-no-test", "bsd-akbd-if-wait", "dekker-flag-late", "semaphore-if-wait"];
    for (name, is_safe) in safe.map(|name| (name, true)).into_iter().chain(broken.map(|name| (name, false))) {
        let file = folder.join(format!("{name}.c"));
        let program = read(&[file], &Preprocessing::default(), &Reading::default()).expect("it is read").0;
        match decide(&program).0 {
            Exactly::Safe(_) => assert!(is_safe, "{name}"),
            Exactly::Unsafe(_) => assert!(!is_safe, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// Finite versions of all programs of `tests/c` that have numbers of many bits.
#[test]
fn finite_versions_of_programs_with_many_values_are_decided() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/finite");
    let index = std::fs::read_to_string(folder.join("index.csv")).expect("there is an index");
    for line in index.lines().skip(1) {
        let (name, rest) = line.split_once(',').expect("a file and its verdict");
        let (expected, options) = rest.split_once(',').expect("a verdict and options");
        let run = options.trim_matches('"').strip_prefix("--threads-run ").unwrap_or_default();
        let threads_run = run.split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect();
        let reading = Reading { threads_run, ..Reading::default() };
        let file = folder.join(name);
        let program = read(&[file], &Preprocessing::default(), &reading).expect("it is read").0;
        let (found, counted) = decide_within(&program, ExactLimits::MANY);
        assert_eq!(counted.untracked, 0, "{name}");
        match found {
            Exactly::Safe(_) => assert_eq!(expected, "safe", "{name}"),
            Exactly::Unsafe(_) => assert_eq!(expected, "unsafe", "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn all_thread_states_are_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let list = |name: &str| {
        let file = folder.join(name);
        let program = read(&[file], &Preprocessing::default(), &Reading::default()).expect("it is read").0;
        let prepared = prepare(&program);
        let limits = ExactLimits::LIST;
        let exact = Exact { original: &program, prepared: &prepared, limits, jobs: 1, seed: 0 };
        exact.list(&Budget::unlimited()).map(|listed| (listed.system.n_shared(), listed.system.n_locals()))
    };
    assert_eq!(list("spin.c"), Ok((3, 7)));
    // Tickets have 2^32 values, of which some are met before it is given up.
    assert!(matches!(list("ticket.c"), Err(Unlisted::Variable(_))));
}

#[test]
fn random_programs_are_decided_as_by_trying_everything() {
    let count = std::env::var("EXACT_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    let first = std::env::var("EXACT_FIRST").ok().and_then(|first| first.parse().ok()).unwrap_or(1);
    let (mut n_safe, mut n_unsafe, mut n_unknown) = (0, 0, 0);
    for seed in first..first + count {
        let program = random::program(&mut random::Random::new(seed));
        let reaches = |n: usize| naive::reaches_error(&program, n, 30_000);
        match decide(&program).0 {
            Exactly::Safe(_) => {
                n_safe += 1;
                let is_wrong = (1..=3).any(|n| reaches(n) == Some(true));
                assert!(!is_wrong, "seed {seed}: an unsafe program is proved");
            }
            Exactly::Unsafe(trace) => {
                n_unsafe += 1;
                let n = throng_prove::n_threads(&program, &trace);
                assert_ne!(reaches(n), Some(false), "seed {seed}: safe with {n} threads");
            }
            Exactly::Unknown(_) => n_unknown += 1,
            Exactly::Internal(message) => panic!("seed {seed}: {message}"),
        }
    }
    println!("{n_safe} safe, {n_unsafe} unsafe, {n_unknown} unknown");
    assert!(n_safe > count / 10 && n_unsafe > count / 10, "{n_safe} safe, {n_unsafe} unsafe of {count}");
}
