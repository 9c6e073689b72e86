//! The command `throng-check`: exit codes and messages.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

use assert_cmd::Command;
use std::path::PathBuf;
use tempfile::TempDir;

/// A lock in the format of bfc: shared states 0 free, 1 held; locals 0 out, 1 in. Two are never in.
const MUTEX: &str = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";

/// Its uncoverable configurations.
const MUTEX_ELEMENTS: &str = r#"[{"shared":"0","threads":[["1",1]]},{"shared":"1","threads":[["1",2]]}]"#;

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
fn every_kind_of_evidence_is_read_and_its_first_violated_condition_named() {
    let files = Files::new();
    let document = |verdict: &str, kind: &str, body: &str| {
        let header =
            format!(r#""format":"throng-evidence","version":1,"verdict":"{verdict}","kind":"{kind}""#);
        files.write("evidence.json", &format!(r#"{{{header},"{kind}":{body}}}"#));
        let (code, stdout, stderr) = files.run(&["mutex.tts", "evidence.json"]);
        assert!(stdout.ends_with('\n') && stderr.is_empty(), "{stdout}{stderr}");
        (code, stdout)
    };
    let cover = r#"{"elements":[{"shared":"0","threads":[["0","omega"]]},
        {"shared":"1","threads":[["0","omega"],["1",1]]}]}"#;
    let cut = r#"{"cuts":[{"shared":[["0",1]],"locals":[["1",1]],"bound":1}],"elements":[]}"#;
    let trace = r##"{"initial":{"shared":"0","threads":[["0",2]]},"items":[{"rule":"#1"}]}"##;
    let accepted = |text: &str| (0, format!("accepted: {text}\n"));
    assert_eq!(document("safe", "cover-set", cover), accepted("safe (cover set: 2 elements)"));
    assert_eq!(document("safe", "proof", cut), accepted("safe (proof: 0 elements, 1 cut)"));
    for (verdict, kind, body, condition) in [
        ("unsafe", "cover-set", cover, "verdict"),
        ("safe", "cover-set", &cover.replace(r#"["1",1]"#, r#"["1",2]"#), "cover-target"),
        ("safe", "cover-set", &cover.replacen("\"omega\"", "4", 1), "cover-initial"),
        ("safe", "proof", &cut.replace(r#""bound":1"#, r#""bound":0"#), "cut-bound"),
        ("safe", "proof", &cut.replace(r#""shared":[["0",1]],"#, ""), "cut-rule"),
        ("unsafe", "trace", trace, "trace-target"),
        ("unsafe", "trace", &trace.replace("#1", "#2"), "trace-enabled"),
        ("unsafe", "trace", &trace.replace("#1", "#01"), "names"),
        ("unsafe", "trace", &trace.replace(r#"["0",2]"#, r#"["1",2]"#), "trace-initial"),
    ] {
        let (code, stdout) = document(verdict, kind, body);
        let named = stdout.ends_with(&format!("(condition {condition})\n"));
        assert!(code == 1 && stdout.starts_with("rejected: ") && named, "{code}: {stdout}");
    }
    files.write("mutex.prop", "1|1\n");
    assert_eq!(document("unsafe", "trace", trace), accepted("unsafe (trace: 2 threads, 1 step)"));
}

#[test]
fn warnings_about_the_input_are_on_stderr() {
    let files = Files::new();
    files.write("good.json", &evidence(MUTEX_ELEMENTS));
    files.write("mutex.init", "0/0\n");
    let (code, stdout, stderr) = files.run(&["mutex.tts", "good.json"]);
    assert_eq!((code, stdout.as_str()), (0, "accepted: safe (proof: 2 elements, 0 cuts)\n"), "{stderr}");
    assert!(stderr.contains("warning[W0121]") && stderr.contains("\n  help: "), "{stderr}");
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
    let (_, _, stderr) = files.run(&["broken.tts", "--target", "1|1,1", "good.json"]);
    assert!(stderr.starts_with("broken.tts:2:5: error[E"), "{stderr}");
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
    for line in ["  0  accepted", "  1  rejected", "  2  unreadable"] {
        assert!(stdout.contains(line), "`{line}` is not in {stdout}");
    }
}
