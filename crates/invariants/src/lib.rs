//! Linear invariants: cuts, traps and 1-safe components.
//!
//! Floating point proposes them, exact integers decide whether they are kept, and the checker verifies again what
//! ends up in a proof.

mod pool;
mod potential;
mod pruner;

pub use pool::{Component, CutPool};
pub use potential::{Potential, potential};
pub use pruner::Pruner;
