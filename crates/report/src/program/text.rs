//! The sentences about a program and its question, and the explanation of a verdict.

use super::why::{asked_label, asked_location, asks_for_assertions};
use super::words::ProgramWords;
use super::{proof, trace};
use crate::text::TextOptions;
use crate::words::counted;
use throng_boolprog::InitThreads;
use throng_cert::EvidenceDocument;
use throng_cert::document::Body;

/// Lines and targets spelled out in a sentence.
const LIMIT: usize = 8;

/// What a program is and where it starts.
pub(crate) fn start_lines(file: &str, words: &ProgramWords<'_>) -> String {
    let program = words.program();
    // The place of failed assertions is no place in the program.
    let locations = counted(program.locations().len().saturating_sub(1) as u64, "location");
    let shared = counted(program.shared().len() as u64, "shared variable");
    let locals = counted(program.locals().len() as u64, "local variable");
    let main = program.functions_at(program.entry()).next();
    let main = main.map_or("main", |id| program.text(program.functions()[id.index()].name));
    let start = match words.case.question.threads {
        InitThreads::Any => format!("any number of threads in {main}"),
        InitThreads::Exactly(count) => format!("{} in {main}", counted(count.into(), "thread")),
    };
    let has_variables = !program.shared().is_empty() || !program.locals().is_empty();
    let values = match has_variables {
        true if program.starts_at_zero() => ", which sets all variables to 0 before anything else",
        true => ", all variables arbitrary",
        false => "",
    };
    let others = if program.starts_threads() { "; it starts others" } else { "" };
    format!("{file}: {locations}, {shared}, {locals}\n  start: {start}{values}{others}\n")
}

/// What was asked.
pub(crate) fn question(file: &str, words: &ProgramWords<'_>) -> String {
    format!("{}  bad:   {}\n", start_lines(file, words), bad(words))
}

fn bad(words: &ProgramWords<'_>) -> String {
    let targets = &words.case.question.targets;
    let program = words.program();
    if asks_for_assertions(words) {
        let leads_to_error = |edge: &&throng_boolprog::flow::Edge| edge.to == Some(program.error());
        let lines = program.edges().iter().filter(leads_to_error).filter_map(|edge| words.line(edge.from));
        return match lines_text(lines.collect()).as_str() {
            "" => "an assertion fails (but no thread can come to one)".to_owned(),
            lines => format!("an assertion fails ({lines})"),
        };
    }
    if let Some(label) = asked_label(words) {
        let lines = targets.iter().filter_map(|target| words.line(asked_location(target)?));
        return format!("a thread is at label {label} ({})", lines_text(lines.collect()));
    }
    if targets.is_empty() {
        return "nothing (no thread can come to what is asked for)".to_owned();
    }
    let shown: Vec<String> = targets.iter().take(LIMIT).map(|target| words.pattern(target)).collect();
    let more = targets.len().saturating_sub(LIMIT);
    let more = if more > 0 { format!("  or {more} more") } else { String::new() };
    format!("{}{more}", shown.join("  or  "))
}

/// `line 7` or `lines 7, 9, … (3 more)`.
fn lines_text(mut lines: Vec<u32>) -> String {
    lines.sort_unstable();
    lines.dedup();
    let shown: Vec<String> = lines.iter().take(LIMIT).map(u32::to_string).collect();
    let more = lines.len().saturating_sub(LIMIT);
    let more = if more > 0 { format!(", … ({more} more)") } else { String::new() };
    match shown.len() {
        0 => String::new(),
        1 => format!("line {}", shown[0]),
        _ => format!("lines {}{more}", shown.join(", ")),
    }
}

/// The verdict and for how many threads it holds.
pub(super) fn safe_head(words: &ProgramWords<'_>) -> String {
    let what = match asked_label(words) {
        _ if asks_for_assertions(words) => "no assertion can fail".to_owned(),
        Some(label) => format!("no thread can come to label {label}"),
        None => "no bad configuration can be reached".to_owned(),
    };
    let scope = match words.case.question.threads {
        InitThreads::Any => ", however many threads run".to_owned(),
        InitThreads::Exactly(1) if words.program().starts_threads() => {
            ", however many threads the program starts".to_owned()
        }
        InitThreads::Exactly(count) => {
            let threads = counted(count.into(), "thread");
            format!(
                " if {threads} start{}; other numbers were not looked at",
                if count == 1 { "s" } else { "" }
            )
        }
    };
    format!("safe: {what}{scope}.\n")
}

/// Why the verdict is what it is.
pub(crate) fn explanation(
    words: &ProgramWords<'_>,
    document: &EvidenceDocument,
    options: TextOptions,
) -> String {
    match &document.body {
        Body::Trace(trace) => trace::unsafe_text(words, trace, options),
        Body::Proof(proof) => proof::proof_text(words, proof, options.verbose),
        Body::CoverSet(cover) => proof::cover_text(words, cover, options.verbose),
        // The checker does not accept these about Boolean programs.
        Body::Interleaving(_) | Body::Invariant(_) | Body::Explored(_) => String::new(),
    }
}

/// What evidence of this kind is called.
pub(crate) fn thing(document: &EvidenceDocument) -> &'static str {
    match document.body {
        Body::Trace(_) | Body::Interleaving(_) => "interleaving",
        Body::Proof(_) | Body::CoverSet(_) | Body::Invariant(_) | Body::Explored(_) => "proof",
    }
}
