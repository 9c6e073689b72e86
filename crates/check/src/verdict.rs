//! What the checker answers.

use std::fmt;
use throng_cert::document::Body;
use throng_cert::{EvidenceDocument, Verdict};

/// How large evidence may be in ways that its text does not show.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// States and counts that the elements with patterns may have together when patterns are written out.
    pub expanded: u64,
    /// Ways to distribute moved threads that may be tried for one element and one rule; for a program, all cases that are
    /// looked at.
    pub choices: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { expanded: 10_000_000, choices: 100_000_000 }
    }
}

/// Evidence that holds, with its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// `unsafe`: an execution.
    Trace {
        /// Threads at the start.
        threads: u128,
        /// Steps, repetitions counted; saturates.
        steps: u128,
    },
    /// `safe`: excluded configurations and linear bounds.
    Proof {
        /// Elements, as written.
        elements: usize,
        /// Cuts.
        cuts: usize,
    },
    /// `safe`: what no reachable state of a C program is.
    Invariant {
        /// Elements.
        elements: usize,
        /// Predicates that they are made of.
        predicates: usize,
    },
    /// `safe`: all states of a C program with finitely many threads.
    Explored {
        /// States, each perhaps for many that differ in arbitrary values.
        states: u64,
        /// Threads, the first one included.
        threads: u32,
        /// The verdict is about at most so many threads.
        at_most: Option<u32>,
    },
    /// `safe`: maximal ω-configurations.
    CoverSet {
        /// Elements, as written.
        elements: usize,
    },
}

/// For example `safe (proof: 12 elements, 1 cut)`.
impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |n: u128, thing: &str| format!("{n} {thing}{}", if n == 1 { "" } else { "s" });
        let count = |n: usize, thing: &str| number(u128::try_from(n).unwrap_or(u128::MAX), thing);
        match *self {
            Accepted::Trace { threads, steps } => {
                write!(f, "unsafe (trace: {}, {})", number(threads, "thread"), number(steps, "step"))
            }
            Accepted::Proof { elements, cuts } => {
                write!(f, "safe (proof: {}, {})", count(elements, "element"), count(cuts, "cut"))
            }
            Accepted::Invariant { elements, predicates } => {
                let (elements, predicates) = (count(elements, "element"), count(predicates, "predicate"));
                write!(f, "safe (invariant: {elements}, {predicates})")
            }
            Accepted::Explored { states, threads, at_most } => {
                let (states, threads) = (number(states.into(), "state"), number(threads.into(), "thread"));
                write!(f, "safe (explored: {states}, {threads})")?;
                at_most.map_or(Ok(()), |most| write!(f, ", with at most {}", number(most.into(), "thread")))
            }
            Accepted::CoverSet { elements } => {
                write!(f, "safe (cover set: {})", count(elements, "element"))
            }
        }
    }
}

/// What evidence must fulfil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The kind of evidence fits the verdict.
    Verdict,
    /// Everything named exists in the input.
    Names,
    /// Patterns and ω stand only where they have a meaning.
    Form,
    /// Numbers and choices are within what can be checked.
    Size,
    /// The locations that threads are said to pass through have one step, which is always possible and which nobody else
    /// sees.
    Through,
    /// The program that an invariant is about has every error of the program that was read.
    Reduction,
    /// A trace starts in an initial configuration.
    TraceInitial,
    /// Every step's rule is enabled.
    TraceEnabled,
    /// Every step moves exactly the passive threads that its rule moves, to where they may go.
    TraceMoves,
    /// Repeated segments can be repeated.
    TraceRepeat,
    /// A trace ends above a target.
    TraceTarget,
    /// No rule raises the weights of a cut, unless it is exempt: what it needs is excluded, or it leads to where no
    /// target can be reached any more.
    CutRule,
    /// A cut has no weight on unbounded initial locals.
    CutUnbounded,
    /// The bound of a cut holds initially.
    CutBound,
    /// No rule empties a trap, unless it is exempt.
    TrapRule,
    /// Every initial configuration marks every trap.
    TrapInitial,
    /// Each target is excluded or breaks a cut.
    ProofTarget,
    /// No element is initial; of a C program, none describes a state at the start.
    ProofInitial,
    /// Each minimal predecessor of each element is excluded or breaks a cut; of a C program, no step leads from what no
    /// element describes to what one describes.
    ProofPredecessor,
    /// No state of a C program that was explored has a thread at an error, and there are as many states and threads as is said.
    Explored,
    /// Every initial configuration is below some element.
    CoverInitial,
    /// Each successor of each element is below some element.
    CoverSuccessor,
    /// No element is above a target.
    CoverTarget,
}

impl Condition {
    /// A short stable name.
    pub fn name(self) -> &'static str {
        match self {
            Condition::Verdict => "verdict",
            Condition::Names => "names",
            Condition::Form => "form",
            Condition::Size => "size",
            Condition::Through => "through",
            Condition::Reduction => "reduction",
            Condition::TraceInitial => "trace-initial",
            Condition::TraceEnabled => "trace-enabled",
            Condition::TraceMoves => "trace-moves",
            Condition::TraceRepeat => "trace-repeat",
            Condition::TraceTarget => "trace-target",
            Condition::CutRule => "cut-rule",
            Condition::CutUnbounded => "cut-unbounded",
            Condition::CutBound => "cut-bound",
            Condition::TrapRule => "trap-rule",
            Condition::TrapInitial => "trap-initial",
            Condition::ProofTarget => "proof-target",
            Condition::ProofInitial => "proof-initial",
            Condition::ProofPredecessor => "proof-predecessor",
            Condition::Explored => "explored",
            Condition::CoverInitial => "cover-initial",
            Condition::CoverSuccessor => "cover-successor",
            Condition::CoverTarget => "cover-target",
        }
    }
}

/// The first condition that evidence violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The condition.
    pub condition: Condition,
    /// The element, step, cut or trap, such as `element 3`.
    pub place: String,
    /// How it is violated, in the input's names.
    pub reason: String,
}

impl Rejection {
    pub(crate) fn new(condition: Condition, place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { condition, place: place.into(), reason: reason.into() }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (condition {})", self.place, self.reason, self.condition.name())
    }
}

impl std::error::Error for Rejection {}

/// The kind of evidence fits the verdict of its document.
pub(crate) fn check_kind(document: &EvidenceDocument) -> Result<(), Rejection> {
    let proved = match &document.body {
        Body::Trace(_) | Body::Interleaving(_) => Verdict::Unsafe,
        Body::Proof(_) | Body::CoverSet(_) | Body::Invariant(_) | Body::Explored(_) => Verdict::Safe,
    };
    if document.verdict == proved {
        return Ok(());
    }
    let (kind, claimed) = (document.body.kind(), document.verdict.word());
    let reason = format!("a {kind} is evidence for `{}`, not for `{claimed}`", proved.word());
    Err(Rejection::new(Condition::Verdict, "the document", reason))
}

/// A document that is about another kind of input.
pub(crate) fn of_another_input(document: &EvidenceDocument) -> Rejection {
    let reason =
        format!("a document with the field `{}` is about another kind of input", document.body.kind());
    Rejection::new(Condition::Form, "the document", reason)
}

/// Why something could not be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// A count passed the largest one.
    Overflow,
    /// More ways to choose than allowed.
    TooManyChoices,
    /// More cases than allowed.
    TooManyCases,
}

impl Trouble {
    /// The rejection that says so about `place`.
    pub(crate) fn at(self, place: impl Into<String>) -> Rejection {
        let reason = match self {
            Trouble::Overflow => "a number passes what the checker can represent",
            Trouble::TooManyChoices => {
                "there are too many ways to distribute moved threads to check them all"
            }
            Trouble::TooManyCases => "there are too many cases to check them all",
        };
        Rejection::new(Condition::Size, place, reason)
    }
}
