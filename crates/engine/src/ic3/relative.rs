//! Which predecessors of a configuration are in a frame: what it takes to be inductive relative to that frame.
//!
//! ↑a is inductive relative to R if a is not initial and no minimal predecessor of a is in R, except in ↑a itself. By
//! Lemma 7 of the paper, and by the definition of minimal predecessors where passive threads move, looking at the
//! minimal ones suffices.

use super::Ic3;
use super::frames::{FOREVER, Ground, Level};
use crate::UnknownReason;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::{Config, ConfigRef, RuleId};

/// The predecessor of an obligation that is to be looked at next.
pub(super) enum Choice {
    /// None is in the frame.
    None,
    /// This one.
    Open(RuleId, Config),
    /// One that this initial configuration covers.
    Initial(RuleId, Config),
}

impl Ic3<'_, '_> {
    /// Whether a configuration is in the frame of a level. What breaks a cut is in none but the first, which is ↓I.
    pub(super) fn is_open(&mut self, config: ConfigRef<'_>, level: Level) -> bool {
        if level == 0 {
            return self.system.is_initial(config);
        }
        !self.frames.blocks(config, level) && !self.is_pruned(config)
    }

    /// Whether a configuration breaks a cut. If so, the part of it that does is learnt.
    pub(super) fn is_pruned(&mut self, config: ConfigRef<'_>) -> bool {
        if !self.pruner.prune(config) {
            return false;
        }
        self.counters.pruned += 1;
        let mut smallest = std::mem::take(&mut self.smallest);
        self.pruner.minimise(config, &mut smallest);
        self.frames.learn(ConfigRef::new(config.shared, &smallest), FOREVER, Ground::Cut);
        self.smallest = smallest;
        true
    }

    /// Reports the minimal predecessors of a configuration until told to stop. Some of those that cover it are left out,
    /// always the same for smaller configurations.
    pub(super) fn for_each_predecessor(
        &mut self,
        config: ConfigRef<'_>,
        budget: &Budget,
        mut report: impl FnMut(&mut Self, RuleId, ConfigRef<'_>) -> ControlFlow<()>,
    ) -> Result<(), UnknownReason> {
        let system = self.system;
        let (mut n, mut stopped) = (0_u64, Ok(()));
        let enumeration = system.for_each_predecessor(config, &mut |rule, before| {
            n += 1;
            // One configuration can have exponentially many predecessors.
            if n.is_multiple_of(256) {
                stopped = budget.check();
            }
            if stopped.is_err() {
                return ControlFlow::Break(());
            }
            report(self, rule, before)
        });
        self.counters.predecessors += n;
        self.pruner.earn(n);
        stopped?;
        let _ = enumeration?;
        Ok(())
    }

    /// The smallest predecessor of an obligation in the frame of a level, or one that is initial.
    pub(super) fn choose_predecessor(
        &mut self,
        config: ConfigRef<'_>,
        level: Level,
        budget: &Budget,
    ) -> Result<Choice, UnknownReason> {
        let mut choice = Choice::None;
        self.for_each_predecessor(config, budget, |search, rule, before| {
            if config.le(before) || !search.is_open(before, level) {
                return ControlFlow::Continue(());
            }
            if let Some(instance) = search.system.initial_instance(before) {
                choice = Choice::Initial(rule, instance);
                return ControlFlow::Break(());
            }
            let is_smaller = match &choice {
                Choice::Open(_, smallest) => before.size() < smallest.view().size(),
                Choice::None | Choice::Initial(..) => true,
            };
            if is_smaller {
                choice = Choice::Open(rule, before.to_config());
            }
            ControlFlow::Continue(())
        })?;
        Ok(choice)
    }

    /// Some predecessor of a configuration in the frame of a level, if there is one.
    pub(super) fn open_predecessor(
        &mut self,
        config: ConfigRef<'_>,
        level: Level,
        budget: &Budget,
    ) -> Result<Option<Config>, UnknownReason> {
        let mut open = None;
        self.for_each_predecessor(config, budget, |search, _, before| {
            if !config.le(before) && search.is_open(before, level) {
                open = Some(before.to_config());
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        Ok(open)
    }

    /// The highest level relative to whose frame a configuration is inductive, at least the given one; or a predecessor
    /// because of which it is not inductive even there.
    pub(super) fn highest_inductive(
        &mut self,
        config: ConfigRef<'_>,
        at_least: Level,
        budget: &Budget,
    ) -> Result<Result<Level, Config>, UnknownReason> {
        let mut highest = FOREVER;
        let mut obstacle = None;
        self.for_each_predecessor(config, budget, |search, _, before| {
            if config.le(before) {
                return ControlFlow::Continue(());
            }
            let blocked = search.frames.highest_blocking(before);
            if blocked >= at_least && blocked > 0 {
                highest = highest.min(blocked);
            } else if !search.is_open(before, at_least) {
                // Cut off now, or not initial where that is all that counts.
                highest = highest.min(search.frames.highest_blocking(before));
            } else {
                obstacle = Some(before.to_config());
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        Ok(obstacle.map_or(Ok(highest), Err))
    }
}
