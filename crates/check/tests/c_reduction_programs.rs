//! Random C programs in which mutexes are passed by pointer, aliased, in arrays, tried, waited with, made anew, destroyed, and freed by
//! whoever likes to: the larger steps are accepted by the check, and have the same errors with up to three threads.

#[path = "../../explore/tests/common/mod.rs"]
mod common;

use common::random::Random;
use std::time::Duration;
use throng_base::{Budget, Limits};
use throng_c_front::lower::{Atomicity, Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::Program;
use throng_cfa::merge::stages;
use throng_check::c::check_stages;
use throng_explore::{BoundedOptions, Outcome};

const DECLARATIONS: &str = "typedef unsigned long pthread_t; typedef struct { int k; } pthread_mutex_t;
typedef struct { int k; } pthread_cond_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
int pthread_mutex_init(pthread_mutex_t *, const void *); int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *); int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *); int pthread_cond_broadcast(pthread_cond_t *);
typedef struct { int k; } pthread_rwlock_t; int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *); int pthread_rwlock_unlock(pthread_rwlock_t *);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void); void exit(int); void pthread_exit(void *);
void __VERIFIER_error(void); void assert(int c) { if (!c) __VERIFIER_error(); }
pthread_mutex_t a, b, row[2];
pthread_cond_t c;
pthread_rwlock_t r;
int x, y;
";

/// Something with the variables.
fn deed(random: &mut Random) -> &'static str {
    let deeds = [
        "x = 1; x = 0;",
        "x++; x--;",
        "{ int t = x; assert(t == x); }",
        "{ int t = x; t++; x = t; assert(x == t); x = 0; }",
        "assert(x == 0);",
        "y = x;",
        "if (y) x = 1; else x = 0;",
        "y = 1; assert(y == 1);",
        "__atomic_fetch_add(&y, 1, 5);",
        "__VERIFIER_atomic_begin(); x = 1; x = 0; __VERIFIER_atomic_end();",
        "__VERIFIER_atomic_begin(); __VERIFIER_assume(y == 0); y = 1; __VERIFIER_atomic_end(); x = 1; y = 0;",
        "x = __VERIFIER_nondet_bool(); if (x) y = 1; x = 0;",
        "x = 1; __VERIFIER_assume(y); x = 0;",
        "while (y) ;",
        "if (y) { x = 1; while (1) ; }",
        "if (y) exit(0);",
        "if (x) pthread_exit(0);",
    ];
    // Those that are right under a lock are more frequent.
    deeds[if random.chance(75) { random.below(5) } else { random.below(deeds.len()) }]
}

fn mutex(random: &mut Random) -> &'static str {
    if random.chance(75) { "&a" } else { random.pick(&["&b", "&row[0]", "&row[1]", "&row[y & 1]", "p"]) }
}

/// A section that uses a mutex properly, or almost so; `p` is a mutex that the thread was given.
fn section(random: &mut Random) -> String {
    let (m, does) = (mutex(random), deed(random));
    match random.below(15) {
        0 => format!("if (pthread_mutex_trylock({m}) == 0) {{ {does} pthread_mutex_unlock({m}); }}"),
        1 => format!("pthread_mutex_trylock({m}); {does} pthread_mutex_unlock({m});"),
        2 => format!("with({m});"),
        3 => {
            format!("{{ pthread_mutex_t *q = {m}; pthread_mutex_lock(q); {does} pthread_mutex_unlock(q); }}")
        }
        4 => format!(
            "{{ pthread_mutex_t *q = y ? &a : &b; pthread_mutex_lock(q); {does} pthread_mutex_unlock(q); }}"
        ),
        5 => {
            let signal = random.pick(&["signal", "broadcast"]);
            let wait = format!("while (y == 0) pthread_cond_wait(&c, {m});");
            let wake = format!("y = 1; pthread_cond_{signal}(&c);");
            let what = if random.chance(50) { wait } else { wake };
            format!("pthread_mutex_lock({m}); {does} {what} pthread_mutex_unlock({m});")
        }
        6 if random.chance(40) => format!("pthread_mutex_init({m}, 0);"),
        6 if random.chance(40) => format!("pthread_mutex_destroy({m});"),
        6 if random.chance(50) => format!("pthread_mutex_unlock({m});"),
        6 => does.to_owned(),
        7 => format!(
            "pthread_mutex_lock({m}); {does} if (x) {{ pthread_mutex_unlock({m}); return 0; }} pthread_mutex_unlock({m});"
        ),
        8 => format!(
            "pthread_mutex_lock(&b); pthread_mutex_lock(&a); {does} pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);"
        ),
        9 => format!("pthread_rwlock_wrlock(&r); {does} pthread_rwlock_unlock(&r);"),
        10 => format!("pthread_rwlock_rdlock(&r); {does} pthread_rwlock_unlock(&r);"),
        _ => format!("pthread_mutex_lock({m}); {does} {} pthread_mutex_unlock({m});", deed(random)),
    }
}

fn text(random: &mut Random) -> String {
    let does = deed(random);
    let with =
        format!("void with(pthread_mutex_t *m) {{ pthread_mutex_lock(m); {does} pthread_mutex_unlock(m); }}");
    let sections = |random: &mut Random, most: usize| {
        (0..1 + random.below(most)).map(|_| section(random)).collect::<Vec<_>>().join("\n  ")
    };
    let worker = format!(
        "void *worker(void *v) {{\n  pthread_mutex_t *p = v;\n  {}\n  return 0;\n}}",
        sections(random, 2)
    );
    let alone = match random.below(4) {
        0 => "pthread_mutex_init(&a, 0);".to_owned(),
        1 => "pthread_mutex_init(&a, 0); x = 1; x = 0;".to_owned(),
        2 => section(random),
        _ => String::new(),
    };
    // A thread is started under a lock, or its argument's lock is held by the one that starts it.
    let (held, freed) = match random.below(5) {
        0 => ("pthread_mutex_lock(&a);", "pthread_mutex_unlock(&a);"),
        1 => ("pthread_mutex_lock(&a); x = 1;", "x = 0; pthread_mutex_unlock(&a);"),
        _ => ("", ""),
    };
    let given = [random.pick(&["&a", "&a", "&b"]), random.pick(&["&a", "&a", "&b"])];
    let main = sections(random, 2);
    let ends = ["", "pthread_join(i, 0);", "pthread_join(i, 0); pthread_join(j, 0); assert(x == 0);"];
    let end = random.pick(&ends);
    format!(
        "{DECLARATIONS}{with}\n{worker}\nint main() {{\n  pthread_mutex_t *p = &b; pthread_t i, j;\n  {alone}\n  \
         pthread_create(&i, 0, worker, {});\n  {held} pthread_create(&j, 0, worker, {}); {freed}\n  {main}\n  {end}\n  return 0;\n}}\n",
        given[0], given[1]
    )
}

/// Whether there is an error with up to three threads; `None` if that takes too long.
fn has_error(program: &Program) -> Option<bool> {
    let options = BoundedOptions { max_threads: Some(3), walks: false, ..BoundedOptions::default() };
    let budget = Budget::unlimited();
    let _watchdog = budget.watch(Limits { time: Some(Duration::from_secs(3)), memory: None }, || None);
    match throng_explore::search(program, &options, &budget, &mut |_| ()) {
        Outcome::Unsafe { .. } => Some(true),
        Outcome::NoBug { complete_up_to, is_exhausted, .. } => {
            (is_exhausted || complete_up_to >= 3).then_some(false)
        }
        _ => None,
    }
}

#[allow(clippy::print_stdout, reason = "a test tells what it compared")]
#[test]
fn programs_with_mutexes_keep_their_errors() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (first, count) = (number("MERGE_SEED").unwrap_or(1), number("MERGE_COUNT").unwrap_or(600));
    let (mut n_compared, mut n_unsafe, mut n_before, mut n_after) = (0, 0, 0, 0);
    for seed in first..first + count {
        let mut random = Random::new(seed);
        let text = text(&mut random);
        let atomicity = if random.chance(30) { Atomicity::Statement } else { Atomicity::Access };
        let options = Options { atomicity, ..Options::default() };
        let program = match read_text("a.c", &text, &Preprocessing::default(), &options) {
            Ok((program, _)) => program,
            Err(why) => panic!("seed {seed} cannot be read: {why:?}\n{text}"),
        };
        let stages = stages(&program);
        if let Err(rejection) = check_stages(&program, &stages, &Budget::unlimited()) {
            panic!("seed {seed}: {rejection}\n{text}");
        }
        let (Some(expected), Some(found)) = (has_error(&program), has_error(&stages.last)) else { continue };
        assert_eq!(found, expected, "seed {seed}:\n{text}");
        n_compared += 1;
        n_unsafe += u64::from(found);
        n_before += program.edges.len();
        n_after += stages.last.edges.len();
    }
    println!("{n_compared} compared, {n_unsafe} unsafe, {n_before} edges, {n_after} after merging");
    assert!(n_compared * 10 > count * 8, "most programs are small enough: {n_compared}");
    assert!(n_unsafe * 10 > n_compared && n_unsafe * 10 < n_compared * 9, "both kinds occur: {n_unsafe}");
    assert!(n_after < n_before, "something is merged: {n_before}, {n_after}");
}
