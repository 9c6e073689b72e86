//! The root analyses as a contender: the question is settled when every target breaks a cut.
//!
//! First the state inequation, per target, and traps for the targets that it leaves; then cuts from structural
//! bounds, which are for the others to use. After that it leaves the race.

use crate::blackboard::Blackboard;
use crate::contender::Contender;
use crate::settled::Settled;
use crate::{Answer, Progress, Safety, Statistics, UnknownReason};
use throng_base::{Budget, StopReason};
use throng_invariants::CutPool;
use throng_model::{Config, TransitionSystem};

/// When, in pieces of work of a race, the targets are tried, and with how much work: most are settled with little,
/// and what needs more should not keep others waiting.
const ATTEMPTS: [(u32, u64); 4] = [(0, 1 << 21), (1, 1 << 24), (4, 1 << 27), (16, 1 << 30)];
/// When structural bounds are looked for.
const BOUNDS_AT: u32 = 1;

/// See the module's documentation.
pub(super) struct Root<'b, 's> {
    board: &'b Blackboard<'s>,
    cuts: &'b CutPool<'s>,
    targets: Vec<Config>,
    /// Pieces of work so far.
    n_pieces: u32,
    n_left: usize,
}

impl<'b, 's> Root<'b, 's> {
    /// The analyses of a system; `None` if there are to be no cuts.
    pub(super) fn new(system: &'s dyn TransitionSystem, board: &'b Blackboard<'s>) -> Option<Self> {
        let cuts = board.cuts()?;
        let targets = crate::minimal_targets(system);
        let n_left = targets.len();
        Some(Self { board, cuts, targets, n_pieces: 0, n_left })
    }

    fn settle(&mut self, budget: &Budget) -> Result<Option<Answer>, StopReason> {
        budget.check()?;
        let piece = self.n_pieces;
        self.n_pieces += 1;
        if piece == BOUNDS_AT {
            self.board.seed(budget)?;
        }
        if let Some(&(_, work)) = ATTEMPTS.iter().find(|&&(at, _)| at == piece) {
            self.n_left = self.cuts.settle(&self.targets, work, budget)?.len();
        }
        Ok(match ATTEMPTS.last() {
            _ if self.n_left == 0 => Some(self.safe()),
            Some(&(last, _)) if piece < last => None,
            _ => Some(Answer::Unknown(UnknownReason::Inconclusive)),
        })
    }

    /// The proof that has cuts only.
    fn safe(&self) -> Answer {
        let mut settled = Settled::new(self.board);
        let broken = self.targets.iter().all(|target| settled.excludes_already(target.view()));
        debug_assert!(broken, "INVARIANT: a target that is settled breaks a cut");
        Answer::Safe(Safety::Proof(settled.proof(Vec::new())))
    }
}

impl Contender for Root<'_, '_> {
    fn advance(&mut self, _: u64, budget: &Budget) -> Option<Answer> {
        self.settle(budget).unwrap_or_else(|reason| Some(Answer::Unknown(reason.into())))
    }

    fn progress(&self) -> Progress {
        Progress { elements: self.cuts.len() as u64, frontier: self.n_left as u64, ..Progress::default() }
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        statistics.push("cuts", self.cuts.len() as u64);
        statistics.push("targets_left", self.n_left as u64);
        statistics
    }
}
