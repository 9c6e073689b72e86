//! Invariants of C programs in documents: plain data, whose meaning is that of `throng_cfa::invariant`.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What no reachable state of a C program is, however many threads run. Locations are numbers in the program's control-flow
/// graphs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Invariant {
    /// The options with which the program was read, as on a command line: they are part of what it means.
    #[serde(default)]
    pub options: Vec<String>,
    /// How many threads stand where: numbers that predicates may mention.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<ThreadCount>,
    /// Conditions, which elements refer to by number, from 0.
    pub predicates: Vec<Predicate>,
    /// None of these describes a reachable state.
    pub elements: Vec<InvariantElement>,
}

/// The sum of the weights of the locations where threads stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadCount {
    /// What predicates call it: `#readers`.
    pub name: String,
    /// The width of the number.
    pub bits: u32,
    /// The locations whose weight is not zero.
    pub weights: Vec<LocationWeight>,
}

/// What a thread at a location adds to a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LocationWeight {
    /// The location.
    pub location: u32,
    /// How much.
    pub weight: u64,
    /// Where that is: `file:line`; for information only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// A condition over shared variables and those of up to two threads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predicate {
    /// As one would write it in C, with `$` after the variables of the passive thread.
    pub text: String,
    /// The code of the active thread, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<String>,
    /// The code of the passive threads, if it is about all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passive: Option<Passive>,
}

/// Which threads are passive ones of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passive {
    /// Their code.
    pub template: String,
    /// Where they count: sorted locations.
    pub scope: Vec<u32>,
}

/// States that have different threads at these locations for which all literals hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvariantElement {
    /// Whether some thread is in an atomic section, if it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub atomic: Option<bool>,
    /// Where the threads stand.
    pub threads: Vec<ElementThread>,
    /// What else is the case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub literals: Vec<Literal>,
}

/// Where a thread of an element stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementThread {
    /// The location.
    pub location: u32,
    /// Where that is: `file:line`; for information only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// A predicate that is true or false, for nobody in particular, for a thread of the element, or for an active and a passive
/// one, by number from 0. In JSON it is a string: `p3`, `!p3`, `p3(0)`, `p3(0,1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Literal {
    /// Which predicate.
    pub predicate: u32,
    /// The thread, or the active one of two.
    pub thread: Option<u32>,
    /// The passive one of two; only with `thread`.
    pub passive: Option<u32>,
    /// Whether it is true.
    pub value: bool,
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}p{}", if self.value { "" } else { "!" }, self.predicate)?;
        match (self.thread, self.passive) {
            (Some(active), Some(passive)) => write!(f, "({active},{passive})"),
            (Some(thread), None) => write!(f, "({thread})"),
            (None, _) => Ok(()),
        }
    }
}

impl From<Literal> for String {
    fn from(literal: Literal) -> Self {
        literal.to_string()
    }
}

impl TryFrom<String> for Literal {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        parsed(&text).ok_or_else(|| format!("`{text}` is no literal such as `p3`, `!p3(0)` or `p3(0,1)`"))
    }
}

fn parsed(text: &str) -> Option<Literal> {
    let rest = text.strip_prefix('!');
    let value = rest.is_none();
    let rest = rest.unwrap_or(text).strip_prefix('p')?;
    let Some((predicate, threads)) = rest.split_once('(') else {
        return Some(Literal { predicate: number(rest)?, thread: None, passive: None, value });
    };
    let threads = threads.strip_suffix(')')?;
    let (thread, passive) = match threads.split_once(',') {
        Some((active, passive)) => (number(active)?, Some(number(passive)?)),
        None => (number(threads)?, None),
    };
    Some(Literal { predicate: number(predicate)?, thread: Some(thread), passive, value })
}

/// A number in its shortest form: each literal has one spelling.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| number.to_string() == text)
}
