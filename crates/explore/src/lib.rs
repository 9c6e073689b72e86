//! Finds errors of programs in a bounded search: with few threads and few steps first, then with more.
//!
//! Schedules are explicit and data are symbolic: a state is where the threads are and what variables hold, numbers or terms
//! over *inputs*, which are values that the program may choose arbitrarily, with conditions on these (`canon` says in
//! which form states are kept). A step of the search is one access that others can notice, and all that its thread does
//! up to the next one (`machine`). What is left out without losing errors: variables that guards do not depend on
//! (`layout`), values that are not read again, and steps of threads that do not matter (`analysis`), orders of steps that
//! make no difference (`explore`), and names of threads (`symmetry`).
//!
//! An error is reported as a [`Trace`] of the program itself (`witness`, `shorten`) that was run on it with numbers
//! (`replay`). No error with n threads is reported only when all states that n threads can reach were explored.

mod access;
mod analysis;
mod birth;
mod canon;
mod code;
mod effects;
mod evaluate;
mod explore;
mod layout;
mod machine;
pub mod operators;
mod oracle;
mod replay;
mod rows;
mod search;
mod shorten;
mod simplify;
mod symmetry;
mod value;
mod walk;
mod witness;

use throng_base::{Budget, StopReason};
use throng_cfa::flow::{Program, PropertyId};
use throng_cfa::trace::Trace;

/// What is searched, and how.
#[derive(Clone, Copy, Debug)]
pub struct BoundedOptions {
    /// How many threads there may be, the first one included.
    pub max_threads: Option<u32>,
    /// How many steps that others can notice there may be.
    pub max_steps: Option<u32>,
    /// Whether orders of steps that make no difference are left out.
    pub partial_orders: bool,
    /// Whether threads are exchanged that cannot be told apart.
    pub symmetry: bool,
    /// Whether random walks look for what the search would find late.
    pub walks: bool,
}

impl Default for BoundedOptions {
    fn default() -> Self {
        Self { max_threads: None, max_steps: None, partial_orders: true, symmetry: true, walks: true }
    }
}

/// What a search has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The most threads that were tried.
    pub threads: u32,
    /// Up to how many threads everything was explored.
    pub complete_up_to: u32,
    /// States that were met, for all numbers of threads.
    pub states: u64,
    /// The most steps that were tried.
    pub deepest: u64,
    /// Edges that were taken.
    pub edges: u64,
    /// Questions that the solver was asked.
    pub queries: u64,
    /// Different local states of threads.
    pub rows: u64,
    /// Whether a random walk found the error.
    pub by_walk: bool,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// With how many threads it was just searching.
    pub threads: u32,
    /// All that it has done.
    pub statistics: Statistics,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// An error.
    Unsafe {
        /// A run to it, which was replayed.
        trace: Trace,
        /// What happens at its end.
        property: PropertyId,
        /// What it took.
        statistics: Statistics,
    },
    /// No error within the bounds.
    NoBug {
        /// There is none with up to so many threads, however many steps they take.
        complete_up_to: u32,
        /// There never are more threads, so there is none at all.
        is_exhausted: bool,
        /// What it took.
        statistics: Statistics,
    },
    /// The search was stopped.
    Stopped {
        /// Why.
        reason: StopReason,
        /// How far it had come.
        statistics: Statistics,
    },
    /// The search contradicts itself: a mistake in this crate, in words.
    Internal(String),
}

/// Searches for an error with a growing number of threads and steps.
pub fn search(
    program: &Program,
    options: &BoundedOptions,
    budget: &Budget,
    progress: &mut dyn FnMut(Progress),
) -> Outcome {
    search::search(program, options, budget, progress)
}
