//! What is safe however many threads there are is safe with `--threads N`, for every kind of input: the same proof is the evidence.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::Run;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.args(["check", "-q"]).args(arguments).current_dir(folder).stdin(Stdio::null());
    Run::from(command.output().unwrap())
}

/// The safe inputs of an index, with their options.
fn safe(folder: &Path) -> Vec<(String, Vec<String>)> {
    let mut reader = csv::Reader::from_path(folder.join("index.csv")).unwrap();
    let headers = reader.headers().unwrap().clone();
    let mut found = Vec::new();
    for record in reader.records().map(Result::unwrap) {
        let field = |name: &str| {
            let place = headers.iter().position(|header| header == name);
            place.map_or("", |place| &record[place]).to_owned()
        };
        if field("expected") == "safe" && field("property").is_empty() {
            found.push((field("file"), field("options").split_whitespace().map(str::to_owned).collect()));
        }
    }
    found
}

/// How many inputs of a folder are proved quickly; all of these have to be proved with few threads.
fn count_proved(folder: &Path, inputs: &[(String, Vec<String>)]) -> usize {
    let mut n_proved = 0;
    let start = Instant::now();
    for (file, options) in inputs {
        // A proof that takes long would make this test slow, and so would a slow machine.
        if start.elapsed() > Duration::from_secs(60) {
            break;
        }
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let asked = Instant::now();
        let run = check(folder, &[&[file, "--timeout", "1s"], &options[..]].concat());
        if run.code != Some(0) || asked.elapsed() > Duration::from_secs(1) {
            continue;
        }
        n_proved += 1;
        for threads in ["1", "2", "3"] {
            let more = [file, "--timeout", "60s", "--threads", threads];
            let run = check(folder, &[&more[..], &options[..]].concat());
            assert_eq!(run.code, Some(0), "{file} with {threads} threads: {run:?}");
        }
    }
    n_proved
}

#[test]
fn c_programs() {
    for folder in [root().join("tests/c"), root().join("examples/c")] {
        let inputs = safe(&folder);
        let n_proved = count_proved(&folder, &inputs);
        assert!(n_proved > 0, "nothing is proved in {}", folder.display());
    }
}

/// A proof that needs predicates about a thread and all others is found by the loop, which has to look at any number.
#[test]
fn a_proof_by_the_loop() {
    let place = common::Place::new();
    let text = "unsigned char turn, next; int inside;\n\
        void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void assert(int);\n\
        void f(void) { unsigned char mine; __VERIFIER_atomic_begin(); mine = next; next = next + 1;\n\
        if (next == 0) while (1); __VERIFIER_atomic_end();\n\
        while (turn != mine); assert(inside == 0); inside = 1; inside = 0; turn = turn + 1; }\n";
    place.write("ticket.c", text);
    let options = ["ticket.c", "--threads-run", "f", "--no-filter", "--timeout", "60s"];
    for more in [&[][..], &["--threads", "2"], &["--threads", "3"]] {
        let arguments = [&["check", "-q"], &options[..], more].concat();
        let run = place.run(&arguments);
        assert_eq!(run.code, Some(0), "{more:?}: {run:?}");
    }
}

/// Any number of threads start in one local state.
#[test]
fn thread_transition_systems() {
    let examples = root().join("examples");
    for file in ["mutex.tts", "condvar.tts", "thread-pool.tts", "double-checked-init.tts"] {
        for threads in [&[][..], &["--threads", "1"], &["--threads", "2"], &["--threads", "3"]] {
            let run = check(&examples, &[&[file], threads].concat());
            assert_eq!(run.code, Some(0), "{file} {threads:?}: {run:?}");
        }
    }
}

/// Any number of threads run `main`.
#[test]
fn boolean_programs() {
    let place = common::Place::new();
    let text = "decl l, in;\nvoid main() begin\n\
        a: atomic begin assume(!l); l := 1; end;\n\
        b: assert(!in); in := 1; in := 0; l := 0; goto a;\nend\n";
    place.write("lock.bp", text);
    for more in [&[][..], &["--threads", "1"], &["--threads", "2"], &["--threads", "3"]] {
        let run = place.run(&[&["check", "-q", "lock.bp"], more].concat());
        assert!(run.code == Some(0) || run.code == Some(10), "{run:?}");
        let any = place.run(&["check", "-q", "lock.bp"]);
        // With values that are arbitrary at the start it may be unsafe, with few threads as with many.
        assert!(any.code != Some(0) || run.code == Some(0), "{more:?}: {run:?}");
    }
}
