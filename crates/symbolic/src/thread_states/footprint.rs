//! Which shared variables steps read and write, and so which steps of different threads can change places.
//!
//! Two steps of different threads are *independent* if neither writes what the other reads or writes: then one after the
//! other leads to the same as the other way round, and neither makes the other possible or impossible. Whether a thread
//! is in an atomic section is looked at elsewhere. A step that changes other threads is independent of none.

use crate::relation::{Owner, Parts, assigned, written};
use crate::rules::bits;
use crate::thread_states::sets::Space;
use biodivine_lib_bdd::BddVariable;
use fixedbitset::FixedBitSet;
use throng_boolprog::flow::{Edge, Effect};

/// The shared variables that a step has to do with.
#[derive(Clone, Debug)]
pub(crate) struct Footprint {
    reads: FixedBitSet,
    writes: FixedBitSet,
    changes_others: bool,
}

impl Footprint {
    /// The footprint of an edge whose diagrams are known.
    pub(crate) fn new(space: &Space<'_>, edge: Edge, parts: &Parts) -> Self {
        let n_shared = space.program.atomic_bit() as usize;
        let (mut reads, mut writes) =
            (FixedBitSet::with_capacity(n_shared), FixedBitSet::with_capacity(n_shared));
        let mut read = |variable: BddVariable| {
            let slot = space.slots.all[variable.to_index()];
            if slot.owner == Owner::Shared && !slot.is_new {
                reads.insert(slot.variable as usize);
            }
        };
        let diagrams = [Some(&parts.active), parts.passive.as_ref(), parts.child.as_ref()];
        diagrams.into_iter().flatten().flat_map(|it| it.support_set()).for_each(&mut read);
        let targets = written(space.program, edge).map(assigned).unwrap_or_default();
        let changes_others = targets.iter().any(|&(owner, _)| owner == Owner::Passive);
        let shared = targets.iter().filter(|&&(owner, _)| owner == Owner::Shared);
        shared.for_each(|&(_, variable)| writes.insert(variable as usize));
        Self { reads, writes, changes_others }
    }

    /// Whether the steps of two threads can change places.
    pub(crate) fn is_independent_of(&self, other: &Self) -> bool {
        !self.changes_others
            && !other.changes_others
            && self.writes.is_disjoint(&other.writes)
            && self.writes.is_disjoint(&other.reads)
            && self.reads.is_disjoint(&other.writes)
    }

    /// Whether the step has nothing to do with shared variables and others.
    pub(crate) fn is_private(&self) -> bool {
        !self.changes_others && self.writes.is_clear() && self.reads.is_clear()
    }

    /// Whether others can feel the step, apart from the atomic bit.
    pub(crate) fn is_felt(&self) -> bool {
        self.changes_others || !self.writes.is_clear()
    }
}

/// Whether a step neither starts threads nor has to do with atomic sections.
pub(crate) fn is_plain(space: &Space<'_>, edge: Edge) -> bool {
    !matches!(edge.effect, Effect::Start { .. }) && bits(space.program, edge) == (false, false)
}
