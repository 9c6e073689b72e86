//! What the checker relies on in a control-flow graph, looked at once: the reader makes no other graphs, but nothing here
//! may go wrong if one did.

use crate::verdict::{Condition, Rejection};
use throng_boolprog::flow::{Assignment, ChildLocals, Effect, ExpressionId, Program, VariableId};
use throng_boolprog::{Cube, ProgramQuestion};

/// Threads start outside of atomic sections; next values are read in constraints only, passive ones in assignments to
/// such variables; arguments of threads that are started are not constrained; the question speaks about the program.
pub(super) fn check(program: &Program, question: &ProgramQuestion) -> Result<(), Rejection> {
    let is_atomic = |at| program.location(at).is_atomic;
    let mut is_good = !is_atomic(program.entry()) && !is_atomic(program.error());
    for edge in program.edges() {
        is_good &= edge.guard.into_iter().chain(edge.enforced).all(|id| reads(program, id, false, false));
        match edge.effect {
            Effect::Start { at, locals } => {
                is_good &= !is_atomic(at);
                if let ChildLocals::Fresh(Some(id)) = locals {
                    let arguments = program.assignment(id);
                    is_good &= arguments.constraints.is_empty() && is_plain(program, arguments);
                }
            }
            Effect::None | Effect::Assign(_) => {}
        }
    }
    is_good &= program.assignments().iter().all(|assignment| is_assignment(program, assignment));
    let index = |variable| match variable {
        VariableId::Shared(index) => (index as usize) < program.shared().len(),
        VariableId::Local(index) => (index as usize) < program.locals().len(),
    };
    is_good &= question.targets.iter().all(|target| {
        target.shared.iter().all(|(it, _)| it == program.atomic_bit() || index(VariableId::Shared(it)))
            && target.threads.iter().all(|thread| {
                let all_known = |locals: &Cube| locals.iter().all(|(it, _)| index(VariableId::Local(it)));
                thread.location.index() < program.locations().len() && all_known(&thread.locals)
            })
    });
    if is_good {
        return Ok(());
    }
    let reason = "the control-flow graph or the question is not one that the checker knows";
    Err(Rejection::new(Condition::Form, "the input", reason))
}

/// Whether an expression reads nothing but what is allowed.
fn reads(program: &Program, id: ExpressionId, next: bool, passive: bool) -> bool {
    let mut references = program.expression(id).references();
    references.all(|it| (next || !it.is_next) && (passive || !it.is_passive))
}

/// Whether targets are own variables of a thread, and values are computed from current ones.
fn is_plain(program: &Program, assignment: &Assignment) -> bool {
    let is_own = |variable| matches!(variable, VariableId::Local(_));
    assignment.targets.iter().all(|target| is_own(target.variable) && !target.is_passive)
        && assignment.values.iter().all(|&id| reads(program, id, false, false))
}

fn is_assignment(program: &Program, assignment: &Assignment) -> bool {
    let is_broadcast = assignment.targets.iter().any(|target| target.is_passive);
    let mut pairs = assignment.targets.iter().zip(&assignment.values);
    assignment.targets.len() == assignment.values.len()
        && pairs.all(|(target, &id)| reads(program, id, false, target.is_passive))
        && assignment.constraints.iter().all(|&id| reads(program, id, true, is_broadcast))
}
