//! Cuts from structural bounds: how many threads can a state hold at most?
//!
//! For a state p, the smallest bound of weights with y(p) = 1 that no rule raises is at least the number of threads
//! that p ever holds. Small bounds are worth having: with bound 1 the weights say that of many states only one is
//! occupied, by one thread — the shared state of a program that was written as a net, the location of one process.

use crate::CutPool;
use crate::generation::{Aim, Limits};
use crate::rows::Rows;
use crate::space::Space;
use std::collections::VecDeque;
use throng_base::{Budget, StopReason};
use throng_cert::Cut;

/// The largest bound that is kept.
const MOST_THREADS: f64 = 8.0;
/// Work for all seeds together, see [`Limits::work`]: some 60 ms.
const WORK: u64 = 2_000_000;
const LIMITS: Limits = Limits { rows: 2048, work: 500_000 };

impl CutPool<'_> {
    /// Adds cuts from structural bounds of shared states and locals, those next to the targets first, until
    /// every state is in one or a fixed amount of work is done.
    pub fn seed(&self, budget: &Budget) -> Result<(), StopReason> {
        let Some(rows) = self.rows() else { return Ok(()) };
        let mut covered = vec![false; rows.space.dimension()];
        let mut work = 0;
        for state in towards_initial(rows) {
            if work >= WORK {
                break;
            }
            if covered[state] || rows.is_zero(state) {
                continue;
            }
            if let Some(cut) = self.look_for(&Aim::bound(state, MOST_THREADS), LIMITS, &mut work, budget)? {
                heavy_states(rows.space, &cut).for_each(|state| covered[state] = true);
            }
        }
        Ok(())
    }
}

/// The states of which a cut allows only one thread altogether: two of them weigh more than its bound.
pub(crate) fn heavy_states(space: Space, cut: &Cut) -> impl Iterator<Item = usize> + '_ {
    let shared = cut.shared.iter().map(move |&(shared, weight)| (space.shared(shared), weight));
    let locals = cut.locals.iter().map(move |&(local, weight)| (space.local(local), weight));
    shared.chain(locals).filter(|&(_, weight)| weight > cut.bound / 2).map(|(state, _)| state)
}

/// The states from which a target may depend, breadth first from the targets; each once.
fn towards_initial(rows: &Rows<'_>) -> Vec<usize> {
    let mut seen = vec![false; rows.space.dimension()];
    let mut order = Vec::new();
    let mut queue = VecDeque::new();
    let mut visit = |state: usize, queue: &mut VecDeque<usize>| {
        if !std::mem::replace(&mut seen[state], true) {
            queue.push_back(state);
        }
    };
    for target in rows.system.targets() {
        rows.space.vector(target.view()).for_each(|(state, _)| visit(state, &mut queue));
    }
    while let Some(state) = queue.pop_front() {
        order.push(state);
        for row in rows.raising(state) {
            rows.for_each_entry(row, |state, change| {
                if change < 0 {
                    visit(state, &mut queue);
                }
            });
        }
    }
    order
}
