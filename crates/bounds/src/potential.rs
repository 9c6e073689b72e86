//! Potentials: lower bounds of the number of steps to a target, for heuristics.
//!
//! Weights y ≥ 0 that each rule raises by at most one and that passive moves do not raise: from c, at least
//! y·(target − c) steps are needed to cover the target. The best ones for a given c are the dual solution of "how few
//! steps solve the state inequation". In floating point, not verified: a heuristic may be wrong.

use crate::generation::{self, Aim, Limits};
use crate::rows::Rows;
use throng_base::Budget;
use throng_model::{ConfigRef, System};

const LIMITS: Limits = Limits { rows: 8192, work: 30_000_000 };
/// The largest weight. Where the state inequation has no solution the weights would be unbounded.
const MOST_WEIGHT: f64 = 1000.0;

/// Weights whose difference to a target bounds the steps to it from below.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Potential {
    /// Weights of shared states.
    pub shared: Vec<f64>,
    /// Weights of local states.
    pub locals: Vec<f64>,
}

impl Potential {
    /// y·config.
    pub fn of(&self, config: ConfigRef<'_>) -> f64 {
        let shared = self.shared.get(config.shared.index()).copied().unwrap_or(0.0);
        config.bag.iter().fold(shared, |sum, entry| {
            sum + self.locals.get(entry.local.index()).copied().unwrap_or(0.0) * f64::from(entry.count)
        })
    }
}

/// The potential that says most about the way from a configuration to a target. `None` if the system is too large or
/// the budget is used up.
pub fn potential(
    system: &System,
    from: ConfigRef<'_>,
    target: ConfigRef<'_>,
    budget: &Budget,
) -> Option<Potential> {
    let rows = Rows::of(system)?;
    let aim = Aim::approach(&rows, from, target, MOST_WEIGHT);
    let proposal = generation::generate(&rows, &[], &aim, LIMITS, &mut 0, budget).ok()??;
    let mut shared = vec![0.0; rows.space.dimension()];
    proposal.weights.iter().for_each(|&(state, weight)| shared[state] = weight);
    let locals = shared.split_off(system.n_shared());
    Some(Potential { shared, locals })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{self, bag, net, rule};

    #[test]
    fn the_potential_of_a_chain_counts_its_steps() {
        let system = net(
            4,
            &[rule(0, 0, &[0], &[1]), rule(0, 0, &[1], &[2]), rule(0, 0, &[2, 2], &[3])],
            &[0, 0],
            &[3],
        );
        let (from, target) = (bag(&[0, 0]), system.targets()[0].view());
        let from = ConfigRef::new(target.shared, &from);
        let potential = potential(&system, from, target, &Budget::unlimited()).unwrap();
        // Two threads take two steps each, and the last one together.
        assert!((potential.of(target) - potential.of(from) - 5.0).abs() < 1e-6);
    }

    #[test]
    fn no_rule_raises_a_potential_by_more_than_one() {
        let system = samples::mutex();
        let (from, goal) = (bag(&[0, 0]), bag(&[2]));
        let (from, goal) = (ConfigRef::new(samples::FREE, &from), ConfigRef::new(samples::TAKEN, &goal));
        let potential = potential(&system, from, goal, &Budget::unlimited()).unwrap();
        assert!((potential.of(goal) - potential.of(from) - 2.0).abs() < 1e-6);
        for (_, rule) in system.rules().iter() {
            let (before, after) = (ConfigRef::new(rule.from, rule.take), ConfigRef::new(rule.to, rule.put));
            assert!(potential.of(after) - potential.of(before) < 1.0 + 1e-6);
        }
    }
}
