//! No text makes the parser, the printer or the graph panic, and what is accepted survives printing.

mod common;

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use common::{random, source};
use throng_boolprog::{parse, print, read};

/// Reads a text; what is accepted is printed and read again.
fn try_text(text: &str) {
    let source = source(text);
    let Ok(tree) = parse(&source) else { return };
    let printed = print(&tree);
    let again = parse(&common::source(&printed)).unwrap_or_else(|errors| panic!("{}\n{printed}", errors[0]));
    assert_eq!(print(&again), printed);
    let graphs =
        [read(&source), read(&common::source(&printed))].map(|input| input.ok().map(|it| it.program));
    let [Some(program), Some(other)] = graphs else {
        assert!(graphs.iter().all(Option::is_none), "accepted in one form only:\n{printed}");
        return;
    };
    assert_eq!(program.edges(), other.edges());
    for &edge in program.edges() {
        assert!(!program.location_text(edge.from).is_empty());
        program.edge_text(edge);
    }
}

const WORDS: &[&str] = &[
    "decl",
    "thread_local",
    "void",
    "bool",
    "<2>",
    "dfs",
    "main()",
    "f(",
    ")",
    "begin",
    "end",
    "skip",
    ";",
    "goto L",
    "goto",
    "L:",
    "7:",
    ":=",
    "x",
    "y",
    "s",
    "x$",
    "'x",
    "'",
    "$",
    ",",
    "constrain",
    "*",
    "!",
    "&",
    "|",
    "^",
    "=>",
    "=",
    "!=",
    "(",
    ")",
    "0",
    "1",
    "T",
    "schoose[",
    "]",
    "if",
    "then",
    "elsif",
    "else",
    "fi",
    "while",
    "do",
    "od",
    "assert",
    "assume",
    "abortif",
    "enforce",
    "return",
    "start_thread",
    "end_thread",
    "sync",
    "dead",
    "atomic_begin",
    "atomic_end",
    "ASYNC_1:",
    "f()",
    "x := f(x)",
    "x := *;",
    "/*",
    "*/",
    "//",
    "\n",
    "\u{e9}",
    "@",
    "12345678901",
];

fn soup(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text = "decl s; void main() begin decl x, y; ".to_owned();
    if u.arbitrary()? {
        text.clear();
    }
    for _ in 0..u.int_in_range(0..=40)? {
        text += u.choose(WORDS)?;
        text += " ";
    }
    Ok(text + u.choose(&["", "end", "; end bool f(x) begin return x; end"])?)
}

#[test]
fn words_in_any_order_do_no_harm() {
    arbtest(|u| {
        try_text(&soup(u)?);
        Ok(())
    })
    .budget_ms(700);
}

#[test]
fn damaged_programs_do_no_harm() {
    arbtest(|u| {
        let mut text = print(&random::program(u)?);
        for _ in 0..u.int_in_range(0..=4)? {
            let mut place = u.int_in_range(0..=text.len())?;
            while !text.is_char_boundary(place) {
                place -= 1;
            }
            if u.arbitrary()? {
                text.insert_str(place, u.choose(WORDS)?);
            } else {
                text.truncate(place);
            }
        }
        try_text(&text);
        Ok(())
    })
    .budget_ms(700);
}
