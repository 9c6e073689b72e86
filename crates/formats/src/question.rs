//! Being written.
use crate::{Draft, Format, Input, Question};
use std::path::Path;
use throng_base::Diagnostic;

pub(crate) fn apply(
    _draft: Draft,
    _format: Format,
    _path: Option<&Path>,
    _question: &Question,
) -> Result<Input, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error("E0000", "being written")])
}
