//! All models, as far as some terms can tell them apart.

use super::BitSolver;
use crate::sat::{Lit, SatResult};
use crate::terms::{TermId, Terms};
use std::ops::ControlFlow;
use throng_base::{Budget, StopReason};

impl BitSolver {
    /// Calls `f` once for each tuple of values that the terms `over` have in some model of the assertions and
    /// assumptions, in no particular order. `Continue` means that these were all; `Break`, that `f` said so.
    ///
    /// After each model a clause excludes its values; these clauses are taken back at the end.
    pub fn for_each_model(
        &mut self,
        terms: &Terms,
        assumptions: &[TermId],
        over: &[TermId],
        budget: &Budget,
        mut f: impl FnMut(&[u128]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, StopReason> {
        let mut bits: Vec<Lit> = Vec::new();
        for &term in over {
            bits.extend_from_slice(self.blaster.bits(terms, term));
        }
        bits.retain(|&lit| self.blaster.as_constant(lit).is_none());
        self.push();
        let blocked = !self.levels.last().expect("just opened").active;
        let flow = loop {
            match self.search(terms, assumptions, budget) {
                SatResult::Stopped(reason) => break Err(reason),
                SatResult::Unsatisfiable => break Ok(ControlFlow::Continue(())),
                SatResult::Satisfiable => {}
            }
            let values: Vec<u128> = over.iter().map(|&term| self.blaster.value(terms, term)).collect();
            let differs = bits.iter().map(|&lit| lit.equals(!self.blaster.sat().value(lit)));
            let clause: Vec<Lit> = std::iter::once(blocked).chain(differs).collect();
            if f(&values).is_break() {
                break Ok(ControlFlow::Break(()));
            }
            self.blaster.sat_mut().add_clause(&clause);
        };
        self.pop();
        flow
    }
}
