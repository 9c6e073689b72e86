//! What is asked: an input of any kind (a [`Subject`]), read together with the [`Question`] about it.
//!
//! The verifier and the checker both read inputs by this crate, so that both answer the same question. It decides nothing.
//!
//! * [`subject`]: where an input comes from and of which kind it is; [`input`]: what was read.
//! * [`flags`]: the parts of a question. With the feature `clap` they are flags of a command line.
//! * [`limits`], [`memory`], [`units`]: how long and how large a run may become.

pub mod flags;
pub mod input;
pub mod limits;
pub mod memory;
pub mod subject;
pub mod units;

pub use input::{CInput, Input, PROGRAM_FORMAT, ProgramInput};
pub use subject::{Origin, Question, Subject};
