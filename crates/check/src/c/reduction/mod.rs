//! Checks that the program that invariants are about has every error of the program that was read.
//!
//! [`throng_cfa::merge`] makes that program in stages: assignments that cannot matter are left out (`slice`, with the
//! argument), then paths become single edges, twice, then assignments are left out again. Nothing of it is trusted: here, with
//! own code, each stage is compared with the one before. Only its data is used: the programs, and which path and which
//! arbitrary values an edge is said to be made of.
//!
//! # Larger steps
//!
//! Let P be the program before and Q the one after. Both have the same variables, code and locations (`form`). *Kept* locations
//! are entries, those that are not inner ones (ends and errors), and those where edges of Q begin or end. A *path* is a
//! sequence of edges of P from a kept location to the next kept one. Accepted iff of all paths from a kept location that is
//! reached by edges of Q, as far as they are possible when no other thread acts meanwhile (`paths`, `symbolic`):
//!
//! 1. a step with an effect leads to a kept location, and no path goes round a cycle without one;
//! 2. a path consists of a *moving* sequence m₁ … mᵢ (`movers`), then steps v₁ … vⱼ with the thread at atomic locations in
//!    between, then *silent* ones a₁ … aₖ, where k = 0 if j = 0; and where vⱼ leads to a location that is neither kept nor
//!    atomic, silent steps lead on to a kept one;
//! 3. it is an edge of Q that is possible in the same states and does the same (`compare`); or it leads to where it began and
//!    changes nothing; or all its steps are moving and it leads to the end of the thread.
//!
//! And each edge of Q that begins at such a location is such a path, so that Q has no errors but those of P. (Only the other
//! direction is needed for `safe`.)
//!
//! # Why an error of P is one of Q
//!
//! Take a run of P to its first state with an error. Cut the steps of each thread at kept locations into segments, of which the
//! last one may be the beginning of a path only. By 2 each has the form m₁ … mᵢ v₁ … vⱼ a₁ … aₖ. The point where a segment
//! *counts* is v₁, or its last step if j = 0 (then it is taken for v₁ below).
//!
//! * Move mᵢ to directly before v₁, then mᵢ₋₁ to directly before mᵢ, and so on. Let m be one of them and s₁ … sₙ the steps of
//!   others that it is moved behind. The s do not notice: m has no effect, so there are the same threads with the same numbers;
//!   it does not lead to or from an atomic location, so it forbids nobody to act; it does not end a thread if that is seen; and
//!   nobody else accesses what it writes. m itself is possible and does the same: the thread takes a step directly afterwards,
//!   so nobody is at an atomic location; it does not look at threads; and no s writes what it reads. Both is so in every run in
//!   which these steps of the thread come one after the other (`movers`), so also in those that come about on the way.
//! * Nobody acts between v₁ and vⱼ, since the thread is at an atomic location.
//! * Move a₁, then a₂ and so on to directly after vⱼ. Each is possible there: it always is, vⱼ starts no thread by 1, and the
//!   thread acted just before. It is about variables that nobody else accesses, so the steps that it is moved before do not
//!   notice, nor does it.
//! * Moving steps of one segment does not tear another one apart: v₁ of another thread is never between those steps.
//!
//! Now each whole segment is taken without anything in between. So its path is possible when nobody else acts, and 3 is about
//! it. A beginning of a path is one of these: (i) moving steps only; they can be moved to the end of the run and left out,
//! since nobody notices. (ii) It has come to a location after vⱼ that is neither kept nor atomic: by 2 the silent steps that
//! are missing can be added after it, and nobody notices. (iii) It is at an atomic location. Then no other thread has acted
//! since, so its step is the last of the run; but that leads to an error, which is kept, or starts a thread at one and leads to
//! a kept location by 1. So this is not the case. Whole segments that change nothing are left out, and so are those of moving
//! steps that lead to the end: the thread takes no further step, nobody sees its end, and they can be moved to the end of the
//! run like those of (i). What is left is a run of Q: edges of Q begin where threads of Q are, so only paths from there are
//! needed. It has an error: the last step of the run of P leads to an error or starts a thread at one, so it leads to a kept
//! location and its segment is whole, and that one is not left out.
//!
//! What is said about paths "as far as they are possible when no other thread acts meanwhile" is enough, for where the steps
//! before the last one of a beginning of a path fulfil 2, they can be moved together as above: if the last one is impossible
//! then, it is not taken in any run.
//!
//! Locations of errors are looked at in no other way than that they are kept, so the same holds if only some of the errors are
//! asked about.

mod compare;
mod form;
mod locks;
mod movers;
mod others;
mod paths;
mod slice;
mod symbolic;

use crate::{Condition, Rejection};
use throng_base::{Budget, StopReason};
use throng_cfa::flow::Program;
use throng_cfa::merge::{Merged, Stages};

/// Checks all stages from a program to the one that proofs are about. `Ok` means that the last one has every error of the program.
pub fn check_stages(program: &Program, stages: &Stages, budget: &Budget) -> Result<(), Rejection> {
    check_sliced(program, &stages.sliced)?;
    check_merged(&stages.sliced, &stages.first, budget)?;
    check_merged(&stages.first.program, &stages.second, budget)?;
    check_sliced(&stages.second.program, &stages.last)
}

/// Checks that a program without some assignments has the errors of the one with them.
pub fn check_sliced(before: &Program, after: &Program) -> Result<(), Rejection> {
    form::check(before, after)?;
    slice::check(before, after)
}

/// Checks that a program with larger steps has the errors of the one with smaller ones, and no others.
pub fn check_merged(before: &Program, merged: &Merged, budget: &Budget) -> Result<(), Rejection> {
    form::check(before, &merged.program)?;
    paths::Walk::new(before, merged, budget)?.check()
}

/// A condition does not hold.
fn wrong(place: impl Into<String>, reason: impl Into<String>) -> Rejection {
    Rejection::new(Condition::Reduction, place, reason)
}

fn too_large(place: impl Into<String>, reason: impl Into<String>) -> Rejection {
    Rejection::new(Condition::Size, place, reason)
}

/// The budget ended.
fn stopped(reason: StopReason) -> Rejection {
    too_large("the larger steps", format!("the check ended before it was done: {reason}"))
}
