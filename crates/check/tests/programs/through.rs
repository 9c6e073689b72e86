//! Locations that threads only pass through: each condition on them, and what evidence says with them.

use crate::common::{self, Case};
use throng_boolprog::InitThreads;
use throng_check::Condition;

/// A proof with this one element and these locations.
fn proof(element: &str, through: &[&str]) -> String {
    let through: Vec<String> = through.iter().map(|text| format!("\"{text}\"")).collect();
    format!(r#"{{"elements":[{element}],"through":[{}]}}"#, through.join(","))
}

const ERROR: &str = r#"{"threads":[[{"at":"error"},1]]}"#;

#[test]
fn each_condition_on_the_locations_is_looked_at() {
    let text = |body: &str| {
        format!(
            "decl x; void main() begin decl l, k; A: skip; {body} Z: l := 1; end void f() begin skip; end"
        )
    };
    // The location after `A`, alone.
    for (body, reason) in [
        ("assume(l);", "not always possible"),
        ("goto A, Z;", "exactly one step"),
        ("x := l;", "does more than"),
        ("l := x;", "does more than"),
        ("l := * constrain 'l;", "does more than"),
        ("atomic_begin;", "atomic section"),
        ("start_thread f();", "a thread is started"),
        ("end_thread;", "threads end"),
        ("goto A; A2: goto A2;", ""),
        ("l, k := k, *;", ""),
        ("skip;", ""),
    ] {
        let case = Case::new(&text(body), InitThreads::Any);
        // Without an assertion no error can be reached, and nothing has to be excluded but it.
        let found = case.check("proof", &proof(ERROR, &["main:1"]));
        match found {
            Ok(_) => assert_eq!(reason, "", "{body}"),
            Err(rejection) => {
                assert_eq!(rejection.condition, Condition::Through, "{body}: {rejection}");
                assert!(!reason.is_empty() && rejection.reason.contains(reason), "{body}: {rejection}");
            }
        }
    }
}

#[test]
fn circles_targets_elements_broadcasts_and_enforced_conditions_are_refused() {
    let circle = Case::new("void main() begin skip; A: skip; goto A; end", InitThreads::Any);
    circle.accepts("proof", &proof(ERROR, &["main:0", "main:1"]));
    circle.rejects("proof", &proof(ERROR, &["main:0", "main:1", "main:2"]), Condition::Through);
    circle.rejects("proof", &proof(ERROR, &["main:7"]), Condition::Names);
    let element = r#"{"threads":[[{"at":"main:1"},1]]}"#;
    circle.rejects("proof", &proof(element, &["main:1"]), Condition::Through);
    let cover = r#"{"elements":[{"threads":[[{"at":"main:0"},"omega"],[{"at":"main:1"},"omega"]]}],"through":["main:1"]}"#;
    circle.rejects("cover-set", cover, Condition::Through);

    let mut target = Case::new("void main() begin skip; L: skip; end", InitThreads::Any);
    let label = target.program.locations_with_label("L").unwrap();
    target.question = throng_boolprog::ProgramQuestion::locations(InitThreads::Any, &label);
    target.rejects("proof", &proof(ERROR, &["main:1"]), Condition::Through);

    let broadcast = Case::new("void main() begin decl l; skip; l$ := 1; end", InitThreads::Any);
    broadcast.rejects("proof", &proof(ERROR, &["main:0"]), Condition::Through);
    broadcast.accepts("proof", &proof(ERROR, &[]));

    let enforced = Case::new("decl x; void main() begin enforce x; skip; end", InitThreads::Any);
    enforced.rejects("proof", &proof(ERROR, &["main:1"]), Condition::Through);
    assert!(!common::can_pass(&enforced.program, enforced.program.entry()));
}

#[test]
fn evidence_is_about_threads_that_have_passed() {
    // `l` is set on the way to the assertion, `k` copies it.
    let text = "void main() begin decl l, k; l := 1; k := l; assert(k); end";
    let case = Case::new(text, InitThreads::Any);
    let element = r#"{"threads":[[{"at":"main:2","where":{"k":false}},1]]}"#;
    let passed = ["main:0", "main:1"];
    case.accepts("proof", &proof(&format!("{ERROR},{element}"), &passed));
    // Without passing through, what leads there is missing.
    case.rejects("proof", &proof(&format!("{ERROR},{element}"), &[]), Condition::ProofPredecessor);
    case.rejects("proof", &proof(ERROR, &passed), Condition::ProofPredecessor);
    // Threads do come out with `k`.
    let wrong = element.replace("false", "true");
    let condition = Condition::ProofInitial;
    case.rejects("proof", &proof(&format!("{ERROR},{element},{wrong}"), &passed), condition);
    let body = |values: &str| {
        let threads =
            format!(r#"[[{{"at":"main:2","where":{{{values}}}}},"omega"],[{{"at":"main:3"}},"omega"]]"#);
        format!(r#"{{"elements":[{{"threads":{threads}}}],"through":["main:0","main:1"]}}"#)
    };
    case.accepts("cover-set", &body(r#""k":true"#));
    case.accepts("cover-set", &body(r#""k":true,"l":true"#));
    case.rejects("cover-set", &body(""), Condition::CoverSuccessor);
    case.rejects("cover-set", &body(r#""k":true,"l":false"#), Condition::CoverInitial);
    // A choice on the way: both outcomes count.
    let case = Case::new(&text.replace("l := 1", "l := *"), InitThreads::Any);
    case.rejects("proof", &proof(&format!("{ERROR},{element}"), &passed), Condition::ProofInitial);
    case.rejects("cover-set", &body(r#""k":true,"l":true"#), Condition::CoverInitial);
}
