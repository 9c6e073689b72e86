//! The race for C programs: the prover looks for a proof, the bounded search for an error. The first answer counts.
//!
//! With several jobs both run at the same time, in threads of their own; who has lost is told to stop, and nobody waits for
//! it. With one job they take turns, so that the same run comes out each time: a small bounded search first, which finds most errors,
//! then the prover, then the bounded search without bounds.
//!
//! A bounded search without bounds need not end. Once the prover has given up, the search goes on until the run's time
//! limit, or if there is none, for as long as the prover took, and a minute at least.

use super::record::{Record, Telling};
use crate::supervise::{Board, Failure};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Sender};
use std::time::Duration;
use throng_abstraction::{Event, n_threads};
use throng_base::budget::Watchdog;
use throng_base::{Budget, Limits, StopReason};
use throng_bounded::BoundedOptions;
use throng_cprog::flow::{Program, PropertyId};
use throng_cprog::merge::Merged;
use throng_cprog::trace::Trace;
use throng_engine::{Contestant, Fate, Observer, Progress, UnknownReason};
use throng_report::c::GaveUp;

use crate::flags::CEngine;
use crate::input::Input;
use std::sync::Arc;
use throng_cprog::invariant::Invariant;

/// The first of two turns of the bounded search: so many threads and steps.
const FIRST_THREADS: u32 = 3;
const FIRST_STEPS: u32 = 24;
/// How long the bounded search goes on at least after the prover gave up, if there is no limit.
const LEAST_REST: Duration = Duration::from_secs(60);
/// As for other work: see `supervise`.
const STACK: usize = 64 << 20;

/// What is to be done, and how.
pub(super) struct Course {
    /// The program.
    pub(super) input: Arc<Input>,
    /// The same in larger steps, which proofs are about.
    pub(super) prepared: Arc<Merged>,
    /// How it is proved.
    pub(super) prover: throng_abstraction::Options,
    /// How it is searched.
    pub(super) searcher: BoundedOptions,
    /// How many threads may be used.
    pub(super) jobs: usize,
    /// Whether the run has a time limit.
    pub(super) is_limited: bool,
    /// How long the search goes on at least after the prover gave up, if there is another question to come.
    pub(super) rest: Option<Duration>,
    /// How iterations are told.
    pub(super) telling: Telling,
}

/// What was found.
pub(super) enum Found {
    /// Why no error is reachable.
    Proof(Box<Invariant>),
    /// A run to an error.
    Error(Trace),
    /// Nothing.
    Nothing(UnknownReason),
}

/// How the race ended.
pub(super) struct Finish {
    pub(super) found: Found,
    /// What the bounded search counted.
    pub(super) statistics: throng_bounded::Statistics,
    pub(super) contest: Vec<Contestant>,
    /// Obligations that are proved although others are not.
    pub(super) proved: Vec<PropertyId>,
}

/// What racers tell.
enum News {
    Told(Event),
    Searched(throng_bounded::Progress),
    Prover(Box<throng_abstraction::Outcome>),
    Searcher(Box<throng_bounded::Outcome>),
    Panicked,
}

impl Course {
    fn program(&self) -> Option<&Program> {
        program_of(&self.input)
    }

    /// Runs the race.
    pub(super) fn run(&self, budget: &Budget, board: &Board) -> Result<Finish, Failure> {
        board.prove(Record::new(Arc::clone(&self.prepared)));
        let mut desk = Desk::new(board, self.telling, self.searcher.max_threads);
        if self.jobs > 1 {
            self.together(budget, &mut desk)?;
        } else {
            self.in_turns(budget, &mut desk)?;
        }
        Ok(desk.finish())
    }

    /// In turns, on this thread.
    fn in_turns(&self, budget: &Budget, desk: &mut Desk<'_>) -> Result<(), Failure> {
        let Some(program) = self.program() else { return Err(no_program()) };
        let first = BoundedOptions {
            max_threads: Some(
                self.searcher.max_threads.map_or(FIRST_THREADS, |most| most.min(FIRST_THREADS)),
            ),
            max_steps: Some(FIRST_STEPS),
            ..self.searcher
        };
        let outcome =
            throng_bounded::search(program, &first, budget, &mut |progress| desk.searched(progress));
        desk.searcher_ends(outcome)?;
        if desk.is_over() || budget.check().is_err() {
            return Ok(());
        }
        let outcome =
            throng_abstraction::verify(program, &self.prepared, &self.prover, budget, &mut |event| {
                desk.told(event);
            });
        desk.prover_ends(outcome);
        if desk.is_over() || budget.check().is_err() {
            return Ok(());
        }
        let rest = budget.part();
        let _watchdog = self.watch_rest(&rest, desk);
        let outcome =
            throng_bounded::search(program, &self.searcher, &rest, &mut |progress| desk.searched(progress));
        desk.searcher_ends(outcome)
    }

    /// Limits how long the bounded search goes on after the prover gave up.
    fn watch_rest(&self, rest: &Budget, desk: &Desk<'_>) -> Option<Watchdog> {
        let time = Some(desk.record_elapsed().max(self.rest.unwrap_or(LEAST_REST)));
        (!self.is_limited || self.rest.is_some()).then(|| rest.watch(Limits { time, memory: None }, || None))
    }

    /// At the same time, each on a thread of its own.
    fn together(&self, budget: &Budget, desk: &mut Desk<'_>) -> Result<(), Failure> {
        let (proving, searching) = (budget.part(), budget.part());
        let (sender, receiver) = mpsc::channel();
        self.start_prover(proving.clone(), sender.clone())?;
        self.start_searcher(searching.clone(), sender)?;
        let mut watchdog = None;
        // The channel ends when both have ended.
        for news in receiver {
            match news {
                News::Told(event) => desk.told(event),
                News::Searched(progress) => desk.searched(progress),
                News::Prover(outcome) => {
                    desk.prover_ends(*outcome);
                    watchdog = watchdog.or_else(|| self.watch_rest(&searching, desk));
                }
                News::Searcher(outcome) => desk.searcher_ends(*outcome)?,
                News::Panicked => return Err(Failure::Internal("a panic, see above".to_owned())),
            }
            if desk.is_over() {
                proving.stop(StopReason::Cancelled);
                searching.stop(StopReason::Cancelled);
                break;
            }
        }
        Ok(())
    }

    fn start_prover(&self, budget: Budget, sender: Sender<News>) -> Result<(), Failure> {
        let (input, prepared) = (Arc::clone(&self.input), Arc::clone(&self.prepared));
        let options = self.prover.clone();
        start("prover", sender, move |sender| {
            let mut tell = |event| drop(sender.send(News::Told(event)));
            let program = program_of(&input)?;
            let outcome = throng_abstraction::verify(program, &prepared, &options, &budget, &mut tell);
            Some(News::Prover(Box::new(outcome)))
        })
    }

    fn start_searcher(&self, budget: Budget, sender: Sender<News>) -> Result<(), Failure> {
        let input = Arc::clone(&self.input);
        let options = self.searcher;
        start("searcher", sender, move |sender| {
            let mut tell = |progress| drop(sender.send(News::Searched(progress)));
            let program = program_of(&input)?;
            let outcome = throng_bounded::search(program, &options, &budget, &mut tell);
            Some(News::Searcher(Box::new(outcome)))
        })
    }
}

fn program_of(input: &Input) -> Option<&Program> {
    match input {
        Input::C(input) => Some(&input.program),
        Input::System(_) | Input::Program(_) => None,
    }
}

fn no_program() -> Failure {
    Failure::Internal("a race about no C program".to_owned())
}

/// Starts a racer. Nobody may listen any more when it ends, which does not matter.
fn start(
    name: &str,
    sender: Sender<News>,
    work: impl FnOnce(&Sender<News>) -> Option<News> + Send + 'static,
) -> Result<(), Failure> {
    let racer = move || {
        let news = catch_unwind(AssertUnwindSafe(|| work(&sender)));
        drop(sender.send(news.ok().flatten().unwrap_or(News::Panicked)));
    };
    let started = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(racer);
    started.map(drop).map_err(|error| Failure::Internal(format!("cannot start a thread: {error}")))
}

/// Where news come in.
struct Desk<'a> {
    board: &'a Board,
    telling: Telling,
    /// How many threads there may be.
    max_threads: Option<u32>,
    found: Option<(CEngine, Found)>,
    /// Why the prover has no answer.
    prover: Option<UnknownReason>,
    /// The same for the search.
    searcher: Option<UnknownReason>,
    statistics: throng_bounded::Statistics,
}

impl<'a> Desk<'a> {
    fn new(board: &'a Board, telling: Telling, max_threads: Option<u32>) -> Self {
        let statistics = throng_bounded::Statistics::default();
        Self { board, telling, max_threads, found: None, prover: None, searcher: None, statistics }
    }

    fn is_over(&self) -> bool {
        self.found.is_some()
    }

    fn record_elapsed(&self) -> Duration {
        self.board.with_record(|record| record.elapsed()).unwrap_or_default()
    }

    fn told(&self, event: Event) {
        let telling = self.telling;
        if let Some(Some(line)) = self.board.with_record(|record| record.add(event, telling)) {
            self.board.say(line);
        }
    }

    fn searched(&mut self, progress: throng_bounded::Progress) {
        self.statistics = progress.statistics;
        self.board.progress(&super::progress(progress));
    }

    fn prover_ends(&mut self, outcome: throng_abstraction::Outcome) {
        use throng_abstraction::Outcome as O;
        self.board.with_record(Record::end);
        let keep = |predicates| self.board.with_record(|record| record.predicates = Some(predicates));
        match outcome {
            O::Safe { invariant, .. } => {
                keep(invariant.predicates.clone());
                self.found = Some((CEngine::Cegar, Found::Proof(Box::new(invariant))));
            }
            O::SafeUpTo { threads, .. } => {
                let reason = format!("no error is reachable with up to {threads} threads; more may have one");
                let gave_up = GaveUp { reason, interleaving: Vec::new() };
                self.board.with_record(|record| record.gave_up = Some(gave_up));
                self.prover = Some(UnknownReason::Bounded);
            }
            O::Unsafe { trace, .. } if !self.is_within(&trace) => {
                let reason = "an error was found that needs more threads than were asked about".to_owned();
                let gave_up = GaveUp { reason, interleaving: Vec::new() };
                self.board.with_record(|record| record.gave_up = Some(gave_up));
                self.prover = Some(UnknownReason::Refinement);
            }
            O::Unsafe { trace, .. } => self.found = Some((CEngine::Cegar, Found::Error(trace))),
            O::GaveUp { reason, interleaving, predicates } => {
                keep(*predicates);
                let gave_up = GaveUp { reason, interleaving };
                self.board.with_record(|record| record.gave_up = Some(gave_up));
                self.prover = Some(UnknownReason::Refinement);
            }
            O::Stopped { reason, predicates } => {
                keep(*predicates);
                self.prover = Some(UnknownReason::Stopped(reason));
            }
        }
    }

    /// Whether a run has no more threads than were asked about.
    fn is_within(&self, trace: &Trace) -> bool {
        let program = self.board.input();
        let Some(program) = program.as_deref().and_then(program_of) else { return false };
        n_threads(program, trace) <= self.max_threads.map_or(usize::MAX, |most| most as usize)
    }

    fn searcher_ends(&mut self, outcome: throng_bounded::Outcome) -> Result<(), Failure> {
        use throng_bounded::Outcome as O;
        match outcome {
            O::Unsafe { trace, statistics, .. } => {
                self.statistics = statistics;
                self.found = Some((CEngine::Bmc, Found::Error(trace)));
            }
            O::NoBug { statistics, .. } => {
                self.statistics = statistics;
                self.searcher = Some(UnknownReason::Bounded);
            }
            O::Stopped { reason, statistics } => {
                self.statistics = statistics;
                self.searcher = Some(UnknownReason::Stopped(reason));
            }
            O::Internal(message) => return Err(Failure::Internal(message)),
        }
        Ok(())
    }

    fn finish(self) -> Finish {
        let winner = self.found.as_ref().map(|(engine, _)| *engine);
        let n_turns = self.board.with_record(|record| record.n_turns()).unwrap_or(0);
        let contestant = |engine: CEngine, reason: &Option<UnknownReason>, expanded: u64, elements: u64| {
            let fate = match (winner == Some(engine), reason) {
                (true, _) => Fate::Answered,
                (false, Some(UnknownReason::Stopped(_)) | None) => Fate::Searching,
                (false, Some(reason)) => Fate::GaveUp(reason.clone()),
            };
            Contestant {
                name: engine.name(),
                fate,
                progress: Progress { expanded, elements, ..Progress::default() },
            }
        };
        let statistics = self.statistics;
        let contest = vec![
            contestant(CEngine::Cegar, &self.prover, n_turns as u64, 0),
            contestant(CEngine::Bmc, &self.searcher, statistics.edges, statistics.states),
        ];
        let found =
            self.found.map_or_else(|| Found::Nothing(why(self.prover, self.searcher)), |(_, found)| found);
        Finish { found, statistics, contest, proved: Vec::new() }
    }
}

/// Why nobody has an answer.
fn why(prover: Option<UnknownReason>, searcher: Option<UnknownReason>) -> UnknownReason {
    use UnknownReason::Stopped;
    match (prover, searcher) {
        // What the user or the machine ended is not the prover's fault.
        (_, Some(reason @ Stopped(StopReason::Interrupted | StopReason::Memory))) => reason,
        (Some(reason), _) => reason,
        (None, Some(reason)) => reason,
        (None, None) => Stopped(StopReason::Cancelled),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prover_that_gave_up_is_the_reason_unless_the_user_was() {
        let stopped = |reason| Some(UnknownReason::Stopped(reason));
        let gave_up = || Some(UnknownReason::Refinement);
        assert_eq!(why(gave_up(), stopped(StopReason::Timeout)), UnknownReason::Refinement);
        assert_eq!(why(gave_up(), Some(UnknownReason::Bounded)), UnknownReason::Refinement);
        assert_eq!(why(gave_up(), stopped(StopReason::Interrupted)).to_string(), "interrupted");
        assert_eq!(why(stopped(StopReason::Timeout), Some(UnknownReason::Bounded)).to_string(), "timeout");
        assert_eq!(why(None, stopped(StopReason::Timeout)).to_string(), "timeout");
    }
}
