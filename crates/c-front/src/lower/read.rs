//! All of the front end: from files to the control-flow graphs of threads.

use super::{Options, lower};
use crate::preprocess::{self, Preprocessed, Preprocessing, UnitPart};
use crate::{hir, parser, resolve};
use std::path::PathBuf;
use throng_base::Diagnostic;
use throng_cfa::flow;

/// A program with warnings, or why it is refused.
pub type Outcome = Result<(flow::Program, Vec<Diagnostic>), Vec<Diagnostic>>;

/// A program with what it was made from.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The typed program, with the preprocessed text.
    pub typed: hir::Program,
    /// The parts of the text that are translation units.
    pub units: Vec<UnitPart>,
    /// The graphs of its threads.
    pub program: flow::Program,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Reads the files of a program.
pub fn read(files: &[PathBuf], preprocessing: &Preprocessing, options: &Options) -> Outcome {
    let whole = read_whole(files, preprocessing, options)?;
    Ok((whole.program, whole.warnings))
}

/// Reads the files of a program and keeps what the graphs are made from.
pub fn read_whole(
    files: &[PathBuf],
    preprocessing: &Preprocessing,
    options: &Options,
) -> Result<Whole, Vec<Diagnostic>> {
    translate(preprocess::read(files, preprocessing)?, preprocessing, options)
}

/// Reads a text that is preprocessed already.
pub fn read_text(name: &str, text: &str, preprocessing: &Preprocessing, options: &Options) -> Outcome {
    let whole = read_whole_text(name, text, preprocessing, options)?;
    Ok((whole.program, whole.warnings))
}

/// The same, and keeps what the graphs are made from.
pub fn read_whole_text(
    name: &str,
    text: &str,
    preprocessing: &Preprocessing,
    options: &Options,
) -> Result<Whole, Vec<Diagnostic>> {
    translate(preprocess::from_text(name, text)?, preprocessing, options)
}

fn translate(
    source: Preprocessed,
    preprocessing: &Preprocessing,
    options: &Options,
) -> Result<Whole, Vec<Diagnostic>> {
    let Preprocessed { text, units } = source;
    let parsed = parser::parse(&text, &units)?;
    let (typed, mut warnings) = resolve::resolve(text, parsed, preprocessing.data_model)?;
    let (program, more) = lower(&typed, options)?;
    warnings.extend(more);
    Ok(Whole { typed, units, program, warnings })
}
