//! What engines return.

use throng_base::StopReason;
use throng_cert::{CoverSet, Evidence, Proof, Trace};
use throng_model::bag::CountOverflow;

/// An answer with what makes it worth believing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No target is coverable.
    Safe(Safety),
    /// A target is coverable.
    Unsafe(Trace),
    /// The engine did not find out.
    Unknown(UnknownReason),
}

/// Evidence for `safe`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Uncoverable elements, closed under predecessors.
    Proof(Proof),
    /// Coverable elements, closed under successors.
    CoverSet(CoverSet),
}

impl Answer {
    /// The evidence, unless the answer is unknown.
    pub fn into_evidence(self) -> Result<Evidence, UnknownReason> {
        match self {
            Answer::Safe(Safety::Proof(proof)) => Ok(Evidence::Proof(proof)),
            Answer::Safe(Safety::CoverSet(cover)) => Ok(Evidence::CoverSet(cover)),
            Answer::Unsafe(trace) => Ok(Evidence::Trace(trace)),
            Answer::Unknown(reason) => Err(reason),
        }
    }
}

/// Why there is no answer. Displays as the word in `unknown(…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// A limit was reached or somebody said stop.
    Stopped(StopReason),
    /// Some local state would need more threads than a count can hold.
    CountOverflow,
    /// The evidence is larger than what the checker looks at.
    EvidenceTooLarge,
    /// The method does not decide it.
    Inconclusive,
    /// The method is not for systems like this.
    Unsupported,
    /// The method needs a state for every valuation of a program's variables, and there are too many.
    TooManyStates,
    /// Nothing was found within bounds, beyond which the method does not look.
    Bounded,
    /// An interleaving of an abstraction can be excluded by no predicate that was found.
    Refinement,
    /// All is proved but that nothing undefined happens.
    Obligation,
    /// The input has nothing that could be bad.
    NothingToCheck,
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnknownReason::Stopped(reason) => reason.fmt(f),
            UnknownReason::CountOverflow => f.write_str("overflow"),
            UnknownReason::EvidenceTooLarge => f.write_str("evidence-size"),
            UnknownReason::Inconclusive => f.write_str("inconclusive"),
            UnknownReason::Unsupported => f.write_str("unsupported"),
            UnknownReason::TooManyStates => f.write_str("too-many-states"),
            UnknownReason::Bounded => f.write_str("bound"),
            UnknownReason::Refinement => f.write_str("refinement"),
            UnknownReason::Obligation => f.write_str("obligation"),
            UnknownReason::NothingToCheck => f.write_str("nothing-to-check"),
        }
    }
}

impl From<StopReason> for UnknownReason {
    fn from(reason: StopReason) -> Self {
        UnknownReason::Stopped(reason)
    }
}

impl From<CountOverflow> for UnknownReason {
    fn from(_: CountOverflow) -> Self {
        UnknownReason::CountOverflow
    }
}

/// Named counters, in the order in which they should be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    counters: Vec<(&'static str, u64)>,
}

impl Statistics {
    /// Adds a counter. Names are lower case with underscores.
    pub fn push(&mut self, name: &'static str, value: u64) {
        self.counters.push((name, value));
    }

    /// The counters in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.counters.iter().copied()
    }
}

/// An answer and how it came about.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub answer: Answer,
    /// What the engine counted.
    pub statistics: Statistics,
    /// What was recorded on the way, if that was asked for.
    pub recording: crate::Recording,
    /// Who took part in a race, and how it went for each; empty if there was none.
    pub contest: Vec<crate::Contestant>,
}

impl Outcome {
    /// Nothing was found, and nothing was done.
    pub(crate) fn unknown(reason: UnknownReason) -> Self {
        Self {
            answer: Answer::Unknown(reason),
            statistics: Statistics::default(),
            recording: crate::Recording::default(),
            contest: Vec::new(),
        }
    }
}
