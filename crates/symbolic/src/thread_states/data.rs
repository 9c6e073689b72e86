//! What can be reached by a thread of a program: thread states and cutoffs, as plain data.
//!
//! A *thread state* is a valuation of the shared variables with the location and the local variables of one thread; a
//! *local state* is the location and the local variables alone.

use throng_boolprog::flow::LocationId;
use throng_boolprog::{Cube, ThreadPattern};
use throng_cert::EvidenceDocument;

/// Thread states, by location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadStates {
    /// For each location, pairs of cubes over the shared and over the local variables; they may overlap.
    pub places: Vec<(LocationId, Vec<(Cube, Cube)>)>,
    /// How many thread states these are.
    pub count: u128,
    /// How many local states occur in them.
    pub occupied: u128,
    /// How many local states the program has.
    pub all: u128,
}

/// A thread state that needs many threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needy {
    /// The shared variables.
    pub shared: Cube,
    /// The thread.
    pub thread: ThreadPattern,
    /// An interleaving that leads there.
    pub trace: EvidenceDocument,
}
