//! `--list-unsupported`: everything in a program that has no model, whether it matters or not.
//!
//! Files of a project are looked at one by one as well: without `main`, all functions that other files can call and no other one
//! calls are run by threads. What functions of other files do, and what is in memory of callers, is not unsupported but missing:
//! those functions and parameters are named, once. What is in functions that nobody can call does not matter.

use super::Options;
use super::walk;
use crate::hir::{Callee, ExpressionKind, FunctionId, Program};
use std::collections::BTreeSet;
use throng_base::{Diagnostic, Severity};

/// How many functions without a body are named.
const MAX_NAMED: usize = 40;

/// The options with which a program without `main` is listed; none if it is asked about as it stands.
pub(super) fn options(program: &Program, options: &Options) -> Option<Options> {
    let has_main = program.functions.iter().any(|f| f.name == "main" && f.body.is_some());
    if !options.list_unsupported || has_main || !options.threads_run.is_empty() {
        return None;
    }
    let mut called: BTreeSet<FunctionId> = BTreeSet::new();
    for function in &program.functions {
        walk::statements(function.body.as_deref().unwrap_or_default(), &mut |e| {
            if let ExpressionKind::Call(Callee::Direct(callee), _) = &e.kind {
                called.insert(*callee);
            }
        });
    }
    let own = |index: &usize| {
        let function = &program.functions[*index];
        function.body.is_some() && function.is_linked && !program.text.is_system(function.span.start)
    };
    let all: Vec<usize> = (0..program.functions.len()).filter(own).collect();
    let is_first = |index: &&usize| !called.contains(&FunctionId::new(**index));
    let first: Vec<usize> = all.iter().filter(is_first).copied().collect();
    let run = if first.is_empty() { &all } else { &first };
    let threads_run: Vec<String> = run.iter().map(|&index| program.functions[index].name.clone()).collect();
    (!threads_run.is_empty()).then(|| Options { threads_run, ..options.clone() })
}

/// Functions without a body are no errors of a list, but a remark at its end; and so is what callers give, if there are any that are
/// not part of the program.
pub(super) fn sort_out(errors: &mut Vec<Diagnostic>, warnings: &mut Vec<Diagnostic>, has_callers: bool) {
    const UNKNOWN: &str = "E0710";
    let mut missing = BTreeSet::new();
    for diagnostic in errors.iter().filter(|diagnostic| diagnostic.code == UNKNOWN) {
        missing.insert(missing_name(diagnostic));
    }
    errors.retain(|diagnostic| diagnostic.code != UNKNOWN);
    let mut harmless = BTreeSet::new();
    let is_harmless =
        |diagnostic: &Diagnostic| diagnostic.code == UNKNOWN && diagnostic.severity == Severity::Warning;
    harmless.extend(warnings.iter().filter(|it| is_harmless(it)).map(missing_name));
    warnings.retain(|diagnostic| !is_harmless(diagnostic));
    harmless.retain(|name| !missing.contains(name));
    sort_out_callers(errors, warnings, has_callers);
    let remarks = [
        (missing, "matters", "give the files that define them, or use --havoc-calls"),
        (harmless, "does not matter", ""),
    ];
    for (names, word, hint) in remarks {
        if names.is_empty() {
            continue;
        }
        let named: Vec<&str> = names.iter().take(MAX_NAMED).map(String::as_str).collect();
        let more = if names.len() > MAX_NAMED { ", …" } else { "" };
        let message = format!(
            "{} are called that no given file defines, and what they do {word}: {}{more}",
            if names.len() == 1 { "a function".to_owned() } else { format!("{} functions", names.len()) },
            named.join(", ")
        );
        let message = message.replacen("a function are", "a function is", 1);
        let remark = Diagnostic::warning("W0607", message);
        warnings.push(if hint.is_empty() { remark } else { remark.hint(hint) });
    }
}

/// Memory of callers is a remark as well.
fn sort_out_callers(errors: &mut Vec<Diagnostic>, warnings: &mut Vec<Diagnostic>, has_callers: bool) {
    let is_pointer = |diagnostic: &Diagnostic| has_callers && diagnostic.code == "E0752";
    let is_callers = |diagnostic: &Diagnostic| {
        is_pointer(diagnostic) || diagnostic.message.contains("is memory of the caller")
    };
    let mut names = BTreeSet::new();
    for diagnostic in errors.iter().chain(&*warnings).filter(|diagnostic| is_callers(diagnostic)) {
        let place = diagnostic.place.as_deref();
        let called = place.and_then(|(snippet, _)| snippet.text.get(snippet.range.clone()));
        let name = if is_pointer(diagnostic) { called } else { diagnostic.message.split('`').nth(1) };
        names.extend(name.map(|name| name.split('(').next().unwrap_or(name).trim().to_owned()));
    }
    errors.retain(|diagnostic| !is_callers(diagnostic));
    warnings.retain(|diagnostic| !is_callers(diagnostic));
    if !names.is_empty() {
        let named: Vec<&str> = names.iter().take(MAX_NAMED).map(String::as_str).collect();
        let message =
            format!("what these point to, data or functions, is given by callers: {}", named.join(", "));
        let hint =
            "write a main that calls these functions with objects of its own: `throng harness` begins one";
        warnings.push(Diagnostic::warning("W0607", message).hint(hint));
    }
}

/// What was found in functions that nobody calls.
pub(super) fn unreached(diagnostic: &Diagnostic) -> Diagnostic {
    let mut diagnostic = diagnostic.clone();
    diagnostic.severity = Severity::Warning;
    diagnostic.notes = vec!["it does not matter: nothing calls this function".to_owned()];
    diagnostic.hints.clear();
    diagnostic
}

/// The name of the function that a message is about, which ends in the call or begins with the function.
fn missing_name(diagnostic: &Diagnostic) -> String {
    let message = diagnostic.message.as_str();
    let call = match message.rsplit_once(": ") {
        Some((_, call)) => call.split('(').next().unwrap_or(call),
        None => message.strip_prefix("the function ").unwrap_or(message).split(' ').next().unwrap_or(message),
    };
    call.trim().to_owned()
}
