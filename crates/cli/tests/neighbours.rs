//! What neighbours read and write, and the first five minutes: templates, pages about codes, watching, editors, tasks and witnesses.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::Place;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdout, Stdio};
use std::time::{Duration, Instant};

#[test]
fn a_new_program_has_a_bug_and_says_how_to_mend_it() {
    let place = Place::new();
    let run = place.run(&["new", "lock.c"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(place.run(&["check", "-q", "lock.c", "--timeout", "60s"]).code, Some(10));
    let mended = place.run(&["check", "-q", "lock.c", "-DMENDED", "--timeout", "60s"]);
    assert_eq!(mended.code, Some(0), "{mended:?}");
    assert_eq!(place.run(&["new", "lock.c"]).code, Some(1), "it is there already");
    assert_eq!(place.run(&["new", "lock.c", "--force"]).code, Some(0));
}

#[test]
fn what_is_misspelt_is_suggested() {
    let place = Place::new();
    let run = place.run(&["check", "mutx.tts"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("did you mean `mutex.tts`?"), "{}", run.stderr);
    let run = place.run(&["explain", "E0121"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("did you mean E01"), "{}", run.stderr);
    let run = place.run(&["explain", "e0122"]);
    assert!(run.stdout.starts_with("E0122: there is no target"), "{}", run.stdout);
    let run = place.run(&["check", "mutex.tts", "--evidenze", "x"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("--evidence"), "{}", run.stderr);
}

/// Reaches the error with two threads; no integer overflows.
const TASK: &str = "extern void reach_error(void);\nextern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n\
    static int x;\nstatic void *worker(void *p)\n{\n    x = 1;\n    return p;\n}\nint main(void)\n{\n    unsigned long t;\n    \
    pthread_create(&t, 0, worker, 0);\n    if (x == 1)\n        reach_error();\n    return 0;\n}\n";

#[test]
fn tasks_are_answered_in_the_words_of_the_competition() {
    let place = Place::new();
    place.write("a.c", TASK);
    place.write("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    place.write("termination.prp", "CHECK( init(main()), LTL(F end) )\n");
    place.write(
        "a.yml",
        "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: false\n  \
         - property_file: termination.prp\noptions:\n  language: C\n  data_model: ILP32\n",
    );
    let run = place.run(&["check", "a.yml", "--timeout", "60s"]);
    assert_eq!(run.code, Some(10), "{run:?}");
    let lines: Vec<String> =
        run.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        lines,
        ["unreach-call false(unreach-call) as expected", "termination unknown (not supported)"]
    );
}

#[test]
fn witnesses_name_threads_and_the_target() {
    let place = Place::new();
    place.write("a.c", TASK);
    let run = place.run(&["check", "-q", "a.c", "--witness", "w.yml", "--timeout", "60s"]);
    assert_eq!(run.code, Some(10), "{run:?}");
    let witness: Value = serde_json::from_str(&place.read("w.yml")).unwrap();
    let entry = &witness[0];
    assert_eq!(entry["metadata"]["format_version"], "2.2");
    let waypoints: Vec<(&str, u64, u64)> = entry["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|segment| {
            let waypoint = &segment["segment"][0]["waypoint"];
            let line = waypoint["location"]["line"].as_u64().unwrap();
            (waypoint["type"].as_str().unwrap(), line, waypoint["thread_id"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(waypoints, [("function_enter", 12, 0), ("target", 14, 0)], "{witness}");
}

#[test]
fn files_are_checked_again_when_they_change() {
    let place = Place::new();
    let mut child =
        place.command(&["check", "-q", "mutex.tts", "--watch"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut verdict = || lines.by_ref().map_while(Result::ok).find(|line| line.starts_with("verdict: "));
    assert_eq!(verdict().as_deref(), Some("verdict: safe"));
    place.write("mutex.tts", common::BROKEN);
    place.write("mutex.prop", "1|2,2\n");
    assert_eq!(verdict().as_deref(), Some("verdict: unsafe"));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The next message of a server that has a method or an id.
fn message(output: &mut BufReader<ChildStdout>, wanted: &str) -> Value {
    let started = Instant::now();
    loop {
        assert!(started.elapsed() < Duration::from_secs(120), "no {wanted}");
        let mut length = 0;
        loop {
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None => break,
            }
        }
        let mut text = vec![0; length];
        output.read_exact(&mut text).unwrap();
        let value: Value = serde_json::from_slice(&text).unwrap();
        let id = value["id"].to_string();
        if value["method"] == wanted || id == wanted {
            return value;
        }
    }
}

#[test]
fn editors_get_errors_with_their_steps_and_proofs_at_lines() {
    let place = Place::new();
    place.run(&["new", "lock.c"]);
    place.write("fine.c", &place.read("lock.c").replace("#ifdef MENDED", "#if 1"));
    let mut child =
        place.command(&["lsp", "--stdio"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut send = |value: Value| {
        let text = value.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    };
    send(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {} }));
    assert_eq!(message(&mut output, "1")["result"]["capabilities"]["hoverProvider"], true);
    let uri = |name: &str| format!("file://{}", place.path(name).display());
    let open = |name: &str| {
        let document = json!({ "textDocument": { "uri": uri(name), "text": "" } });
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": document })
    };
    send(open("lock.c"));
    let said = message(&mut output, "textDocument/publishDiagnostics");
    let error = &said["params"]["diagnostics"][0];
    assert_eq!((&error["code"], &error["source"]), (&"assertion".into(), &"throng".into()), "{said}");
    assert!(error["relatedInformation"].as_array().unwrap().len() > 3, "{said}");
    send(open("fine.c"));
    let said = message(&mut output, "textDocument/publishDiagnostics");
    assert_eq!(said["params"]["diagnostics"], json!([]), "{said}");
    let text = place.read("fine.c");
    let line = text.lines().position(|line| line.contains("inside = 1;")).unwrap();
    let position =
        json!({ "textDocument": { "uri": uri("fine.c") }, "position": { "line": line, "character": 4 } });
    send(json!({ "jsonrpc": "2.0", "id": 2, "method": "textDocument/hover", "params": position }));
    let hover = message(&mut output, "2");
    assert!(hover["result"]["contents"]["value"].as_str().unwrap().contains("taken"), "{hover}");
    send(json!({ "jsonrpc": "2.0", "id": 3, "method": "shutdown" }));
    message(&mut output, "3");
    send(json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Every command of the tutorial, in order, in one folder.
#[test]
fn the_tutorial_does_what_it_says() {
    let place = Place::new();
    let book = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/tutorial.md");
    let text = std::fs::read_to_string(book).unwrap();
    let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        let (command, code) = command.split_once("  # ").unwrap_or((command, "0"));
        let mut words = command.split_whitespace();
        let run = match words.next().unwrap() {
            "throng" => place.run(&words.collect::<Vec<_>>()),
            "throng-check" => {
                let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_throng-check"));
                check.args(words).current_dir(place.path("."));
                common::Run::from(check.output().unwrap())
            }
            other => panic!("{other} is not known"),
        };
        assert_eq!(run.code, Some(code.parse().unwrap()), "{command}: {run:?}");
    }
    for file in ["report.html", "throng.xml", "throng.sarif"] {
        assert!(!place.read(file).is_empty(), "{file}");
    }
}
