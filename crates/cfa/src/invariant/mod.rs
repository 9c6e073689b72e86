//! What can be said about all threads of a program at once: predicates, and invariants made of them.
//!
//! A [`Predicate`] is a condition over shared variables, perhaps the variables of one thread, the *active* one, and perhaps
//! those of another, *passive* thread (Kaiser's thesis, Definition 9). Its truth in a state ([`Of`]):
//!
//! | active | passive | kind | `Of::State` | `Of::Thread(a)` | `Of::Pair(a, p)` |
//! |---|---|---|---|---|---|
//! | – | – | shared | as it stands | | |
//! | – | T, scope | universal | for all threads of T that stand in the scope | | |
//! | T | – | single-thread (or local) | | for thread a | |
//! | T | T′, scope | inter-thread | | for a and all *other* threads of T′ that stand in the scope (eq. 12) | for just a and p, wherever p stands |
//!
//! Where nobody stands in a scope, "for all" is true. A scope is the set of locations where the passive thread's variables
//! count: before a variable is assigned it holds anything.
//!
//! An [`Element`] describes states: in each of these locations stands a thread, all different, such that the literals hold. A state
//! may have more threads. An [`Invariant`] says that no reachable state is described by any of its elements: in the
//! terms of Ashcroft, for all tuples of threads not all of that holds. A location by itself is an element too; a proof that no
//! error is reachable has one for every error location, whether it is listed or not.
//!
//! Predicates may also mention how many threads stand where (`counts`).
//!
//! The *atomic bit* of a state says whether some thread stands at a location with `is_atomic`.
//!
//! Predicates have a text: `print` and `parse` define the language, `file` reads lists of predicates that users write.
//! `valid` says which predicates and elements have a meaning, `assigned` where a variable has a value.

mod assigned;
mod counts;
mod file;
mod lex;
mod literal;
mod names;
mod parse;
mod primary;
mod print;
mod valid;

pub use assigned::definitely_assigned;
pub use counts::{Count, count_variable, counted, without_counts};
pub use file::{from_program, read_predicates};
pub use parse::{Context, TextError, TextErrorKind, parse_expression, parse_predicate};
pub use print::{MAX_LENGTH, expression_text, template_named, template_text, variable_text};
pub use valid::{check_element, check_predicate};

use crate::flow::{ExpressionId, Expressions, LocationId, TemplateId};
use throng_base::define_id;

/// How deep parentheses and the like may be nested in the text of a predicate: readers recur that deep, no deeper.
pub const MAX_DEPTH: usize = 200;

define_id! {
    /// A predicate, by its number in [`Predicates`].
    PredicateId
}

/// A condition over shared variables and those of up to two threads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Predicate {
    /// One bit, without arbitrary values. The active thread's variables are [`crate::flow::Expression::Variable`], the passive
    /// thread's [`crate::flow::Expression::Passive`]; [`crate::flow::Expression::ThisThread`] is the active thread's number.
    pub expression: ExpressionId,
    /// The code of the active thread, if the predicate is about one.
    pub active: Option<TemplateId>,
    /// The code of passive threads, if the predicate is about all others.
    pub passive: Option<Party>,
}

/// Which threads are passive ones of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Party {
    /// Their code.
    pub template: TemplateId,
    /// Where they count: sorted locations of that code.
    pub scope: Vec<LocationId>,
}

/// The kinds of predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PredicateKind {
    /// About shared variables.
    Shared,
    /// About all threads, with one value for all of them.
    Universal,
    /// About one thread, and perhaps shared variables.
    SingleThread,
    /// About a thread and all others.
    InterThread,
}

/// A list of predicates, with the expressions of the program and more.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    /// Begins with the program's expressions, with the same numbers.
    pub expressions: Expressions,
    /// The predicates.
    pub list: Vec<Predicate>,
}

/// Whom a predicate is evaluated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Of {
    /// Nobody in particular: shared and universal predicates.
    State,
    /// The thread with this place in [`Element::threads`]: single-thread and inter-thread predicates.
    Thread(usize),
    /// Two threads, active and passive: inter-thread predicates without "for all".
    Pair(usize, usize),
}

/// A predicate that is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal {
    /// Which.
    pub predicate: PredicateId,
    /// For whom.
    pub of: Of,
    /// Whether it is true.
    pub value: bool,
}

/// States that have threads at these locations for which all literals hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Element {
    /// The atomic bit, if it matters.
    pub atomic: Option<bool>,
    /// Where the threads stand.
    pub threads: Vec<LocationId>,
    /// What else is the case.
    pub literals: Vec<Literal>,
}

/// What no reachable state is.
#[derive(Clone, Debug, Default)]
pub struct Invariant {
    /// Counts that predicates may mention: these are about the program that [`counted`] makes with them.
    pub counts: Vec<Count>,
    /// The predicates.
    pub predicates: Predicates,
    /// None of these describes a reachable state.
    pub elements: Vec<Element>,
}

impl Predicate {
    /// What kind it is of.
    pub fn kind(&self) -> PredicateKind {
        match (self.active.is_some(), self.passive.is_some()) {
            (false, false) => PredicateKind::Shared,
            (false, true) => PredicateKind::Universal,
            (true, false) => PredicateKind::SingleThread,
            (true, true) => PredicateKind::InterThread,
        }
    }
}

impl Predicates {
    /// No predicates yet, for a program with these expressions.
    pub fn new(expressions: Expressions) -> Self {
        Self { expressions, list: Vec::new() }
    }

    /// A predicate.
    pub fn get(&self, id: PredicateId) -> &Predicate {
        &self.list[id.index()]
    }

    /// The number of a predicate, which is added if it is new.
    pub fn insert(&mut self, predicate: Predicate) -> PredicateId {
        let known = self.list.iter().position(|other| *other == predicate);
        let index = known.unwrap_or_else(|| {
            self.list.push(predicate);
            self.list.len() - 1
        });
        PredicateId::new(index)
    }
}
