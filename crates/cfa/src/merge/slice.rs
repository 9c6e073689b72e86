//! Slicing: assignments to variables that cannot influence whether an error is reached are left out.
//!
//! A variable is *relevant* if a guard reads it, or a value or an index of an assignment to a relevant variable (the cone
//! of influence). So is the result of a template if one of these expressions asks for results. The guards of passive updates
//! count if one of the updates of their effect assigns to a relevant variable.
//!
//! Without the assignments to other variables there are the same runs, as far as locations and relevant variables go: by
//! induction over a run, guards have the same values, and relevant variables get the same values. If no update of an effect
//! assigns to a relevant variable, it makes no difference whom it is about, and it is left out. Otherwise all its updates stay,
//! some perhaps without assignments, since which one happens to whom depends on all guards.

use crate::flow::{Edge, Effect, Expression, ExpressionId, Program, VariableId};

/// A program without assignments to variables that do not matter. All numbers stay what they are.
pub fn slice(program: &Program) -> Program {
    let is_relevant = relevant(program);
    let matters = |variable: VariableId| is_relevant[variable.index()];
    let mut sliced = program.clone();
    for edge in &mut sliced.edges {
        edge.assignments.retain(|assignment| matters(assignment.target));
        match &mut edge.effect {
            Some(Effect::Spawn { arguments, .. }) => arguments.retain(|&(target, _)| matters(target)),
            Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => {
                for update in updates.iter_mut() {
                    update.assignments.retain(|&(target, _)| matters(target));
                }
                if updates.iter().all(|update| update.assignments.is_empty()) {
                    edge.effect = None;
                }
            }
            None => {}
        }
    }
    sliced
}

/// By variable: whether it is relevant, the least fixed point of the definition above.
pub(super) fn relevant(program: &Program) -> Vec<bool> {
    let mut is_relevant = vec![false; program.variables.len()];
    loop {
        let roots: Vec<ExpressionId> =
            program.edges.iter().flat_map(|edge| relevant_expressions(edge, &is_relevant)).collect();
        let mut is_changed = false;
        let mut mark = |variable: VariableId| {
            is_changed |= !std::mem::replace(&mut is_relevant[variable.index()], true);
        };
        for id in program.expressions.subexpressions(roots) {
            match program.expressions.get(id) {
                Expression::Variable(v) | Expression::Element(v, _) | Expression::Passive(v) => mark(v),
                Expression::ResultOf(_) => {
                    program.templates.iter().filter_map(|template| template.result).for_each(&mut mark);
                }
                _ => {}
            }
        }
        if !is_changed {
            return is_relevant;
        }
    }
}

/// The expressions of an edge that matter if these variables do.
fn relevant_expressions(edge: &Edge, is_relevant: &[bool]) -> Vec<ExpressionId> {
    let matters = |variable: VariableId| is_relevant[variable.index()];
    let mut all = vec![edge.guard];
    for assignment in edge.assignments.iter().filter(|assignment| matters(assignment.target)) {
        all.extend(assignment.index);
        all.push(assignment.value);
    }
    let values = |list: &[(VariableId, ExpressionId)]| -> Vec<ExpressionId> {
        list.iter().filter(|(target, _)| matters(*target)).map(|&(_, value)| value).collect()
    };
    if let Some(Effect::Spawn { arguments, .. }) = &edge.effect {
        all.extend(values(arguments));
    }
    let updated: Vec<ExpressionId> =
        edge.updates().iter().flat_map(|update| values(&update.assignments)).collect();
    if !updated.is_empty() {
        all.extend(updated);
        all.extend(edge.updates().iter().map(|update| update.guard));
    }
    all
}
