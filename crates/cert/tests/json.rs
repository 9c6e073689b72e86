//! The JSON form of evidence: what is written validates and is read back; what is malformed is refused.

#![allow(clippy::unwrap_used, reason = "a failing test may panic")]

use serde_json::Value;
use throng_cert::document::{
    Body, ElementThread, Invariant, InvariantElement, Item, Literal, MAX_REPEAT_DEPTH, Passive, Predicate,
};
use throng_cert::{CoverSet, Cut, Evidence, Header, Proof, Trace, TraceItem, Trap};
use throng_cert::{EvidenceDocument, Verdict, read, write, write_document};
use throng_model::step::{Moved, Step};
use throng_model::{Bag, Config, Initial, LocalId, Move, Names, OMEGA, Rule, RuleId, SharedId, System};

fn l(index: usize) -> LocalId {
    LocalId::new(index)
}

fn s(index: usize) -> SharedId {
    SharedId::new(index)
}

fn bag(counts: &[(usize, u32)]) -> Bag {
    Bag::from_counts(counts.iter().map(|&(local, count)| (l(local), count))).unwrap()
}

fn system(net: bool) -> System {
    let mut names = throng_model::names::NameTable::default();
    for name in ["p", "a \"quoted\" name", "ünïcode"] {
        names.insert(name);
    }
    let shared = if net { Names::single_anonymous() } else { Names::Numbered(2) };
    let mut builder = throng_model::SystemBuilder::new(shared, Names::Listed(names));
    let moves = vec![Move { source: l(1), destinations: vec![] }];
    builder.rule(&Rule { from: s(0), to: s(0), take: bag(&[(0, 1)]), put: bag(&[(1, 2)]), moves }, 0);
    builder.initial(Initial { shared: s(0), exact: bag(&[(0, 1)]), unbounded: vec![l(2)] });
    builder.finish().unwrap()
}

fn samples() -> Vec<Evidence> {
    let step = |moved| TraceItem::Step(Step { rule: RuleId::new(0), moved });
    let moved = |to| Moved { from: l(1), to, count: 4_000_000_000 };
    let inner = TraceItem::Repeat { times: u64::MAX, items: vec![step(vec![]), step(vec![moved(None)])] };
    let items = vec![step(vec![moved(Some(l(2)))]), TraceItem::Repeat { times: 2, items: vec![inner] }];
    let elements = vec![
        Config::new(s(0), bag(&[(0, 1), (2, 7)])),
        Config::new(s(0), bag(&[])),
        Config::new(s(0), bag(&[(1, 1)])),
    ];
    let cut = Cut { shared: vec![(s(0), 3)], locals: vec![(l(1), 2)], bound: u64::MAX, traps: vec![(0, 5)] };
    let trap = Trap { locals: vec![l(0), l(2)] };
    let omega = Config::new(s(0), bag(&[(0, 3), (1, OMEGA)]));
    vec![
        Evidence::Trace(Trace { initial: Config::new(s(0), bag(&[(0, 2)])), items }),
        Evidence::Trace(Trace { initial: Config::new(s(0), bag(&[])), items: vec![] }),
        Evidence::Proof(Proof { cuts: vec![cut, Cut::default()], traps: vec![trap], elements }),
        Evidence::Proof(Proof::default()),
        Evidence::CoverSet(CoverSet { elements: vec![omega] }),
        Evidence::CoverSet(CoverSet::default()),
    ]
}

fn written(evidence: &Evidence, net: bool) -> String {
    let mut out = Vec::new();
    let header = Header { engine: Some("backward"), input: Some("dir/x.tts") };
    write(evidence, &system(net), header, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn schema() -> jsonschema::Validator {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas/evidence-v1.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn written_documents_validate_and_are_read_back() {
    let schema = schema();
    for net in [false, true] {
        for evidence in samples() {
            let text = written(&evidence, net);
            let value: Value = serde_json::from_str(&text).unwrap();
            let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{text}\n{errors:?}");
            let header = Header { engine: Some("backward"), input: Some("dir/x.tts") };
            let document = EvidenceDocument::new(&evidence, &system(net), header);
            assert_eq!(read(text.as_bytes()).unwrap(), document, "{text}");
            let mut again = Vec::new();
            write_document(&document, &mut again).unwrap();
            assert_eq!(String::from_utf8(again).unwrap(), text);
        }
    }
}

fn invariant() -> Invariant {
    let thread = |location, place: Option<&str>| ElementThread { location, place: place.map(str::to_owned) };
    let literal = |predicate, thread, passive, value| Literal { predicate, thread, passive, value };
    let passive = Some(Passive { template: "worker".into(), scope: vec![3, 4, 9] });
    Invariant {
        counts: Vec::new(),
        options: vec!["--atomicity".into(), "statement".into()],
        predicates: vec![
            Predicate { text: "x == 1".into(), active: None, passive: None },
            Predicate { text: "'waits for' <u y".into(), active: Some("worker".into()), passive: None },
            Predicate { text: "own != own$".into(), active: Some("worker".into()), passive: passive.clone() },
            Predicate { text: "own$ == x".into(), active: None, passive },
        ],
        elements: vec![
            InvariantElement::default(),
            InvariantElement {
                atomic: Some(true),
                threads: vec![thread(3, Some("a.c:7")), thread(u32::MAX, None)],
                literals: vec![
                    literal(0, None, None, true),
                    literal(1, Some(1), None, false),
                    literal(2, Some(0), Some(1), false),
                    literal(u32::MAX, Some(u32::MAX), Some(0), true),
                ],
            },
        ],
    }
}

#[test]
fn invariants_validate_and_are_read_back() {
    let schema = schema();
    for invariant in [Invariant::default(), invariant()] {
        let body = Body::Invariant(invariant);
        let document = EvidenceDocument { verdict: Verdict::Safe, engine: None, input: None, body };
        let mut out = Vec::new();
        write_document(&document, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(read(text.as_bytes()).unwrap(), document, "{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{text}\n{errors:?}");
    }
}

#[test]
fn malformed_invariants_are_refused_by_the_reader_and_the_schema() {
    let schema = schema();
    let with = |element: &str| {
        let body = format!(r#"{{"predicates":[{{"text":"x"}}],"elements":[{element}]}}"#);
        document("safe", "invariant", &body)
    };
    let literal = |literal: &str| with(&format!(r#"{{"threads":[],"literals":["{literal}"]}}"#));
    assert!(read(literal("!p0(1,2)").as_bytes()).is_ok());
    let wrong = [
        "",
        "p",
        "!",
        "!!p0",
        "p-1",
        "p+1",
        "p01",
        "p0()",
        "p0(1",
        "p0(1,)",
        "p0(1,2,3)",
        "p0 ",
        "q0",
        "p0(1)x",
    ];
    let mut cases: Vec<String> = wrong.iter().map(|text| literal(text)).collect();
    cases.extend([
        with("{}"),
        with(r#"{"threads":[3]}"#),
        with(r#"{"threads":[{"place":"a.c:1"}]}"#),
        with(r#"{"threads":[{"location":-1}]}"#),
        with(r#"{"threads":[{"location":4294967296}]}"#),
        with(r#"{"threads":[],"more":1}"#),
        with(r#"{"threads":[],"atomic":1}"#),
        document("safe", "invariant", r#"{"elements":[]}"#),
        document("safe", "invariant", r#"{"predicates":[{}],"elements":[]}"#),
        document(
            "safe",
            "invariant",
            r#"{"predicates":[{"text":"x","passive":{"template":"f"}}],"elements":[]}"#,
        ),
        document("safe", "invariant", r#"{"predicates":[{"text":"x","scope":[]}],"elements":[]}"#),
    ]);
    for text in cases {
        assert!(read(text.as_bytes()).is_err(), "read: {text}");
        assert!(!schema.is_valid(&serde_json::from_str(&text).unwrap()), "valid: {text}");
    }
    let message = read(literal("p0(").as_bytes()).unwrap_err().to_string();
    assert!(message.contains("`p0(` is no literal such as"), "{message}");
}

#[test]
fn every_element_has_its_own_line() {
    let text = written(&samples()[2], true);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert!(lines.contains(&r#"{"threads":[["p",1],["ünïcode",7]]},"#), "{text}");
    assert!(lines.contains(&r#"{"threads":[["a \"quoted\" name",1]]}]"#), "{text}");
    assert!(written(&samples()[2], false).contains(r#"{"shared":"0","threads":[]}"#));
}

#[test]
fn repetitions_are_limited_in_depth() {
    let nest = |depth| (0..depth).fold(vec![], |items, _| vec![TraceItem::Repeat { times: 1, items }]);
    let trace = |depth| Evidence::Trace(Trace { initial: Config::new(s(0), bag(&[])), items: nest(depth) });
    let text = written(&trace(MAX_REPEAT_DEPTH), true);
    assert!(read(text.as_bytes()).is_ok());
    let too_deep = write(&trace(MAX_REPEAT_DEPTH + 1), &system(true), Header::default(), &mut Vec::new());
    assert!(too_deep.unwrap_err().to_string().contains("nested"));
    for depth in [MAX_REPEAT_DEPTH + 1, 100, 100_000] {
        let open = r#"{"repeat":1,"items":["#.repeat(depth);
        let body = format!(r#"{{"initial":{{"threads":[]}},"items":[{open}{}]}}"#, "]}".repeat(depth));
        let message = read(document("unsafe", "trace", &body).as_bytes()).unwrap_err().to_string();
        assert!(message.contains("nested") || message.contains("recursion"), "{depth}: {message}");
    }
}

/// A document with this evidence.
fn document(verdict: &str, kind: &str, body: &str) -> String {
    format!(
        r#"{{"format":"throng-evidence","version":1,"verdict":"{verdict}","kind":"{kind}","{kind}":{body}}}"#
    )
}

fn with_state(state: &str) -> String {
    document("safe", "proof", &format!(r#"{{"elements":[{{"shared":{state},"threads":[[{state},2]]}}]}}"#))
}

#[test]
fn patterns_are_read_and_written() {
    let schema = schema();
    for state in [
        r#""l1""#,
        r#"{"any":["l1","l2"]}"#,
        r#"{"any":true}"#,
        r#"{"at":"main:3","where":{"x":true,"y":false}}"#,
        r#"{"where":{"x":true}}"#,
    ] {
        let text = with_state(state);
        let document = read(text.as_bytes()).unwrap();
        let mut out = Vec::new();
        write_document(&document, &mut out).unwrap();
        assert!(String::from_utf8(out.clone()).unwrap().contains(state));
        assert_eq!(read(&out).unwrap(), document);
        assert!(schema.is_valid(&serde_json::from_str(&text).unwrap()), "{text}");
    }
}

#[test]
fn malformed_documents_are_refused_by_the_reader_and_the_schema() {
    let schema = schema();
    let trace = |item: &str| {
        document("unsafe", "trace", &format!(r#"{{"initial":{{"threads":[]}},"items":[{item}]}}"#))
    };
    let element = |element: &str| document("safe", "proof", &format!(r#"{{"elements":[{element}]}}"#));
    let cut = |cut: &str| document("safe", "proof", &format!(r#"{{"cuts":[{cut}],"elements":[]}}"#));
    let good = document("safe", "proof", r#"{"elements":[]}"#);
    assert!(read(good.as_bytes()).is_ok());
    let cases = [
        "{}".to_owned(),
        "[]".to_owned(),
        good.replace("throng-evidence", "other"),
        good.replace("\"version\":1", "\"version\":2"),
        good.replace("\"version\":1", "\"version\":\"1\""),
        good.replace("\"safe\"", "\"unknown\""),
        good.replace("\"kind\":\"proof\"", "\"kind\":\"trace\""),
        good.replacen('{', "{\"extra\":1,", 1),
        document("safe", "proof", "{}"),
        document("safe", "proof", r#"{"elements":[],"more":[]}"#),
        document("safe", "proof", r#"{"elements":[{"threads":[["a",1]],"count":1}]}"#),
        element(r#"{}"#),
        element(r#"{"threads":[["a"]]}"#),
        element(r#"{"threads":[["a",1,2]]}"#),
        element(r#"{"threads":[["a",-1]]}"#),
        element(r#"{"threads":[["a",1.5]]}"#),
        element(r#"{"threads":[["a",18446744073709551616]]}"#),
        element(r#"{"threads":[["a","many"]]}"#),
        element(r#"{"threads":[[7,1]]}"#),
        with_state(r#"{"any":false}"#),
        with_state(r#"{"any":[]}"#),
        with_state(r#"{"any":["l1"],"at":"x"}"#),
        with_state(r#"{"any":["l1"],"where":{"x":true}}"#),
        with_state(r#"{"at":"x","where":{"x":1}}"#),
        with_state(r#"{}"#),
        trace("{}"),
        trace(r#"{"rule":"t","repeat":2,"items":[]}"#),
        trace(r#"{"repeat":2}"#),
        trace(r#"{"repeat":0,"items":[]}"#),
        trace(r#"{"repeat":18446744073709551616,"items":[]}"#),
        trace(r#"{"rule":"t","moved":[{"from":"a","to":"b"}]}"#),
        trace(r#"{"rule":"t","moved":[{"from":"a","count":1,"by":"x"}]}"#),
        cut(r#"{}"#),
        cut(r#"{"bound":-1}"#),
        cut(r#"{"bound":1,"locals":[["a",0.5]]}"#),
        cut(r#"{"bound":1,"traps":[["a",1]]}"#),
        cut(r#"{"bound":1,"weights":[]}"#),
    ];
    for text in cases {
        assert!(read(text.as_bytes()).is_err(), "read: {text}");
        assert!(!schema.is_valid(&serde_json::from_str(&text).unwrap()), "valid: {text}");
    }
}

#[test]
fn what_a_schema_cannot_see_is_refused_by_the_reader() {
    let good = document("safe", "proof", r#"{"elements":[]}"#);
    for text in [
        format!("{good} x"),
        good.replacen('{', "{\"version\":1,", 1),
        with_state(r#"{"any":true,"any":["a"]}"#),
        with_state(r#"{"at":"x","where":{"x":true,"x":false}}"#),
        document("safe", "proof", r#"{"elements":[{"threads":[["a",1.0]]}]}"#),
        document("safe", "proof", r#"{"elements":[{"threads":[["a",1e2]]}]}"#),
        String::new(),
        good[..good.len() - 1].to_owned(),
    ] {
        assert!(read(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn messages_say_where_and_what() {
    let text = document("safe", "proof", "{\"elements\":[\n{\"threads\":[[\"a\",-1]]}]}");
    let message = read(text.as_bytes()).unwrap_err().to_string();
    assert!(message.contains("non-negative integer below 2^64 or \"omega\""), "{message}");
    assert!(message.contains("line 2 column"), "{message}");
}

#[test]
fn null_destinations_are_absent_ones() {
    let body = |to| {
        format!(
            r#"{{"initial":{{"threads":[]}},"items":[{{"rule":"t","moved":[{{"from":"a",{to}"count":1}}]}}]}}"#
        )
    };
    let absent = read(document("unsafe", "trace", &body("")).as_bytes()).unwrap();
    let null = read(document("unsafe", "trace", &body("\"to\":null,")).as_bytes()).unwrap();
    assert_eq!(absent, null);
    let Body::Trace(trace) = absent.body else { panic!("not a trace") };
    assert!(matches!(&trace.items[..], [Item::Step(step)] if step.moved[0].to.is_none()));
}

#[test]
fn arbitrary_bytes_never_panic() {
    let mut seeds = vec![written(&samples()[0], false).into_bytes(), Vec::new()];
    let body = Body::Invariant(invariant());
    let safe = EvidenceDocument { verdict: Verdict::Safe, engine: None, input: None, body };
    write_document(&safe, &mut seeds[1]).unwrap();
    arbtest::arbtest(|u| {
        let mut text = if u.arbitrary()? { u.choose(&seeds)?.clone() } else { u.arbitrary::<Vec<u8>>()? };
        for _ in 0..u.int_in_range(0..=4)? {
            if !text.is_empty() {
                let at = u.choose_index(text.len())?;
                text[at] = u.arbitrary()?;
            }
        }
        let _ = read(&text);
        Ok(())
    })
    .budget_ms(1000);
}
