//! What is excluded after how many steps: lemmas with levels, and facts that always hold.
//!
//! A lemma of level k says that no state that is reached in at most k steps is like its cube. What is known before the k-th step
//! are all lemmas of level k - 1 and more, and the facts.

use super::cube::Cube;
use rustc_hash::FxHashMap;
use throng_cfa::flow::LocationId;

/// The level of facts, which hold after any number of steps.
pub(super) const ALWAYS: usize = usize::MAX;

/// What is excluded.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// What was excluded, and the level at which it then was; later entries may say the same at a higher level.
    log: Vec<(usize, usize)>,
    /// The cubes, with their levels.
    pub(super) lemmas: Vec<(Cube, usize)>,
    /// Entries of the log by the sorted locations of their threads.
    by_threads: FxHashMap<Vec<LocationId>, Vec<usize>>,
}

impl Frames {
    /// Excludes a cube.
    pub(super) fn add(&mut self, cube: Cube, level: usize) {
        self.lemmas.push((cube, level));
        self.enter(self.lemmas.len() - 1);
    }

    /// A lemma has a higher level.
    pub(super) fn raise(&mut self, lemma: usize, level: usize) {
        self.lemmas[lemma].1 = level;
        self.enter(lemma);
    }

    fn enter(&mut self, lemma: usize) {
        let (cube, level) = &self.lemmas[lemma];
        let mut threads = cube.threads.clone();
        threads.sort_unstable();
        self.by_threads.entry(threads).or_default().push(self.log.len());
        self.log.push((lemma, *level));
    }

    /// How many entries the log has.
    pub(super) fn len(&self) -> usize {
        self.log.len()
    }

    /// An entry of the log: the lemma, and its level then.
    pub(super) fn entry(&self, number: usize) -> (usize, usize) {
        self.log[number]
    }

    /// The entries from this number on that are about threads at some of these locations.
    pub(super) fn about(&self, stand: &[LocationId], from: usize) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut seen: Vec<Vec<LocationId>> = Vec::new();
        for subset in 0_u32..1 << stand.len() {
            let chosen = stand.iter().enumerate().filter(|(place, _)| subset >> place & 1 == 1);
            let mut threads: Vec<LocationId> = chosen.map(|(_, &at)| at).collect();
            threads.sort_unstable();
            if seen.contains(&threads) {
                continue;
            }
            if let Some(list) = self.by_threads.get(&threads) {
                found.extend(&list[list.partition_point(|&it| it < from)..]);
            }
            seen.push(threads);
        }
        found.sort_unstable();
        found
    }

    /// Whether a lemma of at least this level excludes a cube.
    pub(super) fn excludes(&self, cube: &Cube, level: usize) -> bool {
        let known = self.about(&cube.threads, 0);
        known.into_iter().any(|entry| {
            let (lemma, known) = self.log[entry];
            known >= level && self.lemmas[lemma].0.covers(cube)
        })
    }

    /// Whether nobody ever stands so, as far as lemmas of at least this level say without literals.
    pub(super) fn is_empty_there(&self, stand: &[LocationId], level: usize) -> bool {
        let known = self.about(stand, 0);
        known.into_iter().any(|entry| {
            let (lemma, known) = self.log[entry];
            known >= level && self.lemmas[lemma].0.lits.is_empty()
        })
    }

    /// The lemmas of just this level.
    pub(super) fn at(&self, level: usize) -> Vec<usize> {
        (0..self.lemmas.len()).filter(|&it| self.lemmas[it].1 == level).collect()
    }
}
