//! Random C programs of one thread compute on the checker's machine what they compute when they are compiled.

use std::time::Duration;
use throng_lab::c::{Outcome, Settings, compare_seeds, compiled, random};

#[test]
fn random_programs_compute_what_compiled_ones_do() {
    if !compiled::is_there() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let settings = Settings { asked: 30, time: Duration::from_secs(2), sanitized: 15 };
    let compared = compare_seeds(1..61, &settings);
    assert_eq!(compared.len(), 60);
    let wrong: Vec<_> = compared.iter().filter(|(_, outcome)| outcome.is_err()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let same = compared.iter().filter(|(_, outcome)| matches!(outcome, Ok(Outcome::Same(_))));
    assert!(same.count() > 50, "{compared:?}");
}

#[test]
fn a_seed_gives_one_program_and_another_seed_another() {
    let text = |seed| random::generate(seed).text();
    assert_eq!(text(7), text(7));
    assert_ne!(text(7), text(8));
}

#[test]
fn all_classes_are_drawn() {
    let all: String = (0..300).map(|seed| random::generate(seed).text()).collect();
    for what in [
        " : 0;",
        "_Bool b",
        "union z_r",
        "memmove(",
        "memcpy(",
        "memset(",
        "memcmp(",
        "z_CONTAINER(&",
        "goto at",
        "do {",
        "continue;",
        "switch (",
        "z_copy(&",
        "__int128",
        "volatile ",
        "_Atomic ",
        "static short calls",
        "__sync_bool_compare_and_swap(",
        "(*const z_t",
        "z_MAX(",
        "({ ",
        " ?: ",
        "z_rows[",
        "case 6:",
        "[2] = ",
        "_Atomic struct z_pair",
        "__atomic_compare_exchange(&z_a",
        "packed",
        "_Alignas",
        "pack(push",
        "z_un.lo",
        "z_long[",
        "z_next() + z_next()",
        "(**z_op.f)",
        "& ~3ul)",
        "cleanup(z_clean)",
        "constructor(101)",
        "__builtin_strlen(",
        "_overflow((int)",
        "z_odd(",
        "z_fib(n - 2)",
        "goto in",
        "goto se",
        "goto out",
        ") break; ",
        "case -128 ... -1",
        "[3]){ ",
        "z_partly(",
    ] {
        assert!(all.contains(what), "`{what}` is never drawn");
    }
}
