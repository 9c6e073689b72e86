//! Cover sets: locals outside the cone come back as ω, shared states outside it with everything.
//!
//! Let C′ be a cover set of the reduced system, R as in [`crate::thread_states`], R(s) the locals of s in R. The
//! lifted set C has, for each element (s, c′) of C′ with s ∈ R ∩ S*, the element with c′ on the locals in L* ∩ R(s)
//! and ω on R(s) ∖ L*; and for each s ∈ R ∖ S* the element with ω on R(s).
//!
//! *Closed.* All thread states of an element are in R, so by (R) a rule that is not fireable is not enabled in
//! it, and all thread states of a successor are in R: where C has ω on R(s) ∖ L* or on R(s), the successor is
//! below. It remains to see that its shared state is in R∖S*, or its part on L* is below an element of C′:
//!
//! * a relevant rule that is kept: its `take` is in L*, so it is enabled in c′; the threads of L* that go to L* go
//!   where they may go in the projection, and the others are missing here only (if they vanish there) or could
//!   also have gone to a place in L* (if not), so on L* the successor is below one of the reduced system;
//! * a relevant rule that was removed: below a successor under a rule that was kept, by (D);
//! * a rule that is not relevant and leads into S* does not raise anything on L* and keeps the shared state (C1),
//!   so it starts in S*, and the successor is below c′;
//! * a rule that leads out of S*: nothing to show.
//!
//! *Initial* configurations project to initial ones. *Targets*: one that was dropped has a thread state outside R;
//! another is inside the cone, and an element of C above it would come from one of C′ above it.

use crate::lift::LiftError;
use crate::pruning::Pruning;
use throng_base::Budget;
use throng_cert::CoverSet;
use throng_model::{Bag, ClosedSet, Config, DownwardClosedSet, LocalId, OMEGA, SharedId, System};

/// How many entries a lifted set may have.
const MOST_ENTRIES: usize = 1 << 23;

/// Lifts a cover set, see the module's documentation.
pub(super) fn lift(
    pruning: &Pruning,
    original: &System,
    set: &CoverSet,
    budget: &Budget,
) -> Result<CoverSet, LiftError> {
    let mut lifted = DownwardClosedSet::default();
    let mut room = MOST_ENTRIES;
    let mut add = |element: Config| {
        room = room.checked_sub(1 + element.bag.len()).ok_or(LiftError::TooLarge)?;
        lifted.insert(element.view());
        budget.check().map_err(LiftError::from)
    };
    for element in &set.elements {
        if let Some(element) = lift_element(pruning, element)? {
            add(element)?;
        }
    }
    for shared in SharedId::all(original.n_shared()) {
        let Some(row) = pruning.reached.locals_at(shared) else { continue };
        if !pruning.cone.shared.contains(shared.index()) {
            add(Config::new(shared, Bag::from_counts(row.iter().map(|l| (LocalId::new(l), OMEGA)))?))?;
        }
    }
    lifted.minimise();
    Ok(CoverSet { elements: lifted.generators().iter().map(|(_, element)| element.to_config()).collect() })
}

/// The element with what the pruning forgot; `None` if its shared state is outside R or S*.
fn lift_element(pruning: &Pruning, element: &Config) -> Result<Option<Config>, LiftError> {
    let cone = &pruning.cone;
    let Some(row) = pruning.reached.locals_at(element.shared) else { return Ok(None) };
    if !cone.shared.contains(element.shared.index()) {
        return Ok(None);
    }
    let inside = element.bag.iter().filter(|e| cone.has_local(e.local) && row.contains(e.local.index()));
    let outside = row.iter().map(LocalId::new).filter(|&local| !cone.has_local(local));
    let counts = inside.map(|entry| (entry.local, entry.count)).chain(outside.map(|local| (local, OMEGA)));
    Ok(Some(Config::new(element.shared, Bag::from_counts(counts)?)))
}
