//! Who runs next: stride scheduling of contenders over threads.
//!
//! Every runner has a share and a clock that goes on by the work it was given divided by its share; the runner whose
//! clock is furthest behind is next. So after some time each has done work in proportion to its share, and one that
//! joins later starts with its clock ahead. On one thread this depends on nothing but the runners.
//!
//! When memory runs short, the runner that keeps the most elements is taken out, as long as there are others.

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
    n_running: usize,
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
        Self { waiting: runners, n_running: 0, contest, winner, out, taken_out_at: None }
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
        self.n_running += 1;
        Some(self.waiting.swap_remove(next))
    }

    /// A runner comes back with an answer or without.
    fn back(&mut self, mut runner: Runner<'b>, answer: Option<Answer>, whole: &Budget, own: &Budget) {
        self.n_running -= 1;
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
        if recent || self.waiting.len() < 2 {
            return;
        }
        let largest = (0..self.waiting.len()).max_by_key(|&i| self.waiting[i].contender.progress().elements);
        if let Some(largest) = largest {
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
                if field.n_running == 0 {
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
