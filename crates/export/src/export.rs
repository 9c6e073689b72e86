//! From a trace to a file.

use crate::assemble::Parts;
use crate::rewrite::{Rewriter, Rewritten};
use crate::schedule::{Schedule, fills, reordered, schedule};
use throng_base::Diagnostic;
use throng_c_front::hir::DataModel;
use throng_c_front::lower::{Options, Whole};
use throng_cfa::flow::{PropertyKind, Scope};
use throng_cfa::trace::Trace;

/// How a run of the exported program shows the bug.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It says this on the standard error, and ends by `abort` or with exit code 42.
    Told(String),
    /// The undefined-behaviour sanitizer stops it at this line.
    Sanitizer {
        /// The line of the user's file.
        line: u32,
    },
    /// Nothing tells: this kind of error leaves no trace in a compiled program.
    Nothing,
}

/// An exported program.
#[derive(Clone, Debug)]
pub struct Exported {
    /// The file.
    pub text: String,
    /// What is not exactly as in the interleaving, in sentences. Empty for most programs.
    pub notes: Vec<String>,
    /// Options for the compiler.
    pub flags: Vec<String>,
    /// What to look for when it runs.
    pub expected: Expected,
    /// How many steps are forced.
    pub steps: usize,
}

/// Whether a program can be put into one file.
pub(crate) fn check_units(whole: &Whole) -> Result<(), Diagnostic> {
    if whole.units.iter().filter(|unit| !unit.is_library).count() == 1 {
        return Ok(());
    }
    let message = "a program of several files cannot be written into one";
    Err(Diagnostic::error("E0915", message).hint("make one file of them that includes the others"))
}

/// Whether what is asked can be seen in a program that runs: that threads are somewhere at the same time cannot.
pub(crate) fn check_question(options: &Options) -> Result<(), Diagnostic> {
    if options.properties.together.is_empty() {
        return Ok(());
    }
    let message = "that threads are at labels at the same time does not fail in a program that runs";
    Err(Diagnostic::error("E0917", message).hint("write an assertion that fails then, and ask for that"))
}

/// The first thing that cannot be put into a program.
pub(crate) fn check_refused(whole: &Whole, rewritten: &Rewritten) -> Result<(), Diagnostic> {
    match rewritten.refused.first() {
        None => Ok(()),
        Some((span, why)) => {
            let error = whole.typed.text.error("E0916", format!("this cannot be compiled: {why}"), *span);
            Err(error.hint("`throng replay` shows the interleaving without running it"))
        }
    }
}

/// The program that forces a trace, which the checker has accepted. `options` are those with which the program was read.
pub fn export(whole: &Whole, trace: &Trace, options: &Options) -> Result<Exported, Diagnostic> {
    check_units(whole)?;
    check_question(options)?;
    let fills = fills(&whole.program);
    let mut rewriter = Rewriter::new(&whole.typed, &whole.program, options, &fills);
    rewriter.reordered = reordered(&whole.program, trace);
    let rewritten = rewriter.all();
    check_refused(whole, &rewritten)?;
    let mut schedule = schedule(&whole.program, trace, &rewritten, &fills);
    remark(whole, trace, options, &mut schedule);
    let parts = Parts::new(whole, options, &rewritten);
    let (expected, mut flags) = expected(whole, &parts, &schedule);
    if whole.typed.data_model == DataModel::Ilp32 {
        flags.push("-m32".to_owned());
    }
    let head = head(whole, &schedule, &expected, &flags);
    let text = parts.forced(&schedule, &head);
    Ok(Exported { text, notes: schedule.notes.clone(), flags, expected, steps: schedule.steps.len() })
}

/// What is known beforehand not to be as in the interleaving.
fn remark(whole: &Whole, trace: &Trace, options: &Options, schedule: &mut Schedule) {
    let is_local = |scope: Scope| scope != Scope::Shared;
    let started = trace.steps.iter().flat_map(|step| &step.started);
    for &(variable, _, value) in started.filter(|start| start.2 != 0) {
        let variable = whole.program.variable(variable);
        if is_local(variable.scope) && !variable.is_ghost {
            schedule.notes.push(format!("`{}` of a new thread does not start with {value}", variable.name));
        }
    }
    if options.integers == throng_c_front::lower::Integers::Mathematical {
        schedule.notes.push("integers are those of the machine here".to_owned());
    }
    schedule.notes.dedup();
}

fn expected(whole: &Whole, parts: &Parts<'_>, schedule: &Schedule) -> (Expected, Vec<String>) {
    let Some(property) = schedule.property else { return (Expected::Nothing, Vec::new()) };
    let info = &whole.program.properties[property.index()];
    match info.kind {
        PropertyKind::Assertion | PropertyKind::Reach | PropertyKind::Mutex => {
            let text = parts.property_text(parts.same_property(property.index()));
            (Expected::Told(format!("thread {}: {text} [as reported]", schedule.failing)), Vec::new())
        }
        PropertyKind::Bounds
        | PropertyKind::Pointers
        | PropertyKind::Division
        | PropertyKind::Shift
        | PropertyKind::Unreachable
        | PropertyKind::Overflow => {
            let line = whole.program.site(info.site).position.line;
            let flags = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];
            (Expected::Sanitizer { line }, flags.map(str::to_owned).to_vec())
        }
    }
}

fn head(whole: &Whole, schedule: &Schedule, expected: &Expected, flags: &[String]) -> String {
    let file = whole.units.first().map_or("a program", |unit| unit.file.as_str());
    let flags: String = flags.iter().map(|flag| format!(" {flag}")).collect();
    let mut out = format!(
        "/* Forces an interleaving of {} in which it fails. Written by throng.\n\n     cc -pthread{flags} THIS-FILE && ./a.out\n\n",
        file.replace("*/", "* /")
    );
    let how = match expected {
        Expected::Told(text) => {
            format!("It ends with: throng: {}", text.replace("*/", "* /").replace("/*", "/ *"))
        }
        Expected::Sanitizer { line } => format!("The sanitizer stops it at line {line} of the program."),
        Expected::Nothing => {
            "What fails here leaves no trace in a compiled program: nothing is told.".to_owned()
        }
    };
    out.push_str(&format!("   {how}\n"));
    out.push_str(&format!(
        "   The program's text is below, with {} steps at the points __throng_point(...).\n",
        schedule.steps.len()
    ));
    out.push_str("   Exit code 3: the schedule could not be followed; 4: nothing failed.\n");
    for note in &schedule.notes {
        out.push_str(&format!("   NOT AS IN THE INTERLEAVING: {}\n", note.replace("*/", "* /")));
    }
    out.push_str("*/\n");
    out
}
