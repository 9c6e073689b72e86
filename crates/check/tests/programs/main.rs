//! Evidence about Boolean programs: what is right is accepted, what is not is rejected for the right reason, and the
//! checker agrees with brute force.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod common;
mod concrete;
mod covers;
mod idle;
mod limits;
mod proofs;
mod random;
mod random_traces;
mod reached;
mod roles;
mod through;
mod traces;
