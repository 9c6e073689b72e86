//! Filtered candidates prove what they should, and nothing else.

#[path = "../../explore/tests/common/mod.rs"]
mod common;

use common::{naive, random};
use std::time::Duration;
use throng_base::{Budget, Limits};
use throng_c_front::lower::{Integers, Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::{LocationKind, Program};
use throng_cfa::invariant::Invariant;
use throng_check::c::check_invariant;
use throng_prove::{Filtered, filter, prepare};

/// Threads of this function, any number of them, after these declarations.
fn threads(declarations: &str, body: &str) -> Program {
    threads_with(declarations, body, &Options::default())
}

fn threads_with(declarations: &str, body: &str, options: &Options) -> Program {
    let text = format!(
        "void __CPROVER_assert(_Bool, const char *); void __CPROVER_assume(_Bool);\n\
         void __CPROVER_atomic_begin(void); void __CPROVER_atomic_end(void);\n\
         {declarations}\nvoid thread(void) {{ {body} }}\n\
         int main(void) {{ while (1) {{ __CPROVER_ASYNC_1: thread(); }} }}\n"
    );
    let read = read_text("test.c", &text, &Preprocessing::default(), options);
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

/// As many threads as Linux can have.
fn bounded() -> Options {
    Options { most_threads: Some(4_194_304), ..Options::default() }
}

const USERS: &str =
    "__sync_fetch_and_add(&users, 1); __CPROVER_assert(users > 0, \"\"); __sync_fetch_and_sub(&users, 1);";

#[test]
fn a_number_of_users_is_counted() {
    let program =
        |options: &Options| threads_with("int users;", &format!("while (1) {{ {USERS} }}"), options);
    assert!(is_proved(&program(&bounded())));
    let mathematical = Options { integers: Integers::Mathematical, ..Options::default() };
    assert!(is_proved(&program(&mathematical)));
    // With 2^31 threads, it fails.
    assert!(!is_proved(&program(&Options::default())));
    assert!(!is_proved(&program(&Options { most_threads: Some(1 << 31), ..Options::default() })));
}

#[test]
fn a_user_who_leaves_twice_is_noticed() {
    let body =
        format!("while (1) {{ {USERS} if (__VERIFIER_nondet_int()) __sync_fetch_and_sub(&users, 1); }}");
    let declarations = "int users; int __VERIFIER_nondet_int(void);";
    assert!(!is_proved(&threads_with(declarations, &body, &bounded())));
}

#[test]
fn numbers_of_one_byte_count_so_many_threads() {
    let body = format!("while (1) {{ {USERS} }}");
    let program = |most| {
        let options = Options { most_threads: Some(most), ..Options::default() };
        threads_with("unsigned char users;", &body, &options)
    };
    // One of them is the first thread, which does not count itself; but nobody says so.
    assert!(is_proved(&program(255)));
    assert!(!is_proved(&program(257)));
}

/// After 2^32 tickets there are two of each.
#[test]
fn a_wrapping_ticket_lock_is_not_proved_for_any_number_of_threads() {
    let body = "unsigned m;
         while (1) {
             m = __sync_fetch_and_add(&t, 1);
             while (s != m);
             __CPROVER_assert(inside == 0, \"\");
             inside = 1; inside = 0;
             s = m + 1;
         }";
    assert!(!is_proved(&threads_with(TICKETS, body, &Options::default())));
}

#[test]
fn readers_in_the_low_bits_of_a_word_are_counted() {
    let body = "unsigned w;
         while (1) {
             if (__VERIFIER_nondet_int()) {
                 do { w = word; } while (w & 0x80000000u || !__sync_bool_compare_and_swap(&word, w, w + 1));
                 __CPROVER_assert(!writing, \"\");
                 __sync_fetch_and_sub(&word, 1);
             } else {
                 while (!__sync_bool_compare_and_swap(&word, 0, 0x80000000u));
                 writing = 1; writing = 0;
                 __sync_fetch_and_and(&word, 0x7fffffffu);
             }
         }";
    let declarations = "unsigned word; int writing; int __VERIFIER_nondet_int(void);";
    assert!(is_proved(&threads_with(declarations, body, &bounded())));
}

#[test]
fn the_checker_rejects_wrong_counts() {
    let program = threads_with("int users;", &format!("while (1) {{ {USERS} }}"), &bounded());
    let found = filtered(&program);
    assert!(found.proves && !found.invariant.counts.is_empty());
    let accepts = |invariant: &Invariant| check_invariant(&program, invariant, &Budget::unlimited()).is_ok();
    assert!(accepts(&found.invariant));
    for number in 0..found.invariant.counts.len() {
        for place in 0..found.invariant.counts[number].weights.len() {
            let mut heavier = found.invariant.clone();
            heavier.counts[number].weights[place].1 += 1;
            assert!(!accepts(&heavier), "count {number}, weight {place} is larger");
            let mut lighter = found.invariant.clone();
            let (at, _) = lighter.counts[number].weights.remove(place);
            // Nobody comes to the error, so its weight does not matter.
            let is_error = matches!(program.location(at).kind, LocationKind::Error(_));
            assert!(is_error || !accepts(&lighter), "count {number}, weight {place} is missing");
        }
    }
    let unbounded = Program { most_threads: None, ..program.clone() };
    assert!(check_invariant(&unbounded, &found.invariant, &Budget::unlimited()).is_err());
}
