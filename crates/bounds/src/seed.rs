//! Cuts from structural bounds: of which states does only one hold a thread?
//!
//! Most cuts that searches need say that of many states only one is occupied, by one thread: the shared state of a
//! program that was written as a net, the location of one process. They are found before anything is asked, for each
//! local that is in none so far, those next to the targets first: by growing a set (`grow`), and for what is left
//! by a linear program.

use crate::CutPool;
use crate::exact::Weights;
use crate::generation::{Aim, Limits};
use crate::grow::Grower;
use crate::rows::Rows;
use crate::space::{Space, State};
use std::collections::VecDeque;
use throng_base::{Budget, StopReason};
use throng_cert::Cut;

/// Rows to look at for growing sets, altogether and for one local: some 10 ms and 1 ms.
const ROWS: u64 = 300_000;
const ROWS_PER_LOCAL: u64 = 30_000;
/// Work of linear programs altogether, see [`Limits::work`]: some 10 ms.
const WORK: u64 = 300_000;
const LIMITS: Limits = Limits { rows: 1024, work: 100_000 };

impl CutPool<'_> {
    /// Adds cuts from structural bounds, until every local is in one or a fixed amount of work is done: some
    /// hundredths of a second.
    pub fn seed(&self, budget: &Budget) -> Result<(), StopReason> {
        let Some(rows) = self.rows() else { return Ok(()) };
        let is_local = |state: &usize| matches!(rows.space.state(*state), State::Local(_));
        let mut open = towards_initial(rows);
        open.retain(|state| is_local(state) && !rows.is_zero(*state));
        let mut covered = vec![false; rows.space.dimension()];
        self.cuts_from(0).iter().for_each(|cut| cover(rows.space, cut, &mut covered));
        let mut grower = Grower::new(rows);
        for &state in &open {
            budget.check()?;
            if covered[state] || grower.work() >= ROWS {
                continue;
            }
            let Some(set) = grower.grow(state, ROWS_PER_LOCAL) else { continue };
            let own = set.into_iter().map(|state| (state, 1)).collect();
            if let Some(cut) = Weights::new(rows.space, &[], own, vec![]).verified(rows) {
                cover(rows.space, &cut, &mut covered);
                self.push(cut);
            }
        }
        let mut work = 0;
        for state in open {
            if !covered[state] && work < WORK {
                let cut = self.look_for(&Aim::occupy(state), LIMITS, &mut work, budget)?;
                cut.iter().for_each(|cut| cover(rows.space, cut, &mut covered));
            }
        }
        Ok(())
    }
}

/// Marks the states of which a cut allows only one thread altogether: two of them weigh more than its bound.
fn cover(space: Space, cut: &Cut, covered: &mut [bool]) {
    let shared = cut.shared.iter().map(|&(shared, weight)| (space.shared(shared), weight));
    let locals = cut.locals.iter().map(|&(local, weight)| (space.local(local), weight));
    for (state, _) in shared.chain(locals).filter(|&(_, weight)| weight > cut.bound / 2) {
        covered[state] = true;
    }
}

/// The states on which a target may depend, breadth first from the targets; each once.
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
