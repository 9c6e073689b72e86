//! Evidence for verdicts, the only thing that passes from engines to the checker.
//!
//! [`evidence`] has the types that engines build, over the ids of a model. [`document`] has the same things
//! in the names of the input, so that they can be read by people and by other programs: [`write()`] and
//! [`write_document`] turn both into JSON, [`read`] reads it back. The JSON form is described by the schema
//! `docs/schemas/evidence-v1.schema.json`.
//!
//! Nothing here decides whether evidence is right: that is the `check` crate's work.

pub mod document;
pub mod evidence;
pub mod forest;
mod invariant;
#[doc(hidden)]
pub mod mutate;
mod named;
mod read;
mod state;
mod write;

pub use document::{Body, EvidenceDocument, Verdict};
pub use evidence::{CoverSet, Cut, Evidence, Proof, Trace, TraceItem, Trap};
pub use forest::Forest;
pub use named::Header;
pub use read::{ReadError, read};
pub use state::{Count, State};
pub use write::{write, write_document};
