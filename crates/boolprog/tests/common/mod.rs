//! What the tests share: where the suite of models is, random syntax trees, and trees as text without places.

#![allow(dead_code, clippy::unwrap_used, reason = "each test uses a part; helpers of tests fail like tests")]

pub(crate) mod explore;
pub(crate) mod outline;
pub(crate) mod random;

use std::path::{Path, PathBuf};
use throng_base::Source;

/// The programs of the suite beside the workspace; says that the test is skipped if there are none.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
pub(crate) fn programs_of_the_suite() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models/ase16");
    let Ok(entries) = std::fs::read_dir(folder) else {
        eprintln!("skipped: there is no suite of models beside the workspace");
        return Vec::new();
    };
    let is_program = |path: &PathBuf| path.extension().is_some_and(|it| it == "bp" || it == "nbp");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(is_program).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// A program as a source called `p`.
pub(crate) fn source(text: &str) -> Source {
    Source::from_text("p", text)
}
