//! `throng check`: the verdict on stdout, everything else on stderr.

use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::{CheckFlags, OutputFormat};
use crate::search::{self, Conclusion, Task};
use crate::supervise::Failure;
use crate::{files, units};
use throng_cert::Evidence;
use throng_report::text::TextOptions;
use throng_report::{Finding, RunResult, json, text};

/// Runs the command.
pub(crate) fn run(flags: CheckFlags, colour: Colour) -> Exit {
    if let Some(problem) = flags.search.problem() {
        console::error(problem);
        return Exit::Usage;
    }
    if let Some(path) = &flags.evidence
        && let Err(error) = files::probe(path)
    {
        console::error(&files::complain(path, &error));
        return Exit::Usage;
    }
    let task = Task {
        file: flags.input.clone(),
        question: flags.question.question(),
        engine: flags.search.engine(),
        options: flags.search.options(),
        reductions: flags.search.reductions(),
        limits: flags.limits.limits(),
        check: !flags.no_check,
        evidence_file: flags.evidence.clone(),
        quiet: flags.limits.quiet,
    };
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
    let mut words = vec![flags.input.display().to_string()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    start.init.iter().for_each(|init| option("--init", init.clone()));
    start.threads.iter().for_each(|threads| option("--threads", threads.to_string()));
    question.target.iter().for_each(|target| option("--target", target.clone()));
    question.property.iter().for_each(|file| option("--property", file.display().to_string()));
    question.property_name.iter().for_each(|name| option("--property-name", name.clone()));
    start.input_format.iter().for_each(|format| option("--input-format", format.extension().to_owned()));
    words.extend(start.mist_semantics.then(|| "--mist-semantics".to_owned()));
    let words: Vec<_> = words.iter().map(|word| text::shell_word(word)).collect();
    words.join(" ")
}

fn show(flags: &CheckFlags, conclusion: &Conclusion, colour: Colour) -> Exit {
    let input = conclusion.input.as_deref();
    let warnings = input.map(|input| &*input.warnings).unwrap_or_default();
    if !flags.limits.quiet {
        console::diagnose(warnings, colour);
    }
    let (finding, exit) = match (&conclusion.evidence, input) {
        (Ok(evidence), Some(input)) => {
            let exit = if matches!(evidence, Evidence::Trace(_)) { Exit::Unsafe } else { Exit::Success };
            (Finding::Decided { system: &input.system, evidence, checked: !flags.no_check }, exit)
        }
        (Err(reason), _) => {
            let (system, phase) = (input.map(|input| &input.system), conclusion.phase);
            (Finding::Unknown { system, reason, phase }, Exit::Unknown)
        }
        (Ok(_), None) => {
            return fail(&Failure::Internal("evidence about no input".to_owned()), false, colour);
        }
    };
    let file = flags.input.display().to_string();
    let evidence_file = flags.evidence.as_ref().filter(|_| conclusion.evidence.is_ok());
    let evidence_file = evidence_file.filter(|_| conclusion.write_error.is_none());
    let evidence_file = evidence_file.map(|path| path.display().to_string());
    let result = RunResult {
        file: &file,
        arguments: &arguments(flags),
        format: input.map(|input| input.format.extension()),
        threads: flags.question.start.threads,
        engine: flags.search.engine().name(),
        contest: &conclusion.contest,
        finding,
        statistics: &conclusion.statistics,
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
    match &conclusion.write_error {
        None => exit,
        Some(error) => {
            console::error(error);
            Exit::Usage
        }
    }
}
