//! Engines that can be advanced piece by piece, so that several can run side by side on any number of cores.

use crate::blackboard::Blackboard;
use crate::{Answer, Observer, Outcome, Progress, Recording, Statistics};
use throng_base::Budget;

/// An engine at work.
pub(crate) trait Contender: Send {
    /// Goes on for a piece of work, that of about `quantum` predecessors. The answer, once there is one; the
    /// contender is not advanced after that.
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
