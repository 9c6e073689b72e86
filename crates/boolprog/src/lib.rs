//! Boolean programs (`.bp`, `.nbp`): the language of SLAM and SATABS, from the text to one control-flow graph.
//!
//! [`parse`] makes a [`syntax`] tree of a text and [`print()`] a text of a tree, [`number_labels`] turns its labels into
//! numbers; [`flow::build`] checks names and makes the control-flow graph of a tree, whose documentation is the definition
//! of what programs mean; [`read`] does both.
//!
//! What is not here: states, steps, and anything about how many threads there are.

pub mod cube;
pub mod expression;
pub mod flow;
mod lexer;
mod messages;
mod number;
mod parser;
mod print;
pub mod question;
mod resolve;
pub mod schedule;
pub mod syntax;
mod zero;

pub use cube::Cube;
pub use flow::Input;
pub use number::number_labels;
pub use parser::{MAX_NESTING, parse};
pub use print::{print, print_expression};
pub use question::{InitThreads, Pattern, ProgramQuestion, ThreadPattern};
pub use schedule::Schedule;

use throng_base::{Diagnostic, Source};

/// Reads a program. All errors are returned, in the order of their places; names are only looked at if there are no
/// errors of syntax.
pub fn read(source: &Source) -> Result<Input, Vec<Diagnostic>> {
    flow::build(source, parse(source)?)
}

/// Reads a program whose variables are 0 at the start, those of functions where these begin, and of which so many threads run
/// `main`. One thread starts it, or none if none was asked for: it starts the others.
pub fn read_from_zero(source: &Source, threads: InitThreads) -> Result<Input, Vec<Diagnostic>> {
    let mut tree = parse(source)?;
    zero::start_at_zero(source, &mut tree, threads).map_err(|error| vec![error])?;
    flow::build(source, tree)
}
