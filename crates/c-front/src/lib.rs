//! C programs, read into control-flow graphs of threads: what is accepted is modelled, bit by bit; what is not
//! modelled is refused with a code, a place and the reason.
//!
//! ```text
//! .c ──► preprocess ──► lexer, parser ──► syntax ──► resolve ──► hir ──► lower ──► throng_cfa::flow
//! ```
//!
//! * [`preprocess`]: files read, and preprocessed with headers of our own.
//! * [`lexer`], [`literals`], [`parser`]: from the text to the syntax tree.
//! * [`syntax`]: what is written, before names and types have a meaning.
//! * [`resolve`]: names and types.
//! * [`hir`]: names resolved, every expression typed, every conversion explicit.
//! * [`lower`]: what everything means: memory, steps, threads and locks.
//! * [`harness`]: a `main` for functions of a file.
//! * [`codes`]: the codes of errors, each with a page.
//! * [`world`]: attributes, pragmas, built-ins, library functions and instructions, with what each means.

pub mod codes;
pub mod harness;
pub mod hir;
pub mod lexer;
pub mod literals;
pub mod lower;
pub mod parser;
pub mod preprocess;
pub mod resolve;
pub mod syntax;
pub mod world;
