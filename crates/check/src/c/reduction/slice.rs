//! Slicing: a program in which some assignments are missing.
//!
//! Let D be the variables to which an assignment is missing (of an edge, of a thread's start, of a passive update; all those
//! that a missing effect would assign). Accepted iff nothing else is different and no expression that is still evaluated reads
//! a variable of D. A look at results reads the results of all code.
//!
//! Then for each run of the program before there is one of the program after with the same steps, in which all threads are at
//! the same locations and all variables but those of D have the same values: by induction, guards and all values that are
//! assigned are the same, and a signal can be given to the same thread, if it is not missing. If it is missing it only changed
//! variables of D. In particular the same errors are reached.

use super::wrong;
use crate::Rejection;
use throng_cfa::flow::{
    Assignment, Edge, Effect, Expression, ExpressionId, PassiveUpdate, Program, VariableId,
};

/// Checks that a program has the errors of the one that it was made of.
pub(super) fn check(before: &Program, after: &Program) -> Result<(), Rejection> {
    let mut is_dropped = vec![false; before.variables.len()];
    if before.edges.len() != after.edges.len() {
        return Err(wrong("the sliced program", "it has not the same edges"));
    }
    if before.locations.iter().zip(&after.locations).any(|(a, b)| a.edges != b.edges) {
        return Err(wrong("the sliced program", "its edges are elsewhere"));
    }
    for (index, (old, new)) in before.edges.iter().zip(&after.edges).enumerate() {
        let is_same = (old.from, old.to, old.guard) == (new.from, new.to, new.guard);
        if !is_same || !missing(old, new, &mut is_dropped) {
            let reason = "more than assignments was sliced away";
            return Err(wrong(format!("edge {index} of the sliced program"), reason));
        }
    }
    let roots = after.edges.iter().flat_map(Edge::expressions);
    for id in after.expressions.subexpressions(roots) {
        if let Some(variable) = read_by(after, id).into_iter().find(|v| is_dropped[v.index()]) {
            let name = &after.variable(variable).name;
            return Err(wrong(format!("`{name}`"), "it was sliced away, but it is read"));
        }
    }
    Ok(())
}

/// The variables that a subexpression reads.
fn read_by(program: &Program, id: ExpressionId) -> Vec<VariableId> {
    match program.expressions.get(id) {
        Expression::Variable(v) | Expression::Element(v, _) | Expression::Passive(v) => vec![v],
        Expression::ResultOf(_) => program.templates.iter().filter_map(|it| it.result).collect(),
        _ => Vec::new(),
    }
}

/// Marks the variables to which assignments are missing; whether nothing else is.
fn missing(old: &Edge, new: &Edge, is_dropped: &mut [bool]) -> bool {
    let target = |assignment: &Assignment| assignment.target;
    if !is_part(&old.assignments, &new.assignments, target, is_dropped) {
        return false;
    }
    match (&old.effect, &new.effect) {
        (None, None) => true,
        (Some(Effect::Broadcast(updates) | Effect::Signal(updates)), None) => {
            let targets = updates.iter().flat_map(|update| &update.assignments);
            targets.for_each(|&(target, _)| is_dropped[target.index()] = true);
            true
        }
        (
            Some(Effect::Spawn { template, arguments }),
            Some(Effect::Spawn { template: same, arguments: kept }),
        ) => template == same && is_part(arguments, kept, |&(target, _)| target, is_dropped),
        (Some(Effect::Broadcast(old)), Some(Effect::Broadcast(new)))
        | (Some(Effect::Signal(old)), Some(Effect::Signal(new))) => {
            let mut is_same = |(old, new): (&PassiveUpdate, &PassiveUpdate)| {
                (old.template, old.guard) == (new.template, new.guard)
                    && is_part(&old.assignments, &new.assignments, |&(target, _)| target, is_dropped)
            };
            old.len() == new.len() && old.iter().zip(new).all(&mut is_same)
        }
        _ => false,
    }
}

/// Whether a list is another one without some of its assignments, whose targets are marked.
fn is_part<T: PartialEq>(
    old: &[T],
    new: &[T],
    target: impl Fn(&T) -> VariableId,
    is_dropped: &mut [bool],
) -> bool {
    let mut kept = new.iter().peekable();
    for assignment in old {
        if kept.next_if(|it| *it == assignment).is_none() {
            is_dropped[target(assignment).index()] = true;
        }
    }
    kept.next().is_none()
}
