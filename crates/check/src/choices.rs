//! All ways in which threads can choose, one at a time, with whole families of ways settled at once.
//!
//! Moved threads choose a destination each; read backwards, leftover threads choose a source each. Threads
//! that start at the same local are interchangeable, so what counts is how many take each option. The number
//! of ways can be exponential, so they are never stored, and [`find`] asks at every prefix of decisions
//! whether all ways to go on are settled already.

use crate::verdict::Trouble;
use throng_model::LocalId;

/// A number of threads that share some options, and how many of them take each.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    count: u64,
    options: Vec<LocalId>,
    parts: Vec<u64>,
}

impl Split {
    /// At first all threads take the first option. There must be one.
    pub(crate) fn new(count: u64, options: Vec<LocalId>) -> Self {
        debug_assert!(!options.is_empty(), "threads without an option are not a choice");
        let mut split = Self { count, parts: vec![0; options.len()], options };
        split.reset();
        split
    }

    fn reset(&mut self) {
        self.parts.fill(0);
        if let Some(first) = self.parts.first_mut() {
            *first = self.count;
        }
    }

    /// How many threads take each option now.
    pub(crate) fn chosen(&self) -> impl Iterator<Item = (LocalId, u64)> + '_ {
        self.options.iter().copied().zip(self.parts.iter().copied())
    }

    /// How many ways there are: the number of multisets of `count` options; saturates.
    pub(crate) fn n_ways(&self) -> u128 {
        let mut ways = 1_u128;
        for (drawn, _) in (1_u128..).zip(self.options.iter().skip(1)) {
            // The binomial of count + drawn over drawn, from that of one less: the division leaves no rest.
            let factor = u128::from(self.count).saturating_add(drawn);
            let Some(product) = ways.checked_mul(factor) else { return u128::MAX };
            ways = product.checked_div(drawn).unwrap_or(u128::MAX);
        }
        ways
    }

    /// All threads at every option: an upper bound of every choice.
    pub(crate) fn everywhere(&self) -> impl Iterator<Item = (LocalId, u64)> + '_ {
        self.options.iter().map(|&option| (option, self.count))
    }

    /// The next way; `false` after the last, when the first stands again.
    ///
    /// The first part in use gives one thread to its right neighbour and the rest to the first option: the
    /// successor in colexicographic order.
    pub(crate) fn advance(&mut self) -> bool {
        let Some(used) = self.parts.iter().position(|&part| part > 0) else { return false };
        let Some([part, next]) = self.parts.get_mut(used..).and_then(|parts| parts.first_chunk_mut()) else {
            self.reset();
            return false;
        };
        let rest = std::mem::take(part).saturating_sub(1);
        *next = next.saturating_add(1);
        if let Some(first) = self.parts.first_mut() {
            *first = rest;
        }
        true
    }
}

/// Whether all ways to decide the open splits (second) after the decided ones (first) are fine.
type Settled<'a> = dyn FnMut(&[Split], &[Split]) -> Result<bool, Trouble> + 'a;

/// Looks for a way to choose that is not settled. `settled` sees the splits decided so far and those still
/// open, and says whether every way to decide the open ones is fine. Returns whether a way was found for
/// which it is not, with the splits standing there.
pub(crate) fn find(splits: &mut [Split], limit: u64, settled: &mut Settled<'_>) -> Result<bool, Trouble> {
    let mut decided = 0_usize;
    for _ in 0..limit {
        let (done, open) = splits.split_at(decided);
        if !settled(done, open)? {
            if open.is_empty() {
                return Ok(true);
            }
            decided = decided.saturating_add(1);
            continue;
        }
        loop {
            let Some(last) = decided.checked_sub(1) else { return Ok(false) };
            if splits.get_mut(last).is_some_and(Split::advance) {
                break;
            }
            decided = last;
        }
    }
    Err(Trouble::TooManyChoices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn split(count: u64, options: usize) -> Split {
        Split::new(count, LocalId::all(options).collect())
    }

    #[test]
    fn every_way_is_tried_once() {
        let mut splits = [split(3, 3), split(1, 2), split(2, 1)];
        let mut seen = BTreeSet::new();
        let found = find(&mut splits, 1000, &mut |done, open| {
            if open.is_empty() {
                let way: Vec<u64> = done.iter().flat_map(|split| split.parts.clone()).collect();
                assert!(seen.insert(way));
            }
            Ok(open.is_empty())
        });
        assert_eq!((found, seen.len()), (Ok(false), 10 * 2));
    }

    #[test]
    fn ways_are_counted_without_trying_them() {
        for (count, options, ways) in [(3, 3, 10), (1, 2, 2), (2, 1, 1), (4, 4, 35), (0, 3, 1)] {
            let mut one = split(count, options);
            let tried = std::iter::from_fn(|| one.advance().then_some(())).count();
            assert_eq!(split(count, options).n_ways(), ways, "{count} over {options}");
            assert_eq!(tried + 1, ways as usize, "{count} over {options}");
        }
        assert_eq!(split(u64::MAX, 3).n_ways(), u128::MAX);
    }

    #[test]
    fn settled_prefixes_are_cut_off() {
        let mut splits = [split(1, 2), split(1_000_000, 5)];
        let mut asked = 0;
        let found = find(&mut splits, 1000, &mut |done, _| {
            asked += 1;
            Ok(!done.is_empty())
        });
        assert_eq!((found, asked), (Ok(false), 3));
    }

    #[test]
    fn the_way_that_is_not_settled_stands() {
        let mut splits = [split(2, 2)];
        let wanted = [0, 2];
        let found = find(&mut splits, 1000, &mut |done, open| Ok(open.is_empty() && done[0].parts != wanted));
        assert_eq!((found, &splits[0].parts[..]), (Ok(true), &wanted[..]));
    }

    #[test]
    fn the_limit_ends_hopeless_searches() {
        let mut splits = [split(u64::MAX, 2)];
        let found = find(&mut splits, 1000, &mut |_, open| Ok(open.is_empty()));
        assert_eq!(found, Err(Trouble::TooManyChoices));
    }
}
