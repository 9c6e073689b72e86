//! Evidence over the ids of a model: traces, proofs and cover sets.

use throng_model::{Config, LocalId, SharedId, Step};

/// What makes a verdict worth believing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// `unsafe`: an execution from an initial configuration to one that covers a target.
    Trace(Trace),
    /// `safe`: an inductive invariant, given by what it excludes.
    Proof(Proof),
    /// `safe`: an inductive invariant, given by its maximal elements.
    CoverSet(CoverSet),
}

/// An execution. Threads in the same local state are interchangeable, so a step names its rule and what
/// became of the passive threads by numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// A genuine initial configuration, with exact numbers of threads.
    pub initial: Config,
    /// What happens.
    pub items: Vec<TraceItem>,
}

/// A step, or a segment that happens several times in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceItem {
    /// One step.
    Step(Step),
    /// The items, `times` times.
    Repeat {
        /// How often, at least once.
        times: u64,
        /// What is repeated.
        items: Vec<TraceItem>,
    },
}

impl Trace {
    /// The number of steps with repetitions counted; saturates.
    pub fn n_steps(&self) -> u64 {
        fn steps(items: &[TraceItem]) -> u64 {
            items.iter().fold(0, |sum: u64, item| {
                sum.saturating_add(match item {
                    TraceItem::Step(_) => 1,
                    TraceItem::Repeat { times, items } => times.saturating_mul(steps(items)),
                })
            })
        }
        steps(&self.items)
    }
}

/// A proof that no target is coverable: {c | c satisfies every cut} ∖ ↑`elements` is an inductive invariant.
///
/// (1) each target is in ↑`elements` or breaks a cut; (2) no initial configuration is in ↑`elements`; (3)
/// each minimal predecessor of each element is in ↑`elements` or breaks a cut; (4) cuts and traps hold initially and
/// are kept by every rule, except rules whose (from, take) is in ↑`elements` or breaks a cut, and rules to shared
/// states from which no rules lead to a target's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// Linear bounds that hold in every coverable configuration.
    pub cuts: Vec<Cut>,
    /// Traps that the cuts refer to.
    pub traps: Vec<Trap>,
    /// Uncoverable configurations.
    pub elements: Vec<Config>,
}

/// Non-negative weights y that no rule can raise where the proof holds, so that y·c ≤ `bound` for every coverable
/// configuration c.
///
/// With traps, the weights that no rule can raise are y + Σ `multiplier`·(1 on the trap), and the bound may
/// use that every trap holds at least one thread: the bound is max over I of y + Σ multiplier·(threads in the
/// trap), minus Σ multiplier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Weights of shared states, positive ones only, sorted.
    pub shared: Vec<(SharedId, u64)>,
    /// Weights of local states, positive ones only, sorted.
    pub locals: Vec<(LocalId, u64)>,
    /// The bound.
    pub bound: u64,
    /// Traps that strengthen the cut: index into [`Proof::traps`] and multiplier.
    pub traps: Vec<(usize, u64)>,
}

/// A set of locals that, once one of them holds a thread, always holds one. Sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trap {
    /// The locals.
    pub locals: Vec<LocalId>,
}

/// ω-configurations whose downward closure contains the initial configurations, is closed under steps, and
/// contains no target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverSet {
    /// The maximal elements; counts may be [`throng_model::OMEGA`].
    pub elements: Vec<Config>,
}
