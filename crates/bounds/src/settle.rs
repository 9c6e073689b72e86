//! The root analysis: which targets does the state inequation exclude, without any search?
//!
//! Targets are tried in order against the known cuts, then by a linear program, then with traps. One cut often
//! excludes thousands of similar targets. When a given amount of work is done, the remaining targets are only compared
//! with the known cuts; with more, the same question may be asked again.

use crate::generation::{Aim, Limits};
use crate::{CutPool, Pruner};
use throng_base::{Budget, StopReason};
use throng_model::Config;

/// Rows of a program.
const MOST_ROWS: usize = 8192;
/// Targets for which traps are looked for in vain.
const MOST_WITHOUT_TRAPS: usize = 16;

impl CutPool<'_> {
    /// The indices of the targets that no cut excludes, after looking for cuts that do with at most about this much
    /// work; a million takes some hundredths of a second in large programs.
    pub fn settle(
        &self,
        targets: &[Config],
        most_work: u64,
        budget: &Budget,
    ) -> Result<Vec<usize>, StopReason> {
        let limits = Limits { rows: MOST_ROWS, work: most_work / 2 };
        let mut pruner = Pruner::new(Some(self));
        let mut left = Vec::new();
        let (mut work, mut without_traps) = (0, 0);
        for (index, target) in targets.iter().enumerate() {
            budget.check()?;
            if pruner.is_broken_by(target.view()) {
                continue;
            }
            if let Some(rows) = self.rows().filter(|_| work < most_work) {
                let aim = Aim::exclude(rows, target.view());
                let mut found = self.look_for(&aim, limits, &mut work, budget)?.is_some();
                if !found && without_traps < MOST_WITHOUT_TRAPS {
                    found = self.look_for_traps(target.view(), limits, budget)?;
                    without_traps += usize::from(!found);
                }
                if found && pruner.is_broken_by(target.view()) {
                    continue;
                }
            }
            left.push(index);
        }
        Ok(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use throng_model::System;

    fn survivors(system: &System) -> usize {
        CutPool::new(system).settle(system.targets(), 1 << 20, &Budget::unlimited()).unwrap().len()
    }

    #[test]
    fn mutual_exclusion_by_a_lock_is_one_cut() {
        assert_eq!(survivors(&samples::mutex()), 0);
    }

    #[test]
    fn mutual_exclusion_without_a_lock_needs_traps() {
        assert_eq!(survivors(&samples::peterson()), 0);
    }

    #[test]
    fn large_weights_do_no_harm() {
        for permits in [2, 1000, 1_000_000] {
            assert_eq!(survivors(&samples::readers_and_writers(permits)), 0, "{permits}");
        }
        // Out of reach of floating point; what matters is that nothing overflows.
        survivors(&samples::readers_and_writers(u32::MAX - 1));
    }

    #[test]
    fn a_coverable_target_survives() {
        let system = samples::broadcast();
        assert_eq!(survivors(&system), 1);
    }
}
