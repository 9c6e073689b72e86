//! The fuzz targets, about a second each, from mutated valid texts; `FUZZ_SECONDS` says otherwise.

use std::time::{Duration, Instant};
use throng_lab::choices::SplitMix64;
use throng_lab::fuzz::{TARGETS, mutate};

/// Runs a target on its seeds and on texts made from them, until the time is up.
fn run(name: &str) {
    let target = TARGETS.into_iter().find(|target| target.name == name).expect("a listed target");
    // Fuzzing from texts that are refused would test error messages only.
    let refused = target.seeds.iter().find(|seed| name != "checker" && !(target.run)(seed.as_bytes()));
    assert_eq!(refused, None, "a seed of {name} is refused");
    let (mut random, mut n_accepted) = (SplitMix64::new(1), 0);
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let time = seconds.map_or(Duration::from_millis(800), Duration::from_secs);
    let started = Instant::now();
    while started.elapsed() < time {
        let input = mutate(&mut random, target.seeds);
        let outcome = std::panic::catch_unwind(|| (target.run)(&input));
        let accepted =
            outcome.unwrap_or_else(|_| panic!("{name} fails on {:?}", input.escape_ascii().to_string()));
        n_accepted += usize::from(accepted);
    }
    assert!(n_accepted > 0, "{name} refused every mutated input");
}

macro_rules! targets {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })*

        #[test]
        fn every_target_is_run_here() {
            let names = [$(stringify!($name)),*];
            assert_eq!(names, TARGETS.map(|target| target.name));
        }
    };
}

targets!(
    tts,
    spec,
    pnml,
    mcc,
    lola,
    lola_formula,
    tina,
    pnet,
    pl,
    boolprog,
    cprog,
    config_text,
    evidence_json,
    checker,
);
