//! Lifting: evidence about a reduced system becomes evidence about the original.
//!
//! * `trace`: rules get their original numbers, and threads outside the cone come back, those in unbounded locals
//!   as many as are needed (`supply`).
//! * `proof`: what excludes the thread states that no run shows comes back; `cuts`: cuts and traps are restricted.
//! * `cover`: locals outside the cone come back as ω, shared states outside it with everything.
//!
//! Each module's head has the argument why the result is evidence. Lifting can fail ([`LiftError`]): then there is
//! no evidence about the original, and the original itself has to be searched.

mod cover;
mod cuts;
mod proof;
mod supply;
mod trace;

use crate::Reduction;
use throng_base::{Budget, StopReason};
use throng_cert::Evidence;
use throng_model::System;
use throng_model::bag::CountOverflow;

/// Why evidence could not be lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LiftError {
    /// The budget ended.
    #[error("stopped: {0}")]
    Stopped(StopReason),
    /// The lifted evidence would be too large.
    #[error("the lifted evidence is too large")]
    TooLarge,
    /// A count would be too large.
    #[error("more threads in one local state than a count can hold")]
    CountOverflow,
    /// A rule of the original that the reduced system does not have raises a cut or empties a trap.
    #[error("a cut or a trap of the reduced system does not hold in the original")]
    Cuts,
    /// The evidence is not about the reduced system.
    #[error("the evidence is not about the reduced system")]
    Foreign,
}

impl From<StopReason> for LiftError {
    fn from(reason: StopReason) -> Self {
        LiftError::Stopped(reason)
    }
}

impl From<CountOverflow> for LiftError {
    fn from(_: CountOverflow) -> Self {
        LiftError::CountOverflow
    }
}

impl Reduction {
    /// Evidence about the original from evidence about the reduced system. `original` is the system that was
    /// reduced.
    pub fn lift(
        &self,
        original: &System,
        evidence: Evidence,
        budget: &Budget,
    ) -> Result<Evidence, LiftError> {
        match evidence {
            Evidence::Trace(trace) => trace::lift(self, original, &trace, budget).map(Evidence::Trace),
            Evidence::Proof(proof) => proof::lift(self, original, proof, budget).map(Evidence::Proof),
            Evidence::CoverSet(set) => cover::lift(self, original, &set, budget).map(Evidence::CoverSet),
        }
    }
}
