//! The loop proves what it should, with relations of every exactness, and for a bounded number of threads only that.

#[path = "../../explore/tests/common/mod.rs"]
mod common;

use common::{naive, random};
use std::path::Path;
use std::time::Duration;
use throng_base::{Budget, Limits, Source};
use throng_boolprog::{InitThreads, ProgramQuestion};
use throng_c_front::lower::{Options as Reading, read, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::Program;
use throng_check::c::check_invariant;
use throng_engine::{Answer, EngineKind, Silent};
use throng_prove::{Event, Finding, Options, Outcome, prepare, verify};
use throng_symbolic::ProgramSystem;

/// Threads of this function, any number of them, after these declarations.
fn threads(declarations: &str, body: &str) -> Program {
    let text = format!(
        "void __CPROVER_assert(_Bool, const char *); void __CPROVER_assume(_Bool);\n\
         void __CPROVER_atomic_begin(void); void __CPROVER_atomic_end(void);\n\
         {declarations}\nvoid thread(void) {{ {body} }}\n\
         int main(void) {{ while (1) {{ __CPROVER_ASYNC_1: thread(); }} }}\n"
    );
    let read = read_text("test.c", &text, &Preprocessing::default(), &Reading::default());
    read.expect("the program is read").0
}

/// Runs the loop; an invariant is checked. With how often steps were refined.
fn run(program: &Program, change: impl Fn(&mut Options), budget: &Budget) -> (Outcome, usize) {
    let prepared = prepare(program);
    let mut options = Options { houdini: false, ..Options::new(&prepared.program) };
    change(&mut options);
    let mut refined = 0;
    let outcome = verify(program, &prepared, &options, budget, &mut |event| {
        if let Event::Iteration(it) = event {
            refined += usize::from(matches!(it.found, Finding::Interleaving { refined: 1.., .. }));
        }
    });
    if let Outcome::Safe { invariant, .. } = &outcome {
        check_invariant(&prepared.program, invariant, &Budget::unlimited()).expect("the proof is right");
    }
    (outcome, refined)
}

/// A counter under a lock only grows.
fn counter() -> Program {
    threads(
        "_Bool m = 0; unsigned char value = 0;",
        "unsigned char v;
         __CPROVER_atomic_begin(); __CPROVER_assume(!m); m = 1; __CPROVER_atomic_end();
         if (value != 255) { v = value; value = v + 1; m = 0; __CPROVER_assert(value > v, \"\"); }
         else { m = 0; }",
    )
}

#[test]
fn every_exactness_proves_the_counter() {
    let program = counter();
    for (max_models, max_cube_length) in [(4096, 0), (0, 3), (0, 2), (0, 1), (0, 0)] {
        let (outcome, refined) = run(
            &program,
            |it| (it.max_models, it.max_cube_length) = (max_models, max_cube_length),
            &Budget::unlimited(),
        );
        assert!(matches!(outcome, Outcome::Safe { .. }), "{max_models} {max_cube_length}: {outcome:?}");
        // With all models there is nothing to learn; with no clauses, there is no other way.
        match (max_models, max_cube_length) {
            (4096, _) => assert_eq!(refined, 0),
            (_, 0) => assert_ne!(refined, 0),
            _ => {}
        }
    }
}

/// The ticket lock, with 8 bits: once, and in an endless loop where tickets are taken in two steps of one section.
fn ticket_locks() -> [Program; 2] {
    let declarations = "unsigned char s = 0, t = 0; _Bool inside = 0;";
    let take =
        "__CPROVER_atomic_begin(); __CPROVER_assume(t != 255); m = t; t = m + 1; __CPROVER_atomic_end();";
    let section = "while (s != m) ; __CPROVER_assert(inside == 0, \"\"); inside = 1; inside = 0; s = s + 1;";
    let once = threads(declarations, &format!("unsigned char m; {take} {section}"));
    let for_ever = threads(declarations, &format!("unsigned char m; while (1) {{ {take} {section} }}"));
    [once, for_ever]
}

#[test]
fn the_loop_finds_what_proves_ticket_locks() {
    for program in ticket_locks() {
        let (outcome, _) = run(&program, |_| {}, &Budget::unlimited());
        let Outcome::Safe { invariant, .. } = outcome else { panic!("{outcome:?}") };
        let counts = throng_prove::counts(&invariant.predicates, &prepare(&program).program);
        assert!(counts.inter_thread > 0 && counts.universal > 0, "{counts:?}");
    }
}

/// That a counter is beyond what was read from it is found for all threads first. The closure loses that, since a reader that cannot follow
/// vanishes, so it has to be found for threads one by one.
#[test]
fn the_loop_proves_a_sequence_lock() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/seqlock.c");
    let program = read(&[path], &Preprocessing::default(), &Reading::default()).expect("it is read").0;
    let (outcome, _) = run(&program, |_| {}, &Budget::unlimited());
    assert!(matches!(outcome, Outcome::Safe { .. }), "{outcome:?}");
}

/// What engines say about an abstract program's text.
fn decide(text: &str) -> Answer {
    let source = Source::from_text("abstract.bp", text);
    let program =
        throng_boolprog::read(&source).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0])).program;
    let question = ProgramQuestion::assertions(&program, InitThreads::Exactly(1));
    let system = ProgramSystem::new(&program, question).expect("statements are small");
    system.decide(EngineKind::Auto, &throng_engine::Options::default(), &Budget::unlimited(), &Silent).answer
}

/// Every abstract program but the last has an interleaving: also its text, whose threads start.
#[test]
fn texts_of_abstract_programs_say_the_same() {
    let program = counter();
    let prepared = prepare(&program);
    let options = Options { houdini: false, ..Options::new(&prepared.program) };
    let mut texts = Vec::new();
    let outcome = verify(&program, &prepared, &options, &Budget::unlimited(), &mut |event| {
        if let Event::AbstractProgram(text) = event {
            texts.push(text);
        }
    });
    assert!(matches!(outcome, Outcome::Safe { .. }), "{outcome:?}");
    let (last, others) = texts.split_last().expect("there are turns");
    assert!(!others.is_empty(), "nothing is proved without predicates");
    for text in others {
        assert!(matches!(decide(text), Answer::Unsafe(_)), "{text}");
    }
    assert!(matches!(decide(last), Answer::Safe(_)), "{last}");
}

#[test]
fn a_bound_on_threads_is_no_proof_for_more() {
    // Two threads of the function are needed, so three in all.
    let program = threads(
        "unsigned char n = 0;",
        "unsigned char old = n; n = old + 1; __CPROVER_assert(n <= 1, \"\");",
    );
    let bounded = |n: u32| run(&program, |it| it.threads = Some(n), &Budget::unlimited()).0;
    for n in [1, 2] {
        assert!(matches!(bounded(n), Outcome::SafeUpTo { threads, .. } if threads == n), "{n}");
    }
    for n in [3, 4] {
        assert!(matches!(bounded(n), Outcome::Unsafe { .. }), "{n}");
    }
    assert!(matches!(run(&program, |_| {}, &Budget::unlimited()).0, Outcome::Unsafe { .. }));
}

#[test]
fn answers_about_random_programs_are_right() {
    let number = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (first, count) = (number("CEGAR_SEED", 1), number("CEGAR_COUNT", 40));
    let (mut n_safe, mut n_bounded, mut n_unsafe) = (0, 0, 0);
    // In the last one, threads with the code of the first one are started.
    for seed in (first..first + count).chain([1052]) {
        let program = random::program(&mut random::Random::new(seed));
        let reaches = |n: u32| naive::reaches_error(&program, n as usize, 30_000);
        for bound in [None, Some(2), Some(3)] {
            let budget = Budget::unlimited();
            let _watchdog =
                budget.watch(Limits { time: Some(Duration::from_secs(3)), memory: None }, || None);
            match run(&program, |it| it.threads = bound, &budget).0 {
                Outcome::Safe { .. } => {
                    n_safe += 1;
                    assert!(
                        (1..=3).all(|n| reaches(n) != Some(true)),
                        "seed {seed}: an unsafe program is proved"
                    );
                }
                Outcome::SafeUpTo { threads, .. } => {
                    n_bounded += 1;
                    assert_eq!(Some(threads), bound, "seed {seed}");
                    assert_ne!(reaches(threads), Some(true), "seed {seed}: unsafe with {threads} threads");
                }
                Outcome::Unsafe { .. } => {
                    n_unsafe += 1;
                    let is_wrong = bound.is_some_and(|n| reaches(n) == Some(false));
                    assert!(!is_wrong, "seed {seed}: safe with {bound:?} threads");
                }
                Outcome::GaveUp { .. } | Outcome::Stopped { .. } => {}
            }
        }
    }
    println!("{n_safe} safe, {n_bounded} safe up to a bound, {n_unsafe} unsafe, of {count}");
    assert!(
        n_safe > 0 && n_bounded > 0 && n_unsafe > 0,
        "all kinds occur: {n_safe}, {n_bounded}, {n_unsafe}"
    );
}
