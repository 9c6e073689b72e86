//! Evidence about C programs as documents: interleavings and invariants. The checker reads them with code of its own.

use throng_cert::document::{
    self, ArbitraryChoice, ArbitraryScalar, Body, ElementThread, Interleaving, InvariantElement, ThreadStep,
};
use throng_cert::{EvidenceDocument, Header, Verdict};
use throng_cfa::flow::{LocationId, NondetId, Program, VariableId};
use throng_cfa::invariant::{
    Count, Element, Invariant, Of, check_element, check_predicate, counted, expression_text, template_text,
};
use throng_cfa::text::Position;
use throng_cfa::trace::Trace;

/// The document that tells a trace. `options` are those with which the program was read.
pub fn interleaving_document(
    program: &Program,
    trace: &Trace,
    options: Vec<String>,
    header: Header<'_>,
) -> EvidenceDocument {
    let scalars = |list: &[(VariableId, u32, u128)]| {
        let scalar = |&(variable, element, value): &(VariableId, u32, u128)| ArbitraryScalar {
            variable: variable.raw(),
            element,
            value: value.to_string(),
            name: Some(program.variable(variable).name.clone()),
        };
        list.iter().map(scalar).collect::<Vec<_>>()
    };
    let choice = |&(nondet, value): &(NondetId, u128)| ArbitraryChoice {
        nondet: nondet.raw(),
        value: value.to_string(),
        name: Some(program.nondets[nondet.index()].name.clone()),
    };
    let steps = trace.steps.iter().map(|step| {
        let site = program.site(program.edge(step.edge).site);
        ThreadStep {
            thread: step.thread,
            edge: step.edge.raw(),
            at: show(&site.position),
            text: Some(site.text.clone()),
            choices: step.choices.iter().map(choice).collect(),
            signalled: step.signalled,
            started: scalars(&step.started),
        }
    });
    let body = Interleaving { options, start: scalars(&trace.start), steps: steps.collect() };
    EvidenceDocument {
        verdict: Verdict::Unsafe,
        engine: header.engine.map(str::to_owned),
        input: header.input.map(str::to_owned),
        body: Body::Interleaving(body),
    }
}

/// A position as it stands in documents.
fn show(position: &Position) -> String {
    format!("{}:{}:{}", position.file, position.line, position.column)
}

/// The document that tells an invariant. `options` are those with which the program was read. The error says in words
/// which predicate or element cannot be told: one without a meaning, or with a text that is too long or too deep.
pub fn invariant_document(
    program: &Program,
    invariant: &Invariant,
    options: Vec<String>,
    header: Header<'_>,
) -> Result<EvidenceDocument, String> {
    let program = &counted(program, &invariant.counts);
    let expressions = &invariant.predicates.expressions;
    let predicates = invariant.predicates.list.iter().enumerate().map(|(index, predicate)| {
        let text = check_predicate(program, expressions, predicate)
            .and_then(|()| expression_text(program, expressions, predicate.expression));
        let text = text.map_err(|why| format!("{}: {why}", of_predicate(index)))?;
        let passive = predicate.passive.as_ref().map(|party| document::Passive {
            template: template_text(program, party.template),
            scope: party.scope.iter().map(|location| location.raw()).collect(),
        });
        let active = predicate.active.map(|template| template_text(program, template));
        Ok(document::Predicate { text, active, passive })
    });
    let elements = invariant.elements.iter().enumerate().map(|(index, element)| {
        let told = check_element(program, &invariant.predicates, element);
        told.and_then(|()| element_document(program, element))
            .map_err(|why| format!("{}: {why}", of_element(index)))
    });
    let body = document::Invariant {
        options,
        counts: invariant.counts.iter().map(|count| count_document(program, count)).collect(),
        predicates: predicates.collect::<Result<_, String>>()?,
        elements: elements.collect::<Result<_, String>>()?,
    };
    Ok(EvidenceDocument {
        verdict: Verdict::Safe,
        engine: header.engine.map(str::to_owned),
        input: header.input.map(str::to_owned),
        body: Body::Invariant(body),
    })
}

fn count_document(program: &Program, count: &Count) -> document::ThreadCount {
    let weights = count.weights.iter().map(|&(location, weight)| document::LocationWeight {
        location: location.raw(),
        weight,
        place: Some(place(program, location)),
    });
    document::ThreadCount { name: count.name.clone(), bits: count.bits, weights: weights.collect() }
}

/// Where a location is in the source.
fn place(program: &Program, location: LocationId) -> String {
    let position = &program.site(program.location(location).site).position;
    format!("{}:{}", position.file, position.line)
}

fn of_predicate(index: usize) -> String {
    format!("predicate {index}")
}

fn of_element(index: usize) -> String {
    format!("element {index}")
}

fn element_document(program: &Program, element: &Element) -> Result<InvariantElement, String> {
    let threads = element
        .threads
        .iter()
        .map(|&at| ElementThread { location: at.raw(), place: Some(place(program, at)) });
    let number = |thread: usize| u32::try_from(thread).map_err(|_| "it has too many threads".to_owned());
    let literals = element.literals.iter().map(|literal| {
        let (thread, passive) = match literal.of {
            Of::State => (None, None),
            Of::Thread(thread) => (Some(number(thread)?), None),
            Of::Pair(active, passive) => (Some(number(active)?), Some(number(passive)?)),
        };
        Ok(document::Literal { predicate: literal.predicate.raw(), thread, passive, value: literal.value })
    });
    Ok(InvariantElement {
        atomic: element.atomic,
        threads: threads.collect(),
        literals: literals.collect::<Result<_, String>>()?,
    })
}
