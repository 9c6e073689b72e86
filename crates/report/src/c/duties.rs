//! Obligations, assumptions and whether assertions are reached: what a verdict about a C program is worth.
//!
//! An *obligation* is a place where C leaves undefined what happens. It is `proved` not to happen as part of a proof, `violated` by
//! an interleaving, `open`, or `assumed`. Copies of a place in several calls are one.

use super::follow::follow;
use super::text::places;
use crate::result::{Case, Finding, RunResult, Subject};
use crate::words::counted;
use serde::Serialize;
use std::collections::BTreeMap;
use throng::c::{Assertion, Reached};
use throng_cert::Verdict;
use throng_cert::document::Body;
use throng_cfa::flow::{LedgerEntry, Program, Property, PropertyId, PropertyKind};
use throng_engine::UnknownReason;

/// Obligations of one kind that are spelled out.
const LIMIT: usize = 8;

/// An obligation.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Duty {
    class: &'static str,
    text: String,
    file: String,
    line: u32,
    column: u32,
    status: &'static str,
}

/// All obligations of a program, with what became of them.
pub(crate) fn duties(program: &Program, result: &RunResult<'_>) -> Vec<Duty> {
    let finding = result.finding;
    let violated = violated(finding);
    let is_safe = matches!(finding, Finding::Decided { case, .. } if case.verdict() == Verdict::Safe);
    // Whether a copy is violated, and whether all copies are proved.
    let mut found: BTreeMap<_, (bool, bool)> = BTreeMap::new();
    for (number, property) in program.properties.iter().enumerate() {
        if !property.kind.is_obligation() {
            continue;
        }
        let at = &program.site(property.site).position;
        let key = (at.file.clone(), at.line, at.column, property.kind.word(), property.text.clone());
        let is_violated = violated.is_some_and(|other| is_same(program, property, other));
        let is_proved = is_safe || result.proved.contains(&PropertyId::new(number));
        let entry = found.entry(key).or_insert((false, true));
        *entry = (entry.0 | is_violated, entry.1 & is_proved);
    }
    let status = |(is_violated, is_proved): (bool, bool)| match (is_violated, is_proved) {
        (true, _) => "violated",
        (false, true) => "proved",
        (false, false) => "open",
    };
    let asked = found.into_iter().map(|((file, line, column, class, text), known)| Duty {
        class,
        text,
        file,
        line,
        column,
        status: status(known),
    });
    // What functions without a body do is no obligation of the program.
    let obligations = assumptions(program).filter(|entry| entry.kind != "assumes-unknown-functions");
    let assumed = obligations.flat_map(|entry| {
        entry.positions.iter().map(|at| Duty {
            class: class_of(entry),
            text: entry.text.clone(),
            file: at.file.clone(),
            line: at.line,
            column: at.column,
            status: "assumed",
        })
    });
    asked.chain(assumed).collect()
}

fn is_same(program: &Program, one: &Property, other: &Property) -> bool {
    let at = |property: &Property| program.site(property.site).position.clone();
    one.kind == other.kind && one.text == other.text && at(one) == at(other)
}

/// What an interleaving violates.
fn violated(finding: Finding<'_>) -> Option<&Property> {
    let Finding::Decided { case: Case::C { program, document }, .. } = finding else { return None };
    let Body::Interleaving(interleaving) = &document.body else { return None };
    let (_, property) = follow(program.program, interleaving)?.failure?;
    program.program.properties.get(property.index())
}

/// The class of obligations that an assumption is about.
fn class_of(entry: &LedgerEntry) -> &'static str {
    match &*entry.kind {
        "assumes-valid-pointers" => PropertyKind::Pointers.word(),
        "assumes-in-bounds" => PropertyKind::Bounds.word(),
        "assumes-no-division-by-zero" => PropertyKind::Division.word(),
        "assumes-no-wide-shift" => PropertyKind::Shift.word(),
        "assumes-unreachable" => PropertyKind::Unreachable.word(),
        _ => PropertyKind::Overflow.word(),
    }
}

fn assumptions(program: &Program) -> impl Iterator<Item = &LedgerEntry> {
    program.ledger.iter().filter(|entry| entry.is_assumption())
}

/// What is assumed, a sentence each.
pub(crate) fn assumed(program: &Program) -> Vec<String> {
    assumptions(program).map(|entry| entry.text.clone()).collect()
}

/// Whether an entry of the ledger stands at the head of the report, not at its end.
pub(super) fn is_at_head(entry: &LedgerEntry) -> bool {
    entry.is_assumption() || entry.kind == "weak-memory"
}

/// The first lines of a report: under which conditions its answer is one.
pub(crate) fn head(program: &Program) -> String {
    let assumed =
        assumptions(program).map(|entry| format!("assuming: {}{}\n", entry.text, places(&entry.positions)));
    let weak = program.ledger.iter().filter(|entry| entry.kind == "weak-memory").map(|entry| {
        format!("for sequential consistency only: {}{}\n", entry.text, places(&entry.positions))
    });
    assumed.chain(weak).collect()
}

/// What became of the obligations of a program that is safe, in words; empty if there are none.
pub(crate) fn proved(program: &Program, result: &RunResult<'_>) -> String {
    let proved: Vec<Duty> =
        duties(program, result).into_iter().filter(|duty| duty.status == "proved").collect();
    let settled = program.settled.obligations as u64;
    if proved.is_empty() && settled == 0 {
        return String::new();
    }
    let by_type = match settled {
        0 => String::new(),
        1 => "1 obligation holds by constants and types.\n".to_owned(),
        _ => format!("{settled} obligations hold by constants and types.\n"),
    };
    if proved.is_empty() {
        return by_type;
    }
    let head = format!(
        "Nothing happens that C leaves undefined: {} proved.\n",
        match proved.len() {
            1 => "1 obligation is".to_owned(),
            n => format!("{n} obligations are"),
        }
    );
    format!("{head}{}{by_type}", by_class(&proved))
}

/// What has to hold for the assertions to hold, and how to go on.
fn open(program: &Program, result: &RunResult<'_>) -> String {
    let open: Vec<Duty> = duties(program, result).into_iter().filter(|duty| duty.status == "open").collect();
    let mut classes: Vec<&str> = open.iter().map(|duty| duty.class).collect();
    classes.sort_unstable();
    classes.dedup();
    format!(
        "unknown: the assertions cannot fail, provided that nothing of this happens, which is not proved:\n{}\
         To take that for granted:  throng check {} --assume {}\n\
         Predicates that you know of may help to prove it (--predicates FILE, __CPROVER_predicate).\n",
        by_class(&open),
        result.arguments,
        classes.join(",")
    )
}

/// A line for each text, with the places that it is about.
fn by_class(duties: &[Duty]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for duty in duties {
        lines.push(format!("  {} ({}:{})\n", duty.text, duty.file, duty.line));
    }
    lines.dedup();
    let more = lines.len().saturating_sub(LIMIT);
    lines.truncate(LIMIT);
    if more > 0 {
        lines.push(format!("  … and {more} more (--format json has all)\n"));
    }
    lines.concat()
}

/// Which assertions are reached, and which are not, as the last thing above the verdict.
pub(crate) fn reached(assertions: &[Assertion]) -> String {
    let mut text = String::new();
    let name = |assertion: &Assertion| format!("{}:{}", assertion.file, assertion.line);
    let reached = assertions.iter().filter_map(|assertion| {
        let threads = counted(assertion.threads?.into(), "thread");
        Some(format!("{} (with {threads})", name(assertion)))
    });
    let reached: Vec<String> = reached.collect();
    if !reached.is_empty() {
        let shown = reached.iter().take(LIMIT).cloned().collect::<Vec<_>>().join(", ");
        let more = reached.len().saturating_sub(LIMIT);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        text.push_str(&format!("Some run comes to each of these and holds: {shown}{more}.\n"));
    }
    for assertion in assertions {
        let (at, what) = (name(assertion), &assertion.text);
        match assertion.status {
            Reached::Reached => {}
            Reached::Never => text.push_str(&format!("no run reaches {at}: {what} says nothing.\n")),
            Reached::NotFound => text.push_str(&format!(
                "no run was found that reaches {at} by a short search: {what} may say nothing.\n"
            )),
        }
    }
    text
}

/// What could be asked about a program that has nothing to check.
pub(crate) const NOTHING: &str = "unknown: there is nothing to check: the program has no assertion, calls no error function, has no error label, and \
     does nothing that C may leave undefined.\n\
     Write assertions, name labels that must not be reached (--label NAME), or ask for more (--check overflow,mutex).\n";

/// What is said instead of the usual reasons, if this is a reason of C programs.
pub(crate) fn unknown(result: &RunResult<'_>) -> Option<String> {
    let Finding::Unknown { subject: Some(Subject::C(case)), reason, .. } = result.finding else {
        return None;
    };
    match reason {
        UnknownReason::Obligation => Some(open(case.program, result)),
        UnknownReason::NothingToCheck => Some(NOTHING.to_owned()),
        _ => None,
    }
}
