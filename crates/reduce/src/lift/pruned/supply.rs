//! The supply of unbounded locals: what a trace takes from them, and how the threads get there up front.
//!
//! The reduced system does not know the unbounded locals, so its traces take from them without asking. The *demand* of a
//! trace on such a local is the least number of threads with which the local never runs dry. Repetitions are
//! decided by arithmetic: a round that lowers the number by d lowers it by d each time, so the last round is the
//! lowest. By (U) of [`crate::unbounded`] the demand can be met before the first step: the locals are gone through
//! from the last filled to the first, and each firing that puts threads into one adds what it takes to the demand
//! on others.

use crate::bits::BitSet;
use crate::lift::{LiftError, firings};
use crate::unbounded::{self, Filled};
use std::collections::BTreeMap;
use throng_cert::TraceItem;
use throng_model::{Initial, LocalId, RuleId, System, bag};

/// Numbers of threads by local.
pub(super) type Counts = BTreeMap<LocalId, u64>;

/// What items do to the number of threads in some locals.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    /// For each local, the change at the end and the lowest change on the way, which is not positive.
    changes: BTreeMap<LocalId, (i128, i128)>,
}

impl Effect {
    /// Adds `count` threads to a local.
    pub(super) fn put(&mut self, local: LocalId, count: u64) -> Result<(), LiftError> {
        self.follow(local, i128::from(count), 0)
    }

    /// Takes `count` threads out of a local.
    pub(super) fn take(&mut self, local: LocalId, count: u64) -> Result<(), LiftError> {
        self.follow(local, -i128::from(count), -i128::from(count))
    }

    /// What happens after `self`, so many times.
    pub(super) fn repeat(&mut self, round: &Effect, times: u64) -> Result<(), LiftError> {
        let last = i128::from(times.saturating_sub(1));
        for (&local, &(change, lowest)) in round.changes.iter().filter(|_| times > 0) {
            let before_last = change.checked_mul(last).ok_or(LiftError::CountOverflow)?;
            let total = before_last.checked_add(change).ok_or(LiftError::CountOverflow)?;
            let lowest = lowest.min(before_last.checked_add(lowest).ok_or(LiftError::CountOverflow)?);
            self.follow(local, total, lowest)?;
        }
        Ok(())
    }

    fn follow(&mut self, local: LocalId, change: i128, lowest: i128) -> Result<(), LiftError> {
        let (total, least) = self.changes.entry(local).or_insert((0, 0));
        *least = (*least).min(total.checked_add(lowest).ok_or(LiftError::CountOverflow)?);
        *total = total.checked_add(change).ok_or(LiftError::CountOverflow)?;
        Ok(())
    }

    /// How many threads there have to be in each local.
    pub(super) fn demand(&self) -> Result<Counts, LiftError> {
        let needed = |(&local, &(_, lowest)): (&LocalId, &(i128, i128))| {
            Ok((local, u64::try_from(-lowest).map_err(|_| LiftError::CountOverflow)?))
        };
        self.changes.iter().map(needed).collect()
    }
}

/// How a demand is met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Supply {
    /// Threads beyond the exact ones to start with.
    pub(super) initial: Counts,
    /// Rules to fire first, and how often each.
    pub(super) firings: Vec<(RuleId, u64)>,
}

impl Supply {
    /// Meets a demand on unbounded locals, beyond what an initial set has there.
    pub(super) fn new(
        original: &System,
        initial: &Initial,
        unbounded: &BitSet,
        mut demand: Counts,
    ) -> Result<Self, LiftError> {
        let mut supply = Self::default();
        for Filled { local, by } in unbounded::fill(original, initial).into_iter().rev() {
            // The exact threads of other locals are there for the trace itself.
            let exact = if unbounded.contains(local.index()) { bag::count(&initial.exact, local) } else { 0 };
            let missing = demand.remove(&local).unwrap_or(0).saturating_sub(exact.into());
            if missing == 0 {
                continue;
            }
            let Some(id) = by else {
                supply.initial.insert(local, missing);
                continue;
            };
            let rule = original.rule(id);
            let firings = missing.div_ceil(u64::from(bag::count(rule.put, local)).max(1));
            supply.firings.push((id, firings));
            for entry in rule.take {
                let taken = firings.checked_mul(entry.count.into()).ok_or(LiftError::CountOverflow)?;
                let needed = demand.entry(entry.local).or_insert(0);
                *needed = needed.checked_add(taken).ok_or(LiftError::CountOverflow)?;
            }
        }
        supply.firings.reverse();
        // Nothing is left to ask for: unbounded locals are filled, and so is what fills them.
        if demand.is_empty() { Ok(supply) } else { Err(LiftError::Foreign) }
    }

    /// The firings as the first items of a trace.
    pub(super) fn items(&self) -> impl Iterator<Item = TraceItem> + '_ {
        self.firings.iter().flat_map(|&(rule, times)| firings::items(rule, times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_round_is_the_lowest_if_a_round_loses_threads() {
        let local = LocalId::new(0);
        for (puts, takes, times, demand) in [(1, 3, 4, 8), (3, 1, 4, 0), (2, 2, 5, 0), (0, 1, 7, 7)] {
            let mut round = Effect::default();
            round.put(local, puts).expect("small");
            round.take(local, takes).expect("small");
            let (mut unrolled, mut repeated) = (Effect::default(), Effect::default());
            (0..times).for_each(|_| unrolled.repeat(&round, 1).expect("small"));
            repeated.repeat(&round, times).expect("small");
            assert_eq!(unrolled.demand(), repeated.demand());
            assert_eq!(repeated.demand(), Ok(Counts::from([(local, demand)])));
        }
    }

    #[test]
    fn numbers_that_are_too_large_are_refused() {
        let mut round = Effect::default();
        let local = LocalId::new(0);
        round.take(local, u64::MAX).expect("fits");
        let mut all = Effect::default();
        assert_eq!(all.repeat(&round, u64::MAX), Err(LiftError::CountOverflow));
        assert_eq!(all.repeat(&round, 2), Ok(()));
        assert_eq!(all.demand(), Err(LiftError::CountOverflow));
    }
}
