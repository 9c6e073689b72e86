//! A preprocessor for machines without a C compiler.
use super::Preprocessing;
use std::path::Path;
use throng_base::Diagnostic;

/// The text of a file after preprocessing, with line markers.
pub(super) fn preprocess(file: &Path, _options: &Preprocessing) -> Result<String, Vec<Diagnostic>> {
    let message = format!("there is no C compiler to preprocess `{}`", file.display());
    Err(vec![Diagnostic::error("E0801", message)])
}
