//! Documents of invariants: from an invariant over a program's numbers, and back to one whose every part has a meaning.
//!
//! Nothing is proved here. What comes out of [`invariant_of`] is well-formed: predicates are one bit wide and about variables
//! of the right threads, scopes are locations of the right code, literals fit their predicates. Texts are read by the
//! language of [`throng_cfa::invariant`]; places are for information and not compared.

use crate::{Condition, Rejection};
use throng_cert::document::{self, InvariantElement};
use throng_cfa::flow::{LocationId, Program, TemplateId};
use throng_cfa::invariant::{
    Context, Count, Element, Invariant, Literal, Of, Party, Predicate, PredicateId, Predicates,
    check_element, check_predicate, counted, parse_expression, template_named,
};

fn of_predicate(index: usize) -> String {
    format!("predicate {index}")
}

fn of_element(index: usize) -> String {
    format!("element {index}")
}

/// The invariant that a document tells, in which everything has a meaning.
pub fn invariant_of(program: &Program, invariant: &document::Invariant) -> Result<Invariant, Rejection> {
    let counts = counts_of(program, &invariant.counts)?;
    let program = &counted(program, &counts);
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
    Ok(Invariant { counts, predicates, elements })
}

/// Counts whose locations exist, with positive weights, and names that no variable has.
fn counts_of(program: &Program, counts: &[document::ThreadCount]) -> Result<Vec<Count>, Rejection> {
    let mut all: Vec<Count> = Vec::new();
    for (index, count) in counts.iter().enumerate() {
        let reject = |why: &str| Err(Rejection::new(Condition::Form, format!("count {index}"), why));
        let mut weights: Vec<(LocationId, u64)> = Vec::new();
        for weight in &count.weights {
            if weight.location as usize >= program.locations.len() || weight.weight == 0 {
                return reject("a location does not exist, or has weight 0");
            }
            weights.push((LocationId::new(weight.location as usize), weight.weight));
        }
        weights.sort_unstable();
        let is_twice = weights.windows(2).any(|two| matches!(two, [(a, _), (b, _)] if a == b));
        if is_twice {
            return reject("a location is listed twice");
        }
        if !(1..=128).contains(&count.bits) || weights.iter().any(|&(_, weight)| !fits(weight, count.bits)) {
            return reject("its width is not between 1 and 128, or too small for a weight");
        }
        let is_known = program.variables.iter().any(|variable| variable.name == count.name)
            || all.iter().any(|other| other.name == count.name);
        if !count.name.starts_with('#') || is_known {
            return reject("its name does not begin with `#`, or something else is called so");
        }
        all.push(Count { name: count.name.clone(), bits: count.bits, weights });
    }
    Ok(all)
}

fn fits(weight: u64, bits: u32) -> bool {
    weight.checked_shr(bits).unwrap_or(0) == 0
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
