//! The sentences about a C program, and its interleavings as tables.

use super::duties::is_at_head;
use super::follow::{Followed, Row, follow};
use super::outline::{Item, Outline, outline};
use super::{CCase, facts, predicates, proving};
use crate::grid::{Align, Grid};
use crate::text::TextOptions;
use crate::words::counted;
use std::collections::BTreeSet;
use std::ops::Range;
use throng_cert::EvidenceDocument;
use throng_cert::document::{Body, Explored};
use throng_cfa::flow::{Effect, LedgerEntry, Program, PropertyKind, Scope, SiteId};
use throng_cfa::invariant::Invariant;
use throng_cfa::text::Position;

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
    let outline = outline(program, &followed, options.verbose);
    let n_threads = followed.threads.len() as u64;
    let verb = if n_threads == 1 { "reaches" } else { "reach" };
    let head = format!(
        "unsafe: {} {verb} {what} in {}.\n",
        counted(n_threads, "thread"),
        counted(outline.rows.len() as u64, "step")
    );
    Some(format!("{head}\n{}\n{}", table(program, &outline, options), why(program, &followed)))
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

/// The steps with who takes them and what each does.
fn table(program: &Program, outline: &Outline<'_>, options: TextOptions) -> String {
    let files: BTreeSet<&str> = outline.rows.iter().filter_map(|row| file(program, row)).collect();
    let has_files = files.len() > 1;
    let mut header = ["step", "line", "thread", "statement", "what happens"].map(str::to_owned).to_vec();
    let mut align = vec![Align::Right; 2];
    if has_files {
        header.insert(1, "file".to_owned());
        align = vec![Align::Right, Align::Left, Align::Right];
    }
    let mut grid = Grid::aligned(header, align);
    for item in &outline.items {
        let cells = match item {
            Item::Row(index) => row_cells(program, outline, *index, options.verbose),
            Item::Again { rows, times } => {
                let again = format!(
                    "… steps {}–{} again, {times} times",
                    rows.start + 1 - rows.len() / times,
                    rows.start
                );
                folded_cells(program, outline, rows, again)
            }
            Item::Alone(rows) => {
                let alone = format!("… {} steps of its own", rows.len());
                folded_cells(program, outline, rows, alone)
            }
            Item::Gap(rows) => {
                let gap = format!("… {} steps left out (-v)", rows.len());
                [
                    (rows.end).to_string(),
                    String::new(),
                    String::new(),
                    gap,
                    outline.values_after(program, rows),
                ]
            }
        };
        let mut cells = cells.to_vec();
        if has_files {
            let name = match item {
                Item::Row(index) => file(program, outline.rows[*index]).unwrap_or_default(),
                _ => "",
            };
            cells.insert(1, name.to_owned());
        }
        grid.push(cells);
    }
    grid.render_within(options.width)
}

fn row_cells(program: &Program, outline: &Outline<'_>, index: usize, everything: bool) -> [String; 5] {
    let row = outline.rows[index];
    let line = row.site.map(|site| program.site(site).position.line.to_string()).unwrap_or_default();
    let title = row.site.map(|site| shorten(&statement(program, site))).unwrap_or_default();
    [(index + 1).to_string(), line, who(program, row), title, row.what_happens(program, everything)]
}

/// A line for rows that are folded: what they are, and what variables hold afterwards.
fn folded_cells(program: &Program, outline: &Outline<'_>, rows: &Range<usize>, title: String) -> [String; 5] {
    let threads: BTreeSet<u32> = outline.rows[rows.clone()].iter().map(|row| row.thread).collect();
    let threads = threads.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    let lines = outline.lines(program, rows);
    [rows.end.to_string(), lines, threads, title, outline.values_after(program, rows)]
}

/// Who acts, and in which function: `2 worker`.
fn who(program: &Program, row: &Row) -> String {
    match row.site {
        Some(site) => format!("{} {}", row.thread, program.site(site).function),
        None => row.thread.to_string(),
    }
}

fn file<'p>(program: &'p Program, row: &Row) -> Option<&'p str> {
    Some(&program.site(row.site?).position.file)
}

/// Whether a place is the condition of an assertion.
pub(super) fn is_assertion(program: &Program, site: SiteId) -> bool {
    let (text, line) = (&program.site(site).text, program.site(site).position.line);
    let condition = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    program.properties.iter().any(|property| {
        property.kind == PropertyKind::Assertion
            && program.site(property.site).position.line == line
            && property.text.contains(condition)
    })
}

/// What is executed. Of an assertion, only the condition is left after preprocessing.
pub(super) fn statement(program: &Program, site: SiteId) -> String {
    let text = &program.site(site).text;
    match (is_assertion(program, site), text.starts_with('(') && text.ends_with(')')) {
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

/// Why the end of an interleaving is bad.
pub(super) fn why(program: &Program, followed: &Followed) -> String {
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
