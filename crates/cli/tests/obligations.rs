//! What C leaves undefined, through `throng`: proved, violated, open or assumed, for people and for programs; assertions that no
//! run reaches; and programs with nothing to check.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use serde_json::Value;
use std::path::Path;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); \
                    void reach_error(void); int a[4]; int x;\n";

/// A class, a program in which an obligation of it fails, and one in which it holds but is not settled by constants.
const CLASSES: [(&str, &str, &str); 5] = [
    (
        "bounds",
        "int main(void) { int i = __VERIFIER_nondet_int(); a[i] = 1; if (x) reach_error(); }",
        "int main(void) { for (int i = 0; i < 4; i++) a[i] = 1; if (x) reach_error(); }",
    ),
    (
        "pointers",
        "int *p; int main(void) { if (__VERIFIER_nondet_int()) p = &x; *p = 0; if (x) reach_error(); }",
        "int *p; int main(void) { p = &x; if (__VERIFIER_nondet_int()) p = &a[1]; *p = 0; if (x) reach_error(); }",
    ),
    (
        "division",
        "int main(void) { int i = __VERIFIER_nondet_int(); x = 0 / i; if (x) reach_error(); }",
        "int main(void) { int i = __VERIFIER_nondet_int(); if (i > 0) x = 0 / i; if (x) reach_error(); }",
    ),
    (
        "shift",
        "int main(void) { int i = __VERIFIER_nondet_int(); x = 0 << i; if (x) reach_error(); }",
        "int main(void) { int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 32) x = 0 << i; if (x) reach_error(); }",
    ),
    (
        "unreachable",
        "int main(void) { int i = __VERIFIER_nondet_int(); if (i) __builtin_unreachable(); if (x) reach_error(); }",
        "int main(void) { int i = __VERIFIER_nondet_int() & 1; if (i == 2) __builtin_unreachable(); x = 0; if (x) reach_error(); }",
    ),
];

fn check(text: &str, options: &[&str]) -> (Place, Run) {
    let place = Place::new();
    place.write("a.c", &format!("{HEAD}{text}"));
    let mut arguments = vec!["check", "a.c", "-q", "--timeout", "100s"];
    arguments.extend(options);
    let run = place.run(&arguments);
    (place, run)
}

fn json(text: &str, options: &[&str]) -> Value {
    let options: Vec<&str> = options.iter().copied().chain(["--format", "json"]).collect();
    let document: Value = serde_json::from_str(&check(text, &options).1.stdout).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/result-v1.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {document:#}");
    document
}

/// The classes and statuses of all obligations.
fn statuses(document: &Value) -> Vec<(String, String)> {
    let list = document["obligations"].as_array().cloned().unwrap_or_default();
    let word = |duty: &Value, name: &str| duty[name].as_str().unwrap().to_owned();
    list.iter().map(|duty| (word(duty, "class"), word(duty, "status"))).collect()
}

#[test]
fn what_is_violated_is_unsafe() {
    for (class, violated, _) in CLASSES {
        let (_, run) = check(violated, &[]);
        assert_eq!((run.code, run.last_line()), (Some(10), "verdict: unsafe"), "{class}: {run:?}");
        assert!(run.stdout.contains("undefined behaviour: "), "{class}: {run:?}");
        let document = json(violated, &[]);
        assert!(statuses(&document).contains(&(class.to_owned(), "violated".to_owned())), "{document:#}");
    }
}

#[test]
fn what_holds_is_proved_with_the_assertions() {
    for (class, _, proved) in CLASSES {
        let (_, run) = check(proved, &[]);
        assert_eq!((run.code, run.last_line()), (Some(0), "verdict: safe"), "{class}: {run:?}");
        assert!(run.stdout.contains("Nothing happens that C leaves undefined:"), "{class}: {run:?}");
        let document = json(proved, &[]);
        let found = statuses(&document);
        assert!(found.contains(&(class.to_owned(), "proved".to_owned())), "{document:#}");
        assert!(found.iter().all(|(_, status)| status == "proved"), "{document:#}");
    }
}

#[test]
fn what_is_assumed_is_named_first_and_bound_to_the_evidence() {
    for (class, violated, _) in CLASSES {
        let (place, run) = check(violated, &["--assume", class, "--evidence", "e.json"]);
        assert_eq!((run.code, run.last_line()), (Some(0), "verdict: safe"), "{class}: {run:?}");
        assert!(run.stdout.starts_with("assuming: runs "), "{class}: {run:?}");
        assert!(place.read("e.json").contains(&format!("--assume={class}")), "{class}");
        let document = json(violated, &["--assume", class]);
        assert_eq!(statuses(&document), [(class.to_owned(), "assumed".to_owned())], "{document:#}");
        assert_eq!(document["assumptions"].as_array().map(Vec::len), Some(1), "{document:#}");
    }
    let (_, run) = check(CLASSES[0].1, &["--assume", "all", "--check", "bounds"]);
    assert_eq!(run.code, Some(10), "what is checked by name is not assumed: {run:?}");
    let (_, run) = check(CLASSES[0].1, &["--assume", "division"]);
    assert_eq!(run.code, Some(10), "another class: {run:?}");
}

#[test]
fn a_property_file_implies_what_its_rules_assume() {
    let place = Place::new();
    place.write("a.c", &format!("{HEAD}{}", CLASSES[0].1));
    place.write("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let run = place.run(&["check", "a.c", "-q", "--property", "p.prp"]);
    assert_eq!((run.code, run.last_line()), (Some(0), "verdict: safe"), "{run:?}");
    assert!(run.stdout.starts_with("assuming: runs in which an index"), "{run:?}");
}

/// That elements are indices is a fact about all 100 elements, which nobody looks for.
const OPEN: &str = "unsigned next[100]; int main(void) { unsigned i = __VERIFIER_nondet_uint() % 100; \
                    while (1) { i = next[i]; next[i] = i; x = x & 1; if (x) reach_error(); } }";

#[test]
fn where_an_obligation_is_open_the_answer_says_what_it_depends_on() {
    // Exploring its few states shows that it is safe.
    assert_eq!(check(OPEN, &[]).1.code, Some(0));
    let (_, run) = check(OPEN, &["--engine", "houdini"]);
    assert_eq!((run.code, run.last_line()), (Some(5), "verdict: unknown(obligation)"), "{run:?}");
    assert!(run.stdout.contains("the assertions cannot fail, provided that"), "{run:?}");
    assert!(run.stdout.contains("throng check a.c --assume bounds"), "{run:?}");
    let document = json(OPEN, &["--engine", "houdini"]);
    assert_eq!(document["reason"], "obligation");
    assert!(statuses(&document).contains(&("bounds".to_owned(), "open".to_owned())), "{document:#}");
    let (_, run) = check(OPEN, &["--assume", "bounds", "--engine", "houdini"]);
    assert_eq!((run.code, run.last_line()), (Some(0), "verdict: safe"), "{run:?}");
}

#[test]
fn a_variable_is_dead_after_its_block() {
    let dead = "int main(void) { int *p = &x; { int y = 1; p = &y; } return *p; }";
    assert_eq!(check(dead, &[]).1.code, Some(10));
    let alive = "int main(void) { int *p = &x; { int y = 1; p = &y; x = *p; } if (x != 1) reach_error(); }";
    assert_eq!(check(alive, &[]).1.code, Some(0));
    let kept =
        "void keep(int **k) { int n = 1; *k = &n; } int main(void) { int *p = &x; keep(&p); return *p; }";
    assert_eq!(check(kept, &[]).1.code, Some(10));
}

#[test]
fn a_program_with_nothing_to_check_is_not_safe() {
    let (_, run) = check("int main(void) { x = 1; return 0; }", &[]);
    assert_eq!((run.code, run.last_line()), (Some(5), "verdict: unknown(nothing-to-check)"), "{run:?}");
    assert!(run.stdout.contains("--label NAME"), "{run:?}");
    assert_eq!(json("int main(void) { x = 1; return 0; }", &[])["reason"], "nothing-to-check");
    // An assertion that holds by constants is one.
    let (_, run) = check("int main(void) { if (sizeof(int) != 4) reach_error(); }", &[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(!run.stdout.contains("no run"), "{run:?}");
}

#[test]
fn assertions_that_no_run_reaches_are_named_above_the_verdict() {
    let text = "void assert(int);\nint main(void) { x = __VERIFIER_nondet_int() & 3;\n\
                assert(x < 4);\n\
                if (x == 5) {\n\
                assert(x == 7);\n\
                }\n\
                while (1) { }\n\
                assert(x == 8); }";
    let (_, run) = check(text, &[]);
    assert_eq!((run.code, run.last_line()), (Some(0), "verdict: safe"), "{run:?}");
    let tail: Vec<&str> = run.stdout.lines().rev().take(4).collect();
    assert!(tail[1].starts_with("no run reaches a.c:9:"), "{run:?}");
    assert!(tail[2].starts_with("no run reaches a.c:6:"), "{run:?}");
    assert!(tail[3].contains("a.c:4 (with 1 thread)"), "{run:?}");
    let document = json(text, &[]);
    let words: Vec<&str> =
        document["assertions"].as_array().unwrap().iter().map(|it| it["status"].as_str().unwrap()).collect();
    assert_eq!(words, ["reached", "never", "never"], "{document:#}");
}

#[test]
fn weak_orders_and_calls_of_abort_are_said() {
    let text = "void abort(void); int main(void) { __atomic_store_n(&x, 1, __ATOMIC_RELAXED); \
                if (__VERIFIER_nondet_int()) abort(); if (x != 1) reach_error(); }";
    let (_, run) = check(text, &[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("for sequential consistency only: "), "{run:?}");
    assert!(run.stdout.contains("abort() may be called"), "{run:?}");
    let assume = "void abort(void); void assume(int c) { if (!c) abort(); } \
                  int main(void) { x = __VERIFIER_nondet_int(); assume(!x); if (x) reach_error(); }";
    let (_, run) = check(assume, &[]);
    assert!(run.code == Some(0) && !run.stdout.contains("abort()"), "{run:?}");
}

#[test]
fn what_unknown_functions_are_taken_not_to_do_stands_first() {
    let harmless =
        "void report(const char *, int); int main(void) { report(\"x\", x); x = 0; if (x) reach_error(); }";
    let (_, run) = check(harmless, &[]);
    assert_eq!((run.code, run.last_line()), (Some(0), "verdict: safe"), "{run:?}");
    assert!(run.stdout.starts_with("assuming: functions without a body do nothing that matters"), "{run:?}");
    let (_, run) = check(harmless, &["--havoc-calls"]);
    assert_eq!((run.code, run.last_line()), (Some(0), "verdict: safe"), "{run:?}");
    assert!(run.stdout.starts_with("assuming: functions without a body return anything"), "{run:?}");
    let document = json(harmless, &[]);
    assert_eq!(document["assumptions"].as_array().map(Vec::len), Some(1), "{document:#}");
    for matters in [
        "int f(void); int main(void) { if (f()) reach_error(); }",
        "void f(int *); int main(void) { f(&x); if (x) reach_error(); }",
        "int *keep; void f(int **); int main(void) { keep = &x; f(&keep); if (x) reach_error(); }",
        "extern int y; void f(void); int main(void) { int z = y; f(); if (y != z) reach_error(); }",
        "struct s { int a; }; struct s f(void); int main(void) { struct s s = f(); if (s.a) reach_error(); }",
        "void f(void (*)(void)); void g(void) { x = 1; } int main(void) { f(g); if (x) reach_error(); }",
    ] {
        let (_, run) = check(matters, &[]);
        assert!(run.code == Some(2) && run.stderr.contains("E0710"), "{matters}: {run:?}");
    }
}
