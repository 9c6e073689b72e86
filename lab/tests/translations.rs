//! Translations of the programs of the suite have the verdicts that its index says.

use std::path::Path;
use throng_base::{Budget, Source};
use throng_boolprog::{InitThreads, ProgramQuestion};
use throng_engine::{EngineKind, Options, Silent};
use throng_formats::{Format, Question, print, read_source};
use throng_lab::differential::through_json;
use throng_lab::programs::differential::question;
use throng_lab::programs::random::from_seed;
use throng_symbolic::explicit::translate;

/// The names of the suite's programs with the expected verdicts; says that the test is skipped if there are none.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn programs_of_the_suite() -> Vec<(String, String)> {
    let index = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/models/index.csv");
    let Ok(index) = std::fs::read_to_string(index) else {
        eprintln!("skipped: there is no suite of models beside the workspace");
        return Vec::new();
    };
    let rows = index.lines().map(|line| line.split(',').collect::<Vec<&str>>());
    let programs = rows.filter(|row| row[0] == "ase16" && row[3] == "bp");
    programs.map(|row| (row[2].to_owned(), row[7].to_owned())).collect()
}

/// The verdict of the engines on the translation of a program of the suite.
fn verdict(file: &str, threads: Option<InitThreads>) -> &'static str {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/models").join(file);
    let program = throng_boolprog::read(&Source::read(&path).expect("a file")).expect("a program").program;
    let threads = threads.unwrap_or_else(|| program.default_threads());
    let question = ProgramQuestion::assertions(&program, threads);
    let system = translate(&program, &question, 100_000).unwrap_or_else(|error| panic!("{file}: {error}"));
    let options = Options { jobs: 1, ..Options::default() };
    let outcome = EngineKind::Auto.run(&system, &options, &Budget::unlimited(), &Silent);
    let evidence = outcome.answer.into_evidence().expect("an answer");
    let document = through_json(&system, &evidence).expect("a document");
    throng_check::check(&system, &document).unwrap_or_else(|rejection| panic!("{file}: {rejection}"));
    document.verdict.word()
}

/// One thread starts in programs that start threads themselves, and any number in others.
#[test]
fn the_programs_of_the_suite_have_their_verdicts() {
    for (file, expected) in programs_of_the_suite() {
        assert_eq!(verdict(&file, None), expected, "{file}");
    }
}

/// Here a second thread that runs `main` undoes what the first one set up; programs that start threads mean one.
#[test]
fn one_program_of_the_suite_is_unsafe_if_any_number_of_threads_start() {
    let file = "ase16/16_QRCU-2_satabs.16.bp";
    if programs_of_the_suite().iter().any(|(name, _)| name == file) {
        assert_eq!(verdict(file, Some(InitThreads::Any)), "unsafe");
    }
}

#[test]
fn every_translation_can_be_written_and_read_as_tts() {
    for seed in 0..60 {
        let generated = from_seed(seed);
        let program = generated.read().expect("a program");
        let question = question(&program, generated.threads, seed);
        let Ok(system) = translate(&program, &question, 20_000) else { continue };
        let printed =
            print(Format::Tts, &system).unwrap_or_else(|error| panic!("{error}\n{}", generated.text));
        let companion = |extension: &str| {
            let found = printed.companions.iter().find(|(other, _)| *other == extension);
            found.map(|(_, text)| text.trim().to_owned()).into_iter().collect()
        };
        let asked = Question { init: companion("init"), target: companion("prop"), ..Question::default() };
        let again = read_source(Format::Tts, &Source::from_text("p.tts", &printed.text), &asked);
        let again = again.unwrap_or_else(|errors| panic!("{}\n{}", errors[0], printed.text)).system;
        assert_eq!(again.rules().len(), system.rules().len());
        let rules = again.rules().iter().zip(system.rules().iter());
        for ((_, a), (_, b)) in rules {
            assert_eq!((a.from, a.to, a.take, a.put), (b.from, b.to, b.take, b.put));
            assert!(a.moves().eq(b.moves()));
        }
        assert_eq!((again.initial(), again.targets()), (system.initial(), system.targets()));
    }
}

#[test]
fn states_have_readable_names_and_large_programs_are_refused() {
    let program =
        |text: &str| throng_boolprog::read(&Source::from_text("p", text)).expect("a program").program;
    let small = program(
        "decl s; main() begin decl x; start_thread f(x); end void f(a) begin atomic_begin; assert(s); end",
    );
    let question = ProgramQuestion::assertions(&small, InitThreads::Exactly(1));
    let system = translate(&small, &question, 1_000).expect("a system");
    let names =
        |names: &throng_model::Names| (0..names.len()).map(|i| names.get(i).into_owned()).collect::<Vec<_>>();
    let (shared, locals) = (names(system.shared_names()), names(system.local_names()));
    for name in ["start", "bad", "s=0", "s=1 (atomic)", "s=0 starting f:0 a=1"] {
        assert!(shared.contains(&name.to_owned()), "{name}: {shared:?}");
    }
    for name in ["gone", "error", "main:0 x=*", "main:1 x=1", "f:1 (atomic) a=0"] {
        assert!(locals.contains(&name.to_owned()), "{name}: {locals:?}");
    }
    let names: Vec<String> = (0..30).map(|i| format!("v{i}")).collect();
    let large = program(&format!("decl a, b; main() begin decl {}; assert(v3); end", names.join(", ")));
    let question = ProgramQuestion::assertions(&large, InitThreads::Any);
    assert_eq!(
        translate(&large, &question, 1_000_000).expect_err("too large").to_string(),
        "with 2 shared and 30 local variables, more than 1000000 rules or pairs of states are needed"
    );
}
