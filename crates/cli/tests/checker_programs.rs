//! The command `throng-check` on Boolean programs: questions, exit codes and messages.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

use assert_cmd::Command;
use tempfile::TempDir;

/// With two threads the assertion can fail; with one it cannot if it runs alone.
const PROGRAM: &str = "decl x; void main() begin x := 0; HERE: assert(!x); x := 1; end";

struct Files(TempDir);

impl Files {
    fn new() -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        files.write("p.bp", PROGRAM);
        files.write("mutex.tts", "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n");
        files
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    fn evidence(&self, kind: &str, body: &str) {
        let verdict = if kind == "trace" { "unsafe" } else { "safe" };
        let head = r#""format":"throng-evidence","version":1"#;
        self.write("e.json", &format!(r#"{{{head},"verdict":"{verdict}","kind":"{kind}","{kind}":{body}}}"#));
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng-check"));
        let output = command.current_dir(self.0.path()).args(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

const PROOF: &str = r#"{"elements":[{"threads":[[{"at":"error"},1]]},
    {"shared":{"where":{"x":true}},"threads":[[{"at":"main:1"},1]]},
    {"threads":[[{"at":"main:2"},1],[{"at":"main:1"},1]]},{"threads":[[{"at":"main:2"},1],[{"at":"main:0"},1]]},
    {"threads":[[{"at":"main:1"},2]]},{"threads":[[{"at":"main:1"},1],[{"at":"main:0"},1]]},
    {"threads":[[{"at":"main:0"},2]]}]}"#;

#[test]
fn how_many_threads_start_is_part_of_the_question() {
    let files = Files::new();
    files.evidence("proof", PROOF);
    let accepted = "accepted: safe (proof: 7 elements, 0 cuts)\n";
    for one in [&["--threads", "1"][..], &["--init-threads", "1"], &["--init-threads", "one"]] {
        let (code, stdout, stderr) = files.run(&[&["p.bp", "e.json"], one].concat());
        assert_eq!((code, stdout.as_str()), (0, accepted), "{stderr}");
    }
    // This program starts no threads, so any number of them run it.
    for any in [&[][..], &["--init-threads", "any"], &["--threads", "2"], &["--init-threads", "4294967294"]] {
        let (code, stdout, _) = files.run(&[&["p.bp", "e.json"], any].concat());
        assert!(code == 1 && stdout.contains("(condition proof-initial)"), "{any:?}: {code} {stdout}");
    }
    let both = ["p.bp", "e.json", "--threads", "1", "--init-threads", "2"];
    let (code, _, stderr) = files.run(&both);
    assert!(code == 2 && stderr.contains("error[E0523]"), "{stderr}");
    let (code, _, _) = files.run(&["p.bp", "e.json", "--threads", "1", "--init-threads", "one"]);
    assert_eq!(code, 0);
    for wrong in ["none", "-1", "4294967295", "1.5", ""] {
        let (code, _, stderr) = files.run(&["p.bp", "e.json", "--init-threads", wrong]);
        assert!(code == 2 && !stderr.is_empty(), "{wrong}: {stderr}");
    }
}

#[test]
fn a_label_can_be_asked_for() {
    let files = Files::new();
    let thread = r#"{"at":"main:0"}"#;
    let trace = format!(
        r#"{{"initial":{{"shared":{{"where":{{"x":true}}}},"threads":[[{thread},1]]}},"items":[
        {{"rule":"","act":{{"thread":{thread},"to":{{"at":"main:1"}},"shared":{{"where":{{"x":false}}}}}}}}]}}"#
    );
    files.evidence("trace", &trace);
    let (code, stdout, stderr) = files.run(&["p.bp", "--label", "HERE", "e.json"]);
    assert_eq!((code, stdout.as_str()), (0, "accepted: unsafe (trace: 1 thread, 1 step)\n"), "{stderr}");
    let (code, stdout, _) = files.run(&["p.bp", "e.json"]);
    assert!(code == 1 && stdout.contains("trace-target"), "{stdout}");
    let (code, stdout, stderr) = files.run(&["p.bp", "e.json", "--label", "HER", "--label", "nowhere"]);
    assert!(code == 2 && stdout.is_empty(), "{stdout}");
    assert!(stderr.contains("error[E0520]") && stderr.contains("a close name is `HERE`"), "{stderr}");
    assert_eq!(stderr.matches("error[").count(), 2, "{stderr}");
}

#[test]
fn inputs_are_programs_by_their_name_or_on_request() {
    let files = Files::new();
    files.evidence("proof", PROOF);
    for name in ["p.nbp", "p.BP", "p.txt", "p.tts"] {
        files.write(name, PROGRAM);
    }
    for name in ["p.nbp", "p.BP"] {
        assert_eq!(files.run(&[name, "--threads", "1", "e.json"]).0, 0, "{name}");
    }
    for name in ["p.txt", "p.tts"] {
        assert_eq!(files.run(&[name, "--threads", "1", "e.json"]).0, 2, "{name}");
        let request = [name, "--threads", "1", "e.json", "--input-format", "bp"];
        assert_eq!(files.run(&request).0, 0, "{name}");
    }
    let (code, _, stderr) = files.run(&["p.bp", "--threads", "1", "e.json", "--input-format", "tts"]);
    assert!(code == 2 && !stderr.is_empty());
}

#[test]
fn flags_of_the_other_kind_of_input_are_refused() {
    let files = Files::new();
    files.evidence("proof", PROOF);
    for flags in [
        &["--init", "0|0"][..],
        &["--target", "0|0"],
        &["--property", "p.prop"],
        &["--property-name", "p"],
        &["--mist-semantics"],
    ] {
        let (code, stdout, stderr) = files.run(&[&["p.bp", "e.json"], flags].concat());
        assert!(code == 2 && stdout.is_empty() && stderr.contains("error[E0521]"), "{flags:?}: {stderr}");
        assert!(stderr.contains(&format!("`{}`", flags[0])), "{flags:?}: {stderr}");
    }
    for flags in [["--label", "L"], ["--init-threads", "any"]] {
        let arguments = [&["mutex.tts", "e.json", "--target", "1|1,1"][..], &flags].concat();
        let (code, stdout, stderr) = files.run(&arguments);
        assert!(code == 2 && stdout.is_empty() && stderr.contains("error[E0522]"), "{flags:?}: {stderr}");
    }
}

#[test]
fn evidence_about_the_other_kind_of_input_is_rejected() {
    let files = Files::new();
    files.evidence("proof", PROOF);
    let (code, stdout, _) = files.run(&["mutex.tts", "--target", "1|1,1", "e.json"]);
    assert!(code == 1 && stdout.contains("(condition form)"), "{stdout}");
    files.evidence("proof", r#"{"elements":[],"through":["main:0"]}"#);
    let (code, stdout, _) = files.run(&["mutex.tts", "--target", "1|1,1", "e.json"]);
    assert!(code == 1 && stdout.contains("(condition form)"), "{stdout}");
    let act = r##"{"rule":"#1","act":{"thread":{"at":"main:0"}}}"##;
    files
        .evidence("trace", &format!(r#"{{"initial":{{"shared":"0","threads":[["0",1]]}},"items":[{act}]}}"#));
    let (code, stdout, _) = files.run(&["mutex.tts", "--target", "1|1", "e.json"]);
    assert!(code == 1 && stdout.contains("(condition form)"), "{stdout}");
    files.evidence("proof", r#"{"elements":[{"shared":"1","threads":[["1",2]]}]}"#);
    let (code, stdout, _) = files.run(&["p.bp", "e.json"]);
    assert!(code == 1 && stdout.contains("(condition form)"), "{stdout}");
    files.write("broken.bp", "void main() begin x := ; end");
    let (code, stdout, stderr) = files.run(&["broken.bp", "e.json"]);
    assert!(code == 2 && stdout.is_empty() && stderr.starts_with("broken.bp:1:"), "{stderr}");
}
