//! Traps that rule out what the state inequation allows.
//!
//! The state inequation of a configuration u asks for x ≥ 0 with m = m₀ + Cx ≥ u, where C has a column for each rule
//! and each move and m₀ is a mixture of the initial sets. A solution m that leaves a marked trap empty is no
//! reachable configuration, so Σ m(p) ≥ 1 over the trap is added, until there is no solution — then a cut with these
//! traps excludes u, by Farkas' lemma — or no such trap (Esparza, Ledesma-Garza, Majumdar, Meyer, Niksic: *An SMT-based
//! approach to coverability analysis*, CAV 2014; the trap needs no search, see `traps`).
//!
//! Rows of states whose weight must be 0 are left out: there can be as many threads as one likes.

use crate::rows::Rows;
use crate::simplex;
use crate::traps::largest_marked_trap;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::collections::BTreeMap;
use throng_base::{Budget, StopReason};
use throng_cert::Trap;
use throng_model::{ConfigRef, LocalId};

/// Traps that are tried for one configuration.
const MOST_TRAPS: usize = 40;

/// Traps that together with the known ones make the state inequation of `config` unsolvable. `None` if there are
/// none, or too many would be needed.
pub(crate) fn separating_traps(
    rows: &Rows<'_>,
    known: &[Trap],
    config: ConfigRef<'_>,
    budget: &Budget,
) -> Result<Option<Vec<Trap>>, StopReason> {
    // Where no trap at all can be used, as in most programs with unboundedly many threads, this is cheap to see.
    let usable = LocalId::all(rows.system.n_locals()).map(|local| !rows.is_zero(rows.space.local(local)));
    if largest_marked_trap(rows.system, usable.collect()).is_none() {
        return Ok(None);
    }
    let inequation = Inequation::new(rows);
    let mut traps = known.to_vec();
    for _ in 0..MOST_TRAPS {
        let Some(empty) = inequation.empty_locals(&traps, config, budget)? else {
            return Ok(Some(traps.split_off(known.len())));
        };
        match largest_marked_trap(rows.system, empty) {
            // A trap that was ruled out already means that floating point has reached its end.
            Some(trap) if !traps.contains(&trap) => traps.push(trap),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// The matrix of the state inequation, by state: m = entries · (steps, shares of the initial sets).
struct Inequation<'a, 's> {
    rows: &'a Rows<'s>,
    /// Columns of rules and moves; those of initial sets follow.
    n_steps: usize,
    /// For each state, its entries: column and factor.
    entries: BTreeMap<usize, Vec<(usize, f64)>>,
}

impl<'a, 's> Inequation<'a, 's> {
    fn new(rows: &'a Rows<'s>) -> Self {
        let mut entries: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        let mut n_steps = 0;
        for (column, row) in rows.all().enumerate() {
            n_steps = column + 1;
            rows.for_each_entry(row, |state, change| {
                entries.entry(state).or_default().push((column, change as f64));
            });
        }
        for (index, initial) in rows.system.initial().iter().enumerate() {
            for (state, count) in rows.space.vector(ConfigRef::new(initial.shared, &initial.exact)) {
                entries.entry(state).or_default().push((n_steps + index, f64::from(count)));
            }
        }
        entries.retain(|&state, _| !rows.is_zero(state));
        Self { rows, n_steps, entries }
    }

    /// The locals that a solution leaves empty, by index; `None` if there is no solution.
    fn empty_locals(
        &self,
        traps: &[Trap],
        config: ConfigRef<'_>,
        budget: &Budget,
    ) -> Result<Option<Vec<bool>>, StopReason> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let variables = self.add_variables(&mut problem);
        let required: BTreeMap<usize, u32> = self.rows.space.vector(config).collect();
        for (state, entries) in &self.entries {
            let least = f64::from(required.get(state).copied().unwrap_or(0));
            let row: Vec<_> = entries.iter().map(|&(column, factor)| (variables[column], factor)).collect();
            problem.add_constraint(row, ComparisonOp::Ge, least);
        }
        let is_missing = |state: &&usize| !self.rows.is_zero(**state) && !self.entries.contains_key(*state);
        if required.keys().any(|state| is_missing(&state)) {
            return Ok(None);
        }
        for trap in traps {
            let row: Vec<_> = self
                .threads_in(trap)
                .into_iter()
                .map(|(column, factor)| (variables[column], factor))
                .collect();
            problem.add_constraint(row, ComparisonOp::Ge, 1.0);
        }
        let Some(solution) = simplex::solve(&problem, budget)? else { return Ok(None) };
        Ok(Some(self.read_empty(|column| solution[variables[column]])))
    }

    /// One variable for each column. Few steps leave much empty, so their number is minimised.
    fn add_variables(&self, problem: &mut Problem) -> Vec<Variable> {
        let mut variables: Vec<Variable> =
            (0..self.n_steps).map(|_| problem.add_var(1.0, (0.0, f64::INFINITY))).collect();
        let n_initial = self.rows.system.initial().len();
        let shares: Vec<Variable> = (0..n_initial).map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
        let all: Vec<_> = shares.iter().map(|&share| (share, 1.0)).collect();
        problem.add_constraint(all, ComparisonOp::Eq, 1.0);
        variables.extend(shares);
        variables
    }

    /// The sum of the rows of a trap's members.
    fn threads_in(&self, trap: &Trap) -> BTreeMap<usize, f64> {
        let mut sum = BTreeMap::new();
        let rows = trap.locals.iter().filter_map(|&local| self.entries.get(&self.rows.space.local(local)));
        for &(column, factor) in rows.flatten() {
            *sum.entry(column).or_insert(0.0) += factor;
        }
        sum
    }

    /// The locals that are empty in a solution. Those that can hold any number of threads do not count.
    fn read_empty(&self, value: impl Fn(usize) -> f64) -> Vec<bool> {
        LocalId::all(self.rows.system.n_locals())
            .map(|local| {
                let state = self.rows.space.local(local);
                let entries = self.entries.get(&state).map_or(&[][..], Vec::as_slice);
                let threads: f64 = entries.iter().map(|&(column, factor)| factor * value(column)).sum();
                !self.rows.is_zero(state) && threads <= 1e-7
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn the_critical_sections_of_peterson_are_separated_by_traps() {
        let system = samples::peterson();
        let rows = Rows::of(&system).unwrap();
        let target = system.targets()[0].view();
        let traps = separating_traps(&rows, &[], target, &Budget::unlimited()).unwrap().unwrap();
        assert!(!traps.is_empty());
        assert_eq!(separating_traps(&rows, &traps, target, &Budget::unlimited()), Ok(Some(vec![])));
    }

    #[test]
    fn a_reachable_configuration_is_not_separated() {
        let system = samples::peterson();
        let rows = Rows::of(&system).unwrap();
        let reachable = samples::bag(&[2, 4]);
        let reachable = ConfigRef::new(system.targets()[0].shared, &reachable);
        assert_eq!(separating_traps(&rows, &[], reachable, &Budget::unlimited()), Ok(None));
    }
}
