//! Control-flow automata of threads: what C programs mean, whoever reads them and whoever searches them.
//!
//! * [`flow`]: the automata. The head of the module is the definition of a step.
//! * [`merge`]: the same errors with fewer and larger steps.
//! * [`invariant`]: predicates and invariants about all threads, as texts and as trees.
//! * [`trace`]: an interleaving.
//! * [`text`]: the preprocessed text of a program, and which line of which file a place in it came from.

pub mod flow;
pub mod invariant;
pub mod merge;
pub mod text;
pub mod trace;
