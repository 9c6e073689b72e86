//! The reachability cutoff from both sides, for systems with more configurations than can be looked at.
//!
//! That n threads suffice takes a run to everything: a [`Scout`] finds those soon, mostly. That n threads do not suffice takes
//! one thread state that they do not reach: a backward search tells so ([`super::reverse`]), or that they do, with a run
//! from which the scout goes on. So nothing has to be explored completely. Both are given more and more work in turns: first
//! scouts with more and more threads, until one of them has seen everything. Then it is asked whether one thread less suffices,
//! of as many thread states as are left there, a little of each at first, since some are decided at once.

use super::ThreadState;
use super::reverse::{Found, Reverse};
use super::scout::Scout;
use crate::{Observer, UnknownReason};
use std::collections::BTreeMap;
use throng_base::Budget;
use throng_cert::Trace;
use throng_model::{Config, ConfigRef, RuleId, TransitionSystem};

/// So many predecessors are computed where a scout looks at one configuration.
const STEPS_PER_CONFIG: u64 = 4;
/// So many thread states are asked about in a turn, with all that work; fewer once so many threads are known to suffice, since
/// then one that fewer do not reach is all that is missing.
const EXAMPLES: usize = 16;
const LAST_EXAMPLES: usize = 3;
/// And before that so many, with so few predecessors for each.
const MANY_EXAMPLES: usize = 512;
const FEW_STEPS: u64 = 1 << 10;
/// So many numbers of threads are tried at once.
const WINDOW: u64 = 3;
/// So many predecessors are computed for an example at most.
const MOST_STEPS: u64 = 1 << 22;
/// How often scouts tell what they have seen.
const LEG: u64 = 1 << 12;

/// What is to be reached, however it is kept.
pub trait Wanted {
    /// Some of it.
    type Left;
    /// One thread state of it.
    type Example: Clone;

    /// All of it.
    fn all(&self) -> Self::Left;

    /// Takes away what these thread states show.
    fn remove(
        &self,
        left: &mut Self::Left,
        seen: &[ThreadState],
        budget: &Budget,
    ) -> Result<(), UnknownReason>;

    /// Takes away an example.
    fn remove_example(&self, left: &mut Self::Left, example: &Self::Example);

    /// How much is left, more or less.
    fn n_left(&self, left: &Self::Left) -> u64;

    /// Whether an example is left.
    fn has(&self, left: &Self::Left, example: &Self::Example) -> bool;

    /// Whether nothing is left.
    fn is_empty(&self, left: &Self::Left) -> bool;

    /// At most so many examples, from everywhere.
    fn examples(&self, left: &Self::Left, most: usize) -> Vec<Self::Example>;

    /// Configurations such that a run shows the example if and only if it covers one of them.
    fn targets(&self, example: &Self::Example) -> Vec<Config>;

    /// So many threads are needed to cover a configuration, or more; `None` if it is not reachable.
    fn fewest(&self, config: ConfigRef<'_>) -> Option<u64>;

    /// What is left needs more than so many threads.
    fn note(&mut self, left: &Self::Left, threads: u64);

    /// What a run leads through, if it is a run of at most so many threads to an example.
    fn follow(&self, trace: &Trace, example: &Self::Example, threads: u64) -> Option<Followed>;
}

/// What a run leads through: rules and configurations, if those are single ones.
pub type Followed = Vec<(RuleId, Config)>;

/// The cutoff, and what shows it.
#[derive(Debug)]
pub struct Narrowed<'a, E> {
    /// n₀.
    pub threads: u64,
    /// What n₀ threads reach and fewer do not.
    pub example: Option<E>,
    /// A search with n₀ threads.
    pub scout: Scout<'a>,
    /// Runs that were found otherwise, of at most as many threads.
    pub runs: Vec<(E, Trace)>,
}

/// A run of so many threads to an example, if one is found with not too much work.
pub fn run_to<W: Wanted>(
    system: &dyn TransitionSystem,
    wanted: &W,
    example: &W::Example,
    threads: u64,
    (budget, observer): (&Budget, &dyn Observer),
) -> Result<Option<Trace>, UnknownReason> {
    let fewest = |config: ConfigRef<'_>| wanted.fewest(config);
    let mut search = Reverse::new(system, &fewest, threads);
    Ok(match search.run(&wanted.targets(example), MOST_STEPS, budget, observer)? {
        Found::Run(trace) => Some(trace),
        Found::Nothing | Found::TooMuch => None,
    })
}

/// A scout with what it has not seen yet.
struct Party<'a, L> {
    scout: Scout<'a>,
    left: L,
    /// So much of what was seen has been taken away.
    told: usize,
}

/// The search at work.
pub(super) struct Narrow<'a, 'w, W: Wanted> {
    system: &'a dyn TransitionSystem,
    wanted: &'w mut W,
    budget: &'w Budget,
    observer: &'w dyn Observer,
    parties: BTreeMap<u64, Party<'a, W::Left>>,
    /// So many threads do not suffice.
    lower: u64,
    /// What they do not reach.
    example: Option<W::Example>,
    /// So many threads suffice.
    upper: Option<u64>,
    /// How often scouts were sent out.
    rounds: u64,
    /// Runs that scouts did not find, by how many threads they have at most.
    runs: Vec<(u64, W::Example, Trace)>,
}

/// Computes the reachability cutoff, given that so many threads do not suffice. Scouts begin with so many
/// configurations. `note` learns of each number that does not.
pub fn narrow<'a, W: Wanted>(
    system: &'a dyn TransitionSystem,
    wanted: &mut W,
    (lower, first_effort): (u64, u64),
    (budget, observer): (&Budget, &dyn Observer),
    note: &mut dyn FnMut(u64),
) -> Result<Narrowed<'a, W::Example>, UnknownReason> {
    let (parties, example, upper, runs) = (BTreeMap::new(), None, None, Vec::new());
    let mut narrow =
        Narrow { system, wanted, budget, observer, parties, lower, example, upper, rounds: 0, runs };
    let mut effort = first_effort.max(1);
    loop {
        narrow.scout(effort)?;
        note(narrow.lower);
        if let Some(narrowed) = narrow.ending() {
            return Ok(narrowed);
        }
        narrow.ask(effort)?;
        note(narrow.lower);
        if let Some(narrowed) = narrow.ending() {
            return Ok(narrowed);
        }
        effort = effort.saturating_mul(2);
        narrow.rounds += 1;
    }
}

impl<'a, W: Wanted> Narrow<'a, '_, W> {
    /// The cutoff, if one number suffices and the one before does not.
    fn ending(&mut self) -> Option<Narrowed<'a, W::Example>> {
        let threads = self.upper.filter(|&upper| upper == self.lower + 1)?;
        let scout = self.parties.remove(&threads)?.scout;
        let runs = std::mem::take(&mut self.runs).into_iter().filter(|&(most, ..)| most <= threads);
        let runs = runs.map(|(_, example, trace)| (example, trace)).collect();
        Some(Narrowed { threads, example: self.example.take(), scout, runs })
    }

    /// Sends scouts with as many threads as may be the cutoff, with all that they can look at within an effort.
    fn scout(&mut self, effort: u64) -> Result<(), UnknownReason> {
        let mut threads = self.upper.map_or(self.lower + 1, |upper| (self.lower + 1).max(upper - 1));
        while self.upper.is_none_or(|upper| threads < upper && threads > self.lower) {
            if self.upper.is_none() && threads > self.lower + WINDOW + self.rounds {
                break;
            }
            let is_complete = self.go_on(threads, effort)?;
            let Some(party) = self.parties.get(&threads) else { break };
            if self.wanted.is_empty(&party.left) {
                self.upper = Some(threads);
                self.parties.retain(|&other, _| other <= threads);
                // One thread less may do as well.
                threads = threads.saturating_sub(1);
            } else if is_complete {
                self.does_not_suffice(threads);
                threads += 1;
            } else {
                threads += 1;
            }
        }
        Ok(())
    }

    /// Has a scout go on; whether there is nothing left to do.
    fn go_on(&mut self, threads: u64, until: u64) -> Result<bool, UnknownReason> {
        if !self.parties.contains_key(&threads) {
            let scout = Scout::new(self.system, threads)?;
            self.parties.insert(threads, Party { scout, left: self.wanted.all(), told: 0 });
        }
        let Some(party) = self.parties.get_mut(&threads) else { return Ok(false) };
        loop {
            let leg = until.min(party.scout.expanded() + LEG);
            let is_complete = party.scout.advance(leg, self.budget, self.observer)?;
            let seen = party.scout.seen();
            self.wanted.remove(&mut party.left, &seen[party.told..], self.budget)?;
            party.told = seen.len();
            if is_complete || party.scout.expanded() >= until || self.wanted.is_empty(&party.left) {
                return Ok(is_complete);
            }
        }
    }

    /// What a scout has not seen needs more threads.
    fn does_not_suffice(&mut self, threads: u64) {
        if let Some(party) = self.parties.remove(&threads) {
            self.wanted.note(&party.left, threads);
            self.example = self.wanted.examples(&party.left, 1).pop();
        }
        self.lower = threads;
        self.parties.retain(|&other, _| other > threads);
    }

    /// Asks about what a scout has not seen: one with one thread less than what suffices. If it is not known yet what
    /// suffices, one with few threads that has seen nearly as much as any other.
    fn ask(&mut self, effort: u64) -> Result<(), UnknownReason> {
        let threads = match self.upper {
            Some(upper) => upper - 1,
            None => self.foremost(),
        };
        self.ask_some(threads, MANY_EXAMPLES, FEW_STEPS)?;
        if self.lower < threads {
            let examples = if self.upper.is_some() { LAST_EXAMPLES } else { EXAMPLES };
            self.ask_some(threads, examples, effort * STEPS_PER_CONFIG)?;
        }
        Ok(())
    }

    /// The smallest number of threads whose scout has hardly more left than any other.
    fn foremost(&self) -> u64 {
        let left = |party: &Party<'a, W::Left>| self.wanted.n_left(&party.left);
        let least = self.parties.values().map(left).min().unwrap_or(0);
        let fits = |party: &Party<'a, W::Left>| left(party) <= least.saturating_mul(2).saturating_add(4);
        self.parties.iter().find(|(_, party)| fits(party)).map_or(self.lower + 1, |(&threads, _)| threads)
    }

    /// Asks about so many thread states, with so many steps for each.
    fn ask_some(&mut self, threads: u64, most: usize, most_steps: u64) -> Result<(), UnknownReason> {
        let Some(party) = self.parties.get(&threads) else { return Ok(()) };
        for example in self.wanted.examples(&party.left, most) {
            let Some(party) = self.parties.get(&threads) else { return Ok(()) };
            if !self.wanted.has(&party.left, &example) {
                continue;
            }
            match self.search(threads, &party.scout, &example, most_steps)? {
                Found::Nothing => {
                    self.lower = threads;
                    self.parties.retain(|&other, _| other > threads);
                    self.example = Some(example);
                    return Ok(());
                }
                Found::Run(trace) => self.is_reached(threads, &example, &trace)?,
                Found::TooMuch => {}
            }
        }
        Ok(())
    }

    /// Whether so many threads reach an example, perhaps by way of what a scout has seen.
    fn search(
        &self,
        threads: u64,
        scout: &Scout<'a>,
        example: &W::Example,
        most_steps: u64,
    ) -> Result<Found, UnknownReason> {
        let targets = self.wanted.targets(example);
        let fewest = |config: ConfigRef<'_>| self.wanted.fewest(config);
        let mut search = Reverse::new(self.system, &fewest, threads);
        let found = search.run(&targets, most_steps, self.budget, self.observer)?;
        if !matches!(found, Found::TooMuch) || most_steps <= FEW_STEPS {
            return Ok(found);
        }
        Ok(search.meeting(scout, self.budget)?.map_or(Found::TooMuch, Found::Run))
    }

    /// So many threads reach an example: their scout and those with more threads go on from there.
    fn is_reached(&mut self, threads: u64, example: &W::Example, trace: &Trace) -> Result<(), UnknownReason> {
        let Some(followed) = self.wanted.follow(trace, example, threads) else { return Ok(()) };
        self.runs.push((threads, example.clone(), trace.clone()));
        let parties: Vec<u64> = self.parties.range(threads..).map(|(&threads, _)| threads).collect();
        for threads in parties {
            let Some(party) = self.parties.get_mut(&threads) else { continue };
            self.wanted.remove_example(&mut party.left, example);
            if !followed.is_empty() {
                party.scout.add(&trace.initial, &followed);
                let until = party.scout.expanded() + LEG;
                self.go_on(threads, until)?;
            }
        }
        Ok(())
    }
}
