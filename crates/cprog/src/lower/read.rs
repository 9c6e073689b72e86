//! All of the front end: from files to the control-flow graphs of threads.

use super::{Options, lower};
use crate::preprocess::{self, Preprocessed, Preprocessing};
use crate::{flow, parser, resolve};
use std::path::PathBuf;
use throng_base::Diagnostic;

/// A program with warnings, or why it is refused.
pub type Outcome = Result<(flow::Program, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Reads the files of a program.
pub fn read(files: &[PathBuf], preprocessing: &Preprocessing, options: &Options) -> Outcome {
    translate(preprocess::read(files, preprocessing)?, preprocessing, options)
}

/// Reads a text that is preprocessed already.
pub fn read_text(name: &str, text: &str, preprocessing: &Preprocessing, options: &Options) -> Outcome {
    translate(preprocess::from_text(name, text)?, preprocessing, options)
}

fn translate(source: Preprocessed, preprocessing: &Preprocessing, options: &Options) -> Outcome {
    let units = parser::parse(&source.text, &source.units)?;
    let (program, mut warnings) = resolve::resolve(source.text, units, preprocessing.data_model)?;
    let (program, more) = lower(&program, options)?;
    warnings.extend(more);
    Ok((program, warnings))
}
