//! `throng` as scripts see it: verdicts, exit codes, streams and files.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Only one thread at a time is in local state 1.
const MUTEX: &str = "2 2\n# take and release\n0 0 -> 1 1\n1 1 -> 0 0\n";
/// Looking at the lock and taking it are two steps.
const BROKEN: &str = "2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 2\n1 2 -> 0 0\n";
/// Backward search meets all ways to spread 4000 tokens over 8 places before it could end.
const ENDLESS: &str = "vars a b c d e f g h\nrules\n\
    a >= 1 -> a' = a - 1, b' = b + 1;\nc >= 1 -> c' = c - 1, d' = d + 1;\n\
    e >= 1 -> e' = e - 1, f' = f + 1;\ng >= 1 -> g' = g - 1, h' = h + 1;\n\
    init a = 1, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0\n\
    target b >= 1000, d >= 1000, f >= 1000, h >= 1000\n";

struct Place {
    directory: TempDir,
}

impl Place {
    /// A directory with the models above.
    fn new() -> Self {
        let place = Self { directory: TempDir::new().unwrap() };
        place.write("mutex.tts", MUTEX);
        place.write("mutex.prop", "1|1,1\n");
        place.write("broken.tts", BROKEN);
        place.write("broken.prop", "1|2,2\n");
        place.write("endless.spec", ENDLESS);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.args(arguments).current_dir(self.directory.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        Run::from(self.command(arguments).output().unwrap())
    }
}

#[derive(Debug)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Run {
    fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}

#[test]
fn verdicts_have_their_words_and_exit_codes() {
    let place = Place::new();
    for (arguments, code, last) in [
        (&["check", "mutex.tts"][..], 0, "verdict: safe"),
        (&["check", "broken.tts"], 10, "verdict: unsafe"),
        (&["check", "mutex.tts", "--no-check"], 0, "verdict: safe (unchecked)"),
        (&["check", "mutex.tts", "--target", "1|1"], 10, "verdict: unsafe"),
        (&["check", "broken.tts", "--init", "0|0"], 0, "verdict: safe"),
    ] {
        let run = place.run(arguments);
        assert_eq!((run.code, run.last_line()), (Some(code), last), "{arguments:?}: {run:?}");
        assert_eq!(run.stderr, "", "{arguments:?}");
    }
}

#[test]
fn the_interleaving_is_a_table_with_a_column_per_thread() {
    let run = Place::new().run(&["check", "broken.tts"]);
    assert!(run.stdout.contains("step  rule    shared  thread 1  thread 2\n"), "{}", run.stdout);
    assert!(run.stdout.contains("threads 1 and 2 are in 2"), "{}", run.stdout);
}

#[test]
fn an_error_points_at_the_spot_and_exits_with_2() {
    let place = Place::new();
    place.write("wrong.tts", "2 3\n0 0 => 1 1\n");
    let run = place.run(&["check", "wrong.tts", "--target", "0|0"]);
    assert_eq!((run.code, &*run.stdout), (Some(2), ""));
    assert!(run.stderr.contains("--> wrong.tts:2:5\n"), "{}", run.stderr);
    assert!(run.stderr.contains("2 | 0 0 => 1 1\n  |     ^"), "{}", run.stderr);
    let coloured = place.run(&["check", "wrong.tts", "--target", "0|0", "--color", "always"]);
    assert!(coloured.stderr.contains("\x1b[") && !run.stderr.contains("\x1b["));
}

#[test]
fn inputs_that_are_missing_or_of_unknown_kind_are_refused() {
    let place = Place::new();
    place.write("model.xyz", "");
    for (file, word) in [("missing.tts", "missing.tts"), ("model.xyz", "--input-format")] {
        let run = place.run(&["check", file]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(word), "{run:?}");
    }
}

#[test]
fn wrong_usage_exits_with_1_and_help_with_0() {
    let place = Place::new();
    for arguments in [
        &[][..],
        &["check"],
        &["frobnicate"],
        &["check", "mutex.tts", "--timeout", "soon"],
        &["check", "mutex.tts", "--memory", "4 elephants"],
        &["check", "mutex.tts", "--engine", "magic"],
        &["check", "mutex.tts", "--jobs", "0"],
        &["check", "mutex.tts", "--evidence", "no/such/directory/e.json"],
        &["convert", "mutex.tts", "-"],
        &["convert", "mutex.tts", "mutex.xyz"],
        &["man", "nothing"],
    ] {
        let run = place.run(arguments);
        assert_eq!((run.code, &*run.stdout), (Some(1), ""), "{arguments:?}: {run:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
    for arguments in [&["--help"][..], &["--version"], &["help", "check"]] {
        assert_eq!(place.run(arguments).code, Some(0), "{arguments:?}");
    }
}

#[test]
fn every_command_explains_itself_with_examples() {
    let place = Place::new();
    for command in ["check", "convert", "graph", "completions", "man"] {
        let help = place.run(&[command, "--help"]);
        assert_eq!(help.code, Some(0));
        assert!(help.stdout.contains("\nEXAMPLES\n  throng "), "{command}: {}", help.stdout);
        let page = place.run(&["man", command]);
        assert!(page.code == Some(0) && page.stdout.contains(&format!("throng\\-{command}")), "{page:?}");
    }
    assert!(place.run(&["man"]).stdout.starts_with(".ie"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.run(&["completions", shell]);
        assert!(script.code == Some(0) && script.stdout.contains("mist-semantics"), "{shell}");
    }
    std::fs::create_dir(place.path("man1")).unwrap();
    assert_eq!(place.run(&["man", "--dir", "man1"]).code, Some(0));
    let page = place.read("man1/throng-check.1");
    assert!(page.contains(".SH \"EXAMPLES\"") && page.contains(".SH \"EXIT CODES\""), "{page}");
}

#[test]
fn reductions_are_counted_can_be_left_out_and_keep_verdicts() {
    let place = Place::new();
    // The first rule has a twin; what happens after shared state 1 does not matter.
    for (target, code) in [("1|2,2", 10), ("1|1,2,2,3", 0)] {
        place.write(
            "large.tts",
            "3 4\n0 0 -> 0 1\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 2\n1 2 -> 2 3\n2 3 -> 2 0\n",
        );
        let arguments = ["check", "large.tts", "--target", target, "--format", "json"];
        let reduced = place.run(&arguments);
        let plain = place.run(&[&arguments[..], &["--no-reduce"]].concat());
        assert_eq!((reduced.code, plain.code), (Some(code), Some(code)), "{reduced:?} {plain:?}");
        let statistics = |run: &Run| {
            let result: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
            result["statistics"].clone()
        };
        assert!(statistics(&reduced)["reduced_irrelevant_rules"].as_u64() > Some(0), "{reduced:?}");
        assert!(statistics(&plain)["reduced_irrelevant_rules"].is_null(), "{plain:?}");
    }
}

#[test]
fn a_time_limit_ends_as_unknown_with_statistics() {
    let place = Place::new();
    let started = Instant::now();
    let run = place.run(&["check", "endless.spec", "--timeout", "500ms", "--evidence", "e.json"]);
    assert_eq!((run.code, run.last_line()), (Some(5), "verdict: unknown(timeout)"), "{run:?}");
    assert!(run.stdout.contains("elements"), "{}", run.stdout);
    assert!(started.elapsed() < Duration::from_secs(20));
    assert!(!place.path("e.json").exists());
}

#[test]
fn a_memory_limit_ends_as_unknown() {
    let run = Place::new().run(&["check", "endless.spec", "--memory", "1MiB", "--timeout", "60s"]);
    assert_eq!((run.code, run.last_line()), (Some(5), "verdict: unknown(memory)"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_as_unknown_with_statistics() {
    let place = Place::new();
    let mut command = place.command(&["check", "endless.spec", "--timeout", "60s"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.last_line()), (Some(5), "verdict: unknown(interrupted)"), "{run:?}");
    assert!(run.stdout.contains("elements"), "{}", run.stdout);
}

/// A pipe that nobody writes to: whoever reads it waits for ever.
#[cfg(unix)]
fn endless_input(place: &Place) {
    assert!(Command::new("mkfifo").arg(place.path("pipe.pnml")).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_time_limit_holds_while_the_input_is_read() {
    let place = Place::new();
    endless_input(&place);
    for arguments in [
        &["check", "pipe.pnml", "--target", "p"][..],
        &["convert", "pipe.pnml", "out.spec"],
        &["graph", "pipe.pnml", "-o", "out.dot"],
        &["graph", "pipe.pnml", "--what", "proof", "-o", "out.dot"],
        &["graph", "pipe.pnml", "--what", "proof", "--evidence", "e.json", "-o", "out.dot"],
    ] {
        let started = Instant::now();
        let run = place.run(&[arguments, &["--timeout", "200ms"]].concat());
        assert_eq!(run.code, Some(5), "{arguments:?}: {run:?}");
        assert!(started.elapsed() < Duration::from_secs(10), "{arguments:?}");
        let text = format!("{}{}", run.stdout, run.stderr);
        assert!(text.contains("the time limit was reached while the input was read"), "{text}");
        assert!(!place.path("out.spec").exists() && !place.path("out.dot").exists());
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_command_that_reads() {
    let place = Place::new();
    endless_input(&place);
    for arguments in [&["check", "pipe.pnml"][..], &["convert", "pipe.pnml", "out.spec"]] {
        let mut command = place.command(arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs(1));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let run = Run::from(child.wait_with_output().unwrap());
        let text = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.code, Some(5), "{text}");
        assert!(text.contains("the run was interrupted while the input was read"), "{text}");
    }
}

#[test]
fn the_verdict_is_the_last_line_whatever_is_asked_for() {
    let place = Place::new();
    for file in ["mutex.tts", "broken.tts"] {
        for flags in [&["-v"][..], &["-v", "--property-name", "x"], &["-q", "--evidence", "e.json", "-v"]] {
            let run = place.run(&[&["check", file], flags].concat());
            assert!(run.last_line().starts_with("verdict: "), "{run:?}");
            assert!(run.stdout.ends_with('\n'));
        }
    }
}

#[test]
fn the_commands_that_a_result_proposes_work() {
    let place = Place::new();
    for target in ["1|1", "1|1,1"] {
        let run = place.run(&["check", "mutex.tts", "--target", target, "--evidence", "my e.json"]);
        let draw = run.stdout.lines().find_map(|line| line.trim().strip_prefix("draw it:")).unwrap();
        assert!(draw.contains(&format!("--target '{target}'")), "{draw}");
        // What a shell makes of it, for words without blanks in quotes but the one file name.
        let words = draw.replace("'my e.json'", "my\u{a0}e.json").replace('\'', "");
        let words: Vec<String> =
            words.split_ascii_whitespace().skip(1).map(|word| word.replace('\u{a0}', " ")).collect();
        let words: Vec<&str> = words.iter().map(|word| &**word).collect();
        assert_eq!(place.run(&words).code, Some(0), "{words:?}");
    }
}

fn schema(name: &str) -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas").join(name);
    let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn json_results_fit_the_schema() {
    let place = Place::new();
    let schema = schema("result-v1.schema.json");
    for (arguments, verdict) in [
        (&["mutex.tts"][..], "safe"),
        (&["broken.tts", "-v"], "unsafe"),
        (&["broken.tts", "--no-check", "--evidence", "e.json"], "unsafe"),
        (&["endless.spec", "--timeout", "300ms"], "unknown"),
        (&["mutex.tts", "--property-name", "none", "--mist-semantics"], "safe"),
    ] {
        let arguments = [&["check", "--format", "json"], arguments].concat();
        let run = place.run(&arguments);
        let result: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(schema.is_valid(&result), "{:?}", schema.iter_errors(&result).next().map(|e| e.to_string()));
        assert_eq!(result["verdict"], verdict);
        let warned = result["warnings"].as_array().is_some_and(|warnings| warnings.len() == 2);
        assert_eq!(warned, arguments.contains(&"--mist-semantics"), "{result:#}");
        let has_cost = arguments.contains(&"-v");
        assert_eq!(result.get("cost").is_some(), has_cost);
    }
}

#[test]
fn evidence_is_written_whole_and_fits_its_schema() {
    let place = Place::new();
    let schema = schema("evidence-v1.schema.json");
    for (file, kind) in [("mutex.tts", "proof"), ("broken.tts", "trace")] {
        let run = place.run(&["check", file, "--evidence", "e.json"]);
        assert!(run.stdout.contains("It is in e.json"), "{}", run.stdout);
        let evidence: serde_json::Value = serde_json::from_str(&place.read("e.json")).unwrap();
        assert!(schema.is_valid(&evidence), "{evidence:#}");
        assert_eq!(evidence["kind"], kind);
    }
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let place = Place::new();
    for format in ["text", "json"] {
        for file in ["mutex.tts", "broken.tts"] {
            let arguments =
                ["check", file, "--jobs", "1", "--seed", "7", "--format", format, "--evidence", "e.json"];
            let (first, evidence) = (place.run(&arguments), place.read("e.json"));
            assert_eq!(first.stdout, place.run(&arguments).stdout);
            assert_eq!(evidence, place.read("e.json"));
        }
    }
}

#[test]
fn a_conversion_keeps_the_verdict_and_overwrites_nothing() {
    let place = Place::new();
    for (file, code) in [("mutex", 0), ("broken", 10)] {
        let (from, to) = (format!("{file}.tts"), format!("{file}.spec"));
        let run = place.run(&["convert", &from, &to]);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_eq!(place.run(&["check", &to]).code, Some(code));
        let again = place.run(&["convert", &from, &to]);
        assert!(again.code == Some(1) && again.stderr.contains("--force"), "{again:?}");
        assert_eq!(place.run(&["convert", &from, &to, "--force"]).code, Some(0));
        let printed = place.run(&["convert", &from, "-", "--to", "spec"]);
        assert_eq!((printed.code, printed.stdout), (Some(0), place.read(&to)));
    }
}

#[test]
fn graphs_are_drawn_of_systems_proofs_and_traces() {
    let place = Place::new();
    place.run(&["check", "mutex.tts", "--evidence", "e.json"]);
    for arguments in [
        &["mutex.tts"][..],
        &["mutex.tts", "--what", "proof"],
        &["mutex.tts", "--what", "proof", "--evidence", "e.json"],
        &["broken.tts", "--what", "trace"],
    ] {
        let run = place.run(&[&["graph"], arguments].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stdout.starts_with("digraph ") && run.stdout.ends_with("}\n"), "{}", run.stdout);
    }
    let file = place.run(&["graph", "mutex.tts", "-o", "mutex.dot"]);
    assert_eq!((file.code, &*file.stdout), (Some(0), ""));
    assert!(place.read("mutex.dot").contains("\"0|0\" -> \"1|1\""));
    for (arguments, word) in [
        (&["mutex.tts", "--what", "trace"][..], "--what proof"),
        (&["broken.tts", "--what", "proof"], "--what trace"),
        (&["broken.tts", "--what", "proof", "--evidence", "e.json"], "no evidence"),
        (&["mutex.tts", "--what", "proof", "--evidence", "mutex.tts"], "mutex.tts"),
    ] {
        let run = place.run(&[&["graph"], arguments].concat());
        assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains(word), "{run:?}");
    }
}
