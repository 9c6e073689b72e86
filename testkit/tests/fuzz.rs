//! The fuzz targets, about a second each, from mutated valid texts.

use std::time::{Duration, Instant};
use throng_testkit::choices::SplitMix64;
use throng_testkit::fuzz::{TARGETS, mutate};

/// Runs a target on its seeds and on texts made from them, until the time is up.
fn run(name: &str) {
    let target = TARGETS.into_iter().find(|target| target.name == name).expect("a listed target");
    target.seeds.iter().for_each(|seed| (target.run)(seed.as_bytes()));
    let mut random = SplitMix64::new(1);
    let started = Instant::now();
    while started.elapsed() < Duration::from_millis(800) {
        let input = mutate(&mut random, target.seeds);
        let outcome = std::panic::catch_unwind(|| (target.run)(&input));
        assert!(outcome.is_ok(), "{name} fails on {:?}", String::from_utf8_lossy(&input));
    }
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

targets!(tts, spec, pnml, mcc, lola, lola_formula, tina, pnet, pl, config_text, evidence_json, checker,);
