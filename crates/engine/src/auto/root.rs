//! The root analyses as a contender: the question is settled when every target breaks a cut or is not connected.
//!
//! First the state inequation, per target, and traps for the targets that it leaves; then cuts from structural
//! bounds, which are for the others to use; then connectivity, whose elements go to U, where they serve others if
//! targets are left. After that it leaves the race.

use crate::blackboard::Blackboard;
use crate::contender::Contender;
use crate::settled::Settled;
use crate::{Answer, Progress, Safety, Statistics, UnknownReason};
use throng_base::{Budget, StopReason};
use throng_bounds::CutPool;
use throng_model::{Config, TransitionSystem};

/// When, in pieces of work of a race, the targets are tried, and with how much work: most are settled with little,
/// and what needs more should not keep others waiting.
const ATTEMPTS: [(u32, u64); 4] = [(0, 1 << 21), (1, 1 << 24), (4, 1 << 27), (16, 1 << 30)];
/// When structural bounds are looked for.
const BOUNDS_AT: u32 = 1;
/// When connectivity is looked at, and with how much work.
const CONNECTIVITY: [(u32, u64); 2] = [(2, 1 << 22), (8, 1 << 26)];

/// See the module's documentation.
pub(super) struct Root<'b, 's> {
    board: &'b Blackboard<'s>,
    cuts: &'b CutPool<'s>,
    targets: Vec<Config>,
    /// Pieces of work so far.
    n_pieces: u32,
    /// Targets that nothing settles yet.
    open: Vec<Config>,
    /// Elements above which are targets that are not connected, and how many targets that are.
    elements: Vec<Config>,
    n_unconnected: usize,
}

impl<'b, 's> Root<'b, 's> {
    /// The analyses of a system; `None` if there are to be no cuts.
    pub(super) fn new(system: &'s dyn TransitionSystem, board: &'b Blackboard<'s>) -> Option<Self> {
        let cuts = board.cuts()?;
        let targets = crate::minimal_targets(system);
        let (open, elements) = (targets.clone(), Vec::new());
        Some(Self { board, cuts, targets, n_pieces: 0, open, elements, n_unconnected: 0 })
    }

    fn settle(&mut self, budget: &Budget) -> Result<Option<Answer>, StopReason> {
        budget.check()?;
        let piece = self.n_pieces;
        self.n_pieces += 1;
        if piece == BOUNDS_AT {
            self.board.seed(budget)?;
        }
        if let Some(&(_, work)) = ATTEMPTS.iter().find(|&&(at, _)| at == piece) {
            let left = self.cuts.settle(&self.open, work, budget)?;
            self.keep_open(&left);
        }
        if let Some(&(_, work)) = CONNECTIVITY.iter().find(|&&(at, _)| at == piece) {
            self.connect(work, budget)?;
        }
        Ok(match ATTEMPTS.last() {
            _ if self.open.is_empty() => Some(self.safe()),
            Some(&(last, _)) if piece < last => None,
            _ => Some(Answer::Unknown(UnknownReason::Inconclusive)),
        })
    }

    fn connect(&mut self, work: u64, budget: &Budget) -> Result<(), StopReason> {
        let connected = self.cuts.connect(&self.open, work, budget)?;
        self.keep_open(&connected.left);
        self.board.uncoverable.publish(connected.elements.iter().cloned());
        self.elements.extend(connected.elements);
        self.n_unconnected += connected.n_settled;
        Ok(())
    }

    /// Only these open targets stay open.
    fn keep_open(&mut self, left: &[usize]) {
        self.open = left.iter().map(|&index| self.open[index].clone()).collect();
    }

    /// The proof that has what was found here, and what stands on the blackboard.
    fn safe(&self) -> Answer {
        let mut settled = Settled::new(self.board);
        // A full blackboard takes no more: then they are not known to be excluded.
        let missing = self.elements.iter().filter(|element| !settled.excludes_already(element.view()));
        let missing: Vec<Config> = missing.cloned().collect();
        let excluded = self.targets.iter().all(|target| {
            settled.excludes_already(target.view())
                || missing.iter().any(|element| element.view().le(target.view()))
        });
        debug_assert!(excluded, "INVARIANT: a target that is settled breaks a cut or is above an element");
        Answer::Safe(Safety::Proof(settled.proof(missing)))
    }
}

impl Contender for Root<'_, '_> {
    fn advance(&mut self, _: u64, budget: &Budget) -> Option<Answer> {
        self.settle(budget).unwrap_or_else(|reason| Some(Answer::Unknown(reason.into())))
    }

    fn progress(&self) -> Progress {
        Progress { elements: self.cuts.len() as u64, frontier: self.open.len() as u64, ..Progress::default() }
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        statistics.push("cuts", self.cuts.len() as u64);
        statistics.push("targets_unconnected", self.n_unconnected as u64);
        statistics.push("targets_left", self.open.len() as u64);
        statistics
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use throng_model::{Bag, Initial, LocalId, Names, Rule, SharedId, System, SystemBuilder};

    /// Shared state 0 can be left for the circle of 1 and 2, which fills local 1 and cannot be left.
    fn circle(targets: &[(usize, &[usize])]) -> System {
        let mut builder = SystemBuilder::new(Names::Numbered(3), Names::Numbered(2));
        let bag = |locals: &[usize]| Bag::from_locals(locals.iter().copied().map(LocalId::new)).unwrap();
        for (from, to, put) in [(0, 1, 0), (1, 2, 0), (2, 1, 1)] {
            let (from, to) = (SharedId::new(from), SharedId::new(to));
            builder.rule(&Rule { from, to, take: bag(&[0]), put: bag(&[put]), moves: vec![] }, 0);
        }
        let unbounded = vec![LocalId::new(0)];
        builder.initial(Initial { shared: SharedId::new(0), exact: Bag::new(), unbounded });
        for &(shared, threads) in targets {
            builder.target(Config::new(SharedId::new(shared), bag(threads)));
        }
        builder.finish().unwrap()
    }

    fn run(system: &System, check: impl Fn(&Root<'_, '_>, &Blackboard<'_>, Answer)) {
        let board = Blackboard::new(system, &Options::default());
        let mut root = Root::new(system, &board).unwrap();
        let answer = loop {
            if let Some(answer) = root.advance(1, &Budget::unlimited()) {
                break answer;
            }
        };
        check(&root, &board, answer);
    }

    #[test]
    fn targets_that_are_not_connected_are_proved_by_elements() {
        run(&circle(&[(0, &[1]), (0, &[0, 1, 1])]), |root, _, answer| {
            let Answer::Safe(Safety::Proof(proof)) = answer else { panic!("{answer:?}") };
            assert_eq!(proof.elements, [root.targets[0].clone()]);
            assert_eq!((root.n_unconnected, root.open.len()), (1, 0));
        });
    }

    #[test]
    fn elements_are_published_when_other_targets_are_left() {
        run(&circle(&[(0, &[1]), (1, &[1])]), |root, board, answer| {
            assert!(matches!(answer, Answer::Unknown(UnknownReason::Inconclusive)));
            assert_eq!((root.n_unconnected, root.open.len()), (1, 1));
            let mut published = Vec::new();
            board.uncoverable.read_on(&mut 0, |element| published.push(element.clone()));
            assert_eq!(published, root.elements);
        });
    }
}
