//! `throng-check` within limits, and results that cannot be written.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SYSTEM: &str = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";
/// Only one thread at a time is in local state 1.
const EVIDENCE: &str = r#"{"format":"throng-evidence","version":1,"verdict":"safe","kind":"proof","proof":{
    "cuts":[{"shared":[["0",1]],"locals":[["1",1]],"bound":1}],"traps":[],"elements":[]}}"#;

fn place() -> TempDir {
    let place = TempDir::new().unwrap();
    std::fs::write(place.path().join("a.tts"), SYSTEM).unwrap();
    std::fs::write(place.path().join("e.json"), EVIDENCE).unwrap();
    std::fs::write(place.path().join("a.c"), "int main(void) { return 0; }\n").unwrap();
    place
}

fn command(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng-check"));
    command.args(arguments).current_dir(place).stdin(Stdio::null());
    command
}

fn run(place: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command(place, arguments).output().unwrap();
    (status.code(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

#[test]
fn a_time_limit_is_neither_accepted_nor_rejected() {
    let place = place();
    assert!(Command::new("mkfifo").arg(place.path().join("pipe.tts")).status().unwrap().success());
    let started = Instant::now();
    let (code, text) = run(place.path(), &["pipe.tts", "e.json", "--timeout", "300ms"]);
    assert_eq!(code, Some(5), "{text}");
    assert!(text.contains("the time limit was reached") && text.contains("neither"), "{text}");
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_memory_limit_is_neither_accepted_nor_rejected() {
    let place = place();
    let (code, text) = run(place.path(), &["a.tts", "/dev/zero", "--target", "1|1,1", "--memory", "100MiB"]);
    assert_eq!(code, Some(5), "{text}");
    assert!(text.contains("the memory limit was reached"), "{text}");
    std::fs::write(place.path().join("big.tts"), SYSTEM.replacen("2 2", "4294967294 4294967294", 1)).unwrap();
    let (code, text) = run(place.path(), &["big.tts", "e.json", "--target", "1|1,1", "--memory", "100MiB"]);
    assert_eq!(code, Some(5), "{text}");
}

#[test]
fn a_compiler_has_the_same_limits() {
    let place = place();
    std::fs::write(place.path().join("slow.sh"), "sleep 1000\n").unwrap();
    let mut command = command(place.path(), &["a.c", "e.json", "--timeout", "2s"]);
    let output = command.env("CC", "sh slow.sh").output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{output:?}");
}

#[test]
fn a_result_that_cannot_be_written_is_no_acceptance() {
    let place = place();
    for (arguments, code) in [
        (&["a.tts", "e.json", "--target", "1|1,1"][..], 0),
        (&["a.tts", "e.json", "--target", "1|1"], 1),
        (&["--help"], 0),
        (&["--version"], 0),
    ] {
        let (found, text) = run(place.path(), arguments);
        assert_eq!(found, Some(code), "{text}");
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(place.path(), arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"), "{output:?}");
    }
}
