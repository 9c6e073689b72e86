//! An interleaving of the threads of a program: which thread takes which edge, and what is chosen there.
//!
//! A trace says everything that is not determined, so that whoever replays it needs no search: see
//! [`crate::flow`] for what a step does.

use crate::flow::{EdgeId, NondetId, VariableId};

/// A run from the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Values of variables that are arbitrary at the start, those of the first thread included: which scalar of which
    /// variable, and its value. What is not listed is 0.
    pub start: Vec<(VariableId, u32, u128)>,
    /// The steps.
    pub steps: Vec<TraceStep>,
}

/// A step of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The number of the thread, from 1.
    pub thread: u32,
    /// What it does.
    pub edge: EdgeId,
    /// The values of arbitrary expressions of the edge. What is not listed is 0.
    pub choices: Vec<(NondetId, u128)>,
    /// The thread that a signal wakes; `None` if there is no signal or nobody to wake.
    pub signalled: Option<u32>,
    /// Values of variables of the started thread that are arbitrary at its start, as in [`Trace::start`].
    pub started: Vec<(VariableId, u32, u128)>,
}
