//! Cuts of one system that engines share.

use throng_base::{Budget, StopReason};
use throng_model::{Config, LocalId, System};

/// A set of locals of which at most one holds a thread, and no more than one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Component {
    /// The locals, sorted.
    pub locals: Vec<LocalId>,
}

/// See the module's documentation.
#[derive(Debug)]
pub struct CutPool<'s> {
    system: &'s System,
}

impl<'s> CutPool<'s> {
    /// A pool without cuts.
    pub fn new(system: &'s System) -> Self {
        Self { system }
    }

    /// The system that the cuts are about.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// Adds cuts from structural bounds.
    pub fn seed(&self, budget: &Budget) -> Result<(), StopReason> {
        budget.check()
    }

    /// How many cuts there are.
    pub fn len(&self) -> usize {
        0
    }

    /// Whether there is no cut.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// 1-safe components, largest first, disjoint.
    pub fn components(&self) -> Vec<Component> {
        Vec::new()
    }

    /// The indices of the targets that no cut excludes.
    pub fn settle(&self, targets: &[Config], budget: &Budget) -> Result<Vec<usize>, StopReason> {
        budget.check()?;
        Ok((0..targets.len()).collect())
    }
}
