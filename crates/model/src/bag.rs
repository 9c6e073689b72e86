//! Bags: multisets of local states, kept as sorted small arrays of counted entries.
//!
//! A bag in memory is a slice of [`Entry`], sorted by local state, without zero counts. All operations are
//! merges of two such slices. The count [`OMEGA`] stands for "arbitrarily many" in ω-bags; since it is the
//! largest count, the order of plain bags is the order of ω-bags too.

use crate::LocalId;
use smallvec::SmallVec;

/// The count of an ω-entry: arbitrarily many threads. Larger than every finite count.
pub const OMEGA: u32 = u32::MAX;

/// The largest finite count.
pub const MAX_COUNT: u32 = OMEGA - 1;

/// So many threads in one local state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// Where the threads are.
    pub local: LocalId,
    /// How many, at least 1; [`OMEGA`] in ω-bags only.
    pub count: u32,
}

/// A count passed [`MAX_COUNT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more than 4294967294 threads in one local state")]
pub struct CountOverflow;

/// An owned bag; four entries fit without an allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bag(SmallVec<[Entry; 4]>);

impl Bag {
    /// The empty bag.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bag of these counted locals, in any order; counts of a local that occurs repeatedly add up.
    pub fn from_counts(counts: impl IntoIterator<Item = (LocalId, u32)>) -> Result<Self, CountOverflow> {
        let mut bag = Self::new();
        bag.0.extend(counts.into_iter().filter(|&(_, n)| n > 0).map(|(local, count)| Entry { local, count }));
        bag.normalise()?;
        Ok(bag)
    }

    /// The bag of these locals; repetitions count.
    pub fn from_locals(locals: impl IntoIterator<Item = LocalId>) -> Result<Self, CountOverflow> {
        Self::from_counts(locals.into_iter().map(|local| (local, 1)))
    }

    /// Sorts the entries and merges those of one local.
    fn normalise(&mut self) -> Result<(), CountOverflow> {
        self.0.sort_unstable_by_key(|entry| entry.local);
        let mut kept = 0;
        for i in 0..self.0.len() {
            let entry = self.0[i];
            if kept > 0 && self.0[kept - 1].local == entry.local {
                self.0[kept - 1].count = add_counts(self.0[kept - 1].count, entry.count)?;
            } else {
                self.0[kept] = entry;
                kept += 1;
            }
        }
        self.0.truncate(kept);
        Ok(())
    }

    /// Empties the bag, keeping its memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Becomes a copy of a sorted slice of entries.
    pub fn assign(&mut self, entries: &[Entry]) {
        debug_assert!(is_normal(entries), "INVARIANT: bags are sorted, without zero counts");
        self.0.clear();
        self.0.extend_from_slice(entries);
    }

    /// Replaces the counts of the chosen entries by ω.
    pub fn raise(&mut self, mut chosen: impl FnMut(Entry) -> bool) {
        self.0.iter_mut().filter(|entry| chosen(**entry)).for_each(|entry| entry.count = OMEGA);
    }

    /// Removes one thread of the entry at a position, and the entry if it was the last.
    pub fn remove_one(&mut self, position: usize) {
        match self.0[position].count {
            1 => drop(self.0.remove(position)),
            OMEGA => {}
            count => self.0[position].count = count - 1,
        }
    }

    /// Removes `count` threads in `local`, or all of them if there are fewer; of ω it removes none.
    pub fn remove(&mut self, local: LocalId, count: u32) {
        let Ok(position) = self.0.binary_search_by_key(&local, |entry| entry.local) else { return };
        match self.0[position].count {
            OMEGA => {}
            present if present <= count => drop(self.0.remove(position)),
            present => self.0[position].count = present - count,
        }
    }

    /// Adds `count` threads in `local`.
    pub fn add(&mut self, local: LocalId, count: u32) -> Result<(), CountOverflow> {
        if count == 0 {
            return Ok(());
        }
        match self.0.binary_search_by_key(&local, |entry| entry.local) {
            Ok(at) => self.0[at].count = add_counts(self.0[at].count, count)?,
            Err(at) => self.0.insert(at, Entry { local, count }),
        }
        Ok(())
    }

    /// Appends an entry whose local is larger than all present.
    pub(crate) fn push(&mut self, entry: Entry) {
        debug_assert!(entry.count > 0 && self.0.last().is_none_or(|last| last.local < entry.local));
        self.0.push(entry);
    }
}

/// The bag of a sorted slice of entries.
impl From<&[Entry]> for Bag {
    fn from(entries: &[Entry]) -> Self {
        debug_assert!(is_normal(entries), "INVARIANT: bags are sorted, without zero counts");
        Self(SmallVec::from_slice(entries))
    }
}

impl std::ops::Deref for Bag {
    type Target = [Entry];

    #[inline]
    fn deref(&self) -> &[Entry] {
        &self.0
    }
}

/// Whether a slice is a bag: sorted by local, every count positive.
pub fn is_normal(entries: &[Entry]) -> bool {
    entries.iter().all(|entry| entry.count > 0) && entries.is_sorted_by(|a, b| a.local < b.local)
}

/// The sum of two counts; ω absorbs.
#[inline]
pub fn add_counts(a: u32, b: u32) -> Result<u32, CountOverflow> {
    if a == OMEGA || b == OMEGA {
        return Ok(OMEGA);
    }
    match a.checked_add(b) {
        Some(sum) if sum <= MAX_COUNT => Ok(sum),
        _ => Err(CountOverflow),
    }
}

/// The number of threads in `local`.
#[inline]
pub fn count(bag: &[Entry], local: LocalId) -> u32 {
    // Bags are small; a linear scan with early exit beats a binary search on the usual two to eight entries.
    if bag.len() <= 8 {
        bag.iter()
            .find(|entry| entry.local >= local)
            .filter(|entry| entry.local == local)
            .map_or(0, |e| e.count)
    } else {
        bag.binary_search_by_key(&local, |entry| entry.local).map_or(0, |at| bag[at].count)
    }
}

/// The number of threads, without those of ω-entries.
#[inline]
pub fn size(bag: &[Entry]) -> u64 {
    bag.iter().filter(|entry| entry.count != OMEGA).map(|entry| u64::from(entry.count)).sum()
}

/// Bag inclusion: every count of `small` is at most that of `large`.
#[inline]
pub fn le(small: &[Entry], large: &[Entry]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    if small.len() * 8 < large.len() {
        return le_by_search(small, large);
    }
    let mut rest = large;
    for entry in small {
        loop {
            let Some((first, tail)) = rest.split_first() else { return false };
            rest = tail;
            if first.local >= entry.local {
                if first.local != entry.local || first.count < entry.count {
                    return false;
                }
                break;
            }
        }
    }
    true
}

/// Bag inclusion where one bag is much longer than the other.
fn le_by_search(small: &[Entry], large: &[Entry]) -> bool {
    let mut rest = large;
    small.iter().all(|entry| match rest.binary_search_by_key(&entry.local, |other| other.local) {
        Ok(at) => {
            let enough = rest[at].count >= entry.count;
            rest = &rest[at + 1..];
            enough
        }
        Err(_) => false,
    })
}

/// A set of locals squeezed into 64 bits: if `a ≤ b` then `signature(a) & !signature(b) == 0`.
#[inline]
pub fn signature(bag: &[Entry]) -> u64 {
    bag.iter().fold(0, |bits, entry| bits | 1 << (entry.local.raw().wrapping_mul(0x9e37_79b9) >> 26))
}

/// `out = left + right`.
#[inline]
pub fn sum_into(left: &[Entry], right: &[Entry], out: &mut Bag) -> Result<(), CountOverflow> {
    out.clear();
    let (mut left, mut right) = (left, right);
    loop {
        match (left.split_first(), right.split_first()) {
            (Some((a, rest_a)), Some((b, rest_b))) => {
                if a.local < b.local {
                    out.push(*a);
                    left = rest_a;
                } else if b.local < a.local {
                    out.push(*b);
                    right = rest_b;
                } else {
                    out.push(Entry { local: a.local, count: add_counts(a.count, b.count)? });
                    (left, right) = (rest_a, rest_b);
                }
            }
            (Some(_), None) => {
                left.iter().for_each(|entry| out.push(*entry));
                return Ok(());
            }
            (None, _) => {
                right.iter().for_each(|entry| out.push(*entry));
                return Ok(());
            }
        }
    }
}

/// `out = left ⊖ right`, the difference cut off at zero; ω minus a finite count is ω.
#[inline]
pub fn difference_into(left: &[Entry], right: &[Entry], out: &mut Bag) {
    out.clear();
    let mut rest = right;
    for entry in left {
        while let Some((first, tail)) = rest.split_first() {
            if first.local >= entry.local {
                break;
            }
            rest = tail;
        }
        let minus = rest.first().filter(|first| first.local == entry.local).map_or(0, |first| first.count);
        let count = if entry.count == OMEGA { OMEGA } else { entry.count.saturating_sub(minus) };
        if count > 0 {
            out.push(Entry { local: entry.local, count });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bag(counts: &[(usize, u32)]) -> Bag {
        Bag::from_counts(counts.iter().map(|&(l, n)| (LocalId::new(l), n))).unwrap()
    }

    #[test]
    fn repeated_locals_add_up_in_any_order() {
        assert_eq!(bag(&[(3, 1), (1, 2), (3, 4), (2, 0)]), bag(&[(1, 2), (3, 5)]));
    }

    #[test]
    fn counts_do_not_overflow_silently() {
        assert_eq!(
            Bag::from_counts([(LocalId::new(0), MAX_COUNT), (LocalId::new(0), 1)]),
            Err(CountOverflow)
        );
        assert_eq!(add_counts(OMEGA, 5), Ok(OMEGA));
    }

    #[test]
    fn inclusion_compares_counts() {
        let large = bag(&[(1, 2), (4, 1), (7, OMEGA)]);
        for (small, expected) in [
            (bag(&[]), true),
            (bag(&[(1, 2), (7, 100)]), true),
            (bag(&[(1, 3)]), false),
            (bag(&[(0, 1)]), false),
            (bag(&[(8, 1)]), false),
            (bag(&[(1, 1), (2, 1)]), false),
        ] {
            assert_eq!(le(&small, &large), expected, "{small:?}");
            assert!(!expected || signature(&small) & !signature(&large) == 0);
        }
    }

    #[test]
    fn sum_and_difference_merge() {
        let mut out = Bag::new();
        sum_into(&bag(&[(1, 2), (3, 1)]), &bag(&[(0, 1), (3, 2), (9, 1)]), &mut out).unwrap();
        assert_eq!(out, bag(&[(0, 1), (1, 2), (3, 3), (9, 1)]));
        difference_into(&bag(&[(0, 1), (1, 2), (3, 3)]), &bag(&[(1, 5), (2, 1), (3, 1)]), &mut out);
        assert_eq!(out, bag(&[(0, 1), (3, 2)]));
    }

    #[test]
    fn a_bag_of_four_entries_needs_no_allocation() {
        assert!(size_of::<Bag>() <= 48);
        assert!(!bag(&[(1, 1), (2, 1), (3, 1), (4, 1)]).0.spilled());
    }
}
