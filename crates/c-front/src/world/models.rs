//! Functions of the library that are written in C: units that are linked to a program which calls one of their functions
//! and does not define it. What they do is then read like any other code.

/// A unit of the library.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Its name, as it is shown in places.
    pub name: &'static str,
    /// The functions that others call.
    pub functions: &'static [&'static str],
    /// Its text, which is preprocessed.
    pub text: &'static str,
}

/// All units.
pub const MODELS: &[Model] = &[
    Model {
        name: "exit.c",
        functions: &["atexit", "on_exit", "at_quick_exit"],
        text: include_str!("../../library/exit.c"),
    },
    Model {
        name: "barrier.c",
        functions: &["pthread_barrier_init", "pthread_barrier_wait", "pthread_barrier_destroy"],
        text: include_str!("../../library/barrier.c"),
    },
    Model {
        name: "files.c",
        functions: &["read", "recv", "getrandom", "write", "send", "pipe", "gethostname"],
        text: include_str!("../../library/files.c"),
    },
    Model {
        name: "keys.c",
        functions: &[
            "pthread_key_create",
            "pthread_key_delete",
            "pthread_getspecific",
            "pthread_setspecific",
            "pthread_setcancelstate",
            "pthread_setcanceltype",
        ],
        text: include_str!("../../library/keys.c"),
    },
    Model {
        name: "numbers.c",
        functions: &[
            "abs", "labs", "llabs", "strtol", "strtoul", "strtoll", "strtoull", "atoi", "atol", "atoll",
        ],
        text: include_str!("../../library/numbers.c"),
    },
    Model {
        name: "bits.c",
        functions: &[
            "__builtin_bswap16",
            "__builtin_bswap32",
            "__builtin_bswap64",
            "__builtin_clz",
            "__builtin_clzl",
            "__builtin_clzll",
            "__builtin_ctz",
            "__builtin_ctzl",
            "__builtin_ctzll",
            "__builtin_ffs",
            "__builtin_ffsl",
            "__builtin_ffsll",
            "__builtin_parity",
            "__builtin_parityl",
            "__builtin_parityll",
            "__builtin_popcount",
            "__builtin_popcountl",
            "__builtin_popcountll",
            "ffs",
            "ffsl",
            "ffsll",
        ],
        text: include_str!("../../library/bits.c"),
    },
    Model {
        name: "characters.c",
        functions: &[
            "isdigit", "isxdigit", "islower", "isupper", "isalpha", "isalnum", "isspace", "isblank",
            "iscntrl", "isprint", "isgraph", "ispunct", "tolower", "toupper",
        ],
        text: include_str!("../../library/characters.c"),
    },
    Model {
        name: "strings.c",
        functions: &[
            "strlen",
            "strnlen",
            "strcmp",
            "strncmp",
            "strcpy",
            "strncpy",
            "strcat",
            "strchr",
            "strrchr",
            "strncat",
            "stpcpy",
            "strspn",
            "strcspn",
            "strpbrk",
            "strstr",
            "strcasecmp",
            "strncasecmp",
            "memchr",
        ],
        text: include_str!("../../library/strings.c"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_the_functions_that_they_say() {
        for model in MODELS {
            for function in model.functions {
                assert!(model.text.contains(&format!("{function}(")), "{function} in {}", model.name);
            }
        }
    }
}
