//! Programs for tests: systems with the control flow of programs, and Boolean programs.
//!
//! * [`program_from_seed`] draws a system with the control flow of a program.
//! * [`interpret`] runs Boolean programs by brute force.

mod components;
pub mod interpret;

pub use components::program_from_seed;
