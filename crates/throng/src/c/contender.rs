//! The interface of those who answer questions about C programs.
//!
//! A contender works on a [`Problem`] until it has an [`Ending`] or its budget ends, tells [`News`] on the way, and never looks at
//! the clock. One that is asked for an [`Effort::Opening`] ends soon, by counting its own work, so that contenders that take turns on
//! one thread do the same each time. To add one: a file beside the others in `contenders`, and its turns in `race::TURNS`.

use crate::observe::ProverEvent;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::Program;
use throng_cfa::invariant::Invariant;
use throng_cfa::merge::Merged;
use throng_cfa::trace::Trace;
use throng_check::c::Explored;
use throng_engine::{Progress, Statistics, UnknownReason};
use throng_prove::Filtered;

/// What is asked.
pub(crate) struct Problem {
    /// The program, which interleavings are about.
    pub(crate) program: Arc<Program>,
    /// The same in larger steps, which invariants are about.
    pub(crate) prepared: Arc<Merged>,
    /// How many threads there may be, the first one included; `None` for any number.
    pub(crate) max_threads: Option<u32>,
    /// How it is proved.
    pub(crate) prover: throng_prove::Options,
    /// What somebody has found out already.
    pub(crate) facts: Blackboard,
}

/// Facts that one contender has found and others begin with.
#[derive(Debug, Default)]
pub(crate) struct Blackboard {
    state: Mutex<Posted>,
    changed: Condvar,
}

#[derive(Debug, Default)]
enum Posted {
    /// Nobody is looking for any.
    #[default]
    Unasked,
    /// Somebody is.
    Expected,
    /// Somebody was, and has given up.
    Nothing,
    /// These.
    Facts(Arc<Filtered>),
}

/// How long a reader waits before it looks whether the run is over.
const GLANCE: Duration = Duration::from_millis(50);

impl Blackboard {
    /// Facts will come, or it will be said that none do.
    pub(crate) fn expect(&self) {
        self.set(Posted::Expected);
    }

    /// What was found; nothing if there is nothing to be told.
    pub(crate) fn post(&self, facts: Option<Filtered>) {
        self.set(facts.map_or(Posted::Nothing, |facts| Posted::Facts(Arc::new(facts))));
    }

    fn set(&self, posted: Posted) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // What is known is not forgotten.
        if !matches!(
            (&*state, &posted),
            (Posted::Facts(_), Posted::Nothing | Posted::Expected | Posted::Unasked)
        ) {
            *state = posted;
        }
        self.changed.notify_all();
    }

    /// The facts, after waiting for them if somebody looks for some. `None` if nobody does, `Some(None)` if there are none.
    pub(crate) fn wait(&self, budget: &Budget) -> Result<Option<Option<Arc<Filtered>>>, StopReason> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            budget.check()?;
            match &*state {
                Posted::Unasked => return Ok(None),
                Posted::Nothing => return Ok(Some(None)),
                Posted::Facts(facts) => return Ok(Some(Some(Arc::clone(facts)))),
                Posted::Expected => {}
            }
            let waited = self.changed.wait_timeout(state, GLANCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
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
