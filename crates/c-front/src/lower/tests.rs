//! Small programs and the edges that they become.

use super::{Atomicity, Checks, Integers, Options, Volatile, read_text};
use crate::preprocess::Preprocessing;
use throng_cfa::flow::{Effect, LocationKind, Program, PropertyKind};

const THREADS: &str = "typedef unsigned long pthread_t; typedef struct { int k; } pthread_mutex_t; \
    typedef struct { int k; } pthread_cond_t; typedef struct { int k; } pthread_rwlock_t; \
    int pthread_create(pthread_t *, void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **); \
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *); \
    int pthread_mutex_trylock(pthread_mutex_t *); int pthread_rwlock_rdlock(pthread_rwlock_t *); \
    int pthread_rwlock_unlock(pthread_rwlock_t *); \
    int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); int pthread_cond_signal(pthread_cond_t *); \
    int pthread_cond_broadcast(pthread_cond_t *); void abort(void); void reach_error(void); \
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int); \
    int __VERIFIER_nondet_int(void); void *malloc(unsigned long); int printf(const char *, ...); ";

fn program_with(text: &str, options: &Options) -> Program {
    let text = format!("{THREADS}{text}");
    match read_text("a.c", &text, &Preprocessing::default(), options) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}", errors.iter().map(|error| format!("{error}\n")).collect::<String>()),
    }
}

fn program(text: &str) -> Program {
    program_with(text, &Options::default())
}

fn statements(text: &str) -> Program {
    program_with(text, &Options { atomicity: Atomicity::Statement, ..Options::default() })
}

fn refusals(text: &str) -> Vec<&'static str> {
    let text = format!("{THREADS}{text}");
    let result = read_text("a.c", &text, &Preprocessing::default(), &Options::default());
    result.err().unwrap_or_default().iter().map(|error| error.code).collect()
}

/// The edges of a template without places.
fn edges(program: &Program, template: &str) -> Vec<String> {
    let index = program.templates.iter().position(|t| t.name == template).expect("there is such a template");
    let own = program.edges.iter().filter(|e| program.location(e.from).template.index() == index);
    let lines = own.map(|edge| {
        let line = program.edge_line(edge);
        let line = line.split("  // ").next().unwrap_or_default();
        line.split_once(": ").map_or("", |(_, rest)| rest).trim_end_matches(':').to_owned()
    });
    lines.filter(|line| !line.is_empty()).collect()
}

fn ledger(program: &Program) -> Vec<&str> {
    program.ledger.iter().map(|entry| entry.kind.as_str()).collect()
}

#[test]
fn an_increment_reads_then_writes() {
    let text = "unsigned x; int main(void) { x++; return 0; }";
    let accesses = program(text);
    assert_eq!(edges(&accesses, "main").len(), 2);
    let is_read =
        |edge: &throng_cfa::flow::Edge| edge.assignments.iter().all(|a| accesses.variable(a.target).is_ghost);
    assert!(is_read(&accesses.edges[0]) && !is_read(&accesses.edges[1]));
    assert_eq!(edges(&statements(text), "main"), ["x := x + 1;"]);
    let atomic = "_Atomic unsigned x; int main(void) { x++; return 0; }";
    assert_eq!(edges(&program(atomic), "main"), ["x := x + 1;"]);
}

#[test]
fn one_shared_read_needs_no_temporary() {
    let text = "int x; int main(void) { int l; x = 1; l = x; if (x == l) return 1; return 0; }";
    assert_eq!(edges(&program(text), "main"), ["x := 1;", "l := x;", "[x == l]", "[x != l]"]);
}

#[test]
fn a_short_circuit_reads_as_much_as_c_does() {
    let text = "int x, y; int main(void) { x = y = 0; if (x && y) return 1; return 0; }";
    let lines = edges(&program(text), "main");
    assert!(lines.contains(&"[x != 0]".to_owned()) && lines.contains(&"[y != 0]".to_owned()), "{lines:?}");
    let lines = edges(&statements(text), "main");
    assert!(lines.contains(&"[(x != 0) & (y != 0)]".to_owned()), "{lines:?}");
}

#[test]
fn atomic_sections_are_atomic_inside() {
    let text = "int x; int main(void) { __VERIFIER_atomic_begin(); x = 1; x = 2; __VERIFIER_atomic_end(); x = 3; return 0; }";
    let program = program(text);
    assert_eq!(edges(&program, "main"), ["x := 1;", "x := 2;", "x := 3;"]);
    let atomic: Vec<bool> = program.edges.iter().map(|edge| program.location(edge.to).is_atomic).collect();
    // The last edge leads to where the program ends.
    assert_eq!(atomic, [true, false, false, true]);
}

#[test]
fn functions_of_that_name_are_atomic_as_a_whole() {
    let text = "int x; void __VERIFIER_atomic_f(void) { x = 1; x = 2; } int main(void) { __VERIFIER_atomic_f(); return 0; }";
    let program = program(text);
    assert!(program.location(program.edges[0].to).is_atomic);
    assert!(!program.location(program.edges[1].to).is_atomic);
}

#[test]
fn locks_are_guarded_assignments() {
    let text = "pthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); \
                if (pthread_mutex_trylock(&m)) return 1; return 0; }";
    assert_eq!(edges(&program(text), "main"), ["[!m] m := 1;", "m := 0;", "[!m] m := 1;", "[m]"]);
    let text = "pthread_rwlock_t r; int main(void) { pthread_rwlock_rdlock(&r); pthread_rwlock_unlock(&r); return 0; }";
    assert_eq!(
        edges(&program(text), "main"),
        ["[r <u -2] r := r + 1;", "[r != 0] r := (r == -1) ? 0 : (r - 1);", "[r == 0]"]
    );
}

#[test]
fn recursive_mutexes_count() {
    let text = "pthread_mutex_t m = { 1 }; int main(void) { pthread_mutex_lock(&m); return 0; }";
    let lines = edges(&program(text), "main");
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains("holds m := holds m + 1"), "{lines:?}");
}

#[test]
fn signals_wake_one_and_broadcasts_all() {
    let text = "pthread_mutex_t m; pthread_cond_t c; pthread_t t; \
        void *f(void *p) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return p; } \
        int main(void) { pthread_create(&t, 0, f, 0); pthread_cond_signal(&c); pthread_cond_broadcast(&c); return 0; }";
    let both = program(text);
    let effects: Vec<&Effect> = both.edges.iter().filter_map(|edge| edge.effect.as_ref()).collect();
    assert!(
        matches!(effects[..], [Effect::Spawn { .. }, Effect::Signal(_), Effect::Broadcast(_)]),
        "{effects:?}"
    );
    let quiet = program_with(text, &Options { spurious_wakeups: false, ..Options::default() });
    assert_eq!(edges(&both, "f").len(), edges(&quiet, "f").len() + 1);
}

#[test]
fn threads_get_their_argument_and_give_their_result() {
    let text = "void *f(void *p) { return p; } \
                int main(void) { pthread_t t; void *r; pthread_create(&t, 0, f, (void *)7); pthread_join(t, &r); \
                if (r) return 1; return 0; }";
    let lines = edges(&program(text), "main");
    assert_eq!(lines[0], "t := new-thread; start f(p := 7)");
    assert_eq!(lines[1], "[has-ended(t)] r := result-of(t);");
    assert_eq!(edges(&program(text), "f"), ["result of f := p;"]);
}

#[test]
fn pointers_are_compared_with_what_they_may_point_to() {
    let text = "int x, y; int main(void) { int *p = __VERIFIER_nondet_int() ? &x : &y; *p = 3; return 0; }";
    let program = program(text);
    let lines = edges(&program, "main");
    assert!(
        lines.last().is_some_and(|line| line.contains("x := (p == ") && line.contains("y := (p == ")),
        "{lines:?}"
    );
    assert!(program.properties.iter().any(|property| property.kind == PropertyKind::Pointers));
    let assuming = Options { assumed: vec![PropertyKind::Pointers], ..Options::default() };
    let program = program_with(text, &assuming);
    assert!(program.properties.is_empty());
    assert!(ledger(&program).contains(&"assumes-valid-pointers"));
}

#[test]
fn addresses_that_are_passed_down_are_known() {
    let text = "int x; void set(int *p, int v) { *p = v; } int main(void) { set(&x, 4); return 0; }";
    assert_eq!(edges(&program(text), "main"), ["x := 4;"]);
}

#[test]
fn objects_are_cut_into_scalars() {
    let text = "struct { int a; char b[4]; } s[3]; int main(int i) { s[i].b[2] = 1; s[1].a = 2; return 0; }";
    let program = program(text);
    let lengths: Vec<(&str, u32)> =
        program.variables.iter().map(|variable| (variable.name.as_str(), variable.length)).collect();
    assert!(lengths.contains(&("s[].b[]", 12)) && lengths.contains(&("s[].a", 3)), "{lengths:?}");
}

#[test]
fn errors_are_assertions_functions_and_labels() {
    let text = "void __assert_fail(const char *, const char *, unsigned, const char *); int x; \
                int main(int n) { x = n; x ? (void)0 : __assert_fail(\"x\", \"a.c\", 1, \"main\"); reach_error(); return 0; }";
    let texts: Vec<String> = program(text).properties.iter().map(|property| property.text.clone()).collect();
    assert_eq!(texts, ["assertion x fails", "reach_error() is called"]);
    let text = "int main(int n) { if (n) goto ERROR; return 0; ERROR: return 1; }";
    let program = program(text);
    assert!(program.locations.iter().any(|location| matches!(location.kind, LocationKind::Error(_))));
}

#[test]
fn checks_and_obligations_are_edges_to_errors_unless_assumed() {
    let text = "int x; int main(int n) { x = 10 / n; x = x + n; return 0; }";
    let all = Checks { overflow: true, mutex: true };
    let checked = program_with(text, &Options { checks: all, ..Options::default() });
    let kinds: Vec<PropertyKind> = checked.properties.iter().map(|property| property.kind).collect();
    assert_eq!(kinds, [PropertyKind::Division, PropertyKind::Overflow]);
    assert_eq!(ledger(&program(text)), ["signed-overflow-wraps"]);
    let assuming = Options { assumed: PropertyKind::OBLIGATIONS.to_vec(), ..Options::default() };
    let assuming = program_with(text, &assuming);
    assert_eq!(ledger(&assuming), ["assumes-no-division-by-zero", "signed-overflow-wraps"]);
    assert!(assuming.properties.is_empty());
    let mathematical =
        program_with(text, &Options { integers: Integers::Mathematical, ..Options::default() });
    assert!(ledger(&mathematical).contains(&"mathematical-integers"));
}

#[test]
fn atomic_arithmetic_wraps_around_unless_integers_are_unbounded() {
    let guards = |text: &str, integers: Integers| {
        let program = program_with(text, &Options { integers, ..Options::default() });
        let guarded = |edge: &&throng_cfa::flow::Edge| program.expressions.as_constant(edge.guard).is_none();
        let n = program.edges.iter().filter(guarded).count();
        (n, ledger(&program).contains(&"mathematical-integers"))
    };
    let add = "unsigned t; int main(void) { return __atomic_fetch_add(&t, 1, 5); }";
    assert_eq!(guards(add, Integers::Machine), (0, false));
    assert_eq!(guards(add, Integers::Mathematical), (1, true));
    let set = "unsigned t; int main(void) { return __atomic_fetch_or(&t, 1, 5); }";
    assert_eq!(guards(set, Integers::Mathematical), (0, false));
}

#[test]
fn volatile_objects_are_memory_or_anything() {
    let text = "volatile int x; int main(void) { if (x) return 1; return 0; }";
    assert_eq!(program(text).nondets.len(), 0);
    let devices = program_with(text, &Options { volatile: Volatile::Nondet, ..Options::default() });
    assert_eq!((devices.nondets.len(), ledger(&devices)), (1, vec!["volatile-nondet"]));
}

#[test]
fn what_does_not_matter_is_accepted() {
    let text = "double d; char *s; int main(void) { d = 1.5 * d; s = malloc(3); s[0] = 'a'; printf(\"%s %f\", s, d); return 0; }";
    assert!(refusals(text).is_empty());
    assert_eq!(refusals("double d; int main(void) { if (d > 1.5) reach_error(); return 0; }"), ["E0701"]);
    // One error for the cause, not one for each read.
    let text = "int x; int main(void) { int *p = malloc(4); if (*p && p[1]) reach_error(); return 0; }";
    assert_eq!(refusals(text), ["E0711"]);
}

#[test]
fn branches_that_decide_nothing_are_no_reason_to_refuse() {
    let log = "char *log; int x; int main(void) { log = malloc(3); if (log) log[0] = 1; else x = %; assert(x == 0); return 0; }";
    assert_eq!(refusals(&log.replace("x = %", "puts(log)")), [""; 0]);
    assert_eq!(refusals(&log.replace('%', "1")), ["E0711"]);
    // Waiting, a loop and another thread are decided.
    for body in ["while (d > 1.5) ;", "__VERIFIER_assume(d > 1.5);", "if (d > 1.5) pthread_exit(0);"] {
        let text = format!("double d; int x; int main(void) {{ {body} assert(x == 0); return 0; }}");
        assert_eq!(refusals(&text), ["E0701"], "{body}");
    }
}

#[test]
fn unused_arbitrary_values_are_left_out() {
    let text = "int main(void) { int a, b; a = 1; if (a == b) return 1; return 0; }";
    let lines = edges(&program(text), "main");
    assert!(
        !lines.iter().any(|line| line.starts_with("a := *")) && lines[0].starts_with("b := *"),
        "{lines:?}"
    );
}

#[test]
fn the_last_thread_of_main_ends_the_program() {
    let text = "int main(void) { return 0; }";
    let program = program(text);
    let edge = &program.edges[0];
    assert!(program.location(edge.to).is_atomic && program.edges_from(edge.to).next().is_none());
}

#[test]
fn libraries_are_run_by_any_number_of_threads() {
    let options = Options { threads_run: vec!["f".to_owned()], ..Options::default() };
    let program = program_with("int x; void f(int n) { x = n; }", &options);
    assert_eq!(edges(&program, "main").len(), 1);
    assert!(edges(&program, "main")[0].starts_with("start f(n := *"));
    assert_eq!(program.edges[0].from, program.edges[0].to);
}

#[test]
fn predicates_and_passive_broadcasts_are_kept() {
    let text = "void __CPROVER_predicate(int); int x; \
        void *f(void *p) { int l = 0; __CPROVER_predicate(l < x); __CPROVER_passive_broadcast: l = l + x; if (l) return p; return 0; } \
        int main(int n) { pthread_t t; x = n; pthread_create(&t, 0, f, 0); return 0; }";
    let program = program(text);
    assert_eq!(program.predicates.len(), 1);
    let lines = edges(&program, "f");
    assert!(lines.contains(&"broadcast {f: [1] l := passive l + x}".to_owned()), "{lines:?}");
}

/// Calls are inlined, so the predicates are about the variables of the function that the caller's values go to.
#[test]
fn parameters_and_results_are_related_on_request() {
    let text = "void __CPROVER_parameter_predicates(void); void __CPROVER_return_predicates(void); int x; \
        int g(int a, int b) { PREDICATES if (a) a = b; return a + 1; } \
        void *f(void *p) { int l = x; x = g(l, 3); if (x) return p; return 0; } \
        int main(int n) { pthread_t t; x = n; pthread_create(&t, 0, f, 0); return 0; }";
    let predicates = |which: &str| {
        let program = program(&text.replace("PREDICATES", which));
        let shown = program.predicates.iter().map(|it| program.expression_text(it.expression));
        shown.collect::<Vec<_>>()
    };
    assert!(predicates("").is_empty());
    assert_eq!(predicates("__CPROVER_parameter_predicates();"), ["a == l", "b == 3"]);
    assert_eq!(predicates("__CPROVER_return_predicates();"), ["g() == (a + 1)"]);
}

#[test]
fn zeros_at_the_end_of_long_arrays_are_not_kept() {
    let program = program(
        "char a[300000000]; int b[100000000] = {[7] = 3}; int c[4] = {1};          int main(void) { a[1] = 1; b[2] = 2; return a[3] + b[3] + c[3]; }",
    );
    let initial = |name: &str| {
        let variable = program.variables.iter().find(|variable| variable.name.starts_with(name));
        variable.and_then(|variable| variable.initial.clone()).unwrap()
    };
    assert_eq!(initial("a"), []);
    assert_eq!(initial("b"), [0, 0, 0, 0, 0, 0, 0, 3]);
    assert_eq!(initial("c"), [1, 0, 0, 0]);
}
