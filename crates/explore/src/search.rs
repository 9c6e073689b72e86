//! More and more threads and steps, in turns.
//!
//! There is one exploration for each number of threads. In each round, each exploration that is open goes on until it has
//! expanded as many states as the round allows; the allowance doubles from round to round, and each round opens one more
//! number of threads. So fewer threads come first, and none is left waiting for ever by an endless search with fewer.

use crate::canon::Canon;
use crate::explore::{Exploration, Pause, Reductions};
use crate::layout;
use crate::machine::Machine;
use crate::replay::replay;
use crate::shorten::shorten;
use crate::symmetry::Symmetry;
use crate::walk::Walker;
use crate::witness::{self, Chain, Trouble};
use crate::{BoundedOptions, Outcome, Progress, Statistics};
use throng_base::{Budget, StopReason};
use throng_cfa::flow::Program;
use throng_cfa::trace::Trace;

/// How many states an exploration may expand in the first round.
const FIRST_QUOTA: usize = 2_000;
/// From which allowance on there are random walks as well.
const WALKS_FROM: usize = 16_000;
/// More threads than a trace for people can have; places of threads are kept in a byte.
const MOST_THREADS: usize = 200;

/// How many threads are tried at most.
fn most_threads(program: &Program, options: &BoundedOptions) -> usize {
    let assumed = program.most_threads.map_or(MOST_THREADS, |n| usize::try_from(n).unwrap_or(MOST_THREADS));
    let asked = options.max_threads.map_or(MOST_THREADS, |n| n as usize);
    assumed.min(asked).clamp(1, MOST_THREADS)
}
/// What a word of a state takes at least, in bytes: a state is expanded into another one.
const STATE_WORD: u64 = 8;

struct Search<'p, 'a> {
    program: &'p Program,
    machine: Machine<'p>,
    canon: Canon,
    explorations: Vec<Exploration>,
    reductions: Reductions,
    max_threads: usize,
    max_steps: usize,
    walker: Option<Walker>,
    by_walk: bool,
    budget: &'a Budget,
}

/// Searches for an error: see [`crate::search`].
pub(crate) fn search(
    program: &Program,
    options: &BoundedOptions,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Outcome {
    // Without that, arrays of megabytes would take all memory at once, before anybody can say stop.
    let bytes = layout::n_words(program).saturating_mul(STATE_WORD);
    if bytes > budget.remaining().memory.unwrap_or(u64::from(u32::MAX)) {
        return Outcome::Stopped { reason: StopReason::Memory, statistics: Statistics::default() };
    }
    let machine = Machine::new(program, budget);
    let symmetry = options.symmetry.then(|| Symmetry::new(program, &machine.layout)).flatten();
    let mut search = Search {
        program,
        canon: Canon::new(symmetry),
        machine,
        explorations: Vec::new(),
        reductions: Reductions { partial_orders: options.partial_orders },
        max_threads: most_threads(program, options),
        max_steps: options.max_steps.map_or(usize::MAX, |k| k as usize),
        walker: options.walks.then(Walker::default),
        by_walk: false,
        budget,
    };
    match search.rounds(progress) {
        Ok(Some((n_threads, chain))) => search.conclude(n_threads, &chain),
        Ok(None) => search.no_bug(),
        Err(reason) => Outcome::Stopped { reason, statistics: search.statistics() },
    }
}

impl Search<'_, '_> {
    /// The way to an error and how many threads were allowed; `None` if there is nothing more to search.
    fn rounds(&mut self, progress: &mut dyn FnMut(Progress)) -> Result<Option<(usize, Chain)>, StopReason> {
        let mut quota = FIRST_QUOTA;
        self.open();
        loop {
            let mut number = 0;
            while number < self.explorations.len() {
                if !self.is_done(number) {
                    if let Pause::Error(found) = self.go_on(number, (quota, self.max_steps))? {
                        let chain = witness::chain(&self.explorations[number], found);
                        return self.fewer_threads(number, chain).map(Some);
                    }
                    progress(Progress { threads: number as u32 + 1, statistics: self.statistics() });
                }
                number += 1;
                // The next number of threads need not wait for the next round if all before are done with.
                if number == self.explorations.len() && self.may_open() && self.all_done() {
                    self.open();
                }
            }
            if self.may_open() {
                self.open();
            } else if self.all_done() {
                return Ok(None);
            }
            if quota >= WALKS_FROM
                && let Some((n_threads, chain)) = self.walk(quota / 4)?
            {
                self.by_walk = true;
                return self.fewer_threads(n_threads - 1, chain).map(Some);
            }
            quota *= 2;
        }
    }

    /// Opens the exploration with one more thread.
    fn open(&mut self) {
        self.explorations.push(Exploration::new(self.explorations.len() + 1));
    }

    /// Whether one more thread may make a difference, and is allowed.
    fn may_open(&self) -> bool {
        self.explorations.len() < self.max_threads
            && self.explorations.last().is_some_and(|last| last.may_need_more)
    }

    fn is_done(&self, number: usize) -> bool {
        let exploration = &self.explorations[number];
        exploration.is_complete || exploration.depth >= self.max_steps
    }

    fn all_done(&self) -> bool {
        (0..self.explorations.len()).all(|number| self.is_done(number))
    }

    fn go_on(&mut self, number: usize, bounds: (usize, usize)) -> Result<Pause, StopReason> {
        let Self { explorations, machine, canon, reductions, budget, .. } = self;
        explorations[number].go_on(machine, canon, *reductions, bounds, budget)
    }

    /// Random walks with numbers of threads that are not done with, and with more.
    fn walk(&mut self, n_runs: usize) -> Result<Option<(usize, Chain)>, StopReason> {
        let Self { walker: Some(walker), explorations, machine, canon, max_threads, .. } = self else {
            return Ok(None);
        };
        let first = explorations.iter().take_while(|exploration| exploration.is_complete).count() + 1;
        let last = (2 * explorations.len()).min(*max_threads).max(first);
        for n_threads in first..=last {
            let n_runs = n_runs / (last - first + 1);
            if let Some(chain) = walker.walk(machine, canon, n_threads, n_runs)?
                && chain.len() < self.max_steps
            {
                return Ok(Some((n_threads, chain)));
            }
        }
        Ok(None)
    }

    /// Looks for an error with fewer threads that is as near, with as much work as the first one took.
    fn fewer_threads(&mut self, number: usize, chain: Chain) -> Result<(usize, Chain), StopReason> {
        let expanded = self.explorations.iter().map(Exploration::n_expanded).max().unwrap_or(0);
        let bounds = (expanded.max(FIRST_QUOTA), chain.len().min(self.max_steps));
        for fewer in 0..number.min(self.explorations.len()) {
            if self.explorations[fewer].is_complete {
                continue;
            }
            if let Pause::Error(found) = self.go_on(fewer, bounds)? {
                self.by_walk = false;
                return Ok((fewer + 1, witness::chain(&self.explorations[fewer], found)));
            }
        }
        Ok((number + 1, chain))
    }

    /// Makes the trace and runs it.
    fn conclude(&mut self, n_threads: usize, chain: &Chain) -> Outcome {
        let Self { machine, canon, budget, program, .. } = self;
        machine.limit = n_threads;
        let trace = match witness::trace(machine, canon, chain, budget) {
            Ok(trace) => trace,
            Err(Trouble::Stopped(reason)) => {
                return Outcome::Stopped { reason, statistics: self.statistics() };
            }
            Err(Trouble::Internal(text)) => return Outcome::Internal(text),
        };
        let trace: Trace = shorten(program, trace);
        match replay(program, &trace) {
            Ok(property) => Outcome::Unsafe { trace, property, statistics: self.statistics() },
            Err(step) => Outcome::Internal(format!("the trace cannot be replayed after step {step}")),
        }
    }

    fn no_bug(&self) -> Outcome {
        let complete = self.explorations.iter().take_while(|exploration| exploration.is_complete).count();
        let is_exhausted = complete == self.explorations.len()
            && self.explorations.last().is_some_and(|last| !last.may_need_more);
        Outcome::NoBug { complete_up_to: complete as u32, is_exhausted, statistics: self.statistics() }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            threads: self.explorations.len() as u32,
            complete_up_to: self.explorations.iter().take_while(|exploration| exploration.is_complete).count()
                as u32,
            states: self.explorations.iter().map(|exploration| exploration.n_states() as u64).sum(),
            deepest: self.explorations.iter().map(|exploration| exploration.depth).max().unwrap_or(0) as u64,
            edges: self.machine.n_edges,
            queries: self.machine.oracle.n_queries,
            rows: self.machine.rows.len() as u64,
            by_walk: self.by_walk,
        }
    }
}
