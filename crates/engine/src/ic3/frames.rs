//! Frames: what is known not to be coverable within so many steps.
//!
//! R_i over-approximates what is coverable in at most i steps, and is kept as what is *not* in it: the configurations
//! above a lemma. R_i ⊆ R_{i+1}, so each lemma is kept once, with the highest level at which it holds (delta
//! encoding): the F_i of the paper are the lemmas of level i. A lemma of level [`FOREVER`] holds always.
//!
//! All lemmas are in one set with one index, and each has its level beside it: the question asked all the time is
//! whether a lemma of at least some level is below a configuration, and one walk through one trie answers that.
//! A lemma that a smaller one of at least its level makes superfluous stays until propagation comes to it.
//!
//! This module keeps lemmas; whether they hold is for others to see.

use std::ops::ControlFlow;
use throng_model::closed::ElementId;
use throng_model::{Antichain, Config, ConfigRef};

/// The number of steps within which something is not coverable.
pub(super) type Level = u32;

/// The level of what is not coverable at all.
pub(super) const FOREVER: Level = Level::MAX;

/// Why a lemma holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// It is inductive relative to the frame below its level.
    Induction,
    /// What is above it breaks a cut. Such lemmas are no part of a proof, which has the cut instead.
    Cut,
}

/// What is known about a lemma besides its configuration.
#[derive(Clone, Debug)]
struct Lemma {
    level: Level,
    ground: Ground,
    /// A predecessor because of which it did not hold at the next level when that was last tried.
    obstacle: Option<Config>,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Frames {
    elements: Antichain,
    lemmas: Vec<Lemma>,
    /// For each level the lemmas that came to have it; some have left it since.
    lists: Vec<Vec<ElementId>>,
    /// For each level how many lemmas have it.
    counts: Vec<usize>,
}

impl Frames {
    /// How many lemmas there are.
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// How many lemmas of a level there are.
    pub(super) fn n_at(&self, level: Level) -> usize {
        self.counts.get(level as usize).copied().unwrap_or(0)
    }

    /// Whether a lemma excludes a configuration from the frame of a level.
    #[inline]
    pub(super) fn blocks(&self, config: ConfigRef<'_>, level: Level) -> bool {
        self.for_each_blocker(config, level, |_, _| ControlFlow::Break(())).is_break()
    }

    /// The highest level whose frame a lemma excludes a configuration from; 0 if there is none.
    pub(super) fn highest_blocking(&self, config: ConfigRef<'_>) -> Level {
        let mut highest = 0;
        let _ = self.for_each_blocker(config, 1, |_, level| {
            highest = highest.max(level);
            if highest == FOREVER { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        highest
    }

    /// Reports the lemmas of at least a level that are below a configuration, each with its level.
    #[inline]
    pub(super) fn for_each_blocker(
        &self,
        config: ConfigRef<'_>,
        level: Level,
        mut report: impl FnMut(ElementId, Level) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.elements.for_each_below(config, |id| {
            let found = self.lemmas[id.index()].level;
            if found >= level { report(id, found) } else { ControlFlow::Continue(()) }
        })
    }

    /// The configuration of a lemma.
    #[inline]
    pub(super) fn get(&self, id: ElementId) -> ConfigRef<'_> {
        self.elements.get(id)
    }

    /// What stood in the way of a lemma last time.
    pub(super) fn obstacle(&self, id: ElementId) -> Option<ConfigRef<'_>> {
        self.lemmas[id.index()].obstacle.as_ref().map(Config::view)
    }

    /// Notes what stands in the way of a lemma.
    pub(super) fn set_obstacle(&mut self, id: ElementId, obstacle: Config) {
        self.lemmas[id.index()].obstacle = Some(obstacle);
    }

    /// Makes a lemma hold up to a level. The highest level up to which it, or something below it, is known to hold then.
    pub(super) fn learn(&mut self, config: ConfigRef<'_>, level: Level, ground: Ground) -> Level {
        let known = self.highest_blocking(config);
        if known >= level {
            return known;
        }
        match self.elements.find(config) {
            Some(id) => {
                self.raise(id, level);
                self.lemmas[id.index()].ground = ground;
            }
            None => {
                let id = self.elements.add(config);
                debug_assert_eq!(id.index(), self.lemmas.len());
                self.lemmas.push(Lemma { level, ground, obstacle: None });
                self.list(id, level);
            }
        }
        level
    }

    /// Raises the level of a lemma.
    pub(super) fn raise(&mut self, id: ElementId, level: Level) {
        let lemma = &mut self.lemmas[id.index()];
        debug_assert!(lemma.level <= level, "INVARIANT: frames only shrink");
        if lemma.level < level {
            let before = std::mem::replace(&mut lemma.level, level);
            lemma.obstacle = None;
            self.counts[before as usize] -= 1;
            self.list(id, level);
        }
    }

    fn list(&mut self, id: ElementId, level: Level) {
        if level != FOREVER {
            let n_levels = self.lists.len().max(level as usize + 1);
            self.lists.resize_with(n_levels, Vec::new);
            self.counts.resize(n_levels, 0);
            self.lists[level as usize].push(id);
            self.counts[level as usize] += 1;
        }
    }

    /// Takes the list of the lemmas of a level; those that keep the level have to be listed again.
    pub(super) fn take_list(&mut self, level: Level) -> Vec<ElementId> {
        let mut list = self.lists.get_mut(level as usize).map(std::mem::take).unwrap_or_default();
        list.retain(|&id| self.elements.is_present(id) && self.lemmas[id.index()].level == level);
        list
    }

    /// Lists lemmas that kept their level.
    pub(super) fn put_back(&mut self, level: Level, kept: Vec<ElementId>) {
        if let Some(list) = self.lists.get_mut(level as usize) {
            list.extend(kept);
        }
    }

    /// Whether a lemma is not superfluous; it is removed if it is.
    pub(super) fn keep_if_needed(&mut self, id: ElementId) -> bool {
        let level = self.lemmas[id.index()].level;
        let superfluous = self.is_above_another(id, self.get(id), level);
        if superfluous {
            self.elements.remove(id);
            self.lemmas[id.index()].obstacle = None;
            if level != FOREVER {
                self.counts[level as usize] -= 1;
            }
        }
        !superfluous
    }

    /// How many lemmas hold for ever and are not about cuts.
    pub(super) fn n_forever(&self) -> usize {
        self.inductive(FOREVER).count()
    }

    /// The minimal ones of the lemmas of at least a level, without those about cuts and what is above them.
    pub(super) fn proof(&self, level: Level) -> impl Iterator<Item = ConfigRef<'_>> {
        self.inductive(level)
            .filter(move |&(id, config)| !self.is_above_another(id, config, level))
            .map(|(_, config)| config)
    }

    fn inductive(&self, level: Level) -> impl Iterator<Item = (ElementId, ConfigRef<'_>)> {
        self.elements.iter().filter(move |(id, _)| {
            let lemma = &self.lemmas[id.index()];
            lemma.level >= level && lemma.ground == Ground::Induction
        })
    }

    /// Whether some other lemma of at least a level is below a lemma.
    fn is_above_another(&self, id: ElementId, config: ConfigRef<'_>, level: Level) -> bool {
        let other = |other, _| if other == id { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        self.for_each_blocker(config, level, other).is_break()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::{Bag, LocalId, SharedId};

    fn config(locals: &[usize]) -> Config {
        let bag = Bag::from_locals(locals.iter().copied().map(LocalId::new)).unwrap();
        Config::new(SharedId::new(0), bag)
    }

    #[test]
    fn a_lemma_blocks_up_to_its_level_what_is_above_it() {
        let mut frames = Frames::default();
        frames.learn(config(&[1]).view(), 2, Ground::Induction);
        frames.learn(config(&[1, 2]).view(), 5, Ground::Induction);
        let above = config(&[1, 2, 3]);
        assert!(frames.blocks(above.view(), 5) && !frames.blocks(above.view(), 6));
        assert!(frames.blocks(config(&[1]).view(), 2) && !frames.blocks(config(&[1]).view(), 3));
        assert_eq!(frames.highest_blocking(above.view()), 5);
        assert_eq!(frames.highest_blocking(config(&[2]).view()), 0);
    }

    #[test]
    fn levels_are_counted_when_lemmas_move_and_when_they_become_superfluous() {
        let mut frames = Frames::default();
        frames.learn(config(&[1, 2]).view(), 2, Ground::Induction);
        frames.learn(config(&[1, 3]).view(), 2, Ground::Induction);
        frames.learn(config(&[1, 3]).view(), 3, Ground::Induction);
        frames.learn(config(&[1]).view(), 2, Ground::Induction);
        assert_eq!((frames.n_at(2), frames.n_at(3)), (2, 1));
        let list = frames.take_list(2);
        assert_eq!(list.len(), 2);
        let kept: Vec<ElementId> = list.into_iter().filter(|&id| frames.keep_if_needed(id)).collect();
        // {1, 2} at level 2 is above {1} at level 2, but {1, 3} at level 3 says more than {1}.
        assert_eq!((kept.len(), frames.n_at(2), frames.n_at(3), frames.len()), (1, 1, 1, 2));
    }

    /// A cut that excludes a lemma may be found while the lemma is made.
    #[test]
    fn what_is_known_for_ever_is_not_forgotten() {
        let mut frames = Frames::default();
        frames.learn(config(&[1]).view(), FOREVER, Ground::Cut);
        for later in [config(&[1]), config(&[1, 2])] {
            assert_eq!(frames.learn(later.view(), 3, Ground::Induction), FOREVER);
        }
        assert_eq!((frames.highest_blocking(config(&[1]).view()), frames.n_at(3)), (FOREVER, 0));
        assert_eq!(frames.proof(1).count(), 0);
    }

    #[test]
    fn a_proof_has_the_minimal_lemmas_from_a_level_on() {
        let mut frames = Frames::default();
        for (locals, level) in [(&[1, 2][..], 4), (&[1], 3), (&[2], 2), (&[3], FOREVER)] {
            frames.learn(config(locals).view(), level, Ground::Induction);
        }
        let proof = |level| frames.proof(level).map(|lemma| lemma.to_config()).collect::<Vec<_>>();
        assert_eq!(proof(3), [config(&[1]), config(&[3])]);
        assert_eq!(proof(4), [config(&[1, 2]), config(&[3])]);
        assert_eq!(frames.n_forever(), 1);
    }
}
