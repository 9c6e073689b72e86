//! Whether a dual-reference relation is monotone: eq. 42 of the thesis, and where it is not, its non-monotone fragment (Definition 18).
//!
//! A relation is a list of models over bits: those of the acting thread and of the state before and after the step (L, L′), those of
//! a passive thread before it (L_P), and those of a passive thread after it (L′_P). It is monotone if whatever an acting thread can do beside
//! some passive thread, it can do beside each: eq. 42 says so of all values of L_P. Values that no thread can have in this step
//! (predicates that exclude each other, places out of all scopes) may be left out of "all": whoever asks says how many there are.
//!
//! Eq. 42 is sufficient for monotonicity, not necessary.

use crate::scene::{Bit, Time, Who};
use rustc_hash::FxHashSet;

/// Which bits of models are whose. The rest are those of the passive thread after the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sides {
    /// L and L′, and what is shared.
    pub(crate) active: u64,
    /// L_P.
    pub(crate) passive: u64,
}

impl Sides {
    /// Those of a relation with these bits.
    pub(crate) fn of(bits: &[Bit]) -> Self {
        let mut sides = Self { active: 0, passive: 0 };
        for (index, &bit) in bits.iter().enumerate() {
            match bit {
                Bit::Counts(_) | Bit::Value { who: Who::Passive, time: Time::Before, .. } => {
                    sides.passive |= 1 << index;
                }
                Bit::Value { who: Who::Passive, time: Time::After, .. } => {}
                Bit::Value { who: Who::State | Who::Active, .. } => sides.active |= 1 << index,
            }
        }
        sides
    }

    /// How many values of L_P are in some model.
    pub(crate) fn occurring(self, models: &[u64]) -> usize {
        distinct(models, self.passive).len()
    }

    /// Eq. 42, where "all L_P" are so many, at least those that occur.
    pub(crate) fn is_monotone(self, models: &[u64], all_passive: usize) -> bool {
        let (steps, pairs) = (distinct(models, self.active), distinct(models, self.active | self.passive));
        pairs.len() == steps.len() * all_passive
    }

    /// Whether values of a cube over these bits depend on who else is there: an acting thread's step is excluded beside some
    /// passive threads.
    pub(crate) fn is_blocked_by(self, mask: u64) -> bool {
        mask & !(self.active | self.passive) == 0 && mask & self.active != 0 && mask & self.passive != 0
    }

    /// Definition 18, for these values of L_P: values of L, L_P and L′ that are no part of a model, but would be with another L_P. Sorted.
    #[cfg(test)]
    pub(crate) fn fragment(self, models: &[u64], all_passive: &[u64]) -> Vec<u64> {
        let pairs = distinct(models, self.active | self.passive);
        let steps = distinct(models, self.active).into_iter();
        let all = steps.flat_map(|step| all_passive.iter().map(move |passive| step | passive));
        let mut all: Vec<u64> = all.filter(|it| !pairs.contains(it)).collect();
        all.sort_unstable();
        all
    }
}

/// The same of values that were learned to be impossible together, however many.
pub(crate) fn is_blocked(values: &[(Bit, bool)]) -> bool {
    let all = || values.iter().map(|&(bit, _)| bit);
    let is_watching = |bit: Bit| matches!(bit, Bit::Counts(_) | Bit::Value { who: Who::Passive, .. });
    let is_after = |bit: Bit| matches!(bit, Bit::Value { who: Who::Passive, time: Time::After, .. });
    all().any(is_watching) && all().any(|bit| !is_watching(bit)) && !all().any(is_after)
}

fn distinct(models: &[u64], mask: u64) -> FxHashSet<u64> {
    models.iter().map(|it| it & mask).collect()
}
