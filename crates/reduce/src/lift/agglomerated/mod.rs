//! Lifting over an [`Agglomeration`] with substitution σ: the replaced locals come back.
//!
//! * `trace`: a step stands for entries, its rule, and exits, by (A5) of [`crate::agglomeration`].
//! * Invariants become their preimages under σ. If N is an inductive invariant of the agglomerated system, so is
//!   σ⁻¹(N) in the original: an initial configuration c has σ(c) = c, a step leads from σ(c) to σ(c′) or changes nothing
//!   there (A4), and a target is in both or in none. `proof` and `cover` compute preimages of sets that are given by
//!   minimal or maximal elements, `cuts` those of linear bounds.
//!
//! Evidence about the agglomerated system may mention replaced locals, where no thread ever is. That means nothing
//! and is left out first.

mod cover;
mod cuts;
mod proof;
mod trace;

use super::LiftError;
use crate::agglomeration::Agglomeration;
use crate::groups::Groups;
use crate::substitution::Substitution;
use throng_base::Budget;
use throng_cert::Evidence;
use throng_model::{Entry, System};

/// Evidence about the system that was agglomerated from evidence about the agglomerated one.
pub(super) fn lift(
    agglomeration: &Agglomeration,
    original: &System,
    evidence: Evidence,
    budget: &Budget,
) -> Result<Evidence, LiftError> {
    let substitution = &agglomeration.substitution;
    match evidence {
        Evidence::Trace(trace) => trace::lift(agglomeration, original, &trace).map(Evidence::Trace),
        Evidence::Proof(proof) => proof::lift(substitution, original, proof, budget).map(Evidence::Proof),
        Evidence::CoverSet(set) => cover::lift(substitution, &set, budget).map(Evidence::CoverSet),
    }
}

/// How many entries the elements of a preimage may have.
const MOST_ENTRIES: usize = 1 << 20;

/// The replaced locals, by rank from `first` on, whose σ has a thread in common with a bag; each once, in order.
fn replaced_near(
    substitution: &Substitution,
    by_part: &Groups<u32>,
    bag: &[Entry],
    first: usize,
) -> Vec<usize> {
    let kept = bag.iter().filter(|entry| !substitution.replaces(entry.local));
    let near = kept.flat_map(|entry| by_part.of(entry.local.index())).map(|&rank| rank as usize);
    let mut near: Vec<usize> = near.filter(|&rank| rank >= first).collect();
    near.sort_unstable();
    near.dedup();
    near
}
