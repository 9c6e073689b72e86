//! Whole programs: those of the repository have to be read without errors.

use crate::hir::DataModel;
use crate::{parser, preprocess};
use std::path::{Path, PathBuf};

fn programs() -> Vec<PathBuf> {
    let root = std::env::var("THRONG_C_PROGRAMS")
        .map(PathBuf::from)
        .unwrap_or_else(|_| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c"));
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

#[test]
fn the_programs_of_the_repository_are_resolved() {
    let mut failures = Vec::new();
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        for file in programs() {
            let options = preprocess::Preprocessing { data_model: model, ..Default::default() };
            let resolved = preprocess::read(std::slice::from_ref(&file), &options).and_then(|read| {
                let units = parser::parse(&read.text, &read.units)?;
                crate::resolve::resolve(read.text, units, model)
            });
            match resolved {
                Err(errors) => failures.push(format!("{}: {}", file.display(), super::lines(&errors))),
                Ok((_, warnings)) if !warnings.is_empty() => {
                    failures.push(format!("{}: {}", file.display(), super::lines(&warnings)));
                }
                Ok(_) => {}
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
