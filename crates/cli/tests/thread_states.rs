//! `throng reach` and `throng cutoff` as users see them.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use serde_json::{Value, json};
use std::path::Path;

fn document(run: &Run, schema: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas").join(schema);
    let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {document:#}");
    for field in ["complete", "format", "surprise"] {
        let mut broken = document.clone();
        broken[field] = "maybe".into();
        assert!(!validator.is_valid(&broken), "{field}");
    }
    document
}

/// Threads wait in 1 until a second one comes; then both are in 2. Shared state 2 needs a third.
const MEETING: &str = "3 4\n0 0 -> 1 1\n1 0 -> 0 2\n0 1 -> 0 2\n0 2 -> 2 3\n2 2 -> 2 1\n";

#[test]
fn reachable_thread_states_are_listed_by_shared_state() {
    let run = Place::new().run(&["reach", "mutex.tts"]);
    assert_eq!((run.code, run.last_line()), (Some(0), "reach: complete"), "{run:?}");
    for line in
        ["3 thread states of 4 can be reached; 2 of 2 local states occur.\n", "  0 | 0\n", "  1 | 0, 1\n"]
    {
        assert!(run.stdout.contains(line), "{line} in {}", run.stdout);
    }
    assert!(run.stdout.contains("The independent checker accepted"), "{}", run.stdout);
    let alone = Place::new().run(&["reach", "mutex.tts", "--threads", "1", "--no-check"]);
    assert_eq!((alone.code, alone.last_line()), (Some(0), "reach: complete (unchecked)"), "{alone:?}");
    assert!(alone.stdout.contains("2 thread states of 4"), "{}", alone.stdout);
}

#[test]
fn what_is_not_reached_thread_by_thread_is_settled_by_a_search() {
    let place = Place::new();
    // Taken one by one, a thread in 1 could see shared state 0 and go to 2.
    place.write("lock.tts", "2 3\n0 0 -> 1 1\n1 1 -> 0 0\n0 1 -> 0 2\n");
    let found = document(&place.run(&["reach", "lock.tts", "--format", "json"]), "reach-v1.schema.json");
    assert_eq!((&found["complete"], &found["checked"]), (&json!(true), &json!(true)));
    assert_eq!(found["reachable"], json!({ "0": ["0"], "1": ["0", "1"] }));
    // Broadcasts, where a forward search alone need not end.
    place.write("all.tts", "2 4\n0 0 -> 0 1\n0 1 -> 1 2 1 ~> 3\n1 2 -> 0 0\n");
    let found = document(&place.run(&["reach", "all.tts", "--format", "json"]), "reach-v1.schema.json");
    assert_eq!(found["reachable"]["1"], json!(["0", "2", "3"]));
}

#[test]
fn cutoffs_come_with_what_needs_them() {
    let place = Place::new();
    place.write("meeting.tts", MEETING);
    let run = place.run(&["cutoff", "meeting.tts"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.last_line().starts_with("cutoff: "), "{run:?}");
    let found =
        document(&place.run(&["cutoff", "meeting.tts", "--format", "json", "-v"]), "cutoff-v1.schema.json");
    let reached = |layer: &Value| layer["thread_states"].as_u64().unwrap();
    let layers = found["layers"].as_array().unwrap();
    let cutoff = found["reachability"].as_u64().unwrap() as usize;
    assert_eq!(reached(&layers[cutoff - 1]), found["n_reachable"].as_u64().unwrap());
    assert!(cutoff == 1 || reached(&layers[cutoff - 2]) < reached(&layers[cutoff - 1]));
    assert_eq!(layers.len() as u64, found["uniform"].as_u64().unwrap());
}

#[test]
fn a_counter_has_a_cutoff_of_its_own() {
    let place = Place::new();
    place.write("counter.tts", "4 3\n0 0 -> 1 1\n1 0 -> 2 1\n2 0 -> 3 1\n3 1 -> 3 2\n");
    let run = place.run(&["cutoff", "counter.tts"]);
    assert_eq!((run.code, run.last_line()), (Some(0), "cutoff: 4 (uniform: 4)"), "{run:?}");
    assert!(run.stdout.contains("Fewer than 4 threads do not reach 3|0."), "{}", run.stdout);
}

#[test]
fn c_programs_with_few_values_have_cutoffs() {
    let place = Place::new();
    place.write(
        "lock.c",
        "void __VERIFIER_assume(int); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n\
         int __VERIFIER_nondet_int(void); void reach_error(void);\n\
         typedef unsigned long pthread_t; int pthread_create(pthread_t *, void *, void *(*)(void *), void *);\n\
         int lock, inside;\n\
         void *worker(void *p) {\n\
           __VERIFIER_atomic_begin(); __VERIFIER_assume(!lock); lock = 1; __VERIFIER_atomic_end();\n\
           if (inside) reach_error();\n  inside = 1;\n  inside = 0;\n  lock = 0;\n  return p;\n}\n\
         int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }\n",
    );
    let run = place.run(&["cutoff", "lock.c"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.last_line().starts_with("cutoff: "), "{run:?}");
    assert!(!run.stdout.contains("error"), "no thread comes to the error: {}", run.stdout);
    let run = place.run(&["reach", "lock.c"]);
    assert!(run.code == Some(0) && run.stdout.contains("lock=1"), "{run:?}");
    let run = place.run(&["cover", "lock.c"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let run = place.run(&["reach", "lock.c", "--threads", "3"]);
    assert!(run.code == Some(2) && run.stderr.contains("E0902"), "{run:?}");
}

/// Four threads of the counter have more configurations than the Karp–Miller tree has nodes.
#[test]
fn two_ways_to_find_everything_are_compared() {
    let place = Place::new();
    place.write("counter.tts", "4 3\n0 0 -> 1 1\n1 0 -> 2 1\n2 0 -> 3 1\n3 1 -> 3 2\n");
    let arguments = ["cutoff", "counter.tts", "--compare"];
    let run = place.run(&arguments);
    assert_eq!((run.code, run.last_line()), (Some(0), "cutoff: 4"), "{run:?}");
    let found = place.run(&[&arguments[..], &["--format", "json", "-v"]].concat());
    let found = document(&found, "cutoff-costs-v1.schema.json");
    assert_eq!(
        (&found["reachability"], &found["complete"], &found["checked"]),
        (&json!(4), &json!(true), &json!(true))
    );
    let plain = document(&place.run(&["cutoff", "counter.tts", "--format", "json"]), "cutoff-v1.schema.json");
    assert_eq!(found["bounded"]["configurations"], plain["layers"][3]["configurations"]);
    assert_eq!(found["n_reachable"], plain["n_reachable"]);
    // 0|0^ω, then one thread more in 1 for each step, then from 1 to 2 one by one.
    let size = |name: &str| found["karp_miller"][name].as_u64().unwrap();
    assert!(size("maximal") == 7 && size("nodes") >= 7, "{found:#}");
}

#[test]
fn programs_are_compared_too() {
    let place = Place::new();
    place.write("flag.bp", "decl a;\nvoid main() begin\n  a := !a;\nend\n");
    let arguments = ["cutoff", "flag.bp", "--compare", "--init-threads", "any", "--format", "json"];
    let found = document(&place.run(&arguments), "cutoff-costs-v1.schema.json");
    let plain = ["cutoff", "flag.bp", "--init-threads", "any", "--format", "json"];
    let plain = document(&place.run(&plain), "cutoff-v1.schema.json");
    assert_eq!(
        (&found["reachability"], &found["n_reachable"]),
        (&plain["reachability"], &plain["n_reachable"])
    );
    assert!(found["karp_miller"]["nodes"].as_u64().unwrap() > 0, "{found:#}");
}

#[test]
fn nets_have_no_thread_states() {
    for command in [&["reach"][..], &["cutoff"], &["cutoff", "--compare"]] {
        let run = Place::new().run(&[command, &["endless.spec"]].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains("a net has no threads"), "{}", run.stderr);
    }
}
