//! Every code of this crate's errors, with a page about it for `throng explain`: what it means, a text that gives it,
//! and what to write instead.
//!
//! E08xx are about reading (preprocessor, tokens, syntax, predicates), E06xx about names and types, E07xx about what is not
//! modelled.

/// A code with its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The code, such as `E0830`.
    pub code: &'static str,
    /// What it is about, on one line.
    pub title: &'static str,
    /// The page.
    pub explanation: &'static str,
}

/// The page of a code.
pub fn find(code: &str) -> Option<&'static Code> {
    all().find(|known| known.code.eq_ignore_ascii_case(code))
}

/// All codes of this crate.
pub fn all() -> impl Iterator<Item = &'static Code> {
    CODES.iter().chain(crate::resolve::CODES).chain(crate::lower::CODES)
}

/// The codes about reading.
pub const CODES: &[Code] = &[
    Code {
        code: "E0801",
        title: "the C compiler that preprocesses programs cannot be used",
        explanation: "\
A `.c` file is preprocessed by the system's compiler: `$CC -E`, or `cc -E`. It could be started, but it or something
it needs failed without a message about the program; or a thread or a directory for temporary files could not be made.

    CC='gcc --no-such-option' throng check lock.c

Set CC to a compiler that works, preprocess the file yourself (`gcc -E lock.c -o lock.i`) and check the `.i` file, or
use the built-in preprocessor.
",
    },
    Code {
        code: "E0802",
        title: "the C compiler found an error while preprocessing",
        explanation: "\
The message is the compiler's. Most often a header is not found:

    #include \"no_such_header.h\"

Name the directories of headers with `-I`, and macros that the program needs with `-D`. The headers of C and POSIX that
are modelled, such as <pthread.h> and <stdatomic.h>, are built in and need no option.
",
    },
    Code {
        code: "E0803",
        title: "a file that should be preprocessed is not",
        explanation: "\
A file that ends in `.i` is taken as it is. It may have line markers (`# 12 \"lock.c\"`) and `#pragma` lines, but no other
directive:

    #include <pthread.h>

Give the file the ending `.c`, and it is preprocessed first.
",
    },
    Code {
        code: "E0804",
        title: "a header is not found",
        explanation: "\
Told by the built-in preprocessor, which is used where there is no C compiler. It knows the headers of C and POSIX that
are modelled, and looks for others next to the file and in the directories given with `-I`.

    #include <no/such/header.h>

Name the directory of the header with `-I`.
",
    },
    Code {
        code: "E0805",
        title: "a preprocessing directive is malformed",
        explanation: "\
Told by the built-in preprocessor. The directive is unknown, or something is missing in it:

    #define
    #include stdio.h
    #frobnicate

Write `#define NAME text`, `#include <stdio.h>`. A directive of another language has to stand in an `#if` that is false.
",
    },
    Code {
        code: "E0806",
        title: "#error",
        explanation: "\
The program itself refuses to be compiled like this; the message is its own.

    #ifndef __linux__
    #error \"only for Linux\"
    #endif

Define what it asks for with `-D`.
",
    },
    Code {
        code: "E0807",
        title: "a macro is used wrongly",
        explanation: "\
Told by the built-in preprocessor: a macro with parameters gets too few or too many arguments, its arguments do not end,
or `##` makes something that is no token.

    #define MIN(a, b) ((a) < (b) ? (a) : (b))
    int x = MIN(1);

Give it as many arguments as it has parameters.
",
    },
    Code {
        code: "E0808",
        title: "the condition of an #if is malformed",
        explanation: "\
Told by the built-in preprocessor. The condition has to be an integer expression of constants, macros and `defined`.
Division by zero is an error, too.

    #if 1 +
    #endif

Names that are no macros count as 0; strings, casts and `sizeof` are not allowed.
",
    },
    Code {
        code: "E0809",
        title: "#if and #endif do not match",
        explanation: "\
Told by the built-in preprocessor. An `#if` is not closed in its file, or an `#else`, `#elif` or `#endif` has no `#if`.

    #ifdef DEBUG
    int debug;

Close every `#if`, `#ifdef` and `#ifndef` with an `#endif` in the same file.
",
    },
    Code {
        code: "E0810",
        title: "preprocessing does not come to an end",
        explanation: "\
Told by the built-in preprocessor. Headers include each other more than 200 deep, or macros expand to an enormous text.

    /* a.h */
    #include \"a.h\"

Guard headers with `#ifndef A_H`, `#define A_H`, …, `#endif`.
",
    },
    Code {
        code: "E0811",
        title: "preprocessing did not end within the limits",
        explanation: "\
The compiler that preprocesses programs gets what is left of the time and a part of the memory that `--timeout` and
`--memory` allow. It was stopped, since it needed more: the program includes something without an end, or its macros
expand to an enormous text.

    #include \"/dev/zero\"

Look at what is included, or give it more time and memory.
",
    },
    Code {
        code: "E0812",
        title: "an option for the preprocessor makes no sense",
        explanation: "\
`-D` takes the name of a macro, perhaps with parameters and a text, `-U` a name, and `-I` a directory:

    throng check lock.c -D=1

Write `-DNAME`, `-DNAME=TEXT`, `-UNAME`, `-IDIRECTORY`. A text of several lines belongs into a header.
",
    },
    Code {
        code: "E0820",
        title: "something is not a token of C",
        explanation: "\
A character that C has no use for, or a string or character that does not end on its line.

    int x = 1 @ 2;
    char *s = \"no end;

Close the string; a string that goes over several lines is written as several strings, one after the other.
",
    },
    Code {
        code: "E0821",
        title: "a number, character or string is malformed",
        explanation: "\
A digit does not belong to the base, a suffix or an escape sequence is unknown, or a value fits no type.

    int x = 089;
    char c = '\\q';

A number that starts with 0 is octal. Suffixes of integers are u, l, ll and their combinations; escape sequences are
\\n \\t \\r \\a \\b \\f \\v \\e \\\\ \\' \\\" \\? \\123 \\x7f \\u00e9.
",
    },
    Code {
        code: "E0822",
        title: "a comment does not end",
        explanation: "\
    /* a comment
    int main(void) { return 0; }

Close it with `*/`. Comments do not nest.
",
    },
    Code {
        code: "E0830",
        title: "the syntax is not that of C",
        explanation: "\
Something else was expected at this place. The language is C11 with GNU extensions: statement expressions, typeof,
attributes, ranges in `case` and in initialisers, nested functions, labels as values.

    int main(void) { return 0 }

The message says what could stand there. If the place is the use of a macro, it is about what the macro expands to.
",
    },
    Code {
        code: "E0831",
        title: "a name is used like a type but is none",
        explanation: "\
    my_lock_t lock;

Declare the type before it is used, `typedef struct { int x; } my_lock_t;`, or include the header that does. Kernel types
such as `u32` have to be declared, too: `typedef unsigned int u32;`.
",
    },
    Code {
        code: "E0832",
        title: "the words before a name do not make a type",
        explanation: "\
Words of types contradict each other, or there are two types or two storage classes.

    unsigned float x;
    static extern int y;

Often the semicolon after a `struct { … }` is missing.
",
    },
    Code {
        code: "E0833",
        title: "the program is nested too deeply",
        explanation: "\
The syntax tree may be 1000 levels high. Each parenthesis, each operator of a chain such as a + b + c + …, and each
`else if` counts one; a block with its statement counts about four.

Split the expression with a variable, or use a `switch` or a loop.
",
    },
    Code {
        code: "E0834",
        title: "this syntax is not supported",
        explanation: "\
It is C or GNU C, but has no model: complex numbers (`__real__ z`), enumerations whose size an attribute changes.

    enum __attribute__((packed)) color { RED, GREEN };

Use an enumeration without attributes, and integers instead of complex numbers.
",
    },
    Code {
        code: "E0836",
        title: "an attribute is not known, or not supported here",
        explanation: "\
Attributes are read by a table (docs/c-world.md): some have a meaning here, many mean nothing to what a program computes, some
change it in ways that have no model, as `ifunc` does. Those, and all that are not in the table, are refused.

    int f(void) __attribute__((ifunc(\"choose\")));

Leave the attribute out if it does not change what the program does, or write in C what it stands for.
",
    },
    Code {
        code: "E0837",
        title: "a pragma is not known, or not supported here",
        explanation: "\
Pragmas are read by a table (docs/c-world.md): `pack` counts in the layout of structs, many are about warnings and optimisers, some
change the meaning in ways that have no model, as `omp` does. Those, and all that are not in the table, are refused.

Leave the pragma out if it does not change what the program does, or write in C what it stands for.
",
    },
    Code {
        code: "E0840",
        title: "a line of a file of predicates cannot be read",
        explanation: "\
A file of predicates has one on each line: a condition in C's syntax without calls and assignments, perhaps with the
function whose threads it is about before it. `x$` is the `x` of any other thread. Comments begin with `#` or `//`.

    worker: ticket = 1

Write, for example, `worker: ticket != ticket$`, `all worker: ticket <= next`, or `limit < 10`.
",
    },
    Code {
        code: "E0841",
        title: "a name in a predicate means nothing, or several things",
        explanation: "\
Names are those of shared variables and of variables of the threads that the predicate is about. Where several variables
have the same name, for example because a function is called from two places, the message lists them with numbers.

    worker: no_such_variable > 0

Say whose variables are meant (`worker: i < n`), and which of them (`i#7 < n`). A name that is no identifier is quoted:
`'waits for' == 0`.
",
    },
    Code {
        code: "E0842",
        title: "the widths in a predicate do not fit",
        explanation: "\
Values are bit-vectors, and a number has the width of what it is compared or computed with. It is too large for that, or
there is nothing that says how wide it is; or an array is used without an index.

    letter < 300

Extend the variable: `u32(letter) < 300`, or `s32(letter) < 300` with its sign. `bits(x, 0, 8)` are the lowest eight bits.
",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The codes that stand in a directory's sources.
    fn codes_used(directory: &Path, into: &mut Vec<String>) {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                codes_used(&path, into);
                continue;
            }
            if path.ends_with("codes.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for (at, _) in text.match_indices("\"E0") {
                let code: String = text[at + 1..].chars().take(5).collect();
                if code[1..].chars().all(|c| c.is_ascii_digit()) && !into.contains(&code) {
                    into.push(code);
                }
            }
        }
    }

    #[test]
    fn every_code_has_a_page_and_every_page_a_code() {
        let mut used = Vec::new();
        for folder in ["src", "../cfa/src"] {
            codes_used(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut used);
        }
        // E00xx are about files and belong to the base crate.
        used.retain(|code| !code.starts_with("E00"));
        used.sort();
        let mut known: Vec<&str> = all().map(|code| code.code).filter(|code| code.starts_with('E')).collect();
        known.sort_unstable();
        assert_eq!(used, known);
        assert!(all().all(|code| code.explanation.len() > 80), "a page is more than a title");
    }

    #[test]
    fn pages_are_found_by_their_code() {
        assert_eq!(find("e0830").map(|code| code.code), Some("E0830"));
        assert_eq!(find("E9999"), None);
    }
}
