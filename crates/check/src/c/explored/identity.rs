//! Whether a program can tell threads apart by what `pthread_create` told of them.
//!
//! The model gives each thread a number of its own, and tells it in the step that starts the thread. On a machine, a thread that was joined may leave
//! its number to another one, and a thread may run before its number is told. A program that only joins threads by their numbers cannot see
//! that. One that compares such numbers can, so exploring the model says nothing about it.

use throng_cfa::flow::{Effect, Expression, ExpressionId, Program, VariableId};

/// Whether a value that came from starting a thread is compared with anything.
pub(super) fn is_seen(program: &Program) -> bool {
    let mut is_number = vec![false; program.variables.len()];
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for edge in &program.edges {
            let mut given: Vec<(VariableId, ExpressionId)> =
                edge.assignments.iter().map(|assignment| (assignment.target, assignment.value)).collect();
            if let Some(Effect::Spawn { arguments, .. }) = &edge.effect {
                given.extend(arguments);
            }
            given.extend(edge.updates().iter().flat_map(|update| update.assignments.iter().copied()));
            for (target, value) in given {
                if has_number(program, &is_number, value) {
                    is_changed |= !std::mem::replace(&mut is_number[target.index()], true);
                }
            }
        }
        // What a thread returns is told to whoever joins it.
        let mut results = program.templates.iter().filter_map(|template| template.result);
        if results.any(|result| is_number[result.index()]) {
            return true;
        }
    }
    let roots = program.edges.iter().flat_map(|edge| edge.expressions());
    program.expressions.subexpressions(roots).into_iter().any(|id| match program.expressions.get(id) {
        Expression::Binary(operator, a, b) if operator.is_comparison() => {
            has_number(program, &is_number, a) || has_number(program, &is_number, b)
        }
        _ => false,
    })
}

/// Whether a value is made of such a number.
fn has_number(program: &Program, is_number: &[bool], id: ExpressionId) -> bool {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match program.expressions.get(id) {
            Expression::NewThread => return true,
            Expression::Variable(v) | Expression::Element(v, _) | Expression::Passive(v)
                if is_number[v.index()] =>
            {
                return true;
            }
            // Joining by a number shows nothing of it.
            Expression::HasEnded(_) | Expression::ResultOf(_) => {}
            // Neither does where something else is.
            Expression::Element(..) => {}
            _ => open.extend(program.expressions.operands(id)),
        }
    }
    false
}
