use super::*;
use throng_model::bag;

const NET: &str = "{ two places } PLACE SAFE 3: a, char[]; SAFE: 7; b-c;\n\
    MARKING a: 2, 7, b-c:0;\n\
    TRANSITION t1 STRONG FAIR\nCONSUME a, a: 2;\nPRODUCE char[]: 4;\n\
    TRANSITION a WEAK FAIR CONSUME ; PRODUCE a: 1;\n";

fn read(text: &str) -> Draft {
    parse(&Source::from_text("n", text)).unwrap()
}

fn error(text: &str) -> String {
    parse(&Source::from_text("n", text)).unwrap_err()[0].to_string()
}

#[test]
fn the_whole_grammar_is_read() {
    let system = read(NET).builder.finish().unwrap();
    let names: Vec<_> = (0..system.n_locals()).map(|i| system.local_names().get(i).into_owned()).collect();
    assert_eq!(names, ["a", "char[]", "7", "b-c"]);
    let initial = &system.initial()[0];
    assert_eq!([0, 1, 2, 3].map(|i| bag::count(&initial.exact, LocalId::new(i))), [2, 0, 1, 0]);
    let rule = system.rule(system.find_rule("t1").unwrap());
    assert_eq!((rule.take[0].count, rule.put[0].count), (3, 4));
    assert_eq!(system.rule_line(system.find_rule("a").unwrap()), Some(6));
    assert!(system.rule(system.find_rule("a").unwrap()).take.is_empty());
}

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in [
        ("", "n:1:1: error[E0101]: expected `PLACE`, found the end of the file (expected `PLACE`)"),
        ("PLACE a, a; MARKING ;", "n:1:10: error[E0402]: place `a` is declared twice (second declaration)"),
        ("PLACE a;\nMARKING b: 1;", "n:2:9: error[E0401]: there is no place called `b` (not declared)"),
        ("PLACE a; MARKING a: x;", "n:1:21: error[E0101]: expected a number, found `x` (expected a number)"),
        ("PLACE a; MARKING a: 4294967295;", "n:1:21: error[E0102]: number too large (at most 4294967294)"),
        (
            "PLACE a; MARKING a: 4294967294, a: 1;",
            "n:1:18: error[E0102]: number too large (at most 4294967294)",
        ),
        (
            "PLACE a; MARKING ; TRANSITION t CONSUME a PRODUCE ;",
            "n:1:43: error[E0101]: expected `;`, found `PRODUCE` (expected `;`)",
        ),
        (
            "PLACE a; MARKING ; TRANSITION t CONSUME; PRODUCE; TRANSITION t CONSUME; PRODUCE;",
            "n:1:62: error[E0402]: transition `t` is declared twice (second declaration)",
        ),
        (
            "PLACE a; MARKING ; { open",
            "n:1:20: error[E0101]: expected `TRANSITION`, found `{ open` (expected `TRANSITION`)",
        ),
        ("SORT colour = 1;", "n:1:1: error[E0423]: high-level nets are not supported (expected `PLACE`)"),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

fn ask(text: &str) -> Result<Vec<throng_model::Config>, String> {
    parse_formula(&Source::from_text("f", text), &read(NET)).map_err(|errors| errors[0].to_string())
}

#[test]
fn quantifiers_have_several_spellings() {
    let bad = ask("EF a >= 1").unwrap();
    for text in [
        "FORMULA EF a >= 1;",
        "E F (a >= 1)",
        "REACHABLE a >= 1",
        "IMPOSSIBLE a >= 1",
        "EXPATH EVENTUALLY a >= 1",
        "AG a < 1",
        "A G NOT a >= 1",
        "INVARIANT a = 0",
        "ALLPATH ALWAYS a < 1",
        "EF { comment } a>=1",
        "ef not not a > 0 and true",
    ] {
        assert_eq!(ask(text).unwrap(), bad, "{text}");
    }
}

#[test]
fn names_may_contain_operator_characters() {
    let counts = |text: &str| {
        let targets = ask(text).unwrap();
        targets[0].bag.iter().map(|entry| (entry.local.index(), entry.count)).collect::<Vec<_>>()
    };
    assert_eq!(counts("EF b-c>=2"), [(3, 2)]);
    assert_eq!(counts("EF char[]>=2 AND a>1"), [(0, 2), (1, 2)]);
    assert_eq!(counts("EF b-c - 1 >= 1"), [(3, 2)]);
    assert!(ask("EF 7 >= 8").unwrap().is_empty(), "a number is a number");
}

#[test]
fn fireable_is_the_preset() {
    let targets = ask("EF FIREABLE(t1)").unwrap();
    assert_eq!(targets[0].bag[0].count, 3);
    assert!(ask("EF NOT FIREABLE ( t1 )").unwrap_err().contains("upper bound"));
    assert!(ask("EF FIREABLE(t9)").unwrap_err().starts_with("f:1:13: error[E0401]: there is no transition"));
}

#[test]
fn other_questions_are_refused_with_the_reason() {
    for (text, column) in [
        ("AF a >= 1", 1),
        ("E G a >= 1", 1),
        ("EF DEADLOCK", 4),
        ("AG EF a >= 1", 4),
        ("EF (a >= 1 U a >= 2)", 12),
        ("EF INITIAL", 4),
    ] {
        let error = ask(text).unwrap_err();
        assert!(error.starts_with(&format!("f:1:{column}: error[E0414]")), "{text}: {error}");
    }
    assert!(ask("a >= 1").unwrap_err().starts_with("f:1:1: error[E0101]: expected `EF` or `AG`"));
}

#[test]
fn what_is_printed_is_read_again() {
    let mut draft = read(NET.replace("7", "p7").as_str());
    for target in parse_formula(&Source::from_text("f", "EF a + p7 >= 2 AND b-c >= 1"), &draft).unwrap() {
        draft.builder.target(target);
    }
    let system = draft.builder.finish().unwrap();
    let printed = print(&system).unwrap();
    assert!(printed.notes.is_empty());
    let again = read(&printed.text);
    let (extension, formula) = &printed.companions[0];
    assert_eq!(*extension, "formula");
    assert_eq!(parse_formula(&Source::from_text("f", formula.as_str()), &again).unwrap(), system.targets());
    assert_eq!(print(&again.builder.finish().unwrap()).unwrap().text, printed.text);
}

#[test]
fn a_comment_that_is_never_closed_is_named() {
    let errors = parse(&Source::from_text("n", "PLACE a; MARKING ; { open")).unwrap_err();
    assert_eq!(errors[0].hints, ["what begins with `{` here is never closed"]);
    let errors = parse(&Source::from_text("n", "PLACE a; MARKING ; )")).unwrap_err();
    assert!(errors[0].hints.is_empty(), "{errors:?}");
}
