//! `throng check`: the verdict on stdout, everything else on stderr.

use crate::asked::Asked;
use crate::c::{ProgressStyle, Record};
use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{CegarFlags, CheckFlags, ResultFormat};
use crate::search::{self, Conclusion, Task};
use crate::{files, publish, svcomp, units};
use std::path::PathBuf;
use throng::Error;
use throng::{Options, ProverOptions};
use throng_base::Diagnostic;
use throng_boolprog::InitThreads;
use throng_cert::Verdict;
use throng_input::Input;
use throng_input::flags::InitValues;
use throng_report::text::TextOptions;
use throng_report::{Case, Finding, RunResult, Subject, ci, json, text};

/// Runs the command.
pub(crate) fn run(flags: CheckFlags, colour: Colour) -> Exit {
    if flags.watch {
        let files: Vec<PathBuf> = std::iter::once(&flags.input).chain(&flags.more).cloned().collect();
        return crate::watch::run(&files);
    }
    if svcomp::is_task(&flags.input) {
        return svcomp::run(&flags.input, &passed_on(&flags));
    }
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
    let outputs = flags.cegar.outputs().chain(flags.outputs.files());
    for path in flags.evidence.iter().map(PathBuf::as_path).chain(outputs) {
        if let Err(error) = files::probe(path) {
            console::error(&files::complain(path, &error));
            return Exit::Usage;
        }
    }
    let telling = match (flags.limits.quiet, flags.format) {
        (true, _) => ProgressStyle::Silent,
        (false, ResultFormat::Text) if flags.verbose => ProgressStyle::Full,
        (false, ResultFormat::Text | ResultFormat::Github) => ProgressStyle::Text,
        (false, ResultFormat::Json) => ProgressStyle::Json,
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
        options: options(&flags),
        predicates: [&flags.cegar.predicates, &flags.cegar.resume].into_iter().flatten().cloned().collect(),
        limits: flags.limits.limits(),
        evidence_file: flags.evidence.clone(),
        telling,
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
pub(crate) fn fail(failure: &Error, evidence_asked: bool, colour: Colour) -> Exit {
    match failure {
        Error::Refused(diagnostics) => {
            let diagnostics: Vec<Diagnostic> =
                diagnostics.iter().cloned().map(files::with_suggestion).collect();
            console::diagnose(&diagnostics, colour);
            Exit::Refused
        }
        Error::Internal { message, .. } => {
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

/// The options of the command line that each property of a task is asked with: all but the task itself.
fn passed_on(flags: &CheckFlags) -> Vec<String> {
    let task = flags.input.as_os_str();
    let words = std::env::args_os().skip(2).filter(|word| word != task);
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// How the question is answered.
fn options(flags: &CheckFlags) -> Options {
    let CegarFlags { no_filter, save_bp, max_cube_length, .. } = &flags.cegar;
    Options {
        engine: flags.search.engine(),
        c_engine: flags.search.c_engine(),
        search: flags.search.options(),
        reductions: flags.search.reductions(),
        check: !flags.no_check,
        prover: ProverOptions {
            predicates: Vec::new(),
            filter: !no_filter && save_bp.is_none(),
            max_cube_length: max_cube_length.map(|length| length as usize),
        },
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
    if program.init_values == InitValues::Zero {
        option("--init-values", "zero".to_owned());
    }
    start.input_format.iter().for_each(|format| option("--input-format", format.extension().to_owned()));
    words.extend(start.mist_semantics.then(|| "--mist-semantics".to_owned()));
    let words: Vec<_> = words.iter().map(|word| text::shell_word(word)).collect();
    words.join(" ")
}

/// Writes the witness, if one is asked for and there is an answer.
fn witness(flags: &CheckFlags, result: &RunResult<'_>) -> Result<(), String> {
    let Some(path) =
        flags.outputs.witness.as_ref().filter(|_| matches!(result.finding, Finding::Decided { .. }))
    else {
        return Ok(());
    };
    let property = flags.question.property.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
    let specification = property.map_or_else(
        || "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
        |text| text.trim().to_owned(),
    );
    let is_ilp32 = flags.c.words().iter().any(|word| word == "--ilp32");
    let text = svcomp::write(result, &flags.input, is_ilp32, &specification)?;
    files::write(path, &text).map_err(|error| files::complain(path, &error))
}

fn show(flags: &CheckFlags, conclusion: &Conclusion, colour: Colour) -> Exit {
    let decision = &conclusion.decision;
    let input = decision.input.as_deref();
    let warnings = input.map(Input::warnings).unwrap_or_default();
    if !flags.limits.quiet {
        console::diagnose(warnings, colour);
    }
    let decided = |case: Case<'_>| match case.verdict() {
        Verdict::Safe => Exit::Success,
        Verdict::Unsafe => Exit::Unsafe,
    };
    let (finding, exit) = match (&decision.evidence, input) {
        (Ok(evidence), Some(input)) => {
            let Some(case) = Case::new(input, evidence.content()) else {
                return fail(&Error::internal("evidence about another input"), false, colour);
            };
            (Finding::Decided { case, checked: decision.is_checked }, decided(case))
        }
        (Err(reason), _) => {
            let (subject, phase) = (input.map(Subject::from), decision.phase);
            (Finding::Unknown { subject, reason, phase }, Exit::Unknown)
        }
        (Ok(_), None) => {
            return fail(&Error::internal("evidence about no input"), false, colour);
        }
    };
    let file = flags.input.display().to_string();
    let evidence_file = flags.evidence.as_ref().filter(|_| decision.evidence.is_ok());
    let evidence_file = evidence_file.filter(|_| conclusion.write_error.is_none());
    let evidence_file = evidence_file.map(|path| path.display().to_string());
    let is_c = flags.question.start.is_c(&flags.input);
    let program = match input {
        Some(Input::C(input)) => Some(&*input.program),
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
        contest: &decision.contest,
        finding,
        statistics: &decision.statistics,
        proving: proving.as_ref(),
        assertions: &decision.assertions,
        proved: &decision.proved,
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
        ResultFormat::Text => {
            text::render(&result, TextOptions { width: console::width(), verbose: flags.verbose })
        }
        ResultFormat::Json => json::render(&result),
        ResultFormat::Github => ci::github(&result),
    });
    let inputs: Vec<PathBuf> = std::iter::once(&flags.input).chain(&flags.more).cloned().collect();
    let published = publish::write(&flags.outputs, &result, &inputs);
    let published = published.and_then(|()| witness(flags, &result));
    match conclusion.write_error.as_ref().or(saved.as_ref().err()).or(published.as_ref().err()) {
        None => exit,
        Some(error) => {
            console::error(error);
            Exit::Usage
        }
    }
}
