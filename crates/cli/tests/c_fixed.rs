//! The corpus `tests/c/fixed`: programs that start finitely many threads and wait for them. Each is decided, as its index says, with
//! evidence that `throng-check` accepts again from the file.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::Run;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Seconds after which a program counts as not decided. Generous: others may use the machine, too.
const SECONDS: &str = "300s";

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/fixed")
}

/// Files with the verdicts that are expected.
fn index() -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_path(corpus().join("index.csv")).unwrap();
    reader.records().map(Result::unwrap).map(|record| (record[0].to_owned(), record[1].to_owned())).collect()
}

fn throng(arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    Run::from(command.args(arguments).current_dir(corpus()).stdin(Stdio::null()).output().unwrap())
}

/// Decides every program whose place in the index has this remainder.
fn decide(remainder: usize) {
    let place = tempfile::tempdir().unwrap();
    let evidence = place.path().join("evidence.json");
    let mut missed = Vec::new();
    for (file, expected) in index().into_iter().skip(remainder).step_by(4) {
        let name = evidence.to_str().unwrap();
        let run = throng(&["check", &file, "-q", "--timeout", SECONDS, "--evidence", name]);
        let verdict = format!("verdict: {expected}");
        if run.last_line() != verdict {
            missed.push(format!("{file}: {} instead of {verdict} {}", run.last_line(), run.stderr));
            continue;
        }
        let mut checker = Command::new(env!("CARGO_BIN_EXE_throng-check"));
        let checker = checker.args([&*file, name]).current_dir(corpus()).stdin(Stdio::null());
        let checked = Run::from(checker.output().unwrap());
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
fn every_program_is_in_the_index() {
    let mut files: Vec<String> = std::fs::read_dir(corpus())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".c"))
        .collect();
    files.sort();
    let mut listed: Vec<String> = index().into_iter().map(|(file, _)| file).collect();
    listed.sort();
    assert_eq!(files, listed);
    assert!(files.len() >= 60);
}

/// The text of an answer by exploration, and the same evidence shown again.
#[test]
fn an_exploration_is_told_and_explained() {
    let place = tempfile::tempdir().unwrap();
    let evidence = place.path().join("evidence.json");
    let name = evidence.to_str().unwrap();
    let run = throng(&["check", "count-atomic.c", "-q", "--engine", "explore", "--evidence", name]);
    assert_eq!(run.last_line(), "verdict: safe", "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("of at most 3 threads were explored"), "{}", run.stdout);
    let run = throng(&["explain", name, "count-atomic.c"]);
    assert!(run.stdout.contains("of at most 3 threads were explored"), "{}{}", run.stdout, run.stderr);
    let run = throng(&["replay", name, "count-atomic.c"]);
    assert!(run.stderr.contains("throng explain"), "{}", run.stderr);
}

/// With a bound on threads the answer says that it is about so many.
#[test]
fn an_answer_about_few_threads_says_so() {
    let place = tempfile::tempdir().unwrap();
    let text = "void reach_error(void); typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
_Atomic int x; void *f(void *p) { if (x++ == 5) reach_error(); return p; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, f, 0); }";
    let file = place.path().join("many.c");
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let run = throng(&["check", file, "-q", "--threads", "3"]);
    assert_eq!(run.last_line(), "verdict: safe", "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("safe with at most 3 threads"), "{}", run.stdout);
    let run = throng(&["check", file, "-q", "--threads", "3", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(told["evidence"]["threads_at_most"], 3, "{told}");
    let run = throng(&["check", file, "-q", "--timeout", "60s"]);
    assert_eq!(run.last_line(), "verdict: unsafe", "{}{}", run.stdout, run.stderr);
}
