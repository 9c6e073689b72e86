//! C programs, read into control-flow graphs of threads: what is accepted is modelled, bit by bit; what is not
//! modelled is refused with a code, a place and the reason.
//!
//! ```text
//! .c ──► preprocess ──► lexer, parser ──► syntax ──► resolve ──► hir ──► lower ──► flow
//! ```
//!
//! * [`text`]: the preprocessed text, and which line of which file a place in it came from.
//! * [`syntax`]: what is written, before names and types have a meaning.
//! * `hir`: names resolved, every expression typed, every conversion explicit.
//! * `flow`: the control-flow graphs of threads, over which the meaning of a program is defined.

pub mod hir;
pub mod resolve;
pub mod syntax;
pub mod text;
