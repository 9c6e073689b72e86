//! The result document, version 1: what `--format json` prints.
//!
//! Described by `docs/schemas/result-v1.schema.json`. Fields may be added within a version; none is removed and
//! none changes its meaning. What differs from run to run stands in `cost`, which is there on request only.

use crate::program::{self, ProgramWords};
use crate::result::{Case, Cost, Finding, RunResult, Subject};
use crate::words::Words;
use crate::{c, contest};
use serde::Serialize;
use std::collections::BTreeMap;
use throng_base::{Diagnostic, Severity};
use throng_cert::{Evidence, Trace, TraceItem};
use throng_engine::{Contestant, Fate};
use throng_formats::config_text::{Repetitions, StateNames, format_initial};
use throng_model::{Config, System};

/// The value of the field `format`.
pub const FORMAT: &str = "throng-result";
/// The value of the field `version`.
pub const VERSION: u64 = 1;
/// Initial configurations that are listed.
const LIMIT: usize = 100;

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u64,
    throng: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<bool>,
    engine: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contest: Vec<Contender>,
    input: Input<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumptions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    obligations: Vec<c::duties::Duty>,
    #[serde(skip_serializing_if = "<[c::Assertion]>::is_empty")]
    assertions: &'a [c::Assertion],
    statistics: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prover: Option<c::json::ProvingDocument<'a>>,
    warnings: Vec<Warning<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Summary<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<AnyTrace<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<AnyProof<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<CostDocument>,
}

/// An engine in a race.
#[derive(Serialize)]
struct Contender {
    engine: &'static str,
    fate: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    elements: u64,
    expanded: u64,
}

/// What a document says about the input.
#[derive(Serialize)]
pub(crate) struct Input<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<u32>,
    #[serde(flatten)]
    size: Option<Size>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(
        file: &'a str,
        format: Option<&'a str>,
        threads: Option<u32>,
        subject: Option<Subject<'_>>,
    ) -> Self {
        Self { file, format, threads, size: subject.map(size) }
    }
}

/// How large an input is.
#[derive(Serialize)]
#[serde(untagged)]
enum Size {
    System(SystemSize),
    Program(program::json::Size),
    C(c::json::Size),
}

#[derive(Serialize)]
struct SystemSize {
    shared_states: usize,
    local_states: usize,
    rules: usize,
    initial: Vec<String>,
    targets: usize,
}

/// A remark about the input.
#[derive(Serialize)]
pub(crate) struct Warning<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    hints: &'a [String],
}

/// Evidence summed up.
#[derive(Default, Serialize)]
pub(crate) struct Summary<'a> {
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) threads: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) steps: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) elements: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) largest_element: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cuts: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) traps: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) through: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) predicates: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) threads_at_most: Option<u32>,
}

/// An interleaving of a system or of a program.
#[derive(Serialize)]
#[serde(untagged)]
enum AnyTrace<'a> {
    System(TraceDocument),
    Program(program::json::TraceDocument<'a>),
    C(c::json::TraceDocument),
}

/// Why a program is safe.
#[derive(Serialize)]
#[serde(untagged)]
enum AnyProof<'a> {
    Program(program::json::ProofDocument<'a>),
    C(c::json::ProofDocument),
}

#[derive(Serialize)]
pub(crate) struct TraceDocument {
    initial: Configuration,
    items: Vec<ItemDocument>,
}

#[derive(Serialize)]
struct Configuration {
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<String>,
    threads: Vec<(String, u32)>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ItemDocument {
    Step {
        rule: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        moved: Vec<MovedDocument>,
    },
    Repeat {
        repeat: u64,
        items: Vec<ItemDocument>,
    },
}

#[derive(Serialize)]
struct MovedDocument {
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    count: u32,
}

/// What a run cost.
#[derive(Serialize)]
pub(crate) struct CostDocument {
    elapsed_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_bytes: Option<u64>,
    #[serde(flatten)]
    phases: Option<c::json::PhaseTimesDocument>,
}

/// The document for a result, with a line end after it.
pub fn render(result: &RunResult<'_>) -> String {
    let (unknown, checked) = match result.finding {
        Finding::Decided { checked, .. } => (None, Some(checked)),
        Finding::Unknown { reason, phase, .. } => (Some((reason.to_string(), phase.word())), None),
    };
    let (reason, phase) = unknown.unzip();
    let Rested { evidence, trace, proof } = rested(result);
    let of_c = match result.finding.subject() {
        Some(Subject::C(case)) => Some(case),
        _ => None,
    };
    let document = Document {
        format: FORMAT,
        version: VERSION,
        throng: env!("CARGO_PKG_VERSION"),
        verdict: result.finding.word(),
        reason,
        phase,
        checked,
        engine: result.engine,
        contest: result.contest.iter().map(contender).collect(),
        input: Input::new(result.file, result.format, result.threads, result.finding.subject()),
        assumptions: of_c.map(|case| c::duties::assumed(case.program)).unwrap_or_default(),
        obligations: of_c.map(|case| c::duties::duties(case.program, result)).unwrap_or_default(),
        assertions: result.assertions,
        statistics: result.statistics.iter().collect(),
        prover: result.proving.map(Into::into),
        warnings: result.warnings.iter().map(warning).collect(),
        evidence,
        trace,
        proof,
        cost: result.cost.map(|spent| CostDocument {
            phases: result.proving.map(|proving| proving.times.into()),
            ..cost(spent)
        }),
    };
    pretty(&document)
}

/// What a verdict rests on.
#[derive(Default)]
struct Rested<'a> {
    evidence: Option<Summary<'a>>,
    trace: Option<AnyTrace<'a>>,
    proof: Option<AnyProof<'a>>,
}

fn rested<'a>(result: &RunResult<'a>) -> Rested<'a> {
    match result.finding {
        Finding::Unknown { .. } => Rested::default(),
        Finding::Decided { case: Case::System { system, evidence }, .. } => Rested {
            evidence: Some(summary(evidence, result.evidence_file)),
            trace: match evidence {
                Evidence::Trace(trace) => Some(AnyTrace::System(trace_document(system, trace))),
                Evidence::Proof(_) | Evidence::CoverSet(_) => None,
            },
            proof: None,
        },
        Finding::Decided { case: Case::Program { program, document }, .. } => {
            let words = ProgramWords::new(program);
            Rested {
                evidence: Some(program::json::summary(document, result.evidence_file)),
                trace: program::json::trace_of(&words, document).map(AnyTrace::Program),
                proof: program::json::proof_of(&words, document).map(AnyProof::Program),
            }
        }
        Finding::Decided { case: Case::C { program, document }, .. } => Rested {
            evidence: Some(c::json::summary(program, document, result.evidence_file)),
            trace: c::json::trace_of(program, document).map(AnyTrace::C),
            proof: c::json::proof_of(program, document).map(AnyProof::C),
        },
    }
}

/// The text of a document, with a line end after it.
pub(crate) fn pretty(document: &impl Serialize) -> String {
    // A structure of strings, numbers and lists always has a JSON form.
    let mut text = serde_json::to_string_pretty(document).expect("INVARIANT: results serialise");
    text.push('\n');
    text
}

fn contender(contestant: &Contestant) -> Contender {
    Contender {
        engine: contestant.name,
        fate: contest::word(&contestant.fate),
        reason: match &contestant.fate {
            Fate::GaveUp(reason) => Some(reason.to_string()),
            Fate::Answered | Fate::Searching | Fate::TakenOut => None,
        },
        elements: contestant.progress.elements,
        expanded: contestant.progress.expanded,
    }
}

fn size(subject: Subject<'_>) -> Size {
    match subject {
        Subject::System(system) => Size::System(system_size(system)),
        Subject::Program(case) => Size::Program(program::json::size(case)),
        Subject::C(case) => Size::C(c::json::size(case)),
    }
}

fn system_size(system: &System) -> SystemSize {
    let spell = |initial| format_initial(initial, StateNames::of(system), Repetitions::Counted);
    let initial = system.initial().iter().take(LIMIT).map(spell);
    SystemSize {
        shared_states: system.n_shared(),
        local_states: system.n_locals(),
        rules: system.rules().len(),
        initial: initial.collect(),
        targets: system.targets().len(),
    }
}

pub(crate) fn cost(cost: Cost) -> CostDocument {
    CostDocument {
        elapsed_ms: u64::try_from(cost.elapsed.as_millis()).unwrap_or(u64::MAX),
        memory_bytes: cost.memory,
        phases: None,
    }
}

pub(crate) fn warning(diagnostic: &Diagnostic) -> Warning<'_> {
    let place = diagnostic.place.as_deref().map(|(snippet, _)| snippet);
    Warning {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: diagnostic.code,
        message: &diagnostic.message,
        file: place.map(|snippet| &*snippet.file),
        line: place.map(|snippet| snippet.line),
        column: place.map(|snippet| snippet.column),
        notes: &diagnostic.notes,
        hints: &diagnostic.hints,
    }
}

fn summary<'a>(evidence: &Evidence, file: Option<&'a str>) -> Summary<'a> {
    let largest = |elements: &[Config]| elements.iter().map(|element| element.view().size()).max();
    let empty = Summary { file, ..Summary::default() };
    match evidence {
        Evidence::Trace(trace) => Summary {
            kind: "trace",
            threads: Some(trace.initial.view().size()),
            steps: Some(trace.n_steps()),
            ..empty
        },
        Evidence::Proof(proof) => Summary {
            kind: "proof",
            elements: Some(proof.elements.len()),
            largest_element: largest(&proof.elements),
            cuts: Some(proof.cuts.len()),
            traps: Some(proof.traps.len()),
            ..empty
        },
        Evidence::CoverSet(cover) => {
            Summary { kind: "cover-set", elements: Some(cover.elements.len()), ..empty }
        }
    }
}

/// The interleaving in the names of the input, as in an evidence document but with the lines of the rules.
pub(crate) fn trace_document(system: &System, trace: &Trace) -> TraceDocument {
    let words = Words { system };
    let threads = trace.initial.bag.iter().map(|entry| (words.local(entry.local), entry.count));
    let initial = Configuration {
        shared: (!system.is_net()).then(|| words.shared(trace.initial.shared)),
        threads: threads.collect(),
    };
    TraceDocument { initial, items: trace.items.iter().map(|item| item_document(words, item)).collect() }
}

fn item_document(words: Words<'_>, item: &TraceItem) -> ItemDocument {
    match item {
        TraceItem::Step(step) => {
            let moved = step.moved.iter().map(|moved| MovedDocument {
                from: words.local(moved.from),
                to: moved.to.map(|to| words.local(to)),
                count: moved.count,
            });
            ItemDocument::Step {
                rule: words.system.rule_name(step.rule).into_owned(),
                line: words.system.rule_line(step.rule),
                moved: moved.collect(),
            }
        }
        TraceItem::Repeat { times, items } => ItemDocument::Repeat {
            repeat: *times,
            items: items.iter().map(|item| item_document(words, item)).collect(),
        },
    }
}
