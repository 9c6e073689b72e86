//! Two rounds of merging as one: edges and arbitrary values of the second in terms of the original.
//!
//! An edge of the second round is made of edges of the first, each of which is made of edges of the original: the path is all of
//! these in order. An arbitrary value has a number in the original, one in the edge of the first round and one in that of the second. Within
//! an edge of the first round, different parts have different numbers. A value that the first round's edge does not use any more is not
//! among the choices of the second: it does not matter.

use super::{Choice, Merged};
use crate::flow::EdgeId;

/// What two rounds make of a program.
pub(super) fn together(first: &Merged, second: Merged) -> Merged {
    let paths = second.paths.iter().map(|parts| path(first, parts)).collect();
    let choices = second.paths.iter().zip(&second.choices).map(|(parts, later)| choices(first, parts, later));
    Merged { choices: choices.collect(), paths, program: second.program }
}

fn path(first: &Merged, parts: &[EdgeId]) -> Vec<EdgeId> {
    parts.iter().flat_map(|part| &first.paths[part.index()]).copied().collect()
}

fn choices(first: &Merged, parts: &[EdgeId], later: &[Choice]) -> Vec<Choice> {
    let mut all = Vec::new();
    let mut offset = 0;
    for (number, part) in parts.iter().enumerate() {
        for choice in &first.choices[part.index()] {
            let used = later.iter().find(|it| it.part == number && it.original == choice.nondet);
            all.extend(used.map(|it| Choice { part: offset + choice.part, nondet: it.nondet, ..*choice }));
        }
        offset += first.paths[part.index()].len();
    }
    all
}
