//! Proof obligations: configurations that lead to a target, each with the level up to which it has to be blocked.
//!
//! The obligation with the lowest level comes first, and among those the one with the fewest threads. Each knows the
//! rule and the obligation that one step covers, so that a trace can be made when one turns out to be initial.
//!
//! No obligation is above an older one: where a search meets a predecessor above something that is known to lead to a
//! target, that becomes the obligation in its place. It is in every frame that the predecessor is in, so it has to be
//! blocked as well, and if it is, so is the predecessor. Hence the obligations of a run are finitely many, since the
//! order on configurations is a well-quasi-order; this is what Lemma 6 of the paper needs, also where obligations are
//! queued again at higher levels.

use super::frames::Level;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use throng_cert::{Trace, TraceItem};
use throng_model::closed::ElementId;
use throng_model::{ClosedSet, Config, ConfigRef, RuleId, TransitionSystem, UpwardClosedSet};

/// How an obligation leads to a target: its rule and the obligation that one step covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Successor {
    pub(super) rule: RuleId,
    pub(super) obligation: ElementId,
}

/// An obligation besides its configuration.
#[derive(Clone, Copy, Debug)]
struct Obligation {
    /// `None` for targets.
    successor: Option<Successor>,
    /// The level at which it waits.
    waits_at: Option<Level>,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Obligations {
    /// What leads to a target. Nothing is ever removed.
    leading: UpwardClosedSet,
    obligations: Vec<Obligation>,
    /// Levels, threads and obligations. Entries whose level is not that at which the obligation waits are stale.
    queue: BinaryHeap<Reverse<(Level, u64, ElementId)>>,
    /// How many wait.
    n_waiting: usize,
}

impl Obligations {
    /// How many there have been.
    pub(super) fn len(&self) -> usize {
        self.obligations.len()
    }

    /// How many wait.
    pub(super) fn n_waiting(&self) -> usize {
        self.n_waiting
    }

    /// The configuration of an obligation.
    #[inline]
    pub(super) fn get(&self, id: ElementId) -> ConfigRef<'_> {
        self.leading.generators().get(id)
    }

    /// The obligation for a configuration that leads to a target: a known one below it, or a new one.
    pub(super) fn obligation(&mut self, config: ConfigRef<'_>, successor: Option<Successor>) -> ElementId {
        if let Some(known) = self.leading.witness(config) {
            return known;
        }
        let id = self.leading.add_new(config);
        debug_assert_eq!(id.index(), self.obligations.len());
        self.obligations.push(Obligation { successor, waits_at: None });
        id
    }

    /// Queues an obligation at a level, unless it waits at a lower one.
    pub(super) fn push(&mut self, id: ElementId, level: Level) {
        let obligation = &mut self.obligations[id.index()];
        if obligation.waits_at.is_some_and(|waits_at| waits_at <= level) {
            return;
        }
        self.n_waiting += usize::from(obligation.waits_at.is_none());
        obligation.waits_at = Some(level);
        self.queue.push(Reverse((level, self.get(id).size(), id)));
    }

    /// Takes the first obligation out of the queue.
    pub(super) fn pop(&mut self) -> Option<(ElementId, Level)> {
        loop {
            let Reverse((level, _, id)) = self.queue.pop()?;
            let obligation = &mut self.obligations[id.index()];
            if obligation.waits_at == Some(level) {
                obligation.waits_at = None;
                self.n_waiting -= 1;
                return Some((id, level));
            }
        }
    }

    /// Fires the rules from an initial configuration that covers a configuration with this successor to a target.
    pub(super) fn trace(
        &self,
        system: &dyn TransitionSystem,
        initial: Config,
        mut successor: Option<Successor>,
    ) -> Trace {
        let mut items = Vec::new();
        let mut current = initial.clone();
        while let Some(Successor { rule, obligation }) = successor {
            let (step, after) = system
                .step_covering(current.view(), rule, self.get(obligation))
                .expect("INVARIANT: what covers a predecessor has a step that covers its successor");
            items.push(TraceItem::Step(step));
            current = after;
            successor = self.obligations[obligation.index()].successor;
        }
        Trace { initial, items }
    }
}
