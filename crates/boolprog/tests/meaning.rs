//! What programs do: small ones are run by brute force as the graph's documentation says.

mod common;

use common::explore::reached;
use common::{programs_of_the_suite, source};
use throng_base::Source;
use throng_boolprog::{InitThreads, read, read_from_zero};

/// Whether an assertion can fail when so many threads start and at most three exist.
fn fails(text: &str, threads: usize) -> bool {
    let input = read(&source(text)).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    reached(&input.program, threads, 3).contains(&input.program.error())
}

/// Programs whose assertions can fail, and programs whose assertions cannot, with one thread at the start.
fn check(unsafe_: &[&str], safe: &[&str]) {
    for text in unsafe_ {
        assert!(fails(text, 1), "should fail: {text}");
    }
    for text in safe {
        assert!(!fails(text, 1), "should not fail: {text}");
    }
}

#[test]
fn variables_are_arbitrary_at_the_start_and_when_dead() {
    check(
        &[
            "decl s; main() begin assert(s); end",
            "decl s; main() begin assert(!s); end",
            "main() begin decl x; assert(x); end",
            "decl s; main() begin s := 1; dead s; assert(s); end",
        ],
        &["decl s; main() begin s := 1; assert(s); end"],
    );
}

#[test]
fn assignments_are_simultaneous_and_constrained() {
    check(
        &["decl s; main() begin s := *; assert(s); end"],
        &[
            "decl s, t; main() begin s, t := 0, 1; s, t := t, s; assert(s & !t); end",
            "decl s, t; main() begin s, t := *, * constrain 's = 't; assert(s = t); end",
            "decl s, t; main() begin s := 1; s, t := *, s constrain 's != s; assert(!s & t); end",
            "decl s; main() begin s := 0 constrain 's; assert(0); end",
            "decl s; main() begin s := schoose[1, *]; assert(s); s := schoose[0, 1]; assert(!s); end",
        ],
    );
}

#[test]
fn conditions_with_choices_go_both_ways() {
    check(
        &[
            "main() begin assert(!*); end",
            "main() begin if * then assert(0); fi; end",
            "main() begin while !(*) do assert(0); od; end",
        ],
        &[
            "main() begin assume(0); assert(0); end",
            "main() begin abortif 1; assert(0); end",
            "decl s; main() begin if s then assert(s); elsif * then assert(!s); else assert(!s); fi; end",
            "decl s; main() begin s := 1; while * do s := !s; s := !s; od; assert(s); end",
        ],
    );
}

#[test]
fn calls_have_fresh_variables_and_return_their_results() {
    check(
        &[
            "main() begin f(); f(); end void f() begin decl x; assert(!x); x := 1; end",
            "main() begin decl x; x := f(); assert(x); end bool f() begin end",
        ],
        &[
            "main() begin decl x, y; x, y := 0, 1; x, y := f(x, y); assert(x & !y); end bool<2> f(a, b) begin return b, a; end",
            "main() begin decl x; x := 1; f(!x); assert(x); end void f(x) begin assert(!x); x := 1; end",
            "main() begin decl x; x := f(1); x := f(!x); assert(!x); end bool f(a) begin if a then return a; fi; return a; end",
        ],
    );
}

#[test]
fn what_is_enforced_holds_throughout() {
    check(
        &["decl s, t; main() begin s := f(); assert(s | t); end bool f() begin return 0; end"],
        &[
            "decl s, t; main() begin enforce s | t; assert(s | t); s, t := *, *; assert(s | t); end",
            "decl s, t; main() begin enforce s | t; s := f(); assert(s | t); end bool f() begin return 0; end",
            "main() begin f(); end void f() begin decl z; enforce z; assert(z); end",
        ],
    );
}

#[test]
fn threads_started_at_a_label_have_a_copy_of_the_variables() {
    check(
        &[
            "main() begin decl x; x := 0; start_thread goto L; x := 1; L: assert(x); end",
            "decl s; main() begin s := 0; start_thread goto L; s := 1; goto E; L: assert(!s); E: skip; end",
        ],
        &["main() begin decl x; x := 1; start_thread goto L; x := 0; end_thread; L: assert(x); end"],
    );
}

#[test]
fn a_thread_started_in_a_function_returns_to_the_callers_of_its_parent() {
    check(
        &[
            "decl s; main() begin s := 0; f(); assert(!s); s := 1; end void f() begin start_thread goto L; L: skip; end",
        ],
        &["decl s; main() begin s := 0; f(); assert(!s); s := 1; end void f() begin skip; end"],
    );
}

#[test]
fn threads_started_in_a_function_have_arguments_and_end_with_it() {
    check(
        &[
            "thread_local decl t; main() begin t := 1; start_thread f(1); end void f(a) begin assert(t); end",
            "decl s; main() begin s := 0; ASYNC_1: f(); assert(!s); end void f() begin s := 1; end",
        ],
        &[
            "decl s; main() begin s := 1; start_thread f(s); s := 0; end void f(a) begin assert(a); end",
            "decl s; main() begin s := 0; start_thread f(); assume(s); end_thread; end void f() begin s := 1; return; assert(0); end",
            "decl s; main() begin s := 0; f(); assert(s); end void f() begin s := 1; end",
        ],
    );
}

#[test]
fn a_name_alone_behind_start_thread_is_a_function_or_else_a_label() {
    check(
        &[
            "decl s; main() begin s := 0; start_thread f; assert(!s); end void f() begin s := 1; end",
            "decl s; main() begin s := 0; start_thread L; assert(!s); end_thread; L: s := 1; end",
            "decl s; main() begin s := 0; if 1 then start_thread L fi; assert(!s); end_thread; L: s := 1; end",
        ],
        &["decl s; main() begin s := 0; start_thread f; end_thread; assert(s); end void f() begin s := 1; end"],
    );
}

#[test]
fn what_is_assigned_to_an_underscore_is_thrown_away() {
    check(
        &["decl _; main() begin _ := 0; assert(_); end"],
        &[
            "decl s; main() begin s := 1; s, _ := s, 0; _ := 0; assert(s); end",
            "decl s; main() begin _, s := f(); assert(s); _, _ := f(); assert(s); end bool<2> f() begin return 0, 1; end",
            "decl s; main() begin s := 1; _ := 0 constrain 's; assert(s); end",
            "decl s; main() begin s := 1; _ := 0 constrain !s; assert(0); end",
            "decl _; main() begin _ := 1; assert(_); end",
        ],
    );
}

#[test]
fn the_last_statement_of_a_block_needs_no_semicolon() {
    check(
        &["decl s; main() begin s := 0; if s then skip else s := 1 fi; assert(!s) end"],
        &[
            "decl s; main() begin s := 0; while !s do s := 1 od; assert(s) end",
            "decl s; main() begin s := f(); assert(s) end bool f() begin return 1 end void g() begin return end",
        ],
    );
}

/// Whether an assertion can fail when variables start at 0 and so many threads run `main`.
fn fails_from_zero(text: &str, threads: InitThreads) -> bool {
    let input = read_from_zero(&source(text), threads).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    reached(&input.program, 1, 4).contains(&input.program.error())
}

#[test]
fn variables_may_start_at_zero() {
    for text in [
        "decl s; main() begin assert(!s); s := 0; end",
        "thread_local decl t; main() begin decl x; assert(!x & !t); end",
        "decl s; main(a) begin assert(!a); end",
        "main() begin f(1); f(0); end void f(a) begin decl x; assert(!x); x := 1; end",
        "thread_local decl t; main() begin t := 1; start_thread f(1); ASYNC_1: f(1); end void f(t) begin assert(t); end",
        "thread_local decl t; main() begin t := 1; start_thread f; end void f() begin assert(!t); t := 1; end",
        "main() begin decl x; x := 1; start_thread goto L; L: assert(x); end",
    ] {
        for threads in [InitThreads::Exactly(1), InitThreads::Exactly(2), InitThreads::Any] {
            assert!(!fails_from_zero(text, threads), "should not fail: {text} {threads:?}");
        }
    }
    // The first thread sets s, the second finds it.
    let second = "decl s; main() begin assert(!s); s := 1; end";
    assert!(!fails_from_zero(second, InitThreads::Exactly(1)));
    assert!(fails_from_zero(second, InitThreads::Exactly(2)) && fails_from_zero(second, InitThreads::Any));
    for text in [
        "decl s; main() begin assert(s); end",
        "main() begin decl x; dead x; assert(!x); end",
        "thread_local decl t; main() begin t := 1; f(); end void f() begin assert(!t); end",
        "decl s; main() begin s := f(); assert(!s); end bool f() begin end",
    ] {
        assert!(fails_from_zero(text, InitThreads::Exactly(1)), "should fail: {text}");
    }
    assert!(!fails_from_zero("main() begin assert(0); end", InitThreads::Exactly(0)));
    let refused = |text: &str, threads| read_from_zero(&source(text), threads).expect_err("refused")[0].code;
    assert_eq!(refused("thread_local decl t; main() begin t$ := 1; end", InitThreads::Any), "E0526");
    assert_eq!(refused("main() begin end", InitThreads::Exactly(1_000_000)), "E0526");
}

#[test]
fn names_in_braces_are_names() {
    check(
        &["decl {x==0}; main() begin {x==0} := 0; assert({x==0}); end"],
        &["decl {x==0}, {p -> y < 1}; main() begin {x==0}, {p -> y < 1} := 1, 0 constrain '{x==0}; assert({x==0} & !{p -> y < 1}); end"],
    );
}

#[test]
fn nobody_interferes_with_an_atomic_section() {
    let program = |body: &str| {
        format!("decl s; main() begin s := 0; start_thread goto L; {body} goto E; L: s := 1; E: skip; end")
    };
    assert!(fails(&program("s := 0; assert(!s);"), 1));
    assert!(!fails(&program("atomic_begin; s := 0; skip; assert(!s); atomic_end;"), 1));
    assert!(fails(&program("atomic_begin; s := 0; atomic_end; assert(!s);"), 1));
    check(
        &[
            "main() begin atomic_begin; assert(0); atomic_end; end",
            "main() begin start_thread goto L; atomic_begin; end_thread; L: assert(0); end",
        ],
        &[],
    );
}

#[test]
fn a_blocked_atomic_section_stops_everyone() {
    let text = |assume: &str| {
        format!(
            "decl s; main() begin s := 0; start_thread goto L; atomic_begin; s := 1; {assume} atomic_end; end_thread; L: assert(!s); end"
        )
    };
    assert!(!fails(&text("assume(0);"), 1));
    assert!(fails(&text(""), 1));
}

#[test]
fn broadcasts_change_every_other_thread() {
    let text = |broadcast: &str| {
        format!("main() begin decl x; x := 0; if * then {broadcast} else assume(x); assert(0); fi; end")
    };
    assert!(fails(&text("x$ := 1;"), 2));
    assert!(!fails(&text("x$ := 1;"), 1));
    assert!(!fails(&text("x := 1;"), 2));
    assert!(!fails(&text("x$ := x$;"), 3));
    assert!(fails(&text("x$ := !x$ & !x;"), 2));
    assert!(fails(&text("x$, x := *, 1 constrain 'x$ = 'x;"), 2));
    assert!(!fails(&text("x$ := * constrain !'x$;"), 2));
}

#[test]
fn a_thread_that_no_choice_of_a_broadcast_fits_is_gone() {
    let text = |constraint: &str| {
        format!(
            "decl s; main() begin decl x;
             if * then x := 0; atomic_begin; x$ := x$ constrain {constraint}; s := 1; atomic_end;
             else atomic_begin; s, x := 0, 1; atomic_end; assert(!s); fi; end"
        )
    };
    assert!(fails(&text("1"), 2));
    assert!(fails(&text("x$ | !x$"), 2));
    assert!(!fails(&text("!x$"), 2));
    // Nobody is left who could do anything, but the step itself is possible.
    assert!(!fails(&text("'x$ & !x$"), 2));
}

#[test]
fn the_small_programs_of_the_suite_do_with_two_threads_what_its_index_says() {
    let mut compared = 0;
    for path in programs_of_the_suite() {
        let program = read(&Source::read(&path).expect("a file")).expect("a program").program;
        // The larger ones take long, or need three threads to fail.
        if program.locations().len() > 70 {
            continue;
        }
        let index = std::fs::read_to_string(path.with_file_name("../index.csv")).expect("an index");
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let line =
            index.lines().find(|line| line.contains(&format!("/{name},"))).expect("a line of the index");
        let fails = reached(&program, 1, 2).contains(&program.error());
        assert_eq!(fails, line.contains(",unsafe,"), "{name}");
        compared += 1;
    }
    assert!(compared > 5 || programs_of_the_suite().is_empty());
}
