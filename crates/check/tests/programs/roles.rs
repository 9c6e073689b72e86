//! Who takes part in a step: the thread that acts, the one that is started, passive ones, and the atomic bit. Each test
//! depends on one of them only.

use crate::common::Case;
use throng_boolprog::{InitThreads, ProgramQuestion};
use throng_check::Condition;

fn thread(at: &str, values: &str) -> String {
    format!(r#"{{"at":"{at}","where":{{{values}}}}}"#)
}

/// An element with one thread of each.
fn element(threads: &[String]) -> String {
    let threads: Vec<String> = threads.iter().map(|thread| format!("[{thread},1]")).collect();
    format!(r#"{{"threads":[{}]}}"#, threads.join(","))
}

fn body(elements: &[String]) -> String {
    format!(r#"{{"elements":[{}]}}"#, elements.join(","))
}

#[test]
fn the_thread_that_is_started_may_be_the_one_that_is_excluded() {
    let text = "void main() begin decl l; start_thread f(l); end void f(p) begin assert(p); end";
    let case = Case::new(text, InitThreads::Exactly(0));
    let error = element(&[thread("error", "")]);
    let child = element(&[thread("f:0", r#""p":false"#)]);
    let parent = element(&[thread("main:0", r#""l":false"#)]);
    case.rejects("proof", &body(&[error.clone(), child.clone()]), Condition::ProofPredecessor);
    case.accepts("proof", &body(&[error.clone(), child.clone(), parent.clone()]));
    let wrong = parent.replace("false", "true");
    case.rejects("proof", &body(&[error, child, wrong]), Condition::ProofPredecessor);
}

#[test]
fn parent_and_child_may_both_be_excluded() {
    // Both have the same `l`, so they are never at the two places with different ones.
    let text = "void main() begin decl l; start_thread goto A; B: goto B; A: goto A; end";
    let mut case = Case::new(text, InitThreads::Exactly(1));
    case.question.targets = Vec::new();
    let pair = |parent: &str, child: &str| {
        let value = |value: &str| format!(r#""l":{value}"#);
        element(&[thread("main:1", &value(parent)), thread("main:2", &value(child))])
    };
    // One thread starts, so nobody else is there before it has started the other one.
    let alone = ["main:0", "main:1", "main:2"].map(|at| element(&[thread("main:0", ""), thread(at, "")]));
    let with = |more: &[String]| body(&[&alone[..], more].concat());
    case.accepts("proof", &with(&[pair("true", "false"), pair("false", "true")]));
    case.rejects("proof", &with(&[pair("true", "true")]), Condition::ProofPredecessor);
    let start = element(&[thread("main:0", r#""l":true"#)]);
    case.rejects("proof", &with(&[pair("true", "true"), start]), Condition::ProofInitial);
    // As a cover set: the copy is the same, whatever the values are.
    let cover = |together: &[&str]| {
        let start = element(&[thread("main:0", "")]);
        body(&[&[start], &together.iter().map(|value| pair(value, value)).collect::<Vec<_>>()[..]].concat())
    };
    case.accepts("cover-set", &cover(&["true", "false"]));
    case.rejects("cover-set", &cover(&["true"]), Condition::CoverSuccessor);
}

#[test]
fn a_thread_may_be_excluded_by_what_another_one_does_to_it() {
    let text = "void main() begin decl l; A: assert(l); l$ := 0; end";
    let case = Case::new(text, InitThreads::Exactly(0));
    let error = element(&[thread("error", "")]);
    let low = element(&[thread("main:0", r#""l":false"#)]);
    case.rejects("proof", &body(&[error.clone(), low.clone()]), Condition::ProofPredecessor);
    let both = element(&[thread("main:1", ""), thread("main:0", "")]);
    case.rejects("proof", &body(&[error.clone(), low.clone(), both.clone()]), Condition::ProofPredecessor);
    let two = element(&[thread("main:0", ""), thread("main:0", "")]);
    case.accepts("proof", &body(&[error.clone(), low.clone(), both, two]));
    // If it is raised instead, there is nothing to fear from others.
    let raised = Case::new(&text.replace(":= 0", ":= 1"), InitThreads::Exactly(0));
    raised.accepts("proof", &body(&[error.clone(), low.clone()]));
    // Threads that cannot be raised are gone, and cannot be where they were.
    let text = text.replace(":= 0", ":= 0 constrain l$ = 'l$");
    let gone = Case::new(&text, InitThreads::Exactly(0));
    gone.accepts("proof", &body(&[error, low]));
}

#[test]
fn the_atomic_bit_says_where_threads_are() {
    let text = "void main() begin A: assume(0); atomic_begin; L: skip; atomic_end; end";
    let mut case = Case::new(text, InitThreads::Any);
    let label = case.program.locations_with_label("L").unwrap();
    case.question = ProgramQuestion::locations(InitThreads::Any, &label);
    let cover = |bit: &str| {
        let threads = r#"[[{"at":"main:0"},"omega"],[{"at":"main:2 (atomic)"},1]]"#;
        format!(r#"{{"elements":[{{"shared":{{"where":{{{bit}}}}},"threads":{threads}}}]}}"#)
    };
    case.accepts("cover-set", &cover(r#""(atomic)":false"#));
    case.rejects("cover-set", &cover(""), Condition::CoverTarget);
    case.rejects("cover-set", &cover(r#""(atomic)":true"#), Condition::CoverInitial);
    // Where the bit is 1, some thread is at `L` or behind it: that is excluded if the places are.
    let at = |at: &str| element(&[thread(at, "")]);
    let places = [at("main:2 (atomic)"), at("main:3 (atomic)"), at("main:1")];
    let bit = r#"{"shared":{"where":{"(atomic)":true}},"threads":[]}"#.to_owned();
    case.accepts("proof", &body(&[at("main:2 (atomic)"), at("main:1")]));
    let with_bit = [&places[..], std::slice::from_ref(&bit)].concat();
    case.accepts("proof", &body(&with_bit));
    case.accepts("proof", &body(&[bit.clone(), at("main:1")]));
    case.rejects("proof", &body(&[bit]), Condition::ProofPredecessor);
}
