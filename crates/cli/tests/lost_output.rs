//! Results that cannot be written: a full disk or a reader who has gone away is exit code 1, for every command.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use std::fs::File;
use std::process::Stdio;

const WRONG: &str = "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 0); return 0; }\n";
const RIGHT: &str = "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 1); return 0; }\n";

fn place() -> Place {
    let place = Place::new();
    place.write("wrong.c", WRONG);
    place.write("right.c", RIGHT);
    place.write("a.bp", "decl x;\nvoid main() begin x := 1; assert(x); end\n");
    std::fs::create_dir(place.path("models")).unwrap();
    place.write("models/mutex.tts", common::MUTEX);
    place.write("models/mutex.prop", "1|1,1\n");
    assert_eq!(place.run(&["check", "wrong.c", "--evidence", "trace.json"]).code, Some(10));
    assert_eq!(place.run(&["check", "right.c", "--evidence", "proof.json"]).code, Some(0));
    place
}

/// Everything that is printed, whatever the exit code is otherwise.
const PRINTING: [&[&str]; 20] = [
    &["check", "mutex.tts"],
    &["check", "mutex.tts", "--format", "json"],
    &["check", "broken.tts"],
    &["check", "right.c"],
    &["check", "wrong.c"],
    &["check", "right.c", "--list-unsupported"],
    &["check", "endless.spec", "--timeout", "300ms"],
    &["cover", "mutex.tts"],
    &["reach", "mutex.tts"],
    &["reach", "a.bp"],
    &["cutoff", "mutex.tts"],
    &["convert", "mutex.tts", "-", "--to", "spec"],
    &["graph", "mutex.tts"],
    &["replay", "trace.json", "wrong.c"],
    &["explain", "proof.json", "right.c"],
    &["explain", "E0701"],
    &["bench", "models", "--engines", "backward", "--quiet"],
    &["completions", "bash"],
    &["man", "check"],
    &["--help"],
];

#[test]
fn a_full_disk_is_exit_code_1() {
    let place = place();
    for arguments in PRINTING {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let run = Run::from(place.command(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap());
        assert_eq!(run.code, Some(1), "{arguments:?}: {run:?}");
        assert!(run.stderr.contains("the result cannot be written"), "{arguments:?}: {run:?}");
    }
}

#[test]
fn a_reader_who_has_gone_away_is_exit_code_1() {
    let place = place();
    for arguments in PRINTING {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run = Run::from(place.command(arguments).stdout(writer).stderr(Stdio::piped()).output().unwrap());
        assert_eq!(run.code, Some(1), "{arguments:?}: {run:?}");
    }
}

#[test]
fn remarks_that_nobody_reads_change_nothing() {
    let place = place();
    for (arguments, code) in [(&["check", "mutex.tts", "--verbose"][..], 0), (&["check", "none.tts"], 2)] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let run = Run::from(place.command(arguments).stdout(Stdio::piped()).stderr(full).output().unwrap());
        assert_eq!(run.code, Some(code), "{arguments:?}: {run:?}");
    }
}

#[test]
fn files_that_cannot_be_written_are_exit_code_1() {
    let place = place();
    for (arguments, says_verdict) in [
        (&["check", "mutex.tts", "--evidence", "/dev/full"][..], true),
        (&["check", "wrong.c", "--evidence", "/dev/full"], true),
        (&["check", "right.c", "--save-predicates", "/dev/full"], true),
        (&["convert", "mutex.tts", "/dev/full", "--to", "spec"], false),
        (&["graph", "mutex.tts", "-o", "/dev/full"], false),
        (&["bench", "models", "--engines", "backward", "--quiet", "--csv", "/dev/full"], false),
        (&["bench", "models", "--engines", "backward", "--quiet", "--svg", "/dev/full"], false),
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, Some(1), "{arguments:?}: {run:?}");
        assert!(run.stderr.contains("/dev/full"), "{arguments:?}: {run:?}");
        assert_eq!(run.last_line().starts_with("verdict: "), says_verdict, "{arguments:?}: {run:?}");
    }
}
