//! Whether an element describes a state, by trying all threads.

use super::common::naive::{State, View};
use throng_cfa::flow::{ExpressionId, Program};
use throng_cfa::invariant::{Element, Literal, Of, Predicates};

/// The program with the expressions of predicates.
pub(crate) fn with_expressions(program: &Program, predicates: &Predicates) -> Program {
    Program { expressions: predicates.expressions.clone(), ..program.clone() }
}

/// Whether some threads of a state are as an element says. `program` has the expressions of the predicates.
pub(crate) fn describes(
    program: &Program,
    predicates: &Predicates,
    element: &Element,
    state: &State,
) -> bool {
    let mut is_atomic = state.threads.iter().map(|thread| program.location(thread.location).is_atomic);
    let is_atomic = is_atomic.any(|is_atomic| is_atomic);
    element.atomic.is_none_or(|wanted| wanted == is_atomic)
        && some_threads(program, predicates, element, state, &mut Vec::new())
}

fn some_threads(
    program: &Program,
    predicates: &Predicates,
    element: &Element,
    state: &State,
    chosen: &mut Vec<usize>,
) -> bool {
    let Some(&wanted) = element.threads.get(chosen.len()) else {
        let holds = |literal: &Literal| truth(program, predicates, literal, state, chosen) == literal.value;
        return element.literals.iter().all(holds);
    };
    (0..state.threads.len()).any(|thread| {
        if state.threads[thread].location != wanted || chosen.contains(&thread) {
            return false;
        }
        chosen.push(thread);
        let is_found = some_threads(program, predicates, element, state, chosen);
        chosen.pop();
        is_found
    })
}

fn truth(
    program: &Program,
    predicates: &Predicates,
    literal: &Literal,
    state: &State,
    chosen: &[usize],
) -> bool {
    let predicate = predicates.get(literal.predicate);
    let holds = |expression: ExpressionId, active: usize, passive: Option<usize>| {
        View { program, state, thread: active, passive, nondets: &[] }.eval(expression) == 1
    };
    let active = match literal.of {
        Of::State => None,
        Of::Thread(active) | Of::Pair(active, _) => Some(chosen[active]),
    };
    if let Of::Pair(_, passive) = literal.of {
        return holds(predicate.expression, active.unwrap_or(0), Some(chosen[passive]));
    }
    match &predicate.passive {
        None => holds(predicate.expression, active.unwrap_or(0), None),
        Some(party) => (0..state.threads.len())
            .filter(|&other| Some(other) != active)
            .filter(|&other| party.scope.contains(&state.threads[other].location))
            .all(|other| holds(predicate.expression, active.unwrap_or(0), Some(other))),
    }
}
