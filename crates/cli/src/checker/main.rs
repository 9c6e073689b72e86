//! `throng-check`: re-reads an input, checks evidence about it, and says whether it holds.
//!
//! Exit codes: 0 accepted, 1 rejected (or the result cannot be written), 2 unreadable (input refused, not an evidence
//! document, usage error), 5 a limit was reached.
//!
//! Messages about the input are plain lines, `file:line:column: …`, without the caret that `throng check`
//! draws: what this program depends on has to be trusted, so it depends on little.

#![forbid(unsafe_code)]

use clap::Parser;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use throng_base::{Budget, Diagnostic, StopReason};
use throng_cert::EvidenceDocument;
use throng_cert::document::Body;
use throng_check::c::check_c_within;
use throng_check::program::check_program;
use throng_check::{Accepted, Rejection};
use throng_input::flags::{ASSUME, CFlags, ProgramFlags, QuestionFlags};
use throng_input::limits::{self, LimitFlags};
use throng_input::{Input, Question, Subject};

const ACCEPTED: u8 = 0;
const REJECTED: u8 = 1;
const UNREADABLE: u8 = 2;
const UNKNOWN: u8 = 5;

/// Check evidence for a verdict about an input
///
/// Reads the input again, checks every condition that the evidence must fulfil with code of its own, and
/// names the first one that is violated. The question must be the one that the evidence answers.
#[derive(Debug, Parser)]
#[command(name = "throng-check", version, after_help = EXAMPLES)]
struct Arguments {
    /// The input that the verdict is about (of a C program, all files), and after it the evidence, JSON as written by
    /// `throng check --evidence`
    #[arg(required = true, value_name = "INPUT… EVIDENCE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    question: QuestionFlags,

    #[command(flatten)]
    program: ProgramFlags,

    #[command(flatten)]
    c: CFlags,

    #[command(flatten)]
    limits: LimitFlags,
}

impl Arguments {
    /// The files of the input, and the evidence.
    fn files(&self) -> Option<(&[PathBuf], &Path)> {
        let (evidence, inputs) = self.files.split_last()?;
        (!inputs.is_empty()).then_some((inputs, evidence))
    }
}

const EXAMPLES: &str = "\
EXAMPLES
  throng check mutex.tts --evidence mutex.json     decide, and save the evidence
  throng-check mutex.tts mutex.json                check it again

  A question asked on the command line is asked again in the same words:
  throng check mutex.tts --target '1|2,2' --evidence mutex.json
  throng-check mutex.tts --target '1|2,2' mutex.json

  Boolean programs (.bp, .nbp):
  throng check lock.bp --label ERROR --evidence lock.json
  throng-check lock.bp --label ERROR lock.json

  C programs (.c, .i):
  throng check stack.c --evidence stack.json
  throng-check stack.c stack.json

EXIT CODES
  0  accepted: the verdict holds
  1  rejected: the evidence does not prove the verdict; the first violated condition is named. Or the result cannot be
     written
  2  unreadable: the input is refused, the evidence is no evidence document, or a wrong option
  5  neither: a limit was reached";

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let printed = error.print().and_then(|()| std::io::stdout().flush());
            return told(if error.use_stderr() { UNREADABLE } else { ACCEPTED }, printed);
        }
    };
    let ended = limits::within(arguments.limits.limits(), move |budget| run(&arguments, budget));
    let (code, text) = ended.unwrap_or_else(|reason| {
        let which = match reason {
            StopReason::Timeout => "the time limit was reached",
            StopReason::Memory => "the memory limit was reached",
            StopReason::Interrupted | StopReason::Cancelled => "the run was interrupted",
        };
        (UNKNOWN, format!("error: {which}; the evidence is neither accepted nor rejected"))
    });
    // The verdict goes to stdout; what went wrong before there is one, to stderr.
    if code == UNREADABLE || code == UNKNOWN {
        remark(&text);
        return ExitCode::from(code);
    }
    let mut stdout = std::io::stdout().lock();
    told(code, writeln!(stdout, "{text}").and_then(|()| stdout.flush()))
}

/// The exit code once the result was written, or not: one that was lost must not pass for one that was told.
fn told(code: u8, written: std::io::Result<()>) -> ExitCode {
    match written {
        Ok(()) => ExitCode::from(code),
        Err(error) => {
            remark(&format!("error: the result cannot be written: {error}"));
            ExitCode::from(REJECTED)
        }
    }
}

/// A line on stderr. A reader who has gone away changes neither the verdict nor the exit code.
fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The exit code and what to say. Warnings about the input are said at once.
fn run(arguments: &Arguments, budget: &Budget) -> (u8, String) {
    let Some((inputs, evidence)) = arguments.files() else {
        return (UNREADABLE, "error: an input and evidence are needed".to_owned());
    };
    let input = match read(arguments, inputs, budget) {
        Ok(input) => input,
        Err(diagnostics) => {
            let lines: Vec<String> = diagnostics.iter().map(describe).collect();
            return (UNREADABLE, lines.join("\n"));
        }
    };
    let name = evidence.display();
    let text = match std::fs::read(evidence) {
        Ok(text) => text,
        Err(error) => return (UNREADABLE, format!("error: cannot read `{name}`: {error}")),
    };
    let document = match throng_cert::read(&text) {
        Ok(document) => document,
        Err(error) => return (UNREADABLE, format!("{name}: error: {error}")),
    };
    drop(text);
    if matches!(input, Input::C(_)) {
        if let Some(why) = other_assumptions(arguments, &document) {
            return (REJECTED, format!("rejected: {why}"));
        }
        other_options(arguments, &document).iter().for_each(|note| remark(note));
    }
    match check(&input, &document, arguments.question.start.threads, budget) {
        Ok(accepted) => (ACCEPTED, format!("accepted: {accepted}{}", assumptions(&input))),
        Err(rejection) => (REJECTED, format!("rejected: {rejection}")),
    }
}

/// Why evidence does not answer the question: it assumes what is not assumed here.
fn other_assumptions(arguments: &Arguments, document: &EvidenceDocument) -> Option<String> {
    let told = match &document.body {
        Body::Interleaving(interleaving) => &interleaving.options,
        Body::Invariant(invariant) => &invariant.options,
        Body::Explored(explored) => &explored.options,
        _ => return None,
    };
    let kinds = told.iter().filter_map(|word| word.strip_prefix(ASSUME)).flat_map(|list| list.split(','));
    let given = arguments.c.assumed(arguments.question.property.is_some());
    let is_given = |word: &str| given.iter().any(|kind| kind.word() == word);
    let missing: Vec<&str> = kinds.filter(|word| !is_given(word)).collect();
    (!missing.is_empty()).then(|| {
        let missing = missing.join(",");
        format!("the evidence rests on assumptions that are not made here; `{ASSUME}{missing}` makes them")
    })
}

/// Says so if a C program was read with other options when the evidence was made. They are part of what it means; what is
/// checked is the program as it is read here. Paths are left out: they depend on where one stands.
fn other_options(arguments: &Arguments, document: &EvidenceDocument) -> Option<String> {
    let told = match &document.body {
        Body::Interleaving(interleaving) => &interleaving.options,
        Body::Invariant(invariant) => &invariant.options,
        Body::Explored(explored) => &explored.options,
        _ => return None,
    };
    let is_meaning = |word: &&String| {
        let is_path = word.starts_with("-I") || word.starts_with("--property=") || !word.starts_with('-');
        // The default.
        !is_path && *word != "--lp64"
    };
    let labels = arguments.program.label.iter().map(|label| format!("--label={label}"));
    let given = arguments.c.told(arguments.question.property.is_some());
    let given: Vec<String> = given.into_iter().chain(labels).collect();
    let [told, given] = [told, &given].map(|words| words.iter().filter(is_meaning).collect::<BTreeSet<_>>());
    let shown = |words: &BTreeSet<&String>| match words.is_empty() {
        true => "without options".to_owned(),
        false => {
            format!("with {}", words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" "))
        }
    };
    (told != given).then(|| {
        let (told, given) = (shown(&told), shown(&given));
        format!("note: when the evidence was made, the program was read {told}; now it is read {given}")
    })
}

/// Reads the input with the question that is asked about it.
fn read(arguments: &Arguments, inputs: &[PathBuf], budget: &Budget) -> Result<Input, Vec<Diagnostic>> {
    let Arguments { question, program, c, .. } = arguments;
    let (system, program, c) = (question.clone(), program.clone(), c.clone());
    let question = Question { system, program, c, ..Question::default() };
    let input = Subject::files(inputs.iter().cloned(), &question).read(&question, budget)?;
    if let Input::System(input) = &input {
        limits::refuse_excess(&input.system, budget)?;
    }
    input.warnings().iter().for_each(|warning| remark(&describe(warning)));
    Ok(input)
}

/// What is assumed, for the end of a sentence.
fn assumptions(input: &Input) -> String {
    let Input::C(input) = input else { return String::new() };
    let assumed = input.program.ledger.iter().filter(|entry| entry.is_assumption());
    assumed.map(|entry| format!("; {}", entry.text)).collect()
}

fn check(
    input: &Input,
    document: &EvidenceDocument,
    threads: Option<u32>,
    budget: &Budget,
) -> Result<Accepted, Rejection> {
    match input {
        Input::System(input) => throng_check::check(&input.system, document),
        Input::Program(input) => check_program(&input.program, &input.question, document),
        Input::C(input) => check_c_within(&input.program, document, threads, budget),
    }
}

/// A message about the input with its notes and hints.
fn describe(diagnostic: &Diagnostic) -> String {
    let notes = diagnostic.notes.iter().map(|note| format!("\n  note: {note}"));
    let hints = diagnostic.hints.iter().map(|hint| format!("\n  help: {hint}"));
    format!("{diagnostic}{}", notes.chain(hints).collect::<String>())
}
