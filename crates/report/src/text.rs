//! The verdict in words that a newcomer understands. The last line is `verdict: …`, which scripts rely on.
//!
//! Nothing here depends on the clock: the same run gives the same text.

use crate::interleaving::Interleaving;
use crate::replay::{Moment, replay};
use crate::result::{Finding, RunResult};
use crate::words::{Words, counted};
use crate::{listing, table};
use throng_base::StopReason;
use throng_cert::{CoverSet, Evidence, Proof, Trace};
use throng_engine::UnknownReason;
use throng_model::{Config, LocalId, System};

/// Configurations and kinds of threads spelled out in a sentence.
const LIMIT: usize = 8;

/// How the text should look.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Columns available for tables.
    pub width: usize,
    /// Statistics, and every step of a long trace.
    pub verbose: bool,
}

/// The whole text for a result, every line ended.
pub fn render(result: &RunResult<'_>, options: TextOptions) -> String {
    let mut text = String::new();
    if let Some(system) = result.finding.system() {
        text.push_str(&question(result, system));
        text.push('\n');
    }
    text.push_str(&match result.finding {
        Finding::Decided { system, evidence, checked } => {
            let words = Words { system };
            let explanation = match evidence {
                Evidence::Trace(trace) => unsafe_text(words, trace, options),
                Evidence::Proof(proof) => proof_text(words, proof),
                Evidence::CoverSet(cover) => cover_text(words, cover),
            };
            format!("{explanation}\n{}", trust(result, evidence, checked))
        }
        Finding::Unknown { reason, .. } => unknown_text(reason),
    });
    if options.verbose || matches!(result.finding, Finding::Unknown { .. }) {
        text.push_str(&statistics(result));
    }
    text.push_str(&caveats(result));
    text.push_str(&format!("verdict: {}\n", result.finding.verdict()));
    text
}

/// What was asked.
fn question(result: &RunResult<'_>, system: &System) -> String {
    let words = Words { system };
    let rules = system.rules().len() as u64;
    let size = if system.is_net() {
        format!("{}, {}", counted(system.n_locals() as u64, "place"), counted(rules, "transition"))
    } else {
        let shared = counted(system.n_shared() as u64, "shared state");
        format!("{shared}, {}, {}", counted(system.n_locals() as u64, "local state"), counted(rules, "rule"))
    };
    let initial = system.initial().iter().map(|initial| words.initial(initial, LIMIT));
    let targets = system.targets().iter().map(|target| words.config(target.view(), LIMIT));
    let unbounded = system.initial().iter().any(|initial| !initial.unbounded.is_empty());
    let meaning = if unbounded { "  (after `/`: any number)" } else { "" };
    format!(
        "{}: {size}\n  start: {}{meaning}\n  bad:   {}\n",
        result.file,
        some_of(initial, system.initial().len()),
        some_of(targets, system.targets().len()),
    )
}

/// The first few of many things.
fn some_of(things: impl Iterator<Item = String>, count: usize) -> String {
    let shown: Vec<String> = things.take(LIMIT).collect();
    let more = if count > LIMIT { format!("  or {} more", count - LIMIT) } else { String::new() };
    format!("{}{more}", shown.join("  or  "))
}

fn unsafe_text(words: Words<'_>, trace: &Trace, options: TextOptions) -> String {
    let thread = words.thread();
    let threads = listing::size(words, &trace.initial);
    let steps = counted(trace.n_steps(), "step");
    let head = format!("unsafe: a bad {} is reached from {threads} in {steps}.\n", words.configuration());
    let Some(moments) = replay(words.system, trace) else {
        // Only evidence that nobody checked gets here.
        return format!("{head}The interleaving is not an execution of the input: it cannot be shown.\n");
    };
    let last = moments.last().map_or(&trace.initial, |moment| &moment.after);
    let interleaving = Interleaving::of(words.system, trace, &moments);
    let everything = options.verbose;
    let body = match &interleaving {
        Some(interleaving) => table::render(words, interleaving, options.width, everything)
            .unwrap_or_else(|| listing::of_threads(words, interleaving, everything)),
        None => listing::of_counts(words, trace, &moments, everything),
    };
    let why = why(words, last, interleaving.as_ref());
    let peak = peak(words, trace, &moments);
    let more =
        if peak.is_empty() { String::new() } else { format!("At most {peak} {thread}s exist at once.\n") };
    format!("{head}\n{body}\n{why}{more}")
}

/// The largest number of threads on the way, if there are more than in the beginning.
fn peak(words: Words<'_>, trace: &Trace, moments: &[Moment<'_>]) -> String {
    let start = trace.initial.view().size();
    let peak = moments.iter().map(|moment| moment.after.view().size()).max().unwrap_or(start);
    if peak > start && !words.system.is_net() { peak.to_string() } else { String::new() }
}

/// Which target the last configuration covers, and who does it.
fn why(words: Words<'_>, last: &Config, interleaving: Option<&Interleaving>) -> String {
    let Some(target) = words.system.targets().iter().find(|target| target.view().le(last.view())) else {
        return "The last configuration covers no target.\n".to_owned();
    };
    let mut parts = Vec::new();
    if !words.system.is_net() {
        parts.push(format!("the shared state is {}", words.shared(target.shared)));
    }
    for entry in target.bag.iter().take(LIMIT) {
        let who = interleaving.map(|interleaving| standing(interleaving, entry.local, entry.count));
        let (who, verb) = match who {
            Some(threads) if threads.len() == 1 => (listing::names(words, &threads), "is"),
            Some(threads) => (listing::names(words, &threads), "are"),
            None => {
                let verb = if entry.count == 1 { "is" } else { "are" };
                (counted(entry.count.into(), words.thread()), verb)
            }
        };
        parts.push(format!("{who} {verb} in {}", words.local(entry.local)));
    }
    if target.bag.len() > LIMIT {
        parts.push("so on".to_owned());
    }
    let facts = match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => "every configuration is".to_owned(),
    };
    format!("Why this is bad: {facts}, as in the target {}.\n", words.config(target.view(), LIMIT))
}

/// The first threads that stand in a local in the end.
fn standing(interleaving: &Interleaving, local: LocalId, count: u32) -> Vec<usize> {
    let places = interleaving.finally.iter().enumerate();
    places
        .filter(|(_, place)| **place == Some(local))
        .map(|(thread, _)| thread)
        .take(count as usize)
        .collect()
}

fn safe_head(words: Words<'_>) -> String {
    let targets = if words.system.targets().len() == 1 { "The target" } else { "None of the targets" };
    let can = if words.system.targets().len() == 1 { "cannot" } else { "can" };
    let scope = match (words.system.initial().iter().any(|i| !i.unbounded.is_empty()), words.system.is_net())
    {
        (true, false) => ", however many threads run",
        (true, true) => ", however many tokens there are at the start",
        (false, _) => "",
    };
    format!("safe: no bad {} can be reached{scope}.\n{targets} {can} be covered.\n", words.configuration())
}

fn proof_text(words: Words<'_>, proof: &Proof) -> String {
    let n_elements = proof.elements.len() as u64;
    let configuration = words.configuration();
    let mut text = safe_head(words);
    text.push_str(&format!("\nThe proof lists {}", counted(n_elements, configuration)));
    if let Some(largest) = proof.elements.iter().map(|element| element.view().size()).max() {
        let each = if n_elements == 1 { "with" } else { "with at most" };
        text.push_str(&format!(" {each} {}", counted(largest, words.thread())));
    }
    if !proof.cuts.is_empty() {
        text.push_str(&format!(" and {}", counted(proof.cuts.len() as u64, "cut")));
    }
    if !proof.traps.is_empty() {
        text.push_str(&format!(" with {}", counted(proof.traps.len() as u64, "trap")));
    }
    let breaks = if proof.cuts.is_empty() { "" } else { " or breaks a cut" };
    text.push_str(&format!(
        ". Every target contains one of these {configuration}s{breaks},\n\
         every step into one of them starts from one of them{breaks}, and no start contains one.\n"
    ));
    if !proof.cuts.is_empty() {
        text.push_str(&format!(
            "A cut is a weighted number of {}s that no rule can raise.\n",
            words.thread()
        ));
    }
    text
}

fn cover_text(words: Words<'_>, cover: &CoverSet) -> String {
    let configurations = counted(cover.elements.len() as u64, words.configuration());
    format!(
        "{}\nThe proof lists {configurations}, where ω stands for any number. Whatever can be reached is below\n\
         one of them: every start is, every step from below one ends below one, and none contains a target.\n",
        safe_head(words)
    )
}

/// Whether the evidence was checked, and how to see it.
fn trust(result: &RunResult<'_>, evidence: &Evidence, checked: bool) -> String {
    let (thing, what) = match evidence {
        Evidence::Trace(_) => ("interleaving", "trace"),
        Evidence::Proof(_) | Evidence::CoverSet(_) => ("proof", "proof"),
    };
    let checked = if checked {
        format!("The independent checker accepted this {thing}.\n")
    } else {
        format!("Nobody checked this {thing} (--no-check).\n")
    };
    let see = match result.evidence_file {
        Some(file) => format!(
            "Evidence: {file}  (check it with `throng-check`, draw it with `throng graph --what {what} --evidence`)\n"
        ),
        None => {
            format!("To keep it: --evidence FILE.  To draw it: throng graph --what {what} {}\n", result.file)
        }
    };
    format!("{checked}{see}")
}

fn unknown_text(reason: &UnknownReason) -> String {
    let (what, advice) = match reason {
        UnknownReason::Stopped(StopReason::Timeout) => (
            "the time limit was reached before the search was finished",
            "Give it more time (--timeout), or ask about a smaller target.",
        ),
        UnknownReason::Stopped(StopReason::Memory) => (
            "the memory limit was reached before the search was finished",
            "Give it more memory (--memory), or ask about a smaller target.",
        ),
        UnknownReason::Stopped(StopReason::Interrupted) => {
            ("the run was interrupted before the search was finished", "Run it again to get an answer.")
        }
        UnknownReason::Stopped(StopReason::Cancelled) => {
            ("the search was cancelled before it was finished", "Run it again to get an answer.")
        }
        UnknownReason::CountOverflow => (
            "the search needs more threads in one local state than can be counted",
            "Are the weights or the target as large as they are meant to be?",
        ),
    };
    format!("unknown: {what}.\nNothing follows from this: the input may be safe or unsafe. {advice}\n")
}

fn statistics(result: &RunResult<'_>) -> String {
    let mut text = format!("\nengine {}\n", result.engine);
    let width = result.statistics.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in result.statistics.iter() {
        text.push_str(&format!("  {:width$}  {value}\n", name.replace('_', " ")));
    }
    text
}

/// What the verdict depends on besides the evidence: last, so that nobody overlooks it.
fn caveats(result: &RunResult<'_>) -> String {
    let mut text = String::from("\n");
    for warning in result.warnings {
        text.push_str(&format!("{warning}\n"));
    }
    text
}
