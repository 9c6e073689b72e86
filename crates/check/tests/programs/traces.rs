//! Traces of programs.

use crate::common::Case;
use throng_boolprog::InitThreads;
use throng_check::{Accepted, Condition};

/// The first thread that gets through sets `x`, for the second one the assertion fails.
const TWO: &str =
    "decl x; void main() begin decl l; assume(!l); atomic_begin; assert(!x); x := 1; atomic_end; end";

#[test]
fn steps_are_replayed() {
    let case = Case::new(TWO, InitThreads::Any);
    let at = |location: &str| format!(r#"{{"at":"{location}","where":{{"l":false}}}}"#);
    let go = |from: &str, to: &str, rest: &str| {
        let thread = at(from);
        format!(r#"{{"rule":"r","act":{{"thread":{thread},"to":{{"at":"{to}"}}{rest}}}}}"#)
    };
    let first = [
        go("main:0", "main:1", ""),
        go("main:1", "main:2 (atomic)", ""),
        go("main:2 (atomic)", "main:3 (atomic)", ""),
        go("main:3 (atomic)", "main:4 (atomic)", r#","shared":{"where":{"x":true}}"#),
        go("main:4 (atomic)", "main:5", ""),
    ];
    let second = [&first[..2], &[go("main:2 (atomic)", "error", "")]].concat();
    let initial = |x: bool, count: &str| {
        format!(r#"{{"shared":{{"where":{{"x":{x}}}}},"threads":[[{},{count}]]}}"#, at("main:0"))
    };
    let trace =
        |initial: &str, steps: &[String]| format!(r#"{{"initial":{initial},"items":[{}]}}"#, steps.join(","));
    let all = [&first[..], &second[..]].concat();
    let body = trace(&initial(false, "2"), &all);
    assert_eq!(case.check("trace", &body), Ok(Accepted::Trace { threads: 2, steps: 8 }));
    case.accepts("trace", &trace(&initial(true, "1"), &second));
    case.rejects("trace", &trace(&initial(false, "1"), &all), Condition::TraceEnabled);
    case.rejects("trace", &trace(&initial(false, "1"), &second), Condition::TraceEnabled);
    case.rejects("trace", &trace(&initial(false, "1"), &first), Condition::TraceTarget);
    case.rejects("trace", &trace(&initial(false, "\"omega\""), &first), Condition::Form);
    // The second thread may not act while the first is in the section.
    let early = [&first[..4], &second[..], &first[4..]].concat();
    case.rejects("trace", &trace(&initial(false, "2"), &early), Condition::TraceEnabled);
    // Many threads get through, one fails.
    let repeat = format!(r#"{{"repeat":1000,"items":[{}]}}"#, first[..1].join(","));
    let many = [&[repeat][..], &first[1..], &second[1..]].concat();
    let body = trace(&initial(false, "1000"), &many);
    assert_eq!(case.check("trace", &body), Ok(Accepted::Trace { threads: 1000, steps: 1006 }));
    case.rejects("trace", &trace(&initial(false, "999"), &many), Condition::TraceEnabled);
    // A repetition that comes back to another shared state.
    let repeat = format!(r#"{{"repeat":2,"items":[{}]}}"#, first.join(","));
    case.rejects("trace", &trace(&initial(false, "3"), &[repeat]), Condition::TraceRepeat);
    for (wrong, condition) in [
        (body.replace("main:0", "main:1"), Condition::TraceInitial),
        (body.replace(r#""x":false"#, ""), Condition::Form),
        (body.replacen(r#""l":false"#, "", 1), Condition::Form),
        (body.replace("\"l\"", "\"y\""), Condition::Names),
        (body.replacen("main:2", "main:9", 1), Condition::Names),
        (body.replace(r#""l":false"#, r#""l":true"#), Condition::TraceEnabled),
        (body.replace(r#""x":true"#, r#""x":true,"(atomic)":true"#), Condition::Names),
        (body.replace(r#","shared":{"where":{"x":true}}"#, ""), Condition::TraceEnabled),
    ] {
        case.rejects("trace", &wrong, condition);
    }
    let one = Case::new(TWO, InitThreads::Exactly(1));
    one.accepts("trace", &trace(&initial(true, "1"), &second));
    one.rejects("trace", &trace(&initial(false, "2"), &all), Condition::TraceInitial);
}

#[test]
fn threads_that_are_started_have_the_values_they_may_have() {
    let text = "void main() begin decl l; start_thread f(l); end void f(p) begin decl q; assert(p | q); end";
    let case = Case::new(text, InitThreads::Exactly(1));
    let body = |l: bool, child: &str| {
        let main = format!(r#"{{"at":"main:0","where":{{"l":{l},"p":true,"q":true}}}}"#);
        let child = format!(r#"{{"at":"f:0","where":{{"l":true,{child}}}}}"#);
        format!(
            r#"{{"initial":{{"threads":[[{main},1]]}},"items":[
            {{"rule":"","act":{{"thread":{main},"to":{{"at":"main:1"}},"starts":{child}}}}},
            {{"rule":"","act":{{"thread":{child},"to":{{"at":"error"}}}}}}]}}"#
        )
    };
    case.accepts("trace", &body(false, r#""p":false,"q":false"#));
    case.rejects("trace", &body(true, r#""p":false,"q":false"#), Condition::TraceEnabled);
    case.rejects("trace", &body(false, r#""p":false,"q":true"#), Condition::TraceEnabled);
    case.rejects("trace", &body(false, r#""p":false"#), Condition::Form);

    let text = "void main() begin decl l; start_thread goto A; skip; goto B; A: assert(l); B: skip; end";
    let case = Case::new(text, InitThreads::Exactly(1));
    let body = |l: bool, child: bool| {
        let main = format!(r#"{{"at":"main:0","where":{{"l":{l}}}}}"#);
        let child = format!(r#"{{"at":"main:3","where":{{"l":{child}}}}}"#);
        format!(
            r#"{{"initial":{{"threads":[[{main},1]]}},"items":[
            {{"rule":"","act":{{"thread":{main},"to":{{"at":"main:1"}},"starts":{child}}}}},
            {{"rule":"","act":{{"thread":{child},"to":{{"at":"error"}}}}}}]}}"#
        )
    };
    case.accepts("trace", &body(false, false));
    case.rejects("trace", &body(true, false), Condition::TraceEnabled);
    case.rejects("trace", &body(true, true), Condition::TraceEnabled);
}

#[test]
fn passive_threads_change_as_they_have_to() {
    // Raises `l` of all others, unless `k` is set: these are gone.
    let text = "void main() begin decl l, k; assert(l | k | !l & !k & *); \
                l$ := 1 constrain !k$; goto A; A: skip; end";
    let case = Case::new(text, InitThreads::Any);
    let thread = |at: &str, l: bool, k: bool| format!(r#"{{"at":"{at}","where":{{"l":{l},"k":{k}}}}}"#);
    let act = |l: bool, to: &str, rest: &str| {
        let from = if to == "main:1" || to == "error" { "main:0" } else { "main:1" };
        let thread = thread(from, l, false);
        format!(r#"{{"rule":"","act":{{"thread":{thread},"to":{{"at":"{to}"}}{rest}}}}}"#)
    };
    let body = |passive: &str, last: bool| {
        let passive = format!(r#","passive":[{passive}]"#);
        format!(
            r#"{{"initial":{{"threads":[[{},4],[{},2]]}},"items":[{},{},{}]}}"#,
            thread("main:0", false, false),
            thread("main:0", false, true),
            act(false, "main:1", ""),
            act(false, "main:2", &passive),
            act(last, "error", ""),
        )
    };
    let raised = |count: u64| {
        format!(r#"[{},{{"at":"main:0","where":{{"l":true}}}},{count}]"#, thread("main:0", false, false))
    };
    let gone = |count: u64| format!(r#"[{},null,{count}]"#, thread("main:0", false, true));
    // The last step is impossible: `l` holds for all that are left. But the replay comes there.
    case.rejects("trace", &body(&format!("{},{}", raised(3), gone(2)), false), Condition::TraceEnabled);
    for (passive, why) in [
        (format!("{},{}", raised(2), gone(2)), "one is left behind"),
        (format!("{},{}", raised(3), gone(1)), "one is not gone"),
        (format!("{},{}", raised(4), gone(2)), "there are not so many"),
        (raised(3), "nobody is gone"),
    ] {
        let rejection = case.check("trace", &body(&passive, false)).unwrap_err();
        assert_eq!(rejection.condition, Condition::TraceMoves, "{why}: {rejection}");
    }
    let wrong = format!(r#"[{},{{"at":"main:0","where":{{"k":true}}}},3]"#, thread("main:0", false, false));
    case.rejects("trace", &body(&format!("{wrong},{}", gone(2)), false), Condition::TraceMoves);
    let not_gone = format!(r#"[{},null,3]"#, thread("main:0", false, false));
    case.rejects("trace", &body(&format!("{not_gone},{}", gone(2)), false), Condition::TraceMoves);
    let elsewhere =
        raised(3).replace(r#"{"at":"main:0","where":{"l":true}}"#, r#"{"at":"main:1","where":{"l":true}}"#);
    case.rejects("trace", &body(&format!("{elsewhere},{}", gone(2)), false), Condition::TraceMoves);
    // Before the broadcast an assertion fails.
    let early = format!(
        r#"{{"initial":{{"threads":[[{},1]]}},"items":[{}]}}"#,
        thread("main:0", false, false),
        act(false, "error", "")
    );
    case.accepts("trace", &early);
}
