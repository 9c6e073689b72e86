//! Engines that decide coverability, written against the lazy interface of the model.
//!
//! An engine returns an [`Answer`] that carries its evidence, so that "safe without a proof" cannot be said. It
//! polls a [`Budget`], tells an [`Observer`] how far it is, and never prints. Engines are trusted with nothing:
//! their evidence is checked by a program that shares no code with them.
//!
//! * [`backward`]: the classical search over minimal predecessors.

pub mod answer;
pub mod backward;
pub mod observer;
pub mod options;
mod queue;
pub mod record;

pub use answer::{Answer, Outcome, Safety, Statistics, UnknownReason};
pub use observer::{Observer, Progress, Silent};
pub use options::{Options, OracleKind, Order};
pub use record::Recording;

use throng_base::Budget;
use throng_model::TransitionSystem;

/// The engines by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// Backward search, see [`backward`].
    Backward,
}

impl EngineKind {
    /// All engines.
    pub const ALL: [EngineKind; 1] = [EngineKind::Backward];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            EngineKind::Backward => "backward",
        }
    }

    /// One line about what it does.
    pub fn summary(self) -> &'static str {
        match self {
            EngineKind::Backward => "classical backward search over minimal predecessors",
        }
    }

    /// The engine with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// Runs the engine until it has an answer or the budget ends.
    pub fn run(
        self,
        system: &dyn TransitionSystem,
        options: &Options,
        budget: &Budget,
        observer: &dyn Observer,
    ) -> Outcome {
        match self {
            EngineKind::Backward => backward::search(system, options, budget, observer),
        }
    }
}
