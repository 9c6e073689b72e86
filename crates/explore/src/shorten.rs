//! Makes traces easier to follow: what is not needed is left out, and threads are interrupted less often.
//!
//! Every change is tried: it stays if the changed trace still runs and still ends in an error.
//!
//! * Steps of a thread from some point on, and rounds of a thread from a location back to it, are left out; threads that
//!   are not started any more, too.
//! * Where a thread is interrupted, what the others do in between is moved before or after.

use crate::replay::replay;
use throng_cfa::flow::{Effect, Program};
use throng_cfa::trace::{Trace, TraceStep};

/// Traces with more steps stay as they are: trying changes takes time that grows with their square.
const LONGEST: usize = 2_000;
/// How many changes are tried, in steps that are run.
const MOST_WORK: usize = 3_000_000;

struct Shortener<'p> {
    program: &'p Program,
    best: Trace,
    work: usize,
}

/// A trace that is easier to follow.
pub(crate) fn shorten(program: &Program, trace: Trace) -> Trace {
    if trace.steps.len() > LONGEST {
        return trace;
    }
    let mut shortener = Shortener { program, best: trace, work: 0 };
    loop {
        let before = (shortener.best.steps.len(), n_switches(&shortener.best.steps));
        shortener.drop_tails();
        shortener.drop_rounds();
        shortener.join_blocks();
        if before <= (shortener.best.steps.len(), n_switches(&shortener.best.steps)) {
            return shortener.best;
        }
    }
}

fn n_switches(steps: &[TraceStep]) -> usize {
    steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
}

impl Shortener<'_> {
    /// Takes a list of steps if it still leads to an error, of which it keeps the part up to that.
    fn take_if_good(&mut self, steps: Vec<TraceStep>) -> bool {
        self.work += steps.len();
        if self.work > MOST_WORK {
            return false;
        }
        let mut trace = Trace { start: self.best.start.clone(), steps };
        match replay(self.program, &trace) {
            Ok(_) => {}
            Err(first) if first < trace.steps.len() => {
                // Perhaps the error comes earlier now.
                trace.steps.truncate(first);
                if replay(self.program, &trace).is_err() {
                    return false;
                }
            }
            Err(_) => return false,
        }
        self.best = trace;
        true
    }

    fn threads(&self) -> Vec<u32> {
        let mut threads: Vec<u32> = self.best.steps.iter().map(|step| step.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    /// Leaves out the last steps of threads, as many as possible.
    fn drop_tails(&mut self) {
        for thread in self.threads().into_iter().rev() {
            let places: Vec<usize> = self.places(thread);
            // First all, then halves, down to one.
            let mut count = places.len();
            while count > 0 {
                let places = self.places(thread);
                let Some(first) = places.len().checked_sub(count) else {
                    count /= 2;
                    continue;
                };
                if !self.without(&places[first..]) {
                    count /= 2;
                }
            }
        }
    }

    fn places(&self, thread: u32) -> Vec<usize> {
        let steps = self.best.steps.iter().enumerate();
        steps.filter(|(_, step)| step.thread == thread).map(|(place, _)| place).collect()
    }

    /// Leaves out rounds of threads, the longest first.
    fn drop_rounds(&mut self) {
        for thread in self.threads() {
            let mut first = 0;
            while first < self.places(thread).len() {
                let places = self.places(thread);
                let from = self.program.edge(self.best.steps[places[first]].edge).from;
                let ends = (first..places.len())
                    .rev()
                    .filter(|&last| self.program.edge(self.best.steps[places[last]].edge).to == from);
                let ends: Vec<usize> = ends.collect();
                if !ends.iter().any(|&last| self.without(&places[first..=last])) {
                    first += 1;
                }
            }
        }
    }

    /// Leaves out steps, with all steps of threads that are not started any more; the others are numbered anew.
    fn without(&mut self, places: &[usize]) -> bool {
        let mut next_number = 1;
        let mut numbers: Vec<Option<u32>> = vec![None, Some(1)];
        let mut steps: Vec<TraceStep> = Vec::with_capacity(self.best.steps.len());
        for (place, step) in self.best.steps.iter().enumerate() {
            let actor = numbers.get(step.thread as usize).copied().flatten();
            let is_left = actor.is_some() && places.binary_search(&place).is_err();
            if matches!(self.program.edge(step.edge).effect, Some(Effect::Spawn { .. })) {
                next_number += u32::from(is_left);
                numbers.push(is_left.then_some(next_number));
            }
            if let (true, Some(thread)) = (is_left, actor) {
                let signalled =
                    step.signalled.and_then(|number| numbers.get(number as usize).copied().flatten());
                steps.push(TraceStep { thread, signalled, ..step.clone() });
            }
        }
        self.take_if_good(steps)
    }

    /// Moves blocks of steps so that threads are interrupted less often.
    fn join_blocks(&mut self) {
        let mut place = 0;
        while let Some((begin, end)) = block_at(&self.best.steps, place) {
            if end == self.best.steps.len() {
                return;
            }
            let thread = self.best.steps[begin].thread;
            // The next block of the same thread: here, or this one there.
            let again = (end..self.best.steps.len()).find(|&place| self.best.steps[place].thread == thread);
            let is_better = again.and_then(|again| block_at(&self.best.steps, again)).is_some_and(|next| {
                let before = n_switches(&self.best.steps);
                self.move_block(next, end, before) || self.move_block((begin, end), next.0, before)
            });
            if !is_better {
                place = end;
            }
        }
    }

    /// Moves steps to before another place if that gives fewer switches.
    fn move_block(&mut self, (begin, end): (usize, usize), to: usize, before: usize) -> bool {
        let mut steps = self.best.steps.clone();
        if to <= begin {
            steps[to..end].rotate_right(end - begin);
        } else {
            steps[begin..to].rotate_left(end - begin);
        }
        if n_switches(&steps) >= before || !self.keeps_numbers(&steps) {
            return false;
        }
        self.take_if_good(steps)
    }

    /// Whether threads are started in the same order, so that they have the same numbers.
    fn keeps_numbers(&self, steps: &[TraceStep]) -> bool {
        let starts = |steps: &[TraceStep]| -> Vec<(u32, usize)> {
            let is_start =
                |step: &&TraceStep| matches!(self.program.edge(step.edge).effect, Some(Effect::Spawn { .. }));
            steps.iter().filter(is_start).map(|step| (step.thread, step.edge.index())).collect()
        };
        starts(steps) == starts(&self.best.steps)
    }
}

/// The block of steps of one thread that begins at a place.
fn block_at(steps: &[TraceStep], begin: usize) -> Option<(usize, usize)> {
    let thread = steps.get(begin)?.thread;
    let length = steps[begin..].iter().take_while(|step| step.thread == thread).count();
    Some((begin, begin + length))
}
