//! Proofs: the conditions (1) to (3) of the crate's documentation, and those of [`crate::cuts`] on cuts and traps.

use crate::bag::Config;
use crate::cuts::Cuts;
use crate::index::{Index, Order};
use crate::names::{self, Counts, describe, place};
use crate::rules::{Producers, SharedStates, Sources};
use crate::verdict::{Accepted, Condition, Limits, Rejection};
use crate::{predecessors, question};
use throng_cert::document::Proof;
use throng_model::System;

/// Accepts a proof or says which condition it violates first.
pub(crate) fn check(system: &System, proof: &Proof, limits: Limits) -> Result<Accepted, Rejection> {
    let cuts = Cuts::new(system, &proof.cuts, &proof.traps)?;
    let (elements, origins) = names::elements(system, &proof.elements, Counts::Finite, limits)?;
    let index = Index::new(&elements, Order::RareFirst);
    // The cheapest test first.
    let excluded = |config: &Config| {
        cuts.last_is_broken_by(config) || index.has_below(config) || cuts.are_broken_by(config)
    };

    cuts.check_rules(system, &excluded)?;
    check_targets(system, &excluded)?;
    check_not_initial(system, &elements, &origins)?;
    let goals = SharedStates::of(&elements);
    let (producers, sources) = (Producers::new(system, &goals), Sources::new(system, &goals));
    let mut rules = Vec::new();
    for (element, origin) in elements.iter().zip(origins) {
        producers.of(element, &mut rules);
        for &id in &rules {
            let before = |local| sources.of(id, local);
            let rule = system.rule(id);
            let found = predecessors::find_not_excluded(rule, element, before, limits.choices, &excluded)
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
    for (index, target) in question::targets(system)?.iter().enumerate() {
        if !excluded(target) {
            let reason = format!("{} is neither above an element nor breaks a cut", describe(system, target));
            return Err(Rejection::new(Condition::ProofTarget, place("target", index), reason));
        }
    }
    Ok(())
}

/// Condition (2): no element is in ↓I.
fn check_not_initial(system: &System, elements: &[Config], origins: &[usize]) -> Result<(), Rejection> {
    let initial = Index::new(&question::initial(system)?, Order::FrequentFirst);
    for (element, &origin) in elements.iter().zip(origins) {
        if initial.has_above(element) {
            let reason = format!("{} is covered by an initial configuration", describe(system, element));
            return Err(Rejection::new(Condition::ProofInitial, place("element", origin), reason));
        }
    }
    Ok(())
}
