//! How a question is answered.

use crate::c::CEngine;
use throng_engine::EngineKind;
use throng_reduce::Strength;

/// Choices about a run; the default is what a user gets who chooses nothing.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who searches systems and Boolean programs.
    pub engine: EngineKind,
    /// Who searches C programs.
    pub c_engine: CEngine,
    /// How they search: with how many threads, from which seed, and much more.
    pub search: throng_engine::Options,
    /// What may be removed from a system before it is searched; `None` for nothing.
    pub reductions: Option<Strength>,
    /// Whether the checker is asked. Without it, a verdict is only as good as the engines.
    pub check: bool,
    /// What is known about a proof of a C program.
    pub prover: ProverOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            engine: EngineKind::default(),
            c_engine: CEngine::default(),
            search: throng_engine::Options::default(),
            reductions: Some(Strength::Full),
            check: true,
            prover: ProverOptions::default(),
        }
    }
}

/// What is known about a proof of a C program.
#[derive(Clone, Debug)]
pub struct ProverOptions {
    /// Predicates to begin with, in the language of docs/c.md: texts with the names that messages use.
    pub predicates: Vec<(String, String)>,
    /// Whether templates of facts are filtered to an invariant.
    pub filter: bool,
    /// The most literals of a clause where an abstraction is approximated.
    pub max_cube_length: Option<usize>,
}

impl Default for ProverOptions {
    fn default() -> Self {
        Self { predicates: Vec::new(), filter: true, max_cube_length: None }
    }
}
