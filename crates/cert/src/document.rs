//! Evidence in the input's own names, as it stands in a JSON document.
//!
//! Names are not resolved here: a document may speak of states and rules that the input does not have. The
//! types mirror the JSON one to one; `serde` attributes refuse every field that is not listed.

pub use crate::invariant::{
    ElementThread, Invariant, InvariantElement, Literal, LocationWeight, Passive, Predicate, ThreadCount,
};
use crate::state::{Count, State};
use serde::{Deserialize, Serialize};

/// The value of the field `format`.
pub const FORMAT: &str = "throng-evidence";

/// The value of the field `version`.
pub const VERSION: u64 = 1;

/// How deep repeated segments of a trace may be nested. Readers and the checker recurse that deep, no deeper.
pub const MAX_REPEAT_DEPTH: usize = 32;

/// What the evidence is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No target is coverable.
    Safe,
    /// Some target is coverable.
    Unsafe,
}

impl Verdict {
    /// The verdict word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
        }
    }
}

/// A document: a verdict and what makes it worth believing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceDocument {
    /// The verdict that the evidence is for.
    pub verdict: Verdict,
    /// The engine that found it; for information only.
    pub engine: Option<String>,
    /// The input as it was named when the evidence was made; for information only.
    pub input: Option<String>,
    /// The evidence.
    pub body: Body,
}

/// The evidence of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// See [`crate::evidence::Trace`].
    Trace(Trace),
    /// See [`crate::evidence::Proof`].
    Proof(Proof),
    /// See [`crate::evidence::CoverSet`].
    CoverSet(CoverSet),
    /// An execution of the threads of a C program.
    Interleaving(Interleaving),
    /// What no reachable state of a C program is.
    Invariant(Invariant),
    /// That all states of a C program with finitely many threads can be explored.
    Explored(Explored),
}

impl Body {
    /// The value of the field `kind`, which is also the name of the field that holds the evidence.
    pub fn kind(&self) -> &'static str {
        match self {
            Body::Trace(_) => "trace",
            Body::Proof(_) => "proof",
            Body::CoverSet(_) => "cover-set",
            Body::Interleaving(_) => "interleaving",
            Body::Invariant(_) => "invariant",
            Body::Explored(_) => "explored",
        }
    }
}

/// A configuration, or all configurations that one with patterns stands for: every thread matches its pattern
/// independently of the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// The shared state; absent for a system with one anonymous shared state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<State>,
    /// Threads by state; counts of a state that is listed repeatedly add up.
    pub threads: Vec<(State, Count)>,
}

/// An execution.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// Where it starts, with exact numbers of threads.
    pub initial: Configuration,
    /// What happens.
    pub items: Vec<Item>,
}

/// A step, or a segment that happens several times in a row.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "RawItem")]
pub enum Item {
    /// One step.
    Step(Step),
    /// The items, `times` times.
    Repeat {
        /// How often.
        times: u64,
        /// What is repeated.
        items: Vec<Item>,
    },
}

/// One step of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The rule: its name, or `#k` for the k-th rule (from 1) where the input does not name rules.
    pub rule: String,
    /// What became of the passive threads that the rule's moves affect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<Moved>,
    /// What happens, where the input is a program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<Box<Act>>,
}

/// What happens in a step of a program. `rule` is for information only then, and `moved` is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// The thread that acts, before the step: its location and all of its variables.
    pub thread: State,
    /// The same thread after the step: its location and the variables that changed. Absent if it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<State>,
    /// The shared variables that changed; absent if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<State>,
    /// The thread that is started: its location and all of its variables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts: Option<State>,
    /// Other threads whose variables change: before the step with all variables, after it with those that changed
    /// (absent if they are gone), and how many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passive: Vec<(State, Option<State>, u64)>,
}

/// Where some of the passive threads of one local went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moved {
    /// Where they were.
    pub from: String,
    /// Where they are now; absent if they vanished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// How many.
    pub count: u64,
}

/// An item as it stands in JSON, before it is known to be a step or a repetition.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawItem {
    rule: Option<String>,
    moved: Option<Vec<Moved>>,
    act: Option<Box<Act>>,
    repeat: Option<u64>,
    items: Option<Vec<Item>>,
}

impl TryFrom<RawItem> for Item {
    type Error = &'static str;

    fn try_from(raw: RawItem) -> Result<Self, Self::Error> {
        match raw {
            RawItem { rule: Some(rule), moved, act, repeat: None, items: None } => {
                Ok(Item::Step(Step { rule, moved: moved.unwrap_or_default(), act }))
            }
            RawItem { repeat: Some(times), items: Some(items), rule: None, moved: None, act: None } => {
                Ok(Item::Repeat { times, items })
            }
            _ => Err(
                "an item of a trace has either `rule` and perhaps `moved` or `act`, or `repeat` and `items`",
            ),
        }
    }
}

/// A proof that no target is coverable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// Linear bounds that hold in every coverable configuration.
    #[serde(default)]
    pub cuts: Vec<Cut>,
    /// Traps that the cuts refer to, each a list of locals.
    #[serde(default)]
    pub traps: Vec<Vec<String>>,
    /// Uncoverable configurations.
    pub elements: Vec<Configuration>,
    /// Locations of a program that threads only pass through, by a step of their own that is always possible and that
    /// nobody else sees: the elements speak about threads that have taken these steps.
    #[serde(default)]
    pub through: Vec<String>,
}

/// Weights and the largest value that they reach.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// Weights of shared states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<(String, u64)>,
    /// Weights of local states.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locals: Vec<(String, u64)>,
    /// The bound.
    pub bound: u64,
    /// Indices into [`Proof::traps`] (from 0) and multipliers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub traps: Vec<(u64, u64)>,
}

/// An inductive invariant by its maximal elements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverSet {
    /// The elements; counts may be ω.
    pub elements: Vec<Configuration>,
    /// As in [`Proof::through`].
    #[serde(default)]
    pub through: Vec<String>,
}

/// An execution of the threads of a C program, with everything that is not determined. Edges, arbitrary values and
/// variables are numbers in the program's control-flow graphs; names and places stand beside them, and the checker
/// compares places, so that evidence about another text is recognised.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interleaving {
    /// The options with which the program was read, as on a command line: they are part of what it means.
    #[serde(default)]
    pub options: Vec<String>,
    /// Values of variables that are arbitrary at the start; others are 0.
    #[serde(default)]
    pub start: Vec<ArbitraryScalar>,
    /// The steps.
    pub steps: Vec<ThreadStep>,
}

/// What a scalar holds whose value is arbitrary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArbitraryScalar {
    /// The variable.
    pub variable: u32,
    /// Which of its scalars.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub element: u32,
    /// Its value, in decimal.
    pub value: String,
    /// Its name; for information only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A step of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadStep {
    /// The number of the thread, from 1.
    pub thread: u32,
    /// The edge that it takes.
    pub edge: u32,
    /// Where that is: `file:line:column`.
    pub at: String,
    /// What is written there; for information only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Arbitrary values that are chosen; others are 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<ArbitraryChoice>,
    /// The thread that a signal wakes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signalled: Option<u32>,
    /// Values of variables of the started thread that are arbitrary at its start; others are 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub started: Vec<ArbitraryScalar>,
}

/// An arbitrary value that is chosen in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArbitraryChoice {
    /// Which.
    pub nondet: u32,
    /// Its value, in decimal.
    pub value: String,
    /// What it is in the program; for information only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// All states of a C program with finitely many threads, in larger steps. They are not written down: the checker explores
/// them by itself, and finds that none has an error and that they are as many as is said here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explored {
    /// The options with which the program was read, as on a command line: they are part of what it means.
    #[serde(default)]
    pub options: Vec<String>,
    /// How many states there are; values that are arbitrary count as one.
    pub states: u64,
    /// How many threads there are at most, the first one and those that have ended included.
    pub threads: u32,
    /// The verdict is about at most so many threads: the program could start more.
    #[serde(default, rename = "threads-at-most", skip_serializing_if = "Option::is_none")]
    pub threads_at_most: Option<u32>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}
