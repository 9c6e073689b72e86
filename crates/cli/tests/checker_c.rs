//! The command `throng-check` on C programs: evidence in a file, and options that are not those of the evidence.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

use assert_cmd::Command;

const PROGRAM: &str = "typedef unsigned long pthread_t; int pthread_create(pthread_t *, void *, void *(*)(void *), void *); \
    void reach_error(void); unsigned char x; \
    void *worker(void *arg) { if (x == 1) reach_error(); x = 2; return arg; } \
    int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }";

/// `x == 1` never has this value.
fn evidence(value: bool) -> String {
    let literal = if value { "p0" } else { "!p0" };
    let body = format!(
        r#"{{"options":[],"predicates":[{{"text":"x == 1"}}],"elements":[{{"threads":[],"literals":["{literal}"]}}]}}"#
    );
    format!(
        r#"{{"format":"throng-evidence","version":1,"verdict":"safe","kind":"invariant","invariant":{body}}}"#
    )
}

#[test]
fn the_command_checks_documents() {
    let directory = tempfile::tempdir().unwrap();
    let (source, file) = (directory.path().join("a.c"), directory.path().join("a.json"));
    std::fs::write(&source, PROGRAM).unwrap();
    for (value, code, words) in [
        (true, 0, "accepted: safe (invariant: 1 element, 1 predicate)\n"),
        (false, 1, "rejected: element 0: it describes the state at the start (condition proof-initial)\n"),
    ] {
        std::fs::write(&file, evidence(value)).unwrap();
        let command = || Command::new(env!("CARGO_BIN_EXE_throng-check"));
        command().arg(&source).arg(&file).assert().code(code).stdout(words).stderr("");
        // What else the program may be read as has to be asked for again, and somebody who forgets that is told.
        let note = "note: when the evidence was made, the program was read without options; now it is read with `--ilp32` `-DX`\n";
        command().args(["--ilp32", "-DX", "-I."]).arg(&source).arg(&file).assert().code(code).stderr(note);
    }
}
