//! The verdict in words that a newcomer understands. The last line is `verdict: …`, which scripts rely on.
//!
//! Nothing here depends on the clock: the same run gives the same text.

use crate::c::{self, CCase};
use crate::interleaving::Interleaving;
use crate::program::{self, ProgramCase, ProgramWords};
use crate::replay::{Moment, replay};
use crate::result::{Case, Finding, Phase, RunResult, Subject};
use crate::words::{Words, counted};
use crate::{contest, listing, statistics, table};
use std::borrow::Cow;
use throng_base::StopReason;
use throng_cert::{CoverSet, Evidence, Proof, Trace};
use throng_engine::UnknownReason;
use throng_model::{Config, LocalId, System};

/// Configurations and kinds of threads spelled out in a sentence.
const LIMIT: usize = 8;

/// Cuts that are shown.
const SHOWN_CUTS: usize = 4;

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
    let mut text = match result.finding.subject() {
        None => String::new(),
        Some(Subject::System(system)) => system_text(result, system, options),
        Some(Subject::Program(case)) => program_text(result, case, options),
        Some(Subject::C(case)) => c_text(result, case, options),
    };
    if let Finding::Unknown { reason, phase, .. } = result.finding {
        let of_c = c::duties::unknown(result);
        let is_of_c = of_c.is_some();
        text.push_str(&of_c.unwrap_or_else(|| unknown_text(reason, phase, complete(result))));
        if let Some(proving) = result.proving.filter(|_| !is_of_c) {
            text.push_str(&c::proving::unknown_text(proving, options));
        }
        if let Some(Subject::C(case)) = result.finding.subject().filter(|_| !is_of_c) {
            text.push_str(&c::proving::next_steps(case.program, result.threads, complete(result)));
        }
    }
    text.push_str(&contest::sentence(result.contest));
    if let Some(proving) = result.proving.filter(|_| options.verbose) {
        text.push_str(&c::proving::turns_text(proving));
    }
    if options.verbose || matches!(result.finding, Finding::Unknown { .. }) {
        text.push_str(&statistics_text(result));
    }
    text.push_str(&caveats(result));
    if let Some(Subject::C(case)) = result.finding.subject() {
        text.push_str(&c::ledger(case.program));
        text.push_str(&c::duties::reached(result.assertions));
    }
    text.push_str(&format!("verdict: {}\n", result.finding.verdict()));
    match result.finding.subject() {
        Some(Subject::C(_)) => crate::wrap::paragraphs(&text, options.width),
        _ => text,
    }
}

/// What was asked about a system, and the answer if there is one.
fn system_text(result: &RunResult<'_>, system: &System, options: TextOptions) -> String {
    let mut text = format!("{}\n", question(result, system));
    if let Finding::Decided { case: Case::System { evidence, .. }, checked } = result.finding {
        let words = Words { system };
        let (explanation, what) = match evidence {
            Evidence::Trace(trace) => (unsafe_text(words, trace, options), "trace"),
            Evidence::Proof(proof) => (proof_text(words, result.threads, proof), "proof"),
            Evidence::CoverSet(cover) => (cover_text(words, result.threads, cover), "proof"),
        };
        let thing = if what == "trace" { words.execution() } else { "proof" };
        text.push_str(&format!("{explanation}\n{}", trust(result, thing, Some(what), checked)));
    }
    text
}

/// What was asked about a program, and the answer if there is one.
fn program_text(result: &RunResult<'_>, case: ProgramCase<'_>, options: TextOptions) -> String {
    let words = ProgramWords::new(case);
    let mut text = format!("{}\n", program::question(result.file, &words));
    if let Finding::Decided { case: Case::Program { document, .. }, checked } = result.finding {
        let explanation = program::explanation(&words, document, options);
        text.push_str(&format!("{explanation}\n{}", trust(result, program::thing(document), None, checked)));
    }
    text
}

/// What was asked about a C program, the answer if there is one, and what it rests on.
fn c_text(result: &RunResult<'_>, case: CCase<'_>, options: TextOptions) -> String {
    let head = c::duties::head(case.program);
    let mut text = format!("{head}{}\n", c::question(result.file, case));
    if let Finding::Decided { case: Case::C { program, document }, checked } = result.finding {
        let explanation = c::explanation(program, document, options).unwrap_or_else(|| {
            // Only evidence that nobody checked gets here.
            "The evidence is not about the program: it cannot be shown.\n".to_owned()
        });
        let (thing, proved) = match document.verdict {
            throng_cert::Verdict::Safe => ("proof", c::duties::proved(program.program, result)),
            throng_cert::Verdict::Unsafe => ("interleaving", String::new()),
        };
        text.push_str(&format!("{explanation}{proved}\n{}", trust(result, thing, None, checked)));
    }
    text
}

/// What was asked.
fn question(result: &RunResult<'_>, system: &System) -> String {
    let words = Words { system };
    let targets = system.targets().iter().map(|target| match words.config(target.view(), LIMIT) {
        // In a net, this is how the target without any token is spelled.
        target if target.is_empty() => "anything".to_owned(),
        target => target,
    });
    let start = start_lines(result.file, result.threads, system);
    format!("{start}  bad:   {}\n", some_of(targets, system.targets().len()))
}

/// What a system is and where it starts.
pub(crate) fn start_lines(file: &str, threads: Option<u32>, system: &System) -> String {
    let words = Words { system };
    let rules = system.rules().len() as u64;
    let size = if system.is_net() {
        format!("{}, {}", counted(system.n_locals() as u64, "place"), counted(rules, "transition"))
    } else {
        let shared = counted(system.n_shared() as u64, "shared state");
        format!("{shared}, {}, {}", counted(system.n_locals() as u64, "local state"), counted(rules, "rule"))
    };
    let initial = system.initial().iter().map(|initial| words.initial(initial, LIMIT));
    let unbounded = system.initial().iter().any(|initial| !initial.unbounded.is_empty());
    let meaning = match threads {
        Some(threads) => format!("  (for {} only)", counted(threads.into(), words.thread())),
        None if unbounded => "  (after `/`: any number)".to_owned(),
        None => String::new(),
    };
    let start = some_of(initial, system.initial().len());
    format!("{file}: {size}\n  start: {start}{meaning}\n")
}

/// The first few of many things.
fn some_of(things: impl Iterator<Item = String>, count: usize) -> String {
    if count == 0 {
        return "nothing".to_owned();
    }
    let shown: Vec<String> = things.take(LIMIT).collect();
    let more = if count > LIMIT { format!("  or {} more", count - LIMIT) } else { String::new() };
    format!("{}{more}", shown.join("  or  "))
}

fn unsafe_text(words: Words<'_>, trace: &Trace, options: TextOptions) -> String {
    let thread = words.thread();
    let threads = listing::size(words, &trace.initial);
    let steps = counted(trace.n_steps(), "step");
    let configuration = words.configuration();
    // Tokens come and go, so the number at the start says little about those that matter in the end.
    let head = match trace.initial.view().size() {
        _ if words.system.is_net() => {
            format!("unsafe: from {threads}, a bad {configuration} is reached in {steps}.\n")
        }
        1 => format!("unsafe: {threads} reaches a bad {configuration} in {steps}.\n"),
        _ => format!("unsafe: {threads} reach a bad {configuration} in {steps}.\n"),
    };
    let Some(moments) = replay(words.system, trace) else {
        // Only evidence that nobody checked gets here.
        let execution = words.execution();
        return format!("{head}The {execution} is not an execution of the input: it cannot be shown.\n");
    };
    let last = moments.last().map_or(&trace.initial, |moment| &moment.after);
    let interleaving = Interleaving::of(words.system, trace, &moments);
    let body = body(words, trace, &moments, interleaving.as_ref(), options);
    let why = why(words, last, interleaving.as_ref());
    let peak = peak(words, trace, &moments);
    let more =
        if peak.is_empty() { String::new() } else { format!("At most {peak} {thread}s exist at once.\n") };
    format!("{head}\n{body}\n{why}{more}")
}

/// What happens in a trace, step by step.
fn body(
    words: Words<'_>,
    trace: &Trace,
    moments: &[Moment<'_>],
    interleaving: Option<&Interleaving>,
    options: TextOptions,
) -> String {
    let everything = options.verbose;
    match interleaving {
        Some(interleaving) => table::render(words, interleaving, options.width, everything)
            .unwrap_or_else(|| listing::of_threads(words, interleaving, everything)),
        None => listing::of_counts(words, trace, moments, everything),
    }
}

/// What happens in a trace of a system, step by step; empty if it is not an execution.
pub(crate) fn steps(words: Words<'_>, trace: &Trace, options: TextOptions) -> String {
    let Some(moments) = replay(words.system, trace) else { return String::new() };
    let interleaving = Interleaving::of(words.system, trace, &moments);
    body(words, trace, &moments, interleaving.as_ref(), options)
}

/// The largest number of threads on the way, if there are more than in the beginning.
fn peak(words: Words<'_>, trace: &Trace, moments: &[Moment<'_>]) -> String {
    let start = trace.initial.view().size();
    let peak = moments.iter().map(|moment| moment.after.view().size()).max().unwrap_or(start);
    if peak > start && !words.system.is_net() { peak.to_string() } else { String::new() }
}

/// Why the end of a trace is bad.
pub(crate) fn why_of(words: Words<'_>, trace: &Trace, moments: &[Moment<'_>]) -> String {
    let last = moments.last().map_or(&trace.initial, |moment| &moment.after);
    why(words, last, Interleaving::of(words.system, trace, moments).as_ref())
}

/// Which target the last configuration covers, and who does it.
fn why(words: Words<'_>, last: &Config, interleaving: Option<&Interleaving>) -> String {
    let Some(target) = words.system.targets().iter().find(|target| target.view().le(last.view())) else {
        return format!("The last {} covers no target.\n", words.configuration());
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
        None => format!("every {} is", words.configuration()),
    };
    format!("Why this is bad: {facts}.\nThat covers the target {}.\n", words.config(target.view(), LIMIT))
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

/// The verdict and for how many threads it holds.
fn safe_head(words: Words<'_>, threads: Option<u32>) -> String {
    let unbounded = words.system.initial().iter().any(|initial| !initial.unbounded.is_empty());
    let scope = match (threads, unbounded, words.system.is_net()) {
        (Some(threads), ..) => {
            let threads = counted(threads.into(), words.thread());
            format!(" for {threads} (--threads); other numbers were not looked at")
        }
        (None, true, false) => ", however many threads run".to_owned(),
        (None, true, true) => ", however many tokens there are at the start".to_owned(),
        (None, false, _) => String::new(),
    };
    format!("safe: no bad {} can be reached{scope}.\n", words.configuration())
}

fn proof_text(words: Words<'_>, threads: Option<u32>, proof: &Proof) -> String {
    let configuration = words.configuration();
    let mut parts = vec![counted(proof.elements.len() as u64, configuration)];
    if let Some(largest) = proof.elements.iter().map(|element| element.view().size()).max() {
        let bound = if proof.elements.len() == 1 { "of" } else { "of at most" };
        parts[0].push_str(&format!(" {bound} {}", counted(largest, words.thread())));
    }
    for (count, noun) in [(proof.cuts.len(), "cut"), (proof.traps.len(), "trap")] {
        if count > 0 {
            parts.push(counted(count as u64, noun));
        }
    }
    let head = safe_head(words, threads);
    if proof.elements.is_empty() && !proof.cuts.is_empty() {
        let proof_is = parts.split_off(1).join(" with ");
        return format!(
            "{head}\nThe proof is {proof_is}: every target breaks one.\n{}",
            cuts_text(words, proof)
        );
    }
    let cut = if proof.cuts.is_empty() { "" } else { " or breaks a cut" };
    format!(
        "{head}\nThe proof lists {}.\n\
         * Every target contains a listed {configuration}{cut}.\n\
         * Every step into what contains one starts from what contains one{cut}.\n\
         * No start contains one. So no target is ever reached.\n{}",
        parts.join(", "),
        cuts_text(words, proof)
    )
}

/// What cuts are, and the first few.
fn cuts_text(words: Words<'_>, proof: &Proof) -> String {
    let Some(first) = proof.cuts.first() else { return String::new() };
    let (thread, rule) = (words.thread(), words.rule_noun());
    let shared = if first.shared.is_empty() { "" } else { ", and of the shared state in brackets" };
    let mut text = format!(
        "A cut bounds a weighted number of {thread}s{shared}: every start keeps it,\n\
         and no {rule} that can ever fire raises it.\n"
    );
    for cut in proof.cuts.iter().take(SHOWN_CUTS) {
        text.push_str(&format!("  {}\n", words.cut(cut, LIMIT)));
    }
    if proof.cuts.len() > SHOWN_CUTS {
        text.push_str(&format!("  … and {} more\n", proof.cuts.len() - SHOWN_CUTS));
    }
    text
}

fn cover_text(words: Words<'_>, threads: Option<u32>, cover: &CoverSet) -> String {
    let configurations = counted(cover.elements.len() as u64, words.configuration());
    format!(
        "{}\nThe proof lists {configurations}, where ω stands for any number.\n\
         * Every start is contained in a listed one.\n\
         * Every step from what is contained in one leads to what is contained in one.\n\
         * None contains a target. So no target is ever reached.\n",
        safe_head(words, threads)
    )
}

/// Whether the evidence, called `thing`, was checked, and what can be done with it; `drawn` is how it can be drawn.
fn trust(result: &RunResult<'_>, thing: &str, drawn: Option<&str>, checked: bool) -> String {
    let checked = if checked {
        format!("The independent checker accepted this {thing}.")
    } else {
        format!("Nobody checked this {thing} (--no-check).")
    };
    let arguments = result.arguments;
    match result.evidence_file.map(shell_word) {
        Some(file) => {
            let draw = drawn.map(|what| {
                format!("  draw it:         throng graph {arguments} --what {what} --evidence {file}\n")
            });
            format!(
                "{checked} It is in {file}.\n  check it again:  throng-check {arguments} {file}\n{}",
                draw.unwrap_or_default()
            )
        }
        None => {
            let draw = drawn.map(|what| format!("  draw it:  throng graph {arguments} --what {what}\n"));
            format!(
                "{checked}\n  keep it:  throng check {arguments} --evidence FILE\n{}",
                draw.unwrap_or_default()
            )
        }
    }
}

/// A word that a shell reads as `text`.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-+=.,:/@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
}

/// Why a run has no answer, in words: `the time limit was reached while the input was read`.
pub fn why_unknown(reason: &UnknownReason, phase: Phase) -> String {
    let what = match reason {
        UnknownReason::Stopped(StopReason::Timeout) => "the time limit was reached",
        UnknownReason::Stopped(StopReason::Memory) => "the memory limit was reached",
        UnknownReason::Stopped(StopReason::Interrupted) => "the run was interrupted",
        UnknownReason::Stopped(StopReason::Cancelled) => "the run was cancelled",
        UnknownReason::CountOverflow => "more threads in one local state than can be counted were needed",
        UnknownReason::EvidenceTooLarge => {
            "the evidence is larger than what the independent checker looks at"
        }
        UnknownReason::Inconclusive => "the method does not decide this input",
        UnknownReason::Unsupported => {
            "the engine is not for inputs like this (rules that move passive threads); it gave up"
        }
        UnknownReason::TooManyStates => {
            "the engine needs a state for every valuation of the program's variables, and there are too many,"
        }
        UnknownReason::Bounded => "nothing was found within the bounds of the search",
        UnknownReason::Refinement => return "the prover does not know how to go on".to_owned(),
        UnknownReason::Obligation => return "an obligation is not proved".to_owned(),
        UnknownReason::NothingToCheck => return "there is nothing to check".to_owned(),
    };
    format!("{what} {}", crate::result::phase_words(phase))
}

/// With how many threads the bounded search of a C program met no error, however many steps they take.
fn complete(result: &RunResult<'_>) -> Option<u64> {
    let mut counters = result.statistics.iter();
    let found = counters.find_map(|(name, count)| (name == "threads_complete").then_some(count));
    found.filter(|&count| count > 0)
}

fn unknown_text(reason: &UnknownReason, phase: Phase, complete: Option<u64>) -> String {
    let advice = match reason {
        UnknownReason::Stopped(StopReason::Timeout) => {
            "Give it more time (--timeout), or ask about a smaller target."
        }
        UnknownReason::Stopped(StopReason::Memory) => {
            "Give it more memory (--memory), or ask about a smaller target."
        }
        UnknownReason::Stopped(StopReason::Interrupted | StopReason::Cancelled) => {
            "Run it again to get an answer."
        }
        UnknownReason::CountOverflow => "Are the weights and the target as large as they are meant to be?",
        UnknownReason::EvidenceTooLarge => "With --no-check you get the unchecked verdict.",
        UnknownReason::Inconclusive => "Another engine may (--engine).",
        UnknownReason::Unsupported | UnknownReason::TooManyStates => {
            "Another engine may tell (--engine auto)."
        }
        UnknownReason::Bounded => "A bounded search finds errors; it proves nothing about more threads.",
        UnknownReason::Refinement | UnknownReason::Obligation | UnknownReason::NothingToCheck => {
            "Predicates that you know of may help (--predicates FILE, __CPROVER_predicate)."
        }
    };
    let why = why_unknown(reason, phase);
    let known = match complete {
        Some(most) => {
            let threads = counted(most, "thread");
            format!("no error with up to {threads}, however many steps they take. For more, {why}")
        }
        None => why,
    };
    format!("unknown: {known}.\nThe input may be safe or unsafe. {advice}\n")
}

fn statistics_text(result: &RunResult<'_>) -> String {
    let is_net = result.finding.subject().is_some_and(Subject::is_net);
    format!("\nengine {}\n{}", result.engine, statistics::render(result.statistics, is_net))
}

/// What the verdict depends on besides the evidence: last, so that nobody overlooks it.
fn caveats(result: &RunResult<'_>) -> String {
    let mut text = String::from("\n");
    for warning in result.warnings.iter().take(LIMIT) {
        text.push_str(&format!("{warning}\n"));
    }
    if result.warnings.len() > LIMIT {
        text.push_str(&format!(
            "… and {}\n",
            counted((result.warnings.len() - LIMIT) as u64, "more warning")
        ));
    }
    text
}
