//! Being written.
use crate::Draft;
use throng_base::{Diagnostic, Source};
use throng_model::Config;

pub(crate) fn parse(
    _source: &Source,
    _draft: &Draft,
    _property_name: Option<&str>,
) -> Result<Vec<Config>, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error("E0000", "being written")])
}
