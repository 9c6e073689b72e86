use super::*;
use throng_model::{LocalId, bag};

const NET: &str = "// a comment\npetri net \"my net\" {\n  arcs { { p1, \"a b\" } -> t1 ->[2] { p3 p1 }, p3 ->[4] t2 }\n\
    \x20 places { p1 \"a b\", p3 }\n  transitions { t1\n    t2 } /* more */ initial { p1[3] p3 }\n  trap { p1 } siphon p3 yes { t1 } no t2\n}\n";

fn read(properties: &str, name: Option<&str>) -> Result<Draft, String> {
    let source = Source::from_text("n", format!("{NET}{properties}"));
    parse(&source, name).map_err(|errors| errors[0].to_string())
}

fn targets(draft: &Draft) -> Vec<Vec<(usize, u32)>> {
    let entries = |config: &throng_model::Config| {
        config.bag.iter().map(|entry| (entry.local.index(), entry.count)).collect()
    };
    let mut targets: Vec<_> = draft.builder.targets().iter().map(entries).collect();
    targets.sort();
    targets
}

#[test]
fn the_whole_grammar_of_nets_is_read() {
    let draft = read("", None).unwrap();
    assert!(!draft.states_target);
    let system = draft.builder.finish().unwrap();
    let rule = system.rule(system.find_rule("t1").unwrap());
    let counts = |bag: &[throng_model::Entry]| [0, 1, 2].map(|i| bag::count(bag, LocalId::new(i)));
    assert_eq!((counts(rule.take), counts(rule.put)), ([1, 1, 0], [2, 0, 2]));
    let rule = system.rule(system.find_rule("t2").unwrap());
    assert_eq!((counts(rule.take), counts(rule.put)), ([0, 0, 4], [0, 0, 0]));
    assert_eq!(counts(&system.initial()[0].exact), [3, 0, 1]);
    assert_eq!(system.rule_line(system.find_rule("t2").unwrap()), Some(6));
}

#[test]
fn a_single_chain_may_start_with_a_list() {
    let text = "petri net { places { a b } transitions t arcs { a b } -> t initial a arcs { a } -> t arcs a -> t arcs {} }";
    let draft = parse(&Source::from_text("n", text), None).unwrap();
    let system = draft.builder.finish().unwrap();
    let rule = system.rule(system.find_rule("t").unwrap());
    assert_eq!((rule.take[0].count, rule.take[1].count), (3, 1));
}

#[test]
fn safety_properties_are_asked_together_or_by_name() {
    let properties = "safety property A { p1 >= 2 && p3 > 0 } liveness property L { t1 = 0 } safety property \"B\" { \"a b\" + p3 >= 1 }";
    let all = read(properties, None).unwrap();
    assert_eq!(targets(&all), [[(1, 1)], [(2, 1)]]);
    assert_eq!(
        all.warnings[0].to_string(),
        "n:9:41: warning[W0414]: a liveness property is skipped: it is not a coverability question (not asked)"
    );
    let one = read(properties, Some("A")).unwrap();
    assert_eq!(targets(&one), [[(0, 2), (2, 1)]]);
    assert!(one.warnings.is_empty() && one.states_target);
    assert!(read(properties, Some("L")).unwrap_err().starts_with("n:9:41: error[E0414]"));
    assert_eq!(
        read(properties, Some("C")).unwrap_err(),
        "error[E0415]: there is no property called `C` in `n`"
    );
}

#[test]
fn an_unsatisfiable_property_is_still_asked() {
    let draft = read("safety property { false || p1 < 0 }", None).unwrap();
    assert!(draft.states_target && draft.builder.targets().is_empty());
}

#[test]
fn liveness_alone_is_refused() {
    let error = read("liveness property \"fair\" { t1 + t2 = 0 }", None).unwrap_err();
    assert_eq!(
        error,
        "n:9:1: error[E0414]: a liveness property is not a coverability question (expected a safety property)"
    );
}

#[test]
fn what_is_not_upward_closed_is_refused_at_the_atom() {
    for (property, expected) in [
        ("p1 >= 1 && p3 >= p1", "n:9:30: error[E0410]: comparing places"),
        ("!(p1 + p3 = 2)", "n:9:21: error[E0410]: `!=` holds below"),
        ("!(!(p1 > 0) || p3 = 0) && p1 = 1", "n:9:45: error[E0410]: `=` asks for an exact count"),
    ] {
        let error = read(&format!("safety property {{ {property} }}"), None).unwrap_err();
        assert!(error.starts_with(expected), "{property}: {error}");
    }
}

#[test]
fn errors_say_where_and_what() {
    let error = |text: &str| parse(&Source::from_text("n", text), None).unwrap_err()[0].to_string();
    for (text, expected) in [
        ("", "n:1:1: error[E0101]: expected `petri`, found the end of the file (expected `petri`)"),
        (
            "petri net {",
            "n:1:12: error[E0101]: expected `places`, `transitions`, `arcs`, `initial` or `}`, found the end of the file (expected `places`, `transitions`, `arcs`, `initial` or `}`)",
        ),
        (
            "petri net { places { a a } }",
            "n:1:24: error[E0402]: place `a` is declared twice (second declaration)",
        ),
        (
            "petri net { places a transitions a }",
            "n:1:34: error[E0402]: transition `a` is declared twice (second declaration)",
        ),
        (
            "petri net { places { a b } arcs a -> b }",
            "n:1:33: error[E0404]: an arc joins the places `a` and `b` (expected an arc between a place and a transition)",
        ),
        (
            "petri net { places a arcs a -> t }",
            "n:1:27: error[E0401]: there is no place or transition called `t` (not declared)",
        ),
        (
            "petri net { transitions t initial t }",
            "n:1:35: error[E0404]: `t` is a transition and holds no tokens (expected a place)",
        ),
        (
            "petri net { } safety property { (a }",
            "n:1:34: error[E0401]: there is no place called `a` (not declared)",
        ),
        (
            "petri net { places a } safety property { (a > 1 }",
            "n:1:49: error[E0101]: expected `)`, found `}` (expected `)`)",
        ),
        (
            "petri net { places a } safety property { a > 1",
            "n:1:47: error[E0101]: expected `}`, found the end of the file (expected `}`)",
        ),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn what_is_printed_is_read_again() {
    let system =
        read("safety property { p1 >= 2 && p3 > 0 || \"a b\" > 1 }", None).unwrap().builder.finish().unwrap();
    let printed = print(&system).unwrap();
    assert!(printed.notes.is_empty());
    let again = parse(&Source::from_text("n", &printed.text[..]), None).unwrap().builder.finish().unwrap();
    assert_eq!(again.targets(), system.targets());
    assert_eq!(print(&again).unwrap(), printed);
}
