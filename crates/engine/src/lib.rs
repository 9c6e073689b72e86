//! Engines that decide coverability, written against the lazy interface of the model.
//!
//! An engine returns an [`Answer`] that carries its evidence, so that "safe without a proof" cannot be said. It
//! polls a [`Budget`], tells an [`Observer`] how far it is, and never prints. Engines are trusted with nothing:
//! their evidence is checked by a program that shares no code with them.
//!
//! * [`backward`]: the classical search over minimal predecessors.
//! * [`widen`]: backward search that guesses smaller elements, with an oracle.
//! * [`karp_miller`]: forward search with accelerations.
//! * [`ic3`]: frames of lemmas that hold for more and more steps.
//! * [`concolic`]: paths with simple loops summarised in Presburger arithmetic.
//! * `directed`: forward search led by estimates, for deep bugs.
//!
//! [`mincov`] decides no target: it computes everything that is coverable. [`thread_states`] looks at what one thread can see,
//! and how many threads that takes.

pub mod answer;
pub mod auto;
pub mod backward;
mod blackboard;
pub mod concolic;
pub mod contender;
mod covered;
mod directed;
mod forward;
pub mod ic3;
pub mod karp_miller;
pub mod mincov;
pub mod observer;
pub mod options;
mod plan;
mod queue;
pub mod record;
mod settled;
pub mod thread_states;
pub mod widen;
mod wider;

pub use answer::{Answer, Outcome, Safety, Statistics, UnknownReason};
pub use auto::{Contestant, Fate};
pub use contender::{Contender, Guest, MakeContender};
pub use observer::{Observer, Progress, Silent};
pub use options::{Ancestors, CandidateThreads, Options, OracleKind, Order, QueueOrder};
pub use record::Recording;

use backward::Backward;
use blackboard::Blackboard;
use concolic::{Company, Concolic};
use directed::Directed;
use ic3::Ic3;
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_model::{ClosedSet, Config, TransitionSystem, UpwardClosedSet};
use widen::{Variant, Widen};

/// The engines by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineKind {
    /// A race of engines, see [`auto`].
    #[default]
    Auto,
    /// Optimistic target set widening, see [`widen`].
    Widen,
    /// Pessimistic target set widening, see [`widen`].
    WidenPessimistic,
    /// Backward search, see [`backward`].
    Backward,
    /// Generalised Karp–Miller search, see [`karp_miller`].
    KarpMiller,
    /// Incremental, inductive coverability, see [`ic3`].
    Ic3,
    /// Directed forward search.
    Forward,
    /// Summaries of paths with loops, see [`concolic`].
    Concolic,
}

impl EngineKind {
    /// All engines.
    pub const ALL: [EngineKind; 8] = [
        EngineKind::Auto,
        EngineKind::Widen,
        EngineKind::WidenPessimistic,
        EngineKind::Backward,
        EngineKind::KarpMiller,
        EngineKind::Ic3,
        EngineKind::Forward,
        EngineKind::Concolic,
    ];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            EngineKind::Auto => "auto",
            EngineKind::Widen => "widen",
            EngineKind::WidenPessimistic => "widen-pessimistic",
            EngineKind::Backward => "backward",
            EngineKind::KarpMiller => "karp-miller",
            EngineKind::Ic3 => "ic3",
            EngineKind::Forward => "forward",
            EngineKind::Concolic => "concolic",
        }
    }

    /// One line about what it does.
    pub fn summary(self) -> &'static str {
        match self {
            EngineKind::Auto => "a race of the others that share what they learn",
            EngineKind::Widen => "backward search that guesses smaller elements, with an oracle",
            EngineKind::WidenPessimistic => "the same, keeping all elements in partitions to fall back on",
            EngineKind::Backward => "classical backward search over minimal predecessors",
            EngineKind::KarpMiller => {
                "forward search with accelerations; may not end when rules move passive threads"
            }
            EngineKind::Ic3 => "frames of lemmas that hold for more and more steps, with an oracle",
            EngineKind::Forward => {
                "forward search led by estimates, for deep bugs; seldom ends on safe systems"
            }
            EngineKind::Concolic => {
                "paths with simple loops summarised exactly; not for rules that move passive threads"
            }
        }
    }

    /// Whether its proofs can be made minimal, see [`Options::minimal`].
    pub fn minimises(self) -> bool {
        matches!(self, EngineKind::Widen | EngineKind::WidenPessimistic)
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
        let board = Blackboard::new(system, options);
        match self {
            EngineKind::Auto => auto::run(system, options, budget, observer),
            EngineKind::Widen => {
                Widen::new(Variant::Optimistic, system, options, &board).run(budget, observer)
            }
            EngineKind::WidenPessimistic => {
                Widen::new(Variant::Pessimistic, system, options, &board).run(budget, observer)
            }
            EngineKind::Backward => {
                contender::drive(&mut Backward::new(system, options, &board), &board, budget, observer)
            }
            EngineKind::KarpMiller => karp_miller::search(system, options, budget, observer),
            EngineKind::Ic3 => {
                contender::drive(&mut Ic3::new(system, options, &board, true), &board, budget, observer)
            }
            EngineKind::Forward => {
                contender::drive(&mut Directed::new(system, options, &board), &board, budget, observer)
            }
            EngineKind::Concolic => match Concolic::new(system, options, &board, Company::Alone) {
                Some(mut concolic) => contender::drive(&mut concolic, &board, budget, observer),
                None => Outcome::unknown(UnknownReason::Unsupported),
            },
        }
    }
}

/// The minimal targets of a system.
pub(crate) fn minimal_targets(system: &dyn TransitionSystem) -> Vec<Config> {
    let mut targets = UpwardClosedSet::default();
    let _ = system.for_each_target(&mut |target| {
        targets.insert(target);
        ControlFlow::Continue(())
    });
    targets.minimise();
    targets.generators().iter().map(|(_, target)| target.to_config()).collect()
}
