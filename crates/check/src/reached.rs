//! Checks that thread states of systems are reached: performs all branches of a forest, each as a trace is performed.
//!
//! The invariant is that every branch ends in a configuration that can be reached. A thread state is reached if one of these
//! has its shared state and a thread in its local state.

use crate::trace::{Reader, State, initial};
use crate::verdict::{Condition, Rejection};
use std::collections::BTreeSet;
use throng_cert::forest::{Forest, Root};
use throng_model::{LocalId, SharedId, System};

/// Accepts that all these shared states occur together with a thread in the local state, or says what is wrong.
pub fn check_reached(
    system: &System,
    forest: &Forest,
    claims: &BTreeSet<(SharedId, LocalId)>,
) -> Result<(), Rejection> {
    let mut reader = Reader::new(system);
    let mut ends: Vec<State> = Vec::with_capacity(forest.branches.len());
    let mut seen: BTreeSet<(SharedId, LocalId)> = BTreeSet::new();
    for (number, branch) in forest.branches.iter().enumerate() {
        let mut state = match &branch.root {
            Root::Initial(written) => initial(system, written)?.0,
            Root::Branch(before) => {
                let place = crate::names::place("branch", number);
                let missing = || Rejection::new(Condition::Form, place, "begins where no branch ends");
                ends.get(*before).ok_or_else(missing)?.clone()
            }
        };
        if let Some(item) = &branch.item {
            let segment = reader.segment(item, 0)?;
            state.run(system, &segment)?;
        }
        let occupied = state.counts.iter().filter(|&(_, &count)| count > 0);
        seen.extend(occupied.map(|(&local, _)| (state.shared, local)));
        ends.push(state);
    }
    let Some(&(shared, local)) = claims.difference(&seen).next() else { return Ok(()) };
    let name = |names: &throng_model::Names, index: usize| {
        if index < names.len() { names.get(index).into_owned() } else { format!("#{index}") }
    };
    let state = name(system.shared_names(), shared.index());
    let place = format!("a thread in `{}` at shared state `{state}`", name(system.local_names(), local.index()));
    Err(Rejection::new(Condition::TraceTarget, place, "is claimed to be reached, but no branch shows it"))
}
