//! Where `main` is *alone*: while a thread stands there it is the only one.
//!
//! These are the locations of `main` that cannot be reached from the target of an edge of `main` that starts a thread, if
//! nobody starts more threads of `main`. For there is one thread at the start; others come only by edges that start them, the
//! first of these is taken by the first thread, and afterwards that one is at locations that can be reached from the
//! edge's target. An edge that starts a thread may itself lead from such a location: what it reads and assigns, it does
//! alone.

use crate::flow::{Effect, LocationId, Program};

/// Whether some edge starts a thread of `main`.
pub(super) fn is_main_started(program: &Program) -> bool {
    program
        .edges
        .iter()
        .any(|edge| matches!(edge.effect, Some(Effect::Spawn { template, .. }) if template == program.main))
}

/// By location: whether a thread that stands there is the only one.
pub(super) fn alone(program: &Program) -> Vec<bool> {
    let is_main = |location: LocationId| program.location(location).template == program.main;
    let mut is_alone: Vec<bool> =
        program.locations.iter().map(|location| location.template == program.main).collect();
    if is_main_started(program) {
        is_alone.fill(false);
        return is_alone;
    }
    let starts = program.edges.iter().filter(|edge| matches!(edge.effect, Some(Effect::Spawn { .. })));
    let mut open: Vec<LocationId> = starts.map(|edge| edge.to).filter(|&to| is_main(to)).collect();
    while let Some(location) = open.pop() {
        if std::mem::replace(&mut is_alone[location.index()], false) {
            open.extend(program.edges_from(location).map(|(_, edge)| edge.to));
        }
    }
    is_alone
}
