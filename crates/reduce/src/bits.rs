//! Sets of small numbers as bits: unions are a word operation for 64 members.

/// A set of indices below a bound that is fixed when the set is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// How many words a set of indices below `bound` has.
    pub(crate) fn n_words(bound: usize) -> usize {
        bound.div_ceil(64)
    }

    /// The empty set of indices below `bound`.
    pub(crate) fn new(bound: usize) -> Self {
        Self { words: vec![0; Self::n_words(bound)] }
    }

    /// All indices below `bound`.
    pub(crate) fn full(bound: usize) -> Self {
        let mut words = vec![u64::MAX; Self::n_words(bound)];
        if let Some(last) = words.last_mut()
            && !bound.is_multiple_of(64)
        {
            *last = (1 << (bound % 64)) - 1;
        }
        Self { words }
    }

    /// Whether `index` is a member. Precondition here and below: it is below the bound.
    #[inline]
    pub(crate) fn contains(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// Adds `index`; whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, index: usize) -> bool {
        let (word, bit) = (&mut self.words[index / 64], 1 << (index % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Takes `index` out.
    #[inline]
    pub(crate) fn remove(&mut self, index: usize) {
        self.words[index / 64] &= !(1 << (index % 64));
    }

    /// Adds all members of a set with the same bound; whether one of them is new.
    #[inline]
    pub(crate) fn union_with(&mut self, other: &BitSet) -> bool {
        let mut new = 0;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            new |= more & !*word;
            *word |= more;
        }
        new != 0
    }

    /// How many members there are.
    pub(crate) fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The members in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + Clone {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let rest = std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)));
            rest.take_while(|&rest| rest != 0).map(move |rest| 64 * i + rest.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order() {
        let mut set = BitSet::new(200);
        for index in [199, 0, 64, 63, 64] {
            set.insert(index);
        }
        set.remove(63);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 64, 199]);
        assert_eq!(set.len(), 3);
        assert!(set.contains(199) && !set.contains(63));
    }

    #[test]
    fn the_full_set_ends_at_its_bound() {
        for bound in [0, 1, 63, 64, 65, 128] {
            assert_eq!(BitSet::full(bound).iter().collect::<Vec<_>>(), (0..bound).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_union_says_whether_it_grew() {
        let (mut small, mut large) = (BitSet::new(70), BitSet::new(70));
        small.insert(69);
        large.insert(69);
        large.insert(1);
        assert!(small.union_with(&large));
        assert!(!small.union_with(&large));
        assert_eq!(small, large);
    }
}
