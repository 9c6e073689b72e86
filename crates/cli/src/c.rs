//! C programs: evidence shown again, what the prover tells, and explanations of messages.
//!
//! * `evidence`: evidence read again, about the program that the user names.
//! * `predicates`: the file from which a proof can be continued.
//! * `real`: evidence put back into the program's text, compiled and run.
//! * `record`: what the prover tells.

mod evidence;
mod predicates;
mod real;
mod record;

pub(crate) use evidence::are_about_reading;
pub(crate) use record::{ProgressStyle, Record};

use crate::asked::Asked;
use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{CegarFlags, ExplainFlags, HarnessFlags, LimitFlags, ReplayFlags, SubjectFlags};
use crate::{files, pages, reading};
use std::path::{Path, PathBuf};
use throng_base::{Budget, Diagnostic};
use throng_c_front::lower::{self, Whole};
use throng_cert::EvidenceDocument;
use throng_cert::document::Body;
use throng_cfa::flow::Program;
use throng_input::flags::CFlags;
use throng_report::Phase;
use throng_report::c::{CCase, interleaving};
use throng_report::text::TextOptions;

/// Writes what the prover knew at the end to the files that were asked for. Says what could not be written, and what there
/// was not.
pub(crate) fn save(
    flags: &CegarFlags,
    record: Option<&Record>,
    program: Option<&Program>,
) -> Result<(), String> {
    if let Some(path) = &flags.save_predicates {
        let predicates = record.and_then(|record| record.predicates.as_ref());
        // The file is there in any case, so that what reads it next finds it.
        let text = match predicates.zip(program) {
            Some((predicates, program)) => predicates::file(program, predicates),
            None => {
                console::remark(&format!("there are no predicates to write to `{}`", path.display()));
                "// The question was answered without predicates.\n".to_owned()
            }
        };
        files::write(path, &text).map_err(|error| files::complain(path, &error))?;
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
    let read = reading::attended(limits, colour, move |budget, _| asked.find_unsupported(budget));
    match read {
        Ok(remarks) => {
            let is_harmless = remarks.iter().any(|remark| remark.code.starts_with('E'));
            console::diagnose(&remarks, colour);
            let all = if is_harmless { "everything that matters" } else { "everything" };
            console::print(&format!("{name}: {all} is supported\n"));
            Exit::Success
        }
        Err(exit) => exit,
    }
}

/// `throng replay`.
pub(crate) fn replay(flags: &ReplayFlags, colour: Colour) -> Exit {
    let opened = opened(&flags.evidence, &flags.subject, flags.verbose, colour, |body| match body {
        Body::Interleaving(_) => None,
        Body::Invariant(_) | Body::Explored(_) => Some("`throng explain` shows proofs"),
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

/// What evidence is about, as the user names it.
pub(crate) struct SubjectOfEvidence<'a> {
    pub(crate) inputs: &'a [PathBuf],
    pub(crate) c: &'a CFlags,
    pub(crate) property: Option<&'a Path>,
    pub(crate) limits: &'a LimitFlags,
}

/// Evidence about a C program that the checker accepts, with the program.
pub(crate) fn accepted(
    file: &Path,
    subject: &SubjectOfEvidence<'_>,
    budget: &Budget,
) -> Result<(Program, EvidenceDocument), Vec<Diagnostic>> {
    let given = SubjectFlags {
        inputs: subject.inputs.to_vec(),
        include: subject.c.include.clone(),
        define: subject.c.define.clone(),
        undefine: subject.c.undefine.clone(),
        property: subject.property.map(Path::to_path_buf),
        limits: subject.limits.clone(),
    };
    let evidence = evidence::read(file, |_| None)?;
    let (whole, _) = evidence.program(&given, budget)?;
    evidence.check(&whole.program, &given, budget)?;
    Ok((whole.program, evidence.document))
}

/// `throng harness`.
pub(crate) fn harness(flags: &HarnessFlags, colour: Colour) -> Exit {
    let (c, input, functions) = (flags.c.clone(), flags.input.clone(), flags.functions.clone());
    let written = reading::attended(&flags.limits, colour, move |budget, _| {
        let (preprocessing, _) = c.settings(budget, &[], None, false)?;
        throng_c_front::harness::write(&input, &functions, &preprocessing)
    });
    match (written, &flags.output) {
        (Ok(text), None) => {
            console::print(&text);
            Exit::Success
        }
        (Ok(text), Some(path)) => match files::write(path, &text) {
            Ok(()) => Exit::Success,
            Err(error) => {
                console::error(&files::complain(path, &error));
                Exit::Usage
            }
        },
        (Err(exit), _) => exit,
    }
}

/// `throng explain`.
pub(crate) fn explain(flags: &ExplainFlags, colour: Colour) -> Exit {
    let Some(wanted) = &flags.code else {
        let lines: String =
            pages::all().iter().map(|page| format!("{}  {}\n", page.code, page.title)).collect();
        console::print(&lines);
        return Exit::Success;
    };
    let closest = match pages::find(wanted) {
        Ok(page) => {
            console::print(&format!("{}: {}\n\n{}\n", page.code, page.title, page.text.trim()));
            return Exit::Success;
        }
        Err(closest) => closest,
    };
    let file = Path::new(wanted);
    if !file.is_file() {
        console::error(&format!(
            "there is no explanation of `{wanted}`, and no such file{}; `throng explain` lists what there is",
            closest.map_or_else(String::new, |code| format!("; did you mean {code}?"))
        ));
        return Exit::Usage;
    }
    let opened = opened(file, &flags.subject, flags.verbose, colour, |body| match body {
        Body::Interleaving(_) | Body::Invariant(_) | Body::Explored(_) => None,
        _ => Some("`throng graph --evidence` draws evidence about other inputs"),
    });
    if flags.monitor.is_some() || flags.run {
        return real::watch(flags, opened, colour);
    }
    print_shown(opened.map(|opened| opened.text), Exit::Success)
}
