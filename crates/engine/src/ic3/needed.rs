//! What the blockers of an obligation's predecessors need of it: Lemma 8 of the paper.
//!
//! Let a predecessor of a under a rule without moves be above a blocker c. It stays above c for every a' between a'' and
//! a, where a'' has, for each local j with c_j > take_j, c_j − take_j + put_j threads, and none elsewhere. So the
//! pointwise maximum of the a'' of all rules is inductive if a is. Of several blockers the one is taken that needs the
//! fewest threads in addition to what is needed already. If the predecessor covers a, that of a' covers a'.
//!
//! For rules that move passive threads neither holds, and a' can have a predecessor where a has none. Then what the other rules need is tried, and if it is not
//! inductive, all of the obligation is needed.
//!
//! What is needed may be coverable, even initial. As many threads are added as it takes to prevent that.

use super::Ic3;
use super::frames::Level;
use super::generalise::{Preference, with_count};
use crate::UnknownReason;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::bag::CountOverflow;
use throng_model::interface::Effect;
use throng_model::{Bag, Config, ConfigRef, Entry, SharedId, TransitionSystem, bag};

/// The shared states to which rules lead that move passive threads.
#[derive(Debug)]
pub(super) struct Broadcasts {
    /// `None` where the rules are not known beforehand.
    to: Option<Vec<bool>>,
}

impl Broadcasts {
    /// Those of a system.
    pub(super) fn new(system: &dyn TransitionSystem) -> Self {
        let to = system.explicit().map(|system| {
            let mut to = vec![false; system.n_shared()];
            system
                .rules()
                .iter()
                .filter(|(_, rule)| rule.has_moves())
                .for_each(|(_, rule)| to[rule.to.index()] = true);
            to
        });
        Self { to }
    }

    /// Whether there may be one that leads to a shared state.
    fn may_lead_to(&self, shared: SharedId) -> bool {
        self.to.as_ref().is_none_or(|to| to[shared.index()])
    }
}

impl Ic3<'_, '_> {
    /// Reduces a configuration that is inductive relative to a frame to the part that this takes. Unless it is
    /// `passing`, the part is not known to be coverable.
    pub(super) fn reduce_to_needed(
        &mut self,
        config: &mut Config,
        frame: Level,
        passing: bool,
        budget: &Budget,
    ) -> Result<(), UnknownReason> {
        let (mut need, mut overflow) = (Bag::new(), Ok(()));
        self.for_each_predecessor(config.view(), budget, |search, rule, before| {
            if let Some(effect) = search.system.plain_effect(rule)
                && !config.view().le(before)
            {
                overflow = search.add_need(before, effect, frame, &mut need);
            }
            if overflow.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        overflow?;
        let part = self.add_until_uncoverable(config, &need, passing);
        if part.bag.len() == config.bag.len() && part == *config {
            return Ok(());
        }
        if !self.broadcasts.may_lead_to(config.shared)
            || self.open_predecessor(part.view(), frame, budget)?.is_none()
        {
            *config = part;
        }
        Ok(())
    }

    /// Adds what the cheapest blocker of a predecessor needs.
    fn add_need(
        &self,
        before: ConfigRef<'_>,
        effect: Effect<'_>,
        frame: Level,
        need: &mut Bag,
    ) -> Result<(), CountOverflow> {
        let mut best: Option<(u64, Config)> = None;
        let _ = self.frames.for_each_blocker(before, frame, |id, _| {
            let blocker = self.frames.get(id);
            let cost = additional(blocker.bag, effect, need);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, blocker.to_config()));
            }
            if cost == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if frame == 0 && best.as_ref().is_none_or(|(least, _)| *least > 0) {
            let mut part = before.to_config();
            shrink(&mut part, &[], &self.preference, |part| !self.system.is_initial(part));
            let cost = additional(&part.bag, effect, need);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, part));
            }
        }
        let blocker = best.map(|(_, blocker)| blocker.bag).unwrap_or_default();
        for (entry, wanted) in needs(&blocker, effect) {
            let present = bag::count(need, entry.local);
            need.add(entry.local, wanted.saturating_sub(present))?;
        }
        Ok(())
    }

    /// A configuration between what is needed and all of it that is not known to be coverable, or at least not initial.
    fn add_until_uncoverable(&self, config: &Config, need: &Bag, passing: bool) -> Config {
        let is_fine =
            |part: ConfigRef<'_>| !self.system.is_initial(part) && (passing || !self.known.contains(part));
        let part = Config::new(config.shared, need.clone());
        if is_fine(part.view()) {
            return part;
        }
        let mut part = config.clone();
        shrink(&mut part, need, &self.preference, is_fine);
        part
    }
}

/// What a blocker of the predecessor needs of the successor, Lemma 8 (1).
fn needs<'a>(blocker: &'a [Entry], effect: Effect<'a>) -> impl Iterator<Item = (Entry, u32)> + 'a {
    blocker.iter().filter_map(move |&entry| {
        let passive =
            entry.count.checked_sub(bag::count(effect.take, entry.local)).filter(|&count| count > 0)?;
        Some((entry, passive.saturating_add(bag::count(effect.put, entry.local))))
    })
}

/// How many threads a blocker needs besides those that are needed anyway.
fn additional(blocker: &[Entry], effect: Effect<'_>, need: &Bag) -> u64 {
    needs(blocker, effect)
        .map(|(entry, wanted)| u64::from(wanted.saturating_sub(bag::count(need, entry.local))))
        .sum()
}

/// Removes threads, but not below a floor, as long as a configuration is accepted. What is above an accepted
/// configuration has to be accepted too.
fn shrink(
    config: &mut Config,
    floor: &[Entry],
    preference: &Preference,
    accepts: impl Fn(ConfigRef<'_>) -> bool,
) {
    for local in preference.locals(&config.bag) {
        let mut fewest = bag::count(floor, local);
        let mut attempt = fewest;
        while fewest < bag::count(&config.bag, local) {
            let smaller = with_count(config, local, attempt);
            if accepts(smaller.view()) {
                *config = smaller;
            } else {
                fewest = attempt + 1;
            }
            let count = bag::count(&config.bag, local);
            attempt = fewest + count.saturating_sub(fewest) / 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::blackboard::Blackboard;
    use crate::ic3::frames::Ground;
    use throng_model::{Initial, LocalId, Names, Rule, System, SystemBuilder};

    fn bag(counts: &[(usize, u32)]) -> Bag {
        Bag::from_counts(counts.iter().map(|&(local, count)| (LocalId::new(local), count))).unwrap()
    }

    #[test]
    fn a_blocker_needs_its_passive_threads_and_what_the_rule_puts_beside_them() {
        let (take, put) = (bag(&[(0, 2), (1, 3)]), bag(&[(0, 1), (2, 4)]));
        let effect = Effect { take: &take, put: &put };
        let of = |blocker: &Bag| -> Vec<(usize, u32)> {
            needs(blocker, effect).map(|(entry, wanted)| (entry.local.index(), wanted)).collect()
        };
        // All that is blocked is what the rule takes itself: the successor may be anything.
        assert_eq!(of(&bag(&[(0, 2), (1, 1)])), []);
        // c - take + put.
        assert_eq!(of(&bag(&[(0, 5), (1, 3), (2, 1), (3, 7)])), [(0, 4), (2, 5), (3, 7)]);
        assert_eq!(additional(&bag(&[(0, 5), (3, 7)]), effect, &bag(&[(0, 3), (3, 9)])), 1);
    }

    /// Threads go from 0 to 1 one after the other, and never are two of them in 1 when the lock is 2.
    fn system() -> System {
        let mut builder = SystemBuilder::new(Names::Numbered(1), Names::Numbered(4));
        let shared = SharedId::new(0);
        for (take, put) in [(&[(0, 1), (2, 1)][..], &[(1, 1)][..]), (&[(1, 1)], &[(0, 1), (2, 1)])] {
            builder
                .rule(&Rule { from: shared, to: shared, take: bag(take), put: bag(put), moves: vec![] }, 0);
        }
        let unbounded = vec![LocalId::new(0), LocalId::new(3)];
        builder.initial(Initial { shared, exact: bag(&[(2, 1)]), unbounded });
        builder.target(Config::new(shared, bag(&[(1, 2)])));
        builder.finish().unwrap()
    }

    #[test]
    fn only_what_blockers_need_is_left_of_an_obligation() {
        let system = system();
        let options = Options { cuts: false, ..Options::default() };
        let board = Blackboard::new(&system, &options);
        let mut search = Ic3::new(&system, &options, &board, false);
        let shared = SharedId::new(0);
        // Known: a thread in 1 excludes the lock. Then two threads in 1 have no predecessor, whoever else is there.
        let lemma = Config::new(shared, bag(&[(1, 1), (2, 1)]));
        search.frames.learn(lemma.view(), 1, Ground::Induction);
        let mut config = Config::new(shared, bag(&[(0, 5), (1, 2), (3, 8)]));
        search.reduce_to_needed(&mut config, 1, false, &Budget::unlimited()).unwrap();
        assert_eq!(config, Config::new(shared, bag(&[(1, 2)])));
    }
}
