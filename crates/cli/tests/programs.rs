//! Boolean programs through `throng`: verdicts, what is shown, questions, refusals.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use serde_json::{Value, json};
use std::path::Path;
use throng_base::Source;
use throng_boolprog::InitThreads;
use throng_check::program::check_program;
use throng_input::flags::{InitValues, ProgramFlags};

/// Looking at the lock and taking it are two steps.
const RACE: &str = "\
decl lock, busy;

void main() begin
  decl free;
  assume(!busy);
  free := !lock;
  assume(free);
  lock := 1;
  assert(!busy);
  busy := 1;
DONE: skip;
end
";

/// The first thread sets up a lock and starts others, who look at it and take it in one step.
const LOCK: &str = "\
decl lock, busy;

void main() begin
  lock, busy := 0, 0;
  while (*) do
    start_thread goto WORKER;
  od;
  end_thread;
WORKER:
  atomic_begin;
  assume(!lock);
  lock := 1;
  atomic_end;
  assert(!busy);
  busy := 1;
  busy := 0;
  lock := 0;
NEVER: assume(0);
  UNREACHED: skip;
end
";

fn place() -> Place {
    let place = Place::new();
    place.write("race.bp", RACE);
    place.write("lock.nbp", LOCK);
    place.write("lock.txt", LOCK);
    place.write("once.bp", "decl s;\nvoid main() begin\n  assert(!s);\n  s := 1;\nend\n");
    let many: Vec<String> = (0..40).map(|number| format!("x{number}")).collect();
    place.write(
        "wide.bp",
        &format!("decl {};\nvoid main() begin\n  assert(x0 | x1);\nend\n", many.join(", ")),
    );
    let all =
        "decl s;\nthread_local decl t;\nvoid main() begin\n  t := 0;\n  t$ := 1;\n  assert(!t | s);\nend\n";
    place.write("all.bp", all);
    place
}

fn document(run: &Run, schema: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas").join(schema);
    let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document: Value =
        serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {document:#}");
    document
}

#[test]
fn verdicts_have_their_words_and_exit_codes() {
    let place = place();
    for (arguments, code, last) in [
        (&["check", "race.bp"][..], 10, "verdict: unsafe"),
        (&["check", "race.bp", "--threads", "1"], 0, "verdict: safe"),
        (&["check", "race.bp", "--init-threads", "one", "--no-check"], 0, "verdict: safe (unchecked)"),
        (&["check", "race.bp", "--threads", "1", "--label", "DONE"], 10, "verdict: unsafe"),
        (&["check", "lock.nbp"], 0, "verdict: safe"),
        (&["check", "lock.nbp", "--label", "UNREACHED"], 0, "verdict: safe"),
        (&["check", "lock.txt", "--input-format", "bp"], 0, "verdict: safe"),
        (&["check", "lock.nbp", "--init-threads", "any"], 10, "verdict: unsafe"),
        (&["check", "race.bp", "--init-values", "zero"], 10, "verdict: unsafe"),
        (&["check", "race.bp", "--init-values", "zero", "--threads", "1"], 0, "verdict: safe"),
        (&["check", "once.bp"], 10, "verdict: unsafe"),
        (&["check", "once.bp", "--init-values", "zero", "--init-threads", "one"], 0, "verdict: safe"),
        (&["check", "once.bp", "--init-values", "zero", "--init-threads", "2"], 10, "verdict: unsafe"),
        (&["check", "wide.bp", "--engine", "concolic"], 5, "verdict: unknown(too-many-states)"),
        (&["check", "all.bp", "--engine", "concolic"], 5, "verdict: unknown(unsupported)"),
    ] {
        let run = place.run(arguments);
        assert_eq!((run.code, run.last_line()), (Some(code), last), "{arguments:?}: {run:?}");
        assert_eq!(run.stderr, "", "{arguments:?}");
    }
}

#[test]
fn every_engine_decides_programs() {
    let place = place();
    for engine in ["auto", "widen", "widen-pessimistic", "backward", "ic3", "karp-miller", "concolic"] {
        for (file, code) in [("race.bp", 10), ("lock.nbp", 0)] {
            let run = place.run(&["check", file, "--engine", engine]);
            assert_eq!(run.code, Some(code), "{engine} on {file}: {run:?}");
            assert!(
                run.stdout.contains("The independent checker accepted this "),
                "{engine}: {}",
                run.stdout
            );
        }
    }
}

#[test]
fn an_interleaving_tells_lines_statements_and_values() {
    let run = place().run(&["check", "race.bp", "--engine", "backward"]);
    for part in [
        "  start: any number of threads in main, all variables arbitrary\n",
        "  bad:   an assertion fails (line 9)\n",
        "unsafe: 2 threads reach a failing assertion in ",
        "  line  statement ",
        " assert(!busy) ",
        "-> fails\n",
        "fails the assertion on line 9: assert(!busy)\n",
        "  keep it:  throng check race.bp --engine",
    ] {
        let expected = !part.starts_with("  keep it");
        assert_eq!(run.stdout.contains(part), expected, "{part} in {}", run.stdout);
    }
    assert!(run.stdout.contains("  keep it:  throng check race.bp --evidence FILE\n"), "{}", run.stdout);
}

#[test]
fn a_proof_is_told_in_words_of_the_program() {
    let run = place().run(&["check", "lock.nbp"]);
    for part in [
        "  start: 1 thread in main, all variables arbitrary; it starts others\n",
        "safe: no assertion can fail, however many threads the program starts.\n",
        "  never: a thread at a failed assertion",
        "The independent checker accepted this proof.\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
    let cover = place().run(&["check", "lock.nbp", "--engine", "karp-miller", "-v"]);
    assert!(cover.stdout.contains("\n    any number at line 10 `atomic_begin`\n"), "{}", cover.stdout);
    assert!(cover.stdout.contains("\n  made on demand\n"), "{}", cover.stdout);
}

#[test]
fn evidence_is_written_and_the_question_with_it() {
    let place = place();
    let run = place.run(&["check", "lock.nbp", "--label", "NEVER", "--threads", "1", "--evidence", "e.json"]);
    assert_eq!(run.code, Some(10), "{run:?}");
    let again = "  check it again:  throng-check lock.nbp --threads 1 --label NEVER e.json\n";
    assert!(run.stdout.contains(again), "{}", run.stdout);
    assert!(!run.stdout.contains("draw it"), "{}", run.stdout);
    let evidence = throng_cert::read(place.read("e.json").as_bytes()).unwrap();
    assert_eq!(evidence.input.as_deref(), Some("lock.nbp"));
    let source = Source::from_text("lock.nbp", LOCK);
    let program = throng_boolprog::read(&source).unwrap().program;
    let flags = ProgramFlags { label: vec!["NEVER".to_owned()], ..ProgramFlags::default() };
    let question = flags.question(&program, Some(1)).unwrap();
    check_program(&program, &question, &evidence).unwrap();
}

#[test]
fn results_are_documents() {
    let place = place();
    let result = |arguments: &[&str]| {
        let run = place.run(&[arguments, &["--format", "json"]].concat());
        document(&run, "result-v1.schema.json")
    };
    let unsafe_ = result(&["check", "race.bp", "-v"]);
    assert_eq!((&unsafe_["verdict"], &unsafe_["checked"]), (&json!("unsafe"), &json!(true)));
    assert_eq!(unsafe_["input"]["init_threads"], "any");
    let items = unsafe_["trace"]["items"].as_array().unwrap();
    let last = items.last().unwrap();
    assert_eq!((&last["line"], &last["statement"]), (&json!(9), &json!("assert(!busy)")));
    assert_eq!(items.len() as u64, unsafe_["evidence"]["steps"].as_u64().unwrap());
    for engine in ["backward", "karp-miller"] {
        let safe = result(&["check", "lock.nbp", "--engine", engine]);
        assert_eq!((&safe["verdict"], &safe["input"]["init_threads"]), (&json!("safe"), &json!(1)));
        assert!(!safe["proof"]["elements"].as_array().unwrap().is_empty(), "{safe:#}");
        assert!(safe["statistics"]["local_states_met"].as_u64() > Some(0), "{safe:#}");
    }
    result(&["check", "race.bp", "--engine", "concolic"]);
}

#[test]
fn limits_end_a_search_with_what_was_learnt() {
    let place = place();
    let arguments = ["check", "lock.nbp", "--engine", "forward", "--timeout", "300ms", "-q"];
    let run = place.run(&arguments);
    assert_eq!((run.code, run.last_line()), (Some(5), "verdict: unknown(timeout)"), "{run:?}");
    assert!(run.stdout.contains("  bad:   an assertion fails (line 14)\n"), "{}", run.stdout);
    document(&place.run(&[&arguments[..], &["--format", "json"]].concat()), "result-v1.schema.json");
}

#[test]
fn all_errors_of_a_program_are_shown_with_their_places() {
    let place = place();
    place.write("wrong.bp", "decl x;\nvoid main() begin\n  goto L;\n  y := x;\nend\n");
    let run = place.run(&["check", "wrong.bp"]);
    assert_eq!((run.code, &*run.stdout), (Some(2), ""));
    for part in ["--> wrong.bp:3:8\n", "--> wrong.bp:4:3\n", "4 |   y := x;\n  |   ^ not declared"] {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
}

#[test]
fn warnings_are_shown_unless_quiet_and_repeated_before_the_verdict() {
    let place = place();
    place.write("odd.bp", "void main() begin\n  atomic_begin;\n  end_thread;\nend\n");
    let run = place.run(&["check", "odd.bp"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("warning[W") && run.stderr.contains("--> odd.bp:3:3"), "{}", run.stderr);
    assert!(run.stdout.contains("\nodd.bp:3:3: warning[W"), "{}", run.stdout);
    let quiet = place.run(&["check", "odd.bp", "-q"]);
    assert_eq!((&*quiet.stderr, &quiet.stdout), ("", &run.stdout));
}

#[test]
fn what_has_no_meaning_for_programs_is_refused_with_what_has() {
    let place = place();
    for (arguments, message, help) in [
        (&["check", "race.bp", "--init", "0|0"][..], "`--init` has no meaning", "`--init-threads`"),
        (&["check", "race.bp", "--target", "0|0"], "`--target` has no meaning", "`--label NAME`"),
        (&["check", "race.bp", "--property", "x.prop"], "`--property` has no meaning", "`--label NAME`"),
        (&["check", "race.bp", "--label", "NOPE"], "no label `NOPE`", "DONE"),
        (&["check", "race.bp", "--label", "DONES"], "no label `DONES`", "a close name is `DONE`"),
        (
            &["check", "race.bp", "--threads", "2", "--init-threads", "any"],
            "say different things",
            "give one",
        ),
        (&["check", "mutex.tts", "--label", "X"], "`--label` has a meaning for Boolean programs only", "bp"),
        (&["check", "lock.txt"], "cannot tell the format", ".bp, .nbp"),
        (&["graph", "wide.bp"], "too many valuations", "`throng check`, `reach` and `cutoff`"),
        (&["cover", "wide.bp"], "too many valuations", "`throng check`, `reach` and `cutoff`"),
        (&["check", "mutex.tts", "--init-values", "zero"], "`--init-values` has a meaning", "bp"),
        (&["check", "all.bp", "--init-values", "zero"], "do not go together", "have not begun"),
        (&["convert", "race.bp", "out.nbp", "--init-values", "zero"], "in its text", "--init-values zero"),
        (&["reach", "race.bp", "--init", "0|0"], "`--init` has no meaning", "`--init-threads`"),
    ] {
        let run = place.run(arguments);
        assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{arguments:?}: {run:?}");
        assert!(run.stderr.contains(message) && run.stderr.contains(help), "{arguments:?}: {}", run.stderr);
    }
    let usage = place.run(&["check", "race.bp", "--init-threads", "some"]);
    assert_eq!(usage.code, Some(1), "{usage:?}");
}

#[test]
fn what_is_covered_and_pictures_are_those_of_the_system_with_all_valuations() {
    let place = place();
    let cover = place.run(&["cover", "lock.nbp", "-v"]);
    assert_eq!((cover.code, cover.last_line()), (Some(0), "cover: complete"), "{cover:?}");
    assert!(cover.stdout.contains("lock=1 busy=0"), "{}", cover.stdout);
    let alone = place.run(&["cover", "race.bp", "--init-threads", "one"]);
    assert_eq!((alone.code, alone.last_line()), (Some(0), "cover: complete"), "{alone:?}");
    for (arguments, part) in [
        (&["graph", "race.bp"][..], "digraph"),
        (&["graph", "race.bp", "--what", "trace"], "digraph"),
        (&["graph", "race.bp", "--what", "proof", "--threads", "1"], "digraph"),
        (&["graph", "race.bp", "--what", "trace", "--label", "DONE", "--threads", "1"], "digraph"),
        (&["graph", "once.bp", "--what", "forward-tree", "--engine", "karp-miller"], "digraph"),
    ] {
        let run = place.run(arguments);
        assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
        assert!(run.stdout.contains(part), "{arguments:?}: {}", run.stdout);
    }
    let other = place.run(&["graph", "race.bp", "--what", "proof"]);
    assert!(other.code == Some(2) && other.stderr.contains("unsafe"), "{other:?}");
}

#[test]
fn evidence_about_programs_that_start_at_zero_is_checked_with_the_same_option() {
    let place = place();
    let zero = ["--init-values", "zero", "--init-threads", "one"];
    let run = place.run(&[&["check", "once.bp", "--evidence", "safe.json"], &zero[..]].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("sets all variables to 0"), "{}", run.stdout);
    let again = "throng-check once.bp --init-threads 1 --init-values zero safe.json\n";
    assert!(run.stdout.contains(again), "{}", run.stdout);
    let checked = |init_values| {
        let flags = ProgramFlags {
            init_threads: Some(InitThreads::Exactly(1)),
            init_values,
            ..ProgramFlags::default()
        };
        let source = Source::read(&place.path("once.bp")).unwrap();
        let (input, question) = flags.read(&source, None).unwrap();
        let document = throng_cert::read(place.read("safe.json").as_bytes()).unwrap();
        check_program(&input.program, &question, &document).is_ok()
    };
    assert!(checked(InitValues::Zero) && !checked(InitValues::Any));
}

#[test]
fn only_what_is_reached_is_listed() {
    let place = place();
    // Where the root comes once, nobody has been started yet.
    let text = "decl b;\nvoid main() begin\n  b := 0;\nP: skip;\nl1: start_thread goto l2;\n  goto l1;\nl2: b := 1;\n  end_thread;\nend\n";
    place.write("once-there.bp", text);
    let run = place.run(&["reach", "once-there.bp"]);
    assert_eq!((run.code, run.last_line()), (Some(0), "reach: complete"), "{run:?}");
    assert!(run.stdout.contains("  line 4 `skip`: b=0 | *\n"), "{}", run.stdout);
    assert!(run.stdout.contains("\n10 thread states can be reached"), "{}", run.stdout);
    let cutoff = place.run(&["cutoff", "once-there.bp"]);
    assert_eq!(cutoff.code, Some(0), "{cutoff:?}");
}

#[test]
fn a_bench_asks_questions_about_programs() {
    let place = place();
    std::fs::create_dir(place.path("folder")).unwrap();
    place.write("folder/race.bp", RACE);
    place.write("folder/lock.nbp", LOCK);
    let index = "file,init,target,expected\nrace.bp,,,unsafe\nrace.bp,one,DONE,unsafe\nlock.nbp,one,,safe\n";
    place.write("folder/index.csv", index);
    let run = place.run(&["bench", "folder", "--engines", "backward", "--timeout", "20s", "--details", "-q"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    for part in
        ["race.bp from one to DONE", "lock.nbp", "  backward     1       2        0        0       0 "]
    {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
}

#[test]
fn thread_states_are_listed_by_location_and_counted() {
    let place = place();
    let run = place.run(&["reach", "lock.nbp"]);
    assert_eq!((run.code, run.last_line()), (Some(0), "reach: complete"), "{run:?}");
    for part in [
        " thread states can be reached; ",
        "  line 14 `assert(!busy)`: lock=1, busy=0 | *\n",
        "The independent checker accepted that all of these are reached and no other thread state is.\n",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
    let json = ["reach", "race.bp", "--threads", "1", "--format", "json"];
    let found = document(&place.run(&json), "reach-v1.schema.json");
    assert_eq!((&found["complete"], &found["checked"]), (&json!(true), &json!(true)));
    let lines = |found: &Value| -> Vec<u64> {
        let mut lines: Vec<u64> =
            found["places"].as_array().unwrap().iter().filter_map(|place| place["line"].as_u64()).collect();
        lines.sort_unstable();
        lines
    };
    // Alone, a thread comes everywhere.
    assert_eq!(lines(&found), [5, 6, 7, 8, 9, 10, 11, 12]);
    assert!(found["places"].as_array().unwrap().iter().all(|place| place["at"] != "error"), "{found:#}");
    let many = document(&place.run(&["reach", "race.bp", "--format", "json"]), "reach-v1.schema.json");
    assert!(many["places"].as_array().unwrap().iter().any(|place| place["at"] == "error"), "{many:#}");
    assert!(many["n_reachable"].as_u64() > found["n_reachable"].as_u64());
}

#[test]
fn cutoffs_of_programs_come_with_an_interleaving() {
    let place = place();
    let run = place.run(&["cutoff", "race.bp"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.last_line().starts_with("cutoff: 2 (uniform: "), "{run:?}");
    assert!(run.stdout.contains("\nFewer than 2 threads do not reach "), "{}", run.stdout);
    assert!(run.stdout.contains("  step  line  statement "), "{}", run.stdout);
    let found = document(&place.run(&["cutoff", "race.bp", "--format", "json"]), "cutoff-v1.schema.json");
    assert_eq!(found["reachability"], 2);
    let needy = &found["needs_most"];
    assert_eq!(needy["trace"]["items"].as_array().unwrap().len() as u64, needy["n_steps"].as_u64().unwrap());
}
