//! Printing and parsing are inverse to each other.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod common;

use arbtest::arbtest;
use common::outline::outline;
use common::{programs_of_the_suite, random, source};
use throng_base::Source;
use throng_boolprog::{parse, print};

/// Everything that the language has, as it is printed.
const EVERYTHING: &str = "\
decl s, t;
thread_local decl l;

bool<2> f(x, y) begin
  decl z;
  enforce(!x | y);
  L1: L2: L3: z, s := x & y, * constrain ('z | !z) & 's;
  return x, schoose[x & z, !y];
end

dfs void main() begin
  thread_local decl a, b;
  a, b := f(a, !b);
  12: goto 12, L;
  L: if a = b then
    skip;
  elsif * then
    assume(a ^ b);
  else
    while !(a & b) do
      a := a => b => s;
      b := (a => b) => s;
    od;
  fi;
  atomic_begin;
  assert(a != b);
  atomic_end;
  abortif(a | b & s);
  dead a, b;
  sync L;
  l$, l := l$ & s, 1 constrain 'l$ = 'l;
  start_thread goto L;
  start_thread g();
  ASYNC_1: g();
  end_thread;
end

void g() begin
  return;
end
";

#[test]
fn what_other_tools_write_is_printed_in_our_way() {
    let theirs = "decl {x==0}; main() begin L: L: {x==0}, _ := 1, 0; if {x==0} then start_thread f else start_thread L fi; start_thread f end void f() begin return end";
    let ours = "\
decl {x==0};

void main() begin
  L: L: {x==0}, _ := 1, 0;
  if {x==0} then
    start_thread f();
  else
    start_thread goto L;
  fi;
  start_thread f();
end

void f() begin
  return;
end
";
    assert_eq!(print(&parse(&source(theirs)).unwrap()), ours);
    assert_eq!(print(&parse(&source(ours)).unwrap()), ours);
}

#[test]
fn the_printed_form_of_everything_is_as_it_was_read() {
    assert_eq!(print(&parse(&source(EVERYTHING)).unwrap()), EVERYTHING);
}

#[test]
fn spellings_comments_and_redundant_parentheses_make_no_difference() {
    let text = "decl x /* one */, y; main() begin // no type\n if ((x)) then x := ~(x && (T || F)); fi assume !y; \
        x:=((x&y)|(!(y))); while * do od end";
    let same = "decl x, y;\n\nvoid main() begin\n  if x then\n    x := !(x & (1 | 0));\n  fi;\n  assume(!y);\n  \
        x := x & y | !y;\n  while * do\n  od;\nend\n";
    assert_eq!(print(&parse(&source(text)).unwrap()), same);
}

/// The expression as the parser groups it, with all parentheses.
fn grouped(text: &str) -> String {
    let program = parse(&source(&format!("main() begin x := {text}; end"))).unwrap();
    let throng_boolprog::syntax::StatementKind::Assign { values, .. } = &program.functions[0].body[0].kind
    else {
        panic!("an assignment")
    };
    use throng_boolprog::expression::Node;
    let mut stack: Vec<String> = Vec::new();
    for node in values[0].tree.nodes() {
        let last = if node.operands() > 0 { stack.pop().unwrap() } else { String::new() };
        let group = match node {
            Node::Read(reference) => program.text(reference.name.symbol).to_owned(),
            Node::Not => format!("!{last}"),
            Node::Binary(operator) => format!("({} {operator:?} {last})", stack.pop().unwrap()),
            other => format!("{other:?}"),
        };
        stack.push(group);
    }
    stack.pop().unwrap()
}

#[test]
fn operators_bind_as_in_c_and_implication_last() {
    assert_eq!(grouped("a => b | c ^ d & e = !f"), "(a Implies (b Or (c Xor (d And (e Equal !f)))))");
    assert_eq!(grouped("!a = b & c ^ d | e => f"), "(((((!a Equal b) And c) Xor d) Or e) Implies f)");
    assert_eq!(grouped("a => b => c"), "(a Implies (b Implies c))");
    assert_eq!(grouped("a = b != c = d"), "(((a Equal b) NotEqual c) Equal d)");
    assert_eq!(grouped("!!(a & b) & c"), "(!!(a And b) And c)");
}

#[test]
fn random_trees_are_read_again() {
    arbtest(|u| {
        let program = random::program(u)?;
        let text = print(&program);
        let again = parse(&source(&text)).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
        assert_eq!(outline(&again), outline(&program), "{text}");
        assert_eq!(print(&again), text);
        Ok(())
    })
    .budget_ms(1000);
}

#[test]
fn very_long_and_very_deep_expressions_are_read_and_printed() {
    const SIZE: usize = 100_000;
    for text in [
        "x & ".repeat(SIZE) + "x",
        "x => ".repeat(SIZE) + "x",
        "!".repeat(SIZE) + "x",
        "!(x & ".repeat(SIZE) + "x" + &")".repeat(SIZE),
        "schoose[x, ".repeat(SIZE) + "x" + &"]".repeat(SIZE),
    ] {
        let program = parse(&source(&format!("main() begin x := {text}; end"))).unwrap();
        let printed = print(&program);
        assert!(printed.contains(&text), "{}", &printed[..100]);
    }
}

#[test]
fn the_programs_of_the_suite_are_read_and_survive_printing() {
    for path in programs_of_the_suite() {
        let program = parse(&Source::read(&path).unwrap()).unwrap_or_else(|errors| panic!("{}", errors[0]));
        let again = parse(&source(&print(&program))).unwrap();
        assert_eq!(outline(&again), outline(&program), "{}", path.display());
    }
}
