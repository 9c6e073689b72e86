//! The one model of throng: shared states, bags of threads in local states, and rules that move them.
//!
//! A configuration ([`Config`]) is a shared state plus a [`Bag`] (multiset) of local states, one per thread.
//! [`System`] is an explicit list of rules; engines see it through the lazy interface [`TransitionSystem`],
//! which programs whose states are made on demand implement too. The definitions are those of the thread
//! transition systems of Kaiser, Kroening and Wahl (CONCUR 2012, §2), widened to weights, resets and moves
//! with several destinations.
//!
//! * [`step`] is the only definition of "fires", [`pre`] the only definition of minimal predecessors that
//!   engines use. The checker has its own of both, on purpose.
//!
//! * [`closed`] holds upward- and downward-closed sets with an index.
//!
//! Nothing here reads files, searches or prints.

pub mod bag;
pub mod builder;
mod by_state;
pub mod closed;
pub mod config;
mod distribute;
pub mod interface;
pub mod names;
pub mod pre;
pub mod rules;
pub mod step;
pub mod store;
pub mod system;

pub use bag::{Bag, Entry, OMEGA};
pub use builder::{ModelError, SystemBuilder};
pub use closed::{Antichain, ClosedSet, DownwardClosedSet, UpwardClosedSet};
pub use config::{Config, ConfigRef};
pub use interface::TransitionSystem;
pub use names::Names;
pub use rules::{Move, Rule, RuleRef};
pub use step::{Moved, Step};
pub use store::{ConfigId, ConfigStore};
pub use system::{Initial, System};

throng_base::define_id! {
    /// A shared state.
    SharedId
}
throng_base::define_id! {
    /// A local state; a place, when the system came from a Petri net.
    LocalId
}
throng_base::define_id! {
    /// A rule.
    RuleId
}
