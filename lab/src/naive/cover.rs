//! Cover sets, by computing every successor of every element.

use super::{Judge, Judged, require};
use crate::dense::{Dense, DenseRule, DenseSystem, MAX_LOCALS};
use throng_cert::document::CoverSet;

/// An ω-configuration: the counts of locals marked in `omega` do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OmegaDense {
    /// The finite counts.
    pub finite: Dense,
    /// Which locals hold arbitrarily many threads.
    pub omega: [bool; MAX_LOCALS],
}

impl OmegaDense {
    /// Whether every configuration below `other` is below `self`.
    pub fn covers(&self, other: &OmegaDense) -> bool {
        self.finite.shared == other.finite.shared
            && (0..MAX_LOCALS).all(|l| {
                self.omega[l] || (!other.omega[l] && other.finite.counts[l] <= self.finite.counts[l])
            })
    }

    /// The initial configurations of a system.
    pub fn initial(system: &DenseSystem) -> Vec<OmegaDense> {
        let initial = system.initial.iter();
        initial.map(|initial| OmegaDense { finite: initial.least, omega: initial.unbounded }).collect()
    }

    /// Whether some configuration below this one covers `target`.
    pub fn reaches(&self, target: &Dense) -> bool {
        self.covers(&OmegaDense { finite: *target, omega: [false; MAX_LOCALS] })
    }
}

/// The successors of an ω-configuration: a moved finite count takes every split over its destinations, a moved
/// ω gives ω at all of them.
pub fn successors(rule: &DenseRule, config: &OmegaDense) -> Vec<OmegaDense> {
    // The threads of ω-locals are accounted for apart: what a rule takes from them is there, and no more.
    let mut finite = config.finite;
    let mut omega = [false; MAX_LOCALS];
    for local in (0..MAX_LOCALS).filter(|&local| config.omega[local]) {
        finite.counts[local] = rule.take[local];
        match &rule.moves[local] {
            None => omega[local] = true,
            Some(destinations) => destinations.iter().for_each(|&d| omega[usize::from(d)] = true),
        }
    }
    let mut found = Vec::new();
    rule.any_successor(&finite, &mut |after| {
        found.push(OmegaDense { finite: after, omega });
        false
    });
    found
}

impl Judge<'_> {
    pub(super) fn cover_set(&self, set: &CoverSet) -> Judged<()> {
        let mut elements = Vec::new();
        for element in &set.elements {
            elements.extend(self.expand(element)?);
        }
        let covered = |config: &OmegaDense| elements.iter().any(|element| element.covers(config));
        require(OmegaDense::initial(&self.dense).iter().all(covered))?;
        for element in &elements {
            require(!self.dense.targets.iter().any(|target| element.reaches(target)))?;
            for rule in &self.dense.rules {
                require(successors(rule, element).iter().all(covered))?;
            }
        }
        Ok(())
    }
}
