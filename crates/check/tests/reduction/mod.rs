//! Larger steps that are made without asking whether they are right: by passing over a location.
#![allow(dead_code, unreachable_pub, reason = "not every test file uses all of it")]

use rustc_hash::FxHashMap;
use throng_cfa::flow::*;
use throng_cfa::merge::{Choice, Merged};

/// A program as a merged one in which nothing is merged.
pub fn unmerged(program: &Program) -> Merged {
    let ids = || (0..program.edges.len()).map(EdgeId::new);
    let choices = |id: EdgeId| nondets(program, program.edge(id)).into_iter().map(own_choice).collect();
    Merged {
        program: program.clone(),
        paths: ids().map(|id| vec![id]).collect(),
        choices: ids().map(choices).collect(),
    }
}

fn own_choice(nondet: NondetId) -> Choice {
    Choice { part: 0, original: nondet, nondet }
}

pub fn nondets(program: &Program, edge: &Edge) -> Vec<NondetId> {
    let all = program.expressions.subexpressions(edge.expressions()).into_iter();
    let nondet = |id| match program.expressions.get(id) {
        Expression::Nondet(nondet) => Some(nondet),
        _ => None,
    };
    all.filter_map(nondet).collect()
}

/// An edge with what it is made of.
pub type Made = (Edge, Vec<EdgeId>, Vec<Choice>);

/// The edges of a merged program.
pub fn taken_apart(merged: &Merged) -> Vec<Made> {
    let parts = merged.program.edges.iter().cloned().zip(merged.paths.clone()).zip(merged.choices.clone());
    parts.map(|((edge, path), choices)| (edge, path, choices)).collect()
}

/// A merged program with other edges.
pub fn put_together(merged: &Merged, mut edges: Vec<Made>) -> Merged {
    edges.sort_by_key(|(edge, _, _)| edge.from);
    let mut result = merged.clone();
    for (index, location) in result.program.locations.iter_mut().enumerate() {
        let from = LocationId::new(index);
        let first = edges.partition_point(|(edge, _, _)| edge.from < from);
        let count = edges[first..].iter().take_while(|(edge, _, _)| edge.from == from).count();
        location.edges = (EdgeId::new(first), count as u32);
    }
    result.program.edges = edges.iter().map(|made| made.0.clone()).collect();
    result.paths = edges.iter().map(|made| made.1.clone()).collect();
    result.choices = edges.into_iter().map(|made| made.2).collect();
    result
}

/// The program in which threads do not stop at a location; `None` where that cannot be said.
pub fn passing(merged: &Merged, at: LocationId) -> Option<Merged> {
    let program = &merged.program;
    let is_entry = program.templates.iter().any(|template| template.entry == at);
    if is_entry || program.location(at).kind != LocationKind::Inner {
        return None;
    }
    let mut result = merged.clone();
    let all = taken_apart(merged);
    let mut edges = Vec::new();
    for made in all.iter().filter(|(edge, _, _)| edge.from != at) {
        if made.0.to != at {
            edges.push(made.clone());
            continue;
        }
        for next in all.iter().filter(|(edge, _, _)| edge.from == at) {
            if next.0.to == at {
                return None;
            }
            let both = after(&mut result.program, made, next)?;
            if result.program.expressions.as_constant(both.0.guard) != Some(0) {
                edges.push(both);
            }
        }
    }
    Some(put_together(&result, edges))
}

/// One edge after another.
fn after(program: &mut Program, first: &Made, second: &Made) -> Option<Made> {
    let shared = nondets(program, &first.0);
    let has_rows = first.0.assignments.iter().chain(&second.0.assignments).any(|it| it.index.is_some());
    if first.0.effect.is_some()
        || has_rows
        || nondets(program, &second.0).iter().any(|nondet| shared.contains(nondet))
    {
        return None;
    }
    let assigned: FxHashMap<VariableId, ExpressionId> =
        first.0.assignments.iter().map(|it| (it.target, it.value)).collect();
    let mut known = FxHashMap::default();
    let mut of = |program: &mut Program, id: ExpressionId| {
        program.expressions.rewrite(id, &mut known, &mut |_, expression, _| match expression {
            Expression::Variable(v) => assigned.get(&v).copied(),
            _ => None,
        })
    };
    let mut edge = second.0.clone();
    edge.from = first.0.from;
    let guard = of(program, second.0.guard);
    edge.guard = program.expressions.and(first.0.guard, guard);
    for assignment in &mut edge.assignments {
        assignment.value = of(program, assignment.value);
    }
    match &mut edge.effect {
        Some(Effect::Spawn { arguments, .. }) => {
            arguments.iter_mut().for_each(|(_, value)| *value = of(program, *value));
        }
        Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => {
            for update in updates {
                update.guard = of(program, update.guard);
                update.assignments.iter_mut().for_each(|(_, value)| *value = of(program, *value));
            }
        }
        None => {}
    }
    let is_kept = |it: &&Assignment| edge.assignments.iter().all(|later| later.target != it.target);
    let earlier: Vec<Assignment> = first.0.assignments.iter().filter(is_kept).cloned().collect();
    edge.assignments.splice(0..0, earlier);
    let later = second.2.iter().map(|choice| Choice { part: choice.part + first.1.len(), ..*choice });
    Some((edge, [&first.1[..], &second.1].concat(), first.2.iter().copied().chain(later).collect()))
}
