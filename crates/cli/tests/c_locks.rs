//! The corpus `tests/c/locks`: locks and other synchronisation after real ones, each correct and broken. Broken ones are refuted; correct ones that the
//! index lists as proved are proved, with evidence that `throng-check` accepts again; nothing is ever called what it is not.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::Run;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// After this a program counts as not decided. Generous: others may use the machine, too.
const TIME: &str = "300s";
/// How long programs are tried that need not be proved.
const SHORT: &str = "3s";

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/locks")
}

struct Listed {
    file: String,
    expected: String,
    must: bool,
    options: Vec<String>,
}

fn index() -> Vec<Listed> {
    let mut reader = csv::Reader::from_path(corpus().join("index.csv")).unwrap();
    let listed = |record: csv::StringRecord| Listed {
        file: record[0].to_owned(),
        expected: record[1].to_owned(),
        must: &record[1] == "unsafe" || &record[3] == "any",
        options: record[4].split_whitespace().map(str::to_owned).collect(),
    };
    reader.records().map(Result::unwrap).map(listed).collect()
}

fn run(program: &str, file: &str, options: &[String], more: &[&str]) -> Run {
    let mut command = Command::new(program);
    let command = command.args(more).arg(file).args(options).current_dir(corpus()).stdin(Stdio::null());
    Run::from(command.output().unwrap())
}

/// Decides every program whose place in the index has this remainder.
fn decide(remainder: usize) {
    let place = tempfile::tempdir().unwrap();
    let evidence = place.path().join("evidence.json");
    let name = evidence.to_str().unwrap();
    let mut missed = Vec::new();
    for Listed { file, expected, must, options } in index().into_iter().skip(remainder).step_by(4) {
        let time = if must { TIME } else { SHORT };
        let arguments = ["check", "-q", "--timeout", time, "--evidence", name];
        let told = run(env!("CARGO_BIN_EXE_throng"), &file, &options, &arguments);
        let verdict = told.last_line();
        if verdict != format!("verdict: {expected}") {
            if must || !verdict.starts_with("verdict: unknown") {
                missed.push(format!("{file}: {verdict} instead of {expected} {}", told.stderr));
            }
            continue;
        }
        let mut checker = Command::new(env!("CARGO_BIN_EXE_throng-check"));
        let checker = checker.args([&*file, name]).args(&options).current_dir(corpus());
        let checked = Run::from(checker.stdin(Stdio::null()).output().unwrap());
        if checked.code != Some(0) {
            missed.push(format!("{file}: {checked:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn first_quarter() {
    decide(0);
}

#[test]
fn second_quarter() {
    decide(1);
}

#[test]
fn third_quarter() {
    decide(2);
}

#[test]
fn last_quarter() {
    decide(3);
}

#[test]
fn every_program_is_in_the_index_and_has_broken_ones() {
    let mut files: Vec<String> = std::fs::read_dir(corpus())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".c"))
        .collect();
    files.sort();
    let index = index();
    let mut listed: Vec<String> = index.iter().map(|it| it.file.clone()).collect();
    listed.sort();
    assert_eq!(files, listed);
    let (safe, broken): (Vec<&Listed>, Vec<&Listed>) = index.iter().partition(|it| it.expected == "safe");
    for correct in safe {
        let stem = format!("{}-", correct.file.trim_end_matches(".c"));
        let n_broken = broken.iter().filter(|it| it.file.starts_with(&stem)).count();
        assert!(n_broken >= 2, "{} has {n_broken} broken variants", correct.file);
    }
}

/// Facts alone and predicates alone do not prove the single-writer lock; lemmas from the errors backwards do.
#[test]
fn lemmas_are_found_from_the_errors() {
    let options: Vec<String> = ["--threads-at-most", "4194304"].map(str::to_owned).to_vec();
    let arguments = ["check", "-q", "--timeout", TIME, "--engine"];
    let with = |engine: &'static str| [&arguments[..], &[engine]].concat();
    let told = run(env!("CARGO_BIN_EXE_throng"), "swlock.c", &options, &with("houdini"));
    assert_eq!(told.last_line(), "verdict: unknown(inconclusive)", "{told:?}");
    let told = run(env!("CARGO_BIN_EXE_throng"), "swlock.c", &options, &with("pdr"));
    assert_eq!(told.last_line(), "verdict: safe", "{told:?}");
    // It finds no errors, and says so.
    let told = run(env!("CARGO_BIN_EXE_throng"), "swlock-no-wait.c", &options, &with("pdr"));
    assert_eq!(told.last_line(), "verdict: unknown(inconclusive)", "{told:?}");
}
