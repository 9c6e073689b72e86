//! Evidence for verdicts, the only thing that passes from engines to the checker.
//!
//! [`evidence`] has the types that engines build, over the ids of a model. The JSON form speaks in the names of
//! the input, so that it can be read by people and by other programs.
//!
//! Nothing here decides whether evidence is right: that is the `check` crate's work.

pub mod evidence;

pub use evidence::{CoverSet, Cut, Evidence, Proof, Trace, TraceItem, Trap};
