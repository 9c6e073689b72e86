//! Being written.
use crate::{Draft, Printed};
use throng_base::{Diagnostic, Source};
use throng_model::System;

pub(crate) fn parse(_source: &Source, _mist_semantics: bool) -> Result<Draft, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error("E0000", "being written")])
}

pub(crate) fn print(_system: &System) -> Result<Printed, Diagnostic> {
    Err(Diagnostic::error("E0000", "being written"))
}
