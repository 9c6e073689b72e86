//! Evidence that would take too long is rejected as too large, and nothing panics.

use crate::common::Case;
use throng_boolprog::InitThreads;
use throng_check::program::check_program_within;
use throng_check::{Condition, Limits};

fn condition(case: &Case, kind: &str, body: &str, limits: Limits) -> Option<Condition> {
    let document = crate::common::document(kind, body);
    check_program_within(&case.program, &case.question, &document, limits).err().map(|it| it.condition)
}

#[test]
fn cases_and_threads_are_limited() {
    // The parity of many variables: every valuation is a case of its own.
    let names: Vec<String> = (0..24).map(|number| format!("v{number}")).collect();
    let parity = names.join(" != ");
    let text = format!("decl {}; void main() begin assert({parity}); end", names.join(", "));
    let case = Case::new(&text, InitThreads::Any);
    let few = Limits { choices: 10_000, expanded: 100 };
    let error = r#"{"threads":[[{"at":"error"},1]]}"#;
    let entry = r#"{"shared":{"where":{"v0":true}},"threads":[[{"at":"main:0"},1]]}"#;
    let body = format!(r#"{{"elements":[{error},{entry}]}}"#);
    // Initial configurations are looked at first.
    assert_eq!(condition(&case, "proof", &body, few), Some(Condition::ProofInitial));
    let far = entry.replace("main:0", "main:1").replace("v0", "v1");
    let body = format!(r#"{{"elements":[{error},{far}]}}"#);
    assert_eq!(condition(&case, "proof", &body, few), Some(Condition::ProofPredecessor));
    let cover =
        r#"{"elements":[{"shared":{"where":{"(atomic)":false}},"threads":[[{"at":"main:0"},"omega"]]}]}"#;
    assert_eq!(condition(&case, "cover-set", cover, few), Some(Condition::CoverSuccessor));
    let many = error.replace(",1]", ",101]");
    let body = format!(r#"{{"elements":[{error},{many}]}}"#);
    assert_eq!(condition(&case, "proof", &body, few), Some(Condition::Size));
    let body = body.replace("101", "18446744073709551615");
    assert_eq!(condition(&case, "proof", &body, Limits::default()), Some(Condition::Size));
    // One variable after the other decides: few cases.
    let halves: Vec<String> = names
        .iter()
        .map(|name| format!(r#"{{"shared":{{"where":{{"{name}":true}}}},"threads":[[{{"at":"error"}},1]]}}"#))
        .collect();
    let last: Vec<String> = names.iter().map(|name| format!("\"{name}\":false")).collect();
    let last = format!(r#"{{"shared":{{"where":{{{}}}}},"threads":[[{{"at":"error"}},1]]}}"#, last.join(","));
    let body = format!(r#"{{"elements":[{},{last}]}}"#, halves.join(","));
    assert_eq!(condition(&case, "proof", &body, few), Some(Condition::ProofPredecessor));
    // All initial configurations are asked for, and the region that leads to the error has too many parts.
    let entry = r#"{"threads":[[{"at":"main:0"},2]]}"#;
    let one = Case::new(&text, InitThreads::Exactly(1));
    let body = format!(
        r#"{{"elements":[{error},{entry},{{"shared":{{"where":{{"(atomic)":true}}}},"threads":[]}}]}}"#
    );
    assert_eq!(condition(&one, "proof", &body, few), Some(Condition::ProofPredecessor));
    let even = Case::new(&text.replace("assert(", "assert(v0 | !v0 | "), InitThreads::Any);
    assert_eq!(condition(&even, "proof", &format!(r#"{{"elements":[{error}]}}"#), few), None);
    let odd = Case::new(&text.replace("assert(", "assert((v1 = v1) | "), InitThreads::Any);
    assert_eq!(condition(&odd, "proof", &format!(r#"{{"elements":[{error}]}}"#), few), None);
    let hard = text.replace(&parity, &format!("({parity}) = ({parity})"));
    let hard = Case::new(&hard, InitThreads::Any);
    let body = format!(r#"{{"elements":[{error}]}}"#);
    assert_eq!(condition(&hard, "proof", &body, few), Some(Condition::Size));
}

#[test]
fn elements_with_many_threads_take_no_more_than_they_need() {
    let case = Case::new("void main() begin skip; assert(1); end", InitThreads::Exactly(3));
    let body = |count: u64| {
        let many = format!(r#"{{"threads":[[{{"at":"main:1"}},{count}]]}}"#);
        let before: Vec<String> = (1..=count)
            .map(|more| {
                let rest = count - more;
                format!(r#"{{"threads":[[{{"at":"main:1"}},{rest}],[{{"at":"main:0"}},{more}]]}}"#)
            })
            .collect();
        let error = r#"{"threads":[[{"at":"error"},1]]}"#;
        format!(r#"{{"elements":[{error},{many},{}]}}"#, before.join(","))
    };
    case.accepts("proof", &body(4));
    case.accepts("proof", &body(40));
    case.rejects("proof", &body(3), Condition::ProofInitial);
    let large = r#"{"elements":[{"threads":[[{"at":"error"},1]]},{"threads":[[{"at":"main:1"},1000]]}]}"#;
    case.rejects("proof", large, Condition::ProofPredecessor);
    case.rejects("proof", &large.replace("1000", "1001"), Condition::Size);
}

#[test]
fn many_threads_are_counted_not_listed() {
    let case = Case::new("void main() begin skip; assert(0); end", InitThreads::Exactly(4_000_000_000));
    let cover = r#"{"elements":[{"threads":[[{"at":"main:0"},"omega"],[{"at":"main:1"},"omega"]]}]}"#;
    case.rejects("cover-set", cover, Condition::CoverSuccessor);
    let finite = cover.replacen("\"omega\"", "4000000000", 1);
    case.rejects("cover-set", &finite, Condition::Size);
    let go = |from: &str, to: &str| {
        format!(r#"{{"rule":"","act":{{"thread":{{"at":"{from}"}},"to":{{"at":"{to}"}}}}}}"#)
    };
    let (first, last) = (go("main:0", "main:1"), go("main:1", "error"));
    let trace = format!(
        r#"{{"initial":{{"threads":[[{{"at":"main:0"}},4000000000]]}},
        "items":[{{"repeat":4000000000,"items":[{first}]}},{last}]}}"#
    );
    case.accepts("trace", &trace);
    let more = trace.replace(r#""repeat":4000000000"#, r#""repeat":4000000001"#);
    case.rejects("trace", &more, Condition::TraceEnabled);
}
