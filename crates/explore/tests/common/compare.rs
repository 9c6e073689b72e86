//! Comparing a program with what is made of it.

use super::{Builder, naive};
use throng_cfa::flow::*;
use throng_cfa::merge::{Merged, merge};

/// The fewest threads, up to 3, with which an error is reached; `None` if there are too many states.
pub fn fewest(program: &Program, most: usize) -> Option<Option<usize>> {
    for n in 1..=3 {
        if naive::reaches_error(program, n, most)? {
            return Some(Some(n));
        }
    }
    Some(None)
}

/// Merges, and sees that nothing has changed with up to 3 threads.
pub fn merged(program: &Program, is_unsafe: bool) -> Merged {
    assert_eq!(fewest(program, 100_000).expect("few states").is_some(), is_unsafe, "the original");
    let merged = merge(program);
    let after = fewest(&merged.program, 100_000).expect("few states");
    assert_eq!(after.is_some(), is_unsafe, "the merged program");
    merged
}

pub fn n_edges(merged: &Merged, from: LocationId) -> u32 {
    merged.program.location(from).edges.1
}

/// `main` starts threads for ever.
pub fn spawner(b: &mut Builder) -> (TemplateId, LocationId) {
    let (_, main) = b.template();
    let (worker, entry) = b.template();
    b.edge(main, main, None, &[], Some(Effect::Spawn { template: worker, arguments: Vec::new() }));
    (worker, entry)
}
