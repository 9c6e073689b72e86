//! [`Sat`] by CaDiCaL.

use super::{Lit, Sat, SatResult, SatStatistics, SatVar};
use cadical::{Callbacks, Solver};
use throng_base::{Budget, StopReason};

/// Asked now and then whether to stop.
struct Stop(Budget);

impl Callbacks for Stop {
    fn terminate(&mut self) -> bool {
        self.0.check().is_err()
    }
}

/// See the module's documentation.
#[derive(Default)]
pub(super) struct Cadical {
    solver: Solver<Stop>,
    n_variables: u32,
    n_clauses: u64,
    n_solves: u64,
    core: Vec<Lit>,
}

/// Numbers from one, negative if negated.
fn foreign(lit: Lit) -> i32 {
    let number = i32::try_from(lit.variable().raw() + 1).expect("fewer than 2^31 variables");
    if lit.is_positive() { number } else { -number }
}

impl Sat for Cadical {
    fn new_var(&mut self) -> SatVar {
        self.n_variables += 1;
        SatVar::new(self.n_variables as usize - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.n_clauses += 1;
        self.solver.add_clause(clause.iter().map(|&lit| foreign(lit)));
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult {
        if let Err(reason) = budget.check() {
            return SatResult::Stopped(reason);
        }
        self.n_solves += 1;
        self.core.clear();
        self.solver.set_callbacks(Some(Stop(budget.clone())));
        match self.solver.solve_with(assumptions.iter().map(|&lit| foreign(lit))) {
            Some(true) => SatResult::Satisfiable,
            Some(false) => {
                self.core.extend(assumptions.iter().filter(|&&lit| self.solver.failed(foreign(lit))));
                SatResult::Unsatisfiable
            }
            // INVARIANT: the only limit that was set is the budget.
            None => SatResult::Stopped(budget.check().err().unwrap_or(StopReason::Cancelled)),
        }
    }

    fn value(&self, lit: Lit) -> bool {
        // A variable in no clause is unknown to the library; like any that does not matter it is false.
        let number = foreign(lit);
        let is_known = number.abs() <= self.solver.max_variable();
        let positive = is_known && self.solver.value(number.abs()) == Some(true);
        positive == lit.is_positive()
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn statistics(&self) -> SatStatistics {
        SatStatistics {
            variables: u64::from(self.n_variables),
            clauses: self.n_clauses,
            solves: self.n_solves,
            conflicts: 0,
            decisions: 0,
        }
    }
}
