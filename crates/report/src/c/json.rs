//! C programs and interleavings in JSON results.

use super::CCase;
use super::follow::follow;
use super::happen::Note;
use super::proving::ShownPredicate;
pub(crate) use super::proving::{PhaseTimesDocument, ProvingDocument};
use super::text::statement;
use super::{naming, values};
use crate::json::Summary;
use serde::Serialize;
use std::collections::BTreeMap;
use throng_cert::EvidenceDocument;
use throng_cert::document::Body;
use throng_cfa::flow::{Program, Scope, VariableId};

/// How large a program is, and what verdicts about it rest on.
#[derive(Serialize)]
pub(crate) struct Size {
    locations: usize,
    shared_variables: usize,
    local_variables: usize,
    threads_run: Vec<String>,
    properties: usize,
    ledger: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    kind: String,
    text: String,
    at: Vec<String>,
}

pub(crate) fn size(case: CCase<'_>) -> Size {
    let program = case.program;
    let shared_variables =
        program.variables.iter().filter(|variable| variable.scope == Scope::Shared).count();
    let entry = |entry: &throng_cfa::flow::LedgerEntry| Entry {
        kind: entry.kind.clone(),
        text: entry.text.clone(),
        at: entry.positions.iter().map(|at| format!("{}:{}:{}", at.file, at.line, at.column)).collect(),
    };
    Size {
        locations: program.locations.len(),
        shared_variables,
        local_variables: program.variables.len() - shared_variables,
        threads_run: program.templates.iter().map(|template| template.name.clone()).collect(),
        properties: program.properties.len(),
        ledger: program.ledger.iter().map(entry).collect(),
    }
}

pub(crate) fn summary<'a>(
    case: CCase<'_>,
    document: &EvidenceDocument,
    file: Option<&'a str>,
) -> Summary<'a> {
    let kind = document.body.kind();
    let followed = match &document.body {
        Body::Interleaving(interleaving) => follow(case.program, interleaving),
        _ => None,
    };
    let (threads, steps) = followed.map(|it| (it.threads.len() as u64, it.n_steps as u64)).unzip();
    let explored = match &document.body {
        Body::Explored(explored) => Some(explored),
        _ => None,
    };
    let threads = threads.or(explored.map(|explored| explored.threads.into()));
    let invariant = super::invariant_of(case.program, document);
    let counted = invariant.map(|(_, it)| (it.elements.len(), it.predicates.list.len()));
    let (elements, predicates) = counted.unzip();
    let states = explored.map(|explored| explored.states);
    let threads_at_most = explored.and_then(|explored| explored.threads_at_most);
    let counts = Summary { states, threads_at_most, ..Summary::default() };
    Summary { kind, file, threads, steps, elements, predicates, ..counts }
}

/// An invariant: its predicates, and what it says in words.
#[derive(Serialize)]
pub(crate) struct ProofDocument {
    predicates: Vec<ShownPredicate>,
    facts: Vec<String>,
}

/// The invariant of a document, if it is one.
pub(crate) fn proof_of(case: CCase<'_>, document: &EvidenceDocument) -> Option<ProofDocument> {
    let (prepared, invariant) = super::invariant_of(case.program, document)?;
    Some(ProofDocument {
        predicates: super::predicates(&prepared, &invariant),
        facts: super::facts::sentences(&prepared, &invariant),
    })
}

/// An interleaving: what each thread does, and what changes.
#[derive(Serialize)]
pub(crate) struct TraceDocument {
    threads: usize,
    steps: Vec<StepDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureDocument>,
}

#[derive(Serialize)]
struct StepDocument {
    step: usize,
    thread: u32,
    file: String,
    line: u32,
    column: u32,
    function: String,
    statement: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    shared: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    own: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
}

#[derive(Serialize)]
struct FailureDocument {
    thread: u32,
    text: String,
    file: String,
    line: u32,
}

/// The interleaving of a document, if it is one.
pub(crate) fn trace_of(case: CCase<'_>, document: &EvidenceDocument) -> Option<TraceDocument> {
    let Body::Interleaving(interleaving) = &document.body else { return None };
    let program = case.program;
    let followed = follow(program, interleaving)?;
    let steps = followed.rows.iter().filter_map(|row| {
        let site = program.site(row.site?);
        Some(StepDocument {
            step: row.n_steps,
            thread: row.thread,
            file: site.position.file.clone(),
            line: site.position.line,
            column: site.position.column,
            function: site.function.clone(),
            statement: statement(program, row.site?),
            shared: changed(program, &row.shared),
            own: changed(program, &row.own),
            remarks: row.notes.iter().map(Note::words).collect(),
        })
    });
    let failure = followed.failure.map(|(thread, property)| {
        let property = &program.properties[property.index()];
        let position = program.site(property.site).position.clone();
        FailureDocument { thread, text: property.text.clone(), file: position.file, line: position.line }
    });
    Some(TraceDocument { threads: followed.threads.len(), steps: steps.collect(), failure })
}

fn changed(program: &Program, changes: &BTreeMap<(VariableId, usize), u128>) -> BTreeMap<String, String> {
    let shown = changes.iter().map(|(&(id, element), &value)| {
        let variable = program.variable(id);
        let value = values::value(program, &variable.ty, variable.bits, value);
        (naming::scalar(program, id, element), value)
    });
    shown.collect()
}
