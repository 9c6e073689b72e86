//! Exploration on random programs, with few threads: an error is met exactly if trying everything with numbers meets one, in the
//! program as it is and in larger steps.

#[path = "../../explore/tests/common/mod.rs"]
mod common;

use common::random::{self, Random};
use common::{locked, naive};
use throng_base::Budget;
use throng_cfa::flow::Program;
use throng_cfa::merge::stages;
use throng_check::Condition;
use throng_check::c::{Bounds, check_stages, explore};

/// How many states are looked at.
const MOST_STATES: usize = 4_000;

fn seeds(count: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("EXPLORE_SEED").unwrap_or(1);
    first..first + number("EXPLORE_COUNT").unwrap_or(count)
}

/// Programs of all kinds.
fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    match seed % 4 {
        0 => random::program_with(&mut random, 0),
        1 => random::program_with(&mut random, 60),
        2 => random::program(&mut random),
        _ => locked::program(&mut random),
    }
}

/// Whether exploring finds no error; `None` if not everything was explored.
fn is_safe(answer: Result<throng_check::c::Explored, throng_check::Rejection>) -> Option<bool> {
    match answer {
        Ok(_) => Some(true),
        Err(rejection) if rejection.condition == Condition::Explored => Some(false),
        Err(rejection) => {
            assert_eq!(rejection.condition, Condition::Size, "{rejection}");
            None
        }
    }
}

#[test]
fn exploring_agrees_with_trying_everything() {
    let (mut n_safe, mut n_unsafe, mut n_open) = (0, 0, 0);
    for seed in seeds(200) {
        let program = program(seed);
        for threads in 1..=3_u32 {
            let Some(is_unsafe) = naive::reaches_error(&program, threads as usize, MOST_STATES) else {
                continue;
            };
            let bounds = Bounds { threads: Some(threads), states: 20_000, most_threads: threads };
            let budget = Budget::unlimited();
            let stages = stages(&program);
            check_stages(&program, &stages, &budget).expect("larger steps are right");
            for program in [&program, &stages.last] {
                match is_safe(explore(program, &bounds, &budget)) {
                    Some(is_safe) => assert_eq!(is_safe, !is_unsafe, "seed {seed}, {threads} threads"),
                    None => n_open += 1,
                }
            }
            *(if is_unsafe { &mut n_unsafe } else { &mut n_safe }) += 1;
        }
    }
    assert!(n_safe > 20 && n_unsafe > 20, "{n_safe} safe, {n_unsafe} unsafe");
    assert!(20 * n_open < n_safe, "{n_open} of {n_safe} were not explored");
}
