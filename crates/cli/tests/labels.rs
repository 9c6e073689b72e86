//! Several threads at labels at the same time: `--label CS*2`, `--label A,B`.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use std::path::PathBuf;
use throng_base::Budget;
use throng_input::flags::CFlags;

/// A lock; `TAKE` says how it is taken. `SECTION` is inside of an atomic section, `BEFORE` and `AFTER` are outside.
const LOCK: &str = "\
#include <pthread.h>
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
int lock, x;
void *worker(void *argument)
{
BEFORE:
    TAKE
CS: x++;
    __atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
    __CPROVER_atomic_begin();
SECTION:
    x = 0;
    __CPROVER_atomic_end();
AFTER:
    return argument;
}
int main(void)
{
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, worker, 0);
}
";

/// The same lock as a Boolean program.
const PROGRAM: &str = "\
decl lock;
void main() begin
  lock := 0;
  while * do
    start_thread worker();
  od;
end
void worker() begin
  BEFORE: skip;
  atomic_begin; assume(!lock); lock := 1; atomic_end;
  CS: skip;
  lock := 0;
  AFTER: skip;
end
";

fn place() -> Place {
    let place = Place::new();
    place.write("lock.c", &LOCK.replace("TAKE", "while (__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST)) ;"));
    let open =
        "while (__atomic_load_n(&lock, __ATOMIC_SEQ_CST)) ; __atomic_store_n(&lock, 1, __ATOMIC_SEQ_CST);";
    place.write("open.c", &LOCK.replace("TAKE", open));
    place.write("lock.bp", PROGRAM);
    place
}

/// By its whole path: places in evidence have the name that was given.
fn ask(place: &Place, file: &str, label: &str) -> Run {
    let file = place.path(file).display().to_string();
    place.run(&["check", &file, "--label", label, "--evidence", "e.json", "-q"])
}

/// Whether the checker, which reads the program by itself, accepts the evidence for this question, and rejects it for another.
fn accepts(place: &Place, file: &str, label: &str) -> bool {
    let document = throng_cert::read(&std::fs::read(place.path("e.json")).unwrap()).unwrap();
    let files: Vec<PathBuf> = vec![place.path(file)];
    let (program, _) = CFlags::default().read(&files, &[label.to_owned()], None, false).unwrap();
    throng_check::c::check_c(&program, &document, &Budget::unlimited()).is_ok()
}

#[test]
fn threads_of_c_programs_are_counted_at_labels() {
    let place = place();
    for (file, label, verdict, threads) in [
        ("lock.c", "CS*2", "safe", ""),
        ("open.c", "CS*2", "unsafe", "3 threads"),
        ("lock.c", "AFTER*3", "unsafe", "4 threads"),
        ("lock.c", "BEFORE, AFTER", "unsafe", "3 threads"),
        // In an atomic section is one thread at most, but others may be elsewhere meanwhile, whoever came first.
        ("lock.c", "SECTION*2", "safe", ""),
        ("lock.c", "SECTION,AFTER", "unsafe", "3 threads"),
        ("lock.c", "CS,SECTION", "unsafe", "3 threads"),
        ("lock.c", "AFTER,CS,SECTION", "unsafe", "4 threads"),
    ] {
        let run = ask(&place, file, label);
        assert_eq!(run.last_line(), format!("verdict: {verdict}"), "{file} {label}: {run:?}");
        assert!(run.stdout.contains(threads), "{file} {label}: {run:?}");
        assert!(accepts(&place, file, label), "{file} {label}");
        if verdict == "unsafe" {
            assert!(run.stdout.contains("at the same time"), "{run:?}");
            assert!(!accepts(&place, file, "CS*3"), "{file} {label}");
        }
    }
}

#[test]
fn threads_of_boolean_programs_are_counted_at_labels() {
    let place = place();
    for (label, verdict) in [
        ("CS*2", "safe"),
        ("CS*1", "unsafe"),
        ("AFTER*3", "unsafe"),
        ("CS,AFTER*2", "unsafe"),
        ("BEFORE,CS*2", "safe"),
    ] {
        let run = ask(&place, "lock.bp", label);
        assert_eq!(run.last_line(), format!("verdict: {verdict}"), "{label}: {run:?}");
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let place = place();
    for file in ["lock.c", "lock.bp"] {
        for (label, message) in [
            ("NOPE*2", "no label"),
            ("CS,NOPE", "no label"),
            ("CS*0", "E0524"),
            ("CS,", "E0524"),
            ("CS*65", "at most 64 threads"),
        ] {
            let run = ask(&place, file, label);
            assert_eq!(run.code, Some(2), "{file} {label}: {run:?}");
            assert!(run.stderr.contains(message), "{file} {label}: {run:?}");
        }
    }
    place.run(&["check", "open.c", "--label", "CS*2", "--evidence", "e.json", "-q"]);
    let run = place.run(&["replay", "e.json", "open.c", "--export", "test.c"]);
    assert!(run.code == Some(2) && run.stderr.contains("E0917"), "{run:?}");
}
