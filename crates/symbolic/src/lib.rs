//! Boolean programs as transition systems whose states are cubes, made when they are first met.

pub mod explicit;
mod system;

pub use system::ProgramSystem;
