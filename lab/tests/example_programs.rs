//! The programs in `examples/programs` are what their index says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use throng_base::{Budget, Source};
use throng_boolprog::ProgramQuestion;
use throng_boolprog::flow::Program;
use throng_cert::{Header, Verdict};
use throng_check::program::check_program;
use throng_engine::{EngineKind, Options, Silent};
use throng_lab::programs::interpret::{explore, sample};
use throng_symbolic::ProgramSystem;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/programs")
}

/// The files with the expected verdicts.
fn index() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(folder().join("index.csv")).expect("an index");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("file,init,target,property,expected,story"));
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), 6, "{line}");
        (fields[0].to_owned(), fields[4].to_owned())
    };
    lines.map(row).collect()
}

/// The programs with this verdict.
fn programs(expected: &str) -> Vec<(String, Program)> {
    let files = index().into_iter().filter(|(_, verdict)| verdict == expected);
    let read = |file: String| {
        let input = throng_boolprog::read(&Source::read(&folder().join(&file)).expect("a file"));
        let input = input.unwrap_or_else(|errors| panic!("{}", errors[0]));
        assert!(input.warnings.is_empty(), "{}", input.warnings[0]);
        (file, input.program)
    };
    files.map(|(file, _)| read(file)).collect()
}

fn assertions(program: &Program) -> ProgramQuestion {
    ProgramQuestion::assertions(program, program.default_threads())
}

#[test]
fn every_program_is_listed_and_of_moderate_length() {
    let listed: BTreeSet<String> = index().into_iter().map(|(file, _)| file).collect();
    let entries = std::fs::read_dir(folder()).expect("a folder").map(|entry| entry.expect("an entry").path());
    let files = entries.filter(|path| path.extension().is_some_and(|extension| extension == "bp"));
    let mut names = BTreeSet::new();
    for path in files {
        let lines = std::fs::read_to_string(&path).expect("a file").lines().count();
        assert!((25..=80).contains(&lines), "{}: {lines} lines", path.display());
        names.extend(path.file_name().and_then(|name| name.to_str()).map(str::to_owned));
    }
    assert_eq!(names, listed);
}

#[test]
fn no_assertion_of_a_safe_program_fails_with_main_and_one_more_thread() {
    let programs = programs("safe");
    assert_eq!(programs.len(), 20);
    for (file, program) in programs {
        let explored = explore(&program, &assertions(&program), 2, 1_000_000).expect("few states");
        assert_eq!(explored.target, None, "{file}");
    }
}

#[test]
fn safe_programs_have_ten_thousand_thread_states() {
    for (file, program) in programs("safe") {
        let explored = explore(&program, &assertions(&program), 2, 1_000_000).expect("few states");
        let mut found: BTreeSet<_> = explored.depths.into_keys().collect();
        // With more threads not all are looked for, until there are enough.
        for n in [5, 4, 3] {
            if found.len() < 10_000 {
                found.extend(sample(&program, program.default_threads(), n, 8));
            }
        }
        assert!(found.len() >= 10_000, "{file}: {}", found.len());
    }
}

#[test]
fn assertions_of_unsafe_programs_fail() {
    for (file, program) in programs("unsafe") {
        let system = ProgramSystem::new(&program, assertions(&program)).expect("small statements");
        let options = Options { jobs: 1, ..Options::default() };
        let answer = system.decide(EngineKind::Auto, &options, &Budget::unlimited(), &Silent).answer;
        let evidence = answer.into_evidence().unwrap_or_else(|reason| panic!("{file}: {reason}"));
        let document = system.document(&evidence, Header::default());
        let document = document.unwrap_or_else(|why| panic!("{file}: evidence that cannot be told: {why:?}"));
        assert_eq!(document.verdict, Verdict::Unsafe, "{file}");
        let checked = check_program(&program, system.question(), &document);
        checked.unwrap_or_else(|rejection| panic!("{file}: {rejection}"));
    }
}
