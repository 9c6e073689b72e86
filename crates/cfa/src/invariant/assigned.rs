//! Where a thread's variable certainly has a value that the program gave it: a forward must-analysis of one template's graph.
//!
//! In the graphs every variable holds something from the start, mostly 0, because nobody looks before it is assigned. Such a
//! value is not the program's. It is if it matters: if the thread can read it before it assigns, or if others read
//! the variable. Likewise, a declaration without an initialiser gives a variable no value.

use super::valid::parts;
use crate::flow::{
    Assignment, Edge, Effect, Expression, ExpressionId, LocationId, PassiveUpdate, Program, TemplateId,
    VariableId,
};

/// The locations of a template, of those that its edges lead to from its entry, at which one of its variables has been given a
/// value on every way there, sorted. It has one from the entry on if everyone who starts such a thread gives it one, or if it
/// has an initial value that matters. Assigning to an element of an array gives no value to the array.
///
/// That the value may be an arbitrary one (`x = nondet()`) does not matter here.
pub fn definitely_assigned(program: &Program, template: TemplateId, variable: VariableId) -> Vec<LocationId> {
    let entry = program.templates[template.index()].entry;
    let mut reached = reach(program, vec![entry], |_| true);
    let is_stopping = |edge: &Edge| assigned(program, edge, variable) == Some(true);
    let mut unassigned = Vec::new();
    if !is_assigned_at_entry(program, template, variable) {
        unassigned.push(entry);
    }
    let forgetting = program.edges.iter().filter(|edge| reached[edge.from.index()]);
    unassigned.extend(
        forgetting.filter(|edge| assigned(program, edge, variable) == Some(false)).map(|edge| edge.to),
    );
    // A value is missing exactly where some way from there assigns none.
    let without = reach(program, unassigned, |edge| !is_stopping(edge));
    for (reached, without) in reached.iter_mut().zip(without) {
        *reached &= !without;
    }
    let ids = (0..program.locations.len()).filter(|&index| reached[index]);
    ids.map(LocationId::new).collect()
}

/// Whether an edge gives a variable a value, or takes it away as a declaration does.
fn assigned(program: &Program, edge: &Edge, variable: VariableId) -> Option<bool> {
    let assigns = |assignment: &&Assignment| assignment.target == variable && assignment.index.is_none();
    let assignment = edge.assignments.iter().find(assigns)?;
    let is_declaration = match program.expressions.get(assignment.value) {
        Expression::Nondet(nondet) => program.nondets[nondet.index()].name == program.variable(variable).name,
        _ => false,
    };
    Some(!is_declaration)
}

fn is_assigned_at_entry(program: &Program, template: TemplateId, variable: VariableId) -> bool {
    let mut starts = program.edges.iter().filter_map(|edge| match &edge.effect {
        Some(Effect::Spawn { template: started, arguments }) if *started == template => Some(arguments),
        _ => None,
    });
    // Nobody starts the first thread of the program.
    let is_given =
        |arguments: &Vec<(VariableId, ExpressionId)>| arguments.iter().any(|&(target, _)| target == variable);
    (template != program.main && starts.all(is_given))
        || (program.variable(variable).initial.is_some() && is_initial_read(program, template, variable))
}

/// Whether somebody can read what a variable holds before its thread assigns to it.
fn is_initial_read(program: &Program, template: TemplateId, variable: VariableId) -> bool {
    let entry = program.templates[template.index()].entry;
    let before = reach(program, vec![entry], |edge| assigned(program, edge, variable).is_none());
    program.edges.iter().any(|edge| {
        let is_before = before[edge.from.index()];
        read_by(edge).any(|root| {
            parts(&program.expressions, root).into_iter().any(|id| match program.expressions.get(id) {
                Expression::Variable(read) | Expression::Element(read, _) => is_before && read == variable,
                Expression::Passive(read) => read == variable,
                _ => false,
            })
        })
    })
}

/// The expressions that an edge evaluates.
fn read_by(edge: &Edge) -> impl Iterator<Item = ExpressionId> {
    let updates: &[PassiveUpdate] = match &edge.effect {
        Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => updates,
        _ => &[],
    };
    let arguments: &[(VariableId, ExpressionId)] = match &edge.effect {
        Some(Effect::Spawn { arguments, .. }) => arguments,
        _ => &[],
    };
    let of_updates = updates.iter().flat_map(|update| {
        std::iter::once(update.guard).chain(update.assignments.iter().map(|&(_, value)| value))
    });
    let of_assignments = edge.assignments.iter().flat_map(|a| a.index.into_iter().chain([a.value]));
    let of_arguments = arguments.iter().map(|&(_, value)| value);
    std::iter::once(edge.guard).chain(of_assignments).chain(of_arguments).chain(of_updates)
}

/// Which locations such edges lead to.
fn reach(program: &Program, from: Vec<LocationId>, is_taken: impl Fn(&Edge) -> bool) -> Vec<bool> {
    let mut reached = vec![false; program.locations.len()];
    for location in &from {
        reached[location.index()] = true;
    }
    let mut open = from;
    while let Some(location) = open.pop() {
        for (_, edge) in program.edges_from(location) {
            if is_taken(edge) && !std::mem::replace(&mut reached[edge.to.index()], true) {
                open.push(edge.to);
            }
        }
    }
    reached
}
