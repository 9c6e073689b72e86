//! Checks interleavings and invariants of C programs, on the control-flow graphs of their threads.
//!
//! The meaning of a program is that of [`throng_cfa::flow`]. An interleaving says which thread takes which edge and
//! everything that is arbitrary, so it is replayed without any choice (`machine`, `value`). Accepted iff every step is
//! possible and a thread is at an error in the end. That is `unsafe` by definition.
//!
//! Steps name the place in the source that they are about; if a place is not that of the edge, the evidence is about
//! another program, or it was read with other options.
//!
//! An invariant is accepted iff it holds at the start, every step keeps it, and it excludes errors, for any number of threads
//! (`inductive`, with the proof that this is `safe`). `invariant` reads it from a document. In documents it is about the program without
//! what cannot matter and in larger steps. [`throng_cfa::merge`] makes that program again, and `reduction` checks, with code of its own,
//! that it has every error of the program as read.
//!
//! Where finitely many threads have finitely many states, it is enough to look at all of them (`explored`): such evidence says how many there
//! are, and they are explored here, in the same larger steps.
//!
//! # What is trusted
//!
//! The front end (`throng-c-front`): preprocessing by the system's compiler, parsing, typing, the making of the graphs,
//! and the reading of predicates. For interleavings, values of expressions and steps are computed here and no solver is used; for
//! invariants and larger steps, `throng-solver` is trusted when it says that a formula has no model. Nothing of the searches is used.

mod explored;
mod inductive;
mod invariant;
mod machine;
mod operators;
mod reduction;
mod replay;
mod value;

use crate::verdict::check_kind;
use crate::{Accepted, Condition, Rejection};
use throng_base::{Budget, StopReason};
use throng_cert::document::{self, Body};
use throng_cert::{EvidenceDocument, Header, Verdict};
use throng_cfa::flow::Program;
use throng_cfa::merge::stages;

pub use explored::{Bounds, Explored, explore};
pub use inductive::check_invariant;
pub use invariant::invariant_of;
pub use machine::{Impossible, Machine, Thread};
pub use reduction::{check_merged, check_sliced, check_stages};
pub use replay::{check_interleaving, steps_of};

/// Whether what is left of the memory can hold a state, in which every scalar has its value: arrays of megabytes would be the
/// end of the process, not of the check. If not, the budget ends.
fn check_size(program: &Program, budget: &Budget) -> Result<(), Rejection> {
    /// The bytes of a value.
    const VALUE: u64 = 16;
    let scalars: u64 = program.variables.iter().map(|variable| u64::from(variable.length)).sum();
    if budget.remaining().memory.is_none_or(|left| scalars.saturating_mul(VALUE) <= left) {
        return Ok(());
    }
    budget.stop(StopReason::Memory);
    let reason = format!("a state has {scalars} values, more than the memory can hold");
    Err(Rejection::new(Condition::Size, "the program", reason))
}

/// Checks evidence about a C program, of any kind. `Ok` means that the verdict of the document holds, for any number of threads. Invariants
/// are about the program without what cannot matter and in larger steps, which must have every error of the program.
pub fn check_c(
    program: &Program,
    document: &EvidenceDocument,
    budget: &Budget,
) -> Result<Accepted, Rejection> {
    check_c_within(program, document, None, budget)
}

/// Like [`check_c`], where the question is about at most so many threads, the first one included.
pub fn check_c_within(
    program: &Program,
    document: &EvidenceDocument,
    threads: Option<u32>,
    budget: &Budget,
) -> Result<Accepted, Rejection> {
    check_kind(document)?;
    let body = match &document.body {
        Body::Invariant(body) => body,
        Body::Explored(body) => return check_explored(program, body, threads, budget),
        _ => {
            check_size(program, budget)?;
            return check_interleaving(program, document);
        }
    };
    let stages = stages(program);
    let invariant = invariant_of(&stages.last, body)?;
    check_stages(program, &stages, budget)?;
    check_invariant(&stages.last, &invariant, budget)?;
    Ok(Accepted::Invariant {
        elements: invariant.elements.len(),
        predicates: invariant.predicates.list.len(),
    })
}

/// Checks that all states can be explored, that there are as many as is said, and that none has an error.
fn check_explored(
    program: &Program,
    body: &document::Explored,
    threads: Option<u32>,
    budget: &Budget,
) -> Result<Accepted, Rejection> {
    let at_most = body.threads_at_most;
    if at_most.is_some_and(|most| threads.is_none_or(|asked| asked > most)) {
        let asked = threads.map_or("any number of threads".to_owned(), |n| format!("at most {n} threads"));
        let reason =
            format!("it is about at most {} threads, not about {asked}", at_most.unwrap_or_default());
        return Err(Rejection::new(Condition::Explored, "the evidence", reason));
    }
    let bounds = Bounds { threads: at_most, states: body.states, most_threads: body.threads };
    let found = explore_reduced(program, &bounds, budget)?;
    if (found.states, found.threads) != (body.states, body.threads) {
        let reason = format!("there are {} of {} threads", found.states, found.threads);
        return Err(Rejection::new(Condition::Explored, "the states", reason));
    }
    Ok(Accepted::Explored { states: found.states, threads: found.threads, at_most })
}

/// Explores all states of a program in larger steps, which must have every error of the program.
pub fn explore_reduced(program: &Program, bounds: &Bounds, budget: &Budget) -> Result<Explored, Rejection> {
    check_size(program, budget)?;
    explored::check_identity(program)?;
    let stages = stages(program);
    let found = explore(&stages.last, bounds, budget)?;
    check_stages(program, &stages, budget)?;
    Ok(found)
}

/// The document that tells that all states can be explored. `options` are those with which the program was read, and `threads` is how
/// many the question is about.
pub fn explored_document(
    found: Explored,
    threads: Option<u32>,
    options: Vec<String>,
    header: Header<'_>,
) -> EvidenceDocument {
    EvidenceDocument {
        verdict: Verdict::Safe,
        engine: header.engine.map(str::to_owned),
        input: header.input.map(str::to_owned),
        body: Body::Explored(document::Explored {
            options,
            states: found.states,
            threads: found.threads,
            threads_at_most: threads.filter(|_| found.is_bounded),
        }),
    }
}
