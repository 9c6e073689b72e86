//! Exact decision procedures. Nothing here rounds: an answer is a model that satisfies every constraint, or none does.
//!
//! [`linear`] decides conjunctions of linear inequalities over the integers, incrementally: constraints are added and
//! taken back as a search goes down and up its tree. The summaries of paths with loops are such conjunctions.
//!
//! * `rational`: exact numbers that are small most of the time.
//! * `simplex`: are the inequalities satisfiable over the rationals?
//! * `linear`: over the integers, by branching.
//!
//! No disjunctions, no quantifiers, no optimisation.

pub mod linear;
mod rational;
mod simplex;

pub use linear::{Feasibility, LinearSolver, Variable};
