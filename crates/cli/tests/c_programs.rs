//! C programs through `throng`: the corpus in `tests/c` with its verdicts, refusals, and what is shown.
//!
//! Unsafe programs have to be found, with evidence that `throng check` itself has checked; safe ones may not be called
//! unsafe, within a bound that keeps the tests short. Those whose column `proved` says so have to be proved.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{Place, Run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Seconds for a safe program: nothing depends on how far the search comes.
const SAFE_SECONDS: &str = "1s";
/// Seconds after which an unsafe program counts as not found. Generous: what is fast is measured in `bench/`.
const UNSAFE_SECONDS: &str = "300s";

/// Seconds for a proof that the index demands, which takes a fraction of that on an idle machine.
const PROOF_SECONDS: &str = "300s";

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c")
}

fn throng(arguments: &[&str], directory: &Path) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    Run::from(command.args(arguments).current_dir(directory).stdin(Stdio::null()).output().unwrap())
}

/// A line of an index.
struct Program {
    file: String,
    expected: String,
    atomicity: String,
    options: Vec<String>,
    /// In steps of which kind it is proved: `any`, `access`, `statement`, or none.
    proved: String,
}

fn index(folder: &Path) -> Vec<Program> {
    let mut reader = csv::Reader::from_path(folder.join("index.csv")).unwrap();
    let headers = reader.headers().unwrap().clone();
    let rows = reader.records().map(|record| {
        let record = record.unwrap();
        let field = |name: &str| {
            let column = headers.iter().position(|header| header == name);
            column.map(|column| record[column].to_owned()).unwrap_or_default()
        };
        let options = field("options").split_whitespace().map(str::to_owned).collect();
        let [file, expected, atomicity, proved] = ["file", "expected", "atomicity", "proved"].map(field);
        Program { file, expected, atomicity, options, proved }
    });
    rows.collect()
}

/// Checks the programs of a folder that are expected to be so, in the setting where the index says so.
fn check_all(folder: &Path, expected: &str, seconds: &str) -> Vec<(Program, Run)> {
    let programs = index(folder).into_iter().filter(|program| program.expected == expected);
    let runs = programs.map(|program| {
        let mut arguments = vec!["check", &program.file, "-q", "--timeout", seconds];
        let chosen = program.options.iter().any(|option| option.starts_with("--atomicity"));
        if program.atomicity == "statement" && !chosen {
            arguments.extend(["--atomicity", "statement"]);
        }
        arguments.extend(program.options.iter().map(String::as_str));
        let run = throng(&arguments, folder);
        (program, run)
    });
    runs.collect()
}

fn assert_found(folder: &Path) {
    let runs = check_all(folder, "unsafe", UNSAFE_SECONDS);
    assert!(!runs.is_empty());
    let missed: Vec<String> = runs
        .iter()
        .filter(|(_, run)| run.code != Some(10))
        .map(|(program, run)| format!("{}: {:?} {}{}", program.file, run.code, run.last_line(), run.stderr))
        .collect();
    assert!(missed.is_empty(), "{} of {}:\n{}", missed.len(), runs.len(), missed.join("\n"));
}

fn assert_not_accused(folder: &Path) {
    let runs = check_all(folder, "safe", SAFE_SECONDS);
    assert!(!runs.is_empty());
    let accused: Vec<String> = runs
        .iter()
        .filter(|(_, run)| !matches!(run.code, Some(0 | 5)))
        .map(|(program, run)| format!("{}: {:?} {}{}", program.file, run.code, run.stdout, run.stderr))
        .collect();
    assert!(accused.is_empty(), "{} of {}:\n{}", accused.len(), runs.len(), accused.join("\n"));
}

#[test]
fn every_broken_program_is_found() {
    assert_found(&corpus());
}

#[test]
fn every_broken_feature_is_found() {
    assert_found(&corpus().join("features"));
}

#[test]
fn no_safe_program_is_called_unsafe() {
    assert_not_accused(&corpus());
}

#[test]
fn no_safe_feature_is_called_unsafe() {
    assert_not_accused(&corpus().join("features"));
}

/// Proves every program whose column `proved` says that it is proved in steps of this kind. One job does the same each time, so
/// that a proof is lost by a change of throng and not by the load of a machine.
fn assert_proved(atomicity: &str) {
    let folder = corpus();
    let programs: Vec<Program> = index(&folder);
    let wanted: Vec<&Program> =
        programs.iter().filter(|program| program.proved == "any" || program.proved == atomicity).collect();
    assert!(wanted.len() > 30, "the column `proved` is empty");
    let lost = wanted.iter().filter_map(|program| {
        let mut arguments = vec!["check", &program.file, "-q", "--jobs", "1", "--timeout", PROOF_SECONDS];
        arguments.extend(["--atomicity", atomicity]);
        arguments.extend(program.options.iter().map(String::as_str));
        let run = throng(&arguments, &folder);
        let is_proved = run.code == Some(0) && run.last_line() == "verdict: safe";
        (!is_proved).then(|| format!("{}: {:?} {}{}", program.file, run.code, run.last_line(), run.stderr))
    });
    let lost: Vec<String> = lost.collect();
    assert!(lost.is_empty(), "{} of {} proofs are lost:\n{}", lost.len(), wanted.len(), lost.join("\n"));
}

#[test]
fn no_proof_is_lost_in_steps_of_accesses() {
    assert_proved("access");
}

#[test]
fn no_proof_is_lost_in_steps_of_statements() {
    assert_proved("statement");
}

#[test]
fn a_wrapping_ticket_lock_is_not_called_safe() {
    let runs = check_all(&corpus(), "unknown", SAFE_SECONDS);
    assert!(!runs.is_empty());
    for (program, run) in runs {
        assert_eq!(run.code, Some(5), "{}: {run:?}", program.file);
    }
}

/// What the first line of a file in `refusals/` says: the word, what is there, and the line.
fn demanded(path: &Path) -> (String, u64) {
    let text = std::fs::read_to_string(path).unwrap();
    let first = text.lines().next().unwrap().trim_start_matches("//").trim().to_owned();
    let (word, rest) = first.split_once(':').unwrap();
    let line = rest.rsplit_once("at line ").unwrap().1.trim().parse().unwrap();
    (word.to_owned(), line)
}

#[test]
fn what_is_not_modelled_is_refused_at_its_place() {
    let folder = corpus().join("refusals");
    let mut wrong = Vec::new();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(files.len() > 30);
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let (word, line) = demanded(&path);
        let mut arguments = vec!["check", &name, "-q", "--timeout", SAFE_SECONDS];
        if name.contains("havoc") {
            arguments.push("--havoc-calls");
        }
        let run = throng(&arguments, &folder);
        let is_right = match word.as_str() {
            // What is missing from the whole program has no line.
            "refused" if line == 0 => run.code == Some(2) && run.stderr.contains("error[E0"),
            "refused" => run.code == Some(2) && run.stderr.contains(&format!("{name}:{line}:")),
            "undefined" => {
                // The sentence may be broken into lines.
                let place = format!("({name}:{line}).");
                let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
                let sentence = words.split("undefined behaviour: ").nth(1);
                run.code == Some(10) && sentence.is_some_and(|it| it.contains(&place))
            }
            "ledger" => {
                let is_told =
                    run.stdout.contains("What this rests on:") || run.stdout.starts_with("assuming: ");
                run.code != Some(2) && is_told
            }
            _ => matches!(run.code, Some(0 | 5 | 10)),
        };
        if !is_right {
            wrong.push(format!(
                "{name} ({word} at line {line}): {:?}\n{}{}",
                run.code,
                run.last_line(),
                run.stderr
            ));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

const RACE: &str = "\
#include <assert.h>
#include <pthread.h>

int count;

void *worker(void *argument)
{
    int seen = count;
    count = seen + 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
";

fn race() -> Place {
    let place = Place::new();
    place.write("race.c", RACE);
    place
}

#[test]
fn an_interleaving_has_lines_threads_statements_and_values() {
    let run = race().run(&["check", "race.c"]);
    assert_eq!((run.code, run.last_line()), (Some(10), "verdict: unsafe"), "{run:?}");
    assert!(run.stdout.contains("3 threads reach a failing assertion"), "{run:?}");
    assert!(run.stdout.contains("seen = count"), "{run:?}");
    assert!(run.stdout.contains("shared count=1"), "{run:?}");
    assert!(run.stdout.contains("new thread 2 in worker"), "{run:?}");
    assert!(run.stdout.contains("The independent checker accepted this interleaving."), "{run:?}");
    assert!(run.stdout.contains("count == 2"), "{run:?}");
}

#[test]
fn an_interleaving_is_replayed_and_checked_again() {
    let place = race();
    let run = place.run(&["check", "race.c", "--evidence", "trace.json"]);
    assert_eq!(run.code, Some(10), "{run:?}");
    let again = place.run(&["replay", "trace.json", "race.c"]);
    assert_eq!(again.code, Some(10), "{again:?}");
    assert!(again.stdout.contains("count == 2"), "{again:?}");
    // The same steps in a program where they do nothing wrong are no evidence.
    place.write("race.c", &RACE.replace("count == 2", "count >= 1"));
    let other = place.run(&["replay", "trace.json", "race.c"]);
    assert_eq!(other.code, Some(2), "{other:?}");
}

#[test]
fn json_results_follow_the_schema() {
    let run = race().run(&["check", "race.c", "--format", "json"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/result-v1.schema.json");
    let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {document:#}");
    assert_eq!(document["trace"]["threads"], 3);
}

#[test]
fn several_files_are_one_program() {
    let place = Place::new();
    place.write("a.c", "int get(void);\nvoid reach_error(void);\nint main(void) { if (get() == 7) reach_error(); return 0; }\n");
    place.write("b.c", "static int seven = 7;\nint get(void) { return seven; }\n");
    assert_eq!(place.run(&["check", "a.c", "b.c"]).code, Some(10));
    let alone = place.run(&["check", "a.c"]);
    assert_eq!(alone.code, Some(2), "{alone:?}");
    assert!(alone.stderr.contains("get"), "{alone:?}");
}

#[test]
fn macros_and_properties_come_from_the_command_line() {
    let place = Place::new();
    place.write(
        "m.c",
        "void reach_error(void);\nvoid other(void) {}\n#include <assert.h>\n\
         int main(void) { assert(LIMIT < 3); if (LIMIT == 2) reach_error(); return 0; }\n",
    );
    place.write("r.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    assert_eq!(place.run(&["check", "m.c", "-DLIMIT=2"]).code, Some(10));
    assert_eq!(place.run(&["check", "m.c", "-DLIMIT=4"]).code, Some(10));
    assert_ne!(
        place.run(&["check", "m.c", "-DLIMIT=4", "--property", "r.prp", "--timeout", "1s"]).code,
        Some(10)
    );
    assert_eq!(place.run(&["check", "m.c", "-DLIMIT=2", "--property", "r.prp"]).code, Some(10));
}

#[test]
fn flags_of_c_are_refused_for_others() {
    let run = race().run(&["check", "mutex.tts", "--atomicity", "statement"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("C programs only"), "{run:?}");
}

#[test]
fn codes_are_explained() {
    let place = Place::new();
    let list = place.run(&["explain"]);
    assert_eq!(list.code, Some(0), "{list:?}");
    for line in list.stdout.lines() {
        let code = line.split_whitespace().next().unwrap();
        let page = place.run(&["explain", code]);
        assert_eq!(page.code, Some(0), "{page:?}");
        assert!(page.stdout.lines().count() > 2, "{page:?}");
    }
    assert_eq!(place.run(&["explain", "E9999"]).code, Some(1));
}

#[test]
fn graphs_of_threads_are_drawn() {
    let run = race().run(&["graph", "race.c"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("digraph") && run.stdout.contains("thread function worker"), "{run:?}");
}
