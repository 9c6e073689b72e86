//! Documents of invariants: from an invariant over a program's numbers, and back to one whose every part has a meaning.
//!
//! Nothing is proved here. What comes out of [`invariant_of`] is well-formed: predicates are one bit wide and about variables
//! of the right threads, scopes are locations of the right code, literals fit their predicates. Texts are read by the
//! language of [`throng_cprog::invariant`]; places are for information and not compared.

use crate::{Condition, Rejection};
use throng_cert::document::{self, Body, ElementThread, InvariantElement};
use throng_cert::{EvidenceDocument, Header, Verdict};
use throng_cprog::flow::{LocationId, Program, TemplateId};
use throng_cprog::invariant::{
    Context, Element, Invariant, Literal, Of, Party, Predicate, PredicateId, Predicates, check_element,
    check_predicate, expression_text, parse_expression, template_named, template_text,
};

/// The document that tells an invariant. `options` are those with which the program was read. The error says in words
/// which predicate or element cannot be told: one without a meaning, or with a text that is too long or too deep.
pub fn invariant_document(
    program: &Program,
    invariant: &Invariant,
    options: Vec<String>,
    header: Header<'_>,
) -> Result<EvidenceDocument, String> {
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

fn of_predicate(index: usize) -> String {
    format!("predicate {index}")
}

fn of_element(index: usize) -> String {
    format!("element {index}")
}

fn element_document(program: &Program, element: &Element) -> Result<InvariantElement, String> {
    let threads = element.threads.iter().map(|&location| {
        let position = &program.site(program.location(location).site).position;
        ElementThread {
            location: location.raw(),
            place: Some(format!("{}:{}", position.file, position.line)),
        }
    });
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

/// The invariant that a document tells, in which everything has a meaning.
pub fn invariant_of(program: &Program, invariant: &document::Invariant) -> Result<Invariant, Rejection> {
    let mut predicates = Predicates::new(program.expressions.clone());
    for (index, predicate) in invariant.predicates.iter().enumerate() {
        // The number of a predicate is its place, so none is left out even if it is there twice.
        let predicate = predicate_of(program, &mut predicates, predicate, &of_predicate(index))?;
        predicates.list.push(predicate);
    }
    let elements = invariant.elements.iter().enumerate().map(|(index, element)| {
        let element = element_of(element);
        let checked = check_element(program, &predicates, &element);
        checked.map_err(|why| Rejection::new(Condition::Form, of_element(index), why))?;
        Ok(element)
    });
    let elements = elements.collect::<Result<_, Rejection>>()?;
    Ok(Invariant { predicates, elements })
}

fn predicate_of(
    program: &Program,
    predicates: &mut Predicates,
    predicate: &document::Predicate,
    here: &str,
) -> Result<Predicate, Rejection> {
    let template = |name: &str| -> Result<TemplateId, Rejection> {
        let missing = || Rejection::new(Condition::Names, here, format!("no threads run `{name}`"));
        template_named(program, name).ok_or_else(missing)
    };
    let active = predicate.active.as_deref().map(template).transpose()?;
    let location = |&number: &u32| LocationId::new(number as usize);
    let party = |passive: &document::Passive| -> Result<Party, Rejection> {
        let scope = passive.scope.iter().map(location).collect();
        Ok(Party { template: template(&passive.template)?, scope })
    };
    let passive = predicate.passive.as_ref().map(party).transpose()?;
    let context = Context { active, passive: passive.as_ref().map(|party| party.template), is_all: false };
    let expression = parse_expression(program, &mut predicates.expressions, context, &predicate.text)
        .map_err(|error| Rejection::new(Condition::Form, here, error.with_column(&predicate.text)))?;
    let read = Predicate { expression, active, passive };
    check_predicate(program, &predicates.expressions, &read)
        .map_err(|why| Rejection::new(Condition::Form, here, why))?;
    Ok(read)
}

fn element_of(element: &InvariantElement) -> Element {
    let literal = |literal: &document::Literal| {
        let of = match (literal.thread, literal.passive) {
            (None, _) => Of::State,
            (Some(thread), None) => Of::Thread(thread as usize),
            (Some(active), Some(passive)) => Of::Pair(active as usize, passive as usize),
        };
        Literal { predicate: PredicateId::new(literal.predicate as usize), of, value: literal.value }
    };
    Element {
        atomic: element.atomic,
        threads: element.threads.iter().map(|thread| LocationId::new(thread.location as usize)).collect(),
        literals: element.literals.iter().map(literal).collect(),
    }
}
