//! Atomic sections that do not matter to an element: when they do not, and that nothing else is left out.

use crate::common::Case;
use throng_boolprog::InitThreads;
use throng_check::Condition;

/// A program with a section that does this, and a location `Z` that nobody comes to otherwise.
fn case(inside: &str) -> Case {
    let text = format!(
        "decl x, y; void main() begin decl l; if * then goto S; fi; assume(0); Z: assert(!x); goto Z; \
         S: atomic_begin; {inside} atomic_end; end void f() begin skip; end"
    );
    Case::new(&text, InitThreads::Exactly(0))
}

/// Elements with a thread at `Z`, and a failed assertion.
fn body(case: &Case, shared: &str, locals: &str, more: &[String]) -> String {
    let at = &case.program.locations_with_label("Z").unwrap()[..1];
    let at = case.program.location_text(at[0]);
    let threads = format!(r#"[[{{"at":"{at}","where":{{{locals}}}}},1]]"#);
    let element = format!(r#"{{"shared":{{"where":{{{shared}}}}},"threads":{threads}}}"#);
    let error = r#"{"threads":[[{"at":"error"},1]]}"#.to_owned();
    let loops = element.replace(&at, "main:4");
    let all = [&[error, element, loops], more].concat();
    format!(r#"{{"elements":[{}]}}"#, all.join(","))
}

const CLOSED: &str = r#""x":true,"(atomic)":false"#;

#[test]
fn sections_that_change_nothing_need_no_elements() {
    for inside in ["skip;", "y := !y;", "assume(x);", "l := *;", "M: y := *; if * then goto M; fi;"] {
        let case = case(inside);
        case.accepts("proof", &body(&case, CLOSED, "", &[]));
    }
}

#[test]
fn sections_that_may_change_what_is_mentioned_need_them() {
    for inside in [
        "x := 1;",
        "x, y := y, x;",
        "skip; x := 1; skip;",
        // What is assigned later in the section is assigned earlier the next time around.
        "M: skip; if * then goto E; fi; x := 1; goto M; E: skip;",
        "start_thread goto Z;",
        "start_thread f();",
        "l$ := 0;",
    ] {
        let case = case(inside);
        case.rejects("proof", &body(&case, CLOSED, "", &[]), Condition::ProofPredecessor);
    }
}

#[test]
fn elements_inside_of_sections_speak_for_themselves() {
    let case = case("x := x;");
    let inside = |at: &str| {
        let threads = format!(r#"[[{{"at":"main:3"}},1],[{{"at":"{at}"}},1]]"#);
        [threads.clone(), threads.replace("main:3", "main:4")].map(|threads| {
            format!(r#"{{"shared":{{"where":{{"x":true,"(atomic)":true}}}},"threads":{threads}}}"#)
        })
    };
    let texts: Vec<String> =
        case.program.edges().iter().map(|it| case.program.location_text(it.from)).collect();
    let atomic: Vec<&String> = texts.iter().filter(|it| it.contains("atomic")).collect();
    let all: Vec<String> = atomic.iter().flat_map(|at| inside(at)).collect();
    case.accepts("proof", &body(&case, CLOSED, "", &all));
    // Before the assignment the section does not matter; after it, it does.
    let last: Vec<String> = inside(atomic[atomic.len() - 1]).to_vec();
    case.accepts("proof", &body(&case, CLOSED, "", &last));
    case.rejects("proof", &body(&case, CLOSED, "", &[]), Condition::ProofPredecessor);
    case.rejects("proof", &body(&case, CLOSED, "", &last[..1]), Condition::ProofPredecessor);
}

#[test]
fn only_elements_outside_of_sections_speak_about_their_insides() {
    // With the bit set, somebody is inside, and came from outside.
    let case = case("skip;");
    let open = r#""x":true,"(atomic)":true"#;
    let error = case.check("proof", &body(&case, open, "", &[])).map_err(|it| it.condition);
    assert_eq!(error, Err(Condition::ProofPredecessor));
    case.accepts("proof", &body(&case, r#""x":true"#, "", &[]));
}
