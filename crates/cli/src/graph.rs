//! `throng graph`: a picture of the input, of why it is safe, of how it goes wrong, or of the search that found out.

mod recording;

use crate::asked::Asked;
use crate::c::ProgressStyle;
use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{GraphFlags, Subject};
use crate::search::{self, Task};
use crate::{check, files, reading};
use std::path::Path;
use throng::Error;
use throng::evidence::Content;
use throng::reduced;
use throng_cert::{Evidence, EvidenceDocument, Header};
use throng_input::Input;
use throng_model::System;
use throng_report::{Phase, document, dot, text};

/// Why there is nothing to draw.
type Refusal = String;

/// Runs the command.
pub(crate) fn run(flags: &GraphFlags, colour: Colour) -> Exit {
    if let Some(problem) = flags.search.problem() {
        console::error(problem);
        return Exit::Usage;
    }
    if flags.question.start.is_c(&flags.input) {
        return match drawn_threads(flags, colour) {
            Ok(graph) => write(flags, &graph),
            Err(exit) => exit,
        };
    }
    let graph = match (flags.what, &flags.evidence) {
        (Subject::System, None) => read(flags, true, colour, |system| Ok(dot::system(system))),
        (Subject::Proof | Subject::Trace, None) => searched(flags, colour),
        (Subject::BackwardGraph | Subject::ForwardTree | Subject::Vertices, None) => {
            recording::searched(flags, colour)
        }
        (what @ (Subject::Proof | Subject::Trace), Some(file)) => {
            let file = file.clone();
            read(flags, false, colour, move |system| drawn_from_file(what, system, &file))
        }
        (_, Some(_)) => {
            console::error("evidence is drawn with `--what proof` or `--what trace`");
            return Exit::Usage;
        }
    };
    match graph {
        Err(exit) => exit,
        Ok(Err(message)) => {
            console::error(&message);
            Exit::Refused
        }
        Ok(Ok(graph)) => write(flags, &graph),
    }
}

/// The graphs of the threads of a C program.
fn drawn_threads(flags: &GraphFlags, colour: Colour) -> Result<String, Exit> {
    if flags.what != Subject::System || flags.evidence.is_some() {
        console::error("of C programs, only the graphs of threads are drawn");
        return Err(Exit::Usage);
    }
    let asked = Asked {
        file: flags.input.clone(),
        question: flags.question.clone(),
        c: flags.c.clone(),
        ..Asked::default()
    };
    reading::with_any_input(asked, &flags.limits, colour, |input, _, _| match input {
        Input::C(input) => Ok(throng_report::c::graph(&input.program)),
        Input::System(_) | Input::Program(_) => {
            Err(Error::internal("another input where a C program was read"))
        }
    })
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

/// The input and what is asked about it.
fn asked(flags: &GraphFlags) -> Asked {
    Asked {
        file: flags.input.clone(),
        question: flags.question.clone(),
        program: flags.program.clone(),
        ..Asked::default()
    }
}

/// Reads the input and draws it.
fn read(
    flags: &GraphFlags,
    target_optional: bool,
    colour: Colour,
    draw: impl FnOnce(&System) -> Result<String, Refusal> + Send + 'static,
) -> Result<Result<String, Refusal>, Exit> {
    let asked = Asked { target_optional, ..asked(flags) };
    reading::with_input(asked, &flags.limits, colour, |input, _, _| Ok(draw(&input.system)))
}

/// Draws evidence from a file, if the checker accepts it.
fn drawn_from_file(what: Subject, system: &System, file: &Path) -> Result<String, Refusal> {
    let refuse = |message: String| format!("`{}`: {message}", file.display());
    let text = std::fs::read(file).map_err(|error| refuse(error.to_string()))?;
    let evidence = throng_cert::read(&text).map_err(|error| refuse(error.to_string()))?;
    throng_check::check(system, &evidence)
        .map_err(|rejection| refuse(format!("this is no evidence about the input: {rejection}")))?;
    let evidence = document::resolve(&evidence, system).map_err(refuse)?;
    draw(what, system, &evidence)
}

/// Searches for evidence about the system of a program and draws it, if the checker accepts it.
fn searched_program(flags: &GraphFlags, colour: Colour) -> Result<Result<String, Refusal>, Exit> {
    let (engine, options) = (flags.search.engine(), flags.search.options());
    let (strength, what) = (flags.search.reductions(), flags.what);
    reading::with_input(asked(flags), &flags.limits, colour, move |input, budget, board| {
        board.enter(Phase::Searching);
        let found = reduced::search(&input.system, strength, (engine, &options), budget, board);
        board.enter(Phase::Checking);
        let evidence = match found.evidence {
            Ok(evidence) => evidence,
            Err(reason) => {
                let why = text::why_unknown(&reason, Phase::Searching);
                return Ok(Err(format!("nothing to draw: {why}")));
            }
        };
        let document = EvidenceDocument::new(&evidence, &input.system, Header::default());
        if let Err(rejection) = throng_check::check(&input.system, &document) {
            return Err(Error::internal(format!("the checker rejects the evidence: {rejection}")));
        }
        Ok(draw(what, &input.system, &evidence))
    })
}

/// Searches for evidence and draws it.
fn searched(flags: &GraphFlags, colour: Colour) -> Result<Result<String, Refusal>, Exit> {
    if flags.question.start.is_program(&flags.input) {
        return searched_program(flags, colour);
    }
    let task = Task {
        asked: asked(flags),
        options: throng::Options {
            engine: flags.search.engine(),
            search: flags.search.options(),
            reductions: flags.search.reductions(),
            ..throng::Options::default()
        },
        predicates: Vec::new(),
        limits: flags.limits.limits(),
        evidence_file: None,
        telling: ProgressStyle::unless(flags.limits.quiet),
    };
    let fail = |failure: Error| check::fail(&failure, false, colour);
    let conclusion = search::run(task).map_err(fail)?;
    let decision = &conclusion.decision;
    if let Some(input) = decision.input.as_ref().filter(|_| !flags.limits.quiet) {
        console::diagnose(input.warnings(), colour);
    }
    match (decision.evidence.as_ref().map(throng::Evidence::content), decision.input.as_deref()) {
        (Ok(Content::System(evidence)), Some(Input::System(input))) => {
            Ok(draw(flags.what, &input.system, evidence))
        }
        (Err(reason), _) => {
            let why = text::why_unknown(reason, decision.phase);
            console::error(&format!("nothing to draw: {why}"));
            Err(Exit::Unknown)
        }
        (Ok(_), _) => Err(fail(Error::internal("evidence about no system"))),
    }
}

fn draw(what: Subject, system: &System, evidence: &Evidence) -> Result<String, Refusal> {
    let other = |message: &str| Err(message.to_owned());
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
