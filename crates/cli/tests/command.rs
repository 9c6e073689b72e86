//! `throng` as scripts see it: verdicts, exit codes, streams and files.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use std::path::Path;

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

/// A proof can be minimal only if every smaller element may be tried.
#[test]
fn minimal_proofs_are_refused_where_they_cannot_be_had() {
    let place = Place::new();
    for (flags, message) in [
        (&["--engine", "backward"][..], "`--minimal` needs an engine that widens"),
        (&["--engine", "karp-miller"], "`--minimal` needs an engine that widens"),
        (&["--candidate-threads", "2"], "`--minimal` needs candidates of any size"),
        (&["--no-widen"], "'--minimal' cannot be used with '--no-widen'"),
    ] {
        let run = place.run(&[&["check", "mutex.tts", "--minimal"], flags].concat());
        assert_eq!((run.code, &*run.stdout), (Some(1), ""), "{flags:?}: {run:?}");
        assert!(run.stderr.contains(message), "{flags:?}: {run:?}");
    }
    let allowed = place.run(&["check", "mutex.tts", "--minimal", "--candidate-threads", "all"]);
    assert_eq!((allowed.code, allowed.last_line()), (Some(0), "verdict: safe"), "{allowed:?}");
}

#[test]
fn every_command_explains_itself_with_examples() {
    let place = Place::new();
    for command in ["check", "convert", "graph", "doctor", "completions", "man"] {
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

/// Engines with several threads would take turns as the machine likes; with one they may not.
#[test]
fn the_same_run_on_one_thread_gives_the_same_bytes() {
    let place = Place::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for engine in ["widen", "widen-pessimistic", "karp-miller", "backward"] {
        for format in ["text", "json"] {
            for (file, code) in [("rwlock.lola", 0), ("barrier.tts", 10)] {
                let file = examples.join(file);
                let arguments = ["check", file.to_str().unwrap(), "--engine", engine, "--jobs", "1"];
                let outputs = ["--seed", "7", "--format", format, "--evidence", "e.json"];
                let arguments = [&arguments[..], &outputs].concat();
                let (first, evidence) = (place.run(&arguments), place.read("e.json"));
                assert_eq!(first.code, Some(code), "{first:?}");
                std::fs::remove_file(place.path("e.json")).unwrap();
                assert_eq!(first.stdout, place.run(&arguments).stdout, "{arguments:?}");
                assert_eq!(evidence, place.read("e.json"), "{arguments:?}");
            }
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

#[test]
fn the_doctor_finds_that_throng_works() {
    let place = Place::new();
    let doctor = place.run(&["doctor"]);
    assert_eq!(doctor.code, Some(0), "{doctor:?}");
    assert!(doctor.stdout.starts_with(&format!("throng {}", env!("CARGO_PKG_VERSION"))), "{doctor:?}");
    assert_eq!(doctor.stdout.matches("proved for any number of threads").count(), 2, "{doctor:?}");
    assert!(doctor.stdout.contains("C compiler"), "{doctor:?}");
}
