//! The interpreter of Boolean programs on programs whose meaning is plain.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use throng_base::Source;
use throng_boolprog::flow::Program;
use throng_boolprog::{Cube, InitThreads, Pattern, ProgramQuestion, ThreadPattern, read};
use throng_lab::programs::interpret::{Exploration, ThreadState, explore};

const MOST_STATES: usize = 100_000;

fn program(text: &str) -> Program {
    read(&Source::from_text("p", text)).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0])).program
}

fn run(text: &str, threads: InitThreads, n: u32) -> Exploration {
    let program = program(text);
    explore(&program, &ProgramQuestion::assertions(&program, threads), n, MOST_STATES).unwrap()
}

/// The least number of steps to a failed assertion when any number of threads start, n in all.
fn fails(text: &str, n: u32) -> Option<u32> {
    run(text, InitThreads::Any, n).target
}

#[test]
fn assertions_fail_with_enough_threads_and_after_the_least_number_of_steps() {
    let lock = "decl s; main() begin assume(!s); s := 1; assert(s); s := 0; end";
    assert_eq!(fails(lock, 1), None);
    // Both pass the test, both take the lock, one leaves, and the other one's assertion fails.
    assert_eq!(fails(lock, 2), Some(7));
    let lock = "decl s; main() begin atomic_begin; assume(!s); s := 1; atomic_end; assert(s); s := 0; end";
    assert_eq!(fails(lock, 3), None);
}

#[test]
fn threads_that_are_gone_count_as_created() {
    let text = "decl s; main() begin s := 0; start_thread f(); assume(s); start_thread f(); end
        void f() begin if s then assert(0); fi; s := 1; end_thread; end";
    let least = |n: u32| run(text, InitThreads::Exactly(1), n).target;
    assert_eq!([1, 2, 3].map(|n| least(n).is_some()), [false, false, true]);
    assert_eq!(run(text, InitThreads::Exactly(2), 1).n_states, 0);
}

#[test]
fn every_thread_state_has_its_first_depth() {
    let text = "decl s; main() begin decl x; x := s; f(); end void f() begin decl y; y := 1; end";
    let program = program(text);
    let reached = run(text, InitThreads::Any, 1).depths;
    let depth = |location: &str, s: bool, locals: &[(u32, bool)]| {
        let found = reached.iter().find(|(thread, _)| {
            program.location_text(thread.location) == location
                && thread.shared == Cube::any().with(0, s)
                && thread.locals == locals.iter().copied().collect()
        });
        found.map(|(_, &depth)| depth)
    };
    assert_eq!(depth("main:0", true, &[(0, false)]), Some(0));
    assert_eq!(depth("main:1", true, &[(0, true)]), Some(1));
    assert_eq!(depth("main:1", true, &[(0, false)]), None);
    assert_eq!(depth("main:1/f:0", true, &[(0, true), (1, false)]), Some(2));
    assert_eq!(depth("main:1/f:1", false, &[(0, false), (1, true)]), Some(3));
    assert_eq!(depth("main:2", false, &[(0, false)]), Some(4));
    assert_eq!(reached.len(), 4 + 2 + 4 + 2 + 2);
}

#[test]
fn a_variable_that_others_read_is_kept_while_nobody_else_can_read_it() {
    // The thread in `main` is not in `f`, but it has an `x`, which decides whether it survives.
    let text = |before: &str| {
        format!(
            "decl s; main() begin s := 0; start_thread f(); assume(s); assert(0); end
             void f() begin decl x; {before} atomic_begin; x$ := x$ constrain x$; s := 1; atomic_end; end"
        )
    };
    let fails = |before: &str| run(&text(before), InitThreads::Exactly(1), 2).target.is_some();
    assert!(fails(""));
    assert!(fails("x$ := 1;"));
    assert!(!fails("x$ := 0;"));
}

#[test]
fn patterns_ask_for_different_threads_and_for_the_atomic_bit() {
    let text = "decl s; main() begin decl x; x := 1; atomic_begin; skip; atomic_end; end";
    let program = program(text);
    let at = |position: u32, is_atomic: bool| {
        let mut all = program.locations().iter().enumerate();
        let found =
            all.find(|(_, it)| it.instance.is_some() && it.position == position && it.is_atomic == is_atomic);
        throng_boolprog::flow::LocationId::new(found.unwrap().0)
    };
    let reached = |shared: Cube, threads: &[(u32, bool, Cube)], n: u32| {
        let threads = threads.iter().map(|(position, is_atomic, locals)| ThreadPattern {
            location: at(*position, *is_atomic),
            locals: locals.clone(),
        });
        let targets = vec![Pattern { shared, threads: threads.collect() }];
        let question = ProgramQuestion { threads: InitThreads::Any, targets };
        explore(&program, &question, n, MOST_STATES).unwrap().target.is_some()
    };
    let x = |value: bool| Cube::any().with(0, value);
    let atomic = |value: bool| Cube::any().with(program.atomic_bit(), value);
    assert!(reached(Cube::any(), &[(1, false, x(true)), (1, false, x(true))], 2));
    assert!(!reached(Cube::any(), &[(1, false, x(true)), (1, false, x(true))], 1));
    assert!(!reached(Cube::any(), &[(1, false, x(false))], 2));
    assert!(reached(atomic(true), &[(2, true, Cube::any())], 1));
    assert!(!reached(atomic(false), &[(2, true, Cube::any())], 1));
    assert!(reached(atomic(true), &[(0, false, x(false)), (2, true, x(true))], 2));
    assert!(!reached(Cube::any(), &[(2, true, Cube::any()), (2, true, Cube::any())], 3));
    assert!(reached(Cube::any().with(0, true), &[], 0));
}

#[test]
fn too_many_states_are_an_answer_of_their_own() {
    let program = program("decl a, b, c; main() begin decl x, y; while * do a, b, c := *, *, *; od; end");
    let question = ProgramQuestion::assertions(&program, InitThreads::Any);
    assert!(explore(&program, &question, 3, 50).is_none());
    let all = explore(&program, &question, 1, MOST_STATES).unwrap();
    let thread = |thread: &ThreadState| (thread.shared.len(), thread.locals.len());
    assert!(all.depths.keys().all(|it| thread(it) == (3, 2)));
}
