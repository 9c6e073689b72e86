//! [`Sat`] by `batsat`.

use super::{Lit, Sat, SatResult, SatStatistics, SatVar};
use batsat::{Callbacks, Solver, SolverInterface, SolverOpts, lbool};
use std::cell::Cell;
use throng_base::{Budget, StopReason};

/// Asked before every decision whether to stop.
struct Stop {
    budget: Budget,
    /// How many decisions are left.
    left: Cell<u64>,
}

impl Callbacks for Stop {
    fn stop(&self) -> bool {
        self.left.set(self.left.get().saturating_sub(1));
        self.left.get() == 0 || self.budget.check().is_err()
    }
}

/// See the module's documentation.
pub(super) struct Batsat {
    solver: Solver<Stop>,
    n_clauses: u64,
    n_solves: u64,
    core: Vec<Lit>,
    /// Used again for every clause.
    clause: Vec<batsat::Lit>,
}

impl Default for Batsat {
    fn default() -> Self {
        let solver = Solver::new(
            SolverOpts::default(),
            Stop { budget: Budget::unlimited(), left: Cell::new(u64::MAX) },
        );
        Self { solver, n_clauses: 0, n_solves: 0, core: Vec::new(), clause: Vec::new() }
    }
}

fn foreign(lit: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.variable().raw()), lit.is_positive())
}

impl Sat for Batsat {
    fn new_var(&mut self) -> SatVar {
        SatVar::new(self.solver.new_var_default().idx() as usize)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.n_clauses += 1;
        self.clause.clear();
        self.clause.extend(clause.iter().map(|&lit| foreign(lit)));
        // What it returns, whether a model may still exist, is found again by the next search.
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        self.solve_within(assumptions, u64::MAX, budget).unwrap_or(SatResult::Stopped(StopReason::Cancelled))
    }

    fn solve_within(&mut self, assumptions: &[Lit], decisions: u64, budget: &Budget) -> Option<SatResult> {
        if let Err(reason) = budget.check() {
            return Some(SatResult::Stopped(reason));
        }
        self.n_solves += 1;
        *self.solver.cb_mut() = Stop { budget: budget.clone(), left: Cell::new(decisions) };
        self.clause.clear();
        self.clause.extend(assumptions.iter().map(|&lit| foreign(lit)));
        let result = self.solver.solve_limited(&self.clause);
        self.core.clear();
        if result == lbool::TRUE {
            Some(SatResult::Satisfiable)
        } else if result == lbool::FALSE {
            // The library's core is a clause: the negations of the assumptions that cannot hold together.
            let failed =
                assumptions.iter().filter(|&&lit| self.solver.unsat_core_contains_lit(!foreign(lit)));
            self.core.extend(failed);
            Some(SatResult::Unsatisfiable)
        } else {
            // Otherwise it was the number of decisions.
            budget.check().err().map(SatResult::Stopped)
        }
    }

    fn value(&self, lit: Lit) -> bool {
        self.solver.value_lit(foreign(lit)) == lbool::TRUE
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn statistics(&self) -> SatStatistics {
        SatStatistics {
            variables: u64::from(self.solver.num_vars()),
            clauses: self.n_clauses,
            solves: self.n_solves,
            conflicts: self.solver.num_conflicts(),
            decisions: self.solver.num_decisions(),
        }
    }
}
