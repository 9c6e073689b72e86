//! Cartesian abstraction with bounded cubes: what bits cannot be together, as far as a few of them say so.
//!
//! A relation with very many values is not enumerated. Instead all *cubes* (conjunctions of literals) of bounded length are found
//! that no values satisfy and of which no part is such a cube: their negations are clauses that hold for every value. That allows more
//! values than there are, never fewer. Values that were seen show of most cubes that they are satisfied, by operations on words; the
//! solver is asked about the others, and its models are seen values from then on.

use throng_base::{Budget, StopReason};
use throng_solver::bits::{BitSolver, Outcome};
use throng_solver::terms::{TermId, Terms};

/// So many decisions of the solver a cube of more than one literal is worth. Sums of long words can take very many.
const EFFORT: u64 = 4_000;
/// After so many questions that were too hard, no more are asked.
const MOST_HARD: usize = 40;

/// A conjunction of literals over at most 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cube {
    /// The bits that it is about.
    pub(crate) mask: u64,
    /// Their values; 0 elsewhere.
    pub(crate) values: u64,
}

impl Cube {
    /// Whether values satisfy it.
    pub(crate) fn contains(self, model: u64) -> bool {
        model & self.mask == self.values
    }

    /// Whether it is a part of another cube, or that cube.
    fn is_part_of(self, other: Cube) -> bool {
        self.mask & other.mask == self.mask && self.contains(other.values)
    }

    /// The numbers of its bits with their values.
    pub(crate) fn literals(self) -> impl Iterator<Item = (usize, bool)> {
        (0..64).filter(move |&it| self.mask >> it & 1 == 1).map(move |it| (it, self.values >> it & 1 == 1))
    }
}

/// All minimal cubes of at most so many literals that contradict what the solver was told, in a fixed order: shorter ones first. Of
/// longer ones than single literals, those are left out of which that is hard to tell.
/// `seen`: values that bits can have.
pub(crate) fn impossible_cubes(
    solver: &mut BitSolver,
    terms: &mut Terms,
    bits: &[TermId],
    mut seen: Vec<u64>,
    max_length: usize,
    budget: &Budget,
) -> Result<Vec<Cube>, StopReason> {
    let negated: Vec<TermId> = bits.iter().map(|&bit| terms.not(bit)).collect();
    let mut found: Vec<Cube> = Vec::new();
    let mut n_hard = 0;
    for length in 1..=max_length.min(bits.len()) {
        // Cubes that are found in this round are no parts of others in it.
        let shorter = found.clone();
        let mut chosen: Vec<usize> = (0..length).collect();
        loop {
            budget.check()?;
            let mask = chosen.iter().map(|&it| 1_u64 << it).sum();
            for choice in 0..1_u64 << length {
                let set = chosen.iter().enumerate().filter(|&(at, _)| choice >> at & 1 == 1);
                let cube = Cube { mask, values: set.map(|(_, &it)| 1_u64 << it).sum() };
                if seen.iter().any(|&it| cube.contains(it)) || shorter.iter().any(|it| it.is_part_of(cube)) {
                    continue;
                }
                let literal = |(it, value): (usize, bool)| if value { bits[it] } else { negated[it] };
                let assumptions: Vec<TermId> = cube.literals().map(literal).collect();
                let effort = if length == 1 { u64::MAX } else { EFFORT };
                match solver.check_within(terms, &assumptions, effort, budget) {
                    // The clause may be learned when it is needed.
                    None => n_hard += 1,
                    Some(Outcome::Unknown(reason)) => return Err(reason),
                    Some(Outcome::Unsat(_)) => found.push(cube),
                    Some(Outcome::Sat(model)) => {
                        let value = |(at, &bit): (usize, &TermId)| u64::from(model.holds(terms, bit)) << at;
                        seen.push(bits.iter().enumerate().map(value).sum());
                    }
                }
            }
            if n_hard > MOST_HARD || !next_combination(&mut chosen, bits.len()) {
                break;
            }
        }
    }
    Ok(found)
}

/// The next choice of so many numbers below `n`, in lexicographic order; whether there is one.
fn next_combination(chosen: &mut [usize], n: usize) -> bool {
    let length = chosen.len();
    let Some(at) = (0..length).rev().find(|&at| chosen[at] < n - length + at) else { return false };
    chosen[at] += 1;
    for next in at + 1..length {
        chosen[next] = chosen[next - 1] + 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All minimal cubes that no model satisfies, by looking at all models.
    fn by_models(models: &[u64], n: usize, max_length: usize) -> Vec<Cube> {
        let mut all: Vec<Cube> = Vec::new();
        let mut masks: Vec<u64> =
            (1..1_u64 << n).filter(|it| it.count_ones() as usize <= max_length).collect();
        masks.sort_by_key(|it| it.count_ones());
        for mask in masks {
            for values in (0..1_u64 << n).filter(|it| it & !mask == 0) {
                let cube = Cube { mask, values };
                let is_new = !all.iter().any(|it| it.is_part_of(cube));
                if is_new && !models.iter().any(|&it| cube.contains(it)) {
                    all.push(cube);
                }
            }
        }
        all.sort_unstable();
        all
    }

    #[test]
    fn cubes_are_what_all_models_imply() {
        let budget = Budget::unlimited();
        for limit in [3_u128, 9, 20] {
            let mut terms = Terms::new();
            let (x, y) = (terms.fresh("x", 8), terms.fresh("y", 8));
            let limit = terms.constant(limit, 8);
            let (five, one) = (terms.constant(5, 8), terms.constant(1, 8));
            let next = terms.add(x, one);
            let bits = [
                terms.eq(x, y),
                terms.ult(x, y),
                terms.ult(y, limit),
                terms.ult(x, five),
                terms.ult(x, limit),
                terms.eq(next, y),
            ];
            let mut solver = BitSolver::default();
            let small = terms.ult(x, limit);
            solver.assert(&terms, small);
            let mut models = Vec::new();
            let all = solver.for_each_model(&terms, &[], &bits, &budget, |values| {
                models.push(values.iter().enumerate().map(|(at, &value)| (value as u64) << at).sum::<u64>());
                std::ops::ControlFlow::Continue(())
            });
            assert!(all.is_ok_and(|it| it.is_continue()));
            for length in 1..=6 {
                let some = models[..1].to_vec();
                let found = impossible_cubes(&mut solver, &mut terms, &bits, some, length, &budget);
                let mut found = found.expect("the budget has no end");
                found.sort_unstable();
                assert_eq!(found, by_models(&models, bits.len(), length), "{length} literals");
            }
        }
    }
}
