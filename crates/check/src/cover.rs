//! Cover sets: ω-configurations that contain the initial ones, are closed under steps and avoid the targets.

use crate::bag::Config;
use crate::index::{Index, Order};
use crate::names::{self, Counts, describe, place};
use crate::rules::Consumers;
use crate::verdict::{Accepted, Condition, Limits, Rejection};
use crate::{question, successors};
use throng_cert::document::CoverSet;
use throng_model::System;

/// Accepts a cover set or says which condition it violates first.
pub(crate) fn check(system: &System, set: &CoverSet, limits: Limits) -> Result<Accepted, Rejection> {
    let (elements, origins) = names::elements(system, &set.elements, Counts::FiniteOrOmega, limits)?;
    let index = Index::new(&elements, Order::FrequentFirst);
    let inside = |config: &Config| index.has_above(config);

    check_initial(system, &inside)?;
    check_targets(system, &elements, &origins)?;
    let consumers = Consumers::new(system);
    for (element, origin) in elements.iter().zip(origins) {
        for id in consumers.of(element) {
            let found = successors::find_not_inside(system.rule(id), element, limits.choices, &inside)
                .map_err(|trouble| trouble.at(place("element", origin)))?;
            if let Some(after) = found {
                let reason = format!(
                    "{} has the successor {} under rule `{}`, which is below no element",
                    describe(system, element),
                    describe(system, &after),
                    system.rule_name(id)
                );
                return Err(Rejection::new(Condition::CoverSuccessor, place("element", origin), reason));
            }
        }
    }
    Ok(Accepted::CoverSet { elements: set.elements.len() })
}

/// Every initial set, with ω in its unbounded locals, is below some element.
fn check_initial(system: &System, inside: &dyn Fn(&Config) -> bool) -> Result<(), Rejection> {
    for (index, config) in question::initial(system)?.iter().enumerate() {
        if !inside(config) {
            let reason = format!("{} is below no element", describe(system, config));
            return Err(Rejection::new(
                Condition::CoverInitial,
                place("initial configuration", index),
                reason,
            ));
        }
    }
    Ok(())
}

/// No element is above a target.
fn check_targets(system: &System, elements: &[Config], origins: &[usize]) -> Result<(), Rejection> {
    let bad = Index::new(&question::targets(system)?, Order::RareFirst);
    for (element, &origin) in elements.iter().zip(origins) {
        if bad.has_below(element) {
            let reason = format!("{} covers a target", describe(system, element));
            return Err(Rejection::new(Condition::CoverTarget, place("element", origin), reason));
        }
    }
    Ok(())
}
