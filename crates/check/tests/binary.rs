//! The command `throng-check`: exit codes and messages.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

mod common;

use assert_cmd::Command;
use common::MUTEX_ELEMENTS;
use std::path::PathBuf;
use tempfile::TempDir;

/// A lock in the format of bfc: shared states 0 free, 1 held; locals 0 out, 1 in. Two are never in.
const MUTEX: &str = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";

struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> Self {
        let files = Self { folder: tempfile::tempdir().unwrap() };
        files.write("mutex.tts", MUTEX);
        files.write("mutex.prop", "1|1,1\n");
        files
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Runs the checker in the folder: exit code, stdout and stderr.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng-check"));
        let output = command.current_dir(self.folder.path()).args(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

fn evidence(elements: &str) -> String {
    let elements = elements.replace("free", "0").replace("held", "1").replace("in", "1");
    format!(
        r#"{{"format":"throng-evidence","version":1,"verdict":"safe","kind":"proof","proof":{{"elements":{elements}}}}}"#
    )
}

#[test]
fn right_evidence_is_accepted() {
    let files = Files::new();
    files.write("good.json", &evidence(MUTEX_ELEMENTS));
    let (code, stdout, stderr) = files.run(&["mutex.tts", "good.json"]);
    assert_eq!((code, stdout.as_str()), (0, "accepted: safe (proof: 2 elements, 0 cuts)\n"), "{stderr}");
}

#[test]
fn wrong_evidence_is_rejected_with_the_violated_condition() {
    let files = Files::new();
    files.write("bad.json", &evidence(r#"[{"shared":"held","threads":[["in",2]]}]"#));
    let (code, stdout, _) = files.run(&["mutex.tts", "bad.json"]);
    assert_eq!(code, 1);
    assert!(stdout.starts_with("rejected: element 1:"), "{stdout}");
    assert!(stdout.contains("`0|0,1`") && stdout.contains("(condition proof-predecessor)"), "{stdout}");
}

#[test]
fn the_question_is_part_of_what_is_checked() {
    let files = Files::new();
    files.write("good.json", &evidence(MUTEX_ELEMENTS));
    let (code, stdout, _) = files.run(&["mutex.tts", "--target", "1|1", "good.json"]);
    assert!(code == 1 && stdout.contains("proof-target"), "{code}: {stdout}");
    let (code, stdout, _) = files.run(&["mutex.tts", "--init", "1/1", "good.json"]);
    assert!(code == 1 && stdout.contains("proof-initial"), "{code}: {stdout}");
    let (code, _, stderr) = files.run(&["mutex.tts", "--init", "0|0", "--target", "0|1", "good.json"]);
    assert_eq!(code, 0, "{stderr}");
}

#[test]
fn what_cannot_be_read_is_neither_accepted_nor_rejected() {
    let files = Files::new();
    files.write("good.json", &evidence(MUTEX_ELEMENTS));
    files.write("broken.json", "{\"format\":");
    files.write("broken.tts", "2 2\n0 0 => 1 1\n");
    let (code, stdout, stderr) = files.run(&["mutex.tts", "broken.json"]);
    assert!(code == 2 && stdout.is_empty() && stderr.contains("broken.json"), "{code}: {stdout}{stderr}");
    for arguments in [
        &["mutex.tts", "missing.json"][..],
        &["missing.tts", "good.json"],
        &["broken.tts", "--target", "1|1,1", "good.json"],
        &["mutex.tts"],
        &["mutex.tts", "good.json", "--input-format", "xyz"],
        &["mutex.tts", "good.json", "--unknown"],
    ] {
        let (code, stdout, stderr) = files.run(arguments);
        assert!(
            code == 2 && stdout.is_empty() && !stderr.is_empty(),
            "{arguments:?}: {code} {stdout}{stderr}"
        );
    }
}

#[test]
fn help_has_examples_and_exit_codes() {
    let (code, stdout, _) = Files::new().run(&["--help"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("EXAMPLES") && stdout.contains("EXIT CODES"), "{stdout}");
}
