//! C programs: the bounded search with its evidence, interleavings shown again, and explanations of messages.

use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{BMC, ExplainFlags, ReplayFlags};
use crate::input::{Asked, CInput};
use crate::search::{Conclusion, Task, accept, finish};
use crate::supervise::{Board, Failure};
use crate::terms::{Told, Untold};
use clap::Parser;
use std::path::PathBuf;
use throng_base::{Budget, Diagnostic};
use throng_bounded::{BoundedOptions, Outcome};
use throng_cert::document::Body;
use throng_cert::{EvidenceDocument, Header};
use throng_check::c::{check_interleaving, document};
use throng_check::flags::{CFlags, ProgramFlags, QuestionFlags};
use throng_cprog::codes;
use throng_engine::{Observer, Progress, Statistics, UnknownReason};
use throng_report::Phase;
use throng_report::c::{CCase, interleaving};
use throng_report::text::TextOptions;

/// Searches a program for errors, and has what is found checked.
pub(crate) fn decide(
    task: &Task,
    input: &CInput,
    budget: &Budget,
    board: &Board,
) -> Result<Conclusion, Failure> {
    let options =
        BoundedOptions { max_threads: task.asked.question.start.threads, ..BoundedOptions::default() };
    let mut tell = |progress: throng_bounded::Progress| {
        board.progress(&Progress {
            elements: progress.statistics.states,
            steps: progress.statistics.edges,
            threads: progress.threads.into(),
            ..Progress::default()
        });
    };
    let outcome = throng_bounded::search(&input.program, &options, budget, &mut tell);
    let (found, counted) = match outcome {
        Outcome::Unsafe { trace, statistics, .. } => (Ok(trace), statistics),
        Outcome::NoBug { statistics, .. } => (Err(UnknownReason::Bounded), statistics),
        Outcome::Stopped { reason, statistics } => (Err(UnknownReason::Stopped(reason)), statistics),
        Outcome::Internal(message) => return Err(Failure::Internal(message)),
    };
    let statistics = counters(counted);
    let trace = match found {
        Ok(trace) => trace,
        Err(reason) => return Ok(Conclusion::new(board, Err(reason), statistics)),
    };
    board.enter(Phase::Checking);
    let name = task.asked.file.display().to_string();
    let header = Header { engine: Some(BMC), input: Some(&name) };
    let document = document(&input.program, &trace, input.options.clone(), header);
    let mut text = Vec::new();
    throng_cert::write_document(&document, &mut text)
        .map_err(|error| Failure::Internal(format!("the evidence cannot be written: {error}")))?;
    let check = |document: &EvidenceDocument| check_interleaving(&input.program, document);
    let accepted = if task.check { accept(&text, &check) } else { Ok::<(), Untold>(()) };
    finish(task, board, (Told::C(document), text), accepted, |evidence| {
        Conclusion::new(board, evidence, statistics)
    })
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

/// Says what is not supported in a program.
pub(crate) fn list_unsupported(asked: &Asked, colour: Colour) -> Exit {
    if !asked.question.start.is_c(&asked.file) {
        console::error("`--list-unsupported` is for C programs");
        return Exit::Usage;
    }
    match CInput::read(asked, true) {
        Ok(_) => {
            console::print(&format!("{}: everything is supported\n", asked.file.display()));
            Exit::Success
        }
        Err(errors) => {
            console::diagnose(&errors, colour);
            Exit::Refused
        }
    }
}

/// The options in evidence, as the command line reads them.
#[derive(Debug, Parser)]
struct ReadOptions {
    more: Vec<PathBuf>,
    #[command(flatten)]
    question: QuestionFlags,
    #[command(flatten)]
    program: ProgramFlags,
    #[command(flatten)]
    c: CFlags,
}

/// `throng replay`.
pub(crate) fn replay(flags: &ReplayFlags, colour: Colour) -> Exit {
    match replayed(flags) {
        Ok(text) => {
            console::print(&text);
            Exit::Unsafe
        }
        Err(errors) => {
            console::diagnose(&errors, colour);
            Exit::Refused
        }
    }
}

fn replayed(flags: &ReplayFlags) -> Result<String, Vec<Diagnostic>> {
    let refuse = |code: &'static str, message: String| vec![Diagnostic::error(code, message)];
    let name = flags.evidence.display();
    let text = std::fs::read(&flags.evidence)
        .map_err(|error| refuse("E0001", format!("cannot read `{name}`: {error}")))?;
    let document = throng_cert::read(&text).map_err(|error| refuse("E0910", format!("`{name}`: {error}")))?;
    let Body::Interleaving(shown) = &document.body else {
        let error = Diagnostic::error("E0911", format!("`{name}` is not an interleaving of a C program"));
        return Err(vec![error.hint("`throng graph --what trace --evidence` draws other interleavings")]);
    };
    let words = std::iter::once("throng").chain(shown.options.iter().map(String::as_str));
    let options = ReadOptions::try_parse_from(words)
        .map_err(|_| refuse("E0912", format!("`{name}` names options that this version does not have")))?;
    let mut files = flags.inputs.clone();
    if files.is_empty() {
        let Some(input) = &document.input else {
            return Err(refuse("E0913", format!("`{name}` does not say which program it is about")));
        };
        files.push(PathBuf::from(input));
        files.extend(options.more.iter().cloned());
    }
    let (labels, property) = (&options.program.label, options.question.property.as_deref());
    let (program, _) = options.c.read(&files, labels, property, false)?;
    check_interleaving(&program, &document)
        .map_err(|rejection| refuse("E0914", format!("the program does not do this: {rejection}")))?;
    let how = TextOptions { width: console::width(), verbose: flags.verbose };
    interleaving(CCase { program: &program }, &document, how)
        .ok_or_else(|| refuse("E0914", "the interleaving cannot be shown".to_owned()))
}

/// `throng explain`.
pub(crate) fn explain(flags: &ExplainFlags) -> Exit {
    let Some(wanted) = &flags.code else {
        let lines = codes::all().map(|code| format!("{}  {}\n", code.code, code.title));
        console::print(&lines.collect::<String>());
        return Exit::Success;
    };
    match codes::find(&wanted.to_uppercase()) {
        Some(code) => {
            console::print(&format!("{}: {}\n\n{}\n", code.code, code.title, code.explanation.trim()));
            Exit::Success
        }
        None => {
            console::error(&format!(
                "there is no explanation of `{wanted}`; `throng explain` lists what there is"
            ));
            Exit::Usage
        }
    }
}
