//! Results written for others: pages, and documents for tools. Also `throng report`, which makes them of evidence.

use crate::c::{self, SubjectOfEvidence};
use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{OutputFlags, ReportFlags};
use crate::{files, reading};
use std::path::{Path, PathBuf};
use throng::evidence::Content;
use throng::{Question, Subject};
use throng_base::{Budget, Diagnostic};
use throng_cert::EvidenceDocument;
use throng_cert::document::Body;
use throng_engine::Statistics;
use throng_input::Input;
use throng_report::html::{self, SourceText};
use throng_report::{Case, Finding, Phase, RunResult, ci, document, sarif};

/// Larger files are not put into pages.
const LARGEST_SOURCE: u64 = 2 << 20;

/// Writes the files that were asked for; says why one cannot be written.
pub(crate) fn write(flags: &OutputFlags, result: &RunResult<'_>, inputs: &[PathBuf]) -> Result<(), String> {
    let save =
        |path: &Path, text: String| files::write(path, &text).map_err(|error| files::complain(path, &error));
    if let Some(path) = &flags.html {
        save(path, html::render(result, &sources(inputs)))?;
    }
    if let Some(path) = &flags.sarif {
        save(path, sarif::render(result))?;
    }
    if let Some(path) = &flags.junit {
        save(path, ci::junit(result))?;
    }
    Ok(())
}

/// The texts of files that the user named; what a program says about where it comes from is not followed.
fn sources(inputs: &[PathBuf]) -> Vec<SourceText> {
    let read = |path: &PathBuf| {
        let is_small = path.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST_SOURCE);
        let bytes = std::fs::read(path).ok().filter(|_| is_small)?;
        Some(SourceText {
            name: path.display().to_string(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    };
    inputs.iter().filter_map(read).collect()
}

/// `throng report`.
pub(crate) fn report(flags: ReportFlags, colour: Colour) -> Exit {
    let mut outputs = flags.outputs.clone();
    if outputs.html.is_none() {
        outputs.html.clone_from(&flags.output);
    }
    for path in outputs.files() {
        if let Err(error) = files::probe(path) {
            console::error(&files::complain(path, &error));
            return Exit::Usage;
        }
    }
    let limits = flags.limits.clone();
    let pages = reading::attended(&limits, colour, move |budget, board| {
        board.enter(Phase::Checking);
        opened(&flags, budget, |result| {
            board.enter(Phase::Rendering);
            let printed =
                outputs.files().next().is_none().then(|| html::render(result, &sources(&flags.inputs)));
            (printed, write(&outputs, result, &flags.inputs))
        })
    });
    match pages {
        Err(exit) => exit,
        Ok((printed, written)) => {
            printed.iter().for_each(|page| console::print(page));
            match written {
                Ok(()) => Exit::Success,
                Err(message) => {
                    console::error(&message);
                    Exit::Usage
                }
            }
        }
    }
}

/// Reads evidence and what it is about, has the checker accept it, and shows the result.
fn opened<T>(
    flags: &ReportFlags,
    budget: &Budget,
    show: impl FnOnce(&RunResult<'_>) -> T,
) -> Result<T, Vec<Diagnostic>> {
    let name = flags.evidence.display().to_string();
    let refuse = |code: &'static str, message: String| vec![Diagnostic::error(code, message)];
    let text = std::fs::read(&flags.evidence)
        .map_err(|error| refuse("E0001", format!("cannot read `{name}`: {error}")))?;
    let read = throng_cert::read(&text).map_err(|error| refuse("E0910", format!("`{name}`: {error}")))?;
    if matches!(read.body, Body::Interleaving(_) | Body::Invariant(_) | Body::Explored(_)) {
        let subject = SubjectOfEvidence {
            inputs: &flags.inputs,
            c: &flags.c,
            property: flags.question.property.as_deref(),
            limits: &flags.limits,
        };
        let (program, document) = c::accepted(&flags.evidence, &subject, budget)?;
        let case = Case::C { program: throng_report::c::CCase { program: &program }, document: &document };
        return Ok(show(&result(flags, case, "c", &Statistics::default())));
    }
    let question = Question {
        system: flags.question.clone(),
        program: flags.program.clone(),
        c: flags.c.clone(),
        ..Question::default()
    };
    let input = Subject::files(flags.inputs.iter().cloned(), &question).read(&question, budget)?;
    let rejected = |why: String| refuse("E0914", format!("`{name}` is no evidence about this input: {why}"));
    let content = content(&input, read).map_err(rejected)?;
    let case = Case::new(&input, &content).ok_or_else(|| rejected("it is about another kind".to_owned()))?;
    Ok(show(&result(flags, case, input.format(), &Statistics::default())))
}

/// Evidence about a system or a Boolean program, if the checker accepts it.
fn content(input: &Input, document: EvidenceDocument) -> Result<Content, String> {
    match input {
        Input::System(input) => {
            throng_check::check(&input.system, &document).map_err(|why| why.to_string())?;
            document::resolve(&document, &input.system).map(Content::System)
        }
        Input::Program(input) => {
            throng_check::program::check_program(&input.program, &input.question, &document)
                .map_err(|why| why.to_string())?;
            Ok(Content::Read(document))
        }
        Input::C(_) => Err("it is about a C program".to_owned()),
    }
}

fn result<'a>(
    flags: &'a ReportFlags,
    case: Case<'a>,
    format: &'a str,
    statistics: &'a Statistics,
) -> RunResult<'a> {
    let file = flags.inputs.first().and_then(|path| path.to_str()).unwrap_or_default();
    RunResult {
        file,
        arguments: file,
        format: Some(format),
        threads: flags.question.start.threads,
        engine: "",
        contest: &[],
        finding: Finding::Decided { case, checked: true },
        statistics,
        proving: None,
        assertions: &[],
        proved: &[],
        warnings: &[],
        evidence_file: flags.evidence.to_str(),
        cost: None,
    }
}
