//! Engines that can be advanced piece by piece, so that several can run side by side on any number of cores.
//!
//! This is all that an engine has to be. One from outside takes part in the race as a [`Guest`] of the options
//! ([`crate::Options::guests`]).

use crate::blackboard::Blackboard;
use crate::{Answer, Observer, Options, Outcome, Progress, Recording, Statistics};
use throng_base::Budget;
use throng_model::TransitionSystem;

/// An engine at work.
pub trait Contender: Send {
    /// Goes on for a piece of work, that of about `quantum` predecessors. The answer, once there is one; the
    /// contender is not advanced after that. It polls the budget, and answers with why it ended if it did.
    fn advance(&mut self, quantum: u64, budget: &Budget) -> Option<Answer>;

    /// How far it is, for people who wait.
    fn progress(&self) -> Progress;

    /// What it counted.
    fn statistics(&self) -> Statistics;

    /// What it recorded, if that was asked for.
    fn recording(&mut self) -> Recording {
        Recording::default()
    }
}

/// Makes a contender for a system.
pub type MakeContender = for<'s> fn(&'s dyn TransitionSystem, &Options) -> Box<dyn Contender + 's>;

/// An engine from outside that takes part in a race.
#[derive(Clone, Copy, Debug)]
pub struct Guest {
    /// Its name in results.
    pub name: &'static str,
    /// Its share of the work; most others have 1.
    pub share: u64,
    /// Sets it to work.
    pub make: MakeContender,
}

/// Guests of one name are the same.
impl PartialEq for Guest {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.share) == (other.name, other.share)
    }
}

impl Eq for Guest {}

/// A piece of work after which people who wait are told.
const QUANTUM: u64 = 512;

/// After so many pieces of work, structural bounds are worth their cost.
pub(crate) const PIECES_BEFORE_SEEDING: u64 = 64;

/// Lets one contender run alone until it has an answer. A contender polls the budget itself.
pub(crate) fn drive(
    contender: &mut dyn Contender,
    board: &Blackboard<'_>,
    budget: &Budget,
    observer: &dyn Observer,
) -> Outcome {
    let mut n_pieces = 0;
    let answer = loop {
        if let Some(answer) = contender.advance(QUANTUM, budget) {
            break answer;
        }
        observer.progress(&contender.progress());
        n_pieces += 1;
        if n_pieces == PIECES_BEFORE_SEEDING
            && let Err(reason) = board.seed(budget)
        {
            break Answer::Unknown(reason.into());
        }
    };
    Outcome {
        answer,
        statistics: contender.statistics(),
        recording: contender.recording(),
        contest: Vec::new(),
    }
}
