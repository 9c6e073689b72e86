//! `throng convert` on Boolean programs: as systems, with numbers for labels, and what is refused.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::Place;

/// A lock with a test and a set, in one step or in two.
fn lock(open: &str, close: &str) -> String {
    format!(
        "decl lock, busy; // a comment\nmain() begin lock, busy := 0, 0; L: if * then ASYNC_1: f(); goto L, E; fi; E: skip; end
         void f() begin {open} assume(!lock); lock := 1; {close} assert(!busy); busy := 1; busy := 0; lock := 0; end"
    )
}

fn programs() -> Place {
    let place = Place::new();
    place.write("good.bp", &lock("atomic_begin;", "atomic_end;"));
    place.write("bad.bp", &lock("", ""));
    place
}

#[test]
fn programs_keep_their_verdicts_as_systems() {
    let place = programs();
    for (name, code) in [("good", 0), ("bad", 10)] {
        let (program, tts, init) = (format!("{name}.bp"), format!("{name}.tts"), format!("{name}.init"));
        assert_eq!(place.run(&["check", &program]).code, Some(code));
        let run = place.run(&["convert", &program, &tts]);
        assert_eq!(run.code, Some(0), "{run:?}");
        let run = place.run(&["check", &tts, "--init", &init]);
        assert_eq!(run.code, Some(code), "{run:?}");
        let spec = format!("{name}.spec");
        assert_eq!(place.run(&["convert", &program, &spec]).code, Some(0));
        assert_eq!(place.run(&["check", &spec]).code, Some(code));
    }
}

#[test]
fn the_question_is_part_of_the_system() {
    let place = programs();
    let run = place.run(&["convert", "bad.bp", "one.tts", "--label", "E", "--init-threads", "any"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(place.run(&["check", "one.tts"]).code, Some(10));
    let run = place.run(&["convert", "bad.bp", "x.tts", "--label", "F"]);
    assert!(run.code == Some(2) && run.stderr.contains("no label `F`"), "{run:?}");
}

#[test]
fn labels_become_numbers_and_programs_stay_programs() {
    let place = programs();
    for to in ["again.bp", "again.nbp"] {
        assert_eq!(place.run(&["convert", "bad.bp", to]).code, Some(0));
        assert_eq!(place.run(&["check", to]).code, Some(10), "{to}");
    }
    let run = place.run(&["convert", "good.bp", "-", "--to", "nbp"]);
    assert!(run.stdout.contains("  1: if * then\n    2: start_thread f();\n    goto 1, 3;\n"), "{run:?}");
    assert!(!run.stdout.contains("ASYNC") && !run.stdout.contains("comment"), "{run:?}");
    let run = place.run(&["convert", "again.nbp", "-", "--to", "bp"]);
    assert!(run.stdout.contains("goto 1, 3;"), "{run:?}");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let place = programs();
    let names: Vec<String> = (0..40).map(|i| format!("v{i}")).collect();
    place.write("large.bp", &format!("decl {}; main() begin assert(v0); end", names.join(", ")));
    let run = place.run(&["convert", "large.bp", "large.tts"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("error[E0541]") && run.stderr.contains("40 shared and 0 local"), "{run:?}");
    let run = place.run(&["convert", "mutex.tts", "mutex.bp"]);
    assert!(run.code == Some(2) && run.stderr.contains("error[E0540]"), "{run:?}");
    let run = place.run(&["convert", "mutex.tts", "mutex.spec", "--init-threads", "any"]);
    assert!(run.code == Some(2) && run.stderr.contains("Boolean programs only"), "{run:?}");
    let run = place.run(&["convert", "good.bp", "good.xyz"]);
    assert!(run.code == Some(1) && run.stderr.contains("--to"), "{run:?}");
}
