//! The interface of those who answer questions about C programs.
//!
//! A contender works on a [`Problem`] until it has an [`Ending`] or its budget ends, tells [`News`] on the way, and never looks at
//! the clock. One that is asked for an [`Effort::Opening`] ends soon, by counting its own work, so that contenders that take turns on
//! one thread do the same each time. To add one: a file beside the others in `contenders`, and its turns in `race::TURNS`.

use crate::observe::ProverEvent;
use std::sync::Arc;
use throng_base::Budget;
use throng_check::c::Explored;
use throng_cprog::flow::Program;
use throng_cprog::invariant::Invariant;
use throng_cprog::merge::Merged;
use throng_cprog::trace::Trace;
use throng_engine::{Progress, Statistics, UnknownReason};

/// What is asked.
pub(crate) struct Problem {
    /// The program, which interleavings are about.
    pub(crate) program: Arc<Program>,
    /// The same in larger steps, which invariants are about.
    pub(crate) prepared: Arc<Merged>,
    /// How many threads there may be, the first one included; `None` for any number.
    pub(crate) max_threads: Option<u32>,
    /// How it is proved.
    pub(crate) prover: throng_abstraction::Options,
}

/// How much is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// What can be done soon.
    Opening,
    /// All that can be done.
    Full,
}

/// What a contender tells.
pub(crate) enum News {
    /// How far it is, and what it has counted.
    Progress(Progress, Statistics),
    /// What a proof is going through.
    Prover(ProverEvent),
}

/// How a contender ended.
pub(crate) enum Ending {
    /// No error is reachable.
    Proof(Box<Invariant>),
    /// All states were explored, and none has an error.
    Explored(Explored),
    /// An error is reachable.
    Error(Trace),
    /// It did not find out.
    Unknown(UnknownReason),
    /// A bug of ours, in words.
    Internal(String),
}

/// Somebody who answers questions about C programs.
pub(crate) trait Contender: Sync {
    /// The name, as in `--engine` and in results.
    fn name(&self) -> &'static str;

    /// Whether it looks for proofs, so that what it tells is about one.
    fn is_prover(&self) -> bool;

    /// Works until it has an answer or gives up.
    fn run(&self, problem: &Problem, effort: Effort, budget: &Budget, tell: &mut dyn FnMut(News)) -> Ending;
}
