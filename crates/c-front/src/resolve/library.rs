//! Tables about the C library: which header declares a function, for hints; and the types of functions that the compiler
//! knows as `__builtin_…`.

/// Functions with the headers that declare them.
const HEADERS: &[(&str, &[&str])] = &[
    ("assert.h", &["assert"]),
    ("pthread.h", &["pthread_"]),
    ("stdatomic.h", &["atomic_"]),
    (
        "stdlib.h",
        &[
            "abort", "abs", "atexit", "atoi", "calloc", "exit", "free", "labs", "malloc", "qsort", "rand",
            "realloc", "srand",
        ],
    ),
    (
        "stdio.h",
        &["fprintf", "getchar", "perror", "printf", "putchar", "puts", "scanf", "snprintf", "sprintf"],
    ),
    (
        "string.h",
        &["memcmp", "memcpy", "memmove", "memset", "strcmp", "strcpy", "strdup", "strlen", "strncmp"],
    ),
    ("unistd.h", &["getpid", "read", "sleep", "usleep", "write"]),
    ("sched.h", &["sched_yield"]),
    ("semaphore.h", &["sem_"]),
    ("time.h", &["clock", "nanosleep", "time"]),
];

/// The header that declares a function. Entries that end in `_` stand for all names that begin so.
pub(super) fn header_of(name: &str) -> Option<&'static str> {
    let is_there = |entry: &&str| name == *entry || (entry.ends_with('_') && name.starts_with(*entry));
    HEADERS.iter().find(|(_, names)| names.iter().any(is_there)).map(|(header, _)| *header)
}

/// Functions of the library that have a `__builtin_` twin: result and parameters, a letter each. `v` void, `p` `void *`,
/// `s` `const char *`, `z` `size_t`, `i` int, `l` long, `L` long long, `.` variadic.
const TWINS: &[(&str, &str)] = &[
    ("abs", "ii"),
    ("calloc", "pzz"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("free", "vp"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("malloc", "pz"),
    ("memchr", "ppiz"),
    ("memcmp", "ippz"),
    ("memcpy", "pppz"),
    ("memmove", "pppz"),
    ("memset", "ppiz"),
    ("printf", "is."),
    ("putchar", "ii"),
    ("puts", "is"),
    ("realloc", "ppz"),
    ("strchr", "psi"),
    ("strcmp", "iss"),
    ("strcpy", "pps"),
    ("strlen", "zs"),
    ("strncmp", "issz"),
];

/// The signature of the function that `__builtin_name` is a twin of.
pub(super) fn twin(name: &str) -> Option<&'static str> {
    TWINS.iter().find(|(twin, _)| *twin == name).map(|(_, signature)| *signature)
}

/// Built-ins about bits, which our model of the library has: as in [`TWINS`], and `t` unsigned short, `u` unsigned,
/// `U` unsigned long, `W` unsigned long long.
const BITS: &[(&str, &str)] = &[
    ("bswap16", "tt"),
    ("bswap32", "uu"),
    ("bswap64", "WW"),
    ("clz", "iu"),
    ("clzl", "iU"),
    ("clzll", "iW"),
    ("ctz", "iu"),
    ("ctzl", "iU"),
    ("ctzll", "iW"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "iL"),
    ("parity", "iu"),
    ("parityl", "iU"),
    ("parityll", "iW"),
    ("popcount", "iu"),
    ("popcountl", "iU"),
    ("popcountll", "iW"),
];

/// The signature of a built-in about bits.
pub(super) fn bits(name: &str) -> Option<&'static str> {
    BITS.iter().find(|(known, _)| *known == name).map(|(_, signature)| *signature)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_by_names_and_prefixes() {
        assert_eq!(header_of("pthread_create"), Some("pthread.h"));
        assert_eq!(header_of("malloc"), Some("stdlib.h"));
        assert_eq!(header_of("mallocs"), None);
        assert_eq!(twin("memcpy"), Some("pppz"));
    }
}
