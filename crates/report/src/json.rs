//! The result document, version 1: what `--format json` prints.
//!
//! Described by `docs/schemas/result-v1.schema.json`. Fields may be added within a version; none is removed and
//! none changes its meaning. What differs from run to run stands in `cost`, which is there on request only.

use crate::contest;
use crate::result::{Cost, Finding, RunResult};
use crate::words::Words;
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
    statistics: BTreeMap<&'static str, u64>,
    warnings: Vec<Warning<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Summary<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<TraceDocument>,
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
        system: Option<&System>,
    ) -> Self {
        Self { file, format, threads, size: system.map(size) }
    }
}

#[derive(Serialize)]
struct Size {
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

#[derive(Serialize)]
struct Summary<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elements: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    largest_element: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cuts: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    traps: Option<usize>,
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
}

/// The document for a result, with a line end after it.
pub fn render(result: &RunResult<'_>) -> String {
    let (unknown, checked, evidence) = match result.finding {
        Finding::Decided { evidence, checked, .. } => (None, Some(checked), Some(evidence)),
        Finding::Unknown { reason, phase, .. } => (Some((reason.to_string(), phase.word())), None, None),
    };
    let (reason, phase) = unknown.unzip();
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
        input: Input::new(result.file, result.format, result.threads, result.finding.system()),
        statistics: result.statistics.iter().collect(),
        warnings: result.warnings.iter().map(warning).collect(),
        evidence: evidence.map(|evidence| summary(evidence, result.evidence_file)),
        trace: trace(result.finding),
        cost: result.cost.map(cost),
    };
    pretty(&document)
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

fn size(system: &System) -> Size {
    let spell = |initial| format_initial(initial, StateNames::of(system), Repetitions::Counted);
    let initial = system.initial().iter().take(LIMIT).map(spell);
    Size {
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
    let empty = Summary {
        kind: "",
        file,
        threads: None,
        steps: None,
        elements: None,
        largest_element: None,
        cuts: None,
        traps: None,
    };
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

fn trace(finding: Finding<'_>) -> Option<TraceDocument> {
    let Finding::Decided { system, evidence: Evidence::Trace(trace), .. } = finding else { return None };
    Some(trace_document(system, trace))
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
