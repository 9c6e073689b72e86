//! One engine's view of a pool of cuts.

use crate::CutPool;
use throng_cert::{Cut, Trap};
use throng_model::{Bag, ConfigRef};

/// See the module's documentation.
#[derive(Debug)]
pub struct Pruner<'p, 's> {
    pool: Option<&'p CutPool<'s>>,
}

impl<'p, 's> Pruner<'p, 's> {
    /// A view of a pool; without one, nothing is pruned.
    pub fn new(pool: Option<&'p CutPool<'s>>) -> Self {
        Self { pool }
    }

    /// The engine did so much work, in predecessors.
    pub fn earn(&mut self, _work: u64) {}

    /// Whether a known cut is broken.
    pub fn is_broken_by(&mut self, _config: ConfigRef<'_>) -> bool {
        self.pool.is_some_and(|pool| !pool.is_empty())
    }

    /// Whether a cut is broken; may look for a new one.
    pub fn prune(&mut self, config: ConfigRef<'_>) -> bool {
        self.is_broken_by(config)
    }

    /// The smallest bag that breaks the cut that was found broken last.
    pub fn minimise(&self, config: ConfigRef<'_>, into: &mut Bag) {
        into.assign(config.bag);
    }

    /// The cuts that were found broken, and the traps they use.
    pub fn evidence(&self) -> (Vec<Cut>, Vec<Trap>) {
        (Vec::new(), Vec::new())
    }
}
