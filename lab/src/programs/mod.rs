//! Programs for tests: systems with the control flow of programs, and Boolean programs.
//!
//! * [`program_from_seed`] draws a system with the control flow of a program.
//! * [`interpret`] runs Boolean programs by brute force.
//! * [`random`] draws Boolean programs.
//! * [`shrink`] makes Boolean programs small that fail.
//! * [`differential`] compares three ways to decide them.
//! * [`cutoffs`] compares reachable thread states and cutoffs with brute force.
//! * [`reach`] compares reachable thread states with those of translations, and with brute force.
//! * [`families`] makes Boolean programs to measure with.

mod components;
pub mod cutoffs;
pub mod differential;
pub mod families;
pub mod interpret;
pub mod random;
pub mod reach;
pub mod shrink;

pub use components::program_from_seed;
