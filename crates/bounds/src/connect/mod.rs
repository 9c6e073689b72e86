//! Connectivity: targets for which the state inequation has solutions, but none whose rules can follow each other.
//!
//! A rational solution of the state inequation m₀ + Cx ≥ u may be a circle of rules that nobody can enter: through
//! shared states that are not connected to the initial one by rules of the solution, or through places that they
//! never fill. Here such targets are settled, after Fraca and Haddad (*Complexity analysis of continuous Petri nets*,
//! 2015: a solution of maximal support is looked at, and what cannot fire from m₀ inside the support is taken away,
//! again and again) and Athanasiou, Liu and Wahl (*Unbounded-thread program verification using thread-state
//! equations*, IJCAR 2016: paths of shared states are connected). What is new is the evidence: elements of a proof
//! instead of an argument about solutions.
//!
//! # Layers
//!
//! Let u be a target, and R₁ the set of all rules. For i = 1, 2, …, a *layer* takes rules out of Rᵢ, and Rᵢ₊₁ is what
//! is left.
//!
//! * *Weights* y ≥ 0 that no rule of Rᵢ raises (nor a move of such a rule), that are 0 on unbounded initial locals,
//!   and with y·u ≥ b, where b is the largest y·m over the initial configurations m. The rules that lower y, y·put +
//!   y(to) < y·take + y(from), are *spent*: they are taken out.
//! * *Unreached states* X: those that are not in the least set that has the initial states, and with the states that
//!   a rule of Rᵢ needs also those that it fills, and with the source of one of its moves the destinations. Rules of
//!   Rᵢ that need a state of X are taken out.
//!
//! With W for the configurations v that fulfil y·v ≥ b for the weights of all layers before i, let Bᵢ be the v ∈ W
//! with y·v > b, for weights, and the v ∈ W that have a state of X, for unreached states. These sets are upward
//! closed.
//!
//! **Claim.** No initial configuration is below an element of Bᵢ, and each step into Bᵢ comes from B₁ ∪ … ∪ Bᵢ. So if
//! u is in some Bᵢ, u is not coverable.
//!
//! *Initial*: y·m ≤ b for m initial (however many threads are in unbounded locals), and m has no state of X.
//!
//! *Steps*: let a rule r lead from c to c′ ∈ Bᵢ. If no layer before i has taken r out, r raises none of their weights,
//! so that c ∈ W; it raises no weights of layer i either, so that y·c ≥ y·c′ > b; and if c′ has a state of X, then c
//! has it too, or a thread moved there from X, or r needs a state of X and c has that. So c ∈ Bᵢ. If layer j < i has
//! taken r out, r does not raise the weights before j, and c fulfils W for j. If j has weights, r is spent and
//! y·c ≥ y·c′ + 1 ≥ b + 1; otherwise r needs a state of X, which c has. So c ∈ Bⱼ.
//!
//! B₁ is the set of configurations that break a cut, if the first layer has weights. That cut goes to the pool; other
//! layers are no cuts, since rules that were taken out may raise them.
//!
//! # Elements
//!
//! B₁ ∪ … ∪ Bᵢ can have very many minimal elements, and most are not needed: `elements` follows minimal predecessors
//! from the target, puts in place of each a minimal element of the first Bᵢ that it is in, and stops at what breaks a
//! cut. Whatever else went wrong, this ends with a proof or without one.
//!
//! # Which weights
//!
//! Those that spend most rules (`spent`). By linear programming duality the others are the rules with positive value
//! in some solution of the state inequation; that alone is cheaper to find out (`support`), and mostly enough to see
//! that nothing can be done. So the layers come to an end without u in a Bᵢ exactly if u is limit-coverable in the
//! continuous system (moves aside, and up to limits and rounding).
//!
//! Not done here: traps, and the mirror image (rules that no run which ends in u can fire last).

mod active;
mod elements;
mod layers;
mod spent;
mod support;

use crate::exact::Weights;
use crate::rows::Rows;
use crate::{CutPool, Pruner};
use active::ActiveRows;
use elements::{Elements, Limits};
use layers::Layers;
use throng_base::{Budget, StopReason};
use throng_model::{Config, ConfigRef};

/// Targets for which this is tried in vain.
const MOST_IN_VAIN: usize = 16;
/// Layers of weights for one target.
const MOST_ROUNDS: usize = 16;
/// Elements for one target.
const MOST_ELEMENTS: usize = 10_000;

/// What connectivity settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connected {
    /// The indices of the targets that neither a cut nor an element excludes.
    pub left: Vec<usize>,
    /// None of them is initial, and each of their minimal predecessors is above one of them or breaks a cut.
    pub elements: Vec<Config>,
    /// How many targets are above elements and break no cut that was known before.
    pub n_settled: usize,
}

impl CutPool<'_> {
    /// Looks for elements above which are targets that no cut excludes, until about so much work is done (see
    /// [`CutPool::settle`], which should come first). Nothing is done if that is less than the square of the number of
    /// rules and moves: all are in each linear program, which takes about as many pivots.
    pub fn connect(
        &self,
        targets: &[Config],
        most_work: u64,
        budget: &Budget,
    ) -> Result<Connected, StopReason> {
        self.connect_within(targets, Limits { elements: MOST_ELEMENTS, work: most_work }, budget)
    }

    fn connect_within(
        &self,
        targets: &[Config],
        limits: Limits,
        budget: &Budget,
    ) -> Result<Connected, StopReason> {
        let rows = self.rows().filter(|rows| (rows.len() as u64).saturating_pow(2) <= limits.work);
        let mut pruner = Pruner::new(Some(self));
        let mut elements = Elements::new(self.system(), limits);
        let (mut left, mut n_settled, mut work, mut in_vain) = (Vec::new(), 0, 0, 0);
        for (index, target) in targets.iter().enumerate() {
            budget.check()?;
            let target = target.view();
            if pruner.is_broken_by(target) {
                continue;
            }
            if !elements.exclude(target)
                && let Some(rows) = rows.filter(|_| work < limits.work && in_vain < MOST_IN_VAIN)
                && let Some(layers) = self.layers(rows, target, &mut work, budget)?
            {
                elements.extend(target, &layers, &mut pruner, &mut work, budget)?;
            }
            if elements.exclude(target) {
                n_settled += 1;
            } else {
                in_vain += 1;
                left.push(index);
            }
        }
        Ok(Connected { left, elements: elements.into_configs(), n_settled })
    }

    /// Layers whose last set has the target in it; `None` if there are none, or they are not found.
    fn layers(
        &self,
        rows: &Rows<'_>,
        target: ConfigRef<'_>,
        work: &mut u64,
        budget: &Budget,
    ) -> Result<Option<Layers>, StopReason> {
        let mut active = ActiveRows::all(rows);
        let mut layers = Layers::new(rows.space);
        for _ in 0..MOST_ROUNDS {
            if support::is_connected(&active, target, work, budget)? {
                break;
            }
            if let Some(weights) = spent::heaviest_spender(&active, target, work, budget)? {
                let Some(bound) = weights.heaviest_initial(rows) else { return Ok(None) };
                if layers.is_empty() {
                    self.push_cut(rows, &weights);
                }
                layers.push_weights(&weights, bound);
                if layers.place(target).is_some() {
                    return Ok(Some(layers));
                }
                active.retain(|row| weights.value(rows, row).is_none_or(|value| value >= 0));
            }
            let reached = active.reached();
            let disabled = active.remove_disabled(&reached);
            layers.push_reached(reached);
            if layers.place(target).is_some() {
                return Ok(Some(layers));
            }
            if !disabled {
                break;
            }
        }
        Ok(None)
    }

    /// Adds weights of the first layer as a cut. What cannot be added is in elements of the first layer instead.
    fn push_cut(&self, rows: &Rows<'_>, weights: &Weights) {
        if let Some(cut) = weights.clone().verified(rows) {
            self.push(cut);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{bag, rule};
    use throng_model::{Bag, Initial, LocalId, Move, Names, Rule, SharedId, System, SystemBuilder};

    /// Shared state 0 can be left, for 1; the circle of 1 and 2 fills local 2 and cannot be left. Local 1 comes from
    /// the one thread in local 3, at shared state 0. Any number of threads are in local 0.
    fn circle(more: &[Rule], targets: &[&[usize]]) -> System {
        let mut builder = SystemBuilder::new(Names::Numbered(3), Names::Numbered(4));
        let rules =
            [rule(0, 1, &[0], &[0]), rule(1, 2, &[0], &[0]), rule(2, 1, &[0], &[2]), rule(0, 0, &[3], &[1])];
        rules.iter().chain(more).for_each(|rule| {
            builder.rule(rule, 0);
        });
        let unbounded = vec![LocalId::new(0)];
        builder.initial(Initial { shared: SharedId::new(0), exact: bag(&[3]), unbounded });
        targets.iter().for_each(|target| {
            builder.target(Config::new(SharedId::new(0), bag(target)));
        });
        builder.finish().unwrap()
    }

    const LIMITS: Limits = Limits { elements: MOST_ELEMENTS, work: 1 << 20 };

    fn settle_and_connect(system: &System, limits: Limits) -> (Vec<usize>, Connected) {
        let (pool, budget) = (CutPool::new(system), Budget::unlimited());
        let left = pool.settle(system.targets(), 1 << 20, &budget).unwrap();
        (left, pool.connect_within(system.targets(), limits, &budget).unwrap())
    }

    #[test]
    fn a_circle_that_is_not_connected_to_the_target_is_no_help() {
        let system = circle(&[], &[&[2], &[2, 2], &[0]]);
        let (left, connected) = settle_and_connect(&system, LIMITS);
        assert_eq!(left, [0, 1, 2]);
        assert_eq!(connected.left, [2]);
        assert_eq!(connected.elements, [system.targets()[0].clone()]);
    }

    #[test]
    fn weights_are_looked_for_again_without_the_circle() {
        // Local 2 becomes local 1, so that the circle would fill local 1 too.
        let system = circle(&[rule(0, 0, &[2], &[1])], &[&[1, 1], &[1]]);
        let (left, connected) = settle_and_connect(&system, LIMITS);
        assert_eq!((left, &*connected.left), (vec![0, 1], &[1][..]));
        let expected = [&[1, 1][..], &[1, 3], &[3, 3], &[2]].map(bag);
        let mut elements: Vec<Bag> = connected.elements.into_iter().map(|element| element.bag).collect();
        elements.sort_by_key(|bag| expected.iter().position(|other| other == bag));
        assert_eq!(elements, expected);
    }

    #[test]
    fn moves_lead_out_of_a_circle_too() {
        let to =
            |destination| Move { source: LocalId::new(2), destinations: vec![LocalId::new(destination)] };
        // At the target's shared state the threads move where they are needed, and nobody has filled local 2.
        let moving = Rule { moves: vec![to(1)], ..rule(0, 0, &[], &[]) };
        let system = circle(&[moving], &[&[1, 1]]);
        let (left, connected) = settle_and_connect(&system, LIMITS);
        assert_eq!((&*left, &*connected.left), (&[0][..], &[][..]));
        // With a way back from the circle, the target is coverable.
        let back = rule(1, 0, &[0], &[0]);
        let moving = Rule { moves: vec![to(1)], ..rule(0, 0, &[], &[]) };
        assert_eq!(settle_and_connect(&circle(&[moving, back], &[&[1, 1]]), LIMITS).1.left, [0]);
    }

    #[test]
    fn a_target_that_needs_too_many_elements_is_left() {
        let system = circle(&[rule(0, 0, &[2], &[1])], &[&[1, 1]]);
        let limits = |elements, work| Limits { elements, work };
        for (limits, n_left) in [(limits(4, 1 << 20), 0), (limits(3, 1 << 20), 1), (limits(4, 1 << 10), 1)] {
            let connected = settle_and_connect(&system, limits).1;
            assert_eq!(connected.left.len(), n_left, "{limits:?}");
            assert_eq!(connected.elements.is_empty(), n_left == 1, "{limits:?}");
        }
    }
}
