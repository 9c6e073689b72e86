//! The corpus in `tests/c` for real: every bug is put into the program's own text, compiled and run, and has to happen; invariants
//! of safe programs are tested in random schedules of the compiled program. Where it does not, the front end is wrong or the export
//! is: both are bugs of ours.
//!
//! Without a C compiler the tests say so and do nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod common;

use common::Run;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c")
}

fn throng(arguments: &[&str], directory: &Path) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    Run::from(command.args(arguments).current_dir(directory).stdin(Stdio::null()).output().unwrap())
}

fn has_compiler() -> bool {
    let is_there = throng_export::compiler().is_some();
    if !is_there {
        println!("skipped: there is no C compiler, so nothing is compiled and run");
    }
    is_there
}

/// The programs with this verdict, with their folders and options.
fn programs(expected: &str) -> Vec<(PathBuf, String, Vec<String>)> {
    let mut all = Vec::new();
    for folder in [corpus(), corpus().join("features")] {
        let mut reader = csv::Reader::from_path(folder.join("index.csv")).unwrap();
        let headers = reader.headers().unwrap().clone();
        for record in reader.records().map(Result::unwrap) {
            let field =
                |name: &str| record[headers.iter().position(|header| header == name).unwrap()].to_owned();
            let mut options: Vec<String> = field("options").split_whitespace().map(str::to_owned).collect();
            if field("atomicity") == "statement" && !options.iter().any(|it| it.starts_with("--atomicity")) {
                options.extend(["--atomicity".to_owned(), "statement".to_owned()]);
            }
            if field("expected") == expected {
                all.push((folder.clone(), field("file"), options));
            }
        }
    }
    all
}

/// Does something with all programs, two at a time; what it complains about.
fn for_all(
    programs: Vec<(PathBuf, String, Vec<String>)>,
    each: impl Fn(&Path, &str, &[String]) -> Option<String> + Sync,
) -> Vec<String> {
    let open = Mutex::new(programs);
    let complaints = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some((folder, file, options)) = open.lock().unwrap().pop() else { return };
                    if let Some(complaint) = each(&folder, &file, &options) {
                        complaints.lock().unwrap().push(format!("{file}: {complaint}"));
                    }
                }
            });
        }
    });
    complaints.into_inner().unwrap()
}

/// What cannot be forced, and how that is told: a statement that is no C, and jumps past declarations, whose variables get arbitrary
/// values that the text has no place for; what library functions,
/// unknown functions and missing results leave in memory; a library function that our model fails in; a destructor and an error
/// function that the text of the program alone does not have; `asm` with operands; halves of values wider than a machine word, which
/// a statement accesses; when `pthread_create` stores the number of a thread, and library functions what they write, within the call; undefined behaviour that
/// compiled programs need not show: uses of variables after their life, pointers to different variables.
const NOT_FORCED: [(&str, i32, &str); 36] = [
    ("wide-carry.c", 5, "not reproduced"),
    ("wide-torn.c", 5, "not reproduced"),
    ("thread-number-late.c", 5, "not reproduced"),
    ("thread-dead-function.c", 5, "not reproduced"),
    ("thread-dead-block.c", 5, "not reproduced"),
    ("pointers-subtracted.c", 5, "not reproduced"),
    ("pointers-ordered.c", 5, "not reproduced"),
    ("order-library.c", 5, "not reproduced"),
    ("havoc-order.c", 5, "not reproduced"),
    ("havoc-linked.c", 5, "not as in the interleaving"),
    ("havoc-again.c", 5, "not as in the interleaving"),
    ("cv-var-order.c", 2, "E0916"),
    ("goto-past-declaration.c", 5, "not as in the interleaving"),
    ("switch-past-declaration.c", 5, "not as in the interleaving"),
    ("strcmp-sign.c", 5, "not as in the interleaving"),
    ("scanf-writes.c", 5, "not reproduced"),
    ("scanf-text.c", 5, "not as in the interleaving"),
    ("rand-r-writes.c", 5, "not reproduced"),
    ("missing-return-thread.c", 5, "not as in the interleaving"),
    ("missing-return-struct.c", 5, "not reproduced"),
    ("havoc-escaped.c", 5, "not as in the interleaving"),
    ("havoc-transitive.c", 5, "not as in the interleaving"),
    ("volatile-nondet-struct.c", 5, "cannot be compiled"),
    ("error-function-thread.c", 5, "cannot be compiled"),
    ("destructor-after-atexit.c", 5, "not reproduced"),
    ("check-overflow-abs.c", 5, "not reproduced"),
    ("asm-output.c", 5, "cannot be compiled"),
    ("volatile-inner.c", 5, "not as in the interleaving"),
    ("havoc-const.c", 5, "not reproduced"),
    // Undefined behaviour: the compiled program may go on as if nothing were, or end by a signal.
    ("pointer-outside.c", 5, "not reproduced"),
    ("dangling-loop.c", 5, "not as in the interleaving"),
    ("dangling-expression.c", 5, "not reproduced"),
    ("dangling-call.c", 5, "not reproduced"),
    ("constant-variable.c", 5, "not reproduced"),
    ("constant-string.c", 5, "not reproduced"),
    ("call-null-wrong.c", 5, "not reproduced"),
];

/// What cannot be monitored as it is: programs that define what the monitor needs for itself, or whose attributes and library models
/// the instrumented text does not keep. As they stand, the compiled programs do what is proved.
const NOT_MONITORED: [&str; 6] = [
    "weak-definition.c",
    "own-definitions.c",
    "on-exit.c",
    "layout-attributes.c",
    "c11-recursive.c",
    "pthread-barrier.c",
];

#[test]
fn every_bug_happens_in_the_compiled_program() {
    if !has_compiler() {
        return;
    }
    let programs = programs("unsafe");
    assert!(programs.len() > 100);
    let complaints = for_all(programs, |folder, file, options| {
        let place = tempfile::tempdir().unwrap();
        let evidence = place.path().join("trace.json").display().to_string();
        let mut arguments = vec!["check", file, "-q", "--timeout", "60s", "--evidence", &evidence];
        arguments.extend(options.iter().map(String::as_str));
        let found = throng(&arguments, folder);
        if found.code != Some(10) {
            return Some(format!("not found: {:?} {}", found.code, found.stderr));
        }
        let run = throng(&["replay", &evidence, file, "--run"], folder);
        match NOT_FORCED.iter().find(|known| known.0 == file) {
            Some(&(_, code, said)) => {
                let is_told =
                    run.code == Some(code) && (run.stdout.contains(said) || run.stderr.contains(said));
                (!is_told).then(|| format!("expected {said}: {:?} {}{}", run.code, run.stdout, run.stderr))
            }
            None => (run.code != Some(10)).then(|| format!("{:?} {}{}", run.code, run.stdout, run.stderr)),
        }
    });
    assert!(complaints.is_empty(), "{}:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn invariants_hold_in_random_schedules() {
    if !has_compiler() {
        return;
    }
    let start = Instant::now();
    let tested = Mutex::new((0, 0));
    let complaints = for_all(programs("safe"), |folder, file, options| {
        // So many as there is time for; the last ones of the list are small.
        if start.elapsed() > Duration::from_secs(45) || NOT_MONITORED.contains(&file) {
            return None;
        }
        let place = tempfile::tempdir().unwrap();
        let evidence = place.path().join("proof.json").display().to_string();
        // The whole race would explore small programs: what is tested here are invariants.
        let mut arguments = vec!["check", file, "-q", "--engine", "houdini", "--timeout", "2s"];
        arguments.extend(["--evidence", &evidence]);
        arguments.extend(options.iter().map(String::as_str));
        if throng(&arguments, folder).code != Some(0) {
            return None;
        }
        let run =
            throng(&["explain", &evidence, file, "--run", "--seeds", "4", "--run-timeout", "20"], folder);
        match run.code {
            Some(0) => {
                let states =
                    run.stdout.split("with ").nth(1).and_then(|rest| rest.split(' ').next()?.parse().ok());
                let mut tested = tested.lock().unwrap();
                *tested = (tested.0 + 1, tested.1 + states.unwrap_or(0));
                None
            }
            // Not every compiler can make programs of 32 bits.
            Some(5) if options.iter().any(|option| option == "--ilp32") => None,
            // Nothing came to its end in time.
            Some(5) if run.stdout.contains("0 schedules") => None,
            // What cannot be tested is told with a code.
            Some(2) if run.stderr.contains("E0916") || run.stderr.contains("E0917") => None,
            _ => Some(format!("{:?} {}{}", run.code, run.stdout, run.stderr)),
        }
    });
    assert!(complaints.is_empty(), "{}:\n{}", complaints.len(), complaints.join("\n"));
    let (programs, states) = tested.into_inner().unwrap();
    println!("{programs} invariants held in {states} states");
    assert!(programs > 10 && states > 100, "{programs} programs, {states} states");
}
