//! The parts of JSON documents that are about programs. Names are those of evidence documents; lines and statements are
//! added for people and editors.

use super::ProgramCase;
use super::follow::{n_steps, n_threads};
use super::proof::largest;
use super::words::ProgramWords;
use crate::json::Summary;
use serde::Serialize;
use std::collections::BTreeMap;
use throng_boolprog::flow::LocationId;
use throng_boolprog::{Cube, InitThreads};
use throng_cert::document::{Act, Body, Configuration, Item, Trace};
use throng_cert::{Count, EvidenceDocument, State};

/// Elements of a proof or a cover set that are listed; the evidence file has all.
const LIMIT: usize = 100;

/// The size of a program, and where it starts.
#[derive(Serialize)]
pub(crate) struct Size {
    locations: usize,
    shared_variables: usize,
    local_variables: usize,
    init_threads: InitDocument,
    targets: usize,
}

#[derive(Serialize)]
#[serde(untagged)]
enum InitDocument {
    Exactly(u32),
    Any(&'static str),
}

pub(crate) fn size(case: ProgramCase<'_>) -> Size {
    Size {
        // The place of failed assertions is no place in the program.
        locations: case.program.locations().len().saturating_sub(1),
        shared_variables: case.program.shared().len(),
        local_variables: case.program.locals().len(),
        init_threads: match case.question.threads {
            InitThreads::Exactly(count) => InitDocument::Exactly(count),
            InitThreads::Any => InitDocument::Any("any"),
        },
        targets: case.question.targets.len(),
    }
}

/// The evidence summed up.
pub(crate) fn summary<'a>(document: &EvidenceDocument, file: Option<&'a str>) -> Summary<'a> {
    let empty = Summary { kind: document.body.kind(), file, ..Summary::default() };
    match &document.body {
        Body::Trace(trace) => {
            Summary { threads: Some(n_threads(trace)), steps: Some(n_steps(&trace.items)), ..empty }
        }
        Body::Proof(proof) => Summary {
            elements: Some(proof.elements.len()),
            largest_element: largest(&proof.elements),
            cuts: Some(proof.cuts.len()),
            traps: Some(proof.traps.len()),
            through: Some(proof.through.len()),
            ..empty
        },
        Body::CoverSet(cover) => {
            Summary { elements: Some(cover.elements.len()), through: Some(cover.through.len()), ..empty }
        }
        Body::Interleaving(interleaving) => Summary { steps: Some(interleaving.steps.len() as u64), ..empty },
        Body::Explored(_) => empty,
        Body::Invariant(invariant) => Summary { elements: Some(invariant.elements.len()), ..empty },
    }
}

/// An interleaving.
#[derive(Serialize)]
pub(crate) struct TraceDocument<'a> {
    initial: &'a Configuration,
    items: Vec<ItemDocument<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ItemDocument<'a> {
    Step {
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        statement: String,
        act: Option<&'a Act>,
    },
    Repeat {
        repeat: u64,
        items: Vec<ItemDocument<'a>>,
    },
}

/// The interleaving of a document, if it is one.
pub(crate) fn trace_of<'a>(
    words: &ProgramWords<'_>,
    document: &'a EvidenceDocument,
) -> Option<TraceDocument<'a>> {
    let Body::Trace(trace) = &document.body else { return None };
    Some(trace_document(words, trace))
}

pub(super) fn trace_document<'a>(words: &ProgramWords<'_>, trace: &'a Trace) -> TraceDocument<'a> {
    TraceDocument { initial: &trace.initial, items: items(words, &trace.items) }
}

fn items<'a>(words: &ProgramWords<'_>, list: &'a [Item]) -> Vec<ItemDocument<'a>> {
    let item = |item: &'a Item| match item {
        Item::Step(step) => {
            let act = step.act.as_deref();
            let place = act.and_then(|act| words.read_thread(&act.thread)).map(|thread| thread.location);
            ItemDocument::Step {
                line: place.and_then(|place| words.line(place)),
                statement: place.map(|place| words.statement(place)).unwrap_or_default(),
                act,
            }
        }
        Item::Repeat { times, items: repeated } => {
            ItemDocument::Repeat { repeat: *times, items: items(words, repeated) }
        }
    };
    list.iter().map(item).collect()
}

/// The elements of a proof or a cover set.
#[derive(Serialize)]
pub(crate) struct ProofDocument<'a> {
    elements: Vec<ElementDocument<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    through: &'a [String],
}

#[derive(Serialize)]
struct ElementDocument<'a> {
    shared: BTreeMap<&'a str, bool>,
    threads: Vec<(ThreadDocument<'a>, Count)>,
}

#[derive(Serialize)]
struct ThreadDocument<'a> {
    at: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(rename = "where")]
    locals: BTreeMap<&'a str, bool>,
}

/// The first elements of a document, unless it is an interleaving.
pub(crate) fn proof_of<'a>(
    words: &ProgramWords<'_>,
    document: &'a EvidenceDocument,
) -> Option<ProofDocument<'a>> {
    let (elements, through) = match &document.body {
        Body::Trace(_) | Body::Interleaving(_) | Body::Invariant(_) | Body::Explored(_) => return None,
        Body::Proof(proof) => (&proof.elements, &proof.through),
        Body::CoverSet(cover) => (&cover.elements, &cover.through),
    };
    let elements = elements.iter().take(LIMIT).map(|element| ElementDocument {
        shared: element.shared.as_ref().map(valuation).unwrap_or_default(),
        threads: element
            .threads
            .iter()
            .map(|(state, count)| (thread_document(words, state), *count))
            .collect(),
    });
    Some(ProofDocument { elements: elements.collect(), through })
}

fn thread_document<'a>(words: &ProgramWords<'_>, state: &'a State) -> ThreadDocument<'a> {
    let at = if let State::At { location, .. } = state { location } else { "" };
    let line = words.find(at).and_then(|location| words.line(location));
    ThreadDocument { at, line, locals: valuation(state) }
}

fn valuation(state: &State) -> BTreeMap<&str, bool> {
    match state {
        State::At { valuation, .. } | State::Where { valuation } => {
            valuation.iter().map(|(name, &value)| (name.as_str(), value)).collect()
        }
        State::Name(_) | State::AnyOf(_) | State::Any => BTreeMap::new(),
    }
}

/// A location with thread states.
#[derive(Serialize)]
pub(super) struct PlaceDocument {
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    statement: String,
    cubes: Vec<CubeDocument>,
}

/// Values of shared and of local variables; those that are not mentioned are arbitrary.
#[derive(Serialize)]
pub(super) struct CubeDocument {
    shared: BTreeMap<String, bool>,
    locals: BTreeMap<String, bool>,
}

pub(super) fn place_document(
    words: &ProgramWords<'_>,
    location: LocationId,
    cubes: &[(Cube, Cube)],
) -> PlaceDocument {
    PlaceDocument {
        at: words.program().location_text(location),
        line: words.line(location),
        statement: words.statement(location),
        cubes: cubes.iter().map(|(shared, locals)| cube_document(words, shared, locals)).collect(),
    }
}

pub(super) fn cube_document(words: &ProgramWords<'_>, shared: &Cube, locals: &Cube) -> CubeDocument {
    CubeDocument {
        shared: shared.iter().map(|(index, value)| (words.shared_name(index), value)).collect(),
        locals: locals.iter().map(|(index, value)| (words.local_name(index), value)).collect(),
    }
}
