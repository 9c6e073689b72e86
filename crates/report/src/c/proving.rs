//! What the prover of C programs did: turn by turn, with which predicates, and why it gave up. For text and JSON.

use crate::text::TextOptions;
use crate::words::counted;
use serde::Serialize;
use std::time::Duration;
use throng::GaveUp;
use throng_cfa::flow::Program;

/// Predicates that are shown where not everything is asked for.
const SHOWN_PREDICATES: usize = 12;
/// The same for steps of an interleaving.
const SHOWN_STEPS: usize = 30;

/// How many predicates there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PredicateCounts {
    /// About shared variables only.
    pub shared: usize,
    /// About all threads.
    pub universal: usize,
    /// About one thread; those that are local are included.
    pub single_thread: usize,
    /// About the variables of one thread only.
    pub local: usize,
    /// About a thread and all others.
    pub inter_thread: usize,
}

impl PredicateCounts {
    /// How many there are.
    pub fn total(self) -> usize {
        self.shared + self.universal + self.single_thread + self.inter_thread
    }

    /// `2 shared, 1 inter-thread`; nothing if there are none.
    pub fn words(self) -> String {
        let parts = [
            (self.shared, "shared"),
            (self.universal, "universal"),
            (self.single_thread - self.local.min(self.single_thread), "single-thread"),
            (self.local, "local"),
            (self.inter_thread, "inter-thread"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        parts.map(|(count, kind)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
    }
}

/// A predicate as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownPredicate {
    /// `shared`, `universal`, `single-thread`, `local` or `inter-thread`.
    pub kind: &'static str,
    /// In the language that `--predicates` reads.
    pub text: String,
}

/// How many predicates of a list there are of each kind.
pub(super) fn counts(list: &[ShownPredicate]) -> PredicateCounts {
    let mut counts = PredicateCounts::default();
    for predicate in list {
        match predicate.kind {
            "shared" => counts.shared += 1,
            "universal" => counts.universal += 1,
            "inter-thread" => counts.inter_thread += 1,
            kind => {
                counts.single_thread += 1;
                counts.local += usize::from(kind == "local");
            }
        }
    }
    counts
}

/// One turn of the loop.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Turn {
    /// From 1.
    pub number: usize,
    /// The predicates that it began with.
    pub predicates: PredicateCounts,
    /// Literals of the abstract program.
    pub size: usize,
    /// Whether the abstract program is dual-reference.
    pub is_dual_reference: bool,
    /// Whether it is monotone as it is.
    pub is_monotone: bool,
    /// The engine that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<&'static str>,
    /// What was found, in words.
    pub found: String,
    /// The predicates that were added.
    pub added: Vec<String>,
}

impl Turn {
    /// The turn on a line.
    pub fn line(&self) -> String {
        let predicates = match self.predicates.total() {
            0 => "no predicates".to_owned(),
            total => format!("{} ({})", counted(total as u64, "predicate"), self.predicates.words()),
        };
        let kind = if self.is_dual_reference { "dual-reference" } else { "single-reference" };
        let monotone = if self.is_monotone { "monotone" } else { "not monotone (its closure is checked)" };
        let added = match &self.added[..] {
            [] => String::new(),
            added => format!("; new: {}", added.join(", ")),
        };
        let size = counted(self.size as u64, "literal");
        let engine = self.engine.map(|it| format!("{it} found ")).unwrap_or_default();
        let found = &self.found;
        format!("iteration {}: {predicates}; {size}, {kind}, {monotone}: {engine}{found}{added}", self.number)
    }
}

/// How long an interleaving of an abstract program is, and how many of its steps were excluded.
pub fn found_words(steps: usize, threads: usize, refined: usize) -> String {
    let found = format!("{} of {}", counted(steps as u64, "step"), counted(threads as u64, "thread"));
    match refined {
        0 => found,
        refined => format!("{found}, refined {}", counted(refined as u64, "step")),
    }
}

/// Time spent on each part of the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhaseTimes {
    /// Candidates for facts were filtered.
    pub filter: Duration,
    /// Abstract programs were computed.
    pub abstracting: Duration,
    /// Abstract programs were checked.
    pub checking: Duration,
    /// Interleavings were tried and predicates searched for.
    pub refining: Duration,
}

/// All that the prover did.
#[derive(Clone, Debug, Default)]
pub struct Proving {
    /// The turns of the loop.
    pub turns: Vec<Turn>,
    /// The predicates at the end.
    pub predicates: Vec<ShownPredicate>,
    /// How many there are.
    pub counts: PredicateCounts,
    /// Where the time went.
    pub times: PhaseTimes,
    /// Why it gave up, if it did.
    pub gave_up: Option<GaveUp>,
}

impl Proving {
    /// Whether some abstract program was dual-reference.
    pub fn is_dual_reference(&self) -> bool {
        self.turns.iter().any(|turn| turn.is_dual_reference)
    }

    /// Whether all abstract programs were monotone as they were.
    pub fn is_monotone(&self) -> bool {
        self.turns.iter().all(|turn| turn.is_monotone)
    }
}

/// What the prover knew when there was no answer: the predicates, and what it could not exclude.
pub(crate) fn unknown_text(proving: &Proving, options: TextOptions) -> String {
    let mut text = String::new();
    if let Some(GaveUp { reason, interleaving }) = &proving.gave_up {
        text.push_str(&format!("The prover gave up: {reason}.\n"));
        if !interleaving.is_empty() {
            text.push_str("It could not exclude this interleaving, which the program may not have:\n");
            text.push_str(&some(interleaving, SHOWN_STEPS, options.verbose, "step"));
        }
    }
    if !proving.predicates.is_empty() {
        text.push_str(&predicates_text(&proving.predicates, proving.counts, options));
    }
    text
}

/// What may help where there is no answer.
pub(crate) fn next_steps(program: &Program, threads: Option<u32>, complete: Option<u64>) -> String {
    let mut steps = Vec::new();
    if program.ledger.iter().any(|entry| entry.kind == "signed-overflow-wraps") {
        steps.push("--integers mathematical leaves out runs in which integers wrap around".to_owned());
    }
    if threads.is_none() {
        let most = complete.unwrap_or(0).clamp(3, 8);
        steps.push(format!(
            "--threads {most} asks about at most {most} threads, all of whose states may be explored"
        ));
    }
    if program.most_threads.is_none() && threads.is_none() {
        steps.push("--threads-at-most N says how many threads there can be, so that words that count them do not wrap".to_owned());
    }
    let lines: String = steps.iter().map(|step| format!("  {step}\n")).collect();
    if lines.is_empty() { lines } else { format!("What may help:\n{lines}") }
}

/// The predicates, a line each.
pub(super) fn predicates_text(
    list: &[ShownPredicate],
    counts: PredicateCounts,
    options: TextOptions,
) -> String {
    let lines: Vec<String> = list.iter().map(|predicate| predicate.text.clone()).collect();
    let head = format!("{} ({}):\n", counted(list.len() as u64, "predicate"), counts.words());
    format!("{head}{}", some(&lines, SHOWN_PREDICATES, options.verbose, "predicate"))
}

/// The turns, where everything is asked for.
pub(crate) fn turns_text(proving: &Proving) -> String {
    proving.turns.iter().map(|turn| format!("{}\n", turn.line())).collect()
}

/// The first of some lines, indented, and how many more there are.
pub(super) fn some(lines: &[String], limit: usize, everything: bool, noun: &str) -> String {
    let shown = if everything { lines.len() } else { limit };
    let mut text: String = lines.iter().take(shown).map(|line| format!("  {line}\n")).collect();
    if lines.len() > shown {
        text.push_str(&format!(
            "  … and {} (-v)\n",
            counted((lines.len() - shown) as u64, &format!("more {noun}"))
        ));
    }
    text
}

/// What the prover did, for programs.
#[derive(Serialize)]
pub(crate) struct ProvingDocument<'a> {
    iterations: &'a [Turn],
    predicates: PredicateCounts,
    predicate_texts: &'a [ShownPredicate],
    is_dual_reference: bool,
    is_monotone: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    gave_up: Option<&'a GaveUp>,
}

impl<'a> From<&'a Proving> for ProvingDocument<'a> {
    fn from(proving: &'a Proving) -> Self {
        Self {
            iterations: &proving.turns,
            predicates: proving.counts,
            predicate_texts: &proving.predicates,
            is_dual_reference: proving.is_dual_reference(),
            is_monotone: proving.is_monotone(),
            gave_up: proving.gave_up.as_ref(),
        }
    }
}

/// Milliseconds of each part of the work.
#[derive(Serialize)]
pub(crate) struct PhaseTimesDocument {
    filter_ms: u64,
    abstract_ms: u64,
    check_ms: u64,
    refine_ms: u64,
}

impl From<PhaseTimes> for PhaseTimesDocument {
    fn from(times: PhaseTimes) -> Self {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self {
            filter_ms: ms(times.filter),
            abstract_ms: ms(times.abstracting),
            check_ms: ms(times.checking),
            refine_ms: ms(times.refining),
        }
    }
}

/// An event of a run, as a line of JSON: see `docs/schemas/event-v1.schema.json`.
#[derive(Serialize)]
struct EventDocument<T> {
    format: &'static str,
    version: u64,
    event: &'static str,
    elapsed_ms: u64,
    #[serde(flatten)]
    told: T,
}

/// How far a run is, for people or programs that wait for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SignOfLife {
    /// What is going on: `reading`, `searching`, …
    pub phase: &'static str,
    /// What the prover of C programs is doing, if it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prover: Option<String>,
    /// Elements, states or nodes that a search has.
    pub elements: u64,
    /// How many of them it still has to look at.
    pub waiting: u64,
    /// The most threads that it looked at.
    pub threads: u64,
    /// Bytes of memory in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

/// The line that tells of a turn, without a line end.
pub fn event_line(turn: &Turn, elapsed: Duration) -> String {
    line("iteration", turn, elapsed)
}

/// The line that tells how far a run is, without a line end.
pub fn progress_line(sign: &SignOfLife, elapsed: Duration) -> String {
    line("progress", sign, elapsed)
}

fn line(event: &'static str, told: impl Serialize, elapsed: Duration) -> String {
    let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    let document = EventDocument { format: "throng-event", version: 1, event, elapsed_ms, told };
    serde_json::to_string(&document).expect("INVARIANT: events serialise")
}
