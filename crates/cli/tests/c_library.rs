//! The library of C: every function of the table in `throng_c_front::world` has a program here that calls it, which the system's
//! compiler compiles and runs (where there is one), and which `throng` is asked about: what holds when it is run must not be
//! called unsafe, and its opposite must be found.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use throng_c_front::world::{self, Effect};

/// What is expected of a program.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// `CHECK` holds: compiled, run, and asked in both ways.
    Runs,
    /// The same, but no compiler knows the function.
    Ours,
    /// Refused with this code.
    Refused(&'static str),
}
use Kind::{Ours, Refused, Runs};

/// A function, by a member of its family; what is expected; declarations outside and the statements of `main`, in which `CHECK`
/// stands for the assertion.
type Example = (&'static str, Kind, &'static str, &'static str);

const P: &str = "#include <pthread.h>\n#include <semaphore.h>\n#include <threads.h>\n#include <sched.h>\n";
const T: &str = "#include <time.h>\n#include <sys/time.h>\n#include <sys/times.h>\n#include <unistd.h>\n#include <threads.h>\n";
const S: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n#include <unistd.h>\n#include <sys/types.h>\n";

const EXAMPLES: &[Example] = &[
    (
        "__VERIFIER_atomic_begin",
        Ours,
        "int x;",
        "__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end(); CHECK(x == 1);",
    ),
    (
        "__VERIFIER_atomic_end",
        Ours,
        "int x;",
        "__VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); CHECK(x == 1);",
    ),
    (
        "__CPROVER_atomic_begin",
        Ours,
        "int x;",
        "__CPROVER_atomic_begin(); x = 1; __CPROVER_atomic_end(); CHECK(x == 1);",
    ),
    (
        "__CPROVER_atomic_end",
        Ours,
        "int x;",
        "__CPROVER_atomic_begin(); x++; __CPROVER_atomic_end(); CHECK(x == 1);",
    ),
    (
        "__VERIFIER_assume",
        Ours,
        "int __VERIFIER_nondet_int(void);",
        "int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 2); CHECK(x > 1);",
    ),
    (
        "__CPROVER_assume",
        Ours,
        "int __VERIFIER_nondet_int(void);",
        "int x = __VERIFIER_nondet_int(); __CPROVER_assume(x > 2); CHECK(x > 1);",
    ),
    ("__CPROVER_assert", Ours, "int x;", "__CPROVER_assert(x == 0, \"zero\"); CHECK(x == 0);"),
    ("__CPROVER_predicate", Ours, "int x;", "__CPROVER_predicate(x == 0); CHECK(x == 0);"),
    (
        "__VERIFIER_nondet_*",
        Ours,
        "unsigned char __VERIFIER_nondet_uchar(void);",
        "int x = __VERIFIER_nondet_uchar(); CHECK(x < 256);",
    ),
    ("__VERIFIER_assert", Ours, "int x;", "__VERIFIER_assert(x == 0); CHECK(x == 0);"),
    ("__VERIFIER_error", Ours, "int x;", "if (x) __VERIFIER_error(); CHECK(x == 0);"),
    ("reach_error", Ours, "int x;", "if (x) reach_error(); CHECK(x == 0);"),
    ("nondet_*", Ours, "unsigned char nondet_uchar(void);", "int x = nondet_uchar(); CHECK(x < 256);"),
    ("nondet", Ours, "int nondet();", "int x = nondet(), y = x; CHECK(x == y);"),
    (
        "assume",
        Ours,
        "int __VERIFIER_nondet_int(void);",
        "int x = __VERIFIER_nondet_int(); assume(x > 2); CHECK(x > 1);",
    ),
    ("__CPROVER_parameter_predicates", Ours, "int x;", "__CPROVER_parameter_predicates(); CHECK(x == 0);"),
    ("__CPROVER_return_predicates", Ours, "int x;", "__CPROVER_return_predicates(); CHECK(x == 0);"),
    ("assert", Runs, "int x;", "assert(x == 0); CHECK(x == 0);"),
    (
        "__assert_fail",
        Ours,
        "void __assert_fail(const char *, const char *, unsigned, const char *); int x;",
        "if (x) __assert_fail(\"\", \"\", 1, \"\"); CHECK(x == 0);",
    ),
    (
        "__assert_rtn",
        Ours,
        "void __assert_rtn(const char *, const char *, int, const char *); int x;",
        "if (x) __assert_rtn(\"\", \"\", 1, \"\"); CHECK(x == 0);",
    ),
    (
        "__assert",
        Ours,
        "void __assert(const char *, const char *, int); int x;",
        "if (x) __assert(\"\", \"\", 1); CHECK(x == 0);",
    ),
    (
        "__throng_assert_fail",
        Ours,
        "void __throng_assert_fail(const char *); int x;",
        "if (x) __throng_assert_fail(\"\"); CHECK(x == 0);",
    ),
    ("abort", Runs, S, "int x = 1; if (!x) abort(); CHECK(x == 1);"),
    ("exit", Runs, S, "int x = 1; if (!x) exit(1); CHECK(x == 1);"),
    ("quick_exit", Runs, S, "int x = 1; if (!x) quick_exit(1); CHECK(x == 1);"),
    ("_exit", Runs, S, "int x = 1; if (!x) _exit(1); CHECK(x == 1);"),
    ("_Exit", Runs, S, "int x = 1; if (!x) _Exit(1); CHECK(x == 1);"),
    ("__throng_stop", Ours, "void __throng_stop(void); int x;", "if (x) __throng_stop(); CHECK(x == 0);"),
    (
        "pthread_create",
        Runs,
        "#include <pthread.h>\nint x; void *w(void *a) { x = 1; return a; }",
        "pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); CHECK(x == 1);",
    ),
    (
        "pthread_join",
        Runs,
        "#include <pthread.h>\nint x; void *w(void *a) { x = 2; return a; }",
        "pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); CHECK(x == 2);",
    ),
    (
        "pthread_exit",
        Runs,
        "#include <pthread.h>\nint x; void *w(void *a) { x = 1; pthread_exit(a); x = 2; return a; }",
        "pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); CHECK(x == 1);",
    ),
    (
        "pthread_self",
        Runs,
        P,
        "pthread_t a = pthread_self(), b = pthread_self(); CHECK(pthread_equal(a, b));",
    ),
    ("pthread_equal", Runs, P, "int r = pthread_equal(pthread_self(), pthread_self()); CHECK(r != 0);"),
    (
        "pthread_once",
        Runs,
        "#include <pthread.h>\nint x; void f(void) { x++; } pthread_once_t o = PTHREAD_ONCE_INIT;",
        "pthread_once(&o, f); pthread_once(&o, f); CHECK(x == 1);",
    ),
    (
        "pthread_mutex_*",
        Runs,
        "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
        "pthread_mutex_lock(&m); int r = pthread_mutex_trylock(&m); pthread_mutex_unlock(&m); CHECK(r != 0);",
    ),
    (
        "mtx_init",
        Runs,
        P,
        "mtx_t m; mtx_init(&m, mtx_plain); mtx_lock(&m); int r = mtx_trylock(&m); mtx_unlock(&m); CHECK(r != thrd_success);",
    ),
    (
        "pthread_rwlock_*",
        Runs,
        "#include <pthread.h>\npthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;",
        "pthread_rwlock_rdlock(&l); int r = pthread_rwlock_tryrdlock(&l); int s = pthread_rwlock_trywrlock(&l); CHECK(r == 0 && s != 0);",
    ),
    (
        "pthread_spin_*",
        Runs,
        "#include <pthread.h>\npthread_spinlock_t l;",
        "pthread_spin_init(&l, 0); pthread_spin_lock(&l); int r = pthread_spin_trylock(&l); pthread_spin_unlock(&l); CHECK(r != 0);",
    ),
    (
        "pthread_cond_*",
        Runs,
        "#include <pthread.h>\npthread_cond_t c = PTHREAD_COND_INITIALIZER;",
        "int r = pthread_cond_signal(&c); CHECK(r == 0);",
    ),
    (
        "sem_*",
        Runs,
        P,
        "sem_t s; sem_init(&s, 0, 1); sem_wait(&s); int r = sem_trywait(&s); sem_post(&s); CHECK(r == -1);",
    ),
    (
        "pthread_detach",
        Runs,
        "#include <pthread.h>\nvoid *w(void *a) { return a; }",
        "pthread_t t; pthread_create(&t, 0, w, 0); int r = pthread_detach(t); CHECK(r == 0);",
    ),
    ("pthread_yield", Ours, "int pthread_yield(void);", "int r = pthread_yield(); CHECK(r == 0);"),
    (
        "pthread_setconcurrency",
        Ours,
        "int pthread_setconcurrency(int);",
        "int r = pthread_setconcurrency(1); CHECK(r == 0);",
    ),
    (
        "pthread_setname_np",
        Ours,
        "int pthread_setname_np(unsigned long, const char *);",
        "int r = pthread_setname_np(0, \"a\"); CHECK(r == 0);",
    ),
    (
        "pthread_attr_get*",
        Runs,
        P,
        "pthread_attr_t a; int s = 7; pthread_attr_init(&a); int r = pthread_attr_getdetachstate(&a, &s); CHECK(r == 0);",
    ),
    ("pthread_attr_*", Runs, P, "pthread_attr_t a; int r = pthread_attr_init(&a); CHECK(r == 0);"),
    (
        "pthread_mutexattr_get*",
        Ours,
        "#include <pthread.h>\nint pthread_mutexattr_gettype(const pthread_mutexattr_t *, int *); int x;",
        "CHECK(x == 0); pthread_mutexattr_t a; int k; pthread_mutexattr_gettype(&a, &k);",
    ),
    (
        "pthread_condattr_get*",
        Ours,
        "#include <pthread.h>\nint pthread_condattr_getpshared(const pthread_condattr_t *, int *); int x;",
        "CHECK(x == 0); pthread_condattr_t a; int k; pthread_condattr_getpshared(&a, &k);",
    ),
    (
        "pthread_rwlockattr_get*",
        Ours,
        "#include <pthread.h>\nint pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *, int *); int x;",
        "CHECK(x == 0); pthread_rwlockattr_t a; int k; pthread_rwlockattr_getpshared(&a, &k);",
    ),
    (
        "pthread_barrierattr_get*",
        Ours,
        "#include <pthread.h>\nint pthread_barrierattr_getpshared(const pthread_barrierattr_t *, int *); int x;",
        "CHECK(x == 0); pthread_barrierattr_t a; int k; pthread_barrierattr_getpshared(&a, &k);",
    ),
    (
        "pthread_mutexattr_*",
        Runs,
        P,
        "pthread_mutexattr_t a; int r = pthread_mutexattr_init(&a); CHECK(r == 0);",
    ),
    (
        "pthread_condattr_*",
        Runs,
        P,
        "pthread_condattr_t a; int r = pthread_condattr_init(&a); CHECK(r == 0);",
    ),
    (
        "pthread_rwlockattr_*",
        Runs,
        P,
        "pthread_rwlockattr_t a; int r = pthread_rwlockattr_init(&a); CHECK(r == 0);",
    ),
    (
        "pthread_barrierattr_*",
        Ours,
        "typedef int pthread_barrierattr_t; int pthread_barrierattr_init(pthread_barrierattr_t *);",
        "pthread_barrierattr_t a; int r = pthread_barrierattr_init(&a); CHECK(r == 0);",
    ),
    ("pthread_testcancel", Runs, "#include <pthread.h>\nint x;", "pthread_testcancel(); CHECK(x == 0);"),
    (
        "pthread_barrier_*",
        Refused("E0721"),
        "int pthread_barrier_frobnicate(void *);",
        "int x = 0; pthread_barrier_frobnicate(&x); CHECK(x == 0);",
    ),
    (
        "pthread_cancel",
        Refused("E0721"),
        "int pthread_cancel(unsigned long);",
        "int r = pthread_cancel(0); CHECK(r == 0);",
    ),
    (
        "pthread_kill",
        Refused("E0721"),
        "int pthread_kill(unsigned long, int);",
        "int r = pthread_kill(0, 0); CHECK(r == 0);",
    ),
    (
        "pthread_cleanup_*",
        Refused("E0721"),
        "void pthread_cleanup_push(void (*)(void *), void *); int x;",
        "pthread_cleanup_push(0, 0); CHECK(x == 0);",
    ),
    (
        "_pthread_cleanup_*",
        Refused("E0721"),
        "void _pthread_cleanup_push(void *, void (*)(void *), void *); int x;",
        "_pthread_cleanup_push(0, 0, 0); CHECK(x == 0);",
    ),
    (
        "tss_*",
        Refused("E0721"),
        "int tss_create(unsigned *, void (*)(void *));",
        "unsigned k = 0; tss_create(&k, 0); CHECK(k == 0);",
    ),
    ("setjmp", Refused("E0721"), "int setjmp(long *); long b[32];", "int r = setjmp(b); CHECK(r == 0);"),
    ("_setjmp", Refused("E0721"), "int _setjmp(long *); long b[32];", "int r = _setjmp(b); CHECK(r == 0);"),
    (
        "sigsetjmp",
        Refused("E0721"),
        "int sigsetjmp(long *, int); long b[32];",
        "int r = sigsetjmp(b, 0); CHECK(r == 0);",
    ),
    (
        "__sigsetjmp",
        Refused("E0721"),
        "int __sigsetjmp(long *, int); long b[32];",
        "int r = __sigsetjmp(b, 0); CHECK(r == 0);",
    ),
    (
        "longjmp",
        Refused("E0721"),
        "void longjmp(long *, int); long b[32]; int x;",
        "longjmp(b, 1); CHECK(x == 0);",
    ),
    (
        "siglongjmp",
        Refused("E0721"),
        "void siglongjmp(long *, int); long b[32]; int x;",
        "siglongjmp(b, 1); CHECK(x == 0);",
    ),
    (
        "sigaction",
        Refused("E0721"),
        "int sigaction(int, const void *, void *);",
        "int r = sigaction(2, 0, 0); CHECK(r == 0);",
    ),
    ("raise", Refused("E0721"), "int raise(int);", "int r = raise(2); CHECK(r == 0);"),
    ("kill", Refused("E0721"), "int kill(int, int);", "int r = kill(0, 0); CHECK(r == 0);"),
    ("alarm", Refused("E0721"), "unsigned alarm(unsigned);", "int r = alarm(0); CHECK(r == 0);"),
    ("fork", Refused("E0721"), "int fork(void);", "int r = fork(); CHECK(r == 0);"),
    ("vfork", Refused("E0721"), "int vfork(void);", "int r = vfork(); CHECK(r == 0);"),
    (
        "exec*",
        Refused("E0721"),
        "int execv(const char *, char *const *);",
        "int r = execv(\"\", 0); CHECK(r == 0);",
    ),
    (
        "dlopen",
        Refused("E0721"),
        "void *dlopen(const char *, int);",
        "void *r = dlopen(\"\", 0); CHECK(r == 0);",
    ),
    (
        "dlsym",
        Refused("E0721"),
        "void *dlsym(void *, const char *);",
        "void *r = dlsym(0, \"\"); CHECK(r == 0);",
    ),
    ("sched_yield", Runs, P, "int r = sched_yield(); CHECK(r == 0);"),
    ("thrd_yield", Runs, P, "int x = 1; thrd_yield(); CHECK(x == 1);"),
    ("sleep", Runs, T, "unsigned r = sleep(0); CHECK(r == 0);"),
    ("usleep", Runs, T, "int r = usleep(0); CHECK(r == 0 || r == -1);"),
    ("pause", Ours, "int pause(void); int x;", "if (x) pause(); CHECK(x == 0);"),
    (
        "nanosleep",
        Runs,
        T,
        "struct timespec a = { 0, 1 }, b = { 5, 5 }; int r = nanosleep(&a, &b); CHECK(r == 0 || r == -1);",
    ),
    (
        "clock_nanosleep",
        Runs,
        T,
        "struct timespec a = { 0, 1 }; int x = 1; clock_nanosleep(CLOCK_MONOTONIC, 0, &a, 0); CHECK(x == 1);",
    ),
    ("thrd_sleep", Runs, T, "struct timespec a = { 0, 1 }; int x = 1; thrd_sleep(&a, 0); CHECK(x == 1);"),
    ("time", Runs, T, "time_t t = 0; int x = 1; time(&t); CHECK(x == 1);"),
    ("gettimeofday", Runs, T, "struct timeval t; int r = gettimeofday(&t, 0); CHECK(r == 0 || r == -1);"),
    (
        "clock_gettime",
        Runs,
        T,
        "struct timespec t; int r = clock_gettime(CLOCK_REALTIME, &t); CHECK(r == 0 || r == -1);",
    ),
    (
        "clock_getres",
        Runs,
        T,
        "struct timespec t; int r = clock_getres(CLOCK_REALTIME, &t); CHECK(r == 0 || r == -1);",
    ),
    ("timespec_get", Runs, T, "struct timespec t; int x = 1; timespec_get(&t, 1); CHECK(x == 1);"),
    (
        "times",
        Ours,
        "struct tms { long a, b, c, d; }; long times(struct tms *);",
        "struct tms t; int x = 1; times(&t); CHECK(x == 1);",
    ),
    ("clock", Runs, T, "int x = 1; clock(); CHECK(x == 1);"),
    ("rand", Runs, S, "int r = rand(); CHECK(r >= 0);"),
    ("random", Runs, S, "long r = random(); CHECK(r >= 0);"),
    ("lrand48", Runs, S, "long r = lrand48(); CHECK(r >= 0);"),
    ("rand_r", Runs, S, "unsigned s = 1; int r = rand_r(&s); CHECK(r >= 0);"),
    ("srand", Runs, S, "int x = 1; srand(1); CHECK(x == 1);"),
    ("srandom", Runs, S, "int x = 1; srandom(1); CHECK(x == 1);"),
    ("srand48", Runs, S, "int x = 1; srand48(1); CHECK(x == 1);"),
    ("getpid", Runs, S, "int r = getpid(); CHECK(r >= 0);"),
    ("gettid", Runs, S, "int r = gettid(); CHECK(r >= 0);"),
    ("printf", Runs, S, "int x = 1; printf(\"%d\\n\", x); CHECK(x == 1);"),
    ("fprintf", Runs, S, "int x = 1; fprintf(stdout, \"%d\\n\", x); CHECK(x == 1);"),
    ("dprintf", Runs, S, "int x = 1; dprintf(1, \"%d\\n\", x); CHECK(x == 1);"),
    ("sprintf", Runs, S, "char b[8]; int x = 1; sprintf(b, \"%d\", x); CHECK(x == 1);"),
    ("snprintf", Runs, S, "char b[8]; int x = 1; snprintf(b, sizeof b, \"%d\", x); CHECK(x == 1);"),
    (
        "vprintf",
        Runs,
        "#include <stdio.h>\n#include <stdarg.h>\nint x; void f(const char *s, ...) { va_list a; va_start(a, s); vprintf(s, a); va_end(a); }",
        "f(\"%d\\n\", 1); CHECK(x == 0);",
    ),
    (
        "vfprintf",
        Runs,
        "#include <stdio.h>\n#include <stdarg.h>\nint x; void f(const char *s, ...) { va_list a; va_start(a, s); vfprintf(stdout, s, a); va_end(a); }",
        "f(\"%d\\n\", 1); CHECK(x == 0);",
    ),
    ("puts", Runs, S, "int r = puts(\"a\"); CHECK(r >= -1);"),
    ("putchar", Runs, S, "int r = putchar('a'); CHECK(r >= -1);"),
    ("putc", Runs, S, "int r = putc('a', stdout); CHECK(r >= -1);"),
    ("fputs", Runs, S, "int r = fputs(\"a\", stdout); CHECK(r >= -1);"),
    ("fputc", Runs, S, "int r = fputc('a', stdout); CHECK(r >= -1);"),
    ("perror", Runs, S, "int x = 1; perror(\"a\"); CHECK(x == 1);"),
    ("fflush", Runs, S, "int x = 1; fflush(stdout); CHECK(x == 1);"),
    ("setvbuf", Runs, S, "int x = 1; setvbuf(stdout, 0, _IONBF, 0); CHECK(x == 1);"),
    ("setbuf", Runs, S, "int x = 1; setbuf(stdout, 0); CHECK(x == 1);"),
    ("getchar", Runs, S, "int r = getchar(); CHECK(r >= -1);"),
    ("getc", Runs, S, "int r = getc(stdin); CHECK(r >= -1);"),
    ("fgetc", Runs, S, "int r = fgetc(stdin); CHECK(r >= -1);"),
    ("scanf", Runs, S, "int x = 1, y = 2; int r = scanf(\"%d\", &x); CHECK(r >= -1 && y == 2);"),
    ("fscanf", Runs, S, "int x = 1, y = 2; int r = fscanf(stdin, \"%d\", &x); CHECK(r >= -1 && y == 2);"),
    ("sscanf", Runs, S, "int x = 1, y = 2; sscanf(\"5\", \"%d\", &x); CHECK(y == 2);"),
    ("memset", Runs, S, "int a[2] = { 5, 5 }; memset(a, 1, 4); CHECK(a[0] == 0x01010101 && a[1] == 5);"),
    ("memcpy", Runs, S, "int a[2] = { 1, 2 }, b[2]; memcpy(b, a, sizeof a); CHECK(b[0] == 1 && b[1] == 2);"),
    (
        "mempcpy",
        Runs,
        S,
        "int a[2] = { 1, 2 }, b[2]; int *e = mempcpy(b, a, sizeof a); CHECK(b[1] == 2 && e == b + 2);",
    ),
    (
        "memmove",
        Runs,
        S,
        "int a[3] = { 1, 2, 3 }; memmove(a + 1, a, 8); CHECK(a[0] == 1 && a[1] == 1 && a[2] == 2);",
    ),
    ("bcopy", Runs, S, "int a[3] = { 1, 2, 3 }; bcopy(a, a + 1, 8); CHECK(a[1] == 1 && a[2] == 2);"),
    (
        "memcmp",
        Runs,
        S,
        "unsigned char a[2] = { 1, 2 }, b[2] = { 1, 200 }; int r = memcmp(a, b, 2); CHECK(r < 0);",
    ),
    (
        "bcmp",
        Runs,
        S,
        "unsigned char a[2] = { 1, 2 }, b[2] = { 1, 2 }; int r = bcmp(a, b, 2); CHECK(r == 0);",
    ),
    ("bzero", Runs, S, "int a[2] = { 1, 2 }; bzero(a, 4); CHECK(a[0] == 0 && a[1] == 2);"),
    ("free", Runs, S, "int x = 1; free(0); CHECK(x == 1);"),
    ("malloc", Runs, S, "int x = 1; malloc(4); CHECK(x == 1);"),
    ("calloc", Runs, S, "int x = 1; calloc(4, 4); CHECK(x == 1);"),
    ("realloc", Runs, S, "int x = 1; realloc(0, 4); CHECK(x == 1);"),
    ("alloca", Runs, "#include <stdlib.h>\nvoid *alloca(size_t);", "int x = 1; alloca(4); CHECK(x == 1);"),
    ("__builtin_alloca", Runs, "", "int x = 1; __builtin_alloca(4); CHECK(x == 1);"),
    ("aligned_alloc", Runs, S, "int x = 1; aligned_alloc(8, 8); CHECK(x == 1);"),
    ("memalign", Runs, "#include <malloc.h>", "int x = 1; memalign(8, 8); CHECK(x == 1);"),
    ("valloc", Runs, "#include <stddef.h>\nvoid *valloc(size_t);", "int x = 1; valloc(8); CHECK(x == 1);"),
    ("strdup", Runs, S, "int x = 1; strdup(\"a\"); CHECK(x == 1);"),
    ("kmalloc", Ours, "void *kmalloc(unsigned long, int);", "int x = 1; kmalloc(4, 0); CHECK(x == 1);"),
    ("kzalloc", Ours, "void *kzalloc(unsigned long, int);", "int x = 1; kzalloc(4, 0); CHECK(x == 1);"),
    // Those that are written in C.
    ("atexit", Runs, "#include <stdlib.h>\nint x; void f(void) { CHECK(x == 1); }", "atexit(f); x = 1;"),
    (
        "on_exit",
        Runs,
        "#include <stdlib.h>\nint on_exit(void (*)(int, void *), void *); int x; void f(int s, void *a) { CHECK(x == 1 && *(int *)a == 1); }",
        "on_exit(f, &x); x = 1;",
    ),
    (
        "at_quick_exit",
        Runs,
        "#include <stdlib.h>\nint x; void f(void) { CHECK(x == 1); }",
        "at_quick_exit(f); x = 1; quick_exit(0);",
    ),
    (
        "pthread_barrier_init",
        Runs,
        "#include <pthread.h>\npthread_barrier_t b;",
        "int r = pthread_barrier_init(&b, 0, 1); CHECK(r == 0);",
    ),
    (
        "pthread_barrier_wait",
        Runs,
        "#include <pthread.h>\npthread_barrier_t b;",
        "pthread_barrier_init(&b, 0, 1); int r = pthread_barrier_wait(&b); CHECK(r == PTHREAD_BARRIER_SERIAL_THREAD);",
    ),
    (
        "pthread_barrier_destroy",
        Runs,
        "#include <pthread.h>\npthread_barrier_t b;",
        "pthread_barrier_init(&b, 0, 1); int r = pthread_barrier_destroy(&b); CHECK(r == 0);",
    ),
    ("abs", Runs, S, "int r = abs(-3); CHECK(r == 3);"),
    ("labs", Runs, S, "long r = labs(-3); CHECK(r == 3);"),
    ("llabs", Runs, S, "long long r = llabs(-3); CHECK(r == 3);"),
    ("atoi", Runs, S, "int r = atoi(\" -42x\"); CHECK(r == -42);"),
    ("atol", Runs, S, "long r = atol(\"+7\"); CHECK(r == 7);"),
    ("atoll", Runs, S, "long long r = atoll(\"x\"); CHECK(r == 0);"),
    ("strtol", Runs, S, "char *e; long r = strtol(\"-12x\", &e, 10); CHECK(r == -12 && *e == 'x');"),
    ("strtoul", Runs, S, "unsigned long r = strtoul(\"12\", 0, 10); CHECK(r == 12);"),
    ("strtoll", Runs, S, "long long r = strtoll(\"0x1f\", 0, 16); CHECK(r == 31);"),
    ("strtoull", Runs, S, "unsigned long long r = strtoull(\"7\", 0, 8); CHECK(r == 7);"),
    ("__builtin_bswap16", Runs, "", "CHECK(__builtin_bswap16(0x1234) == 0x3412);"),
    ("__builtin_bswap32", Runs, "", "CHECK(__builtin_bswap32(0x12345678) == 0x78563412);"),
    ("__builtin_bswap64", Runs, "", "CHECK(__builtin_bswap64(1) == 1ull << 56);"),
    ("__builtin_clz", Runs, "", "CHECK(__builtin_clz(1u) == 31);"),
    ("__builtin_clzl", Runs, "", "CHECK(__builtin_clzl(1ul) == 63);"),
    ("__builtin_clzll", Runs, "", "CHECK(__builtin_clzll(2ull) == 62);"),
    ("__builtin_ctz", Runs, "", "CHECK(__builtin_ctz(8u) == 3);"),
    ("__builtin_ctzl", Runs, "", "CHECK(__builtin_ctzl(8ul) == 3);"),
    ("__builtin_ctzll", Runs, "", "CHECK(__builtin_ctzll(8ull) == 3);"),
    ("__builtin_ffs", Runs, "", "CHECK(__builtin_ffs(8) == 4 && __builtin_ffs(0) == 0);"),
    ("__builtin_ffsl", Runs, "", "CHECK(__builtin_ffsl(8l) == 4);"),
    ("__builtin_ffsll", Runs, "", "CHECK(__builtin_ffsll(0ll) == 0);"),
    ("__builtin_parity", Runs, "", "CHECK(__builtin_parity(7u) == 1);"),
    ("__builtin_parityl", Runs, "", "CHECK(__builtin_parityl(3ul) == 0);"),
    ("__builtin_parityll", Runs, "", "CHECK(__builtin_parityll(1ull) == 1);"),
    ("__builtin_popcount", Runs, "", "CHECK(__builtin_popcount(0xf0u) == 4);"),
    ("__builtin_popcountl", Runs, "", "CHECK(__builtin_popcountl(~0ul) == 64);"),
    ("__builtin_popcountll", Runs, "", "CHECK(__builtin_popcountll(5ull) == 2);"),
    ("isdigit", Runs, "#include <ctype.h>", "CHECK(isdigit('7') && !isdigit('a'));"),
    ("isxdigit", Runs, "#include <ctype.h>", "CHECK(isxdigit('f') && !isxdigit('g'));"),
    ("islower", Runs, "#include <ctype.h>", "CHECK(islower('a') && !islower('A'));"),
    ("isupper", Runs, "#include <ctype.h>", "CHECK(isupper('A') && !isupper('a'));"),
    ("isalpha", Runs, "#include <ctype.h>", "CHECK(isalpha('z') && !isalpha('1'));"),
    ("isalnum", Runs, "#include <ctype.h>", "CHECK(isalnum('1') && !isalnum(' '));"),
    ("isspace", Runs, "#include <ctype.h>", "CHECK(isspace('\\n') && !isspace('x'));"),
    ("isblank", Runs, "#include <ctype.h>", "CHECK(isblank('\\t') && !isblank('\\n'));"),
    ("iscntrl", Runs, "#include <ctype.h>", "CHECK(iscntrl(127) && !iscntrl('x'));"),
    ("isprint", Runs, "#include <ctype.h>", "CHECK(isprint(' ') && !isprint('\\n'));"),
    ("isgraph", Runs, "#include <ctype.h>", "CHECK(isgraph('x') && !isgraph(' '));"),
    ("ispunct", Runs, "#include <ctype.h>", "CHECK(ispunct('!') && !ispunct('x'));"),
    ("tolower", Runs, "#include <ctype.h>", "CHECK(tolower('A') == 'a' && tolower('1') == '1');"),
    ("toupper", Runs, "#include <ctype.h>", "CHECK(toupper('a') == 'A' && toupper('Z') == 'Z');"),
    ("strlen", Runs, S, "CHECK(strlen(\"abc\") == 3);"),
    ("strnlen", Runs, S, "CHECK(strnlen(\"abc\", 2) == 2);"),
    ("strcmp", Runs, S, "CHECK(strcmp(\"ab\", \"ac\") < 0);"),
    ("strncmp", Runs, S, "CHECK(strncmp(\"abx\", \"aby\", 2) == 0);"),
    ("strcpy", Runs, S, "char b[4]; strcpy(b, \"ab\"); CHECK(b[1] == 'b' && b[2] == 0);"),
    (
        "strncpy",
        Runs,
        S,
        "char b[4] = \"xyz\"; strncpy(b, \"a\", 2); CHECK(b[0] == 'a' && b[1] == 0 && b[2] == 'z');",
    ),
    ("strcat", Runs, S, "char b[4] = \"a\"; strcat(b, \"b\"); CHECK(b[1] == 'b' && b[2] == 0);"),
    (
        "strncat",
        Runs,
        S,
        "char b[4] = \"a\"; strncat(b, \"bcd\", 2); CHECK(b[1] == 'b' && b[2] == 'c' && b[3] == 0);",
    ),
    ("strstr", Runs, S, "char *s = \"abc\"; CHECK(strstr(s, \"bc\") == s + 1 && !strstr(s, \"cb\"));"),
    ("memchr", Runs, S, "char *s = \"abc\"; CHECK(memchr(s, 'c', 3) == s + 2 && !memchr(s, 'c', 2));"),
    ("ffs", Runs, S, "int x = 8; CHECK(ffs(x) == 4 && ffs(x - 8) == 0);"),
    ("ffsl", Runs, "int ffsl(long);", "long x = 8; CHECK(ffsl(x) == 4);"),
    ("ffsll", Runs, "int ffsll(long long);", "long long x = 1ll << 40; CHECK(ffsll(x) == 41);"),
    (
        "stpcpy",
        Runs,
        "char *stpcpy(char *, const char *);",
        "char a[4]; char *e = stpcpy(a, \"ab\"); CHECK(e == a + 2 && a[1] == 'b' && !*e);",
    ),
    ("strspn", Runs, S, "CHECK(strspn(\"aab\", \"a\") == 2);"),
    ("strcspn", Runs, S, "CHECK(strcspn(\"aab\", \"b\") == 2);"),
    ("strpbrk", Runs, S, "char *s = \"abc\"; CHECK(strpbrk(s, \"xb\") == s + 1 && !strpbrk(s, \"x\"));"),
    ("strcasecmp", Runs, S, "CHECK(strcasecmp(\"aB\", \"Ab\") == 0 && strcasecmp(\"a\", \"B\") < 0);"),
    ("strncasecmp", Runs, S, "CHECK(strncasecmp(\"aBx\", \"Aby\", 2) == 0);"),
    ("strchr", Runs, S, "char *s = \"abc\"; CHECK(strchr(s, 'c') == s + 2);"),
    ("strrchr", Runs, S, "char *s = \"aba\"; CHECK(strrchr(s, 'a') == s + 2);"),
];

/// The text of an example, or of its opposite.
fn program((_, _, outside, inside): &Example, is_negated: bool) -> String {
    let check = if is_negated { "assert(!(e))" } else { "assert(e)" };
    format!(
        "#define _GNU_SOURCE\n#include <assert.h>\n#define CHECK(e) {check}\n\
         {outside}\nint main(void) {{ {inside} return 0; }}\n"
    )
}

fn run(command: &mut Command, directory: &Path) -> Output {
    command.current_dir(directory).stdin(Stdio::null()).output().unwrap()
}

fn ask(directory: &Path, text: &str) -> (Option<i32>, String) {
    std::fs::write(directory.join("a.c"), text).unwrap();
    let mut throng = Command::new(env!("CARGO_BIN_EXE_throng"));
    let output = run(throng.args(["check", "a.c", "-q", "--timeout", "20s", "--jobs", "1"]), directory);
    let shown = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.code(), shown.into_owned())
}

/// What is wrong with an example, if anything.
fn judge(example: &Example, directory: &Path, has_compiler: bool) -> Option<String> {
    let (name, kind, ..) = *example;
    let (holds, opposite) = (program(example, false), program(example, true));
    if let Refused(code) = kind {
        let (status, shown) = ask(directory, &holds);
        let is_right = status == Some(2) && shown.contains(code);
        return (!is_right).then(|| format!("{name}: {status:?}, not refused with {code}: {shown}"));
    }
    if kind == Runs && has_compiler {
        std::fs::write(directory.join("a.c"), &holds).unwrap();
        let output =
            run(Command::new("cc").args(["-w", "-std=gnu11", "-pthread", "a.c", "-o", "a"]), directory);
        if !output.status.success() {
            return Some(format!("{name} is not compiled: {}", String::from_utf8_lossy(&output.stderr)));
        }
        if !run(&mut Command::new(directory.join("a")), directory).status.success() {
            return Some(format!("{name}: what is asserted does not hold when it is run"));
        }
    }
    let (status, shown) = ask(directory, &holds);
    if !matches!(status, Some(0 | 5)) {
        return Some(format!("{name}: {status:?} where the assertion holds: {shown}"));
    }
    let (status, shown) = ask(directory, &opposite);
    (status != Some(10)).then(|| format!("{name}: {status:?} where the opposite is asserted: {shown}"))
}

#[test]
fn every_function_of_the_library_does_what_a_compiled_one_does() {
    let directory = tempfile::tempdir().unwrap();
    let has_compiler =
        Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_compiler {
        eprintln!("skipped: there is no C compiler, so the examples are not compiled and run");
    }
    let wrong: Vec<String> =
        EXAMPLES.iter().filter_map(|example| judge(example, directory.path(), has_compiler)).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), EXAMPLES.len(), wrong.join("\n"));
}

/// Whose results are arbitrary (files, sockets, clocks, users, floating point) or without influence, so that a compiled one tells nothing about
/// them, and that no program of `tests/c/accept` calls.
const ARBITRARY: &[&str] = &[
    "__throng_key_destructor",
    "pthread_tryjoin_np",
    "pthread_timedjoin_np",
    "pthread_setschedparam",
    "pthread_setschedprio",
    "pthread_setaffinity_np",
    "pthread_getaffinity_np",
    "pthread_getschedparam",
    "pthread_getattr_np",
    "pthread_getcpuclockid",
    "pthread_getname_np",
    "pthread_getconcurrency",
    "pthread_sigmask",
    "sigprocmask",
    "sigemptyset",
    "sigfillset",
    "sigaddset",
    "sigdelset",
    "sigismember",
    "sigwait",
    "getpagesize",
    "get_nprocs",
    "secure_getenv",
    "setenv",
    "unsetenv",
    "putenv",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "isatty",
    "nice",
    "prctl",
    "sched_getcpu",
    "sched_get_priority_max",
    "sched_get_priority_min",
    "sched_setscheduler",
    "sched_getscheduler",
    "sched_setparam",
    "sched_setaffinity",
    "sched_getaffinity",
    "setpriority",
    "getrusage",
    "getrlimit",
    "setrlimit",
    "uname",
    "system",
    "open64",
    "creat",
    "dup",
    "dup2",
    "fsync",
    "fdatasync",
    "ftruncate",
    "access",
    "unlink",
    "remove",
    "rename",
    "rmdir",
    "mkdir",
    "chdir",
    "lseek",
    "fcntl",
    "fcntl64",
    "flock",
    "ioctl",
    "stat",
    "fstat",
    "lstat",
    "bind",
    "listen",
    "connect",
    "shutdown",
    "setsockopt",
    "sendto",
    "getsockopt",
    "accept",
    "accept4",
    "getsockname",
    "socketpair",
    "poll",
    "select",
    "epoll_create",
    "epoll_create1",
    "epoll_ctl",
    "epoll_wait",
    "eventfd",
    "timerfd_create",
    "eventfd_read",
    "eventfd_write",
    "fopen64",
    "fdopen",
    "fseek",
    "ftell",
    "rewind",
    "feof",
    "ferror",
    "clearerr",
    "fileno",
    "strerror",
    "strerror_r",
    "__xpg_strerror_r",
    "strftime",
    "localtime",
    "gmtime",
    "localtime_r",
    "gmtime_r",
    "ctime",
    "asctime",
    "difftime",
    "setlocale",
    "openlog",
    "syslog",
    "closelog",
    "pow",
    "exp",
    "log",
    "log2",
    "log10",
    "sin",
    "cos",
    "tan",
    "floor",
    "ceil",
    "round",
    "trunc",
    "fabs",
    "fmod",
    "fmin",
    "fmax",
    "lround",
    "atof",
    "drand48",
    "recv",
    "getrandom",
    "send",
    "gethostname",
    "pthread_key_delete",
    "pthread_setcanceltype",
    "pthread_atfork",
];

#[test]
fn every_function_of_the_library_has_an_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/accept");
    let texts = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
    let accepted: String = texts.collect();
    let has_example = |name: &str| {
        // A group of functions is shown by one of them.
        if let Some(group) = name.strip_suffix('*') {
            let examples = EXAMPLES.iter().map(|&(known, ..)| known);
            return ARBITRARY.iter().copied().chain(examples).any(|known| known.starts_with(group));
        }
        let is_called = accepted.match_indices(&format!("{name}(")).any(|(at, _)| {
            !accepted[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_')
        });
        is_called || ARBITRARY.contains(&name) || EXAMPLES.iter().any(|&(known, ..)| known == name)
    };
    let mut missing: Vec<&str> =
        world::functions().iter().map(|call| call.name).filter(|name| !has_example(name)).collect();
    let models = world::MODELS.iter().flat_map(|model| model.functions).copied();
    missing.extend(models.filter(|name| !has_example(name)));
    assert!(missing.is_empty(), "{missing:?}");
    for &(name, kind, ..) in EXAMPLES {
        let is_refused = world::functions()
            .iter()
            .any(|call| call.name == name && matches!(call.effect, Effect::Refused(_)));
        assert_eq!(is_refused, matches!(kind, Refused(_)), "{name}");
    }
}
