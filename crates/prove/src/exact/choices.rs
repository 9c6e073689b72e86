//! What a step can lead to, whatever the arbitrary values in it are.
//!
//! Few bits of arbitrary values are tried. Otherwise, where the step depends on them, the solver lists what is different after the step;
//! of what has more than a few values, some variable is not tracked any more.

use super::Trouble;
use super::evaluate::Situation;
use super::states::{After, States};
use crate::translate::{Store, View, scope_of};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use throng_cfa::flow::{Edge, EdgeId, Effect, ExpressionId, Program, Scope, VariableId};
use throng_solver::bits::BitSolver;
use throng_solver::terms::{TermId, Terms};

/// So many bits are tried.
const FEW_BITS: u32 = 6;
/// A step leads to no more than so many states.
const MOST_OUTCOMES: usize = 64;

/// What the solver said.
#[derive(Default)]
pub(super) struct Choices {
    known: FxHashMap<(EdgeId, Vec<u128>, Vec<u128>), Vec<After>>,
}

/// What is not known after a step with unknown values.
enum Unsure {
    /// Whether it is possible.
    Guard,
    /// What a variable holds.
    Value(VariableId),
}

/// All that may be there after an edge.
pub(super) fn outcomes(
    states: &mut States<'_>,
    edge: EdgeId,
    shared: &[u128],
    own: &[u128],
) -> Result<Vec<After>, Trouble> {
    let nondets = &states.code[edge.index()].nondets;
    let n_bits: u32 = nondets.iter().map(|&(_, bits)| bits).sum();
    if n_bits > FEW_BITS {
        return wide(states, edge, shared, own);
    }
    let nondets = nondets.clone();
    let mut found: Vec<After> = Vec::new();
    for pattern in 0..1_u128 << n_bits {
        let mut rest = pattern;
        let mut chosen = Vec::new();
        for &(nondet, bits) in &nondets {
            chosen.push((nondet, rest & throng_cfa::flow::mask(bits)));
            rest >>= bits;
        }
        match step(states, edge, Situation { shared, own, passive: &[], chosen: &chosen }) {
            (Some(_), Some(Unsure::Value(variable))) => return Err(Trouble::Untrack(variable)),
            (Some(after), _) if !found.contains(&after) => found.push(after),
            _ => {}
        }
    }
    Ok(found)
}

/// Evaluates a step: what is there after it, if it is possible, and what is not known about that.
fn step(states: &mut States<'_>, id: EdgeId, situation: Situation<'_>) -> (Option<After>, Option<Unsure>) {
    let States { program, layout, code, evaluator, .. } = states;
    evaluator.run(program, layout, &code[id.index()].order, situation);
    let edge = program.edge(id);
    let mut unsure = match evaluator.get(edge.guard) {
        Some(0) => return (None, None),
        Some(_) => None,
        None => Some(Unsure::Guard),
    };
    let mut after =
        After { shared: situation.shared.to_vec(), own: situation.own.to_vec(), arguments: Vec::new() };
    let live = layout.live(edge.to);
    for assignment in &edge.assignments {
        let variable = program.variable(assignment.target);
        let Some(start) = layout.start(assignment.target) else { continue };
        let is_shared = variable.scope == Scope::Shared;
        if !is_shared && !live.get(start).is_some_and(|&is_live| is_live) {
            continue;
        }
        let index = match assignment.index {
            None => Some(0),
            Some(index) => evaluator.get(index),
        };
        let (Some(index), Some(value)) = (index, evaluator.get(assignment.value)) else {
            unsure = Some(Unsure::Value(assignment.target));
            continue;
        };
        if index < u128::from(variable.length) {
            let row = if is_shared { &mut after.shared } else { &mut after.own };
            row[start + index as usize] = value;
        }
    }
    if let Some(Effect::Spawn { template, arguments }) = &edge.effect {
        let live = layout.live(program.templates[template.index()].entry);
        for &(variable, value) in arguments {
            let is_needed = layout.start(variable).is_some_and(|start| live[start]);
            let value = evaluator.get(value);
            if value.is_none() && is_needed {
                unsure = Some(Unsure::Value(variable));
            }
            after.arguments.push(value.unwrap_or(0));
        }
    }
    (Some(after), unsure)
}

/// The same where there are many arbitrary values.
fn wide(states: &mut States<'_>, edge: EdgeId, shared: &[u128], own: &[u128]) -> Result<Vec<After>, Trouble> {
    let found = step(states, edge, Situation { shared, own, passive: &[], chosen: &[] });
    match found {
        (None, _) => return Ok(Vec::new()),
        (Some(after), None) => return Ok(vec![after]),
        (Some(_), Some(_)) => {}
    }
    let key = (edge, shared.to_vec(), own.to_vec());
    if let Some(known) = states.choices.known.get(&key) {
        return Ok(known.clone());
    }
    let listed = list(states, edge, shared, own)?;
    states.choices.known.insert(key, listed.clone());
    Ok(listed)
}

/// Has the solver list what is there after a step.
fn list(states: &States<'_>, id: EdgeId, shared: &[u128], own: &[u128]) -> Result<Vec<After>, Trouble> {
    let program = states.program;
    let edge = program.edge(id);
    let template = program.location(edge.from).template;
    let mut terms = Terms::new();
    let ours = store(states, Scope::Shared, shared, &mut terms);
    let mine = store(states, scope_of(template), own, &mut terms);
    let mut view = View::new(&program.expressions, &ours, &mine);
    let guard = view.term(&mut terms, edge.guard);
    let changes = view.assign(&mut terms, &edge.assignments);
    let (places, arguments) = changed(states, edge, &changes);
    let mut given = Vec::new();
    for value in arguments {
        given.push(match value {
            Some(value) => view.term(&mut terms, value),
            None => terms.constant(0, 1),
        });
    }
    let over: Vec<TermId> = places.iter().map(|&(_, _, _, term)| term).chain(given.iter().copied()).collect();
    let mut solver = BitSolver::default();
    solver.assert(&terms, guard);
    let mut found: Vec<After> = Vec::new();
    let ended = solver.for_each_model(&terms, &[], &over, states.budget, |values| {
        let mut after = After { shared: shared.to_vec(), own: own.to_vec(), arguments: Vec::new() };
        for (&(_, is_shared, place, _), &value) in places.iter().zip(values) {
            let row = if is_shared { &mut after.shared } else { &mut after.own };
            row[place] = value;
        }
        after.arguments = values[places.len()..].to_vec();
        found.push(after);
        if found.len() > MOST_OUTCOMES { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if ended.is_break() {
        return Err(match widest(program, edge, &places, &found) {
            Some(variable) => Trouble::Untrack(variable),
            None => Trouble::TooMany,
        });
    }
    Ok(found)
}

/// A change that is tracked: the variable, whether it is shared, the place in its row, the value.
type Place = (VariableId, bool, usize, TermId);

/// The changes that are tracked, and the values that a new thread gets, as far as it needs them.
fn changed(
    states: &States<'_>,
    edge: &Edge,
    changes: &[(VariableId, usize, TermId)],
) -> (Vec<Place>, Vec<Option<ExpressionId>>) {
    let (program, layout) = (states.program, &states.layout);
    let live = layout.live(edge.to);
    let place = |&(variable, index, term): &(VariableId, usize, TermId)| {
        let place = layout.start(variable)? + index;
        let is_shared = program.variable(variable).scope == Scope::Shared;
        (is_shared || live.get(place).copied().unwrap_or(false)).then_some((variable, is_shared, place, term))
    };
    let arguments = match &edge.effect {
        Some(Effect::Spawn { template, arguments }) => {
            let live = layout.live(program.templates[template.index()].entry);
            let is_needed = |variable| layout.start(variable).is_some_and(|start| live[start]);
            arguments.iter().map(|&(variable, value)| is_needed(variable).then_some(value)).collect()
        }
        _ => Vec::new(),
    };
    (changes.iter().filter_map(place).collect(), arguments)
}

/// The variable with the most values among what was found.
fn widest(program: &Program, edge: &Edge, places: &[Place], found: &[After]) -> Option<VariableId> {
    let count = |values: Vec<u128>| {
        let distinct: rustc_hash::FxHashSet<u128> = values.into_iter().collect();
        distinct.len()
    };
    let changed = places.iter().map(|&(variable, is_shared, place, _)| {
        let of = |after: &After| if is_shared { after.shared[place] } else { after.own[place] };
        (variable, count(found.iter().map(of).collect()))
    });
    let arguments = match &edge.effect {
        Some(Effect::Spawn { arguments, .. }) => arguments.as_slice(),
        _ => &[],
    };
    let given = arguments.iter().enumerate().map(|(number, &(variable, _))| {
        (variable, count(found.iter().map(|after| after.arguments[number]).collect()))
    });
    let widest = changed.chain(given).max_by_key(|&(_, count)| count);
    widest
        .filter(|&(variable, count)| count > 1 && variable.index() < program.variables.len())
        .map(|(v, _)| v)
}

/// Terms for a row: constants for what is tracked, and new variables for the rest.
fn store(states: &States<'_>, scope: Scope, row: &[u128], terms: &mut Terms) -> Store {
    let mut store = Store::fresh(states.program, scope, terms, "");
    let scalars = match scope {
        Scope::Shared => &states.layout.shared,
        Scope::Local(template) => &states.layout.own[template.index()],
    };
    for (scalar, &value) in scalars.iter().zip(row) {
        let term = terms.constant(value, states.program.variable(scalar.variable).bits);
        store.set(scalar.variable, scalar.index as usize, term);
    }
    store
}
