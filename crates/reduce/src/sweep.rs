//! What the two linear searches over rules have in common.
//!
//! Both sweep over all rules in order a few times first, and then finish by a worklist with an index over the
//! rules that are left. On a large system with few useless rules the sweeps do nearly everything, and reading a
//! million rules in order takes a tenth of the time of reading them in the order of a search.

use throng_model::{LocalId, SharedId};

/// How many sweeps there are before the index is made.
pub(crate) const MOST_SWEEPS: usize = 6;

/// A state that was met for the first time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum State {
    /// A shared state.
    Shared(SharedId),
    /// A local state.
    Local(LocalId),
}
