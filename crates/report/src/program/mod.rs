//! What users see of results about Boolean programs: lines and statements of the source, and values of variables.
//!
//! Everything is made from an evidence document and the program. Nothing here decides whether evidence is right:
//! documents that do not fit the program are said to be unshowable.

mod follow;
pub(crate) mod json;
mod listing;
mod matters;
mod proof;
mod states;
mod story;
mod table;
mod text;
mod trace;
mod values;
mod why;
mod words;

pub use states::{
    CutoffView, KnownCutoffs, ReachView, render_cutoff, render_cutoff_json, render_reach, render_reach_json,
};
pub(crate) use story::story;
pub(crate) use text::{explanation, question, thing};
pub(crate) use words::ProgramWords;

use throng_base::Source;
use throng_boolprog::ProgramQuestion;
use throng_boolprog::flow::Program;

/// A program and what is asked about it.
#[derive(Clone, Copy, Debug)]
pub struct ProgramCase<'a> {
    /// Its text.
    pub source: &'a Source,
    /// What it means.
    pub program: &'a Program,
    /// What is asked.
    pub question: &'a ProgramQuestion,
}

impl<'a> From<&'a throng_input::ProgramInput> for ProgramCase<'a> {
    fn from(input: &'a throng_input::ProgramInput) -> Self {
        Self { source: input.source(), program: &input.program, question: &input.question }
    }
}
