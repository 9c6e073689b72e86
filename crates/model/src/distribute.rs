//! All ways of distributing counted threads over options, one at a time.
//!
//! Both directions of a move are such a distribution: forwards, the threads of a source over its
//! destinations; backwards, the threads of a destination over its sources. Their number is a product of
//! binomials, so they are enumerated, never listed; and one that fits into what there is is found by flow.

use crate::LocalId;
use crate::bag::{Bag, CountOverflow, Entry};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

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

    /// Moves on to a distribution where no option is taken by more threads than there is `room` for; `false` if there is
    /// none. Threads are moved along augmenting paths, the shortest first, so this does not depend on their number.
    pub(crate) fn fit(&mut self, room: impl Fn(LocalId) -> u32) -> bool {
        let mut room: FxHashMap<LocalId, u32> = self
            .groups
            .iter()
            .flat_map(|group| &group.options)
            .map(|&option| (option, room(option)))
            .collect();
        let counts: Vec<u32> = self.groups.iter().map(|group| group.parts.iter().sum()).collect();
        self.groups.iter_mut().for_each(|group| group.parts.fill(0));
        for (number, &count) in counts.iter().enumerate() {
            let mut rest = count;
            while rest > 0 {
                let Some(path) = self.augmenting_path(number, &room) else { return false };
                let [.., (_, last)] = path[..] else { return false };
                let end = self.groups[path[path.len() - 1].0].options[last];
                // Whoever makes room for another one stands at the option that the step before leads to.
                let left = path.windows(2).map(|pair| self.part_at(pair[1].0, self.option(pair[0])));
                let amount = left.chain([rest, room[&end]]).min().unwrap_or(0);
                for pair in path.windows(2) {
                    let option = self.option(pair[0]);
                    let group = &mut self.groups[pair[1].0];
                    let at = group.options.iter().position(|&it| it == option);
                    at.into_iter().for_each(|at| group.parts[at] -= amount);
                }
                path.iter().for_each(|&(group, at)| self.groups[group].parts[at] += amount);
                room.entry(end).and_modify(|room| *room -= amount.min(*room));
                rest -= amount;
            }
        }
        true
    }

    /// The option that a step of a path leads to.
    fn option(&self, (group, at): (usize, usize)) -> LocalId {
        self.groups[group].options[at]
    }

    /// How many threads of a group take an option.
    fn part_at(&self, group: usize, option: LocalId) -> u32 {
        let Group { options, parts, .. } = &self.groups[group];
        options.iter().zip(parts).filter(|&(&it, _)| it == option).map(|(_, &part)| part).sum()
    }

    /// The shortest way to find room for threads of a group: the group takes an option, whose threads of another group
    /// take another one, and so on, until there is room.
    fn augmenting_path(&self, start: usize, room: &FxHashMap<LocalId, u32>) -> Option<Vec<(usize, usize)>> {
        // By group: the step that leads to it.
        let mut reached: Vec<Option<Option<(usize, usize)>>> = vec![None; self.groups.len()];
        reached[start] = Some(None);
        let mut pending = VecDeque::from([start]);
        while let Some(group) = pending.pop_front() {
            for (at, &option) in self.groups[group].options.iter().enumerate() {
                if room[&option] > 0 {
                    let mut path = vec![(group, at)];
                    let mut current = group;
                    while let Some(Some(step)) = reached[current] {
                        path.push(step);
                        current = step.0;
                    }
                    path.reverse();
                    return Some(path);
                }
                for (other, step) in reached.iter_mut().enumerate() {
                    if step.is_none() && self.part_at(other, option) > 0 {
                        *step = Some(Some((group, at)));
                        pending.push_back(other);
                    }
                }
            }
        }
        None
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

    #[test]
    fn what_fits_is_found_iff_there_is_some() {
        // All rooms of up to two for three options, and three groups that share them in different ways.
        let groups = [(2, vec![0, 1]), (1, vec![1]), (2, vec![1, 2])];
        for rooms in 0..64_usize {
            let room = |option: LocalId| (rooms >> (2 * option.index()) & 3) as u32;
            let new = || {
                let mut distribution = Distribution::default();
                for (local, (count, options)) in groups.iter().enumerate() {
                    let options = options.iter().map(|&o| LocalId::new(o)).collect();
                    distribution.push(Entry { local: LocalId::new(local), count: *count }, options);
                }
                distribution
            };
            let fits = |it: &Distribution| it.bag().unwrap().iter().all(|e| e.count <= room(e.local));
            let mut one_by_one = new();
            let mut exists = fits(&one_by_one);
            while one_by_one.advance() {
                exists |= fits(&one_by_one);
            }
            let mut found = new();
            assert_eq!(found.fit(room), exists, "{rooms:b}");
            if exists {
                assert!(fits(&found), "{rooms:b}");
                let size: u32 = found.bag().unwrap().iter().map(|entry| entry.count).sum();
                assert_eq!(size, 5);
            }
        }
    }
}
