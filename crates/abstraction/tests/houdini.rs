//! Filtered candidates prove what they should, and nothing else.

#[path = "../../bounded/tests/common/mod.rs"]
mod common;

use common::{naive, random};
use std::time::Duration;
use throng_abstraction::{Filtered, filter, prepare};
use throng_base::{Budget, Limits};
use throng_check::c::check_invariant;
use throng_cprog::flow::Program;
use throng_cprog::lower::{Options, read_text};
use throng_cprog::preprocess::Preprocessing;

/// Threads of this function, any number of them, after these declarations.
fn threads(declarations: &str, body: &str) -> Program {
    let text = format!(
        "void __CPROVER_assert(_Bool, const char *); void __CPROVER_assume(_Bool);\n\
         void __CPROVER_atomic_begin(void); void __CPROVER_atomic_end(void);\n\
         {declarations}\nvoid thread(void) {{ {body} }}\n\
         int main(void) {{ while (1) {{ __CPROVER_ASYNC_1: thread(); }} }}\n"
    );
    let read = read_text("test.c", &text, &Preprocessing::default(), &Options::default());
    let (program, _) = read.expect("the program is read");
    prepare(&program).program
}

fn filtered(program: &Program) -> Filtered {
    let found = filter(program, u64::MAX, &Budget::unlimited()).expect("nothing stops it");
    found.expect("any number of questions may be asked")
}

/// Whether a program is proved; the proof is checked.
fn is_proved(program: &Program) -> bool {
    let found = filtered(program);
    if found.proves {
        check_invariant(program, &found.invariant, &Budget::unlimited()).expect("the proof is right");
    }
    found.proves
}

const TICKETS: &str = "unsigned s = 0, t = 0; int inside = 0;";

fn ticket_lock(guard: &str) -> Program {
    let body = format!(
        "unsigned m;
         while (1) {{
             __CPROVER_atomic_begin(); {guard} m = t; t = t + 1; __CPROVER_atomic_end();
             while (s != m);
             __CPROVER_assert(inside == 0, \"\");
             inside = 1; inside = 0;
             s = m + 1;
         }}"
    );
    threads(TICKETS, &body)
}

#[test]
fn a_ticket_lock_is_proved() {
    assert!(is_proved(&ticket_lock("__CPROVER_assume(t != -1);")));
}

#[test]
fn a_ticket_lock_that_wraps_is_not() {
    assert!(!is_proved(&ticket_lock("")));
}

#[test]
fn a_lock_is_proved_and_a_broken_one_is_not() {
    let critical = "__CPROVER_assert(x == 0, \"\"); x = 1; x = 0; lock = 0;";
    let taken = "__CPROVER_atomic_begin(); __CPROVER_assume(!lock); lock = 1; __CPROVER_atomic_end();";
    let split = "__CPROVER_assume(!lock); lock = 1;";
    let variables = "_Bool lock = 0; int x = 0;";
    assert!(is_proved(&threads(variables, &format!("{taken} {critical}"))));
    assert!(!is_proved(&threads(variables, &format!("{split} {critical}"))));
}

#[test]
fn proofs_of_random_programs_are_right() {
    let first: u64 = std::env::var("FILTER_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let count: u64 = std::env::var("FILTER_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let (mut n_proved, mut n_unsafe) = (0, 0);
    for seed in first..first + count {
        let program = random::program(&mut random::Random::new(seed));
        let budget = Budget::unlimited();
        let _watchdog = budget.watch(Limits { time: Some(Duration::from_secs(5)), memory: None }, || None);
        let is_unsafe = (1..=3).any(|n| naive::reaches_error(&program, n, 30_000) == Some(true));
        n_unsafe += u64::from(is_unsafe);
        if let Ok(Some(found)) = filter(&program, u64::MAX, &budget)
            && found.proves
        {
            n_proved += 1;
            assert!(!is_unsafe, "seed {seed}: an unsafe program is proved");
        }
    }
    println!("{n_proved} proved, {n_unsafe} unsafe of {count}");
    assert!(n_proved > 0 && n_unsafe > 0, "both kinds occur: {n_proved}, {n_unsafe}");
}
