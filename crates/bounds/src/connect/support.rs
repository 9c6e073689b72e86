//! Which rules have a positive value in some solution of the state inequation, by one linear program.
//!
//! > maximise Σ min(xᵣ, 1) + min(λ, 1) with λ·target ≤ Σ λᵢ·mᵢ + C·x, λ = Σ λᵢ, and x, λ ≥ 0
//!
//! with columns of C for rules and moves and the exact threads mᵢ of initial sets. Multiples and sums of solutions
//! are solutions, so in the optimum everything is positive that can be. The program of `spent` has the same answer,
//! by duality, and weights beyond that; but it has a row for each rule and this one a row for each state, of which
//! there are usually far fewer. As a rule the answer is that nothing can be done for a target, and this is how it is
//! found. In floating point, for a decision whether to go on.

use super::active::ActiveRows;
use crate::generation::PIVOT_SIZE;
use crate::rows::Row;
use crate::simplex;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::collections::BTreeMap;
use throng_base::{Budget, StopReason};
use throng_model::{ConfigRef, RuleId};

/// A value counts as positive above this; positive ones are at least 1.
const THRESHOLD: f64 = 0.5;

/// Whether the rules of a largest support could follow each other up to the target: then connectivity has nothing to
/// say about it. `work` grows by what was done.
pub(super) fn is_connected(
    active: &ActiveRows<'_, '_>,
    target: ConfigRef<'_>,
    work: &mut u64,
    budget: &Budget,
) -> Result<bool, StopReason> {
    let program = Program::new(active, target);
    let Some(solution) = simplex::solve(&program.problem, budget)? else { return Ok(false) };
    *work = work.saturating_add((solution.stats().lp_iterations + 1).saturating_mul(program.size));
    if solution[program.target] < THRESHOLD {
        return Ok(false);
    }
    let support = program.rules.iter().filter(|&&(_, variable)| solution[variable] > THRESHOLD);
    let mut support = active.only(support.map(|&(id, _)| id).collect());
    let reached = support.reached();
    let space = active.rows.space;
    Ok(!support.remove_disabled(&reached) && space.vector(target).all(|(state, _)| reached.contains(&state)))
}

/// The linear program.
struct Program {
    problem: Problem,
    /// By state, its row: how much there is more than needed, as a sum of variables.
    matrix: BTreeMap<usize, Vec<(Variable, f64)>>,
    /// min(xᵣ, 1) for each rule.
    rules: Vec<(RuleId, Variable)>,
    /// min(λ, 1).
    target: Variable,
    /// What a pivot costs.
    size: u64,
}

impl Program {
    fn new(active: &ActiveRows<'_, '_>, target: ConfigRef<'_>) -> Self {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let counted = problem.add_var(1.0, (0.0, 1.0));
        let (matrix, rules) = (BTreeMap::new(), Vec::new());
        let mut program = Self { problem, matrix, rules, target: counted, size: PIVOT_SIZE };
        program.add_configs(active, target);
        for row in active.iter() {
            program.add_steps(active, row);
        }
        program.add_constraints(active);
        program
    }

    /// The columns of the target and of initial sets.
    fn add_configs(&mut self, active: &ActiveRows<'_, '_>, target: ConfigRef<'_>) {
        let space = active.rows.space;
        let more = self.problem.add_var(0.0, (0.0, f64::INFINITY));
        let mut shares = vec![(self.target, -1.0), (more, -1.0)];
        for (state, count) in space.vector(target) {
            self.add_entry(state, self.target, -f64::from(count));
            self.add_entry(state, more, -f64::from(count));
        }
        for initial in active.rows.system.initial() {
            let share = self.problem.add_var(0.0, (0.0, f64::INFINITY));
            shares.push((share, 1.0));
            for (state, count) in space.vector(ConfigRef::new(initial.shared, &initial.exact)) {
                self.add_entry(state, share, f64::from(count));
            }
        }
        self.problem.add_constraint(shares, ComparisonOp::Eq, 0.0);
    }

    /// The columns of a rule or a move.
    fn add_steps(&mut self, active: &ActiveRows<'_, '_>, row: Row) {
        let mut columns = vec![self.problem.add_var(0.0, (0.0, f64::INFINITY))];
        if let Row::Rule(id) = row {
            let counted = self.problem.add_var(1.0, (0.0, 1.0));
            self.rules.push((id, counted));
            columns.push(counted);
        }
        active.rows.for_each_entry(row, |state, change| {
            columns.iter().for_each(|&column| self.add_entry(state, column, change as f64));
        });
        self.size += 1;
    }

    fn add_entry(&mut self, state: usize, column: Variable, factor: f64) {
        self.matrix.entry(state).or_default().push((column, factor));
    }

    /// There is as much as needed of every state, and always of unbounded initial locals.
    fn add_constraints(&mut self, active: &ActiveRows<'_, '_>) {
        let mut matrix = std::mem::take(&mut self.matrix);
        for local in active.rows.system.initial().iter().flat_map(|initial| &initial.unbounded) {
            matrix.remove(&active.rows.space.local(*local));
        }
        self.size += matrix.len() as u64;
        for row in matrix.into_values() {
            self.problem.add_constraint(row, ComparisonOp::Ge, 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Rows;
    use crate::samples::{self, TAKEN, bag};

    #[test]
    fn what_is_coverable_is_connected_and_what_breaks_a_cut_is_not() {
        let system = samples::mutex();
        let rows = Rows::of(&system).unwrap();
        for (threads, expected) in [(&[2][..], true), (&[1, 2], true), (&[2, 2], false)] {
            let threads = bag(threads);
            let (target, mut work) = (ConfigRef::new(TAKEN, &threads), 0);
            let connected =
                is_connected(&ActiveRows::all(&rows), target, &mut work, &Budget::unlimited()).unwrap();
            assert_eq!(connected, expected, "{threads:?}");
            assert!(work > 0);
        }
    }
}
