//! Schedules: what threads do, for whole sets of states at a time. They show that thread states are reached.
//!
//! A schedule is about *crews*: some threads whose places are known, each at a location. Others may be there and do
//! nothing. One thread that ran `main` from the start may belong to a crew as its *root*, wherever it is. With each crew
//! goes a set of valuations, empty at first, which moves only make larger; whoever performs a schedule computes these sets.
//!
//! In a crew threads stand in the order of their locations. After a move they are put in order again; of those at the same
//! location, whoever was in front stays in front, and a new thread comes last.

use crate::flow::LocationId;

/// A schedule: moves, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The crews that moves are about.
    pub crews: Vec<Crew>,
    /// Edges that a thread may take, one after the other as they stand there, by itself.
    pub routes: Vec<Vec<u32>>,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Threads that are followed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Crew {
    /// Whether the root is one of them.
    pub has_root: bool,
    /// Where the others are, in order.
    pub places: Vec<LocationId>,
}

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The root.
    Root,
    /// The thread in this place.
    Place(usize),
}

/// Who belongs to the crew after a thread was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The new thread does not.
    Parent,
    /// The thread that started it does not; it is left alone.
    Child,
    /// Both do.
    Both,
}

/// Where a thread comes from that was not followed so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is one of any number of threads at the start.
    Entry,
    /// The root takes this edge and starts it.
    Started(u32),
    /// The root may have started any number of threads along this edge before, and this is one of them.
    Waiting(u32),
}

/// What happens, from all states of a crew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The crew is there at the start, everybody at the entry.
    Start {
        /// Its number.
        crew: usize,
    },
    /// A thread takes an edge.
    Step {
        /// The number of the crew.
        crew: usize,
        /// Who it is.
        actor: Actor,
        /// The edge.
        edge: u32,
        /// For an edge that starts a thread.
        keep: Keep,
    },
    /// A thread is left alone for ever.
    Leave {
        /// The number of the crew.
        crew: usize,
        /// The thread's place.
        place: usize,
    },
    /// Another thread belongs to the crew.
    Join {
        /// The number of the crew.
        crew: usize,
        /// Where the thread comes from.
        origin: Origin,
    },
    /// Another thread comes, takes edges as long as it likes, and is left alone.
    Errand {
        /// The number of the crew.
        crew: usize,
        /// Where the thread comes from.
        origin: Origin,
        /// The number of the route.
        route: usize,
    },
}
