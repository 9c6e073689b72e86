//! What the tests of throng stand on: random small systems, a brute-force oracle, a shrinker, planted bugs.
//!
//! * [`random`] draws a [`Sketch`] from a seed or from a fuzzer's bytes ([`choices`]).
//! * [`oracle`] decides it by brute force, over its own semantics ([`dense`]).
//!
//! Nothing here is used by the tool itself.

pub mod choices;
pub mod dense;
pub mod faulty;
pub mod oracle;
pub mod random;
pub mod shrink;
pub mod sketch;

pub use sketch::Sketch;
