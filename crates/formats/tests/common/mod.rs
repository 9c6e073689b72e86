//! Where the suite of published models is, for tests that read it.

#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::{Path, PathBuf};

/// The directory of the models beside the workspace; says that the test is skipped if there is none.
pub(crate) fn models() -> Option<PathBuf> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    if models.join("index.csv").is_file() {
        return Some(models);
    }
    eprintln!("skipped: there is no suite of models beside the workspace");
    None
}
