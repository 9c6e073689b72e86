//! The sentences about a C program, and its interleavings as tables.

use super::duties::is_at_head;
use super::follow::{Followed, Row, follow};
use super::{CCase, facts, predicates, proving};
use crate::grid::{Align, Grid, left_out};
use crate::table::gap_title;
use crate::text::TextOptions;
use crate::words::counted;
use std::collections::BTreeSet;
use throng_cert::EvidenceDocument;
use throng_cert::document::{Body, Explored};
use throng_cprog::flow::{Effect, LedgerEntry, Program, PropertyKind, Scope, SiteId};
use throng_cprog::invariant::Invariant;
use throng_cprog::text::Position;

/// Lines spelled out in a sentence.
const LIMIT: usize = 8;
/// Sentences of an invariant that fit a screen.
const SENTENCES: usize = 24;
/// Characters of a statement.
const STATEMENT_WIDTH: usize = 44;

/// What a program is, where it starts, and what must not happen.
pub(crate) fn question(file: &str, case: CCase<'_>) -> String {
    let program = case.program;
    let n_shared = program.variables.iter().filter(|variable| variable.scope == Scope::Shared).count();
    let locations = counted(program.locations.len() as u64, "location");
    let shared = counted(n_shared as u64, "shared variable");
    let locals = counted((program.variables.len() - n_shared) as u64, "local variable");
    let main = &program.templates[program.main.index()].name;
    let started: BTreeSet<&str> = program
        .edges
        .iter()
        .filter_map(|edge| match &edge.effect {
            Some(Effect::Spawn { template, .. }) => Some(&*program.templates[template.index()].name),
            _ => None,
        })
        .collect();
    let others = match started.len() {
        0 => String::new(),
        _ => format!("; it starts threads in {}", started.into_iter().collect::<Vec<_>>().join(", ")),
    };
    format!(
        "{file}: {locations}, {shared}, {locals}\n  start: 1 thread in {main}{others}\n  bad:   {}\n",
        bad(program)
    )
}

fn bad(program: &Program) -> String {
    let kinds = [
        (PropertyKind::Assertion, "an assertion fails"),
        (PropertyKind::Reach, "an error is reached"),
        (PropertyKind::Pointers, "a pointer to no object is used"),
        (PropertyKind::Bounds, "an index is out of bounds"),
        (PropertyKind::Division, "a division is undefined"),
        (PropertyKind::Shift, "a shift is undefined"),
        (PropertyKind::Unreachable, "an unreachable place is reached"),
        (PropertyKind::Overflow, "a signed integer overflows"),
        (PropertyKind::Mutex, "a mutex is used against its rules"),
    ];
    let parts = kinds.iter().filter_map(|&(kind, words)| {
        let lines = program.properties.iter().filter(|property| property.kind == kind);
        let lines: BTreeSet<u32> = lines.map(|property| program.site(property.site).position.line).collect();
        if lines.is_empty() {
            return None;
        }
        let together = program.properties.iter().filter(|property| property.kind == kind);
        let together: BTreeSet<&str> =
            together.map(|it| &*it.text).filter(|text| text.ends_with(" at the same time")).collect();
        let words = match together.is_empty() {
            true => words.to_owned(),
            false => together.into_iter().collect::<Vec<_>>().join(", or "),
        };
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        let shown: Vec<String> = lines.iter().take(LIMIT).map(u32::to_string).collect();
        let more = lines.len().saturating_sub(LIMIT);
        let more = if more > 0 { format!(", … ({more} more)") } else { String::new() };
        Some(format!("{words} ({noun} {}{more})", shown.join(", ")))
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() {
        "nothing: there is no assertion that a thread can come to".to_owned()
    } else {
        parts.join(", or ")
    }
}

/// What happens in an interleaving, and why that is bad, or why nothing bad happens; `None` if the evidence is not about
/// the program.
pub(crate) fn explanation(
    case: CCase<'_>,
    document: &EvidenceDocument,
    options: TextOptions,
) -> Option<String> {
    let program = case.program;
    let interleaving = match &document.body {
        Body::Interleaving(interleaving) => interleaving,
        Body::Explored(explored) => return Some(all_states(explored)),
        _ => {
            let proof = super::invariant_of(program, document);
            return proof.map(|(prepared, invariant)| safe(&prepared, &invariant, options));
        }
    };
    let followed = follow(program, interleaving)?;
    let what = match followed.failure.map(|(_, property)| program.properties[property.index()].kind) {
        Some(PropertyKind::Assertion) => "a failing assertion",
        Some(kind) if kind.is_obligation() => "undefined behaviour",
        _ => "an error",
    };
    let verb = if followed.n_threads == 1 { "reaches" } else { "reach" };
    let head = format!(
        "unsafe: {} {verb} {what} in {}.\n",
        counted(followed.n_threads as u64, "thread"),
        counted(followed.n_steps as u64, "step")
    );
    Some(format!("{head}\n{}\n{}", table(program, &followed, options), why(program, &followed)))
}

/// That all states were explored.
fn all_states(explored: &Explored) -> String {
    let (states, threads) = (counted(explored.states, "state"), counted(explored.threads.into(), "thread"));
    let head = match explored.threads_at_most {
        Some(most) => format!(
            "safe with at most {}: with these, no error can be reached. The program can start more; about more, nothing is said.",
            counted(most.into(), "thread")
        ),
        None => "safe: no error can be reached.".to_owned(),
    };
    let many = if explored.states == 1 { "The one" } else { "All" };
    format!(
        "{head}\n\n{many} {states} of at most {threads} {} explored, however many steps they take, and none has an error. Steps that nobody can \
         tell apart count as one, and so do states that differ in arbitrary values only. The checker explores them by itself.\n",
        if explored.states == 1 { "was" } else { "were" }
    )
}

/// Why no error can be reached.
fn safe(program: &Program, invariant: &Invariant, options: TextOptions) -> String {
    let sentences = facts::sentences(program, invariant);
    let predicates = predicates(program, invariant);
    let counts = proving::counts(&predicates);
    let mut text = match program.most_threads {
        None => String::from("safe: no error can be reached, however many threads there are.\n\n"),
        Some(most) => format!("safe: no error can be reached, with up to {most} threads.\n\n"),
    };
    text.push_str(&format!(
        "The proof is an invariant: it holds at the start, every step of every thread keeps it, and it excludes all errors. \
         It has {}.\n",
        counted(invariant.elements.len() as u64, "element")
    ));
    if sentences.is_empty() {
        text.push_str(
            "Nothing needs to be said about the values of variables: no thread comes to an error.\n",
        );
    }
    text.push_str(&proving::some(&sentences, SENTENCES, options.verbose, "fact"));
    if let Some((line, step)) = sentences.iter().find_map(|sentence| first_step(sentence)) {
        text.push_str(&format!("({line}.{step} is step {step} of line {line}.)\n"));
    }
    if !predicates.is_empty() {
        text.push_str(&format!("\n{}", proving::predicates_text(&predicates, counts, options)));
    }
    text
}

/// The first step of a line in a sentence, as in `33.2`: the line and the number.
fn first_step(sentence: &str) -> Option<(&str, &str)> {
    let words = sentence.split(|c: char| !c.is_ascii_digit() && c != '.').flat_map(|word| word.split(".."));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    words.filter_map(|word| word.split_once('.')).find(|(line, step)| is_number(line) && is_number(step))
}

/// The steps with who takes them and what each changes. Steps that only move on are left out, unless everything is asked
/// for.
fn table(program: &Program, followed: &Followed, options: TextOptions) -> String {
    let files: BTreeSet<&str> = followed.rows.iter().filter_map(|row| file(program, row)).collect();
    let mut header = ["step", "line", "thread", "statement", "what happens"].map(str::to_owned).to_vec();
    if files.len() > 1 {
        header.insert(1, "file".to_owned());
    }
    let mut align = vec![Align::Right; 2];
    if files.len() > 1 {
        align = vec![Align::Right, Align::Left, Align::Right];
    }
    let mut grid = Grid::aligned(header, align);
    let hidden = left_out(followed.rows.len(), options.verbose);
    for (index, row) in followed.rows.iter().enumerate() {
        let title = if !hidden.contains(&index) {
            row.site.map(|site| shorten(&statement(program, site))).unwrap_or_default()
        } else if index + 1 == hidden.end {
            gap_title(hidden.len())
        } else {
            continue;
        };
        let line = row.site.map(|site| program.site(site).position.line.to_string()).unwrap_or_default();
        let what = row.what_happens(program, options.verbose);
        let mut cells = vec![row.n_steps.to_string(), line, who(program, row), title, what];
        if files.len() > 1 {
            cells.insert(1, file(program, row).unwrap_or_default().to_owned());
        }
        grid.push(cells);
    }
    grid.render()
}

/// Who acts, and in which function: `2 (worker)`.
fn who(program: &Program, row: &Row) -> String {
    match row.site {
        Some(site) => format!("{} {}", row.thread, program.site(site).function),
        None => row.thread.to_string(),
    }
}

fn file<'p>(program: &'p Program, row: &Row) -> Option<&'p str> {
    Some(&program.site(row.site?).position.file)
}

/// What is executed. Of an assertion, only the condition is left after preprocessing.
pub(super) fn statement(program: &Program, site: SiteId) -> String {
    let (text, line) = (&program.site(site).text, program.site(site).position.line);
    let condition = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let is_assertion = program.properties.iter().any(|property| {
        property.kind == PropertyKind::Assertion
            && program.site(property.site).position.line == line
            && property.text.contains(condition)
    });
    match (is_assertion, text.starts_with('(') && text.ends_with(')')) {
        (true, true) => format!("assert{text}"),
        (true, false) if !text.contains("assert") => format!("assert({text})"),
        _ => text.clone(),
    }
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= STATEMENT_WIDTH {
        return text.to_owned();
    }
    text.chars().take(STATEMENT_WIDTH - 1).chain(['…']).collect()
}

fn why(program: &Program, followed: &Followed) -> String {
    let Some((thread, property)) = followed.failure else {
        return "The last step reaches no error.\n".to_owned();
    };
    let property = &program.properties[property.index()];
    let position = &program.site(property.site).position;
    let what = if property.kind.is_obligation() { "undefined behaviour: " } else { "" };
    format!(
        "Why this is bad: thread {thread}: {what}{} ({}:{}).\n",
        property.text, position.file, position.line
    )
}

/// What every verdict about this program rests on; empty if that is nothing.
pub(crate) fn ledger(program: &Program) -> String {
    let entries: String =
        program.ledger.iter().filter(|entry| !is_at_head(entry)).map(ledger_entry).collect();
    if entries.is_empty() {
        return String::new();
    }
    format!("What this rests on:\n{entries}\n")
}

/// One thing, with the first lines that it is about.
fn ledger_entry(entry: &LedgerEntry) -> String {
    format!("  * {}{}\n", entry.text, places(&entry.positions))
}

/// The first lines that something is about: ` (lock.c:3, 7)`.
pub(super) fn places(positions: &[Position]) -> String {
    let lines: BTreeSet<(&str, u32)> = positions.iter().map(|at| (&*at.file, at.line)).collect();
    let mut places = String::new();
    let mut last = "";
    for (index, &(file, line)) in lines.iter().take(LIMIT).enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        let file_part = if file == last { String::new() } else { format!("{file}:") };
        places.push_str(&format!("{separator}{file_part}{line}"));
        last = file;
    }
    let more = if lines.len() > LIMIT { ", …" } else { "" };
    if places.is_empty() { places } else { format!(" ({places}{more})") }
}
