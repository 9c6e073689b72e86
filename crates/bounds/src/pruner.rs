//! One engine's view of a pool of cuts.
//!
//! A pruner keeps its own index of the pool's cuts, picks up those that others add, remembers which it has used, and
//! now and then asks for a new cut. Linear programs cost far more than predecessors, and most elements of a search
//! satisfy the state inequation; so a program must be paid for with work of the search, and the price rises
//! with every failure.

use crate::CutPool;
use crate::generation::{Aim, Limits};
use crate::index::CutIndex;
use crate::space::Space;
use throng_base::Budget;
use throng_cert::{Cut, Trap};
use throng_model::{Bag, ConfigRef, Entry, LocalId};

/// What a predecessor earns, in [`Limits::work`]: at the lowest price, linear programs take some tenths of the time of a
/// search, at the highest about a hundredth.
const EARNED_PER_PREDECESSOR: u64 = 5;
/// What there is before any predecessor: about a millisecond.
const FIRST_CREDIT: u64 = 20_000;
/// A search that does not ask for long may not freeze later.
const MOST_CREDIT: u64 = 2_000_000;
/// The price of work: 1, and one more after so many failures in a row.
const FAILURES_PER_RISE: u64 = 4;
const MOST_PRICE: u64 = 32;
/// Rows of a program during a search, and how many units of work pay for one.
const MOST_ROWS: usize = 2048;
const WORK_FOR_ROW: u64 = 32;

/// See the module's documentation.
#[derive(Debug)]
pub struct Pruner<'p, 's> {
    pool: Option<&'p CutPool<'s>>,
    /// `None` without a pool, or if the system is too large.
    index: Option<CutIndex>,
    /// Which cuts this pruner found broken: the pool knows of these.
    used: Vec<bool>,
    last_broken: Option<usize>,
    allowance: Allowance,
    budget: Budget,
}

impl<'p, 's> Pruner<'p, 's> {
    /// A view of a pool; without one, nothing is pruned.
    pub fn new(pool: Option<&'p CutPool<'s>>) -> Self {
        let index = pool.and_then(|pool| Space::of(pool.system())).map(CutIndex::new);
        let (used, allowance, budget) = (Vec::new(), Allowance::new(), Budget::unlimited());
        Self { pool, index, used, last_broken: None, allowance, budget }
    }

    /// The engine did so much work, in predecessors.
    pub fn earn(&mut self, work: u64) {
        self.allowance.earn(work);
    }

    /// Whether a known cut is broken.
    #[inline]
    pub fn is_broken_by(&mut self, config: ConfigRef<'_>) -> bool {
        let (Some(pool), Some(index)) = (self.pool, &mut self.index) else { return false };
        if pool.len() != index.len() {
            pool.cuts_from(index.len()).into_iter().for_each(|cut| index.push(cut));
            self.used.resize(index.len(), false);
        }
        let Some(broken) = index.broken_by(config) else { return false };
        if !std::mem::replace(&mut self.used[broken], true) {
            pool.mark_used(broken);
        }
        self.last_broken = Some(broken);
        true
    }

    /// Whether a cut is broken; may look for a new one, if the engine has earned it.
    pub fn prune(&mut self, config: ConfigRef<'_>) -> bool {
        self.is_broken_by(config) || (self.look_for_cut(config) && self.is_broken_by(config))
    }

    /// Asks the linear program, if it can be paid for.
    fn look_for_cut(&mut self, config: ConfigRef<'_>) -> bool {
        let Some((pool, limit)) = self.pool.zip(self.allowance.limit()) else { return false };
        let Some(rows) = pool.rows() else { return false };
        let rows_paid = usize::try_from(limit / WORK_FOR_ROW).unwrap_or(MOST_ROWS);
        let limits = Limits { rows: rows_paid.min(MOST_ROWS), work: limit };
        let mut work = 0;
        let found = pool.look_for(&Aim::exclude(rows, config), limits, &mut work, &self.budget);
        let found = found.is_ok_and(|cut| cut.is_some());
        self.allowance.pay(work, found);
        found
    }

    /// The smallest bag that, at the same shared state, breaks the cut that was found broken last; a part of the
    /// configuration's bag.
    pub fn minimise(&self, config: ConfigRef<'_>, into: &mut Bag) {
        let cut = self.last_broken.zip(self.index.as_ref()).and_then(|(last, index)| index.cut(last));
        let Some(cut) = cut else { return into.assign(config.bag) };
        let shared = cut.shared.iter().find(|&&(shared, _)| shared == config.shared);
        // What is missing to pass the bound. A bound of the shared state alone needs no threads.
        let mut missing =
            (u128::from(cut.bound) + 1).saturating_sub(shared.map_or(0, |&(_, weight)| weight).into());
        let mut weighty: Vec<(u64, Entry)> = config
            .bag
            .iter()
            .filter_map(|&entry| {
                let at = cut.locals.binary_search_by_key(&entry.local, |&(local, _)| local).ok()?;
                Some((cut.locals[at].1, entry))
            })
            .collect();
        weighty.sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
        let mut kept: Vec<(LocalId, u32)> = Vec::with_capacity(weighty.len());
        for (weight, entry) in weighty {
            let needed = missing.div_ceil(weight.into()).min(entry.count.into());
            missing = missing.saturating_sub(needed * u128::from(weight));
            // The smaller of two numbers, one of which is a count.
            kept.push((entry.local, needed as u32));
        }
        kept.sort_unstable();
        into.clear();
        for (local, count) in kept.into_iter().filter(|&(_, count)| count > 0) {
            // Counts of a part of a bag fit where those of the bag fit.
            let _ = into.add(local, count);
        }
    }

    /// The cuts that this pruner or another of its pool found broken, and the traps they use. Engines pass on what is
    /// not coverable, so a proof may depend on cuts that others used.
    pub fn evidence(&self) -> (Vec<Cut>, Vec<Trap>) {
        let Some(pool) = self.pool else { return Default::default() };
        let (all_cuts, all_traps) = (pool.cuts_from(0), pool.traps());
        let mut cuts: Vec<Cut> =
            pool.used().into_iter().filter_map(|cut| Some((**all_cuts.get(cut)?).clone())).collect();
        let mut chosen: Vec<usize> =
            cuts.iter().flat_map(|cut| cut.traps.iter().map(|&(trap, _)| trap)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        for (trap, _) in cuts.iter_mut().flat_map(|cut| &mut cut.traps) {
            *trap = chosen.partition_point(|&other| other < *trap);
        }
        let traps = chosen.into_iter().filter_map(|trap| all_traps.get(trap).cloned()).collect();
        (cuts, traps)
    }
}

/// How much may be spent on linear programs.
///
/// A program costs its work times a price that rises with every failure in a row, so that a search which no cut helps
/// asks less and less.
#[derive(Debug)]
struct Allowance {
    credit: u64,
    /// What the last programs cost on average; 0 before the first.
    work: u64,
    /// Failures since the last success.
    failures: u64,
}

impl Allowance {
    fn new() -> Self {
        Self { credit: FIRST_CREDIT, work: 0, failures: 0 }
    }

    fn earn(&mut self, predecessors: u64) {
        let earned = predecessors.saturating_mul(EARNED_PER_PREDECESSOR);
        self.credit = self.credit.saturating_add(earned).min(MOST_CREDIT);
    }

    fn price(&self) -> u64 {
        (1 + self.failures / FAILURES_PER_RISE).min(MOST_PRICE)
    }

    /// What work a program may cost now; `None` if it is too early for one.
    fn limit(&self) -> Option<u64> {
        let affordable = self.credit / self.price();
        (affordable > self.work).then_some(affordable)
    }

    fn pay(&mut self, work: u64, successful: bool) {
        self.credit = self.credit.saturating_sub(work.saturating_mul(self.price()));
        self.work = if self.work == 0 { work } else { self.work - self.work / 4 + work / 4 };
        self.failures = if successful { 0 } else { self.failures + 1 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, FREE, TAKEN, bag};

    #[test]
    fn without_a_pool_nothing_is_pruned() {
        let mut pruner = Pruner::new(None);
        let two = bag(&[2, 2]);
        assert!(!pruner.prune(ConfigRef::new(TAKEN, &two)));
        assert_eq!(pruner.evidence(), (vec![], vec![]));
    }

    #[test]
    fn a_cut_is_looked_for_once_and_then_known_to_all() {
        let system = samples::mutex();
        let pool = CutPool::new(&system);
        let (mut one, mut other) = (Pruner::new(Some(&pool)), Pruner::new(Some(&pool)));
        let two = bag(&[2, 2]);
        let two = ConfigRef::new(TAKEN, &two);
        assert!(!one.is_broken_by(two) && !other.is_broken_by(two));
        assert!(one.prune(two));
        assert!(other.is_broken_by(two));
        assert_eq!(pool.len(), 1);
        assert_eq!(one.evidence().0.len(), 1);
    }

    #[test]
    fn cuts_that_were_not_broken_are_no_evidence() {
        let system = samples::mutex();
        let pool = CutPool::new(&system);
        pool.seed(&Budget::unlimited()).unwrap();
        assert_eq!(pool.len(), 1);
        let mut pruner = Pruner::new(Some(&pool));
        let one = bag(&[2]);
        assert!(!pruner.prune(ConfigRef::new(TAKEN, &one)));
        assert_eq!(pruner.evidence(), (vec![], vec![]));
    }

    #[test]
    fn traps_of_the_evidence_are_those_of_its_cuts() {
        let system = samples::peterson();
        let pool = CutPool::new(&system);
        pool.seed(&Budget::unlimited()).unwrap();
        assert_eq!(pool.settle(system.targets(), 1 << 20, &Budget::unlimited()), Ok(vec![]));
        let mut pruner = Pruner::new(Some(&pool));
        assert!(pruner.is_broken_by(system.targets()[0].view()));
        let (cuts, traps) = pruner.evidence();
        let mut used: Vec<usize> =
            cuts.iter().flat_map(|cut| cut.traps.iter().map(|&(trap, _)| trap)).collect();
        used.sort_unstable();
        used.dedup();
        assert_eq!(used, (0..traps.len()).collect::<Vec<_>>());
        assert!(!traps.is_empty());
    }

    #[test]
    fn the_smallest_part_that_breaks_a_cut_is_found() {
        let system = samples::mutex();
        let pool = CutPool::new(&system);
        pool.settle(system.targets(), 1 << 20, &Budget::unlimited()).unwrap();
        let mut pruner = Pruner::new(Some(&pool));
        let mut smallest = Bag::new();
        for (shared, threads, expected) in
            [(TAKEN, &[0, 1, 2, 2, 2][..], &[2, 2][..]), (FREE, &[1, 2, 2], &[2]), (FREE, &[2], &[2])]
        {
            let threads = bag(threads);
            let config = ConfigRef::new(shared, &threads);
            assert!(pruner.is_broken_by(config));
            pruner.minimise(config, &mut smallest);
            assert_eq!(smallest, bag(expected));
            assert!(pruner.is_broken_by(ConfigRef::new(shared, &smallest)));
        }
    }

    #[test]
    fn programs_must_be_earned() {
        let mut allowance = Allowance::new();
        while let Some(limit) = allowance.limit() {
            allowance.pay(limit.min(6_000), false);
        }
        allowance.earn(1);
        assert_eq!(allowance.limit(), None);
        allowance.earn(100_000);
        assert!(allowance.limit().is_some());
    }

    #[test]
    fn failures_raise_the_price_and_a_success_lowers_it() {
        let mut allowance = Allowance::new();
        let mut work_for = |predecessors: u64, successful: bool| {
            allowance.earn(predecessors);
            let mut work = 0;
            while let Some(limit) = allowance.limit() {
                allowance.pay(limit.min(1000), successful);
                work += limit.min(1000);
            }
            work
        };
        let (first, second) = (work_for(160_000, false), work_for(160_000, false));
        assert!(first > second, "{first} {second}");
        assert!(work_for(160_000, true) > 4 * second);
    }
}
