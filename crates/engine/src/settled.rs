//! What is known not to be coverable without a search of one's own: what breaks a cut, and U on the blackboard.
//!
//! What breaks a cut is not coverable, and neither is anything above it (Blondin et al., TACAS 2016; Geffroy, Leroux
//! and Sutre, RP 2016). Of such a configuration the smallest part that still breaks the cut is kept, where it answers
//! for similar ones. In a proof the cut takes its place; what came from the blackboard is part of the proof.

use crate::blackboard::Blackboard;
use throng_bounds::Pruner;
use throng_cert::Proof;
use throng_model::{Bag, ClosedSet, Config, ConfigRef, UpwardClosedSet};

/// See the module's documentation.
pub(crate) struct Settled<'b, 's> {
    board: &'b Blackboard<'s>,
    /// How far U on the blackboard has been read.
    n_read: usize,
    pruner: Pruner<'b, 's>,
    set: UpwardClosedSet,
    /// What came from the blackboard.
    known: Vec<Config>,
    /// How many configurations turned out to break a cut.
    n_pruned: u64,
    smallest: Bag,
}

impl<'b, 's> Settled<'b, 's> {
    /// What stands on the blackboard.
    pub(crate) fn new(board: &'b Blackboard<'s>) -> Self {
        let mut settled = Self {
            board,
            n_read: 0,
            pruner: Pruner::new(board.cuts()),
            set: UpwardClosedSet::default(),
            known: Vec::new(),
            n_pruned: 0,
            smallest: Bag::new(),
        };
        settled.read_board();
        settled
    }

    /// Reads what is new on the blackboard.
    pub(crate) fn read_board(&mut self) {
        let (set, known) = (&mut self.set, &mut self.known);
        self.board.uncoverable.read_on(&mut self.n_read, |config| {
            set.insert(config.view());
            known.push(config.clone());
        });
    }

    /// The search has computed so many predecessors: looking for cuts may cost in proportion to that.
    pub(crate) fn earn(&mut self, predecessors: u64) {
        self.pruner.earn(predecessors);
    }

    /// Whether a configuration is known not to be coverable. May look for a new cut.
    pub(crate) fn excludes(&mut self, config: ConfigRef<'_>) -> bool {
        self.set.contains(config) || (self.pruner.prune(config) && self.keep(config))
    }

    /// Whether a configuration is known not to be coverable by what is known already.
    pub(crate) fn excludes_already(&mut self, config: ConfigRef<'_>) -> bool {
        self.set.contains(config) || (self.pruner.is_broken_by(config) && self.keep(config))
    }

    fn keep(&mut self, config: ConfigRef<'_>) -> bool {
        self.n_pruned += 1;
        let mut smallest = std::mem::take(&mut self.smallest);
        self.pruner.minimise(config, &mut smallest);
        self.set.add_new(ConfigRef::new(config.shared, &smallest));
        self.smallest = smallest;
        true
    }

    /// How many configurations turned out to break a cut.
    pub(crate) fn n_pruned(&self) -> u64 {
        self.n_pruned
    }

    /// The proof with these elements, whose predecessors are above elements or excluded here.
    pub(crate) fn proof(&self, mut elements: Vec<Config>) -> Proof {
        elements.extend(self.known.iter().cloned());
        let (cuts, traps) = self.pruner.evidence();
        Proof { elements, cuts, traps }
    }
}
