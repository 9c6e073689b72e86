//! Conjunctions of linear inequalities over the integers, added and taken back level by level.
//!
//! Over exact simplex, in this order:
//!
//! 1. An inequality is divided by the common divisor of its coefficients and its bound rounded.
//! 2. *Cubes* (Bromberger and Weidenbach, "Fast cube tests for LIA constraint solving", IJCAR 2016): if all
//!    inequalities a·x ≤ b hold with ½·Σ|aᵢ| to spare, then they hold for x rounded. That finds a solution
//!    wherever solutions go on for ever in all directions around a ray, where branching would wander off.
//! 3. Branch and bound: if a rational solution gives some variable a fraction, the integer solutions are on one of
//!    its two sides.
//!
//! Branching need not end when solutions are unbounded in some directions only. So the number of branches is limited, and
//! beyond it the answer is [`Feasibility::Undecided`], never a guess.

use crate::rational::Rational;
use crate::simplex::{Index, Side, Simplex};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;
use throng_base::{Budget, StopReason};

/// An integer variable of one solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(usize);

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// These values, one for each variable in the order in which they were made, satisfy all inequalities.
    Feasible(Vec<i128>),
    /// No values do.
    Infeasible,
    /// Too many branches, or values beyond 128 bits.
    Undecided,
}

/// A branch whose lower side is being looked at, or its upper side if there is nothing more to try.
#[derive(Debug)]
struct Branch {
    upper_side: Option<(Index, Rational)>,
}

/// How much there was when a level began.
#[derive(Clone, Copy, Debug)]
struct Level {
    n_forms: usize,
    is_contradictory: bool,
}

/// See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct LinearSolver {
    simplex: Simplex,
    n_variables: usize,
    /// Forms that have a row, so that the next bound on the same form needs no other.
    forms: Vec<(Vec<(Index, i128)>, Index)>,
    is_contradictory: bool,
    levels: Vec<Level>,
    n_branches: u64,
}

/// Branches in one check.
const MOST_BRANCHES: u64 = 512;

impl LinearSolver {
    /// A solver with this many variables, which may have any value.
    pub fn new(n_variables: usize) -> Self {
        let mut solver = Self { n_variables, ..Self::default() };
        for _ in 0..n_variables {
            solver.simplex.variable();
        }
        solver
    }

    /// The variable with this number.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn variable(&self, number: usize) -> Variable {
        assert!(number < self.n_variables, "a solver of {} variables", self.n_variables);
        Variable(number)
    }

    /// Opens a level.
    pub fn push(&mut self) {
        self.simplex.push();
        self.levels.push(Level { n_forms: self.forms.len(), is_contradictory: self.is_contradictory });
    }

    /// Takes back what was added since the newest level was opened.
    pub fn pop(&mut self) {
        self.simplex.pop();
        if let Some(level) = self.levels.pop() {
            self.forms.truncate(level.n_forms);
            self.is_contradictory = level.is_contradictory;
        }
    }

    /// Adds that a linear form is at most `bound`. A variable occurs at most once in it.
    pub fn at_most(&mut self, form: &[(Variable, i64)], bound: i128) {
        let terms = form.iter().filter(|&&(_, coefficient)| coefficient != 0);
        let mut terms: Vec<(Index, i128)> = terms.map(|&(Variable(v), c)| (v, i128::from(c))).collect();
        terms.sort_unstable();
        debug_assert!(terms.is_sorted_by(|a, b| a.0 < b.0), "a variable occurs once in a form");
        let Some(divisor) = terms.iter().map(|&(_, coefficient)| coefficient).reduce(|a, b| a.gcd(&b)) else {
            self.is_contradictory |= bound < 0;
            return;
        };
        // The opposite of a form has the same row, with the other bound.
        let is_opposite = terms[0].1 < 0;
        let divisor = if is_opposite { -divisor.abs() } else { divisor.abs() };
        terms.iter_mut().for_each(|(_, coefficient)| *coefficient /= divisor);
        let rounded = Integer::div_floor(&bound, &divisor.abs());
        let (side, bound) = if is_opposite { (Side::Lower, -rounded) } else { (Side::Upper, rounded) };
        let row = self.row(terms);
        self.is_contradictory |= !self.simplex.restrict(row, side, bound.into());
    }

    /// Adds that a linear form is at least `bound`. A variable occurs at most once in it.
    pub fn at_least(&mut self, form: &[(Variable, i64)], bound: i128) {
        let opposite: Vec<(Variable, i64)> = form.iter().map(|&(v, coefficient)| (v, -coefficient)).collect();
        self.at_most(&opposite, -bound);
    }

    /// The variable of the simplex method that stands for a form.
    fn row(&mut self, terms: Vec<(Index, i128)>) -> Index {
        if let [(variable, 1)] = terms[..] {
            return variable;
        }
        if let Some((_, row)) = self.forms.iter().find(|(form, _)| *form == terms) {
            return *row;
        }
        let form: Vec<(Index, Rational)> =
            terms.iter().map(|&(v, coefficient)| (v, coefficient.into())).collect();
        let row = self.simplex.row(&form);
        self.forms.push((terms, row));
        row
    }

    /// Whether integers satisfy what has been added.
    pub fn check(&mut self, budget: &Budget) -> Result<Feasibility, StopReason> {
        let mut branches = Vec::new();
        let result = self.search(&mut branches, budget);
        branches.iter().for_each(|_| self.pop());
        result
    }

    /// Leaves the levels of its branches open.
    fn search(&mut self, branches: &mut Vec<Branch>, budget: &Budget) -> Result<Feasibility, StopReason> {
        let end = self.n_branches + MOST_BRANCHES;
        loop {
            if self.is_contradictory || !self.simplex.check(budget)? {
                if !self.turn_to_upper_side(branches) {
                    return Ok(Feasibility::Infeasible);
                }
            } else if let Some(variable) = self.fractional() {
                if branches.is_empty()
                    && let Some(values) = self.cube(budget)?
                {
                    return Ok(Feasibility::Feasible(values));
                }
                if self.n_branches == end {
                    return Ok(Feasibility::Undecided);
                }
                self.n_branches += 1;
                let floor = self.simplex.value(variable).floor();
                let upper_side = Some((variable, Rational::from(&floor + BigInt::from(1))));
                branches.push(Branch { upper_side });
                self.enter(variable, Side::Upper, floor.into());
            } else {
                let values = (0..self.n_variables).map(|variable| self.simplex.value(variable).to_integer());
                return Ok(values
                    .collect::<Option<_>>()
                    .map_or(Feasibility::Undecided, Feasibility::Feasible));
            }
        }
    }

    /// A solution that is the middle of a cube of solutions, rounded.
    fn cube(&mut self, budget: &Budget) -> Result<Option<Vec<i128>>, StopReason> {
        let half = Rational::ONE.over(&Rational::from(2));
        self.push();
        let mut is_consistent = true;
        for (terms, row) in &self.forms {
            let width: i128 = terms.iter().map(|&(_, coefficient)| coefficient.abs()).sum();
            let margin = Rational::from(width).times(&half);
            is_consistent &= self.simplex.narrow(*row, &margin);
        }
        let found = if is_consistent { self.simplex.check(budget) } else { Ok(false) };
        let values = (0..self.n_variables).map(|variable| {
            let rounded = self.simplex.value(variable).plus(&half).floor();
            rounded.to_i128()
        });
        let values = values.collect::<Option<_>>();
        self.pop();
        Ok(if found? { values } else { None })
    }

    /// Goes on with the newest branch whose upper side is left; `false` if there is none.
    fn turn_to_upper_side(&mut self, branches: &mut Vec<Branch>) -> bool {
        while let Some(branch) = branches.last_mut() {
            self.pop();
            if let Some((variable, bound)) = branch.upper_side.take() {
                self.enter(variable, Side::Lower, bound);
                return true;
            }
            branches.pop();
        }
        false
    }

    fn enter(&mut self, variable: Index, side: Side, bound: Rational) {
        self.push();
        self.is_contradictory |= !self.simplex.restrict(variable, side, bound);
    }

    fn fractional(&self) -> Option<Index> {
        (0..self.n_variables).find(|&variable| !self.simplex.value(variable).is_integer())
    }

    /// How many pivots and branches there were so far.
    pub fn work(&self) -> u64 {
        self.simplex.n_pivots() + self.n_branches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(solver: &mut LinearSolver) -> Feasibility {
        solver.check(&Budget::unlimited()).expect("no limit")
    }

    /// A solver with the inequalities a·x ≤ b.
    fn solver(n: usize, inequalities: &[(&[i64], i128)]) -> LinearSolver {
        let mut solver = LinearSolver::new(n);
        add(&mut solver, inequalities);
        solver
    }

    fn add(solver: &mut LinearSolver, inequalities: &[(&[i64], i128)]) {
        for &(form, bound) in inequalities {
            let form: Vec<_> = form.iter().enumerate().map(|(i, &c)| (solver.variable(i), c)).collect();
            solver.at_most(&form, bound);
        }
    }

    #[test]
    fn a_divisor_decides_without_a_branch() {
        // 1 ≤ 2x − 2y ≤ 1
        let mut solver = solver(2, &[(&[2, -2], 1), (&[-2, 2], -1)]);
        assert_eq!(check(&mut solver), Feasibility::Infeasible);
        assert_eq!(solver.n_branches, 0);
    }

    #[test]
    fn fractions_are_branched_away() {
        // A triangle with rational but no integer points.
        let mut narrow = solver(2, &[(&[-3, -3], -4), (&[3, -3], 1), (&[0, 2], 1)]);
        assert_eq!(check(&mut narrow), Feasibility::Infeasible);
        let mut wide = solver(2, &[(&[-2, -3], -5), (&[5, 7], 17), (&[-1, 1], 0)]);
        let Feasibility::Feasible(values) = check(&mut wide) else { panic!("(1, 1) is a solution") };
        let (x, y) = (values[0], values[1]);
        assert!(2 * x + 3 * y >= 5 && 5 * x + 7 * y <= 17 && x >= y);
    }

    #[test]
    fn levels_take_back_what_was_added() {
        let mut solver = solver(2, &[(&[-1, 0], -1), (&[0, -1], -1)]);
        assert!(matches!(check(&mut solver), Feasibility::Feasible(_)));
        solver.push();
        add(&mut solver, &[(&[1, 1], 1)]);
        assert_eq!(check(&mut solver), Feasibility::Infeasible);
        solver.push();
        add(&mut solver, &[(&[1, -1], 0)]);
        assert_eq!(check(&mut solver), Feasibility::Infeasible);
        solver.pop();
        solver.pop();
        add(&mut solver, &[(&[1, 1], 2)]);
        assert_eq!(check(&mut solver), Feasibility::Feasible(vec![1, 1]));
    }

    #[test]
    fn constants_are_compared() {
        let mut solver = solver(1, &[(&[0], 0)]);
        assert!(matches!(check(&mut solver), Feasibility::Feasible(_)));
        solver.push();
        add(&mut solver, &[(&[0], -1)]);
        assert_eq!(check(&mut solver), Feasibility::Infeasible);
        solver.pop();
        assert!(matches!(check(&mut solver), Feasibility::Feasible(_)));
    }

    #[test]
    fn large_counts_are_no_trouble() {
        let billion = 1_000_000_000;
        let mut solver = solver(2, &[(&[-1, 0], -billion), (&[1, -999_999_937], 0), (&[0, 1], billion)]);
        assert!(matches!(check(&mut solver), Feasibility::Feasible(values) if values[1] >= 2));
    }

    #[test]
    fn a_search_without_end_is_given_up() {
        // 6x + 10y + 15z is any integer, but 1 ≤ 6x − 10y ≤ 1 has none; the divisor says so, three variables hide it.
        let mut solver =
            solver(3, &[(&[6, -10, 1], 1), (&[-6, 10, -1], -1), (&[0, 0, 2], 1), (&[0, 0, -2], 1)]);
        assert!(!matches!(check(&mut solver), Feasibility::Feasible(_)));
    }
}
