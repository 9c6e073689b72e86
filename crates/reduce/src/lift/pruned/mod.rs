//! Lifting over a [`Pruning`]: what was left out comes back.
//!
//! * `trace`: rules get their original numbers, and threads outside the cone come back, those in unbounded locals
//!   as many as are needed (`supply`).
//! * `proof`: what excludes the thread states that no run shows comes back; `cuts`: cuts and traps are restricted.
//! * `cover`: locals outside the cone come back as ω, shared states outside it with everything.

mod cover;
mod cuts;
mod proof;
mod supply;
mod trace;

use super::LiftError;
use crate::pruning::Pruning;
use throng_base::Budget;
use throng_cert::Evidence;
use throng_model::System;

/// Evidence about the system that was pruned from evidence about the pruned one.
pub(super) fn lift(
    pruning: &Pruning,
    original: &System,
    evidence: Evidence,
    budget: &Budget,
) -> Result<Evidence, LiftError> {
    match evidence {
        Evidence::Trace(trace) => trace::lift(pruning, original, &trace, budget).map(Evidence::Trace),
        Evidence::Proof(proof) => proof::lift(pruning, original, proof, budget).map(Evidence::Proof),
        Evidence::CoverSet(set) => cover::lift(pruning, original, &set, budget).map(Evidence::CoverSet),
    }
}
