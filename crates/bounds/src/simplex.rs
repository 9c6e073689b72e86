//! The linear program solver, as this crate uses it.
//!
//! Floating point proposes: an answer is only ever a suggestion that exact arithmetic looks at, so numerical failure
//! and infeasibility are the same, "no suggestion". Nothing depends on the clock: a solve is cut into slices of time
//! only to look at the budget, and goes on where it was.

use microlp::{Problem, Solution, SolveOptions, SolveOutcome};
use std::time::Duration;
use throng_base::{Budget, StopReason};

/// How long the solver works before the budget is looked at again.
const SLICE: Duration = Duration::from_millis(50);

/// The optimal solution of a program; `None` if there is none or the solver fails.
pub(crate) fn solve(problem: &Problem, budget: &Budget) -> Result<Option<Solution>, StopReason> {
    budget.check()?;
    let mut options = SolveOptions::default();
    options.time_limit = Some(SLICE);
    // Rows come from rules, and rules that change nothing for others are gone already.
    options.presolve = false;
    // Weights of a millionth occur where arcs have weights of a million.
    options.tolerances.feasibility = 1e-9;
    let mut outcome = problem.solve_with(options);
    loop {
        match outcome {
            Ok(SolveOutcome::Solution(solution)) => return Ok(Some(solution)),
            Ok(interrupted) => {
                budget.check()?;
                outcome = interrupted.resume();
            }
            Err(_) => return Ok(None),
        }
    }
}
