//! `throng cover` and `--threads` as users see them.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use serde_json::Value;
use std::path::Path;

fn document(run: &Run) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/cover-v1.schema.json");
    let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {document:#}");
    for (field, value) in [("complete", "maybe"), ("format", "x"), ("surprise", "x")] {
        let mut broken = document.clone();
        broken[field] = value.into();
        assert!(!validator.is_valid(&broken), "{field}");
    }
    document
}

#[test]
fn a_complete_set_lists_bounds_and_exits_with_0() {
    let run = Place::new().run(&["cover", "mutex.tts"]);
    assert_eq!((run.code, run.last_line()), (Some(0), "cover: complete"), "{run:?}");
    for line in
        ["  0|0*ω\n", "  1|0*ω,1\n", "unbounded (1 local state): 0\n", "bounded (1 local state): 1 ≤ 1\n"]
    {
        assert!(run.stdout.contains(line), "{line} in {}", run.stdout);
    }
    assert!(run.stdout.contains("The independent checker accepted"), "{}", run.stdout);
}

#[test]
fn a_model_without_a_property_has_a_set_too() {
    let place = Place::new();
    place.write("free.tts", common::BROKEN);
    let run = place.run(&["cover", "free.tts", "--no-check"]);
    assert_eq!((run.code, run.last_line()), (Some(0), "cover: complete (unchecked)"), "{run:?}");
    // The target of the other one is coverable, which does not matter here.
    assert_eq!(place.run(&["cover", "broken.tts"]).code, Some(0));
}

#[test]
fn a_limit_ends_with_what_was_found_so_far() {
    let run = Place::new().run(&["cover", "endless.spec", "--timeout", "300ms"]);
    assert_eq!((run.code, run.last_line()), (Some(5), "cover: unknown(timeout)"), "{run:?}");
    assert!(run.stdout.contains("the search need not end at all"), "{}", run.stdout);
    assert!(run.stdout.contains("so far") && !run.stdout.contains("\nbounded ("), "{}", run.stdout);
}

#[test]
fn json_documents_fit_their_schema() {
    let place = Place::new();
    let complete = document(&place.run(&["cover", "mutex.tts", "--format", "json"]));
    assert_eq!(complete["unbounded"], serde_json::json!(["0"]));
    assert_eq!(complete["bounds"], serde_json::json!([["1", 1]]));
    let elements = serde_json::json!([
        { "shared": "0", "threads": [["0", "omega"]] },
        { "shared": "1", "threads": [["0", "omega"], ["1", 1]] },
    ]);
    assert_eq!(complete["elements"], elements);
    let three = document(&place.run(&["cover", "mutex.tts", "--format", "json", "--threads", "3", "-v"]));
    assert_eq!((&three["input"]["threads"], &three["unbounded"]), (&3.into(), &serde_json::json!([])));
    let run = place.run(&["cover", "endless.spec", "--format", "json", "--timeout", "300ms"]);
    assert_eq!(document(&run)["reason"], "timeout");
}

#[test]
fn a_set_can_be_drawn() {
    let run = Place::new().run(&["cover", "mutex.tts", "--format", "dot"]);
    assert!(run.code == Some(0) && run.stdout.starts_with("digraph"), "{run:?}");
    assert!(run.stdout.contains("label=\"1|0*ω,1\"") && run.stdout.contains("->"), "{}", run.stdout);
}

#[test]
fn an_answer_for_some_threads_says_so_and_its_evidence_is_about_them() {
    let place = Place::new();
    let safe = place.run(&["check", "broken.tts", "--threads", "1", "--evidence", "e.json"]);
    assert_eq!((safe.code, safe.last_line()), (Some(0), "verdict: safe"), "{safe:?}");
    assert!(safe.stdout.contains("can be reached for 1 thread (--threads)"), "{}", safe.stdout);
    assert!(safe.stdout.contains("throng-check broken.tts --threads 1 e.json"), "{}", safe.stdout);
    let drawn =
        place.run(&["graph", "broken.tts", "--threads", "1", "--what", "proof", "--evidence", "e.json"]);
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    // The same evidence says nothing about any number of threads, with which it is unsafe.
    let refused = place.run(&["graph", "broken.tts", "--what", "proof", "--evidence", "e.json"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert_eq!(place.run(&["check", "broken.tts", "--threads", "2"]).code, Some(10));
}

#[test]
fn every_engine_answers_for_exactly_so_many_threads() {
    let place = Place::new();
    for engine in throng_engine::EngineKind::ALL {
        for (threads, code) in [("1", 0), ("2", 10), ("3", 10)] {
            let run = place.run(&["check", "broken.tts", "--threads", threads, "--engine", engine.name()]);
            assert_eq!(run.code, Some(code), "{} with {threads}: {run:?}", engine.name());
        }
    }
}

#[test]
fn another_number_than_the_input_has_is_refused_with_a_hint() {
    let run = Place::new().run(&["check", "endless.spec", "--threads", "2"]);
    assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{run:?}");
    assert!(run.stderr.contains("no initial configuration has exactly 2 threads"), "{}", run.stderr);
    assert!(run.stderr.contains("help: leave `--threads` out"), "{}", run.stderr);
}
