//! Cover sets: what a substitution leads below an element of is covered.
//!
//! σ⁻¹(↓e) is the set of all v with σ(v) ≤ e. If e has ω in all locals of σ(p), v may have any number of threads in p: ω there
//! changes nothing else. The maximal elements arise from that by *steps back*: take σ(p) away, if all of it is there, and add
//! a thread in p. As for proofs, steps back are taken by increasing rank, and not from what is below another element.

use super::{MOST_ENTRIES, replaced_near};
use crate::groups::Groups;
use crate::lift::LiftError;
use crate::substitution::Substitution;
use throng_base::Budget;
use throng_cert::CoverSet;
use throng_model::closed::Insertion;
use throng_model::{Bag, ClosedSet, Config, DownwardClosedSet, Entry, OMEGA, bag};

/// Lifts a cover set, see the module's documentation.
pub(super) fn lift(
    substitution: &Substitution,
    set: &CoverSet,
    budget: &Budget,
) -> Result<CoverSet, LiftError> {
    let by_part = substitution.by_part();
    let mut covered = DownwardClosedSet::default();
    let mut room = MOST_ENTRIES;
    let mut work = Vec::new();
    for element in &set.elements {
        let element = with_unbounded(substitution, &by_part, element)?;
        if let Insertion::Inserted(_) = covered.insert(element.view()) {
            work.push((element, 0));
        }
    }
    let mut rest = Bag::new();
    while let Some((element, first)) = work.pop() {
        budget.check()?;
        for rank in replaced_near(substitution, &by_part, &element.bag, first) {
            let replaced = &substitution.images()[rank];
            if is_unbounded(&element.bag, &replaced.image) || !bag::le(&replaced.image, &element.bag) {
                continue;
            }
            bag::difference_into(&element.bag, &replaced.image, &mut rest);
            let mut before = Config::new(element.shared, rest.clone());
            before.bag.add(replaced.local, 1)?;
            if let Insertion::Inserted(_) = covered.insert(before.view()) {
                room = room.checked_sub(1 + before.bag.len()).ok_or(LiftError::TooLarge)?;
                work.push((before, rank));
            }
        }
    }
    covered.minimise();
    Ok(CoverSet { elements: covered.generators().iter().map(|(_, element)| element.to_config()).collect() })
}

/// Whether a bag has ω in all locals of an image.
fn is_unbounded(bag: &[Entry], image: &[Entry]) -> bool {
    image.iter().all(|entry| bag::count(bag, entry.local) == OMEGA)
}

/// An element with ω in the replaced locals that may hold any number of threads, and none in the others.
fn with_unbounded(
    substitution: &Substitution,
    by_part: &Groups<u32>,
    element: &Config,
) -> Result<Config, LiftError> {
    let kept = element.bag.iter().filter(|entry| !substitution.replaces(entry.local));
    let near = replaced_near(substitution, by_part, &element.bag, 0);
    let replaced = near.into_iter().map(|rank| &substitution.images()[rank]);
    let unbounded = replaced.filter(|replaced| is_unbounded(&element.bag, &replaced.image));
    let counts = kept.map(|entry| (entry.local, entry.count));
    let counts = counts.chain(unbounded.map(|replaced| (replaced.local, OMEGA)));
    Ok(Config::new(element.shared, Bag::from_counts(counts)?))
}
