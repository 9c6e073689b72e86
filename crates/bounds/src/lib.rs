//! Linear invariants: cuts, traps and 1-safe components.
//!
//! A *cut* is a non-negative weight on shared and local states that no rule can raise; so every coverable
//! configuration weighs at most as much as the heaviest initial one. A *trap* is a set of locals that never loses
//! its last thread, and strengthens cuts. Both are defined, with proofs, in the checker (`cuts`, `traps`), which
//! verifies again what ends up in a proof. Floating point proposes them (`generation`, `refine`), exact
//! integers decide whether they are kept (`exact`).
//!
//! * [`CutPool`] holds the cuts of a system: from structural bounds (`seed`), and for the targets (`settle`, `connect`).
//! * [`Pruner`] is what a search asks, for every new element.
//! * [`Component`]s are sets of locals with at most one thread, read off the cuts.
//! * [`Potential`]s are the same linear program used as a heuristic; they prove nothing.
//!
//! Work limits are counts of pivots, never the clock: the same questions in the same order give the same cuts.
//!
//! Not done here: integer solutions of the state inequation, and searching.

mod components;
mod connect;
mod exact;
mod generation;
mod grow;
mod index;
mod pool;
mod potential;
mod pruner;
mod refine;
mod rows;
#[cfg(test)]
mod samples;
mod seed;
mod settle;
mod simplex;
mod space;
mod traps;

pub use components::Component;
pub use connect::Connected;
pub use pool::CutPool;
pub use potential::{Potential, potential};
pub use pruner::Pruner;
