//! Programs in `tests/c/accept`: one for each header, family of functions, idiom and shape of an array that people use. None is
//! refused, and each verdict, which the checker has accepted, is that of the index.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::Run;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Generous: on an idle machine each takes a fraction of a second.
const SECONDS: &str = "300s";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/accept")
}

/// File, verdict and options of each program of the index whose name is wanted.
fn programs(is_wanted: impl Fn(&str) -> bool) -> Vec<(String, String, Vec<String>)> {
    let mut reader = csv::Reader::from_path(folder().join("index.csv")).unwrap();
    let rows = reader.records().map(|record| {
        let record = record.unwrap();
        let options = record[2].split_whitespace().map(str::to_owned).collect();
        (record[0].to_owned(), record[1].to_owned(), options)
    });
    rows.filter(|(file, ..)| is_wanted(file)).collect()
}

/// Asks about all programs whose names are wanted.
fn ask(is_wanted: impl Fn(&str) -> bool) {
    let all = programs(is_wanted);
    assert!(!all.is_empty());
    let mut wrong = Vec::new();
    for (file, expected, options) in &all {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.args(["check", file, "-q", "--timeout", SECONDS]).args(options).current_dir(folder());
        let run = Run::from(command.stdin(Stdio::null()).output().unwrap());
        if run.last_line() != format!("verdict: {expected}") {
            wrong.push(format!("{file}: {:?} {}{}", run.code, run.last_line(), run.stderr));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

#[test]
fn headers_are_read() {
    ask(|file| file.starts_with("header-"));
}

#[test]
fn the_library_has_a_meaning() {
    ask(|file| file.starts_with("libc-") || file.starts_with("arguments-"));
}

#[test]
fn instructions_have_a_meaning() {
    ask(|file| file.starts_with("asm-") || file.starts_with("futex-"));
}

#[test]
fn arrays_have_any_length() {
    ask(|file| file.starts_with("array-") || file.starts_with("vla-"));
}

#[test]
fn other_idioms_are_read() {
    let elsewhere = ["header-", "libc-", "arguments-", "asm-", "futex-", "array-", "vla-"];
    ask(|file| !elsewhere.iter().any(|prefix| file.starts_with(prefix)));
}

#[test]
fn every_program_is_in_the_index() {
    let listed = programs(|_| true);
    assert!(listed.len() >= 100);
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_listed = listed.iter().any(|(file, ..)| *file == name);
        assert!(is_listed || !name.ends_with(".c"), "{name}");
    }
}
