//! Whether an edge does what a path does.

use super::symbolic::{Deed, Workshop, Write};
use std::collections::BTreeSet;
use throng_cfa::flow::{EdgeId, Effect, NondetId, PassiveUpdate, Program, VariableId};
use throng_cfa::merge::{Choice, Merged};
use throng_solver::{TermId, Terms};

/// The arbitrary value that a part of a path chooses.
pub(super) fn arbitrary(terms: &mut Terms, part: usize, nondet: NondetId, bits: u32) -> TermId {
    terms.variable(&format!("arbitrary{}.{part}.{bits}", nondet.index()), bits)
}

/// A formula that is true where an edge and its path do different things: one is possible and the other is not, or variables
/// hold different values afterwards, or the effect has others. Arbitrary values of the edge are those of the path that its
/// choices say, each another one: then values can be chosen for the edge iff they can for the path. The error says what is
/// different in all states.
pub(super) fn differ(
    before: &Program,
    merged: &Merged,
    id: EdgeId,
    path: &Deed,
    workshop: &mut Workshop,
) -> Result<TermId, String> {
    let (after, choices) = (&merged.program, &merged.choices[id.index()]);
    let edge = after.edge(id);
    if !is_injective(choices) {
        return Err("an arbitrary value stands for several ones".to_owned());
    }
    let last = merged.paths[id.index()].last().map(|&last| before.edge(last));
    if !last.is_some_and(|last| last.to == edge.to && is_like(last.effect.as_ref(), edge.effect.as_ref())) {
        return Err("it does not end as its path does".to_owned());
    }
    let chosen = |terms: &mut Terms, nondet: NondetId, bits: u32| match choices
        .iter()
        .find(|choice| choice.nondet == nondet)
    {
        Some(choice) => arbitrary(terms, choice.part, choice.original, bits),
        None => terms.fresh("unknown", bits),
    };
    let done = workshop.then(after, &Deed::default(), edge, &chosen).ok_or("it looks at its own result")?;
    let (expected, guard) = (workshop.guard(path), workshop.guard(&done));
    let mut differences = writes_differ(before, &path.writes, &done.writes, workshop);
    for (&a, &b) in path.effect.iter().zip(&done.effect) {
        differences.push(workshop.terms.ne(a, b));
    }
    let differs = workshop.terms.or_all(differences);
    let differs = workshop.terms.and(expected, differs);
    let is_other = workshop.terms.xor(expected, guard);
    Ok(workshop.terms.or(differs, is_other))
}

/// A formula that is true where a path is possible and changes something.
pub(super) fn changes(program: &Program, path: &Deed, workshop: &mut Workshop) -> TermId {
    let differences = writes_differ(program, &path.writes, &[], workshop);
    let differs = workshop.terms.or_all(differences);
    let guard = workshop.guard(path);
    workshop.terms.and(guard, differs)
}

/// Each arbitrary value of the edge is one of the path, and no two are the same one.
fn is_injective(choices: &[Choice]) -> bool {
    let of_edge: BTreeSet<NondetId> = choices.iter().map(|choice| choice.nondet).collect();
    let of_path: BTreeSet<(usize, NondetId)> =
        choices.iter().map(|choice| (choice.part, choice.original)).collect();
    of_edge.len() == choices.len() && of_path.len() == choices.len()
}

/// Whether two effects differ in values only.
fn is_like(a: Option<&Effect>, b: Option<&Effect>) -> bool {
    let targets = |list: &[(VariableId, _)]| list.iter().map(|&(target, _)| target).collect::<Vec<_>>();
    let updates = |a: &[PassiveUpdate], b: &[PassiveUpdate]| {
        let is_same = |(a, b): (&PassiveUpdate, &PassiveUpdate)| {
            a.template == b.template && targets(&a.assignments) == targets(&b.assignments)
        };
        a.len() == b.len() && a.iter().zip(b).all(is_same)
    };
    match (a, b) {
        (None, None) => true,
        (
            Some(Effect::Spawn { template, arguments }),
            Some(Effect::Spawn { template: same, arguments: others }),
        ) => template == same && targets(arguments) == targets(others),
        (Some(Effect::Broadcast(a)), Some(Effect::Broadcast(b)))
        | (Some(Effect::Signal(a)), Some(Effect::Signal(b))) => updates(a, b),
        _ => false,
    }
}

/// Formulas of which one is true where variables hold different values after these writes: at places that one of them is to.
fn writes_differ(program: &Program, a: &[Write], b: &[Write], workshop: &mut Workshop) -> Vec<TermId> {
    let targets: BTreeSet<VariableId> = a.iter().chain(b).map(|&(target, _, _)| target).collect();
    let mut differences = Vec::new();
    for target in targets {
        let indices: BTreeSet<Option<TermId>> = a
            .iter()
            .chain(b)
            .filter(|&&(written, _, _)| written == target)
            .map(|&(_, index, _)| index)
            .collect();
        for index in indices {
            let one = workshop.read(program, a, target, index);
            let other = workshop.read(program, b, target, index);
            differences.push(workshop.terms.ne(one, other));
        }
    }
    differences
}
