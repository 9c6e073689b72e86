//! D: what a backward search knows to be coverable, and why.
//!
//! D starts as ↓I. It grows by elements from which one step leads into what is known (found by the backward
//! search) and by nodes of a forward search. A reason always refers to what was known before, so following
//! reasons ends in an initial configuration; that is how a trace is made.

use crate::forward::ForwardSearch;
use crate::plan::{Plan, PlanError};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use throng_cert::Trace;
use throng_model::closed::{ElementId, Insertion};
use throng_model::{
    ClosedSet, ConfigRef, DownwardClosedSet, Entry, LocalId, RuleId, SharedId, TransitionSystem,
};

/// Why an element is coverable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reason {
    /// It is below an initial configuration.
    Initial,
    /// This rule leads from an element of D to it.
    Step { rule: RuleId, before: ElementId },
    /// A forward search found it.
    Forward { node: ElementId },
}

/// See the module's documentation.
#[derive(Default)]
pub(crate) struct Covered<'s> {
    /// Where states are made on demand they may overlap: then initial configurations can be told only by asking.
    lazy: Option<&'s dyn TransitionSystem>,
    set: DownwardClosedSet,
    reasons: Vec<Reason>,
    /// Shared states and thread states that were asked for and are in D: most questions are about them.
    small: FxHashSet<(SharedId, Option<LocalId>)>,
}

impl<'s> Covered<'s> {
    /// ↓I.
    pub(crate) fn initial(system: &'s dyn TransitionSystem) -> Self {
        let lazy = system.explicit().is_none().then_some(system);
        let mut covered = Self { lazy, ..Self::default() };
        let _ = system.for_each_initial(&mut |initial| {
            covered.insert(initial, Reason::Initial);
            ControlFlow::Continue(())
        });
        covered
    }

    /// How many maximal elements it has.
    pub(crate) fn len(&self) -> usize {
        self.set.generators().len()
    }

    /// How many elements were ever added.
    pub(crate) fn n_ever(&self) -> usize {
        self.reasons.len()
    }

    /// An element that covers a configuration.
    #[inline]
    pub(crate) fn covering(&mut self, config: ConfigRef<'_>) -> Option<ElementId> {
        let witness = self.set.witness(config);
        if witness.is_none() && self.is_initial(config) {
            self.insert(config, Reason::Initial);
            return self.set.witness(config);
        }
        witness
    }

    /// Whether a configuration is known to be coverable.
    #[inline]
    pub(crate) fn contains(&self, config: ConfigRef<'_>) -> bool {
        self.set.contains(config) || self.is_initial(config)
    }

    fn is_initial(&self, config: ConfigRef<'_>) -> bool {
        self.lazy.is_some_and(|system| system.is_initial(config))
    }

    /// Whether a shared state, or a thread state, is known to be coverable.
    pub(crate) fn contains_thread_state(&mut self, shared: SharedId, local: Option<LocalId>) -> bool {
        if self.small.contains(&(shared, local)) {
            return true;
        }
        let entry = local.map(|local| Entry { local, count: 1 });
        let covered = self.contains(ConfigRef::new(shared, entry.as_slice()));
        if covered {
            self.small.insert((shared, local));
        }
        covered
    }

    /// Adds an element; whether it was new.
    pub(crate) fn insert(&mut self, config: ConfigRef<'_>, reason: Reason) -> bool {
        let Insertion::Inserted(id) = self.set.insert(config) else { return false };
        debug_assert_eq!(id.index(), self.reasons.len());
        self.reasons.push(reason);
        true
    }

    /// A trace to something that covers an element of D.
    pub(crate) fn trace(
        &self,
        system: &dyn TransitionSystem,
        goal: ConfigRef<'_>,
        forward: Option<&ForwardSearch<'_>>,
    ) -> Result<Trace, PlanError> {
        let mut plan = Plan::new(goal);
        // What is in D without an element that covers it is initial.
        let mut next = self.set.witness(goal);
        while let Some(element) = next {
            match self.reasons[element.index()] {
                Reason::Initial => break,
                Reason::Step { rule, before } => {
                    plan.prepend(system, rule, Some(self.set.generators().get(before)))?;
                    next = Some(before);
                }
                Reason::Forward { node } => {
                    let forward = forward.expect("INVARIANT: nodes come from a forward search");
                    forward.tree.unwind(system, node, &mut plan)?;
                    break;
                }
            }
        }
        plan.perform(system)
    }
}
