//! All ways of distributing counted threads over options, one at a time.
//!
//! Both directions of a move are such a distribution: forwards, the threads of a source over its
//! destinations; backwards, the threads of a destination over its sources. Their number is a product of
//! binomials, so they are enumerated, never listed.

use crate::LocalId;
use crate::bag::{Bag, CountOverflow, Entry};
use smallvec::SmallVec;

/// `count` threads of `item`, spread over `options`: `parts[i]` of them take `options[i]`.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) item: LocalId,
    pub(crate) options: SmallVec<[LocalId; 2]>,
    pub(crate) parts: SmallVec<[u32; 2]>,
}

impl Group {
    /// The next composition of the count into parts, in reverse lexicographic order; `false` after the last,
    /// when the first has been restored.
    fn advance(&mut self) -> bool {
        let Some(last) = self.parts.len().checked_sub(1) else { return false };
        let first_used = self.parts.iter().position(|&part| part > 0).unwrap_or(last);
        let amount = std::mem::take(&mut self.parts[first_used]);
        if first_used == last {
            self.parts[0] = amount;
            return false;
        }
        self.parts[0] = amount - 1;
        self.parts[first_used + 1] += 1;
        true
    }
}

/// An enumeration that stands at one distribution, at first the one where everything takes option 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Distribution {
    groups: SmallVec<[Group; 4]>,
}

impl Distribution {
    /// Adds threads to distribute. A group without options stands for threads that vanish.
    pub(crate) fn push(&mut self, item: Entry, options: SmallVec<[LocalId; 2]>) {
        let mut parts = SmallVec::from_elem(0, options.len());
        if let Some(first) = parts.first_mut() {
            *first = item.count;
        }
        self.groups.push(Group { item: item.local, options, parts });
    }

    /// Moves on to the next distribution; `false` after the last.
    pub(crate) fn advance(&mut self) -> bool {
        self.groups.iter_mut().any(Group::advance)
    }

    /// Whether two distributions may give the same bag: some option is open to two groups, one of which has a
    /// choice.
    pub(crate) fn may_repeat(&self) -> bool {
        self.groups.iter().enumerate().any(|(i, a)| {
            let later = &self.groups[i + 1..];
            later.iter().any(|b| {
                a.options.len().max(b.options.len()) > 1 && a.options.iter().any(|o| b.options.contains(o))
            })
        })
    }

    /// Where every thread has gone, as a bag.
    pub(crate) fn bag(&self) -> Result<Bag, CountOverflow> {
        Bag::from_counts(self.choices().filter_map(|(_, option, count)| Some((option?, count))))
    }

    /// What was chosen: item, option (`None`: vanishes) and number of threads, without zero parts.
    pub(crate) fn choices(&self) -> impl Iterator<Item = (LocalId, Option<LocalId>, u32)> {
        self.groups.iter().flat_map(|group| {
            let chosen = group.options.iter().zip(&group.parts).filter(|&(_, &part)| part > 0);
            chosen.map(|(&option, &part)| (group.item, Some(option), part))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compositions_are_complete_and_distinct() {
        let mut distribution = Distribution::default();
        for (local, count, options) in [(0, 3, 3), (1, 1, 2), (2, 2, 1)] {
            let options = (0..options).map(|o| LocalId::new(10 * local + o)).collect();
            distribution.push(Entry { local: LocalId::new(local), count }, options);
        }
        let mut seen = std::collections::BTreeSet::new();
        loop {
            assert!(seen.insert(distribution.bag().unwrap()));
            if !distribution.advance() {
                break;
            }
        }
        assert_eq!(seen.len(), 10 * 2);
        assert!(!distribution.may_repeat());
    }
}
