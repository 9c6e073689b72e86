//! Atomic sections that do not matter to an element.
//!
//! An element that demands the atomic bit to be 0 has predecessors inside of every atomic section: whatever holds may hold
//! because somebody has just left one. Most sections change nothing that the element mentions, and then a proof would
//! have to repeat the element for every location in them. It need not: such an element speaks about these locations as well.
//!
//! Let ℓ be an atomic location. The *ways* to ℓ are the paths of edges that enter a section and stay in it until they
//! come to ℓ. The section is *idle* at ℓ for an element e if no edge of any way to ℓ assigns to a shared variable that e
//! mentions, starts a thread, or assigns to passive threads. Let e demand that the bit is 0. A configuration fits *e around
//! ℓ* if the bit is 1, a thread is at ℓ, and it fits e but for the bit; threads of e are at locations that are not
//! atomic, so they are others. Wherever the section is idle at ℓ for e, what fits e around ℓ is excluded with e.
//!
//! # Why this is sound
//!
//! Let U be the elements and U′ be U with all e around ℓ of this kind. The conditions of `proof` have to hold for U′, and
//! those on e around ℓ always do:
//! * Initially the bit is 0. So is it in every outcome of an initial configuration (`through`).
//! * Let a step lead from d to c′ and let c′, or an outcome d′ of it, fit e around ℓ. There the bit is 1, so the thread that
//!   acted is the only one at an atomic location: it came from some m to ℓ, perhaps through locations that threads pass
//!   through, which are atomic as ℓ is and change nothing but its own variables. Its edges belong to ways to ℓ, so the step
//!   changed neither other threads nor what e mentions of shared variables, and the threads of e were there before it. If m
//!   is atomic, every way to m goes on to ℓ, so the section is idle at m for e, and d fits e around m. Otherwise the bit is 0
//!   in d, and d fits e.
//!
//! What remains is condition (1), and condition (3) for the elements of U, where "excluded" means ↑U′.

use std::collections::BTreeSet;
use throng_boolprog::Cube;
use throng_boolprog::flow::{Edge, Effect, LocationId, Program, VariableId};

/// What happens on the ways to atomic locations.
#[derive(Debug)]
pub(super) struct Idle {
    /// By location, if it is atomic.
    ways: Vec<Option<Ways>>,
}

/// What happens on the ways to a location.
#[derive(Clone, Debug, Default)]
struct Ways {
    /// The shared variables that are assigned to.
    assigned: BTreeSet<u32>,
    /// Whether threads are started or changed.
    is_seen: bool,
}

impl Idle {
    pub(super) fn new(program: &Program) -> Self {
        let locations = program.locations().iter();
        let mut ways: Vec<_> = locations.map(|at| at.is_atomic.then(Ways::default)).collect();
        let mut pending: Vec<LocationId> = LocationId::all(ways.len()).collect();
        while let Some(from) = pending.pop() {
            let before = ways[from.index()].clone().unwrap_or_default();
            for &edge in program.outgoing(from) {
                let Some(to) = edge.to else { continue };
                let Some(after) = &mut ways[to.index()] else { continue };
                if after.follow(&before) | after.follow(&Ways::along(program, edge)) {
                    pending.push(to);
                }
            }
        }
        Self { ways }
    }

    /// Whether the section is idle at an atomic location for an element with this shared part.
    pub(super) fn contains(&self, location: LocationId, shared: &Cube) -> bool {
        let ways = self.ways[location.index()].as_ref();
        ways.is_some_and(|ways| !ways.is_seen && shared.iter().all(|(it, _)| !ways.assigned.contains(&it)))
    }
}

impl Ways {
    /// What happens along an edge.
    fn along(program: &Program, edge: Edge) -> Self {
        let mut ways = Self::default();
        match edge.effect {
            Effect::None => {}
            Effect::Start { .. } => ways.is_seen = true,
            Effect::Assign(id) => {
                for target in &program.assignment(id).targets {
                    match target.variable {
                        VariableId::Shared(variable) => {
                            ways.assigned.insert(variable);
                        }
                        VariableId::Local(_) => ways.is_seen |= target.is_passive,
                    }
                }
            }
        }
        ways
    }

    /// Adds what happens before; returns whether that is more.
    fn follow(&mut self, before: &Self) -> bool {
        let known = (self.assigned.len(), self.is_seen);
        self.assigned.extend(&before.assigned);
        self.is_seen |= before.is_seen;
        known != (self.assigned.len(), self.is_seen)
    }
}
