//! Proofs: what leads into the excluded set by a substitution is excluded.
//!
//! σ⁻¹(↑u) is the set of all v with σ(v) ≥ u. Its minimal elements arise from u by *steps back*: take σ(p) away from the
//! kept locals, as far as it is there, and add a thread in p, as often as something is taken away. For if σ(v) ≥ u and v
//! has a thread in p, either u shares nothing with σ(p), and v can do without the thread; or v without it is in the
//! preimage of u without σ(p). The order of steps back does not matter, so they are taken by increasing rank of p; and they
//! are monotone, so that what is above another element need not be gone on with.
//!
//! What breaks a cut is excluded in any case and left out. Nor is it gone on with: since a thread in p weighs at least as much
//! as σ(p) ([`super::cuts`]), steps back lower no weight.
//!
//! Adding only those variants that some predecessor needs was tried: on two nets where lifting adds many it left
//! out 5 to 25 % of them, and took longer than it saved.

use super::cuts;
use super::{MOST_ENTRIES, replaced_near};
use crate::lift::LiftError;
use crate::lift::cut_index::CutIndex;
use crate::substitution::Substitution;
use throng_base::Budget;
use throng_cert::Proof;
use throng_model::closed::Insertion;
use throng_model::{Bag, ClosedSet, Config, System, UpwardClosedSet, bag};

/// Lifts a proof, see the module's documentation.
pub(super) fn lift(
    substitution: &Substitution,
    original: &System,
    proof: Proof,
    budget: &Budget,
) -> Result<Proof, LiftError> {
    let (cuts, traps) = cuts::lift(substitution, original, proof.cuts, proof.traps)?;
    let is_kept = |element: &Config| !element.bag.iter().any(|entry| substitution.replaces(entry.local));
    let elements: Vec<Config> = proof.elements.into_iter().filter(is_kept).collect();
    let elements = preimage(substitution, &CutIndex::new(original, &cuts), elements, budget)?;
    Ok(Proof { cuts, traps, elements })
}

/// The minimal elements of the preimage of ↑`elements` that break no cut.
fn preimage(
    substitution: &Substitution,
    cuts: &CutIndex,
    elements: Vec<Config>,
    budget: &Budget,
) -> Result<Vec<Config>, LiftError> {
    let by_part = substitution.by_part();
    let mut excluded = UpwardClosedSet::default();
    let mut room = MOST_ENTRIES;
    let mut work = Vec::new();
    for element in elements {
        if let Insertion::Inserted(_) = excluded.insert(element.view()) {
            work.push((element, 0));
        }
    }
    let mut rest = Bag::new();
    while let Some((element, first)) = work.pop() {
        budget.check()?;
        for rank in replaced_near(substitution, &by_part, &element.bag, first) {
            let replaced = &substitution.images()[rank];
            bag::difference_into(&element.bag, &replaced.image, &mut rest);
            let mut before = Config::new(element.shared, rest.clone());
            before.bag.add(replaced.local, 1)?;
            if cuts.is_broken_by(before.view()) {
                continue;
            }
            if let Insertion::Inserted(_) = excluded.insert(before.view()) {
                room = room.checked_sub(1 + before.bag.len()).ok_or(LiftError::TooLarge)?;
                work.push((before, rank));
            }
        }
    }
    excluded.minimise();
    Ok(excluded.generators().iter().map(|(_, element)| element.to_config()).collect())
}
