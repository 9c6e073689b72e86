//! C programs, read into control-flow graphs of threads: what is accepted is modelled, bit by bit; what is not
//! modelled is refused with a code, a place and the reason.
//!
//! ```text
//! .c ──► preprocess ──► lexer, parser ──► syntax ──► resolve ──► hir ──► lower ──► flow
//! ```
//!
//! * [`preprocess`]: files read, and preprocessed with headers of our own.
//! * [`lexer`], [`literals`], [`parser`]: from the text to the syntax tree.
//! * [`text`]: the preprocessed text, and which line of which file a place in it came from.
//! * [`syntax`]: what is written, before names and types have a meaning.
//! * [`resolve`]: names and types.
//! * [`hir`]: names resolved, every expression typed, every conversion explicit.
//! * [`lower`]: what everything means: memory, steps, threads and locks.
//! * [`flow`]: the control-flow graphs of threads, over which the meaning of a program is defined.
//! * [`merge`]: the same errors with fewer and larger steps.
//! * [`invariant`]: predicates and invariants about all threads.
//! * [`codes`]: the codes of errors, each with a page.
//! * [`trace`]: an interleaving.
//! * [`world`]: attributes, pragmas, built-ins, library functions and instructions, with what each means.

pub mod codes;
pub mod flow;
pub mod hir;
pub mod invariant;
pub mod lexer;
pub mod literals;
pub mod lower;
pub mod merge;
pub mod parser;
pub mod preprocess;
pub mod resolve;
pub mod syntax;
pub mod text;
pub mod trace;
pub mod world;
