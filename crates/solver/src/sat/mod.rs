//! Propositional satisfiability behind one trait: clauses in, a model or a set of failed assumptions out.
//!
//! The search itself is a library's: [`batsat`](https://crates.io/crates/batsat) (a descendant of MiniSat in
//! Rust) unless asked otherwise, or CaDiCaL with the cargo feature `cadical`, which needs a C++ compiler.
//! Everything above this module sees [`Sat`] only.
//!
//! What is trusted: that a library that answers *unsatisfiable* is right. Models are checked (by whoever
//! asks, with the evaluator of terms). An implementation may record a proof of each unsatisfiable answer;
//! none does yet. Nothing is said about clauses beyond what the libraries do with them: no preprocessing
//! happens here.

mod bat;
#[cfg(feature = "cadical")]
mod cadi;

use throng_base::{Budget, StopReason};

throng_base::define_id! {
    /// A propositional variable of one solver.
    SatVar
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal that is true if the variable is `value`.
    #[inline]
    pub const fn new(variable: SatVar, value: bool) -> Self {
        assert!(variable.raw() < u32::MAX / 2, "fewer than 2^31 variables");
        Self(variable.raw() << 1 | !value as u32)
    }

    /// Its variable.
    #[inline]
    pub const fn variable(self) -> SatVar {
        SatVar::new((self.0 >> 1) as usize)
    }

    /// The value of the variable that makes the literal true.
    #[inline]
    pub const fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The literal or its negation: what is equal to `self == value`.
    #[inline]
    pub const fn equals(self, value: bool) -> Self {
        Self(self.0 ^ !value as u32)
    }

    /// A number for it, for tables and hashing: twice the variable's, plus one if it is negated.
    #[inline]
    pub const fn code(self) -> u32 {
        self.0
    }
}

impl std::ops::Not for Lit {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "-" }, self.0 >> 1)
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatResult {
    /// There is a model; ask [`Sat::value`].
    Satisfiable,
    /// There is none under the assumptions; ask [`Sat::core`].
    Unsatisfiable,
    /// The budget ended first.
    Stopped(StopReason),
}

/// What a solver has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SatStatistics {
    /// Variables made.
    pub variables: u64,
    /// Clauses added.
    pub clauses: u64,
    /// Searches.
    pub solves: u64,
    /// Conflicts met in all searches; 0 where the library does not tell.
    pub conflicts: u64,
    /// Decisions made in all searches; 0 where the library does not tell.
    pub decisions: u64,
}

/// An incremental solver: clauses are only ever added.
pub trait Sat: Send {
    /// A new variable.
    fn new_var(&mut self) -> SatVar;

    /// Adds a clause over variables of this solver.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Looks for a model of all clauses in which the assumptions are true.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatResult;

    /// The same with at most so many decisions, where the library can count them: `None` if they were not enough.
    fn solve_within(&mut self, assumptions: &[Lit], decisions: u64, budget: &Budget) -> Option<SatResult> {
        let _ = decisions;
        Some(self.solve(assumptions, budget))
    }

    /// The value of a literal in the model of the last search, which has to have found one and to be later
    /// than the last clause.
    fn value(&self, lit: Lit) -> bool;

    /// Those assumptions of the last search, which has to have found that there is no model, that exclude one
    /// together.
    fn core(&self) -> &[Lit];

    /// What was done so far.
    fn statistics(&self) -> SatStatistics;
}

/// Which library searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// `batsat`: quick to set up, best for many small questions.
    #[default]
    Batsat,
    /// CaDiCaL.
    #[cfg(feature = "cadical")]
    Cadical,
}

impl Backend {
    /// All that were built in.
    pub const ALL: &'static [Self] = &[
        Self::Batsat,
        #[cfg(feature = "cadical")]
        Self::Cadical,
    ];

    /// A solver without variables and clauses.
    pub fn solver(self) -> Box<dyn Sat> {
        match self {
            Self::Batsat => Box::<bat::Batsat>::default(),
            #[cfg(feature = "cadical")]
            Self::Cadical => Box::<cadi::Cadical>::default(),
        }
    }
}

#[cfg(test)]
mod tests;
