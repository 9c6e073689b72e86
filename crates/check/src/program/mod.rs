//! Checks evidence about Boolean programs, on the control-flow graph itself.
//!
//! The meaning of programs is that of [`throng_boolprog::flow`]; [`throng_boolprog::question`] says what a configuration
//! and the atomic bit are. Configurations that contradict the bit do not exist: where the bit is 0, no thread is at an
//! atomic location, where it is 1, exactly one is. Steps keep it so: a thread at an atomic location acts only where the
//! bit is 1, another one only where it is 0; afterwards the bit tells whether the thread is at an atomic location, and
//! threads are started at locations that are not atomic (`well_formed` looks).
//!
//! *Trace* (`trace`). Accepted iff it is an execution from an initial configuration to one that fits a target. The states
//! that it mentions become those of an explicit system whose rules are the steps, each verified on the program
//! (`step`); the checker of traces of systems does the counting.
//!
//! *Proof* (`proof`, `before`, `excluded`). Elements are patterns; no reachable configuration fits one: targets do,
//! initial configurations do not, and predecessors of what does do. Atomic sections in which nothing happens that an
//! element mentions need no elements of their own (`idle`).
//!
//! *Cover set* (`cover`, `after`, `inside`). Elements are read universally, ω being any number of threads; every reachable
//! configuration is in one: initial configurations are, successors of what is are, and nothing that is fits a target.
//!
//! Proofs and cover sets may speak about threads that have passed through locations with one step of their own
//! (`through`).
//!
//! # What is trusted
//!
//! The reader of programs, and the plain data of [`Program`]: locations, edges, expressions, their names as text. Values
//! of expressions, steps, predecessors, successors and inclusion are computed here. There is no decision diagram: sets of
//! valuations are partial valuations that are split on one variable after the other.

mod after;
mod before;
mod cover;
mod excluded;
mod idle;
mod inside;
mod matching;
mod names;
mod proof;
mod reached;
mod scene;
mod solutions;
mod step;
mod through;
mod trace;
mod values;
mod well_formed;

pub use reached::check_reached;

use crate::verdict::{check_kind, of_another_input};
use crate::{Accepted, Limits, Rejection};
use names::Names;
use throng_boolprog::ProgramQuestion;
use throng_boolprog::flow::Program;
use throng_cert::EvidenceDocument;
use throng_cert::document::Body;

/// Checks evidence about a program. `Ok` means that the verdict of the document holds.
pub fn check_program(
    program: &Program,
    question: &ProgramQuestion,
    document: &EvidenceDocument,
) -> Result<Accepted, Rejection> {
    check_program_within(program, question, document, Limits::default())
}

/// As [`check_program`], with other limits on the size of what is checked.
pub fn check_program_within(
    program: &Program,
    question: &ProgramQuestion,
    document: &EvidenceDocument,
    limits: Limits,
) -> Result<Accepted, Rejection> {
    check_kind(document)?;
    well_formed::check(program, question)?;
    let names = Names::new(program)?;
    match &document.body {
        Body::Trace(trace) => trace::check(&names, question, trace, limits),
        Body::Proof(proof) => proof::check(&names, question, proof, limits),
        Body::CoverSet(set) => cover::check(&names, question, set, limits),
        Body::Interleaving(_) | Body::Invariant(_) | Body::Explored(_) => Err(of_another_input(document)),
    }
}
