//! Evidence about a C program put back into the program's own text, so that a real compiler and a real machine have their say.
//!
//! The checker trusts the front end: what a program means. This crate tests that from outside. It never makes C from a
//! control-flow graph; it takes the user's text and inserts calls of a scheduler into it (`rewrite`).
//!
//! * *Export* ([`export`]): a program that forces the interleaving of an `unsafe` answer and fails as the report
//!   says. `schedule` makes tables from the trace: whose turn it is, at which points, and which arbitrary values each thread gets;
//!   `runtime/force.c` follows them. Where the text cannot follow the trace exactly, the file and [`Exported::notes`] say so.
//! * *Monitor* ([`monitor`]): a program that tests the invariant of a `safe` answer in random schedules.
//! * *Run* ([`run`], [`watch`]): compiles and runs such a program within limits, and says whether the bug happened: only the
//!   very failure that the report names counts.

mod assemble;
mod export;
mod monitor;
mod rewrite;
mod run;
mod schedule;

pub use export::{Expected, Exported, export};
pub use monitor::{Monitored, monitor};
pub use run::{Ran, Watched, compiler, run, watch};
