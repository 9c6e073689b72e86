//! Exact decision procedures. Nothing here rounds: an answer is a model that satisfies every constraint, or
//! none does.
//!
//! [`linear`] decides conjunctions of linear inequalities over the integers, incrementally: constraints are
//! added and taken back as a search goes down and up its tree. The summaries of paths with loops are such
//! conjunctions.
//!
//! * `rational`: exact numbers that are small most of the time.
//! * `simplex`: are the inequalities satisfiable over the rationals?
//! * `linear`: over the integers, by branching. No disjunctions, no optimisation.
//!
//! [`bits`] decides formulas over bit-vectors, which is what machine integers are:
//!
//! * [`terms`]: formulas, each kept once, simplified as they are made; substitution and evaluation.
//! * `blast`: from terms to clauses.
//! * [`sat`]: satisfiability of clauses, by a library.
//! * [`bits`]: the front: assertions, assumptions, models, cores, enumeration of models.
//! * [`smtlib`]: other solvers, where one is installed; never needed.
//!
//! No quantifiers.

pub mod bits;
mod blast;
pub mod linear;
mod rational;
pub mod sat;
mod simplex;
pub mod smtlib;
pub mod terms;

pub use bits::{BitSolver, Model, Outcome, PartialValue};
pub use linear::{Feasibility, LinearSolver, Variable};
pub use sat::Backend;
pub use terms::{TermId, Terms, VarId};
