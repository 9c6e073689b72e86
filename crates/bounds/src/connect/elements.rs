//! Elements of a proof for targets that have layers.
//!
//! From the target backwards, each minimal predecessor that is not excluded yet gives an element: a minimal one,
//! below it, of the first Bᵢ that it is in (see the parent module). There are finitely many, so this ends, but there
//! can be very many: beyond a limit the target is given up. What is found is closed by construction, whatever the
//! layers are.

use super::layers::Layers;
use crate::Pruner;
use std::ops::ControlFlow;
use throng_base::{Budget, StopReason};
use throng_model::{ClosedSet, Config, ConfigRef, System, TransitionSystem, UpwardClosedSet};

/// What a predecessor costs, in the work of linear programs.
const WORK_PER_PREDECESSOR: u64 = 20;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Elements for one target.
    pub(super) elements: usize,
    /// Work for all targets, linear programs included.
    pub(super) work: u64,
}

/// Elements for all targets so far.
pub(super) struct Elements<'s> {
    system: &'s System,
    limits: Limits,
    set: UpwardClosedSet,
}

impl<'s> Elements<'s> {
    pub(super) fn new(system: &'s System, limits: Limits) -> Self {
        Self { system, limits, set: UpwardClosedSet::default() }
    }

    /// Whether a configuration is above an element.
    pub(super) fn exclude(&self, config: ConfigRef<'_>) -> bool {
        self.set.contains(config)
    }

    /// Adds the elements that a target needs: all of them, or none if they are not found.
    pub(super) fn extend(
        &mut self,
        target: ConfigRef<'_>,
        layers: &Layers,
        pruner: &mut Pruner<'_, 's>,
        work: &mut u64,
        budget: &Budget,
    ) -> Result<(), StopReason> {
        let mut search =
            Search { elements: self, layers, pruner, new: UpwardClosedSet::default(), waiting: Vec::new() };
        let found = search.add(target) && search.close(work, budget)?;
        let new = search.new;
        if found {
            for (_, element) in new.generators().iter() {
                self.set.insert(element);
            }
        }
        Ok(())
    }

    /// The minimal elements.
    pub(super) fn into_configs(mut self) -> Vec<Config> {
        self.set.minimise();
        self.set.generators().iter().map(|(_, element)| element.to_config()).collect()
    }
}

/// The search for one target.
struct Search<'a, 'p, 's> {
    elements: &'a Elements<'s>,
    layers: &'a Layers,
    pruner: &'a mut Pruner<'p, 's>,
    new: UpwardClosedSet,
    waiting: Vec<Config>,
}

impl Search<'_, '_, '_> {
    /// Adds the element that stands for a configuration; `false` if there is none, or there are too many.
    fn add(&mut self, config: ConfigRef<'_>) -> bool {
        let Some(place) = self.layers.place(config) else { return false };
        let element = self.layers.minimise(config, place);
        if self.new.generators().len() >= self.elements.limits.elements
            || self.elements.system.is_initial(element.view())
        {
            return false;
        }
        self.new.insert(element.view());
        self.waiting.push(element);
        true
    }

    /// Adds elements until all minimal predecessors are excluded; `false` if that fails.
    fn close(&mut self, work: &mut u64, budget: &Budget) -> Result<bool, StopReason> {
        let system = self.elements.system;
        while let Some(element) = self.waiting.pop() {
            budget.check()?;
            let ended = system.for_each_predecessor(element.view(), &mut |_, before| {
                *work = work.saturating_add(WORK_PER_PREDECESSOR);
                let goes_on =
                    *work <= self.elements.limits.work && (self.is_excluded(before) || self.add(before));
                if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            // Numbers of threads that do not fit end it too.
            if !ended.is_ok_and(|ended| ended.is_continue()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_excluded(&mut self, config: ConfigRef<'_>) -> bool {
        self.new.contains(config) || self.elements.exclude(config) || self.pruner.is_broken_by(config)
    }
}
