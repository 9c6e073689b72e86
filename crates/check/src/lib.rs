//! The independent checker: does this evidence prove this verdict about this input?
//!
//! # What is checked
//!
//! A configuration is a shared state and a bag of local states, one per thread. A rule (from, to, take, put,
//! moves) fires in (from, c) if take ≤ c: take is removed, each remaining (passive) thread in a source p of
//! moves goes to one of moves(p), each choosing for itself (none: it vanishes), put is added, the shared
//! state becomes `to`. ≤ is bag inclusion at equal shared state, ↑ and ↓ are closures under it. The initial
//! configurations I are, for each initial set, its shared state, its exact threads and any further threads in
//! its unbounded locals. `unsafe` says that some execution from I reaches ↑T, T being the targets; `safe`
//! says that none does.
//!
//! *Trace* (`trace`). Accepted iff it is an execution from a configuration in I to one in ↑T. That is
//! `unsafe` by definition. Repeated segments are decided by arithmetic, exactly.
//!
//! *Proof* (`proof`, `cuts`). Cuts are accepted iff their weights bound every reachable configuration
//! (argument in `cuts.rs`). The elements U are accepted iff (1) each target is in ↑U or breaks a cut, (2) no
//! configuration of ↓I is in U, (3) each minimal predecessor of each u ∈ U is in ↑U or breaks a cut. Then no
//! reachable configuration is in ↑U, by induction: an initial one is not, since (c ∈ I, c ≥ u) would put u in
//! ↓I. Suppose c is reachable and not in ↑U, and c fires a rule to c′ ≥ u. Then c ≥ p for a minimal
//! predecessor p of u (see `predecessors`). If p ∈ ↑U then c ∈ ↑U, a contradiction. If p breaks a cut, so
//! does c, since weights are not negative, but no reachable configuration does. And if a reachable c covered
//! a target t, then by (1) c ∈ ↑U or c breaks a cut: neither happens. So `safe` holds. Predecessors that
//! cover u itself are in ↑U; rules that have only such ones need no look.
//!
//! *Cover set* (`cover`). ω-configurations E are accepted iff every initial set is in ↓E, every successor of
//! an element is in ↓E, and no element is above a target. Steps are monotone: what c ≤ e reaches in one step
//! is below a successor of e (the extra threads go somewhere). So ↓E contains I, is closed under steps, and
//! avoids ↑T: `safe`.
//!
//! Elements with patterns stand for all configurations that match and are expanded (`names`).
//!
//! # What is trusted
//!
//! The readers of the input, and the plain data of [`System`]: names, rules, initial configurations, targets.
//! The checker does not use the model's `step`, `pre` or closed sets, nor any engine: firing, predecessors,
//! successors and membership are written here from the definitions above. Numbers are exact; an overflow, or
//! a search through more choices than [`Limits`] allow, is a rejection with that reason. Nothing here is
//! unsafe, prints or reads files.

#![forbid(unsafe_code)]
#![deny(clippy::arithmetic_side_effects)]

mod bag;
mod choices;
mod cover;
mod cuts;
pub mod flags;
mod index;
mod names;
mod predecessors;
mod proof;
mod question;
mod rules;
mod successors;
mod trace;
mod verdict;

pub use verdict::{Accepted, Condition, Limits, Rejection};

use throng_cert::document::Body;
use throng_cert::{EvidenceDocument, Verdict};
use throng_model::System;

/// Checks evidence about a system. `Ok` means that the verdict of the document holds.
pub fn check(system: &System, document: &EvidenceDocument) -> Result<Accepted, Rejection> {
    check_within(system, document, Limits::default())
}

/// As [`check`], with other limits on the size of what is checked.
pub fn check_within(
    system: &System,
    document: &EvidenceDocument,
    limits: Limits,
) -> Result<Accepted, Rejection> {
    let proved = match &document.body {
        Body::Trace(_) => Verdict::Unsafe,
        Body::Proof(_) | Body::CoverSet(_) => Verdict::Safe,
    };
    if document.verdict != proved {
        let (kind, claimed) = (document.body.kind(), document.verdict.word());
        let reason = format!("a {kind} is evidence for `{}`, not for `{claimed}`", proved.word());
        return Err(Rejection::new(Condition::Verdict, "the document", reason));
    }
    match &document.body {
        Body::Trace(trace) => trace::check(system, trace),
        Body::Proof(proof) => proof::check(system, proof, limits),
        Body::CoverSet(set) => cover::check(system, set, limits),
    }
}
