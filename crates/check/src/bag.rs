//! The checker's own bags and configurations: sorted counts, exact arithmetic.
//!
//! Deliberately not the model's: nothing that an engine computes with is used to check it.

use crate::verdict::Trouble;
use throng_model::{Entry, LocalId, SharedId};

/// The count of arbitrarily many threads. The largest, so that comparing counts compares ω-counts too.
pub(crate) const OMEGA: u64 = u64::MAX;

/// A multiset of locals, sorted, without zero counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bag(Vec<(LocalId, u64)>);

impl Bag {
    pub(crate) fn entries(&self) -> &[(LocalId, u64)] {
        &self.0
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The bag of these counts, see [`Bag::extend`].
    pub(crate) fn from_counts(counts: impl IntoIterator<Item = (LocalId, u64)>) -> Result<Self, Trouble> {
        let mut bag = Self::default();
        bag.extend(counts)?;
        Ok(bag)
    }

    /// Adds counts in any order, repetitions adding up; ω absorbs.
    pub(crate) fn extend(&mut self, counts: impl IntoIterator<Item = (LocalId, u64)>) -> Result<(), Trouble> {
        self.0.extend(counts.into_iter().filter(|&(_, count)| count > 0));
        // Usually a long sorted part and a short rest: what the stable sort is good at.
        self.0.sort();
        let mut trouble = None;
        self.0.dedup_by(|next, kept| {
            if next.0 != kept.0 {
                return false;
            }
            match add(kept.1, next.1) {
                Ok(sum) => kept.1 = sum,
                Err(found) => trouble = Some(found),
            }
            true
        });
        trouble.map_or(Ok(()), Err)
    }

    /// The number of threads in `local`.
    pub(crate) fn count(&self, local: LocalId) -> u64 {
        let found = self.0.binary_search_by_key(&local, |&(local, _)| local);
        found.ok().and_then(|at| self.0.get(at)).map_or(0, |&(_, count)| count)
    }
}

/// The sum of two counts; ω absorbs.
pub(crate) fn add(a: u64, b: u64) -> Result<u64, Trouble> {
    if a == OMEGA || b == OMEGA {
        return Ok(OMEGA);
    }
    a.checked_add(b).filter(|&sum| sum < OMEGA).ok_or(Trouble::Overflow)
}

/// The difference of two counts, cut off at zero; ω minus a finite count is ω.
pub(crate) fn subtract(a: u64, b: u64) -> u64 {
    if a == OMEGA { OMEGA } else { a.saturating_sub(b) }
}

/// The counts of a bag of the model, which is finite.
pub(crate) fn counts(entries: &[Entry]) -> impl Iterator<Item = (LocalId, u64)> + '_ {
    entries.iter().map(|entry| (entry.local, u64::from(entry.count)))
}

/// The number of threads that a bag of the model, which is sorted, has in `local`.
pub(crate) fn count_in(entries: &[Entry], local: LocalId) -> u64 {
    let found = entries.binary_search_by_key(&local, |entry| entry.local);
    found.ok().and_then(|at| entries.get(at)).map_or(0, |entry| u64::from(entry.count))
}

/// A configuration, or an ω-configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) shared: SharedId,
    pub(crate) bag: Bag,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn l(index: usize) -> LocalId {
        LocalId::new(index)
    }

    #[test]
    fn counts_add_up_and_omega_absorbs() {
        let mut bag = Bag::default();
        bag.extend([(l(3), 2), (l(1), 1), (l(3), 5), (l(2), 0), (l(1), OMEGA)]).unwrap();
        assert_eq!(bag.entries(), [(l(1), OMEGA), (l(3), 7)]);
        assert_eq!((bag.count(l(1)), bag.count(l(2)), bag.count(l(3))), (OMEGA, 0, 7));
        assert_eq!(subtract(OMEGA, 5), OMEGA);
    }

    #[test]
    fn finite_counts_do_not_become_omega() {
        let mut bag = Bag::default();
        assert_eq!(bag.extend([(l(0), OMEGA - 2), (l(0), 1)]), Ok(()));
        assert_eq!(bag.extend([(l(0), 1)]), Err(Trouble::Overflow));
    }
}
