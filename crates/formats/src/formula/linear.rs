//! Linear expressions over places, and the minimal solutions of `a₁·p₁ + … ≥ n` with positive weights.

use throng_model::{Bag, LocalId, Names, bag};

/// A number of the exact arithmetic passed 128 bits, or a count what a bag can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overflow;

/// `Σ weight·place + constant`. Places may repeat until [`Linear::normalise`] is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Linear {
    pub(crate) terms: Vec<(LocalId, i128)>,
    pub(crate) constant: i128,
}

impl Linear {
    /// A number.
    pub(crate) fn constant(constant: i128) -> Self {
        Self { terms: Vec::new(), constant }
    }

    /// The tokens of a place.
    pub(crate) fn place(place: LocalId) -> Self {
        Self { terms: vec![(place, 1)], constant: 0 }
    }

    /// The sum. Appends the shorter list to the longer one, so that long sums take time close to linear
    /// however they are parenthesised.
    pub(crate) fn plus(mut self, mut other: Self) -> Result<Self, Overflow> {
        if self.terms.len() < other.terms.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.constant = self.constant.checked_add(other.constant).ok_or(Overflow)?;
        self.terms.extend(other.terms);
        Ok(self)
    }

    /// The product with a number.
    pub(crate) fn times(mut self, factor: i128) -> Result<Self, Overflow> {
        self.constant = self.constant.checked_mul(factor).ok_or(Overflow)?;
        for (_, weight) in &mut self.terms {
            *weight = weight.checked_mul(factor).ok_or(Overflow)?;
        }
        Ok(self)
    }

    /// The difference.
    pub(crate) fn minus(self, other: Self) -> Result<Self, Overflow> {
        self.plus(other.times(-1)?)
    }

    /// Sorts by place, adds up weights of one place and drops zero weights.
    pub(crate) fn normalise(&mut self) -> Result<(), Overflow> {
        self.terms.sort_unstable_by_key(|&(place, _)| place);
        let mut sums: Vec<(LocalId, i128)> = Vec::with_capacity(self.terms.len());
        for &(place, weight) in &self.terms {
            match sums.last_mut() {
                Some((last, sum)) if *last == place => *sum = sum.checked_add(weight).ok_or(Overflow)?,
                _ => sums.push((place, weight)),
            }
        }
        sums.retain(|&(_, weight)| weight != 0);
        self.terms = sums;
        Ok(())
    }

    /// The terms with names, such as `2 * a + b`, for messages.
    pub(crate) fn show_terms(&self, names: &Names) -> String {
        /// More terms than this are cut off.
        const SHOWN: usize = 6;
        let show = |&(place, weight): &(LocalId, i128)| {
            let name = names.get(place.index());
            if weight == 1 { name.into_owned() } else { format!("{weight} * {name}") }
        };
        let mut shown: Vec<String> = self.terms.iter().take(SHOWN).map(show).collect();
        if self.terms.len() > SHOWN {
            shown.push("…".to_owned());
        }
        shown.join(" + ")
    }
}

/// Calls `emit` with each minimal solution of `Σ weight·place ≥ need`, until it returns `false`.
///
/// Preconditions: `need` and all weights are positive, places are distinct. Cost: proportional to the output.
///
/// A solution is minimal if and only if its excess over `need` is below every weight it uses. Taking places by
/// decreasing weight, the last place used has the smallest weight, and taking no more of it than needed keeps
/// the excess below that: every branch of the enumeration ends in a minimal solution.
pub(crate) fn for_each_minimal_solution(
    terms: &[(LocalId, i128)],
    need: i128,
    mut emit: impl FnMut(Bag) -> bool,
) -> Result<(), Overflow> {
    let mut terms = terms.to_vec();
    terms.sort_by_key(|&(place, weight)| (std::cmp::Reverse(weight), place));
    // Each choice: index into `terms`, how many tokens, and what was needed before it.
    let mut choices: Vec<(usize, i128, i128)> = vec![(0, 1, need)];
    while let Some(&(at, count, needed)) = choices.last() {
        let weight = terms[at].1;
        let enough = needed.div_euclid(weight) + i128::from(needed.rem_euclid(weight) != 0);
        let is_last = at + 1 == terms.len();
        if count < enough && !is_last {
            choices.push((at + 1, 1, needed - count * weight));
            continue;
        }
        choices.pop();
        choices.push((at, enough, needed));
        if !emit(solution(&terms, &choices)?) {
            return Ok(());
        }
        choices.pop();
        if is_last {
            // All ways to go on after the choice before have been seen: take one more token there.
            match choices.last_mut() {
                Some(choice) => choice.1 += 1,
                None => return Ok(()),
            }
        } else {
            choices.push((at + 1, 1, needed));
        }
    }
    Ok(())
}

fn solution(terms: &[(LocalId, i128)], choices: &[(usize, i128, i128)]) -> Result<Bag, Overflow> {
    let mut counts = Vec::with_capacity(choices.len());
    for &(at, count, _) in choices {
        let count = u32::try_from(count).ok().filter(|&count| count <= bag::MAX_COUNT).ok_or(Overflow)?;
        counts.push((terms[at].0, count));
    }
    Bag::from_counts(counts).map_err(|_| Overflow)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solutions(weights: &[i128], need: i128) -> Vec<Vec<u32>> {
        let terms: Vec<_> = weights.iter().enumerate().map(|(i, &w)| (LocalId::new(i), w)).collect();
        let mut found = Vec::new();
        for_each_minimal_solution(&terms, need, |bag| {
            found.push((0..weights.len()).map(|i| bag::count(&bag, LocalId::new(i))).collect());
            true
        })
        .unwrap();
        found.sort();
        found
    }

    /// All vectors below a bound that satisfy the inequality and stop doing so when any token is removed.
    fn brute_force(weights: &[i128], need: i128) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut vector = vec![0u32; weights.len()];
        let value = |v: &[u32]| v.iter().zip(weights).map(|(&n, &w)| i128::from(n) * w).sum::<i128>();
        loop {
            let excess = value(&vector) - need;
            if excess >= 0 && vector.iter().zip(weights).all(|(&n, &w)| n == 0 || excess < w) {
                found.push(vector.clone());
            }
            let Some(at) = vector.iter().position(|&n| i128::from(n) < need) else { break };
            vector[at] += 1;
            vector[..at].fill(0);
        }
        found.sort();
        found
    }

    #[test]
    fn minimal_solutions_are_those_of_the_definition() {
        for weights in [&[1][..], &[1, 1], &[2, 1], &[3, 2], &[1, 1, 1], &[5, 3, 2], &[4, 4, 1]] {
            for need in 1..=7 {
                assert_eq!(solutions(weights, need), brute_force(weights, need), "{weights:?} {need}");
            }
        }
    }

    #[test]
    fn enumeration_stops_when_told() {
        let terms: Vec<_> = (0..100_000).map(|i| (LocalId::new(i), 1)).collect();
        let mut seen = 0;
        for_each_minimal_solution(&terms, 100_000_000_000, |_| true).unwrap_err();
        for_each_minimal_solution(&terms, 50, |_| {
            seen += 1;
            seen < 1000
        })
        .unwrap();
        assert_eq!(seen, 1000);
    }

    #[test]
    fn overflow_is_an_error() {
        let huge = Linear::constant(i128::MAX);
        assert_eq!(huge.clone().plus(Linear::constant(1)), Err(Overflow));
        assert_eq!(huge.times(2), Err(Overflow));
    }
}
