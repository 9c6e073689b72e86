//! From floating point to cuts: rounding to integers, and the exact test that decides.
//!
//! Optimal vertices have small rational coordinates, so the weights are multiplied by a common denominator that
//! continued fractions find. The test is the definition of a cut (see the checker's `cuts`): z = y + Σ μ·[· ∈ trap]
//! is raised by no rule and no move and is 0 on unbounded initial locals; the bound is the maximum over the initial
//! sets of z(shared) + z·exact, minus Σ μ. All sums are exact; whatever does not fit is refused.

use crate::generation::Proposal;
use crate::rows::Rows;
use crate::space::{Space, State};
use rustc_hash::FxHashMap;
use throng_cert::{Cut, Trap};
use throng_model::ConfigRef;

/// How far a coordinate may be from the rational number that it is taken for. Simple numbers are tried first.
const TOLERANCES: [f64; 2] = [1e-7, 1e-11];
/// The largest common denominator.
const MOST_DENOMINATOR: f64 = 1e9;

/// The cut that weights in floating point are meant to be; `None` if they are not close to one.
pub(crate) fn cut_of(rows: &Rows<'_>, traps: &[Trap], proposal: &Proposal) -> Option<Cut> {
    TOLERANCES
        .iter()
        .find_map(|&tolerance| Weights::round(rows.space, traps, proposal, tolerance)?.verified(rows))
}

/// The integers that weights in floating point are meant to be, if they pass a test.
pub(crate) fn weights_of(
    space: Space,
    proposal: &Proposal,
    test: impl Fn(&Weights) -> bool,
) -> Option<Weights> {
    let mut rounded =
        TOLERANCES.iter().filter_map(|&tolerance| Weights::round(space, &[], proposal, tolerance));
    rounded.find(test)
}

/// Integer weights, and multipliers of traps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weights {
    /// Positive weights y, sorted by state.
    own: Vec<(usize, u64)>,
    /// Positive multipliers, sorted by trap.
    multipliers: Vec<(usize, u64)>,
    /// z of the states where it is positive.
    total: FxHashMap<usize, u128>,
}

impl Weights {
    /// The smallest integers in the proportions of a proposal.
    fn round(space: Space, traps: &[Trap], proposal: &Proposal, tolerance: f64) -> Option<Self> {
        let values = proposal.weights.iter().chain(&proposal.multipliers).map(|&(_, value)| value);
        let denominator = common_denominator(values, tolerance)?;
        let scale = |list: &[(usize, f64)]| {
            let scaled = list.iter().map(|&(index, value)| (index, (value * denominator).round() as u64));
            let mut scaled: Vec<(usize, u64)> = scaled.filter(|&(_, weight)| weight > 0).collect();
            scaled.sort_unstable();
            scaled
        };
        let (mut own, mut multipliers) = (scale(&proposal.weights), scale(&proposal.multipliers));
        let divisor = own.iter().chain(&multipliers).fold(0, |divisor, &(_, weight)| gcd(divisor, weight));
        own.iter_mut().chain(&mut multipliers).for_each(|(_, weight)| *weight /= divisor.max(1));
        Some(Self::new(space, traps, own, multipliers))
    }

    /// Weights and multipliers, both sorted.
    pub(crate) fn new(
        space: Space,
        traps: &[Trap],
        own: Vec<(usize, u64)>,
        multipliers: Vec<(usize, u64)>,
    ) -> Self {
        let mut total: FxHashMap<usize, u128> = FxHashMap::default();
        for &(state, weight) in &own {
            *total.entry(state).or_insert(0) += u128::from(weight);
        }
        for &(trap, multiplier) in &multipliers {
            for &local in traps.get(trap).map_or(&[][..], |trap| &trap.locals) {
                *total.entry(space.local(local)).or_insert(0) += u128::from(multiplier);
            }
        }
        Self { own, multipliers, total }
    }

    /// The cut with these weights, if they are one.
    pub(crate) fn verified(self, rows: &Rows<'_>) -> Option<Cut> {
        if self.is_raised(rows) { None } else { self.into_cut(rows) }
    }

    /// Positive weights y, sorted by state.
    pub(crate) fn own(&self) -> &[(usize, u64)] {
        &self.own
    }

    /// z of a state.
    pub(crate) fn total(&self, state: usize) -> u128 {
        self.total.get(&state).copied().unwrap_or(0)
    }

    /// Whether some rule or move raises z, or z is positive on an unbounded initial local.
    fn is_raised(&self, rows: &Rows<'_>) -> bool {
        // The order of the states does not matter for the answer.
        let mut states = self.total.keys();
        states.any(|&state| {
            rows.is_zero(state)
                || rows.raising(state).any(|row| self.value(rows, row).is_none_or(|value| value > 0))
        })
    }

    /// z·row; `None` if it does not fit.
    pub(crate) fn value(&self, rows: &Rows<'_>, row: crate::rows::Row) -> Option<i128> {
        let mut sum = Some(0_i128);
        rows.for_each_entry(row, |state, change| {
            let total = i128::try_from(self.total(state)).ok();
            let product = total.and_then(|total| total.checked_mul(i128::from(change)));
            sum = sum.zip(product).and_then(|(sum, product)| sum.checked_add(product));
        });
        sum
    }

    /// z·config; `None` if it does not fit.
    pub(crate) fn of(&self, rows: &Rows<'_>, config: ConfigRef<'_>) -> Option<u128> {
        rows.space.vector(config).try_fold(0_u128, |sum, (state, count)| {
            sum.checked_add(self.total(state).checked_mul(u128::from(count))?)
        })
    }

    /// The largest z(shared) + z·exact of an initial set; `None` if it does not fit.
    pub(crate) fn heaviest_initial(&self, rows: &Rows<'_>) -> Option<u128> {
        let mut initial = rows.system.initial().iter();
        initial.try_fold(0, |most: u128, set| {
            Some(most.max(self.of(rows, ConfigRef::new(set.shared, &set.exact))?))
        })
    }

    /// The cut with these weights, which no rule raises; `None` if nothing can break it or a number does not fit.
    fn into_cut(self, rows: &Rows<'_>) -> Option<Cut> {
        let most = self.heaviest_initial(rows)?;
        let multipliers: u128 = self.multipliers.iter().map(|&(_, multiplier)| u128::from(multiplier)).sum();
        let bound = u64::try_from(most.checked_sub(multipliers)?).ok()?;
        let mut cut = Cut { shared: vec![], locals: vec![], bound, traps: self.multipliers };
        for (state, weight) in self.own {
            match rows.space.state(state) {
                State::Shared(shared) => cut.shared.push((shared, weight)),
                State::Local(local) => cut.locals.push((local, weight)),
            }
        }
        // A bound that a saturated sum does not pass could not be broken.
        let is_breakable = !cut.locals.is_empty() || cut.shared.iter().any(|&(_, weight)| weight > bound);
        (is_breakable && bound < u64::MAX).then_some(cut)
    }
}

/// A number whose product with each of the values is close to an integer.
fn common_denominator(values: impl Iterator<Item = f64>, tolerance: f64) -> Option<f64> {
    let mut common = 1.0;
    for value in values {
        let scaled = value * common;
        common *= denominator(scaled, (tolerance * common).min(1e-3), MOST_DENOMINATOR / common)?;
    }
    Some(common)
}

/// The denominator of the first continued fraction of a value that is within the tolerance.
fn denominator(value: f64, tolerance: f64, most: f64) -> Option<f64> {
    let (mut before, mut current) = (0.0, 1.0);
    let mut rest = value;
    loop {
        if (value * current - (value * current).round()).abs() <= tolerance * current {
            return Some(current);
        }
        let fraction = rest - rest.floor();
        rest = 1.0 / fraction;
        (before, current) = (current, rest.floor() * current + before);
        // Also ends the loop where floating point has lost the number.
        if !(current <= most && rest.is_finite()) {
            return None;
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, CRITICAL, FREE, TAKEN, WAITING};

    fn proposal(rows: &Rows<'_>, free: f64, taken: f64, waiting: f64, critical: f64) -> Proposal {
        let space = rows.space;
        let weights = [
            (space.shared(FREE), free),
            (space.shared(TAKEN), taken),
            (space.local(WAITING), waiting),
            (space.local(CRITICAL), critical),
        ];
        Proposal {
            weights: weights.into_iter().filter(|&(_, weight)| weight > 0.0).collect(),
            multipliers: vec![],
        }
    }

    #[test]
    fn denominators_are_found() {
        let values = [0.5, 1.0 / 3.0, 0.75 + 1e-9, 0.0, 1.0];
        assert_eq!(common_denominator(values.into_iter(), 1e-7), Some(12.0));
        assert_eq!(common_denominator([1e-6, 1.0].into_iter(), 1e-11), Some(1e6));
        assert_eq!(denominator(std::f64::consts::PI, 1e-13, 1000.0), None);
        assert_eq!(common_denominator([f64::NAN].into_iter(), 1e-7), None);
    }

    #[test]
    fn weights_that_no_rule_raises_are_a_cut() {
        let system = samples::mutex();
        let rows = Rows::of(&system).unwrap();
        let cut = cut_of(&rows, &[], &proposal(&rows, 0.5000000001, 0.0, 0.0, 0.5)).unwrap();
        assert_eq!(
            cut,
            Cut { shared: vec![(FREE, 1)], locals: vec![(CRITICAL, 1)], bound: 1, traps: vec![] }
        );
    }

    #[test]
    fn weights_that_a_rule_raises_are_none() {
        let system = samples::mutex();
        let rows = Rows::of(&system).unwrap();
        for (free, taken, waiting, critical) in
            [(0.5, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.5), (0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 1.0, 1.0)]
        {
            assert_eq!(cut_of(&rows, &[], &proposal(&rows, free, taken, waiting, critical)), None);
        }
    }
}
