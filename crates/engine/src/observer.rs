//! How engines tell how far they are. What is done with it is not their business.

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Elements of the set being computed.
    pub elements: u64,
    /// Elements that still wait to be expanded.
    pub frontier: u64,
    /// Elements that have been expanded.
    pub expanded: u64,
    /// Predecessors or successors that have been computed.
    pub steps: u64,
    /// Threads in the element being expanded.
    pub threads: u64,
}

/// Somebody who wants to know. Called from the engine's thread a few thousand times a second at most.
pub trait Observer: Sync {
    /// The search has come this far.
    fn progress(&self, progress: &Progress);
}

/// An observer who does not care.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: &Progress) {}
}
