//! Items by key, in two flat arrays: what an index over a million rules can afford.

/// Items in groups `0..n`; within a group they keep their order.
#[derive(Clone, Debug)]
pub(crate) struct Groups<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Groups<T> {
    /// Sorts items into groups by counting. The sequence is walked twice.
    pub(crate) fn new(n_groups: usize, items: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut starts = vec![0_u32; n_groups + 1];
        for (group, _) in items.clone() {
            // A rule table holds fewer than 2^32 entries, so that no count of them overflows.
            starts[group + 1] += 1;
        }
        for group in 0..n_groups {
            starts[group + 1] += starts[group];
        }
        let mut next = starts.clone();
        let mut sorted: Vec<T> = Vec::new();
        if let Some((_, first)) = items.clone().next() {
            sorted.resize(starts[n_groups] as usize, first);
        }
        for (group, item) in items {
            sorted[next[group] as usize] = item;
            next[group] += 1;
        }
        Self { starts, items: sorted }
    }

    /// The items of a group.
    #[inline]
    pub(crate) fn of(&self, group: usize) -> &[T] {
        &self.items[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// The items of a group, to be sorted.
    pub(crate) fn of_mut(&mut self, group: usize) -> &mut [T] {
        &mut self.items[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// How many groups there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_order_within_a_group() {
        let groups = Groups::new(4, [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd')].into_iter());
        assert_eq!(
            (0..groups.len()).map(|i| groups.of(i).iter().collect()).collect::<Vec<String>>(),
            ["b", "", "ac", "d"]
        );
    }
}
