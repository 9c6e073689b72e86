//! Moving lemmas up: the rule *Induction* of the paper.
//!
//! A lemma of level i that is inductive relative to R_i holds at level i+1 too, or as high as its predecessors are
//! blocked. Most lemmas stay because of the same predecessor as last time, so that one is looked at first.

use super::Ic3;
use super::frames::{FOREVER, Level};
use crate::UnknownReason;
use throng_base::Budget;
use throng_model::closed::ElementId;

impl Ic3<'_, '_> {
    /// Moves the lemmas of a level up as far as they are inductive, and removes superfluous ones.
    pub(super) fn propagate(&mut self, level: Level, budget: &Budget) -> Result<(), UnknownReason> {
        let lemmas = self.frames.take_list(level);
        let mut kept = Vec::with_capacity(lemmas.len());
        let mut rest = lemmas.into_iter();
        let mut outcome = Ok(());
        for lemma in rest.by_ref() {
            if !self.frames.keep_if_needed(lemma) {
                continue;
            }
            match self.move_up(lemma, level, budget) {
                Ok(true) => {}
                Ok(false) => kept.push(lemma),
                Err(reason) => {
                    kept.push(lemma);
                    outcome = Err(reason);
                    break;
                }
            }
        }
        kept.extend(rest);
        self.frames.put_back(level, kept);
        outcome
    }

    /// Moves one lemma of a level up, if that is possible.
    fn move_up(&mut self, lemma: ElementId, level: Level, budget: &Budget) -> Result<bool, UnknownReason> {
        self.turns += 1;
        if let Some(obstacle) = self.frames.obstacle(lemma)
            && !self.frames.blocks(obstacle, level)
        {
            return Ok(false);
        }
        let config = self.frames.get(lemma).to_config();
        match self.highest_inductive(config.view(), level, budget)? {
            Ok(inductive) => {
                let level = self.next_level(inductive);
                self.frames.raise(lemma, level);
                self.counters.propagated += 1;
                if level == FOREVER {
                    self.publish(config);
                }
                Ok(true)
            }
            Err(obstacle) => {
                self.frames.set_obstacle(lemma, obstacle);
                Ok(false)
            }
        }
    }

    /// The level of a lemma that is inductive relative to the frame of a level.
    pub(super) fn next_level(&self, inductive: Level) -> Level {
        if inductive == FOREVER { FOREVER } else { inductive.saturating_add(1).min(self.last) }
    }
}
