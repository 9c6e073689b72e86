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
//! *Proof* (`proof`, `cuts`). A configuration is *excluded* iff it is above an element u ∈ U or breaks a cut. Accepted
//! iff (1) each target is excluded, (2) no configuration of ↓I is in U, (3) each minimal predecessor of each u ∈ U
//! is excluded, and the cuts and traps hold initially and are kept by every rule that a configuration which is not
//! excluded can enable and that does not lead to where no target can be reached any more. Then no reachable
//! configuration is excluded from which a target can be reached: `cuts` has the induction, for elements, cuts and traps
//! at once. The case of elements: an initial configuration is not in ↑U, since (c ∈ I, c ≥ u) would put u in
//! ↓I. If c is not excluded and fires a rule to c′ ≥ u, then c ≥ p for a minimal predecessor p of u (see
//! `predecessors`), which is excluded by (3), and with it c, a contradiction. A reachable c that covered a
//! target would be excluded by (1). So `safe` holds. Predecessors that cover u itself are in ↑U; rules that have
//! only such ones need no look.
//!
//! *Cover set* (`cover`). ω-configurations E are accepted iff every initial set is in ↓E, every successor of
//! an element is in ↓E, and no element is above a target. Steps are monotone: what c ≤ e reaches in one step
//! is below a successor of e (the extra threads go somewhere). So ↓E contains I, is closed under steps, and
//! avoids ↑T: `safe`.
//!
//! Elements with patterns stand for all configurations that match and are expanded (`names`).
//!
//! All of this is about systems. Evidence about Boolean programs is checked on their control-flow graphs, see [`program`], and
//! so are interleavings and invariants of C programs, see [`c`].
//!
//! # What is trusted
//!
//! The readers of the input, and the plain data of [`System`]: names, rules, initial configurations, targets.
//! For invariants of C programs, also `throng-solver`.
//! The checker does not use the model's `step`, `pre` or closed sets, nor any engine: firing, predecessors,
//! successors and membership are written here from the definitions above. Numbers are exact; an overflow, or
//! a search through more choices than [`Limits`] allow, is a rejection with that reason. Nothing here is
//! unsafe, prints or reads files.

#![forbid(unsafe_code)]
#![deny(clippy::arithmetic_side_effects)]

mod bag;
pub mod c;
mod choices;
mod cover;
mod cuts;
mod index;
mod names;
mod predecessors;
pub mod program;
mod proof;
mod question;
mod reached;
mod rules;
mod successors;
mod trace;
mod traps;
mod verdict;
mod weights;

pub use reached::check_reached;
pub use verdict::{Accepted, Condition, Limits, Rejection};

use throng_cert::EvidenceDocument;
use throng_cert::document::Body;
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
    verdict::check_kind(document)?;
    let through = match &document.body {
        Body::Trace(_) | Body::Interleaving(_) | Body::Invariant(_) | Body::Explored(_) => &[][..],
        Body::Proof(proof) => &proof.through,
        Body::CoverSet(set) => &set.through,
    };
    if !through.is_empty() {
        let reason = "`through` speaks about the locations of a program";
        return Err(Rejection::new(Condition::Form, "the document", reason));
    }
    match &document.body {
        Body::Trace(trace) => trace::check(system, trace),
        Body::Proof(proof) => proof::check(system, proof, limits),
        Body::CoverSet(set) => cover::check(system, set, limits),
        Body::Interleaving(_) | Body::Invariant(_) | Body::Explored(_) => {
            Err(verdict::of_another_input(document))
        }
    }
}
