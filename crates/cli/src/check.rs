//! `throng check`: the verdict on stdout, everything else on stderr.

use crate::c::{Plan, Record, Telling};
use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{CheckFlags, OutputFormat};
use crate::input::{Asked, Input};
use crate::search::{self, Conclusion, Task};
use crate::supervise::Failure;
use crate::terms::Told;
use crate::{files, units};
use std::path::PathBuf;
use throng_boolprog::InitThreads;
use throng_cert::Verdict;
use throng_report::text::TextOptions;
use throng_report::{Case, Finding, RunResult, json, text};

/// Runs the command.
pub(crate) fn run(flags: CheckFlags, colour: Colour) -> Exit {
    if let Some(problem) = flags.search.problem() {
        console::error(problem);
        return Exit::Usage;
    }
    let is_c = flags.question.start.is_c(&flags.input);
    if let Some(problem) = flags.search.unfit_engine(is_c) {
        console::error(&problem);
        return Exit::Usage;
    }
    let c_engine = flags.search.c_engine();
    if let Some(problem) = flags.cegar.problem(is_c.then_some(c_engine)) {
        console::error(&problem);
        return Exit::Usage;
    }
    for path in flags.evidence.iter().map(PathBuf::as_path).chain(flags.cegar.outputs()) {
        if let Err(error) = files::probe(path) {
            console::error(&files::complain(path, &error));
            return Exit::Usage;
        }
    }
    let telling = match (flags.limits.quiet, flags.format) {
        (true, _) => Telling::Silent,
        (false, OutputFormat::Text) => Telling::Text,
        (false, OutputFormat::Json) => Telling::Json,
    };
    let task = Task {
        asked: Asked {
            file: flags.input.clone(),
            question: flags.question.clone(),
            program: flags.program.clone(),
            more: flags.more.clone(),
            c: flags.c.clone(),
            ..Asked::default()
        },
        engine: flags.search.engine(),
        options: flags.search.options(),
        reductions: flags.search.reductions(),
        limits: flags.limits.limits(),
        check: !flags.no_check,
        evidence_file: flags.evidence.clone(),
        telling,
        c: Plan { engine: c_engine, flags: flags.cegar.clone() },
    };
    if flags.list_unsupported {
        return crate::c::list_unsupported(&task.asked, &flags.limits, colour);
    }
    match search::run(task) {
        Ok(conclusion) => show(&flags, &conclusion, colour),
        Err(failure) => fail(&failure, flags.evidence.is_some(), colour),
    }
}

/// Says why there is no result.
pub(crate) fn fail(failure: &Failure, evidence_asked: bool, colour: Colour) -> Exit {
    match failure {
        Failure::Refused(diagnostics) => {
            console::diagnose(diagnostics, colour);
            Exit::Refused
        }
        Failure::Internal(message) => {
            console::error(&format!("internal error: {message}"));
            let attach = if evidence_asked { ", the evidence file" } else { "" };
            console::remark(&format!(
                "This is a bug in throng, and there is no verdict. Please report it with the input{attach} and the\n\
                 command line."
            ));
            Exit::Internal
        }
    }
}

/// The input and the options that ask the question, as a shell reads them.
fn arguments(flags: &CheckFlags) -> String {
    let question = &flags.question;
    let start = &question.start;
    let program = &flags.program;
    let mut words = vec![flags.input.display().to_string()];
    words.extend(flags.more.iter().map(|file| file.display().to_string()));
    words.extend(flags.c.words());
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    start.init.iter().for_each(|init| option("--init", init.clone()));
    start.threads.iter().for_each(|threads| option("--threads", threads.to_string()));
    question.target.iter().for_each(|target| option("--target", target.clone()));
    question.property.iter().for_each(|file| option("--property", file.display().to_string()));
    question.property_name.iter().for_each(|name| option("--property-name", name.clone()));
    program.label.iter().for_each(|label| option("--label", label.clone()));
    program.init_threads.iter().for_each(|threads| {
        let threads = match threads {
            InitThreads::Exactly(count) => count.to_string(),
            InitThreads::Any => "any".to_owned(),
        };
        option("--init-threads", threads);
    });
    start.input_format.iter().for_each(|format| option("--input-format", format.extension().to_owned()));
    words.extend(start.mist_semantics.then(|| "--mist-semantics".to_owned()));
    let words: Vec<_> = words.iter().map(|word| text::shell_word(word)).collect();
    words.join(" ")
}

/// An input with evidence about it, in the terms that it is told in; `None` if they do not fit together.
fn case<'a>(input: &'a Input, evidence: &'a Told) -> Option<Case<'a>> {
    match (input, evidence) {
        (Input::System(input), Told::System(evidence)) => {
            Some(Case::System { system: &input.system, evidence })
        }
        (Input::Program(input), Told::Program(document)) => {
            Some(Case::Program { program: input.case(), document })
        }
        (Input::C(input), Told::C(document)) => Some(Case::C { program: input.case(), document }),
        _ => None,
    }
}

fn show(flags: &CheckFlags, conclusion: &Conclusion, colour: Colour) -> Exit {
    let input = conclusion.input.as_deref();
    let warnings = input.map(Input::warnings).unwrap_or_default();
    if !flags.limits.quiet {
        console::diagnose(warnings, colour);
    }
    let decided = |case: Case<'_>| match case.verdict() {
        Verdict::Safe => Exit::Success,
        Verdict::Unsafe => Exit::Unsafe,
    };
    let (finding, exit) = match (&conclusion.evidence, input) {
        (Ok(evidence), Some(input)) => {
            let Some(case) = case(input, evidence) else {
                return fail(&Failure::Internal("evidence about another input".to_owned()), false, colour);
            };
            (Finding::Decided { case, checked: !flags.no_check }, decided(case))
        }
        (Err(reason), _) => {
            let (subject, phase) = (input.map(Input::subject), conclusion.phase);
            (Finding::Unknown { subject, reason, phase }, Exit::Unknown)
        }
        (Ok(_), None) => {
            return fail(&Failure::Internal("evidence about no input".to_owned()), false, colour);
        }
    };
    let file = flags.input.display().to_string();
    let evidence_file = flags.evidence.as_ref().filter(|_| conclusion.evidence.is_ok());
    let evidence_file = evidence_file.filter(|_| conclusion.write_error.is_none());
    let evidence_file = evidence_file.map(|path| path.display().to_string());
    let is_c = flags.question.start.is_c(&flags.input);
    let program = match input {
        Some(Input::C(input)) => Some(&input.program),
        _ => None,
    };
    let saved = crate::c::save(&flags.cegar, conclusion.record.as_ref(), program);
    let proving = conclusion.record.as_ref().map(Record::proving);
    let result = RunResult {
        file: &file,
        arguments: &arguments(flags),
        format: input.map(Input::format),
        threads: flags.question.start.threads,
        engine: if is_c { flags.search.c_engine().name() } else { flags.search.engine().name() },
        contest: &conclusion.contest,
        finding,
        statistics: &conclusion.statistics,
        proving: proving.as_ref(),
        assertions: &conclusion.assertions,
        proved: &conclusion.proved,
        warnings,
        evidence_file: evidence_file.as_deref(),
        cost: flags.verbose.then_some(conclusion.cost),
    };
    if flags.verbose {
        let memory = conclusion.cost.memory.map(|memory| format!(", {}", units::show_size(memory)));
        let time = units::show_duration(conclusion.cost.elapsed);
        console::remark(&format!("cost: {time}{}", memory.unwrap_or_default()));
    }
    console::print(&match flags.format {
        OutputFormat::Text => {
            text::render(&result, TextOptions { width: console::width(), verbose: flags.verbose })
        }
        OutputFormat::Json => json::render(&result),
    });
    match conclusion.write_error.as_ref().or(saved.as_ref().err()) {
        None => exit,
        Some(error) => {
            console::error(error);
            Exit::Usage
        }
    }
}
