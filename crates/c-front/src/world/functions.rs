//! Functions of the library and of verifiers without a body: what a call does to memory, and what it returns.
//!
//! A program's own definition of any of these is what counts; the only exceptions are those that are marked as
//! [`Call::is_primitive`], whose meaning in verifiers cannot be written in C.

/// What a call does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing that the program sees.
    Nothing,
    /// What these arguments point to becomes arbitrary, if they are not null.
    Writes(&'static [usize]),
    /// All arguments from this one on point to what becomes arbitrary.
    WritesFrom(usize),
    /// What all arguments from this one on point to has no model from then on; refused where it matters.
    Obscures(usize),
    /// It has a translation of its own: what it does, in a few words.
    Own(&'static str),
    /// The memory that it returns has no model; refused where it matters.
    Allocates,
    /// Refused, with the way on.
    Refused(&'static str),
}

/// What a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Whatever the type allows, or nothing.
    Any,
    /// 0.
    Zero,
    /// 0 or -1.
    ZeroOrMinusOne,
    /// From 0 to 2³¹ - 1.
    Natural,
    /// At least -1.
    AtLeastMinusOne,
    /// Not more than its first argument.
    AtMostFirst,
    /// Its first argument.
    First,
    /// Something that is determined, and has no model; refused where it matters.
    Unmodelled,
}

/// One function.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Its name; `*` at the end stands for any continuation.
    pub name: &'static str,
    /// What it does.
    pub effect: Effect,
    /// What it returns.
    pub value: Value,
    /// How it is declared if the program does not: result and parameters, a letter each. `v` void, `p` `void *`, `s` `const char *`,
    /// `z` `size_t`, `i` int, `u` unsigned, `l` long, `L` long long, `.` variadic. Empty: it has to be declared.
    pub signature: &'static str,
    /// Whether it keeps its meaning even if the program defines it.
    pub is_primitive: bool,
}

const fn call(name: &'static str, effect: Effect, value: Value, signature: &'static str) -> Call {
    Call { name, effect, value, signature, is_primitive: false }
}

const fn primitive(name: &'static str, what: &'static str, signature: &'static str) -> Call {
    Call { name, effect: Effect::Own(what), value: Value::Any, signature, is_primitive: true }
}

const fn own(name: &'static str, what: &'static str, signature: &'static str) -> Call {
    call(name, Effect::Own(what), Value::Any, signature)
}

const fn silent(name: &'static str, value: Value, signature: &'static str) -> Call {
    call(name, Effect::Nothing, value, signature)
}

const fn refused(name: &'static str, hint: &'static str, signature: &'static str) -> Call {
    call(name, Effect::Refused(hint), Value::Any, signature)
}

const FLAG: &str = "let threads end by a shared flag";
const JUMP: &str = "use goto within a function";
const LOCAL: &str = "use a _Thread_local variable";
const PRINTS: &str = "prints; with %n the argument gets the number of characters, if these are plain; \
                      otherwise that and the result have no model and are refused where they matter";
const OUTCOME: &str = "errors such as the end of the input are among the outcomes";

/// All functions, the longest names of a family first.
pub(super) const FUNCTIONS: &[Call] = &[
    // Verifiers.
    primitive("__VERIFIER_atomic_begin", "no other thread runs until the section ends", "v."),
    primitive("__VERIFIER_atomic_end", "the section ends", "v."),
    primitive("__CPROVER_atomic_begin", "no other thread runs until the section ends", "v."),
    primitive("__CPROVER_atomic_end", "the section ends", "v."),
    primitive("__VERIFIER_assume", "runs in which the condition is false are not looked at", "v."),
    primitive("__CPROVER_assume", "runs in which the condition is false are not looked at", "v."),
    primitive("__CPROVER_assert", "an error if the condition is false", "v."),
    primitive("__CPROVER_predicate", "a predicate for the proof", "v."),
    primitive("__VERIFIER_nondet_*", "an arbitrary value", ""),
    own("__VERIFIER_assert", "an error if the condition is false", "v."),
    own("__VERIFIER_error", "an error, if the property says so", "v."),
    own("reach_error", "an error, if the property says so", "v."),
    own("nondet_*", "an arbitrary value", ""),
    own("nondet", "an arbitrary value", "i."),
    own("assume", "runs in which the condition is false are not looked at", "v."),
    own(
        "__CPROVER_parameter_predicates",
        "predicates for the proof: parameters are what calls give them",
        "v.",
    ),
    own("__CPROVER_return_predicates", "predicates for the proof: calls give what is returned", "v."),
    // The end of the program.
    own("assert", "an error if the condition is false", "vi"),
    own("__assert_fail", "an error", ""),
    own("__assert_rtn", "an error", ""),
    own("__assert", "an error", ""),
    own("__throng_assert_fail", "an error", ""),
    own("abort", "the program ends", "v"),
    own("exit", "what atexit registered runs, then destructors; then the program ends", "vi"),
    own("quick_exit", "what at_quick_exit registered runs; then the program ends", "vi"),
    own("_exit", "the program ends", "vi"),
    own("_Exit", "the program ends", "vi"),
    own("__throng_stop", "the program ends", ""),
    // Threads.
    own("pthread_create", "a thread begins; it does not fail", "ippppp"),
    own("pthread_join", "waits for the end of a thread", "ilp"),
    own("pthread_exit", "the thread ends", "vp"),
    own("pthread_self", "the number of the thread", "l"),
    own("pthread_equal", "whether two numbers are equal", "ill"),
    own("pthread_once", "the function runs once", "ipp"),
    own("pthread_mutex_*", "locks", "i."),
    own("mtx_init", "a lock; the other functions of <threads.h> are those of <pthread.h>", ""),
    own("pthread_rwlock_*", "locks with many readers or one writer", "i."),
    own("pthread_spin_*", "locks", "i."),
    own("pthread_cond_*", "condition variables; waiting may end without a signal", "i."),
    own("sem_*", "semaphores", "i."),
    silent("pthread_detach", Value::Zero, "i."),
    silent("pthread_yield", Value::Zero, "i."),
    silent("pthread_setconcurrency", Value::Zero, "i."),
    silent("pthread_setname_np", Value::Zero, "i."),
    call("pthread_attr_get*", Effect::Obscures(1), Value::Zero, ""),
    silent("pthread_attr_*", Value::Zero, "i."),
    call("pthread_mutexattr_get*", Effect::Obscures(1), Value::Zero, ""),
    call("pthread_condattr_get*", Effect::Obscures(1), Value::Zero, ""),
    call("pthread_rwlockattr_get*", Effect::Obscures(1), Value::Zero, ""),
    call("pthread_barrierattr_get*", Effect::Obscures(1), Value::Zero, ""),
    silent("pthread_mutexattr_*", Value::Zero, "i."),
    silent("pthread_condattr_*", Value::Zero, "i."),
    silent("pthread_rwlockattr_*", Value::Zero, "i."),
    silent("pthread_barrierattr_*", Value::Zero, "i."),
    silent("pthread_testcancel", Value::Any, "v"),
    refused(
        "pthread_barrier_*",
        "include the header <pthread.h> that comes with throng, or write the barrier with a mutex and a condition variable",
        "i.",
    ),
    refused("pthread_key_*", LOCAL, "i."),
    refused("__throng_key_destructor", "give pthread_key_create no destructor: NULL", "v"),
    refused("pthread_setspecific", LOCAL, "i."),
    refused("pthread_getspecific", LOCAL, "p."),
    refused("pthread_cancel", FLAG, "i."),
    refused("pthread_setcancel*", FLAG, "i."),
    refused("pthread_tryjoin_np", "use pthread_join", ""),
    refused("pthread_timedjoin_np", "use pthread_join", ""),
    silent("pthread_setschedparam", Value::Natural, ""),
    silent("pthread_setschedprio", Value::Natural, ""),
    silent("pthread_setaffinity_np", Value::Natural, ""),
    call("pthread_getaffinity_np", Effect::Obscures(2), Value::Natural, ""),
    call("pthread_getschedparam", Effect::Obscures(1), Value::Natural, ""),
    call("pthread_getattr_np", Effect::Obscures(1), Value::Natural, ""),
    call("pthread_getcpuclockid", Effect::Obscures(1), Value::Natural, ""),
    call("pthread_getname_np", Effect::Obscures(1), Value::Natural, ""),
    silent("pthread_getconcurrency", Value::Natural, ""),
    call("pthread_sigmask", Effect::Obscures(2), Value::Natural, ""),
    refused("pthread_kill", FLAG, "i."),
    refused("pthread_cleanup_*", "call the function where the thread ends", "v."),
    refused("_pthread_cleanup_*", "call the function where the thread ends", "v."),
    silent("pthread_atfork", Value::Zero, "i."),
    refused("tss_*", LOCAL, ""),
    refused("setjmp", JUMP, ""),
    refused("_setjmp", JUMP, ""),
    refused("sigsetjmp", JUMP, ""),
    refused("__sigsetjmp", JUMP, ""),
    refused("longjmp", JUMP, ""),
    refused("siglongjmp", JUMP, ""),
    own("signal", "ignoring a signal, or its default, means nothing here; handlers are refused", ""),
    refused("sigaction", FLAG, ""),
    refused("raise", FLAG, ""),
    refused("kill", FLAG, ""),
    refused("alarm", FLAG, ""),
    refused("fork", "use threads", ""),
    refused("vfork", "use threads", ""),
    refused("exec*", "use threads", ""),
    refused("dlopen", "link the library", ""),
    refused("dlsym", "link the library", ""),
    // Time.
    silent("sched_yield", Value::Zero, "i"),
    silent("thrd_yield", Value::Any, "v"),
    silent("sleep", Value::AtMostFirst, "uu"),
    silent("usleep", Value::ZeroOrMinusOne, "iu"),
    silent("pause", Value::Any, "i"),
    call("nanosleep", Effect::Writes(&[1]), Value::ZeroOrMinusOne, "ipp"),
    call("clock_nanosleep", Effect::Writes(&[3]), Value::Any, ""),
    call("thrd_sleep", Effect::Writes(&[1]), Value::Any, ""),
    call("time", Effect::Writes(&[0]), Value::Any, "lp"),
    call("gettimeofday", Effect::Writes(&[0, 1]), Value::ZeroOrMinusOne, "ipp"),
    call("clock_gettime", Effect::Writes(&[1]), Value::ZeroOrMinusOne, "iip"),
    call("clock_getres", Effect::Writes(&[1]), Value::ZeroOrMinusOne, "iip"),
    call("timespec_get", Effect::Writes(&[0]), Value::Any, "ipi"),
    call("times", Effect::Writes(&[0]), Value::Any, "lp"),
    silent("clock", Value::Any, "l"),
    // Numbers.
    silent("rand", Value::Natural, "i"),
    silent("random", Value::Natural, "l"),
    silent("lrand48", Value::Natural, "l"),
    call("rand_r", Effect::Writes(&[0]), Value::Natural, "ip"),
    silent("srand", Value::Any, "vu"),
    silent("srandom", Value::Any, "vu"),
    silent("srand48", Value::Any, "vl"),
    silent("getpid", Value::Natural, "i"),
    silent("gettid", Value::Natural, "i"),
    silent("atoi", Value::Unmodelled, "is"),
    silent("atol", Value::Unmodelled, "ls"),
    silent("atoll", Value::Unmodelled, "Ls"),
    // What is about the process, the machine or files: results within what POSIX says.
    own(
        "syscall",
        "futexes may end to wait at any time, waking does nothing; other calls are unknown functions",
        "",
    ),
    call("sigprocmask", Effect::Obscures(2), Value::ZeroOrMinusOne, ""),
    call("sigemptyset", Effect::Obscures(0), Value::Zero, ""),
    call("sigfillset", Effect::Obscures(0), Value::Zero, ""),
    call("sigaddset", Effect::Obscures(0), Value::ZeroOrMinusOne, ""),
    call("sigdelset", Effect::Obscures(0), Value::ZeroOrMinusOne, ""),
    silent("sigismember", Value::Unmodelled, ""),
    call("sigwait", Effect::Obscures(1), Value::Natural, ""),
    silent("sysconf", Value::AtLeastMinusOne, "li"),
    silent("getpagesize", Value::Natural, "i"),
    silent("get_nprocs", Value::Natural, "i"),
    silent("getenv", Value::Unmodelled, "ps"),
    silent("secure_getenv", Value::Unmodelled, "ps"),
    silent("setenv", Value::ZeroOrMinusOne, "issi"),
    silent("unsetenv", Value::ZeroOrMinusOne, "is"),
    silent("putenv", Value::Any, "ip"),
    silent("getppid", Value::Natural, "i"),
    silent("getuid", Value::Natural, ""),
    silent("geteuid", Value::Natural, ""),
    silent("getgid", Value::Natural, ""),
    silent("getegid", Value::Natural, ""),
    silent("isatty", Value::Any, "ii"),
    silent("nice", Value::Any, "ii"),
    silent("prctl", Value::Any, ""),
    silent("sched_getcpu", Value::AtLeastMinusOne, "i"),
    silent("sched_get_priority_max", Value::AtLeastMinusOne, ""),
    silent("sched_get_priority_min", Value::AtLeastMinusOne, ""),
    silent("sched_setscheduler", Value::AtLeastMinusOne, ""),
    silent("sched_getscheduler", Value::AtLeastMinusOne, ""),
    silent("sched_setparam", Value::ZeroOrMinusOne, ""),
    silent("sched_setaffinity", Value::ZeroOrMinusOne, ""),
    call("sched_getaffinity", Effect::Obscures(2), Value::ZeroOrMinusOne, ""),
    silent("setpriority", Value::ZeroOrMinusOne, ""),
    call("getrusage", Effect::Obscures(1), Value::ZeroOrMinusOne, ""),
    call("getrlimit", Effect::Obscures(1), Value::ZeroOrMinusOne, ""),
    silent("setrlimit", Value::ZeroOrMinusOne, ""),
    call("uname", Effect::Obscures(0), Value::AtLeastMinusOne, ""),
    silent("system", Value::Any, "is"),
    silent("open", Value::AtLeastMinusOne, "isi."),
    silent("open64", Value::AtLeastMinusOne, "isi."),
    silent("creat", Value::AtLeastMinusOne, ""),
    silent("close", Value::ZeroOrMinusOne, "ii"),
    silent("dup", Value::AtLeastMinusOne, "ii"),
    silent("dup2", Value::AtLeastMinusOne, "iii"),
    silent("fsync", Value::ZeroOrMinusOne, "ii"),
    silent("fdatasync", Value::ZeroOrMinusOne, "ii"),
    silent("ftruncate", Value::ZeroOrMinusOne, ""),
    silent("access", Value::ZeroOrMinusOne, "isi"),
    silent("unlink", Value::ZeroOrMinusOne, "is"),
    silent("remove", Value::ZeroOrMinusOne, "is"),
    silent("rename", Value::ZeroOrMinusOne, "iss"),
    silent("rmdir", Value::ZeroOrMinusOne, "is"),
    silent("mkdir", Value::ZeroOrMinusOne, ""),
    silent("chdir", Value::ZeroOrMinusOne, "is"),
    silent("lseek", Value::Any, ""),
    silent("fcntl", Value::Any, ""),
    silent("fcntl64", Value::Any, ""),
    silent("flock", Value::ZeroOrMinusOne, ""),
    call("ioctl", Effect::Obscures(2), Value::Any, ""),
    call("stat", Effect::Obscures(1), Value::ZeroOrMinusOne, ""),
    call("fstat", Effect::Obscures(1), Value::ZeroOrMinusOne, ""),
    call("lstat", Effect::Obscures(1), Value::ZeroOrMinusOne, ""),
    silent("socket", Value::AtLeastMinusOne, ""),
    silent("bind", Value::ZeroOrMinusOne, ""),
    silent("listen", Value::ZeroOrMinusOne, ""),
    silent("connect", Value::ZeroOrMinusOne, ""),
    silent("shutdown", Value::ZeroOrMinusOne, ""),
    silent("setsockopt", Value::ZeroOrMinusOne, ""),
    silent("sendto", Value::AtLeastMinusOne, ""),
    call("getsockopt", Effect::Obscures(3), Value::ZeroOrMinusOne, ""),
    call("accept", Effect::Obscures(1), Value::AtLeastMinusOne, ""),
    call("accept4", Effect::Obscures(1), Value::AtLeastMinusOne, ""),
    call("getsockname", Effect::Obscures(1), Value::ZeroOrMinusOne, ""),
    call("socketpair", Effect::Obscures(3), Value::ZeroOrMinusOne, ""),
    call("poll", Effect::Obscures(0), Value::AtLeastMinusOne, ""),
    call("select", Effect::Obscures(1), Value::AtLeastMinusOne, ""),
    silent("epoll_create", Value::AtLeastMinusOne, ""),
    silent("epoll_create1", Value::AtLeastMinusOne, ""),
    silent("epoll_ctl", Value::ZeroOrMinusOne, ""),
    call("epoll_wait", Effect::Obscures(1), Value::AtLeastMinusOne, ""),
    silent("eventfd", Value::AtLeastMinusOne, ""),
    silent("timerfd_create", Value::AtLeastMinusOne, ""),
    call("eventfd_read", Effect::Obscures(1), Value::ZeroOrMinusOne, ""),
    silent("eventfd_write", Value::ZeroOrMinusOne, ""),
    silent("fopen", Value::Any, "pss"),
    silent("fopen64", Value::Any, "pss"),
    silent("fdopen", Value::Any, ""),
    silent("fclose", Value::Any, "ip"),
    silent("fseek", Value::ZeroOrMinusOne, ""),
    silent("ftell", Value::Any, ""),
    silent("rewind", Value::Any, "vp"),
    silent("feof", Value::Any, "ip"),
    silent("ferror", Value::Any, "ip"),
    silent("clearerr", Value::Any, "vp"),
    silent("fileno", Value::AtLeastMinusOne, "ip"),
    silent("strerror", Value::Any, "pi"),
    call("strerror_r", Effect::Obscures(1), Value::Any, ""),
    call("__xpg_strerror_r", Effect::Obscures(1), Value::Any, ""),
    call("strftime", Effect::Obscures(0), Value::Any, ""),
    silent("localtime", Value::Any, ""),
    silent("gmtime", Value::Any, ""),
    call("localtime_r", Effect::Obscures(1), Value::Any, ""),
    call("gmtime_r", Effect::Obscures(1), Value::Any, ""),
    silent("ctime", Value::Any, ""),
    silent("asctime", Value::Any, ""),
    silent("difftime", Value::Unmodelled, ""),
    silent("setlocale", Value::Any, ""),
    silent("openlog", Value::Any, ""),
    silent("syslog", Value::Any, ""),
    silent("closelog", Value::Any, ""),
    // Floating-point numbers.
    silent("sqrt", Value::Unmodelled, ""),
    silent("pow", Value::Unmodelled, ""),
    silent("exp", Value::Unmodelled, ""),
    silent("log", Value::Unmodelled, ""),
    silent("log2", Value::Unmodelled, ""),
    silent("log10", Value::Unmodelled, ""),
    silent("sin", Value::Unmodelled, ""),
    silent("cos", Value::Unmodelled, ""),
    silent("tan", Value::Unmodelled, ""),
    silent("floor", Value::Unmodelled, ""),
    silent("ceil", Value::Unmodelled, ""),
    silent("round", Value::Unmodelled, ""),
    silent("trunc", Value::Unmodelled, ""),
    silent("fabs", Value::Unmodelled, ""),
    silent("fmod", Value::Unmodelled, ""),
    silent("fmin", Value::Unmodelled, ""),
    silent("fmax", Value::Unmodelled, ""),
    silent("lround", Value::Unmodelled, ""),
    silent("atof", Value::Unmodelled, ""),
    silent("drand48", Value::Unmodelled, ""),
    // Input and output.
    own("printf", PRINTS, "is."),
    own("fprintf", PRINTS, "ips."),
    own("dprintf", PRINTS, "iis."),
    own("sprintf", "the text and the result have no model; refused where they matter", "ips."),
    own("snprintf", "the text and the result have no model; refused where they matter", "ipzs."),
    silent("vprintf", Value::Unmodelled, ""),
    silent("vfprintf", Value::Unmodelled, ""),
    silent("puts", Value::AtLeastMinusOne, "is"),
    silent("putchar", Value::AtLeastMinusOne, "ii"),
    silent("putc", Value::AtLeastMinusOne, "iip"),
    silent("fputs", Value::AtLeastMinusOne, "isp"),
    silent("fputc", Value::AtLeastMinusOne, "iip"),
    silent("perror", Value::Any, "vs"),
    silent("fflush", Value::Any, "ip"),
    silent("setvbuf", Value::Any, ""),
    silent("setbuf", Value::Any, ""),
    silent("getchar", Value::AtLeastMinusOne, "i"),
    silent("getc", Value::AtLeastMinusOne, "ip"),
    silent("fgetc", Value::AtLeastMinusOne, "ip"),
    call("scanf", Effect::WritesFrom(1), Value::AtLeastMinusOne, "is."),
    call("fscanf", Effect::WritesFrom(2), Value::AtLeastMinusOne, "ips."),
    call("sscanf", Effect::Obscures(2), Value::Unmodelled, "iss."),
    // Memory.
    own("memset", "bytes are set, in several steps", "ppiz"),
    own("memcpy", "bytes are copied, in several steps", "pppz"),
    own("mempcpy", "bytes are copied, in several steps", "pppz"),
    own("memmove", "bytes are read, then written, in several steps; the size has to be constant", "pppz"),
    own("bcopy", "bytes are read, then written, in several steps; the size has to be constant", "vppz"),
    own("memcmp", "bytes are compared, in several steps; only the sign is known", "ippz"),
    own("bcmp", "bytes are compared, in several steps; only the sign is known", "ippz"),
    own("bzero", "bytes are set, in several steps", "vpz"),
    silent("free", Value::Any, "vp"),
    call("malloc", Effect::Allocates, Value::Any, "pz"),
    call("calloc", Effect::Allocates, Value::Any, "pzz"),
    call("realloc", Effect::Allocates, Value::Any, "ppz"),
    call("alloca", Effect::Allocates, Value::Any, "pz"),
    call("__builtin_alloca", Effect::Allocates, Value::Any, ""),
    call("aligned_alloc", Effect::Allocates, Value::Any, "pzz"),
    call("memalign", Effect::Allocates, Value::Any, "pzz"),
    call("valloc", Effect::Allocates, Value::Any, "pz"),
    call("strdup", Effect::Allocates, Value::Any, "ps"),
    call("kmalloc", Effect::Allocates, Value::Any, ""),
    call("kzalloc", Effect::Allocates, Value::Any, ""),
];

/// All functions.
pub fn functions() -> &'static [Call] {
    FUNCTIONS
}

/// What a function of this name means, unless the program defines it.
pub fn function(name: &str) -> Option<&'static Call> {
    // How the headers of glibc call the functions of newer standards.
    let name = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    FUNCTIONS.iter().find(|call| match call.name.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => call.name == name,
    })
}

/// What it means, in words.
pub(super) fn describe(call: &Call) -> String {
    let effect = match call.effect {
        Effect::Nothing => "nothing that the program sees".to_owned(),
        Effect::Writes(arguments) => {
            let numbers: Vec<String> = arguments.iter().map(|n| (n + 1).to_string()).collect();
            format!("what argument {} points to becomes arbitrary", numbers.join(" and "))
        }
        Effect::WritesFrom(first) => {
            format!("what arguments from {} on point to becomes arbitrary; {OUTCOME}", first + 1)
        }
        Effect::Obscures(first) => {
            format!("what arguments from {} on point to has no model; refused where it matters", first + 1)
        }
        Effect::Own(what) => what.to_owned(),
        Effect::Allocates => "memory without a model; refused where it matters".to_owned(),
        Effect::Refused(hint) => format!("refused: {hint}"),
    };
    let value = match call.value {
        Value::Any => "",
        Value::Zero => "; returns 0",
        Value::ZeroOrMinusOne => "; returns 0 or -1",
        Value::Natural => "; returns 0 to 2³¹ - 1",
        Value::AtLeastMinusOne => "; returns at least -1",
        Value::AtMostFirst => "; returns at most its argument",
        Value::First => "; returns its first argument",
        Value::Unmodelled => "; what it returns has no model; refused where it matters",
    };
    let primitive = if call.is_primitive { "; keeps its meaning if the program defines it" } else { "" };
    format!("{effect}{value}{primitive}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_families_too() {
        assert!(function("pthread_mutex_lock").is_some());
        assert!(matches!(function("pthread_attr_getdetachstate").unwrap().effect, Effect::Obscures(1)));
        assert!(matches!(function("__isoc99_sscanf").unwrap().effect, Effect::Obscures(2)));
        assert!(function("pthread_helper").is_none() && function("frobnicate").is_none());
        assert!(function("__VERIFIER_nondet_int").unwrap().is_primitive);
    }

    #[test]
    fn names_are_there_once() {
        let mut names: Vec<&str> = FUNCTIONS.iter().map(|call| call.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }
}
