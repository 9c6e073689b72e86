//! The weights that most rules lower and a target has to spare none of, by one linear program.
//!
//! > maximise Σ tᵣ + s with y·put + y(to) + tᵣ ≤ y·take + y(from) for each rule r, y(q) ≤ y(p) for each move from p
//! > to q, y·m ≤ b for each initial m, b + s ≤ y·target, and 0 ≤ t, s ≤ 1
//!
//! A solution multiplied by a number above 1 is one but for the limits on t and s, and the sum of two solutions is
//! one; so in the optimum each tᵣ and s is 0 or 1, and 1 wherever it is positive in any solution. All rows are in the
//! program, since each has something to gain.

use super::active::ActiveRows;
use crate::exact::{self, Weights};
use crate::generation::{PIVOT_SIZE, Proposal};
use crate::rows::Row;
use crate::simplex;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::collections::BTreeMap;
use throng_base::{Budget, StopReason};
use throng_model::ConfigRef;

/// What a unit of weight costs: of all weights that spend the same rules, small ones make small proofs.
const PRICE: f64 = 1e-6;
/// Less than one rule that is spent.
const THRESHOLD: f64 = 0.5;

/// The weights for a target, verified; `None` if all that there are spend no rule, or none are found. `work` grows by
/// what was done.
pub(super) fn heaviest_spender(
    active: &ActiveRows<'_, '_>,
    target: ConfigRef<'_>,
    work: &mut u64,
    budget: &Budget,
) -> Result<Option<Weights>, StopReason> {
    let program = Program::new(active, target);
    let Some(solution) = simplex::solve(&program.problem, budget)? else { return Ok(None) };
    *work = work.saturating_add((solution.stats().lp_iterations + 1).saturating_mul(program.size));
    if solution.objective() < THRESHOLD {
        return Ok(None);
    }
    let weights = program.weights.iter().map(|(&state, &variable)| (state, solution[variable]));
    let weights = weights.filter(|&(_, weight)| weight > 0.0).collect();
    let proposal = Proposal { weights, multipliers: vec![] };
    Ok(exact::weights_of(active.rows.space, &proposal, |weights| is_tight(active, target, weights)))
}

/// Whether no active row raises the weights and the target weighs at least as much as an initial configuration may.
fn is_tight(active: &ActiveRows<'_, '_>, target: ConfigRef<'_>, weights: &Weights) -> bool {
    let rows = active.rows;
    let unbounded = rows.system.initial().iter().flat_map(|initial| &initial.unbounded);
    let bound = weights.heaviest_initial(rows);
    unbounded.into_iter().all(|&local| weights.total(rows.space.local(local)) == 0)
        && active.iter().all(|row| weights.value(rows, row).is_some_and(|value| value <= 0))
        && bound.zip(weights.of(rows, target)).is_some_and(|(bound, weight)| weight >= bound)
}

/// The linear program.
struct Program {
    problem: Problem,
    /// The variable of each state that may have a weight.
    weights: BTreeMap<usize, Variable>,
    /// What a pivot costs.
    size: u64,
}

impl Program {
    fn new(active: &ActiveRows<'_, '_>, target: ConfigRef<'_>) -> Self {
        let problem = Problem::new(OptimizationDirection::Maximize);
        let mut program = Self { problem, weights: BTreeMap::new(), size: PIVOT_SIZE };
        program.add_states(active, target);
        for row in active.iter() {
            program.add_row(active, row);
        }
        program.add_bound(active, target);
        program
    }

    /// A variable for each state that something happens to.
    fn add_states(&mut self, active: &ActiveRows<'_, '_>, target: ConfigRef<'_>) {
        let rows = active.rows;
        let mut states: Vec<usize> = rows.space.vector(target).map(|(state, _)| state).collect();
        for row in active.iter() {
            rows.for_each_entry(row, |state, _| states.push(state));
        }
        states.sort_unstable();
        states.dedup();
        let unbounded = rows.system.initial().iter().flat_map(|initial| &initial.unbounded);
        let mut unbounded: Vec<usize> = unbounded.map(|&local| rows.space.local(local)).collect();
        unbounded.sort_unstable();
        states.retain(|state| unbounded.binary_search(state).is_err());
        for state in states {
            self.weights.insert(state, self.problem.add_var(-PRICE, (0.0, f64::INFINITY)));
        }
        self.size += self.weights.len() as u64;
    }

    fn add_row(&mut self, active: &ActiveRows<'_, '_>, row: Row) {
        let mut entries = Vec::with_capacity(8);
        let mut lowers = false;
        active.rows.for_each_entry(row, |state, change| {
            if let Some(&variable) = self.weights.get(&state) {
                entries.push((variable, change as f64));
                lowers |= change < 0;
            }
        });
        if entries.is_empty() {
            return;
        }
        if lowers && matches!(row, Row::Rule(_)) {
            entries.push((self.problem.add_var(1.0, (0.0, 1.0)), 1.0));
        }
        self.problem.add_constraint(entries, ComparisonOp::Le, 0.0);
        self.size += 1;
    }

    /// The bound is at least what initial configurations weigh, and the target weighs at least that.
    fn add_bound(&mut self, active: &ActiveRows<'_, '_>, target: ConfigRef<'_>) {
        let Self { problem, weights, .. } = self;
        let sum = |config: ConfigRef<'_>, sign: f64| -> Vec<(Variable, f64)> {
            let vector = active.rows.space.vector(config);
            vector
                .filter_map(|(state, count)| Some((*weights.get(&state)?, sign * f64::from(count))))
                .collect()
        };
        let bound = problem.add_var(0.0, (0.0, f64::INFINITY));
        for initial in active.rows.system.initial() {
            let mut row = sum(ConfigRef::new(initial.shared, &initial.exact), 1.0);
            row.push((bound, -1.0));
            problem.add_constraint(row, ComparisonOp::Le, 0.0);
        }
        let surplus = problem.add_var(1.0, (0.0, 1.0));
        let mut row = sum(target, -1.0);
        row.extend([(bound, 1.0), (surplus, 1.0)]);
        problem.add_constraint(row, ComparisonOp::Le, 0.0);
    }
}
