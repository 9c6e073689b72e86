//! `throng graph`: a picture of the input, of why it is safe, or of how it goes wrong.

use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{GraphFlags, Subject};
use crate::supervise::{self, Failure, Task};
use crate::{check, files};
use std::path::Path;
use throng_cert::Evidence;
use throng_model::System;
use throng_report::{document, dot};

/// A graph that is not to be had, and what to tell the user.
struct Refusal(Exit, String);

/// Runs the command.
pub(crate) fn run(flags: &GraphFlags, colour: Colour) -> Exit {
    let graph = match (flags.what, &flags.evidence) {
        (Subject::System, None) => read(flags, true, colour).map(|system| Ok(dot::system(&system))),
        (Subject::System, Some(_)) => {
            console::error("evidence is drawn with `--what proof` or `--what trace`");
            return Exit::Usage;
        }
        (_, Some(file)) => read(flags, false, colour).map(|system| drawn_from_file(flags, &system, file)),
        (_, None) => searched(flags, colour),
    };
    match graph {
        Err(exit) => exit,
        Ok(Err(Refusal(exit, message))) => {
            console::error(&message);
            exit
        }
        Ok(Ok(graph)) => write(flags, &graph),
    }
}

fn write(flags: &GraphFlags, graph: &str) -> Exit {
    let Some(path) = &flags.output else {
        console::print(graph);
        return Exit::Success;
    };
    match files::write(path, graph) {
        Ok(()) => Exit::Success,
        Err(error) => {
            console::error(&files::complain(path, &error));
            Exit::Usage
        }
    }
}

fn read(flags: &GraphFlags, target_optional: bool, colour: Colour) -> Result<System, Exit> {
    let mut question = flags.question.question();
    question.target_optional = target_optional;
    match throng_formats::read(&flags.input, &question) {
        Ok(input) => {
            if !flags.search.quiet {
                console::diagnose(&input.warnings, colour);
            }
            Ok(input.system)
        }
        Err(diagnostics) => {
            console::diagnose(&diagnostics, colour);
            Err(Exit::Refused)
        }
    }
}

/// Draws evidence from a file, if the checker accepts it.
fn drawn_from_file(flags: &GraphFlags, system: &System, file: &Path) -> Result<String, Refusal> {
    let refuse = |message: String| Refusal(Exit::Refused, format!("`{}`: {message}", file.display()));
    let text = std::fs::read(file).map_err(|error| refuse(error.to_string()))?;
    let evidence = throng_cert::read(&text).map_err(|error| refuse(error.to_string()))?;
    throng_check::check(system, &evidence)
        .map_err(|rejection| refuse(format!("this is no evidence about the input: {rejection}")))?;
    let evidence = document::resolve(&evidence, system).map_err(refuse)?;
    draw(flags.what, system, &evidence)
}

/// Searches for evidence and draws it.
fn searched(flags: &GraphFlags, colour: Colour) -> Result<Result<String, Refusal>, Exit> {
    let task = Task {
        file: flags.input.clone(),
        question: flags.question.question(),
        engine: flags.search.engine(),
        limits: flags.search.limits(),
        check: true,
        evidence_file: None,
        quiet: flags.search.quiet,
    };
    let conclusion = supervise::run(task).map_err(|failure: Failure| check::fail(&failure, false, colour))?;
    Ok(match (&conclusion.evidence, &conclusion.input) {
        (Ok(evidence), Some(input)) => draw(flags.what, &input.system, evidence),
        (Err(reason), _) => {
            Err(Refusal(Exit::Unknown, format!("nothing to draw: the verdict is unknown({reason})")))
        }
        (Ok(_), None) => Err(Refusal(Exit::Internal, "evidence about no input".to_owned())),
    })
}

fn draw(what: Subject, system: &System, evidence: &Evidence) -> Result<String, Refusal> {
    let other = |message: &str| Err(Refusal(Exit::Refused, message.to_owned()));
    match (evidence, what) {
        (Evidence::Trace(trace), Subject::Trace) => match dot::trace(system, trace) {
            Some(graph) => Ok(graph),
            None => other("the trace is not an execution of the input"),
        },
        (Evidence::Proof(proof), Subject::Proof) => Ok(dot::proof(system, proof)),
        (Evidence::CoverSet(cover), Subject::Proof) => Ok(dot::cover_set(system, cover)),
        (Evidence::Trace(_), _) => {
            other("the input is unsafe, so there is no proof; draw the interleaving with `--what trace`")
        }
        (_, _) => other("the input is safe, so there is no interleaving; draw the proof with `--what proof`"),
    }
}
