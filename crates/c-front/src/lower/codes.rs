//! The codes of what is not modelled, with a page for each: what it is, programs that are refused for it (one on each
//! indented line), and what to write instead. The programs are tests.

use crate::codes::Code;

const fn code(code: &'static str, title: &'static str, explanation: &'static str) -> Code {
    Code { code, title, explanation }
}

/// All codes of this stage.
pub const CODES: &[Code] = &[
    code(
        "E0710",
        "a function has no body and is not known",
        "\
A function is called that is declared only, and that is none of the library functions with a meaning here. What it
returns or writes through its arguments can influence whether an error is reached, or it is given a lock, or a function that it may
call. Give it a body, or use `--havoc-calls`: then it returns anything and changes everything that it can know, and the
report says what is assumed.

    int checksum(int); int main(void) { if (checksum(1)) reach_error(); return 0; }
",
    ),
    code(
        "E0711",
        "memory from the heap is not modelled",
        "\
`malloc` and its like are accepted where their memory does not influence whether an error is reached. Here it does. Use
a global variable, or a global array with an index in place of a pointer.

    void *malloc(unsigned long); int main(void) { if (malloc(4)) reach_error(); return 0; }
",
    ),
    code(
        "E0712",
        "the address of a variable that does not live as long as the program comes to other threads",
        "\
All threads that run a function have one variable of their own for each local variable, and nobody else can see
it. If its address is stored where other threads look, or is given to a thread, they could. Local variables of `main`
may be shared like this, as there is one `main`. Make it a global variable, or an element of a global array.

    typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int *p; void f(void) { int x = 0; p = &x; *p = 1; } void *w(void *a) { f(); return a; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); return 0; }
",
    ),
    code(
        "E0713",
        "memory is read or written that is not modelled",
        "\
What is read here comes from an unknown function, or is part of a library object, or is what a function of the library returns or
writes without a model. It can influence whether an error is reached. Use objects of your own.

    int printf(const char *, ...); int main(void) { if (printf(\"%d\", 1) > 1) reach_error(); return 0; }
",
    ),
    code(
        "E0715",
        "a value of struct type that is not supported",
        "\
Structs are copied from places that are known: variables, members, elements, results of functions. What `va_arg` gives is
none of these. Give a pointer to the struct.

    struct s { int a; }; int f(int n, ...) { __builtin_va_list p; __builtin_va_start(p, n); struct s r = __builtin_va_arg(p, struct s); return r.a; } int main(void) { struct s r = { 1 }; return f(1, r); }
",
    ),
    code(
        "E0716",
        "too many scalars are touched at once",
        "\
An object of more than 4096 scalars is copied at once. Copy it in a loop, or use a smaller one.

    struct s { int v[5000]; } a, b; int main(void) { a = b; return a.v[0]; }
",
    ),
    code(
        "E0717",
        "the arguments of main are not modelled",
        "\
`argc` is any number that is not negative, and `atoi(argv[1])` and the like are any number; but what else is done with the
texts of arguments is not modelled, and here it can influence whether an error is reached. Use a `__VERIFIER_nondet_...`
function in place of the argument.

    int main(int argc, char **argv) { if (argv[1][0]) reach_error(); return 0; }
",
    ),
    code(
        "E0718",
        "a union may be read through another member than was written",
        "\
Library objects such as mutexes have no bytes in the model: in a union, such a member is a variable of its own. That is right as
long as a member is read only after it was the last to be written, which is not so here, or cannot be seen to be so.
Use a struct.

    typedef struct { int x; } pthread_mutex_t; int pthread_mutex_lock(pthread_mutex_t *); union u { pthread_mutex_t m; int i; }; union u v; int main(void) { v.i = 5; pthread_mutex_lock(&v.m); if (v.i) reach_error(); return 0; }
",
    ),
    code(
        "E0719",
        "the address of a variable that ends is returned",
        "\
A function may return the address of one of its own variables, which do not live longer than the call. Let the caller give
the address of a variable of its own, or make the variable static.

    int *f(void) { int x = 1; int *p = &x; return p; } int main(void) { return *f(); }
",
    ),
    code(
        "E0720",
        "a lock function is called with something else than a lock",
        "\
The argument of a function on locks does not point to a lock of its kind. Give the address of a variable of the type that
the function takes.

    typedef struct { int k; } pthread_mutex_t; int pthread_mutex_lock(pthread_mutex_t *); int x; int main(void) { return pthread_mutex_lock((pthread_mutex_t *)&x); }
",
    ),
    code(
        "E0721",
        "a library function is not modelled",
        "\
Barriers, keys, cancellation, signals, jumps between functions and processes have no model. The message says what to use
instead.

    int fork(void); int main(void) { return fork(); }
",
    ),
    code(
        "E0722",
        "the kind of a mutex is not known, or not supported here",
        "\
Normal, recursive and error-checking mutexes are modelled if the kind of each is known from its initialiser, or from one
constant kind of the attributes that it is initialised with. Waiting on a condition variable needs a mutex that is not
recursive.

    typedef struct { int k; } pthread_mutex_t; typedef struct { int k; } pthread_mutexattr_t; int pthread_mutexattr_settype(pthread_mutexattr_t *, int); int pthread_mutex_init(pthread_mutex_t *, pthread_mutexattr_t *); int pthread_mutex_lock(pthread_mutex_t *); pthread_mutex_t m; pthread_mutexattr_t a; int main(int n) { pthread_mutexattr_settype(&a, n); pthread_mutex_init(&m, &a); return pthread_mutex_lock(&m); }
",
    ),
    code(
        "E0724",
        "memory is moved, and it is not known how much",
        "\
`memmove` and `bcopy` read everything before they write, so their size has to be constant and not too large. Use `memcpy` if the
objects do not overlap, or a loop.

    void *memmove(void *, const void *, unsigned long); int a[2]; int main(int n) { memmove(a, a + 1, n); return 0; }
",
    ),
    code(
        "E0725",
        "what runs by itself is not supported here",
        "\
Functions with the attributes `constructor` and `destructor` run before and after `main`, without arguments. Variables with
`cleanup` are cleaned up when their block ends, which may not be the block of a statement expression `({ … })`. Where `main` ends
as a thread by `pthread_exit`, the last thread would run the handlers of `atexit` and destructors.

    int x; __attribute__((constructor)) void f(int n) { x = n; } int main(void) { return x; }
",
    ),
    code(
        "E0730",
        "a special label stands before the wrong statement",
        "\
`__CPROVER_ASYNC_1:` stands before a call of a function by its name, with arguments that are no structs;
`__CPROVER_passive_broadcast:` stands before an assignment.

    int x; int main(void) { __CPROVER_ASYNC_1: x = 1; return 0; }
",
    ),
    code(
        "E0731",
        "a predicate has effects",
        "\
The argument of `__CPROVER_predicate` is an expression that is looked at, not evaluated: it has no assignments and calls.

    void __CPROVER_predicate(int); int x; int main(void) { __CPROVER_predicate(x++); return 0; }
",
    ),
    code(
        "E0732",
        "a passive broadcast is no assignment to a local variable",
        "\
After the label `__CPROVER_passive_broadcast` comes an assignment `l = e;` to a variable that each thread has for
itself, without calls in `e`. All other threads execute it over their own variables.

    int x; int main(void) { __CPROVER_passive_broadcast: x = 1; return 0; }
",
    ),
    code(
        "E0734",
        "overflow of 128-bit integers is not supported",
        "\
`__builtin_add_overflow` and its like compute exactly, in twice the width. That is possible for integers of up to 64
bits.

    __int128 a, b, c; int main(void) { return __builtin_mul_overflow(a, b, &c); }
",
    ),
    code(
        "E0735",
        "a thread can end within an atomic section",
        "\
A thread that began an atomic section has to end it before it ends itself. Call `__VERIFIER_atomic_end` on every path.

    void __VERIFIER_atomic_begin(void); void *f(void *p) { __VERIFIER_atomic_begin(); return p; } int pthread_create(unsigned long *, void *, void *(*)(void *), void *); int main(void) { unsigned long t; return pthread_create(&t, 0, f, 0); }
",
    ),
    code(
        "E0740",
        "a property is not supported",
        "\
Of the properties of SV-COMP, that a function is never called is supported: a property file has lines such as
`CHECK( init(main()), LTL(G ! call(reach_error())) )`. For others, use the option `--check`.
",
    ),
    code(
        "E0750",
        "recursion is not supported",
        "\
Functions are put in place of their calls, so a function that calls itself, directly or by way of others, is read only if its
arguments are constants, which say how deep it goes, and if that is not very deep. The message names the cycle. Write a
loop, with an array as its stack if need be.

    int f(int n) { return n ? f(n - 1) : 0; } int main(int argc, char **argv) { return f(argc); }
",
    ),
    code(
        "E0751",
        "the program is too large when functions are put in place of their calls",
        "\
Each call of a function is a copy of its body, and copies of copies add up. Call large functions from fewer places, or from
within a loop.
",
    ),
    code(
        "E0752",
        "it is not known which function is called",
        "\
A call through a pointer needs to know the functions that the pointer may point to: their addresses have to be taken in
the program.

    void *nondet_pointer(void); int main(void) { int (*p)(void) = nondet_pointer(); return p(); }
",
    ),
    code(
        "E0753",
        "it is not known which function a thread runs",
        "\
The function that a thread runs has to be one of the program with a body, given by its name or by a pointer that it was
assigned to.

    void *f(void *); int pthread_create(unsigned long *, void *, void *(*)(void *), void *); int main(void) { unsigned long t; return pthread_create(&t, 0, f, 0); }
",
    ),
    code(
        "E0754",
        "there is no function to begin with",
        "\
The program has no function `main` with a body, or none of the name that `--threads-run` gives. A library without a main
can be run by any number of threads with `--threads-run f,g`.

    int f(void) { return 0; }
",
    ),
    code(
        "E0755",
        "what must not be reached is not there",
        "\
A label that `--label` names, or a function that a property file names, is nowhere in the program: nothing could ever be found. The
message says which labels there are. Where a property file is given, functions may be declared only.
",
    ),
    code(
        "E0760",
        "the order of evaluation is open in C, and it matters",
        "\
C does not say in which order operands and arguments are evaluated. Where that makes a difference, all orders are looked at, but not
here, where too many operands depend on each other. Compute them one by one, into variables.

    int n; int f(void) { return ++n; } int g(int a, int b, int c, int d) { return a + b + c + d; } int main(void) { return g(f(), f(), f(), f()); }
",
    ),
    code(
        "E0761",
        "a choice of the implementation matters",
        "\
The program looks at where objects are in memory, or at the numbers of threads: it orders them as integers, looks at their
bits, or compares them with constants. C leaves them open, and whether an error is reached depends on them here. Compare
addresses and threads for equality only.

    int x; int main(void) { if ((unsigned long)&x % 64 == 0) reach_error(); return 0; }
",
    ),
    code(
        "E0762",
        "nothing says how the program goes on",
        "\
The translation made no code for a place that the program comes to. Runs that come there would be left out in silence, so the
program is refused. This is a mistake in throng: please report it with the program.
",
    ),
    code(
        "E0763",
        "something lies across machine words, and other threads see it",
        "\
Machines access a word in one step, and what is wider in several. Plain integers of two words are read and written half by half, in
either order; what lies in more words, or a bit-field that lies in two, has no model where other threads see it. Use a type
that fits a machine word, or an atomic one.

    typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); struct __attribute__((packed)) { unsigned long a : 7; unsigned long b : 60; } s; void *w(void *a) { s.b = 1; return a; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); s.b = 2; return 0; }
",
    ),
];

#[cfg(test)]
mod tests {
    use super::CODES;
    use crate::lower::{Options, property_file, read_text};
    use crate::preprocess::Preprocessing;

    #[test]
    fn codes_are_in_order() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
    }

    /// E0740 and E0755 are about options and files, and E0751 needs a large program: they have tests of their own; E0762
    /// is about no program that we know.
    #[test]
    fn the_programs_of_pages_are_refused_so() {
        for code in CODES {
            let programs: Vec<&str> =
                code.explanation.lines().filter_map(|line| line.strip_prefix("    ")).collect();
            assert_eq!(
                programs.is_empty(),
                matches!(code.code, "E0740" | "E0751" | "E0755" | "E0762"),
                "{}",
                code.code
            );
            for program in programs {
                let result = read_text("a.c", program, &Preprocessing::default(), &Options::default());
                let errors = result.err().unwrap_or_default();
                let codes: Vec<&str> = errors.iter().map(|error| error.code).collect();
                assert!(codes.contains(&code.code), "{}: {codes:?} for {program}", code.code);
            }
        }
    }

    #[test]
    fn property_files_name_functions() {
        let properties = property_file("CHECK( init(main()), LTL(G ! call(reach_error())) )\n").unwrap();
        assert_eq!(properties.functions, ["reach_error"]);
        assert!(!properties.assertions && properties.labels.is_empty());
        assert_eq!(property_file("CHECK( init(main()), LTL(F end) )").unwrap_err().code, "E0740");
        assert_eq!(property_file("").unwrap_err().code, "E0740");
    }

    #[test]
    fn what_becomes_too_large_is_refused() {
        let text = "int x; void a(void) { x++; x++; x++; } void b(void) { a(); a(); a(); } \
                    int main(void) { b(); b(); b(); return 0; }";
        let options = Options { max_edges: 10, ..Options::default() };
        let errors = read_text("a.c", text, &Preprocessing::default(), &options).unwrap_err();
        assert_eq!(errors.iter().map(|error| error.code).collect::<Vec<_>>(), ["E0751"]);
        assert!(read_text("a.c", text, &Preprocessing::default(), &Options::default()).is_ok());
    }
}
