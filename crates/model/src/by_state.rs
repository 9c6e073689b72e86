//! Lists of rules by a shared state and, where there is one, a local state: the tables behind the two indexes of
//! a system.
//!
//! All lists stand in one array, sorted by shared state, then local state, then rule. A second array says where
//! to look: the pairs of states, numbered in that order, are cut into slots of 2^`shift` neighbours, about two
//! slots for each entry, and every slot knows where its entries begin. In most systems a slot is one pair, so that
//! a list is found with two loads; where states are many and rules few, a short binary search is left. Building
//! is a counting sort. The cost in memory depends on the number of entries alone, not on the number of
//! states, which an input may claim to be billions.

use crate::{LocalId, RuleId, SharedId};

/// A rule in the list of a shared state and a local state, or of the shared state alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Listed {
    shared: SharedId,
    /// 0 for the list of the shared state alone, one more than the local state otherwise.
    column: u32,
    rule: RuleId,
}

impl Listed {
    /// Lists a rule under a shared state, and under a local state if there is one.
    pub(crate) fn new(shared: SharedId, local: Option<LocalId>, rule: RuleId) -> Self {
        Self { shared, column: column(local), rule }
    }
}

fn column(local: Option<LocalId>) -> u32 {
    // The number of local states fits four bytes, so every local state is below the largest number.
    local.map_or(0, |local| local.raw().saturating_add(1))
}

/// See the module's documentation.
#[derive(Clone, Debug)]
pub(crate) struct RulesByState {
    /// Number of columns.
    width: u64,
    /// A slot is a run of 2^shift pairs.
    shift: u32,
    /// Where the entries of each slot begin, and the end of all.
    starts: Vec<u32>,
    entries: Vec<Listed>,
}

impl RulesByState {
    /// The lists with these entries, which come in the order of their rules.
    pub(crate) fn new(entries: Vec<Listed>) -> Self {
        let width = entries.iter().map(|entry| u64::from(entry.column) + 1).max().unwrap_or(1);
        let height = entries.iter().map(|entry| u64::from(entry.shared.raw()) + 1).max().unwrap_or(0);
        // Both factors are at most 2^32.
        let n_pairs = u128::from(width) * u128::from(height);
        let enough = 2 * entries.len() as u128 + 1024;
        let shift = (0..).find(|&shift| n_pairs >> shift <= enough).unwrap_or(0);
        let mut lists = Self { width, shift, starts: Vec::new(), entries: Vec::new() };
        let n_slots = usize::try_from(n_pairs >> shift).unwrap_or(0) + 1;
        lists.sort(entries, n_slots);
        lists
    }

    /// A counting sort by slot, and a sort within each slot that holds several pairs.
    fn sort(&mut self, entries: Vec<Listed>, n_slots: usize) {
        self.starts = vec![0; n_slots + 1];
        for entry in &entries {
            let slot = self.slot(entry.shared, entry.column);
            self.starts[slot + 1] += 1;
        }
        for slot in 0..n_slots {
            self.starts[slot + 1] += self.starts[slot];
        }
        self.entries.clone_from(&entries);
        // While entries are put in place, a start is where the next one goes: in the end, the start of the next slot.
        for entry in entries {
            let slot = self.slot(entry.shared, entry.column);
            self.entries[self.starts[slot] as usize] = entry;
            self.starts[slot] += 1;
        }
        self.starts.copy_within(..n_slots, 1);
        self.starts[0] = 0;
        if self.shift > 0 {
            for bounds in self.starts.windows(2).filter(|bounds| bounds[1] - bounds[0] > 1) {
                self.entries[bounds[0] as usize..bounds[1] as usize].sort_unstable();
            }
        }
    }

    fn slot(&self, shared: SharedId, column: u32) -> usize {
        ((u64::from(shared.raw()) * self.width + u64::from(column)) >> self.shift) as usize
    }

    /// The rules in the list of a shared state and a local state, or of the shared state alone; in order.
    #[inline]
    pub(crate) fn get(
        &self,
        shared: SharedId,
        local: Option<LocalId>,
    ) -> impl Iterator<Item = RuleId> + Clone + '_ {
        self.list(shared, column(local)).iter().map(|entry| entry.rule)
    }

    #[inline]
    fn list(&self, shared: SharedId, column: u32) -> &[Listed] {
        if u64::from(column) >= self.width {
            return &[];
        }
        let slot = self.slot(shared, column);
        let (Some(&start), Some(&end)) = (self.starts.get(slot), self.starts.get(slot + 1)) else {
            return &[];
        };
        let entries = &self.entries[start as usize..end as usize];
        if self.shift == 0 {
            return entries;
        }
        let key = (shared, column);
        let start = entries.partition_point(|entry| (entry.shared, entry.column) < key);
        let length = entries[start..].partition_point(|entry| (entry.shared, entry.column) == key);
        &entries[start..start + length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(shared: usize, local: Option<usize>, rule: usize) -> Listed {
        Listed::new(SharedId::new(shared), local.map(LocalId::new), RuleId::new(rule))
    }

    /// The list of a key, read off all entries.
    fn expected(entries: &[Listed], shared: usize, local: Option<usize>) -> Vec<RuleId> {
        let key = listed(shared, local, 0);
        let same = entries.iter().filter(|e| (e.shared, e.column) == (key.shared, key.column));
        same.map(|entry| entry.rule).collect()
    }

    fn assert_lists(entries: &[Listed], keys: impl IntoIterator<Item = (usize, Option<usize>)>) -> u32 {
        let lists = RulesByState::new(entries.to_vec());
        for (shared, local) in keys {
            let found: Vec<RuleId> = lists.get(SharedId::new(shared), local.map(LocalId::new)).collect();
            assert_eq!(found, expected(entries, shared, local), "{shared} {local:?}");
        }
        lists.shift
    }

    #[test]
    fn each_list_has_its_rules_in_order() {
        let mut entries = vec![listed(1, None, 0), listed(0, Some(2), 1), listed(1, Some(0), 2)];
        entries.extend([listed(0, Some(2), 3), listed(1, None, 4), listed(0, Some(0), 4)]);
        let keys = (0..4).flat_map(|s| [None, Some(0), Some(1), Some(2), Some(3), Some(9)].map(|l| (s, l)));
        assert_eq!(assert_lists(&entries, keys), 0);
        assert_lists(&[], [(0, None), (3, Some(3))]);
    }

    #[test]
    fn few_rules_among_billions_of_states_take_little_memory() {
        let last = u32::MAX as usize - 1;
        let states = [0, 1, 2, 1 << 20, last - 1, last];
        let mut entries = Vec::new();
        for (rule, (i, &shared)) in (0..3).flat_map(|_| states.iter().enumerate()).enumerate() {
            entries.push(listed(shared, Some(states[(i + rule) % states.len()]), rule));
        }
        let keys = states.iter().flat_map(|&s| states.iter().map(move |&l| (s, Some(l))));
        assert!(assert_lists(&entries, keys) > 32);
        assert!(RulesByState::new(entries.clone()).starts.len() <= 2 * entries.len() + 1026);
    }

    #[test]
    fn lists_that_share_a_slot_are_told_apart() {
        // 40 entries in 100,000 pairs, neighbours among them.
        let entries: Vec<Listed> = (0..40).map(|i| listed(i * 7 % 10 * 100, Some(i * i % 97), i)).collect();
        let keys = (0..10).flat_map(|s| (0..100).map(move |l| (s * 100, Some(l))));
        assert!(assert_lists(&entries, keys) > 0);
    }
}
