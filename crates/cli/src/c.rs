//! C programs: the prover and the bounded search with their evidence, evidence shown again, and explanations of messages.
//!
//! * `evidence`: evidence read again, about the program that the user names.
//! * `oblige`: assertions and obligations together, then the assertions alone.
//! * `vacuity`: whether assertions are reached.
//! * `predicates`: the file that a proof is gone on with from.
//! * `real`: evidence put back into the program's text, compiled and run.
//! * `race`: prover and search against each other.
//! * `record`: what the prover tells.

mod evidence;
mod oblige;
mod predicates;
mod race;
mod real;
mod record;
mod vacuity;

pub(crate) use evidence::are_about_reading;
pub(crate) use record::{Record, Telling};

use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{CEngine, CegarFlags, ExplainFlags, LimitFlags, ReplayFlags, SubjectFlags};
use crate::input::{Asked, CInput, Input};
use crate::search::{Conclusion, Task, accept, finish as finish_run};
use crate::supervise::{Board, Failure};
use crate::terms::{Told, Untold};
use crate::{files, reading};
use race::{Finish, Found};
use std::path::Path;
use std::sync::Arc;
use throng_base::{Budget, Diagnostic, Source};
use throng_bounded::{BoundedOptions, Outcome};
use throng_cert::document::Body;
use throng_cert::{EvidenceDocument, Header};
use throng_check::c::{check_c, document, invariant_document};
use throng_cprog::codes;
use throng_cprog::flow::Program;
use throng_cprog::invariant::{from_program, read_predicates};
use throng_cprog::lower::{self, Whole};
use throng_engine::{Fate, Observer, Progress, Statistics, UnknownReason};
use throng_report::Phase;
use throng_report::c::{CCase, interleaving};
use throng_report::text::TextOptions;

/// How a C program is proved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// Who answers.
    pub(crate) engine: CEngine,
    /// What the user knows about a proof.
    pub(crate) flags: CegarFlags,
}

/// Proves a program or searches it for errors, and has what is found checked.
pub(crate) fn decide(
    task: &Task,
    whole: &Arc<Input>,
    input: &CInput,
    budget: &Budget,
    board: &Board,
) -> Result<Conclusion, Failure> {
    if oblige::is_idle(&input.program) {
        let nothing = Err(UnknownReason::NothingToCheck);
        return Ok(Conclusion::new(board, nothing, Statistics::default()));
    }
    let prepared = Arc::new(throng_abstraction::prepare(&input.program));
    let finish = match task.c.engine {
        CEngine::Cegar => oblige::decide(task, whole, input, &prepared, budget, board)?,
        CEngine::Bmc => search_alone(task, input, budget, board)?,
    };
    let Finish { found, statistics, contest, proved } = finish;
    let statistics = counters(statistics);
    let conclusion = |evidence: Result<Told, UnknownReason>| {
        let conclusion = Conclusion::new(board, evidence, statistics);
        Conclusion { contest: contest.clone(), ..conclusion }
    };
    let winner = contest.iter().find(|contestant| contestant.fate == Fate::Answered);
    let engine = winner.map_or(task.c.engine.name(), |winner| winner.name);
    let name = task.asked.file.display().to_string();
    let header = Header { engine: Some(engine), input: Some(&name) };
    let document = match found {
        Found::Nothing(reason) => return Ok(Conclusion { proved, ..conclusion(Err(reason)) }),
        Found::Error(trace) => document(&input.program, &trace, input.options.clone(), header),
        Found::Proof(invariant) => {
            invariant_document(&prepared.program, &invariant, input.options.clone(), header)
                .map_err(|why| Failure::Internal(format!("the proof cannot be written: {why}")))?
        }
    };
    board.enter(Phase::Checking);
    let mut text = Vec::new();
    throng_cert::write_document(&document, &mut text)
        .map_err(|error| Failure::Internal(format!("the evidence cannot be written: {error}")))?;
    let check = |document: &EvidenceDocument| check_c(&input.program, document, budget);
    let accepted = if task.check { accept(&text, &check) } else { Ok::<(), Untold>(()) };
    // A checker that was told to stop has not accepted anything, which is no bug.
    if let (Err(_), Err(reason)) = (&accepted, budget.check()) {
        return Ok(conclusion(Err(reason.into())));
    }
    let is_safe = document.verdict == throng_cert::Verdict::Safe;
    let mut conclusion = finish_run(task, board, (Told::C(document), text), accepted, conclusion)?;
    if is_safe && conclusion.evidence.is_ok() {
        let max_threads = task.asked.question.start.threads;
        conclusion.assertions = vacuity::assertions(&input.program, max_threads, budget);
    }
    Ok(conclusion)
}

/// How the bounded search searches.
fn bounded_options(task: &Task) -> BoundedOptions {
    BoundedOptions { max_threads: task.asked.question.start.threads, ..BoundedOptions::default() }
}

/// How the prover proves.
fn prover_options(task: &Task, prepared: &Program) -> Result<throng_abstraction::Options, Vec<Diagnostic>> {
    let flags = &task.c.flags;
    let mut options = throng_abstraction::Options::new(prepared);
    from_program(prepared, &mut options.predicates);
    for file in [&flags.predicates, &flags.resume].into_iter().flatten() {
        let source = Source::read(file).map_err(|error| vec![error])?;
        let name = file.display().to_string();
        read_predicates(prepared, &name, source.text(), &mut options.predicates)?;
    }
    if let Some(length) = flags.max_cube_length {
        options.max_cube_length = length as usize;
    }
    options.houdini = !flags.no_filter && flags.save_bp.is_none();
    options.threads = task.asked.question.start.threads;
    // One job is the bounded search's.
    options.jobs = task.options.jobs.saturating_sub(1).max(1);
    options.seed = task.options.seed;
    Ok(options)
}

/// The bounded search without the prover.
fn search_alone(task: &Task, input: &CInput, budget: &Budget, board: &Board) -> Result<Finish, Failure> {
    let mut tell = |told: throng_bounded::Progress| board.progress(&progress(told));
    let outcome = throng_bounded::search(&input.program, &bounded_options(task), budget, &mut tell);
    let (found, statistics) = match outcome {
        Outcome::Unsafe { trace, statistics, .. } => (Found::Error(trace), statistics),
        Outcome::NoBug { statistics, .. } => (Found::Nothing(UnknownReason::Bounded), statistics),
        Outcome::Stopped { reason, statistics } => (Found::Nothing(reason.into()), statistics),
        Outcome::Internal(message) => return Err(Failure::Internal(message)),
    };
    Ok(Finish { found, statistics, contest: Vec::new(), proved: Vec::new() })
}

/// How far a bounded search is, as all engines tell it.
fn progress(told: throng_bounded::Progress) -> Progress {
    Progress {
        elements: told.statistics.states,
        steps: told.statistics.edges,
        threads: told.threads.into(),
        ..Progress::default()
    }
}

/// What the search counted, by name.
fn counters(counted: throng_bounded::Statistics) -> Statistics {
    let mut statistics = Statistics::default();
    for (name, count) in [
        ("threads_tried", counted.threads.into()),
        ("threads_complete", counted.complete_up_to.into()),
        ("steps_tried", counted.deepest),
        ("states", counted.states),
        ("edges_taken", counted.edges),
        ("thread_rows", counted.rows),
        ("solver_queries", counted.queries),
    ] {
        statistics.push(name, count);
    }
    statistics
}

/// Writes what the prover knew at the end to the files that were asked for. Says what could not be written, and what there
/// was not.
pub(crate) fn save(
    flags: &CegarFlags,
    record: Option<&Record>,
    program: Option<&Program>,
) -> Result<(), String> {
    if let Some(path) = &flags.save_predicates {
        let predicates = record.and_then(|record| record.predicates.as_ref());
        match predicates.zip(program) {
            Some((predicates, program)) => {
                let text = predicates::file(program, predicates);
                files::write(path, &text).map_err(|error| files::complain(path, &error))?;
            }
            None => console::remark(&format!("there are no predicates to write to `{}`", path.display())),
        }
    }
    if let Some(path) = &flags.save_bp {
        match record.and_then(|record| record.abstract_program.as_ref()) {
            Some(text) => files::write(path, text).map_err(|error| files::complain(path, &error))?,
            None => {
                console::remark(&format!("there is no abstract program to write to `{}`", path.display()));
            }
        }
    }
    Ok(())
}

/// Says what is not supported in a program.
pub(crate) fn list_unsupported(asked: &Asked, limits: &LimitFlags, colour: Colour) -> Exit {
    if !asked.question.start.is_c(&asked.file) {
        console::error("`--list-unsupported` is for C programs");
        return Exit::Usage;
    }
    let name = asked.file.display().to_string();
    let asked = asked.clone();
    let read =
        reading::attended(limits, colour, move |budget, _| CInput::read(&asked, true, budget).map(drop));
    match read {
        Ok(()) => {
            console::print(&format!("{name}: everything is supported\n"));
            Exit::Success
        }
        Err(exit) => exit,
    }
}

/// `throng replay`.
pub(crate) fn replay(flags: &ReplayFlags, colour: Colour) -> Exit {
    let opened = opened(&flags.evidence, &flags.subject, flags.verbose, colour, |body| match body {
        Body::Interleaving(_) => None,
        Body::Invariant(_) => Some("`throng explain` shows proofs"),
        _ => Some("`throng graph --what trace --evidence` draws other interleavings"),
    });
    if flags.export.is_some() || flags.run {
        return real::force(flags, opened, colour);
    }
    print_shown(opened.map(|opened| opened.text), Exit::Unsafe)
}

/// Prints evidence; why it cannot be shown has been said.
fn print_shown(shown: Result<String, Exit>, exit: Exit) -> Exit {
    match shown {
        Ok(text) => {
            console::print(&text);
            exit
        }
        Err(exit) => exit,
    }
}

/// Evidence that the checker has accepted again, with the program that it is about.
pub(crate) struct Opened {
    document: EvidenceDocument,
    whole: Whole,
    options: lower::Options,
    /// The evidence in words.
    text: String,
}

/// Evidence about a C program, once the checker has accepted it again, all within limits. `unfit` says what else can be done with
/// evidence that is not meant.
fn opened(
    file: &Path,
    subject: &SubjectFlags,
    verbose: bool,
    colour: Colour,
    unfit: fn(&Body) -> Option<&'static str>,
) -> Result<Opened, Exit> {
    let (file, given) = (file.to_owned(), subject.clone());
    let how = TextOptions { width: console::width(), verbose };
    reading::attended(&subject.limits, colour, move |budget, board| {
        let evidence = evidence::read(&file, unfit)?;
        let (whole, options) = evidence.program(&given, budget)?;
        board.enter(Phase::Checking);
        evidence.check(&whole.program, &given, budget)?;
        board.enter(Phase::Rendering);
        let cannot = || vec![Diagnostic::error("E0914", "the evidence cannot be shown")];
        let document = evidence.document;
        let text = interleaving(CCase { program: &whole.program }, &document, how).ok_or_else(cannot)?;
        Ok(Opened { document, whole, options, text })
    })
}

/// `throng explain`.
pub(crate) fn explain(flags: &ExplainFlags, colour: Colour) -> Exit {
    let Some(wanted) = &flags.code else {
        let lines = codes::all().map(|code| format!("{}  {}\n", code.code, code.title));
        console::print(&lines.collect::<String>());
        return Exit::Success;
    };
    if let Some(code) = codes::find(&wanted.to_uppercase()) {
        console::print(&format!("{}: {}\n\n{}\n", code.code, code.title, code.explanation.trim()));
        return Exit::Success;
    }
    let file = Path::new(wanted);
    if !file.is_file() {
        console::error(&format!(
            "there is no explanation of `{wanted}`, and no such file; `throng explain` lists what there is"
        ));
        return Exit::Usage;
    }
    let opened = opened(file, &flags.subject, flags.verbose, colour, |body| match body {
        Body::Interleaving(_) | Body::Invariant(_) => None,
        _ => Some("`throng graph --evidence` draws evidence about other inputs"),
    });
    if flags.monitor.is_some() || flags.run {
        return real::watch(flags, opened, colour);
    }
    print_shown(opened.map(|opened| opened.text), Exit::Success)
}
