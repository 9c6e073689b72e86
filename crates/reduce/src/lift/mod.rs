//! Lifting: evidence about a reduced system becomes evidence about the original.
//!
//! Evidence is lifted over one stage after the other, the last one first: `pruned` brings back what was left out,
//! `agglomerated` brings back the locals that threads pass through.
//!
//! Each module's head has the argument why the result is evidence. Lifting can fail ([`LiftError`]): then there is
//! no evidence about the original, and the original itself has to be searched.

mod agglomerated;
mod cut_index;
mod firings;
mod pruned;

use crate::{Reduction, Stage};
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
        mut evidence: Evidence,
        budget: &Budget,
    ) -> Result<Evidence, LiftError> {
        for (i, stage) in self.stages.iter().enumerate().rev() {
            let before = i.checked_sub(1).map_or(original, |i| self.stages[i].system());
            evidence = match stage {
                Stage::Pruning(pruning) => pruned::lift(pruning, before, evidence, budget)?,
                Stage::Agglomeration(agglomeration) => {
                    agglomerated::lift(agglomeration, before, evidence, budget)?
                }
            };
        }
        Ok(evidence)
    }
}
