//! Proofs: the conditions (1) to (3) of the crate's documentation.

use crate::bag::{Bag, Config, count_in, counts};
use crate::cuts::Cuts;
use crate::index::{Index, Order};
use crate::names::{self, Counts, describe, place};
use crate::predecessors;
use crate::rules::Producers;
use crate::verdict::{Accepted, Condition, Limits, Rejection};
use throng_cert::document::Proof;
use throng_model::{Initial, System};

/// Accepts a proof or says which condition it violates first.
pub(crate) fn check(system: &System, proof: &Proof, limits: Limits) -> Result<Accepted, Rejection> {
    let cuts = Cuts::check(system, &proof.cuts, &proof.traps)?;
    let (elements, origins) = names::elements(system, &proof.elements, Counts::Finite, limits)?;
    let index = Index::new(system, &elements, Order::RareFirst);
    let excluded = |config: &Config| index.has_below(config) || cuts.are_broken_by(config);

    check_targets(system, &excluded)?;
    let elements = || elements.iter().zip(origins.iter().copied());
    for (element, origin) in elements() {
        check_not_initial(system, element, &place("element", origin))?;
    }
    let producers = Producers::new(system);
    let mut rules = Vec::new();
    for (element, origin) in elements() {
        producers.of(element, &mut rules);
        for &id in &rules {
            let rule = system.rule(id);
            let found = predecessors::find_not_excluded(rule, element, limits.choices, &excluded)
                .map_err(|trouble| trouble.at(place("element", origin)))?;
            if let Some(before) = found {
                let reason = format!(
                    "{} has the predecessor {} under rule `{}`, which is neither above an element nor breaks a cut",
                    describe(system, element),
                    describe(system, &before),
                    system.rule_name(id)
                );
                return Err(Rejection::new(Condition::ProofPredecessor, place("element", origin), reason));
            }
        }
    }
    Ok(Accepted::Proof { elements: proof.elements.len(), cuts: proof.cuts.len() })
}

/// Condition (1): each target is excluded.
fn check_targets(system: &System, excluded: &dyn Fn(&Config) -> bool) -> Result<(), Rejection> {
    for (index, target) in system.targets().iter().enumerate() {
        let mut bag = Bag::default();
        bag.extend(counts(&target.bag)).map_err(|trouble| trouble.at(place("target", index)))?;
        let target = Config { shared: target.shared, bag };
        if !excluded(&target) {
            let reason =
                format!("{} is neither above an element nor breaks a cut", describe(system, &target));
            return Err(Rejection::new(Condition::ProofTarget, place("target", index), reason));
        }
    }
    Ok(())
}

/// Condition (2): `element` is not in ↓I.
fn check_not_initial(system: &System, element: &Config, place: &str) -> Result<(), Rejection> {
    if system.initial().iter().any(|initial| is_below_initial(element, initial)) {
        let reason = format!("{} is covered by an initial configuration", describe(system, element));
        return Err(Rejection::new(Condition::ProofInitial, place, reason));
    }
    Ok(())
}

/// Whether a configuration of the initial set covers `element`: threads in unbounded locals can be had in any
/// number, others only as many as are there exactly.
fn is_below_initial(element: &Config, initial: &Initial) -> bool {
    element.shared == initial.shared
        && element.bag.entries().iter().all(|&(local, count)| {
            initial.unbounded.binary_search(&local).is_ok() || count_in(&initial.exact, local) >= count
        })
}
