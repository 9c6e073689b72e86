//! Random programs: the search with all reductions, and a search that tries everything, agree.

mod common;

use common::{naive, random};
use std::time::Duration;
use throng_base::{Budget, Limits};
use throng_explore::{BoundedOptions, Outcome};

/// Compares one program; tells whether it has an error, or `None` if it is too large.
fn compare(seed: u64) -> Option<bool> {
    let program = random::program(&mut random::Random::new(seed));
    let mut fewest = None;
    for n in 1..=3 {
        if naive::reaches_error(&program, n, 30_000)? {
            fewest = Some(n as u32);
            break;
        }
    }
    for (partial_orders, symmetry) in [(true, true), (false, false), (true, false), (false, true)] {
        let options =
            BoundedOptions { max_threads: Some(3), partial_orders, symmetry, ..BoundedOptions::default() };
        // A program that makes ever larger terms would be searched for ever.
        let budget = Budget::unlimited();
        let limits = Limits { time: Some(Duration::from_secs(5)), memory: None };
        let _watchdog = budget.watch(limits, || None);
        match throng_explore::search(&program, &options, &budget, &mut |_| ()) {
            Outcome::Unsafe { trace, .. } => {
                let n = common::n_threads(&program, &trace);
                assert!(fewest.is_some(), "seed {seed}: there is no error, {options:?}");
                assert_eq!(fewest, Some(n), "seed {seed}: the fewest threads, {options:?}");
            }
            Outcome::NoBug { complete_up_to, is_exhausted, .. } => {
                assert_eq!(fewest, None, "seed {seed}: an error is missed, {options:?}");
                assert!(complete_up_to == 3 || is_exhausted, "seed {seed}: everything is explored");
            }
            Outcome::Stopped { .. } => return None,
            Outcome::Internal(text) => panic!("seed {seed}: {text}, {options:?}"),
        }
    }
    Some(fewest.is_some())
}

#[test]
fn random_programs_agree_with_trying_everything() {
    let first: u64 = std::env::var("BOUNDED_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let count: u64 = std::env::var("BOUNDED_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let mut n_unsafe = 0;
    let mut n_compared = 0;
    for seed in first..first + count {
        if let Some(is_unsafe) = compare(seed) {
            n_compared += 1;
            n_unsafe += u64::from(is_unsafe);
        }
    }
    println!("{n_compared} compared, {n_unsafe} unsafe");
    assert!(n_compared * 100 > count * 95, "most programs are small enough: {n_compared}");
    assert!(n_unsafe * 10 > n_compared && n_unsafe * 10 < n_compared * 9, "both kinds occur: {n_unsafe}");
}
