//! Errors say where and what, several in one run.

mod common;

use common::source;
use throng_base::Diagnostic;
use throng_boolprog::{MAX_NESTING, read};

fn diagnostics(text: &str) -> Vec<Diagnostic> {
    read(&source(text)).expect_err("errors")
}

/// All errors, one per line.
fn errors(text: &str) -> String {
    diagnostics(text).iter().map(|error| format!("{error}\n")).collect()
}

/// The errors of a body, on a line of its own.
fn errors_in(body: &str) -> String {
    errors(&format!("decl s; thread_local decl t; void main() begin decl x, y;\n{body}\nend\n{FUNCTIONS}"))
}

const FUNCTIONS: &str =
    "void f(a) begin end bool<2> two() begin return 0, 1; end bool one(a, b) begin return a; end";

#[test]
fn what_was_expected_is_said_at_the_place() {
    for (body, expected) in [
        ("x := ;", "p:2:6: error[E0101]: expected an expression, found `;` (expected an expression)\n"),
        ("x := x\ny := x;", "p:3:1: error[E0101]: expected `;`, found `y` (expected `;`)\n"),
        ("x := 2;", "p:2:6: error[E0101]: expected `0` or `1`, found `2` (expected `0` or `1`)\n"),
        (
            "x := (x;",
            "p:2:8: error[E0101]: expected an operator or `)`, found `;` (expected an operator or `)`)\n",
        ),
        ("x := x y;", "p:2:8: error[E0101]: expected `;`, found `y` (expected `;`)\n"),
        ("x := schoose x;", "p:2:14: error[E0101]: expected `[`, found `x` (expected `[`)\n"),
        (
            "x := schoose[x];",
            "p:2:15: error[E0101]: expected an operator or `,`, found `]` (expected an operator or `,`)\n",
        ),
        (
            "x := schoose[x, y;",
            "p:2:18: error[E0101]: expected an operator or `]`, found `;` (expected an operator or `]`)\n",
        ),
        ("x;", "p:2:2: error[E0101]: expected `:=`, `:` or `(`, found `;` (expected `:=`, `:` or `(`)\n"),
        ("x, y;", "p:2:5: error[E0101]: expected `:=`, found `;` (expected `:=`)\n"),
        ("12 skip;", "p:2:4: error[E0101]: expected `:`, found `skip` (expected `:`)\n"),
        ("goto ;", "p:2:6: error[E0101]: expected a label, found `;` (expected a label)\n"),
        (
            "L: end",
            "p:2:4: error[E0101]: expected a statement, found `end` (expected a statement)\np:3:1: error[E0101]: expected `decl` or a function, found `end` (expected `decl` or a function)\n",
        ),
        (
            "start_thread;",
            "p:2:13: error[E0101]: expected `goto` or a function, found `;` (expected `goto` or a function)\n",
        ),
        ("dead x$;", "p:2:7: error[E0101]: expected `;`, found `$` (expected `;`)\n"),
        ("x := @;", "p:2:6: error[E0101]: expected an expression, found `@` (expected an expression)\n"),
        ("if x then", "p:3:1: error[E0101]: expected `fi`, found `end` (expected `fi`)\n"),
        (
            "while x do skip; fi;",
            "p:2:18: error[E0101]: expected `od`, found `fi` (expected `od`)\np:2:18: error[E0101]: expected a statement or `end`, found `fi` (expected a statement or `end`)\n",
        ),
        (
            "od; skip;",
            "p:2:1: error[E0101]: expected a statement or `end`, found `od` (expected a statement or `end`)\n",
        ),
    ] {
        assert_eq!(errors_in(body), expected, "{body}");
    }
}

#[test]
fn heads_of_functions_are_checked() {
    for (text, expected) in [
        ("void f( begin end", "p:1:9: error[E0101]: expected a name, found `begin` (expected a name)\n"),
        (
            "void main()",
            "p:1:12: error[E0101]: expected `begin`, found the end of the file (expected `begin`)\n",
        ),
        (
            "bool<x> f() begin end",
            "p:1:6: error[E0101]: expected the number of results, found `x` (expected the number of results)\n",
        ),
        ("bool<99999999999> f() begin end", "p:1:6: error[E0102]: number too large (at most 65536)\n"),
        ("decl x", "p:1:7: error[E0101]: expected `;`, found the end of the file (expected `;`)\n"),
        (
            "void main() begin",
            "p:1:18: error[E0101]: expected `end`, found the end of the file (expected `end`)\n",
        ),
        (
            "skip;",
            "p:1:1: error[E0101]: expected `decl` or a function, found `skip` (expected `decl` or a function)\n",
        ),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

#[test]
fn several_errors_are_found_in_one_run() {
    let text = "decl a b;\nvoid main() begin\n  a := ;\n  if & then a := 1; else a := ; fi;\n  while 1 skip; od\n  \
        goto;\nend\nvoid f() begin assume(; end";
    assert_eq!(
        errors(text),
        "p:1:8: error[E0101]: expected `;`, found `b` (expected `;`)\n\
         p:3:8: error[E0101]: expected an expression, found `;` (expected an expression)\n\
         p:4:6: error[E0101]: expected an expression, found `&` (expected an expression)\n\
         p:4:31: error[E0101]: expected an expression, found `;` (expected an expression)\n\
         p:5:11: error[E0101]: expected `do`, found `skip` (expected `do`)\n\
         p:6:7: error[E0101]: expected a label, found `;` (expected a label)\n\
         p:8:23: error[E0101]: expected an expression, found `;` (expected an expression)\n"
    );
}

#[test]
fn an_unclosed_comment_is_explained() {
    let error = &diagnostics("void main() begin /* skip; end")[0];
    assert_eq!(error.hints, ["what begins with `/*` here is never closed"]);
}

#[test]
fn a_call_inside_an_expression_is_explained() {
    let error = &diagnostics("void main() begin x := y & f(x); end")[0];
    assert_eq!(
        error.to_string(),
        "p:1:29: error[E0101]: expected an operator, found `(` (expected an operator)"
    );
    assert_eq!(error.hints, ["a call is a statement of its own: assign its result to a variable first"]);
}

#[test]
fn nesting_is_limited() {
    let nested = |depth: usize| {
        format!("main() begin {} skip; {} end", "while * do ".repeat(depth), "od ".repeat(depth))
    };
    assert!(read(&source(&nested(MAX_NESTING))).is_ok());
    let errors = errors(&nested(MAX_NESTING + 1));
    assert_eq!(errors, "p:1:1114: error[E0501]: statements nest too deep (at most 100 levels)\n");
    assert_eq!(diagnostics(&nested(100_000)).len(), 1);
}

#[test]
fn only_so_many_errors_are_shown() {
    let errors = diagnostics(&format!("main() begin {} end", "x := y;".repeat(1000)));
    assert_eq!(errors.len(), 50);
    assert_eq!(errors[49].notes, ["1950 more messages are not shown"]);
    assert_eq!(diagnostics(&"( ".repeat(100_000)).len(), 1);
    assert_eq!(diagnostics(&"x := ;".repeat(100_000)).len(), 1);
    assert_eq!(diagnostics(&("main() begin ".to_owned() + &"x := ;".repeat(100_000))).len(), 50);
}

#[test]
fn unknown_names_are_found_with_a_close_one() {
    let found = diagnostics(
        "decl shared; void main() begin decl local;\nlocl := shard;\nloop: goto lop;\nhelpr();\nzzz := 1;\nend void helper() begin end",
    );
    let lines: Vec<String> = found.iter().map(|it| format!("{it} {:?}", it.hints)).collect();
    assert_eq!(
        lines,
        [
            "p:2:1: error[E0504]: there is no variable called `locl` (not declared) [\"a close name is `local`\"]",
            "p:2:9: error[E0504]: there is no variable called `shard` (not declared) [\"a close name is `shared`\"]",
            "p:3:12: error[E0505]: there is no label called `lop` (not declared) [\"a close name is `loop`\"]",
            "p:4:1: error[E0506]: there is no function called `helpr` (not declared) [\"a close name is `helper`\"]",
            "p:5:1: error[E0504]: there is no variable called `zzz` (not declared) []",
        ]
    );
}

#[test]
fn a_name_behind_start_thread_is_a_function_or_a_label_and_not_both() {
    assert_eq!(
        errors("main() begin f: start_thread f; end void f() begin end"),
        "p:1:30: error[E0519]: `f` is a function and a label (which one?)\n"
    );
    assert_eq!(
        errors("main() begin start_thread g; end void f() begin end"),
        "p:1:27: error[E0506]: there is no function called `g` (not declared)\n"
    );
    let wrong = errors("main() begin start_thread f; end void f(a) begin end");
    assert!(wrong.contains("error[E0507]: `f` is called with 0 arguments, but has 1 parameter"), "{wrong}");
}

#[test]
fn what_is_thrown_away_cannot_be_read() {
    let wrong = errors("decl s; main() begin s, _ := 1, s; s := _; end");
    assert_eq!(wrong, "p:1:41: error[E0504]: there is no variable called `_` (not declared)\n");
    let wrong = errors("decl s; main() begin s, _ := 1; end");
    assert!(wrong.contains("error[E0507]: 1 value assigned to 2 variables"), "{wrong}");
    let wrong = errors("thread_local decl s; main() begin _$ := 1; end");
    assert!(wrong.contains("E0504"), "{wrong}");
}

#[test]
fn names_in_braces_end_on_their_line() {
    let wrong = errors("decl {x==0;\nmain() begin end");
    assert!(wrong.contains("p:1:6: error[E0101]: expected a name, found `{x==0;`"), "{wrong}");
    let unknown = errors("decl {x==0}; main() begin {x==1} := 1; end");
    assert!(unknown.contains("there is no variable called `{x==1}`"), "{unknown}");
}

#[test]
fn a_label_twice_at_one_statement_is_one_and_at_two_is_an_error() {
    assert!(read(&source("main() begin L: L: M: L: skip; goto L; end")).is_ok());
    assert!(errors("main() begin L: skip; L: skip; end").contains("E0502"));
}

#[test]
fn labels_of_another_function_are_unknown() {
    assert_eq!(
        errors("main() begin goto L; end void f() begin L: skip; end"),
        "p:1:19: error[E0505]: there is no label called `L` (not declared)\n"
    );
}

#[test]
fn names_are_declared_once() {
    let text = "decl a, b;\ndecl a;\nvoid main(p) begin decl p, q, q;\nL: if * then L: skip; fi;\nend\nvoid main() begin end";
    let found = diagnostics(text);
    let lines: Vec<String> = found.iter().map(|it| format!("{it} {}", it.notes[0])).collect();
    assert_eq!(
        lines,
        [
            "p:2:6: error[E0502]: variable `a` is declared twice (second declaration) the first is at line 1, column 6",
            "p:3:25: error[E0502]: variable `p` is declared twice (second declaration) the first is at line 3, column 11",
            "p:3:31: error[E0502]: variable `q` is declared twice (second declaration) the first is at line 3, column 28",
            "p:4:14: error[E0502]: label `L` is declared twice (second declaration) the first is at line 4, column 1",
            "p:6:6: error[E0502]: function `main` is declared twice (second declaration) the first is at line 3, column 6",
        ]
    );
}

#[test]
fn numbers_of_values_arguments_and_results_must_agree() {
    for (body, expected) in [
        ("x, y := 1;", "p:2:1: error[E0507]: 1 value assigned to 2 variables (expected 2 values)\n"),
        ("x := 1, 0;", "p:2:1: error[E0507]: 2 values assigned to 1 variable (expected 1 value)\n"),
        (
            "f();",
            "p:2:1: error[E0507]: `f` is called with 0 arguments, but has 1 parameter (has 1 parameter)\n",
        ),
        (
            "x := one(x);",
            "p:2:6: error[E0507]: `one` is called with 1 argument, but has 2 parameters (has 2 parameters)\n",
        ),
        (
            "x := two();",
            "p:2:6: error[E0507]: `two` is assigned to 1 variable, but has 2 results (has 2 results)\n",
        ),
        (
            "x := f(x);",
            "p:2:6: error[E0507]: `f` is assigned to 1 variable, but has 0 results (has 0 results)\n",
        ),
        (
            "start_thread f();",
            "p:2:14: error[E0507]: `f` is called with 0 arguments, but has 1 parameter (has 1 parameter)\n",
        ),
        (
            "return x;",
            "p:2:1: error[E0507]: 1 value returned from a function with 0 results (expected 0 values)\n",
        ),
        (
            "x, y, x := 1, 0, 1;",
            "p:2:7: error[E0516]: `x` is assigned twice in one statement (second time)\n",
        ),
        ("dead x, x;", "p:2:9: error[E0516]: `x` is assigned twice in one statement (second time)\n"),
        (
            "ASYNC_1: x := one(x, y);",
            "p:2:10: error[E0515]: a function that runs in a new thread has no results here (expected a call without `:=`)\n",
        ),
    ] {
        assert_eq!(errors_in(body), expected, "{body}");
    }
    let error = &diagnostics("bool<2> f() begin\nreturn;\nend void main() begin end")[0];
    assert_eq!(
        (error.to_string().as_str(), error.hints[0].as_str()),
        (
            "p:2:1: error[E0507]: 0 values returned from a function with 2 results (expected 2 values)",
            "a function with 0 results is declared `void f()`"
        )
    );
}

#[test]
fn results_may_be_dropped_altogether() {
    assert!(read(&source(&format!("main() begin two(); one(1, 0); end {FUNCTIONS}"))).is_ok());
}

#[test]
fn next_values_stand_in_constraints_only() {
    for body in ["x := 'x;", "assume('x);", "x, y := f('x);", "enforce 'x;", "if 'x then fi;"] {
        let errors = errors_in(body);
        assert!(
            errors.contains("error[E0508]: a next value can only be used after `constrain` (expected `x`)"),
            "{errors}"
        );
    }
    assert!(read(&source("decl x, y; main() begin x := * constrain 'x != x & 'y; end")).is_ok());
}

#[test]
fn passive_variables_are_local_and_stand_in_broadcasts_only() {
    for (body, expected) in [
        (
            "s$ := 1;",
            "p:2:1: error[E0509]: `s` is shared: passive threads have no copy of it (expected a local variable before `$`)\n",
        ),
        (
            "x := y$ | *;",
            "p:2:6: error[E0509]: a value that mentions other threads cannot be chosen (expected no `*` beside `$`)\n",
        ),
        (
            "x$, x := 1, schoose[y$, 0];",
            "p:2:13: error[E0509]: a value that mentions other threads cannot be chosen (expected no `*` beside `$`)\n",
        ),
        (
            "x := 1 constrain y$;",
            "p:2:18: error[E0509]: a variable of passive threads can only be used in values that are assigned (expected `y`)\n",
        ),
        (
            "assume(y$);",
            "p:2:8: error[E0509]: a variable of passive threads can only be used in values that are assigned (expected `y`)\n",
        ),
    ] {
        assert_eq!(errors_in(body), expected, "{body}");
    }
    let text = "thread_local decl t; main() begin decl x; t$, x, x$ := x$ & t, t, * constrain 'x$ != 'x; end";
    assert!(read(&source(text)).is_ok());
}

#[test]
fn recursion_is_refused_with_all_its_calls() {
    let text = "main() begin f(); end\nvoid f() begin\n  g();\nend\nvoid g() begin\n  skip; f();\nend\nvoid h() begin\n  h();\nend";
    let found = diagnostics(text);
    assert_eq!(found[0].to_string(), "p:6:9: error[E0510]: recursion: f → g → f (closes the cycle)");
    assert_eq!(found[0].notes, ["`f` calls `g` at line 3, column 3", "`g` calls `f` at line 6, column 9"]);
    assert_eq!(found[1].to_string(), "p:9:3: error[E0510]: recursion: h → h (closes the cycle)");
    assert_eq!(found.len(), 2);
}

#[test]
fn a_function_may_start_threads_that_run_it() {
    assert!(
        read(&source(
            "main() begin start_thread main(); ASYNC_7: f(); end void f() begin start_thread f(); end"
        ))
        .is_ok()
    );
}

#[test]
fn main_must_exist() {
    let error = &diagnostics("decl x; void mian() begin end")[0];
    assert_eq!(error.to_string(), "error[E0511]: `p` has no function `main`");
    assert_eq!(error.notes, ["its functions are `mian`"]);
    assert_eq!(diagnostics("")[0].notes, ["it has no functions at all"]);
}

#[test]
fn synchronisation_without_a_meaning_is_refused() {
    assert_eq!(
        errors_in("L: sync L;"),
        "p:2:4: error[E0514]: `sync L` has no defined meaning for any number of threads (not supported)\n"
    );
}

#[test]
fn exponential_inlining_is_refused() {
    let mut text = "main() begin f0(); end ".to_owned();
    for i in 0..40 {
        text += &format!("void f{i}() begin f{0}(); f{0}(); end ", i + 1);
    }
    let error = &diagnostics(&(text + "void f40() begin end"))[0];
    assert!(
        error.to_string().contains("error[E0513]: inlining calls gives more than 1048576 locations or edges"),
        "{error}"
    );
    assert!(error.notes[0].contains("`f"), "{error}");
}

#[test]
fn what_was_perhaps_not_meant_is_a_warning() {
    let text = "decl a;\nmain() begin decl a;\nASYNC_1: skip;\natomic_begin;\nend_thread;\nend";
    let warnings = read(&source(text)).expect("a program").warnings;
    let lines: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "p:2:19: warning[W0501]: `a` hides a variable outside of the function (this one is used in the function)",
            "p:3:1: warning[W0502]: `ASYNC_1` labels a statement that is not a call (starts no thread)",
            "p:5:1: warning[W0503]: a thread can end here inside of an atomic section (ends the section)",
        ]
    );
}
