//! `throng cutoff --compare`: what it takes to find everything by exploring as many threads as the reachability cutoff, and
//! by a Karp–Miller search.
//!
//! Only the searches are timed, by the clock, on one core; those that take milliseconds are repeated, and the shortest time
//! counts. That both find the same is looked at where states are single ones; those of programs overlap.

use super::Task;
use crate::exit::Exit;
use crate::flags::OutputFormat;
use crate::memory;
use crate::reading::Printed;
use crate::supervise::Board;
use std::collections::BTreeSet;
use std::sync::PoisonError;
use std::time::{Duration, Instant};
use throng::Error;
use throng::terms::too_large;
use throng::thread_states::program::accept;
use throng::thread_states::{Search, Trouble, internal, states_of};
use throng_base::{Budget, Diagnostic, StopReason};
use throng_boolprog::ProgramQuestion;
use throng_cert::CoverSet;
use throng_engine::thread_states::{self, Pace, ThreadState};
use throng_engine::{Answer, EngineKind, Observer, Options, Safety, Statistics, UnknownReason};
use throng_formats::Input;
use throng_input::{PROGRAM_FORMAT, ProgramInput};
use throng_model::TransitionSystem;
use throng_report::cutoff_costs::{self as show, Bounded, CutoffCosts, KarpMiller};
use throng_report::program::ProgramCase;
use throng_report::survey::{Completeness, Survey};
use throng_report::{Cost, Phase, Subject};
use throng_symbolic::thread_states::Shown;

/// Searches are repeated until they have taken so long together, and no more often than this.
const ENOUGH: Duration = Duration::from_millis(50);
const MOST_TIMES: u32 = 10;
/// So many configurations are explored one after the other; where there are more, only the other search is timed.
const MOST_CONFIGS: usize = 1 << 20;

/// What was found out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    n_reachable: u128,
    reachability: Option<u64>,
    bounded: Option<Bounded>,
    karp_miller: Option<KarpMiller>,
}

/// Compares on a system.
pub(super) fn system(task: &Task, input: &Input, budget: &Budget, board: &Board) -> Result<Printed, Error> {
    let mut search = Search::new(&input.system, task.check, budget, board)?;
    let mut found = Found::default();
    let ending = search.survey().and_then(|()| {
        let reachable = &search.found.reachable;
        found.n_reachable = reachable.len() as u128;
        let (pace, limits) = (Pace::default(), (budget, board as &dyn Observer));
        let known = thread_states::reachability_cutoff(&input.system, reachable, pace, limits, &mut |_| ())?;
        found.reachability = Some(known.threads);
        found.publish(task);
        found.measure_bounded(&input.system, known.threads, budget, board)?;
        found.publish(task);
        let covered = found.measure_karp_miller(&input.system, budget, board)?;
        let seen: BTreeSet<ThreadState> = covered.elements.iter().flat_map(states_of).collect();
        if seen == *reachable { Ok(()) } else { Err(internal("two searches find different thread states")) }
    });
    found.n_reachable = search.found.reachable.len() as u128;
    let about = (input.format.extension(), &input.system, &*input.warnings);
    Ok(found.printed(task, about, &unless_failed(ending)?, board.phase()))
}

/// Compares on a program.
pub(super) fn program(
    task: &Task,
    input: &ProgramInput,
    budget: &Budget,
    board: &Board,
) -> Result<Printed, Error> {
    board.enter(Phase::Searching);
    let survey = throng_symbolic::thread_states::Survey::new(&input.program, input.question.threads);
    let mut survey = survey.map_err(|error| Error::Refused(vec![too_large(input, error)]))?;
    let mut accept = |question: &ProgramQuestion, shown: Shown<'_>| {
        accept(task.check, &input.program, question, shown, board)
    };
    let mut found = Found::default();
    let ending = survey.run(budget, board, &mut accept).and_then(|()| {
        found.n_reachable = survey.states_at_once().count;
        let threads = survey.reachability_cutoff(Pace::default(), (budget, board), &mut |_| ())?.threads;
        found.reachability = Some(threads);
        found.publish(task);
        found.measure_bounded(survey.system(), threads, budget, board)?;
        found.publish(task);
        found.measure_karp_miller(survey.system(), budget, board).map(drop)
    });
    found.n_reachable = survey.states_at_once().count;
    let about = (PROGRAM_FORMAT, ProgramCase::from(input), input.warnings());
    Ok(found.printed(task, about, &unless_failed(ending)?, board.phase()))
}

/// What was measured when the work did not end in time, if the cutoff is known.
pub(super) fn rescue(
    task: &Task,
    input: &throng_input::Input,
    reason: StopReason,
    phase: Phase,
) -> Option<Printed> {
    let found = *task.measured.lock().unwrap_or_else(PoisonError::into_inner);
    found.reachability?;
    let ending = Err(reason.into());
    match input {
        throng_input::Input::System(input) => {
            let about = (input.format.extension(), &input.system, &*input.warnings);
            Some(found.printed(task, about, &ending, phase))
        }
        throng_input::Input::Program(input) => {
            let about = (PROGRAM_FORMAT, ProgramCase::from(input), input.warnings());
            Some(found.printed(task, about, &ending, phase))
        }
        throng_input::Input::C(_) => None,
    }
}

impl Found {
    /// Lets others see what is known, should the time be up.
    fn publish(&self, task: &Task) {
        *task.measured.lock().unwrap_or_else(PoisonError::into_inner) = *self;
    }

    fn measure_bounded(
        &mut self,
        system: &dyn TransitionSystem,
        threads: u64,
        budget: &Budget,
        board: &Board,
    ) -> Result<(), Trouble> {
        let (explored, time) =
            timed(|| Ok(thread_states::explore(system, threads, MOST_CONFIGS, budget, board)?))?;
        if explored.is_complete() {
            let (configurations, occupied) = (explored.n_configs() as u64, explored.n_occupied());
            self.bounded = Some(Bounded { configurations, occupied, time });
        }
        Ok(())
    }

    /// Also returns what the search found. The system has no targets.
    fn measure_karp_miller(
        &mut self,
        system: &dyn TransitionSystem,
        budget: &Budget,
        board: &Board,
    ) -> Result<CoverSet, Trouble> {
        let options = Options::default();
        let (outcome, time) = timed(|| {
            let outcome = EngineKind::KarpMiller.run(system, &options, budget, board);
            match outcome.answer {
                Answer::Unknown(reason) => Err(reason.into()),
                Answer::Safe(_) | Answer::Unsafe(_) => Ok(outcome),
            }
        })?;
        let Answer::Safe(Safety::CoverSet(covered)) = outcome.answer else {
            return Err(internal(
                "a Karp–Miller search without targets found something else than a cover set",
            ));
        };
        let (nodes, maximal) = (counter(&outcome.statistics, "nodes"), covered.elements.len() as u64);
        self.karp_miller = Some(KarpMiller { nodes, maximal, time });
        Ok(covered)
    }

    /// The comparison of this format, subject and warnings.
    fn printed<'a, S: Copy + Into<Subject<'a>>>(
        &self,
        task: &'a Task,
        (format, subject, warnings): (&'a str, S, &'a [Diagnostic]),
        ending: &'a Result<(), UnknownReason>,
        phase: Phase,
    ) -> Printed {
        let cost = Cost { elapsed: task.started.elapsed(), memory: memory::used() };
        let (completeness, exit) = match ending {
            Ok(()) => (Completeness::Complete { checked: task.check, unshown: 0 }, Exit::Success),
            Err(reason) => (Completeness::Unknown { reason, phase }, Exit::Unknown),
        };
        let survey = Survey {
            file: &task.file,
            format,
            threads: task.threads,
            subject,
            completeness,
            warnings,
            cost: task.options.verbose.then_some(cost),
        };
        let Self { n_reachable, reachability, bounded, karp_miller } = *self;
        let costs = CutoffCosts { survey, n_reachable, reachability, bounded, karp_miller };
        let text = match task.format {
            OutputFormat::Text => show::render(&costs),
            OutputFormat::Json => show::render_json(&costs),
        };
        Printed { text, cost, exit }
    }
}

/// Does something and tells how long that takes. It does the same each time.
fn timed<T>(mut work: impl FnMut() -> Result<T, Trouble>) -> Result<(T, Duration), Trouble> {
    let (mut all, mut least) = (Duration::ZERO, Duration::MAX);
    for turn in 1.. {
        let started = Instant::now();
        let result = work()?;
        let time = started.elapsed();
        (all, least) = (all + time, least.min(time));
        if all >= ENOUGH || turn == MOST_TIMES {
            return Ok((result, least));
        }
    }
    unreachable!("INVARIANT: a loop without an end has a last turn")
}

/// How a comparison ended, unless it failed.
fn unless_failed(ending: Result<(), Trouble>) -> Result<Result<(), UnknownReason>, Error> {
    match ending {
        Ok(()) => Ok(Ok(())),
        Err(Trouble::Unknown(reason)) => Ok(Err(reason)),
        Err(Trouble::Error(failure)) => Err(failure),
    }
}

fn counter(statistics: &Statistics, name: &str) -> u64 {
    statistics.iter().find(|(other, _)| *other == name).map_or(0, |(_, value)| value)
}
