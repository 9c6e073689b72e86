//! Bit-vectors: the operations against the machine's arithmetic, the constructors and circuits against a
//! naive evaluator that tries all values, and everything against an SMT-LIB solver where one is installed.

#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

mod deep;
mod naive;
mod operations;
mod random;
mod smt;
