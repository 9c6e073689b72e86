//! The oracle's own semantics: configurations as small arrays of counts, and firing written from the definition.
//!
//! A rule fires when the shared state is `from` and `take` ≤ bag: remove `take`; every remaining thread in a local
//! that `moves` lists goes to one of its destinations, each thread for itself (no destination: it vanishes);
//! add `put`; the shared state becomes `to`.
//!
//! It reads the parts of a [`System`], and shares no other code with the model, the engines or the checker. It
//! knows no predecessors. Only small systems fit: at most [`MAX_LOCALS`] locals and counts below 256.

use throng_model::{Config, ConfigRef, Entry, LocalId, SharedId, System};

/// How many local states the oracle can count.
pub const MAX_LOCALS: usize = 7;

/// The number of threads in each local.
pub type Counts = [u8; MAX_LOCALS];

/// A configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dense {
    /// The shared state.
    pub shared: u8,
    /// The threads.
    pub counts: Counts,
}

impl Dense {
    /// The same configuration; `None` if it is too large.
    pub fn of(config: ConfigRef<'_>) -> Option<Self> {
        Some(Self { shared: u8::try_from(config.shared.index()).ok()?, counts: counts_of(config.bag)? })
    }

    /// The same configuration as the model writes it.
    pub fn to_config(self) -> Config {
        let threads = self.counts.iter().enumerate().map(|(l, &n)| (LocalId::new(l), u32::from(n)));
        let bag = throng_model::Bag::from_counts(threads).expect("counts are below 256");
        Config::new(SharedId::new(usize::from(self.shared)), bag)
    }

    /// Whether `self ≥ other`.
    #[inline]
    pub fn covers(&self, other: &Dense) -> bool {
        self.shared == other.shared && at_least(&self.counts, &other.counts)
    }

    /// The number of threads.
    pub fn size(&self) -> usize {
        size(&self.counts)
    }
}

/// The number of threads.
pub fn size(counts: &Counts) -> usize {
    counts.iter().map(|&n| usize::from(n)).sum()
}

#[inline]
fn at_least(large: &Counts, small: &Counts) -> bool {
    large.iter().zip(small).all(|(a, b)| a >= b)
}

fn counts_of(bag: &[Entry]) -> Option<Counts> {
    let mut counts = [0; MAX_LOCALS];
    for entry in bag {
        *counts.get_mut(entry.local.index())? = u8::try_from(entry.count).ok()?;
    }
    Some(counts)
}

/// A rule.
#[derive(Clone, Debug)]
pub struct DenseRule {
    /// Shared state before.
    pub from: u8,
    /// Shared state after.
    pub to: u8,
    /// Threads needed and removed.
    pub take: Counts,
    /// Threads added.
    pub put: Counts,
    /// For each local whose passive threads move, where they may go.
    pub moves: [Option<Vec<u8>>; MAX_LOCALS],
}

/// A set of initial configurations.
#[derive(Clone, Debug)]
pub struct DenseInitial {
    /// The smallest of them.
    pub least: Dense,
    /// Which locals hold any number of threads more.
    pub unbounded: [bool; MAX_LOCALS],
}

/// A system.
#[derive(Clone, Debug)]
pub struct DenseSystem {
    /// Number of shared states.
    pub n_shared: usize,
    /// Number of local states.
    pub n_locals: usize,
    /// The rules.
    pub rules: Vec<DenseRule>,
    /// The initial configurations.
    pub initial: Vec<DenseInitial>,
    /// The targets.
    pub targets: Vec<Dense>,
}

impl DenseSystem {
    /// The same system; `None` if it is too large.
    pub fn of(system: &System) -> Option<Self> {
        if system.n_locals() > MAX_LOCALS || system.n_shared() > usize::from(u8::MAX) {
            return None;
        }
        let rules = system.rules().iter().map(|(_, rule)| {
            let mut moves: [Option<Vec<u8>>; MAX_LOCALS] = Default::default();
            for (source, destinations) in rule.moves() {
                moves[source.index()] = Some(destinations.iter().map(|d| d.index() as u8).collect());
            }
            let (from, to) = (rule.from.index() as u8, rule.to.index() as u8);
            Some(DenseRule { from, to, take: counts_of(rule.take)?, put: counts_of(rule.put)?, moves })
        });
        let initial = system.initial().iter().map(|initial| {
            let least = Dense::of(ConfigRef::new(initial.shared, &initial.exact))?;
            let mut unbounded = [false; MAX_LOCALS];
            initial.unbounded.iter().for_each(|local| unbounded[local.index()] = true);
            Some(DenseInitial { least, unbounded })
        });
        Some(Self {
            n_shared: system.n_shared(),
            n_locals: system.n_locals(),
            rules: rules.collect::<Option<_>>()?,
            initial: initial.collect::<Option<_>>()?,
            targets: system.targets().iter().map(|t| Dense::of(t.view())).collect::<Option<_>>()?,
        })
    }

    /// Whether `config` covers a target.
    pub fn is_bad(&self, config: &Dense) -> bool {
        self.targets.iter().any(|target| config.covers(target))
    }
}

impl DenseInitial {
    /// Whether some configuration of the set covers `config`.
    pub fn covers(&self, config: &Dense) -> bool {
        self.least.shared == config.shared
            && (0..MAX_LOCALS).all(|l| self.unbounded[l] || config.counts[l] <= self.least.counts[l])
    }

    /// The configuration of the set with `more` further threads in each unbounded local.
    pub fn with_more(&self, more: u8) -> Dense {
        let mut config = self.least;
        for (count, &unbounded) in config.counts.iter_mut().zip(&self.unbounded) {
            *count = count.saturating_add(if unbounded { more } else { 0 });
        }
        config
    }
}

impl DenseRule {
    /// Calls `report` with each successor of `config`, some perhaps repeatedly, until it answers `true`; tells
    /// whether it did. Successors with more than 255 threads in a local are left out.
    pub fn any_successor(&self, config: &Dense, report: &mut dyn FnMut(Dense) -> bool) -> bool {
        if config.shared != self.from || !at_least(&config.counts, &self.take) {
            return false;
        }
        let mut passive = config.counts;
        passive.iter_mut().zip(&self.take).for_each(|(n, t)| *n -= t);
        self.move_passive(0, &mut passive, self.put, report)
    }

    /// Moves the passive threads of the locals from `local` on in all ways; `after` holds what has arrived.
    fn move_passive(
        &self,
        local: usize,
        passive: &mut Counts,
        after: Counts,
        report: &mut dyn FnMut(Dense) -> bool,
    ) -> bool {
        if local == MAX_LOCALS {
            return report(Dense { shared: self.to, counts: after });
        }
        let count = passive[local];
        match &self.moves[local] {
            None => {
                let arrived = arrive(after, local, count);
                arrived.is_some_and(|after| self.move_passive(local + 1, passive, after, report))
            }
            // No destination: the threads vanish.
            Some(destinations) if destinations.is_empty() => {
                self.move_passive(local + 1, passive, after, report)
            }
            Some(destinations) => self.split(local, destinations, count, passive, after, report),
        }
    }

    /// Sends `count` passive threads of `local` to `destinations` in all ways, then goes on with the next local.
    fn split(
        &self,
        local: usize,
        destinations: &[u8],
        count: u8,
        passive: &mut Counts,
        after: Counts,
        report: &mut dyn FnMut(Dense) -> bool,
    ) -> bool {
        let Some((&first, others)) = destinations.split_first() else {
            return count == 0 && self.move_passive(local + 1, passive, after, report);
        };
        let least = if others.is_empty() { count } else { 0 };
        (least..=count).any(|part| {
            arrive(after, usize::from(first), part)
                .is_some_and(|after| self.split(local, others, count - part, passive, after, report))
        })
    }
}

fn arrive(mut after: Counts, local: usize, count: u8) -> Option<Counts> {
    after[local] = after[local].checked_add(count)?;
    Some(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::{Sketch, config};
    use std::collections::BTreeSet;

    #[test]
    fn passive_threads_choose_for_themselves_and_the_active_one_is_not_moved() {
        let system = Sketch::new(2, 3)
            .rule((0, 1), &[0], &[2], &[(0, &[0, 1]), (1, &[])])
            .initial(0, &[0, 0, 0, 1], &[])
            .build();
        let dense = DenseSystem::of(&system).unwrap();
        let mut found = BTreeSet::new();
        let start = dense.initial[0].least;
        dense.rules[0].any_successor(&start, &mut |next| {
            found.insert(next.to_config());
            false
        });
        let expected = [&[0, 0, 2][..], &[0, 1, 2], &[1, 1, 2]].map(|threads| config(1, threads));
        assert_eq!(found, BTreeSet::from(expected));
    }

    #[test]
    fn a_rule_is_not_enabled_without_the_threads_it_takes() {
        let system = Sketch::new(1, 1).rule((0, 0), &[0, 0], &[0, 0], &[]).initial(0, &[0], &[]).build();
        let dense = DenseSystem::of(&system).unwrap();
        assert!(!dense.rules[0].any_successor(&dense.initial[0].least, &mut |_| true));
    }
}
