//! C programs and their interleavings in the words of their authors: files, lines, statements, and only the variables
//! that change, with their C values.
//!
//! * `follow`: replays an interleaving and collects what each step changes, steps of one statement together.
//! * `values`: values as C would write them.
//! * `text`: the table for people; `json`: the same for programs; `dot`: the graphs of threads.

mod dot;
mod follow;
pub(crate) mod json;
mod text;
mod values;

pub use dot::graph;
pub(crate) use text::{explanation, ledger, question};

use throng_cprog::flow::Program;

/// A C program as reports speak about it.
#[derive(Clone, Copy, Debug)]
pub struct CCase<'a> {
    /// The graphs of its threads.
    pub program: &'a Program,
}

/// An interleaving on its own, as `throng replay` shows it: the table and why it is bad. `None` if it is no execution of
/// the program.
pub fn interleaving(
    case: CCase<'_>,
    document: &throng_cert::EvidenceDocument,
    options: crate::text::TextOptions,
) -> Option<String> {
    let explanation = explanation(case, document, options)?;
    Some(format!("{explanation}{}", ledger(case.program)))
}
