//! `throng reach` and `throng cutoff` on Boolean programs, whose thread states come as cubes.

use super::{Task, Wanted};
use crate::exit::Exit;
use crate::flags::OutputFormat;
use crate::memory;
use crate::reading::Printed;
use crate::supervise::Board;
use throng::Error;
use throng::terms::too_large;
use throng::thread_states::Trouble;
use throng::thread_states::program::accept;
use throng_base::{Budget, StopReason};
use throng_boolprog::{Pattern, ProgramQuestion};
use throng_engine::UnknownReason;
use throng_engine::thread_states::{Layer, Pace};
use throng_input::{PROGRAM_FORMAT, ProgramInput};
use throng_report::program::ProgramCase;
use throng_report::program::{self as show, CutoffView, KnownCutoffs, ReachView};
use throng_report::survey::{Completeness, Survey};
use throng_report::{Cost, Phase};
use throng_symbolic::thread_states::{self, Needy, Shown, ThreadStates};

/// What was found out about a program.
#[derive(Debug, Default)]
struct Found {
    states: ThreadStates,
    layers: Vec<Layer>,
    uniform: Option<u64>,
}

/// Finds out and renders it.
pub(super) fn work(
    task: &Task,
    input: &ProgramInput,
    budget: &Budget,
    board: &Board,
) -> Result<Printed, Error> {
    board.enter(Phase::Searching);
    let mut found = Found::default();
    let (ending, phase) = search(task, input, budget, board, &mut found)?;
    Ok(printed(task, input, &found, &ending, phase))
}

/// What was found out about a program when the work did not end in time.
pub(super) fn rescue(task: &Task, input: &ProgramInput, reason: StopReason, phase: Phase) -> Option<Printed> {
    let states = task.window.get()?.states(&input.program)?;
    let found = Found { states, ..Found::default() };
    Some(printed(task, input, &found, &Err(reason.into()), phase))
}

fn printed(
    task: &Task,
    input: &ProgramInput,
    found: &Found,
    ending: &Result<(), UnknownReason>,
    phase: Phase,
) -> Printed {
    let cost = Cost { elapsed: task.started.elapsed(), memory: memory::used() };
    let (completeness, exit) = match ending {
        Ok(()) => (Completeness::Complete { checked: task.check, unshown: 0 }, Exit::Success),
        Err(reason) => (Completeness::Unknown { reason, phase }, Exit::Unknown),
    };
    Printed { text: render(task, input, found, completeness, cost), cost, exit }
}

/// Fills `found` as far as the budget allows. Tells how it ended, and during what.
fn search(
    task: &Task,
    input: &ProgramInput,
    budget: &Budget,
    board: &Board,
    found: &mut Found,
) -> Result<(Result<(), UnknownReason>, Phase), Error> {
    let program = &input.program;
    let survey = thread_states::Survey::new(program, input.question.threads);
    let mut survey = survey.map_err(|error| Error::Refused(vec![too_large(input, error)]))?;
    // Only this worker fills it.
    let _ = task.window.set(survey.window());
    let mut accept =
        |question: &ProgramQuestion, shown: Shown<'_>| accept(task.check, program, question, shown, board);
    let result = survey.run(budget, board, &mut accept);
    let result = result.and_then(|()| {
        if task.wanted == Wanted::Cutoffs {
            let mut note = |threads| task.note(threads);
            let known = survey.reachability_cutoff(Pace::default(), (budget, board), &mut note)?;
            if let Some(needy) = &known.needy {
                accept(&asked(input, needy), Shown::Answer(&needy.trace))?;
            }
            // Only this worker fills it.
            let _ = task.reachability.set((known.threads, known.needy.clone()));
            let report = |layer: &Layer| found.layers.push(*layer);
            found.uniform = Some(survey.uniform_cutoff(known, budget, board, report)?);
        }
        Ok(())
    });
    let ending = match result {
        Ok(()) => Ok(()),
        Err(Trouble::Unknown(reason)) => Err(reason),
        Err(Trouble::Error(failure)) => return Err(failure),
    };
    let phase = board.phase();
    // What was found is not left behind because the time is up.
    board.enter(Phase::Writing);
    found.states = if ending.is_ok() { survey.states() } else { survey.states_at_once() };
    Ok((ending, phase))
}

/// The question that a trace to a thread state answers.
fn asked(input: &ProgramInput, needy: &Needy) -> ProgramQuestion {
    let target = Pattern { shared: needy.shared.clone(), threads: vec![needy.thread.clone()] };
    ProgramQuestion { threads: input.question.threads, targets: vec![target] }
}

fn render(
    task: &Task,
    input: &ProgramInput,
    found: &Found,
    completeness: Completeness<'_>,
    cost: Cost,
) -> String {
    let survey = Survey {
        file: &task.file,
        format: PROGRAM_FORMAT,
        threads: task.threads,
        subject: ProgramCase::from(input),
        completeness,
        warnings: input.warnings(),
        cost: task.options.verbose.then_some(cost),
    };
    let ThreadStates { places, count, occupied, all } = &found.states;
    let reach = ReachView { survey, places, count: *count, occupied: *occupied, all: *all };
    let cutoffs = task.reachability.get().map(|(reachability, needy)| KnownCutoffs {
        reachability: *reachability,
        uniform: found.uniform,
        needy: needy.as_ref().map(|needy| (&needy.shared, &needy.thread, &needy.trace)),
    });
    let cutoff = CutoffView { reach, cutoffs, not_enough: task.not_enough(), layers: &found.layers };
    match (task.wanted, task.format) {
        (Wanted::Reach, OutputFormat::Text) => show::render_reach(&reach, task.options.verbose),
        (Wanted::Reach, OutputFormat::Json) => show::render_reach_json(&reach),
        (_, OutputFormat::Text) => show::render_cutoff(&cutoff, task.options),
        (_, OutputFormat::Json) => show::render_cutoff_json(&cutoff),
    }
}
