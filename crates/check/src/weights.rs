//! The weights of a cut together with those of its traps, and what a rule does to them.
//!
//! With z as in [`crate::cuts`], a rule *keeps* a cut iff z·put + z(to) ≤ z·take + z(from), and z(q) ≤ z(p) for
//! each destination q of each source p: then no step of the rule raises z (threads that vanish lower it).

use crate::bag::counts;
use crate::traps::Trap;
use crate::verdict::Trouble;
use throng_model::{Entry, LocalId, RuleRef, SharedId, System};

/// The weights y of a cut as written, sorted by state.
pub(crate) struct Written {
    pub(crate) shared: Vec<(SharedId, u64)>,
    pub(crate) locals: Vec<(LocalId, u64)>,
}

/// The weights z, by index of the state.
pub(crate) struct Weights {
    shared: Vec<u128>,
    locals: Vec<u128>,
    /// The sum of the traps' multipliers.
    pub(crate) multipliers: u128,
}

impl Weights {
    /// The weights as written, and each trap's multiplier on its members.
    pub(crate) fn new<'a>(
        system: &System,
        written: &Written,
        traps: impl Iterator<Item = (&'a Trap, u64)>,
    ) -> Result<Self, Trouble> {
        let (n_shared, n_locals) = (system.n_shared(), system.n_locals());
        let mut weights = Self { shared: vec![0; n_shared], locals: vec![0; n_locals], multipliers: 0 };
        for &(state, weight) in &written.shared {
            raise(&mut weights.shared, state.index(), weight)?;
        }
        for &(local, weight) in &written.locals {
            raise(&mut weights.locals, local.index(), weight)?;
        }
        for (trap, multiplier) in traps {
            for member in &trap.members {
                raise(&mut weights.locals, member.index(), multiplier)?;
            }
            let sum = weights.multipliers.checked_add(multiplier.into());
            weights.multipliers = sum.ok_or(Trouble::Overflow)?;
        }
        Ok(weights)
    }

    fn shared(&self, state: SharedId) -> u128 {
        self.shared.get(state.index()).copied().unwrap_or(0)
    }

    /// z(local).
    pub(crate) fn local(&self, local: LocalId) -> u128 {
        self.locals.get(local.index()).copied().unwrap_or(0)
    }

    /// z(shared) + z·bag.
    pub(crate) fn total(&self, shared: SharedId, bag: &[Entry]) -> Result<u128, Trouble> {
        counts(bag).try_fold(self.shared(shared), |sum, (local, count)| {
            let product = self.local(local).checked_mul(u128::from(count));
            product.and_then(|product| sum.checked_add(product)).ok_or(Trouble::Overflow)
        })
    }

    /// How a rule can raise the weights, if it can.
    pub(crate) fn raised_by(&self, system: &System, rule: RuleRef<'_>) -> Result<Option<String>, Trouble> {
        let before = self.total(rule.from, rule.take)?;
        let after = self.total(rule.to, rule.put)?;
        if after > before {
            return Ok(Some(format!("raises the weight from {before} to {after}")));
        }
        for (source, destinations) in rule.moves() {
            for &destination in destinations {
                let (before, after) = (self.local(source), self.local(destination));
                if after > before {
                    let name = |local: LocalId| system.local_names().get(local.index());
                    let (from, to) = (name(source), name(destination));
                    return Ok(Some(format!(
                        "moves threads from `{from}` (weight {before}) to `{to}` (weight {after})"
                    )));
                }
            }
        }
        Ok(None)
    }
}

fn raise(weights: &mut [u128], index: usize, by: u64) -> Result<(), Trouble> {
    let weight = weights.get_mut(index).ok_or(Trouble::Overflow)?;
    *weight = weight.checked_add(by.into()).ok_or(Trouble::Overflow)?;
    Ok(())
}
