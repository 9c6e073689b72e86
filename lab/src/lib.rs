//! What the tests of throng stand on: random small systems, a brute-force oracle, a shrinker, planted bugs.
//!
//! * [`random`] draws a [`Sketch`] from a seed or from a fuzzer's bytes ([`choices`]).
//! * [`programs`] draws systems with the control flow of programs, and has an interpreter of Boolean programs.
//! * [`c`] draws C programs of one thread, to compare the front end with a compiler.
//! * [`threads`] draws multi-threaded C programs, tries everything, and compares with provers.
//! * [`detours`] lets threads take detours in it, which reductions should find.
//! * [`oracle`] decides it by brute force, over its own semantics ([`dense`]).
//! * [`differential`] compares engines with the oracle; [`shrink`] makes what fails small.
//! * [`naive`] judges evidence from the definitions, to compare the checker with.
//! * [`planted`] plants wrong translations of C in a copy of the sources, for tests that a test notices.
//! * [`faulty`] plants bugs in a system's predecessors, for tests that the checker notices.
//! * [`synthetic`] makes systems with very many rules, to measure what a rule costs.
//! * [`fuzz`] has the bodies of the fuzz targets.
//!
//! Nothing here is used by the tool itself.

pub mod c;
pub mod choices;
pub mod dense;
pub mod detours;
pub mod differential;
pub mod faulty;
pub mod fuzz;
pub mod naive;
pub mod oracle;
pub mod planted;
pub mod programs;
pub mod random;
pub mod shrink;
pub mod sketch;
pub mod synthetic;
pub mod threads;

pub use sketch::Sketch;
