//! Which thread states can be reached, and how many threads that takes.
//!
//! A *thread state* is a shared state together with the local state of one thread; it is reachable if some run shows both
//! at the same time. R is the set of those that some number of threads can reach, Rₙ what n threads can reach, where n
//! counts all threads ever created. Since R is finite and Rₙ grows with n, there is a smallest n₀ with Rₙ₀ = R, the
//! *reachability cutoff*, and a smallest N₀ from which on no thread state is reached in fewer steps either, the *uniform
//! cutoff* (Zhao, "Using the Karp–Miller tree construction to analyse concurrent finite-state programs", Oxford 2009, §4.1).
//!
//! * [`may_reach`]: a superset of R, thread by thread.
//! * [`explore`]: Rₙ, each thread state with its first depth and a trace.
//! * [`first_depths`]: in how many steps any number of threads reach what they reach.
//! * [`Gathered`]: a smaller system with the same n₀.
//! * [`cutoffs`]: n₀ and N₀, given R; [`reachability_cutoff`] and [`uniform_cutoff`] one after the other.
//!
//! All of it uses the lazy interface, so the states of a system appear as they are met. What lies between Rₙ and the
//! superset is decided by asking for it as targets of an engine, which is not done here.

mod bounded;
mod cutoff;
mod gather;
mod modular;
mod narrow;
mod reverse;
mod scout;
mod unbounded;

pub use bounded::{Exploration, explore};
pub use cutoff::{
    Cutoffs, Layer, Needy, Pace, Reachability, coverable, cutoffs, reachability_cutoff, uniform_cutoff,
};
pub use gather::Gathered;
pub use modular::may_reach;
pub use narrow::{Followed, Narrowed, Wanted, narrow, run_to};
pub use scout::Scout;
pub use unbounded::first_depths;

use throng_model::{Bag, Config, LocalId, SharedId};

/// A shared state and the local state of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadState {
    /// The shared state.
    pub shared: SharedId,
    /// The local state.
    pub local: LocalId,
}

impl ThreadState {
    /// The smallest configuration that shows it.
    pub fn to_config(self) -> Config {
        Config::new(self.shared, Bag::from_locals([self.local]).expect("one thread is few"))
    }
}
