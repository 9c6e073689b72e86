//! Checks invariants of C programs: that no reachable state is described by any element, and that no thread can come to an
//! error.
//!
//! What programs and invariants mean is defined in [`throng_cfa::flow`] and [`throng_cfa::invariant`]. Let U be the elements of the
//! invariant and, for each location of kind error, the element that has one thread there and no literals. Accepted iff
//!
//! 1. no element of U describes a state at the start (`initial`), and
//! 2. no step leads from a state that no element of U describes to one that an element of U describes (`steps`).
//!
//! # Why that is sound
//!
//! By induction over the steps of a run, no reachable state is described by an element of U, so none has a thread at an error.
//! What is left to show is that a step s → s′ with s′ described by u ∈ U, and s by none, makes one of the questions
//! that are put to the solver satisfiable. Let a be the thread that takes the step, along the edge e, and let u describe s′ by giving its
//! threads the threads t₁ … tₖ of s′, which are all different. There is a question for u, e, which of the tᵢ is a, and which is
//! the thread that e starts, if e starts one. Its threads *at hand* are a, the new thread, and all tᵢ. Variables get the values that
//! they have in s, arbitrary values those of the step. Then all that is asserted holds:
//!
//! * The guard is true. The values after the step are terms that say what `flow` says (`scene`, `translate`): all
//!   expressions are evaluated before the step; rows that are too long to be looked into are arbitrary wherever they are
//!   read.
//! * No tᵢ other than a and the new thread is at an atomic location, else a could not step. For the same reason some thread is at an
//!   atomic location before the step iff a is, and after it iff a or the new thread is.
//! * Two threads at locations of `main` are different threads of this code, which is impossible if no edge starts it: at
//!   the start one thread runs it, and only `Spawn` makes threads.
//! * Numbers of threads are different and not 0; that of the first thread is 1. Whether the thread with a number has ended, and
//!   its result, are only constrained where the number is that of a thread at hand, or where the step leaves that as it was.
//! * A predicate about all threads: `forall` shows that its bit and its witness have fitting values. A witness stands for a thread
//!   of s that is not at hand, so it is neither at an atomic location nor at an error, where s would be described.
//!   What is said about a witness is said under the condition that it exists, and it does not where none is needed.
//! * Signals wake one thread of all that wait, if any waits: it is at hand, or it is none of those at hand and the witness of its code
//!   among the *outsiders* stands for it; the other outsiders do not exist. Broadcasts update each thread by itself. Of several
//!   updates that are possible, the first happens, as in the machine that replays interleavings.
//! * No element describes s, hence none does so with threads at hand and the thread that a witness stands for. Only instances of
//!   that are asserted, with a witness under the condition that it exists and stands where it does in s.
//! * Counts of threads are shared variables with the values that `counts` says.
//! * The literals of u hold in s′.
//!
//! None of this depends on u but the last point. So all of it is asserted once for all questions about an edge and passive threads at the
//! same locations, and only the literals of u are assumed; where what is asserted has no model by itself, there is no such step. Which
//! instances are asserted is chosen by looking at models, and any choice is sound, as is a model that is looked at wrongly: only
//! the answer "no model" lets a question pass. That the solver does not know is a rejection.
//!
//! A bit may be about a witness that does not exist, too. Nothing is known of its variables then; the bit is false if a thread at
//! hand violates its expression with whatever they hold, and true otherwise, which fits both constraints.
//!
//! So the question has a model, and the invariant is rejected, unless the question was left out: where none of the tᵢ is a or
//! new, and where nothing changes that u looks at (`steps::changes_nothing`), u describes s already; and where threads stand
//! before the step as an element without literals says, s is described by it.
//!
//! # What is assumed and trusted
//!
//! That a run has fewer threads than fit the least width in which the program computes with their numbers (that of `pthread_t`, 64
//! bits or 32, for C; 32 where it does not; `facts::number_bits`).
//! Trusted are the front end and `throng-solver`, when it says that a formula has no model. Nothing of what finds invariants is
//! used.
//!
//! The check is not complete: an inductive invariant may be rejected if its elements are needed for several threads that are not at hand, if it
//! depends on numbers of threads that are not at hand, or on rows of more than 1024 scalars.

mod counts;
mod facts;
mod forall;
mod form;
mod initial;
mod scene;
mod steps;
mod translate;
mod words;

use crate::Rejection;
use facts::Facts;
use throng_base::Budget;
use throng_cfa::flow::Program;
use throng_cfa::invariant::Invariant;

/// Checks an invariant. `Ok` means that no reachable state of the program, with any number of threads, is described by any of its elements or
/// has a thread at an error. If the budget ends first, that is a rejection with that reason.
pub fn check_invariant(program: &Program, invariant: &Invariant, budget: &Budget) -> Result<(), Rejection> {
    let with_counts = counts::checked(program, &invariant.counts)?;
    form::check(&with_counts, invariant)?;
    let facts = Facts::new(&with_counts, invariant, program.variables.len());
    initial::check(&facts, budget)?;
    steps::check(&facts, budget)
}
