//! From a blocked obligation to a lemma: smaller configurations that are inductive too.
//!
//! First the part of the obligation that its blockers need (`needed`), which is cheap. Then single threads are tried,
//! since most proofs need few threads (Kaiser, Kroening and Wahl). Otherwise threads are dropped one local after the other
//! as long as the rest is inductive: first threads in locals that few lemmas mention, last those in 1-safe components,
//! which tell most. After each success the part that is needed is computed again. What is known to be coverable is
//! not tried.
//!
//! If a smaller configuration is not inductive because of one predecessor in the frame, that may be the frame's
//! fault: such a counterexample to generalisation is blocked first, if it can be at once, and then the smaller
//! configuration is tried again (Hassan, Bradley and Somenzi, FMCAD 2013). Depth and number are bounded.

use super::Ic3;
use super::frames::{FOREVER, Ground, Level};
use crate::UnknownReason;
use throng_base::Budget;
use throng_bounds::CutPool;
use throng_model::{Bag, Config, ConfigRef, Entry, LocalId, bag};

/// So many counterexamples are blocked for one smaller configuration.
const MOST_COUNTEREXAMPLES: u32 = 3;
/// So deep counterexamples to the generalisation of counterexamples go.
const DEEPEST: u32 = 1;

/// In which locals threads are worth keeping.
#[derive(Debug, Default)]
pub(super) struct Preference {
    /// How many lemmas mention a local.
    mentions: Vec<u32>,
    /// Whether a local belongs to a 1-safe component.
    in_component: Vec<bool>,
    /// How many cuts there were when components were looked for.
    n_cuts: usize,
}

impl Preference {
    /// Looks for components again if there are many more cuts than last time.
    pub(super) fn refresh(&mut self, cuts: &CutPool<'_>) {
        if cuts.len() <= self.n_cuts + self.n_cuts / 2 {
            return;
        }
        self.n_cuts = cuts.len();
        for local in cuts.components().into_iter().flat_map(|component| component.locals) {
            self.in_component.resize(self.in_component.len().max(local.index() + 1), false);
            self.in_component[local.index()] = true;
        }
    }

    /// A lemma was learnt.
    fn note(&mut self, lemma: ConfigRef<'_>) {
        for entry in lemma.bag {
            let index = entry.local.index();
            self.mentions.resize(self.mentions.len().max(index + 1), 0);
            self.mentions[index] = self.mentions[index].saturating_add(1);
        }
    }

    /// The locals of a bag, those whose threads should be dropped first in front.
    pub(super) fn locals(&self, bag: &Bag) -> Vec<LocalId> {
        let mut locals: Vec<LocalId> = bag.iter().map(|entry| entry.local).collect();
        locals.sort_by_key(|local| {
            let in_component = self.in_component.get(local.index()).copied().unwrap_or(false);
            (in_component, self.mentions.get(local.index()).copied().unwrap_or(0))
        });
        locals
    }
}

impl Ic3<'_, '_> {
    /// Learns a lemma that excludes a configuration from the frame of a level, none of whose predecessors is in the
    /// frame below. The highest level at which the lemma holds.
    pub(super) fn block(
        &mut self,
        config: ConfigRef<'_>,
        level: Level,
        depth: u32,
        budget: &Budget,
    ) -> Result<Level, UnknownReason> {
        let lemma = self.generalise(config, level - 1, depth, budget)?;
        let inductive = self
            .highest_inductive(lemma.view(), level - 1, budget)?
            .expect("INVARIANT: a generalisation is inductive relative to the frame below");
        let level = self.next_level(inductive);
        let known = self.frames.learn(lemma.view(), level, Ground::Induction);
        if known > level {
            // A cut that excludes it was found on the way.
            return Ok(known);
        }
        self.preference.note(lemma.view());
        self.counters.threads_dropped += config.size() - lemma.view().size();
        if level == FOREVER {
            self.publish(lemma);
        }
        Ok(level)
    }

    /// A configuration below a given one that is inductive relative to a frame, as the given one is.
    fn generalise(
        &mut self,
        config: ConfigRef<'_>,
        frame: Level,
        depth: u32,
        budget: &Budget,
    ) -> Result<Config, UnknownReason> {
        // Of what is coverable every part is, so it can only be blocked for a while and is not worth the effort.
        let passing = self.known.contains(config);
        let mut lemma = config.to_config();
        self.reduce_to_needed(&mut lemma, frame, passing, budget)?;
        if !passing && !self.replace_by_single_thread(&mut lemma, frame, depth, budget)? {
            self.drop_threads(&mut lemma, frame, depth, budget)?;
        }
        Ok(lemma)
    }

    /// Replaces a larger lemma by its shared state alone or with a single one of its threads, if that is a lemma too.
    /// Such lemmas say most, and dropping threads one after the other may miss them: what is in between need not be
    /// inductive.
    fn replace_by_single_thread(
        &mut self,
        lemma: &mut Config,
        frame: Level,
        depth: u32,
        budget: &Budget,
    ) -> Result<bool, UnknownReason> {
        if depth > 0 || lemma.view().size() <= 2 {
            return Ok(false);
        }
        let threads = self.preference.locals(&lemma.bag).into_iter().map(|local| Entry { local, count: 1 });
        for thread in std::iter::once(None).chain(threads.map(Some)) {
            let part = ConfigRef::new(lemma.shared, thread.as_slice());
            // Counterexamples are not worth blocking for what is only a guess.
            if self.is_lemma(part, frame, DEEPEST, budget)? {
                *lemma = part.to_config();
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Drops threads of a lemma as long as it remains one.
    fn drop_threads(
        &mut self,
        lemma: &mut Config,
        frame: Level,
        depth: u32,
        budget: &Budget,
    ) -> Result<(), UnknownReason> {
        for local in self.preference.locals(&lemma.bag) {
            // Mostly none or all of the threads of a local can go; otherwise bisection finds how many.
            let (mut fewest, mut attempt) = (0, 0);
            while fewest < bag::count(&lemma.bag, local) {
                let smaller = with_count(lemma, local, attempt);
                if self.is_lemma(smaller.view(), frame, depth, budget)? {
                    *lemma = smaller;
                    self.reduce_to_needed(lemma, frame, false, budget)?;
                } else {
                    fewest = attempt + 1;
                }
                let count = bag::count(&lemma.bag, local);
                attempt = fewest + count.saturating_sub(fewest) / 2;
            }
        }
        Ok(())
    }

    /// Whether a configuration is inductive relative to a frame, perhaps after some counterexamples are blocked.
    fn is_lemma(
        &mut self,
        config: ConfigRef<'_>,
        frame: Level,
        depth: u32,
        budget: &Budget,
    ) -> Result<bool, UnknownReason> {
        if self.is_coverable(config) {
            return Ok(false);
        }
        let mut n_left = if depth < DEEPEST { MOST_COUNTEREXAMPLES } else { 0 };
        loop {
            let Some(counterexample) = self.open_predecessor(config, frame, budget)? else {
                return Ok(true);
            };
            if n_left == 0 || !self.is_blocked_at_once(counterexample.view(), frame, depth + 1, budget)? {
                return Ok(false);
            }
            n_left -= 1;
        }
    }

    /// Blocks a counterexample to generalisation in a frame, if none of its predecessors is in the frame below.
    fn is_blocked_at_once(
        &mut self,
        config: ConfigRef<'_>,
        level: Level,
        depth: u32,
        budget: &Budget,
    ) -> Result<bool, UnknownReason> {
        if level == 0 || self.is_coverable(config) {
            return Ok(false);
        }
        match self.open_predecessor(config, level - 1, budget) {
            Ok(None) => {}
            // A counterexample need not lead to a target, so what cannot be counted here is no loss.
            Ok(Some(_)) | Err(UnknownReason::CountOverflow) => return Ok(false),
            Err(reason) => return Err(reason),
        }
        self.block(config, level, depth, budget)?;
        self.counters.counterexamples_blocked += 1;
        Ok(true)
    }

    /// Whether a configuration is known to be coverable.
    fn is_coverable(&self, config: ConfigRef<'_>) -> bool {
        self.system.is_initial(config) || self.known.contains(config)
    }
}

/// A configuration with so many threads in a local in which it has some.
pub(super) fn with_count(config: &Config, local: LocalId, count: u32) -> Config {
    let counts =
        config.bag.iter().map(|entry| (entry.local, if entry.local == local { count } else { entry.count }));
    let bag = Bag::from_counts(counts).expect("INVARIANT: every local occurs once");
    Config::new(config.shared, bag)
}
