//! Weights that no rule raises and that are best for some aim, by linear programming with row generation.
//!
//! The variables are the weights y ≥ 0 of states and the multipliers μ ≥ 0 of traps; z = y + Σ μ·[· ∈ trap] is what no
//! row of [`Rows`] may raise. A program with all rows is large, and most of them do not matter for one question.
//! So the first program has no rows; rows that its solution violates are added, and with them rows that are likely
//! to be violated next (those that raise what the new rows made worth having), up to twice as many as before, until
//! nothing is violated. Every program is a relaxation of the next: as soon as the optimum is too small, it will
//! stay so. By Farkas' lemma an aim [`Aim::exclude`] fails exactly if the state inequation m₀ + Cx ≥ u (with traps)
//! has a rational solution.
//!
//! Nothing here is exact; see `exact`.

use crate::rows::{Row, Rows};
use crate::simplex;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Solution, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use throng_base::{Budget, StopReason};
use throng_cert::Trap;
use throng_model::{ConfigRef, LocalId};

/// A row counts as violated above this, a value as positive.
const TOLERANCE: f64 = 1e-9;
/// Rows of the first program with rows.
const FIRST_ROWS: usize = 64;

/// What a pivot costs in any program, in rows and columns of a larger one.
pub(crate) const PIVOT_SIZE: u64 = 128;

/// What weights should be good for: `gain`·y is maximised.
#[derive(Clone, Debug)]
pub(crate) struct Aim {
    /// By state; what is not listed gains nothing.
    gain: Vec<(usize, f64)>,
    bound: Bound,
    /// The largest weight.
    most: f64,
    /// How much a rule may raise the weight.
    raise: f64,
    /// What the optimum has to pass.
    threshold: f64,
}

impl Aim {
    /// A cut that a configuration breaks: y·config − bound, at most 1 on each state.
    pub(crate) fn exclude(rows: &Rows<'_>, config: ConfigRef<'_>) -> Self {
        let gain = rows.space.vector(config).map(|(state, count)| (state, f64::from(count))).collect();
        Self { gain, bound: Bound::Subtracted, most: 1.0, raise: 0.0, threshold: TOLERANCE }
    }

    /// A cut with bound 1 that gives a state more than half of that: two threads there would be too many.
    pub(crate) fn occupy(state: usize) -> Self {
        Self { gain: vec![(state, 1.0)], bound: Bound::AtMostOne, most: 1.0, raise: 0.0, threshold: 0.501 }
    }

    /// Weights that each rule raises by at most one, with the largest difference between two configurations.
    pub(crate) fn approach(rows: &Rows<'_>, from: ConfigRef<'_>, target: ConfigRef<'_>, most: f64) -> Self {
        let plus = rows.space.vector(target).map(|(state, count)| (state, f64::from(count)));
        let minus = rows.space.vector(from).map(|(state, count)| (state, -f64::from(count)));
        let gain = plus.chain(minus).collect();
        Self { gain, bound: Bound::Ignored, most, raise: 1.0, threshold: f64::NEG_INFINITY }
    }

    /// Whether the weight of a state must be 0: a matter of cuts, which potentials are not.
    fn is_zero(&self, rows: &Rows<'_>, state: usize) -> bool {
        self.bound != Bound::Ignored && rows.is_zero(state)
    }
}

/// What the bound of a cut, the largest weight of an initial configuration, has to do with the aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// It is subtracted from the gain.
    Subtracted,
    AtMostOne,
    /// What is looked for is no cut.
    Ignored,
}

/// Limits on the size of programs and on the work for one aim.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Rows of a program.
    pub(crate) rows: usize,
    /// Pivots times the size of the program that they are made in, with [`PIVOT_SIZE`] added. A thousand take
    /// roughly 50 µs, in small programs and in large ones.
    pub(crate) work: u64,
}

/// Weights in floating point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proposal {
    /// Positive weights y by state.
    pub(crate) weights: Vec<(usize, f64)>,
    /// Positive multipliers by trap.
    pub(crate) multipliers: Vec<(usize, f64)>,
}

/// Looks for the best weights for an aim. `None` if they are not good enough, or if it takes too long. `work` grows
/// by what was done, see [`Limits::work`].
pub(crate) fn generate(
    rows: &Rows<'_>,
    traps: &[Trap],
    aim: &Aim,
    limits: Limits,
    work: &mut u64,
    budget: &Budget,
) -> Result<Option<Proposal>, StopReason> {
    let mut generation = Generation::new(rows, traps, aim);
    let mut spent = 0_u64;
    let found = loop {
        let Some(solution) = simplex::solve(&generation.program(), budget)? else { break None };
        spent = spent.saturating_add(generation.work_of(&solution));
        if solution.objective() <= aim.threshold {
            break None;
        }
        generation.read(&solution);
        let violated = generation.violated();
        if violated.is_empty() {
            break Some(generation.proposal());
        }
        if spent > limits.work || !generation.extend(violated, limits.rows) {
            break None;
        }
    };
    *work = work.saturating_add(spent);
    Ok(found)
}

/// A trap that may have a multiplier.
struct UsableTrap<'a> {
    /// Its position in the list.
    index: usize,
    locals: &'a [LocalId],
}

/// The program so far and its last solution.
struct Generation<'a, 's> {
    rows: &'a Rows<'s>,
    aim: &'a Aim,
    traps: Vec<UsableTrap<'a>>,
    /// The states that have a variable, and the variable of each.
    states: Vec<usize>,
    columns: FxHashMap<usize, usize>,
    gain: FxHashMap<usize, f64>,
    chosen: Vec<Row>,
    is_chosen: FxHashSet<Row>,
    /// Values of the variables: weights, multipliers.
    weights: Vec<f64>,
    multipliers: Vec<f64>,
}

impl<'a, 's> Generation<'a, 's> {
    fn new(rows: &'a Rows<'s>, traps: &'a [Trap], aim: &'a Aim) -> Self {
        let usable = traps.iter().enumerate().map(|(index, trap)| UsableTrap { index, locals: &trap.locals });
        let usable = usable
            .filter(|trap| trap.locals.iter().all(|&local| !aim.is_zero(rows, rows.space.local(local))));
        let mut generation = Self {
            rows,
            aim,
            traps: usable.collect(),
            states: Vec::new(),
            columns: FxHashMap::default(),
            gain: FxHashMap::default(),
            chosen: Vec::new(),
            is_chosen: FxHashSet::default(),
            weights: Vec::new(),
            multipliers: Vec::new(),
        };
        for &(state, gain) in &aim.gain {
            *generation.gain.entry(state).or_insert(0.0) += gain;
            generation.add_column(state);
        }
        generation
    }

    /// Gives a state a variable; `false` if it has one, or must have weight 0.
    fn add_column(&mut self, state: usize) -> bool {
        if self.aim.is_zero(self.rows, state) || self.columns.contains_key(&state) {
            return false;
        }
        self.columns.insert(state, self.states.len());
        self.states.push(state);
        self.weights.push(0.0);
        true
    }

    fn program(&self) -> Problem {
        let mut problem = Problem::new(OptimizationDirection::Maximize);
        let initial = self.initial_vectors();
        // With one initial set the bound is a sum of weights; with several it is a variable above all of the sums.
        let direct = initial.first().filter(|_| initial.len() == 1 && self.aim.bound == Bound::Subtracted);
        let mut variables = self.add_variables(&mut problem, direct);
        if self.aim.bound != Bound::Ignored && direct.is_none() {
            let cost = if self.aim.bound == Bound::Subtracted { -1.0 } else { 0.0 };
            let most = if self.aim.bound == Bound::AtMostOne { 1.0 } else { f64::INFINITY };
            let bound = problem.add_var(cost, (0.0, most));
            for vector in &initial {
                let row = self.sum_of(&variables, vector).chain([(bound, -1.0)]).collect::<Vec<_>>();
                problem.add_constraint(row, ComparisonOp::Le, 0.0);
            }
        }
        let multipliers = variables.split_off(self.states.len());
        for &row in &self.chosen {
            let mut entries = Vec::with_capacity(4);
            self.rows.for_each_entry(row, |state, change| {
                if let Some(&column) = self.columns.get(&state) {
                    entries.push((variables[column], change as f64));
                }
            });
            for (trap, &variable) in self.traps.iter().zip(&multipliers) {
                let change = self.rows.value(row, |state| self.is_in(trap, state));
                entries.extend((change != 0.0).then_some((variable, change)));
            }
            problem.add_constraint(entries, ComparisonOp::Le, self.right_hand_side(row));
        }
        problem
    }

    /// Adds the variables of weights, then of multipliers, with what they gain; what they add to the bound is
    /// subtracted where the bound is the weight of one vector.
    fn add_variables(&self, problem: &mut Problem, bound: Option<&FxHashMap<usize, f64>>) -> Vec<Variable> {
        let weights = self.states.iter().map(|state| {
            let cost = bound.and_then(|vector| vector.get(state)).copied().unwrap_or(0.0);
            self.gain.get(state).copied().unwrap_or(0.0) - cost
        });
        let multipliers =
            self.traps.iter().map(|trap| 1.0 - bound.map_or(0.0, |vector| self.threads_in(trap, vector)));
        weights.chain(multipliers).map(|gain| problem.add_var(gain, (0.0, self.aim.most))).collect()
    }

    /// z·vector as a sum of variables.
    fn sum_of(
        &self,
        variables: &[Variable],
        vector: &FxHashMap<usize, f64>,
    ) -> impl Iterator<Item = (Variable, f64)> {
        let weights = self.states.iter().map(|state| vector.get(state).copied().unwrap_or(0.0));
        let multipliers = self.traps.iter().map(|trap| self.threads_in(trap, vector));
        variables.iter().copied().zip(weights.chain(multipliers)).filter(|&(_, factor)| factor != 0.0)
    }

    /// The exact threads of each initial set, if the bound matters.
    fn initial_vectors(&self) -> Vec<FxHashMap<usize, f64>> {
        let initial = self.rows.system.initial().iter().filter(|_| self.aim.bound != Bound::Ignored);
        let vector = |config| self.rows.space.vector(config).map(|(state, count)| (state, f64::from(count)));
        initial.map(|set| vector(ConfigRef::new(set.shared, &set.exact)).collect()).collect()
    }

    fn right_hand_side(&self, row: Row) -> f64 {
        match row {
            Row::Rule(_) => self.aim.raise,
            Row::Move { .. } => 0.0,
        }
    }

    /// How many threads of a vector are in a trap.
    fn threads_in(&self, trap: &UsableTrap<'_>, vector: &FxHashMap<usize, f64>) -> f64 {
        trap.locals.iter().filter_map(|&local| vector.get(&self.rows.space.local(local))).sum()
    }

    fn is_in(&self, trap: &UsableTrap<'_>, state: usize) -> f64 {
        let is_in = match self.rows.space.state(state) {
            crate::space::State::Local(local) => trap.locals.binary_search(&local).is_ok(),
            crate::space::State::Shared(_) => false,
        };
        if is_in { 1.0 } else { 0.0 }
    }

    fn work_of(&self, solution: &Solution) -> u64 {
        let size = self.states.len() + self.traps.len() + self.chosen.len();
        (solution.stats().lp_iterations + 1).saturating_mul(size as u64 + PIVOT_SIZE)
    }

    fn read(&mut self, solution: &Solution) {
        let mut values = solution.iter().map(|(_, value)| value);
        self.weights.iter_mut().for_each(|weight| *weight = values.next().unwrap_or(0.0));
        self.multipliers = values.take(self.traps.len()).collect();
    }

    /// z of a state.
    fn total(&self, state: usize) -> f64 {
        let weight = self.columns.get(&state).map_or(0.0, |&column| self.weights[column]);
        let multipliers = self.traps.iter().zip(&self.multipliers);
        multipliers.fold(weight, |sum, (trap, multiplier)| sum + multiplier * self.is_in(trap, state))
    }

    /// The rows that the last solution violates, the most violated first.
    fn violated(&self) -> Vec<Row> {
        let of_traps =
            self.traps.iter().zip(&self.multipliers).filter(|&(_, &multiplier)| multiplier > TOLERANCE);
        let of_traps =
            of_traps.flat_map(|(trap, _)| trap.locals.iter().map(|&local| self.rows.space.local(local)));
        let of_weights = self.states.iter().zip(&self.weights).filter(|&(_, &weight)| weight > TOLERANCE);
        let mut seen = FxHashSet::default();
        let mut violated = Vec::new();
        for state in of_weights.map(|(&state, _)| state).chain(of_traps) {
            for row in self.rows.raising(state) {
                if self.is_chosen.contains(&row) || !seen.insert(row) {
                    continue;
                }
                let excess = self.rows.value(row, |state| self.total(state)) - self.right_hand_side(row);
                if excess > TOLERANCE {
                    violated.push((excess, row));
                }
            }
        }
        violated.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        violated.into_iter().map(|(_, row)| row).collect()
    }

    /// Adds violated rows and what follows from them, breadth first; `false` if the program is too large already.
    fn extend(&mut self, violated: Vec<Row>, most: usize) -> bool {
        if self.chosen.len() >= most {
            return false;
        }
        let enough = (2 * self.chosen.len()).max(FIRST_ROWS).min(most);
        let mut queue = VecDeque::from(violated);
        while let Some(row) = queue.pop_front() {
            if self.chosen.len() >= enough {
                break;
            }
            if !self.is_chosen.insert(row) {
                continue;
            }
            self.chosen.push(row);
            let rows = self.rows;
            rows.for_each_entry(row, |state, _| {
                if self.add_column(state) {
                    queue.extend(rows.raising(state));
                }
            });
        }
        true
    }

    fn proposal(&self) -> Proposal {
        let weights = self.states.iter().copied().zip(self.weights.iter().copied());
        let multipliers = self.traps.iter().map(|trap| trap.index).zip(self.multipliers.iter().copied());
        Proposal {
            weights: weights.filter(|&(_, weight)| weight > 0.0).collect(),
            multipliers: multipliers.filter(|&(_, multiplier)| multiplier > 0.0).collect(),
        }
    }
}
