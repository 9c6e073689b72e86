//! Being written.
use crate::{Answer, Observer, Outcome, Statistics, UnknownReason};
use throng_base::{Budget, StopReason};
use throng_model::TransitionSystem;

/// Being written.
pub fn search(_system: &dyn TransitionSystem, _budget: &Budget, _observer: &dyn Observer) -> Outcome {
    Outcome {
        answer: Answer::Unknown(UnknownReason::Stopped(StopReason::Cancelled)),
        statistics: Statistics::default(),
    }
}
