//! Sets of states of which only one holds a thread, by growing them from one state.
//!
//! A set S is such a set if every rule puts at most as many threads into S as it takes out of it (its characteristic
//! vector is a cut) and initially S holds at most one. If a rule violates this for S, some state that it takes from
//! has to join. Where there are several, the one whose own rows S violates least is taken; if that fails, growing starts
//! again with the other choice at one place. Most invariants of processes, locks and shared states are found this
//! way, at a hundredth of the cost of a linear program; it is only a guess that ends in the exact test.

use crate::rows::{Row, Rows};
use rustc_hash::FxHashMap;
use throng_model::ConfigRef;

/// How often growing starts again.
const MOST_ATTEMPTS: usize = 12;

/// Grows sets of states in one system.
pub(crate) struct Grower<'a, 's> {
    rows: &'a Rows<'s>,
    /// The most threads that a state holds initially, where it is not 0.
    initial: FxHashMap<usize, u32>,
    /// The number of the attempt in which a state joined the set.
    joined: Vec<u32>,
    attempt: u32,
    /// Rows that were looked at.
    work: u64,
}

impl<'a, 's> Grower<'a, 's> {
    pub(crate) fn new(rows: &'a Rows<'s>) -> Self {
        let mut initial = FxHashMap::default();
        for set in rows.system.initial() {
            for (state, count) in rows.space.vector(ConfigRef::new(set.shared, &set.exact)) {
                let most = initial.entry(state).or_insert(0);
                *most = count.max(*most);
            }
        }
        Self { rows, initial, joined: vec![0; rows.space.dimension()], attempt: 0, work: 0 }
    }

    /// How many rows were looked at so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// A set with `seed`, sorted; `None` if none was found while looking at so many rows.
    pub(crate) fn grow(&mut self, seed: usize, most_work: u64) -> Option<Vec<usize>> {
        let end = self.work.saturating_add(most_work);
        // The first attempt always takes the best choice, the next one the second best at the first choice, and so on.
        let mut deviation = None;
        for next in 0..MOST_ATTEMPTS {
            match self.attempt(seed, deviation, end) {
                Ok(mut set) => {
                    set.sort_unstable();
                    return Some(set);
                }
                Err(n_choices) if next >= n_choices || self.work >= end => return None,
                Err(_) => deviation = Some(next),
            }
        }
        None
    }

    /// One attempt that takes the second best at one choice; `Err` with the number of choices if it fails.
    fn attempt(&mut self, seed: usize, deviation: Option<usize>, end: u64) -> Result<Vec<usize>, usize> {
        self.attempt += 1;
        let mut set = Vec::new();
        let mut threads = 0;
        let mut n_choices = 0;
        let mut queue = self.join(seed, &mut set, &mut threads);
        while let Some(row) = queue.pop() {
            if threads > 1 || self.work >= end {
                return Err(n_choices);
            }
            if self.balance(row) <= 0 {
                continue;
            }
            let mut ranked = self.candidates(row);
            if ranked.len() > 1 {
                n_choices += 1;
                if deviation == Some(n_choices - 1) {
                    ranked.remove(0);
                }
            }
            let Some(&(_, best)) = ranked.first() else { return Err(n_choices) };
            queue.push(row);
            let more = self.join(best, &mut set, &mut threads);
            queue.extend(more);
        }
        if threads > 1 { Err(n_choices) } else { Ok(set) }
    }

    /// Takes a state into the set; the rows that this may violate.
    fn join(&mut self, state: usize, set: &mut Vec<usize>, threads: &mut u32) -> Vec<Row> {
        self.joined[state] = self.attempt;
        set.push(state);
        *threads = threads.saturating_add(self.initial.get(&state).copied().unwrap_or(0));
        self.rows.raising(state).collect()
    }

    /// How many more threads a row puts into the set than it takes out.
    fn balance(&mut self, row: Row) -> i64 {
        self.work += 1;
        let mut sum = 0_i64;
        let joined = |state: usize| self.joined[state] == self.attempt;
        self.rows.for_each_entry(row, |state, change| {
            if joined(state) {
                sum = sum.saturating_add(change);
            }
        });
        sum
    }

    /// The states that a row takes from and that may join, those that violate the fewest rows first.
    fn candidates(&mut self, row: Row) -> Vec<(usize, usize)> {
        let mut states = Vec::new();
        self.rows.for_each_entry(row, |state, change| {
            if change < 0 && self.joined[state] != self.attempt && !self.rows.is_zero(state) {
                states.push(state);
            }
        });
        let mut ranked: Vec<(usize, usize)> = Vec::with_capacity(states.len());
        let single = states.len() == 1;
        for state in states {
            // What a state has initially is used up for good.
            let mut cost = 2 * self.initial.get(&state).map_or(0, |_| 1);
            if !single {
                self.joined[state] = self.attempt;
                let rows = self.rows;
                cost += rows.raising(state).filter(|&row| self.balance(row) > 0).count();
                self.joined[state] = 0;
            }
            ranked.push((cost, state));
        }
        ranked.sort_unstable();
        ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn the_lock_joins_the_critical_section() {
        let system = samples::mutex();
        let rows = Rows::of(&system).unwrap();
        let mut grower = Grower::new(&rows);
        let [free, critical] = [rows.space.shared(samples::FREE), rows.space.local(samples::CRITICAL)];
        assert_eq!(grower.grow(critical, 1000), Some(vec![free, critical]));
        assert_eq!(grower.grow(rows.space.local(samples::WAITING), 1000), None);
    }

    #[test]
    fn each_place_of_a_process_leads_to_the_process() {
        let system = samples::peterson();
        let rows = Rows::of(&system).unwrap();
        let mut grower = Grower::new(&rows);
        for place in 0..12 {
            let set = grower.grow(rows.space.local(throng_model::LocalId::new(place)), 1000).unwrap();
            assert!(set.len() <= 4, "{set:?}");
        }
    }
}
