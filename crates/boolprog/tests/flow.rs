//! The control-flow graphs of small programs.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod common;

use common::{programs_of_the_suite, source};
use throng_base::Source;
use throng_boolprog::flow::{LocationId, Program};
use throng_boolprog::read;

fn program(text: &str) -> Program {
    read(&source(text)).unwrap_or_else(|errors| panic!("{}", errors[0])).program
}

/// The edges, one per line, by their sources.
fn edges(program: &Program) -> Vec<String> {
    let ids = LocationId::all(program.locations().len());
    let outgoing = ids.flat_map(|id| program.outgoing(id));
    let lines = outgoing.map(|&edge| {
        let to = edge.to.map_or("gone".to_owned(), |to| program.location_text(to));
        let text = program.edge_text(edge);
        format!(
            "{} -> {to}{}{text}",
            program.location_text(edge.from),
            if text.is_empty() { "" } else { ": " }
        )
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort_by_key(|line| {
        let (place, position) = line.split(" ->").next().unwrap().split_once(':').unwrap();
        let digits: String = position.chars().take_while(char::is_ascii_digit).collect();
        (place.to_owned(), digits.parse::<u32>().unwrap(), position.to_owned())
    });
    lines
}

/// The edges of a body with a shared variable `s` and local ones `x`, `y`.
fn edges_of(body: &str) -> Vec<String> {
    edges(&program(&format!("decl s; main() begin decl x, y; {body} end")))
}

#[test]
fn simple_statements_have_one_edge_each() {
    assert_eq!(
        edges_of("skip; x, s := s, * constrain 's | x; assume(x); abortif y; dead x, y; end_thread;"),
        [
            "main:0 -> main:1",
            "main:1 -> main:2: x, s := s, * constrain 's | x",
            "main:2 -> main:3: assume(x)",
            "main:3 -> main:4: assume(!y)",
            "main:4 -> main:5: x, y := *, *",
            "main:5 -> gone: end_thread",
        ]
    );
}

#[test]
fn an_assertion_leads_on_and_to_the_error() {
    let program = program("main() begin assert(*); end");
    assert_eq!(
        edges(&program),
        ["main:0 -> main:1: assume(*)", "main:0 -> error: assume(!*)", "main:1 -> gone: end_thread"]
    );
    assert!(program.outgoing(program.error()).is_empty());
}

#[test]
fn gotos_lead_to_all_their_labels_also_into_blocks() {
    assert_eq!(
        edges_of("goto A, B; A: if x then B: skip; fi; goto A;"),
        [
            "main:0 -> main:1",
            "main:0 -> main:2",
            "main:1 -> main:2: assume(x)",
            "main:1 -> main:3: assume(!x)",
            "main:2 -> main:3",
            "main:3 -> main:1",
        ]
    );
}

#[test]
fn branches_join_behind_fi_and_loops_return_to_their_condition() {
    assert_eq!(
        edges_of("if x then skip; elsif y then else s := 1; fi; while * do if y then skip; fi; od;"),
        [
            "main:0 -> main:1: assume(x)",
            "main:0 -> main:3: assume(!x)",
            "main:1 -> main:6",
            "main:3 -> main:6: assume(y)",
            "main:3 -> main:5: assume(!y)",
            "main:5 -> main:6: s := 1",
            "main:6 -> main:7: assume(*)",
            "main:6 -> main:10: assume(!*)",
            "main:7 -> main:8: assume(y)",
            "main:7 -> main:6: assume(!y)",
            "main:8 -> main:6",
            "main:10 -> gone: end_thread",
        ]
    );
}

#[test]
fn calls_assign_arguments_and_returns_assign_results_at_once() {
    let text = "decl s; main() begin decl x, y; x, y := f(y, s); f(1, *); end
        bool<2> f(a, x) begin decl z; if a then return z, x; fi; end";
    assert_eq!(
        edges(&program(text)),
        [
            "main:0 -> main:0/f:0: a, f.x, z := y, s, *",
            "main:0/f:0 -> main:0/f:1: assume(a)",
            "main:0/f:0 -> main:0/f:2: assume(!a)",
            "main:0/f:1 -> main:1: main.x, y := z, f.x",
            "main:0/f:2 -> main:1: main.x, y := *, *",
            "main:1 -> main:1/f:0: a, f.x, z := 1, *, *",
            "main:1/f:0 -> main:1/f:1: assume(a)",
            "main:1/f:0 -> main:1/f:2: assume(!a)",
            "main:1/f:1 -> main:2",
            "main:1/f:2 -> main:2",
            "main:2 -> gone: end_thread",
        ]
    );
}

#[test]
fn threads_start_at_labels_with_a_copy_and_in_functions_afresh() {
    let text = "decl s; main() begin decl x; f(); end
        void f() begin start_thread goto L; start_thread g(s); ASYNC_12: g(!s); L: skip; end
        void g(a) begin skip; end";
    let program = program(text);
    assert!(program.starts_threads());
    assert_eq!(
        edges(&program),
        [
            "g:0 -> g:1",
            "g:1 -> gone: end_thread",
            "main:0 -> main:0/f:0",
            "main:0/f:0 -> main:0/f:1: start_thread at main:0/f:3 with a copy of the local variables",
            "main:0/f:1 -> main:0/f:2: start_thread at g:0 with a := s",
            "main:0/f:2 -> main:0/f:3: start_thread at g:0 with a := !s",
            "main:0/f:3 -> main:0/f:4",
            "main:0/f:4 -> main:1",
            "main:1 -> gone: end_thread",
        ]
    );
}

#[test]
fn atomic_sections_follow_control_flow_through_calls_and_gotos() {
    let text =
        "main() begin atomic_begin; f(); start_thread goto L; goto L; L: atomic_begin; atomic_end; f(); end
        void f() begin skip; end";
    assert_eq!(
        edges(&program(text)),
        [
            "main:0 -> main:1 (atomic)",
            "main:1 (atomic) -> main:1/f:0 (atomic)",
            "main:1/f:0 (atomic) -> main:1/f:1 (atomic)",
            "main:1/f:1 (atomic) -> main:2 (atomic)",
            "main:2 (atomic) -> main:3 (atomic): start_thread at main:4 with a copy of the local variables",
            "main:3 (atomic) -> main:4 (atomic)",
            "main:4 -> main:5 (atomic)",
            "main:4 (atomic) -> main:5 (atomic)",
            "main:5 (atomic) -> main:6",
            "main:6 -> main:6/f:0",
            "main:6/f:0 -> main:6/f:1",
            "main:6/f:1 -> main:7",
            "main:7 -> gone: end_thread",
        ]
    );
}

#[test]
fn what_is_enforced_guards_every_step_and_constrains_every_assignment() {
    let text = "decl s; main() begin decl x; x := f(); end
        bool f() begin decl z; enforce s | z; z := * constrain 'z = z; if * then enforce !s; fi; return z; end";
    assert_eq!(
        edges(&program(text)),
        [
            "main:0 -> main:0/f:0: z := * constrain ('s | 'z) & !'s",
            "main:0/f:0 -> main:0/f:1: assume((s | z) & !s)",
            "main:0/f:1 -> main:0/f:2: assume((s | z) & !s); z := * constrain 'z = z constrain ('s | 'z) & !'s",
            "main:0/f:2 -> main:0/f:3: assume((s | z) & !s); assume(*)",
            "main:0/f:2 -> main:0/f:4: assume((s | z) & !s); assume(!*)",
            "main:0/f:3 -> main:0/f:4: assume((s | z) & !s)",
            "main:0/f:4 -> main:1: assume((s | z) & !s); x := z",
            "main:1 -> gone: end_thread",
        ]
    );
}

#[test]
fn broadcasts_keep_their_marks() {
    assert_eq!(
        edges_of("x$, y := x$ & y, s constrain 'x$ => x;")[0],
        "main:0 -> main:1: x$, y := x$ & y, s constrain 'x$ => x"
    );
    // What others have is read by a constraint, which needs an assignment to others.
    assert_eq!(edges_of("x, x$ := x$, x;")[0], "main:0 -> main:1: x, x$ := *, x constrain 'x = x$");
    assert_eq!(
        edges_of("s, x := y$, x ^ y$ constrain 's | x;")[0],
        "main:0 -> main:1: s, x, y$ := *, *, y$ constrain 's | x constrain 's = y$ constrain 'x = (x ^ y$)"
    );
}

#[test]
fn labels_are_found_in_all_instances_and_known_where_nobody_gets() {
    let program = program(
        "main() begin f(); f(); goto L; D: skip; L: M: skip; end void f() begin M: skip; end void g() begin G: skip; end",
    );
    let count = |label: &str| program.locations_with_label(label).map(|locations| locations.len());
    assert_eq!(
        [count("M"), count("L"), count("D"), count("G"), count("f")],
        [Some(3), Some(1), Some(0), Some(0), None]
    );
    let both = program.locations_with_label("L").unwrap()[0];
    assert_eq!(program.labels(both).collect::<Vec<&str>>(), ["L", "M"]);
}

#[test]
fn a_long_chain_of_calls_is_inlined_without_recursion() {
    const LENGTH: usize = 20_000;
    let functions = (1..LENGTH).map(|i| format!("void f{i}() begin f{}(); end ", i + 1));
    let text = format!("main() begin f1(); end {} void f{LENGTH}() begin end", functions.collect::<String>());
    assert_eq!(program(&text).instances().len(), LENGTH + 1);
}

#[test]
fn locations_know_their_statements() {
    let source = source("main() begin L: x := 1; end decl x;");
    let program = read(&source).unwrap().program;
    assert_eq!(source.slice(program.location(program.entry()).span), "x := 1;");
}

#[test]
fn the_programs_of_the_suite_have_graphs_without_warnings() {
    for path in programs_of_the_suite() {
        let input = read(&Source::read(&path).unwrap()).unwrap_or_else(|errors| panic!("{}", errors[0]));
        assert!(input.warnings.is_empty(), "{}", input.warnings[0]);
        assert!(input.program.starts_threads() && input.program.locations().len() > 10);
    }
}

#[test]
fn functions_that_nobody_calls_cost_nothing_but_are_checked() {
    let text = "decl s; void idle(a) begin decl b; b := a & s; idler(b); end thread_local decl t;
        void idler(c) begin L: assume(c); end main() begin decl x; x := t; ASYNC_1: used(x); end void used(y) begin end";
    let program = program(text);
    let names = |variables: &[throng_boolprog::flow::Variable]| -> Vec<String> {
        variables.iter().map(|variable| program.text(variable.name).to_owned()).collect()
    };
    assert_eq!(
        (names(program.shared()), names(program.locals())),
        (vec!["s".into()], ["t", "x", "y"].map(String::from).into())
    );
    assert!(program.expressions().len() < 5 && program.assignments().len() == 2);
    assert_eq!(program.locations_with_label("L"), Some(Vec::new()));
    assert!(read(&source("main() begin end void idle() begin x := 1; end")).is_err());
}
