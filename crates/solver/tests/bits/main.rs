//! Bit-vectors: the operations against the machine's arithmetic, the constructors and circuits against a
//! naive evaluator that tries all values, and everything against an SMT-LIB solver where one is installed.

mod deep;
mod naive;
mod operations;
mod random;
mod smt;
