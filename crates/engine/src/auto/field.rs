//! Who runs next: stride scheduling of contenders over threads.
//!
//! Every runner has a share and a clock that goes on by the work it was given divided by its share; the runner whose
//! clock is furthest behind is next. So after some time each has done work in proportion to its share, and one that
//! joins later starts with its clock ahead. On one thread this depends on nothing but the runners.
//!
//! When memory runs short, the runner that keeps the most elements is taken out, as long as there are others; if it is at
//! work, when it comes back.

use super::{Contestant, Fate};
use crate::contender::Contender;
use crate::{Answer, Observer, Outcome, Recording, Statistics, UnknownReason};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use throng_base::{Budget, StopReason};

/// The work that a runner with share 1 is given at a time, in predecessors.
const PIECE: u64 = 1 << 12;

/// An engine in the race.
pub(super) struct Runner<'b> {
    name: &'static str,
    contender: Box<dyn Contender + 'b>,
    share: u64,
    clock: u64,
    /// Its place in the list of contestants.
    number: usize,
}

impl<'b> Runner<'b> {
    /// A runner with a share that joins when the clocks of the others have come so far.
    pub(super) fn new(
        name: &'static str,
        contender: Box<dyn Contender + 'b>,
        share: u64,
        joins_at: u64,
    ) -> Self {
        Self { name, contender, share, clock: joins_at, number: 0 }
    }

    fn contestant(&self, fate: Fate) -> Contestant {
        Contestant { name: self.name, fate, progress: self.contender.progress() }
    }
}

/// The state of the race.
pub(super) struct Field<'b> {
    waiting: Vec<Runner<'b>>,
    /// The numbers of those who are at work, and how many elements they kept when they set out.
    running: Vec<(usize, u64)>,
    contest: Vec<Option<Contestant>>,
    winner: Option<(Answer, Runner<'b>)>,
    /// Who gave up: the first one's statistics are shown if nobody has an answer.
    out: Vec<(UnknownReason, Runner<'b>)>,
    /// The tick of the budget's watchdog at which a runner was taken out last.
    taken_out_at: Option<u32>,
}

impl<'b> Field<'b> {
    /// Everybody waits for the start.
    pub(super) fn new(mut runners: Vec<Runner<'b>>) -> Self {
        runners.iter_mut().enumerate().for_each(|(number, runner)| runner.number = number);
        let contest = runners.iter().map(|_| None).collect();
        let (winner, out) = (None, Vec::new());
        Self { waiting: runners, running: Vec::new(), contest, winner, out, taken_out_at: None }
    }

    /// Runs the race on so many threads.
    pub(super) fn race(self, jobs: usize, budget: &Budget, observer: &dyn Observer) -> Outcome {
        let own = budget.part();
        let jobs = jobs.min(self.waiting.len());
        let track = Track { field: Mutex::new(self), changed: Condvar::new(), whole: budget, own: &own };
        if jobs <= 1 {
            track.run(observer);
        } else {
            std::thread::scope(|scope| {
                for _ in 0..jobs {
                    scope.spawn(|| track.run(observer));
                }
            });
        }
        track.field.into_inner().unwrap_or_else(PoisonError::into_inner).outcome(budget)
    }

    /// The waiting runner whose clock is furthest behind.
    fn next(&mut self) -> Option<Runner<'b>> {
        let next =
            (0..self.waiting.len()).min_by_key(|&i| (self.waiting[i].clock, self.waiting[i].number))?;
        let runner = self.waiting.swap_remove(next);
        self.running.push((runner.number, runner.contender.progress().elements));
        Some(runner)
    }

    /// A runner comes back with an answer or without.
    fn back(&mut self, mut runner: Runner<'b>, answer: Option<Answer>, whole: &Budget, own: &Budget) {
        self.running.retain(|&(number, _)| number != runner.number);
        match answer {
            None => {
                runner.clock += 1;
                self.waiting.push(runner);
                self.make_room(whole);
            }
            // Told to stop: it was still searching.
            Some(Answer::Unknown(UnknownReason::Stopped(_))) if own.check().is_err() => {
                self.waiting.push(runner);
            }
            Some(Answer::Unknown(reason)) => {
                self.contest[runner.number] = Some(runner.contestant(Fate::GaveUp(reason.clone())));
                self.out.push((reason, runner));
            }
            Some(answer) if self.winner.is_none() => {
                own.stop(StopReason::Cancelled);
                self.contest[runner.number] = Some(runner.contestant(Fate::Answered));
                self.winner = Some((answer, runner));
            }
            // Another was first by a moment.
            Some(_) => self.waiting.push(runner),
        }
    }

    /// Takes the runner out that keeps the most, if memory is short and others are left.
    fn make_room(&mut self, budget: &Budget) {
        let Some(tick) = budget.short_of_memory() else { return };
        // What was given back last time has to show before anybody else goes.
        let recent = self.taken_out_at.is_some_and(|at| tick.wrapping_sub(at) < 10);
        if recent || self.waiting.len() + self.running.len() < 2 {
            return;
        }
        let elements = |i: usize| self.waiting[i].contender.progress().elements;
        let largest = (0..self.waiting.len()).max_by_key(|&i| elements(i));
        let largest_at_work = self.running.iter().map(|&(_, elements)| elements).max();
        if let Some(largest) = largest.filter(|&largest| Some(elements(largest)) >= largest_at_work) {
            let runner = self.waiting.swap_remove(largest);
            self.contest[runner.number] = Some(runner.contestant(Fate::TakenOut));
            self.taken_out_at = Some(tick);
        }
    }

    fn outcome(mut self, budget: &Budget) -> Outcome {
        self.waiting.sort_by_key(|runner| runner.number);
        for runner in &self.waiting {
            self.contest[runner.number] = Some(runner.contestant(Fate::Searching));
        }
        let contest = self.contest.into_iter().flatten().collect();
        let (answer, runner) = match self.winner {
            Some((answer, runner)) => (answer, Some(runner)),
            None => {
                let stopped = budget.check().err().map(UnknownReason::from);
                let first_out = self.out.into_iter().next();
                let runner = self.waiting.into_iter().next();
                let (reason, runner) = match (stopped, first_out) {
                    (Some(reason), Some((_, out))) => (reason, Some(runner.unwrap_or(out))),
                    (Some(reason), None) => (reason, runner),
                    (None, Some((reason, out))) => (reason, Some(out)),
                    (None, None) => (UnknownReason::Inconclusive, runner),
                };
                (Answer::Unknown(reason), runner)
            }
        };
        let (statistics, recording) = match runner {
            Some(mut runner) => (runner.contender.statistics(), runner.contender.recording()),
            None => (Statistics::default(), Recording::default()),
        };
        Outcome { answer, statistics, recording, contest }
    }
}

/// Where threads meet.
struct Track<'a, 'b> {
    field: Mutex<Field<'b>>,
    changed: Condvar,
    whole: &'a Budget,
    /// Ends when somebody has the answer.
    own: &'a Budget,
}

impl<'b> Track<'_, 'b> {
    /// A contender that panicked is lost, and its panic goes on when its thread is joined; the field is whole.
    fn lock(&self) -> MutexGuard<'_, Field<'b>> {
        self.field.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One thread's work.
    fn run(&self, observer: &dyn Observer) {
        let _leave = Leave { track: self };
        let mut field = self.lock();
        while self.own.check().is_ok() {
            let Some(mut runner) = field.next() else {
                if field.running.is_empty() {
                    break;
                }
                field = self.changed.wait(field).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(field);
            let answer = runner.contender.advance(PIECE * runner.share, self.own);
            observer.progress(&runner.contender.progress());
            field = self.lock();
            field.back(runner, answer, self.whole, self.own);
            self.changed.notify_all();
        }
    }
}

/// A thread leaves, be it by a panic: those who wait have to see that.
struct Leave<'a, 'b> {
    track: &'a Track<'a, 'b>,
}

impl Drop for Leave<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.track.own.stop(StopReason::Cancelled);
        }
        self.track.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Progress, Safety, Silent};
    use std::sync::atomic::{AtomicBool, Ordering};
    use throng_base::budget::{Limits, Watchdog};
    use throng_cert::Proof;

    /// A contender that keeps so many elements and has an answer as soon as another one is gone.
    struct Dummy<'a> {
        elements: u64,
        is_gone: &'a AtomicBool,
        waits_for: Option<&'a AtomicBool>,
    }

    impl Contender for Dummy<'_> {
        fn advance(&mut self, _: u64, budget: &Budget) -> Option<Answer> {
            if let Err(reason) = budget.check() {
                return Some(Answer::Unknown(reason.into()));
            }
            let proof = Proof { elements: Vec::new(), cuts: Vec::new(), traps: Vec::new() };
            let is_time = self.waits_for.is_some_and(|other| other.load(Ordering::Relaxed));
            is_time.then_some(Answer::Safe(Safety::Proof(proof)))
        }

        fn progress(&self) -> Progress {
            Progress { elements: self.elements, ..Progress::default() }
        }

        fn statistics(&self) -> Statistics {
            Statistics::default()
        }
    }

    impl Drop for Dummy<'_> {
        fn drop(&mut self) {
            self.is_gone.store(true, Ordering::Relaxed);
        }
    }

    /// A small, a large and a medium contender; the last one has an answer when the large one is gone.
    fn runners(gone: &[AtomicBool; 3]) -> Vec<Runner<'_>> {
        let dummy = |number: usize, elements, waits_for| {
            Box::new(Dummy { elements, is_gone: &gone[number], waits_for })
        };
        vec![
            Runner::new("small", dummy(0, 1, None), 1, 0),
            Runner::new("large", dummy(1, 9, None), 1, 0),
            Runner::new("medium", dummy(2, 5, Some(&gone[1])), 1, 0),
        ]
    }

    /// A budget with more than half of its memory in use, which does not change.
    fn short_of_memory() -> (Budget, Watchdog) {
        let budget = Budget::unlimited();
        let watchdog = budget.watch(Limits { time: None, memory: Some(100) }, || Some(60));
        while budget.short_of_memory().is_none() {
            std::thread::yield_now();
        }
        (budget, watchdog)
    }

    #[test]
    fn who_keeps_the_most_is_taken_out_when_memory_is_short() {
        let (budget, _watchdog) = short_of_memory();
        for jobs in [1, 2, 3] {
            let gone = [(); 3].map(|()| AtomicBool::new(false));
            let outcome = Field::new(runners(&gone)).race(jobs, &budget, &Silent);
            assert!(matches!(outcome.answer, Answer::Safe(_)));
            let fate = |name| &outcome.contest.iter().find(|one| one.name == name).unwrap().fate;
            assert_eq!((fate("large"), fate("medium")), (&Fate::TakenOut, &Fate::Answered), "{jobs} jobs");
        }
    }

    #[test]
    fn nobody_is_taken_out_in_the_place_of_a_larger_one_at_work() {
        let (budget, _watchdog) = short_of_memory();
        let gone = [(); 3].map(|()| AtomicBool::new(false));
        let is_gone = || [0, 1, 2].map(|number: usize| gone[number].load(Ordering::Relaxed));
        let mut field = Field::new(runners(&gone));
        let mut all: Vec<_> = (0..3).map(|_| field.next().unwrap()).collect();
        let [medium, large, small] = [(); 3].map(|()| all.pop().unwrap());
        field.back(medium, None, &budget, &budget);
        field.back(small, None, &budget, &budget);
        assert_eq!(is_gone(), [false; 3]);
        field.back(large, None, &budget, &budget);
        assert_eq!(is_gone(), [false, true, false]);
    }
}
