//! Fewer assumptions that still contradict the assertions.

use super::{BitSolver, Outcome};
use crate::terms::{TermId, Terms};
use throng_base::{Budget, StopReason};

impl BitSolver {
    /// A part of a core from which nothing can be taken away: each assumption is left out in turn, and stays
    /// out if what is left is still a core. One search per assumption at most.
    ///
    /// `core` has to contradict the assertions, as what [`Outcome::Unsat`] carries does. If the budget ends,
    /// what is left by then is a core as well.
    pub fn minimise_core(
        &mut self,
        terms: &Terms,
        core: Vec<TermId>,
        budget: &Budget,
    ) -> (Vec<TermId>, Result<(), StopReason>) {
        let mut core = core;
        // All before this position are needed.
        let mut n_needed = 0;
        while n_needed < core.len() {
            let mut rest = core.clone();
            rest.remove(n_needed);
            match self.check(terms, &rest, budget) {
                // What was needed before is in a smaller core too, since without it there is a model: it is
                // still in front.
                Outcome::Unsat(smaller) => core = smaller,
                Outcome::Sat(_) => n_needed += 1,
                Outcome::Unknown(reason) => return (core, Err(reason)),
            }
        }
        (core, Ok(()))
    }
}
