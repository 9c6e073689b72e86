//! Checks interleavings of C programs, on the control-flow graphs of their threads.
//!
//! The meaning of a program is that of [`throng_cprog::flow`]. An interleaving says which thread takes which edge and
//! everything that is arbitrary, so it is replayed without any choice (`machine`, `value`). Accepted iff every step is
//! possible and a thread is at an error in the end. That is `unsafe` by definition.
//!
//! Steps name the place in the source that they are about; if a place is not that of the edge, the evidence is about
//! another program, or it was read with other options.
//!
//! # What is trusted
//!
//! The front end (`throng-cprog`): preprocessing by the system's compiler, parsing, typing, and the making of the graphs. Values
//! of expressions and steps are computed here; no solver and nothing of the search is used.

mod invariant;
mod machine;
mod replay;
mod value;

pub use invariant::check_invariant;
pub use machine::{Impossible, Machine, Thread};
pub use replay::{check_interleaving, document, steps_of};
