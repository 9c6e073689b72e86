//! Larger steps and slicing: errors are reachable exactly if they were, with as many threads.

mod common;

use common::{naive, random};
use throng_cprog::flow::Program;
use throng_cprog::merge::{merge, slice};

/// The fewest threads, up to 3, with which an error is reached; `None` if there are too many states.
fn fewest(program: &Program, most: usize) -> Option<Option<usize>> {
    for n in 1..=3 {
        if naive::reaches_error(program, n, most)? {
            return Some(Some(n));
        }
    }
    Some(None)
}

/// Compares one program; tells whether it has an error and how many edges it had and has, or `None` if it is too large.
fn compare(seed: u64) -> Option<(bool, usize, usize)> {
    let program = random::program(&mut random::Random::new(seed));
    let expected = fewest(&program, 20_000)?;
    let sliced = slice(&program);
    assert_eq!(fewest(&sliced, 20_000)?, expected, "seed {seed}: sliced");
    let merged = merge(&program);
    assert_eq!(fewest(&merged.program, 20_000)?, expected, "seed {seed}: merged");
    let both = merge(&sliced);
    assert_eq!(fewest(&both.program, 20_000)?, expected, "seed {seed}: sliced and merged");
    let count = |program: &Program| program.locations.iter().filter(|location| location.edges.1 > 0).count();
    Some((expected.is_some(), count(&program), count(&both.program)))
}

#[test]
fn random_programs_have_the_same_errors() {
    let first: u64 = std::env::var("MERGE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let count: u64 = std::env::var("MERGE_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let (mut n_compared, mut n_unsafe, mut n_before, mut n_after) = (0, 0, 0, 0);
    for (is_unsafe, before, after) in (first..first + count).filter_map(compare) {
        n_compared += 1;
        n_unsafe += u64::from(is_unsafe);
        n_before += before;
        n_after += after;
    }
    println!("{n_compared} compared, {n_unsafe} unsafe, {n_before} locations, {n_after} after merging");
    assert!(n_compared * 100 > count * 90, "most programs are small enough: {n_compared}");
    assert!(n_unsafe * 10 > n_compared && n_unsafe * 10 < n_compared * 9, "both kinds occur: {n_unsafe}");
    assert!(n_after < n_before, "something is merged: {n_before}, {n_after}");
}
