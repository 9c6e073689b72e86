use super::*;
use throng_model::bag;

const NET: &str = "% a comment\nplace('x0'). place(x1).\nplace(\n2). /* another * one */\n\
    transition(t1, ['x0', x0, 'x1'], ['2']).\ntransition('it''s', [], [2,(2, 3)]).\n\
    init(x0, 3).\n\
    target(1, [(['x0'],2),(['x1', 2],1)]). place('with \\' and \\\\').";

fn read(text: &str) -> Draft {
    parse(&Source::from_text("n", text)).unwrap()
}

fn error(text: &str) -> String {
    parse(&Source::from_text("n", text)).unwrap_err()[0].to_string()
}

#[test]
fn facts_of_every_kind_are_read() {
    let draft = read(NET);
    assert!(draft.states_target);
    let system = draft.builder.finish().unwrap();
    let names: Vec<_> = (0..4).map(|i| system.local_names().get(i).into_owned()).collect();
    assert_eq!(names, ["x0", "x1", "2", "with ' and \\"]);
    let rule = system.rule(system.find_rule("t1").unwrap());
    assert_eq!((rule.take[0].count, rule.take[1].count, rule.put[0].count), (2, 1, 1));
    let weighted = system.find_rule("it's").unwrap();
    assert_eq!((system.rule_line(weighted), system.rule(weighted).put[0].count), (Some(6), 4));
    assert_eq!(bag::count(&system.initial()[0].exact, LocalId::new(0)), 3);
}

#[test]
fn an_entry_with_several_places_is_a_sum() {
    let system = read(NET).builder.finish().unwrap();
    let mut targets: Vec<Vec<(usize, u32)>> = Vec::new();
    for target in system.targets() {
        targets.push(target.bag.iter().map(|entry| (entry.local.index(), entry.count)).collect());
    }
    targets.sort();
    assert_eq!(targets, [[(0, 2), (1, 1)], [(0, 2), (2, 1)]]);
}

#[test]
fn several_targets_are_a_union_and_an_impossible_one_is_still_asked() {
    let system = read("place(a). target(1, [([a],2)]). target(2, [([a],5)]).").builder.finish().unwrap();
    assert_eq!(system.targets().len(), 1, "the second implies the first");
    let draft = read("place(a). target(1, [([],2)]).");
    assert!(draft.states_target && draft.builder.targets().is_empty());
    assert!(!read("place(a).").states_target);
}

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in [
        ("place(a). place('a').", "n:1:17: error[E0402]: place `a` is declared twice (second declaration)"),
        ("init(a, 1).", "n:1:6: error[E0401]: there is no place called `a` (not declared)"),
        ("place(a). init(a, b).", "n:1:19: error[E0101]: expected a number, found `b` (expected a number)"),
        (
            "place(a). init(a, 1).\ninit(a, 2).",
            "n:2:6: error[E0402]: the marking of `a` is declared twice (second declaration)",
        ),
        (
            "place(a)\ntransition(t, [a], []).",
            "n:2:1: error[E0101]: expected `.`, found `transition` (expected `.`)",
        ),
        (
            ":- dynamic place/1.",
            "n:1:1: error[E0101]: expected `place`, `transition`, `init` or `target`, found `:` (expected `place`, \
             `transition`, `init` or `target`)",
        ),
        (
            "place(a). transition(t,[],[a]). transition(t,[a],[]).",
            "n:1:44: error[E0402]: transition `t` is declared twice (second declaration)",
        ),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn what_is_printed_is_read_again() {
    let system = read(NET).builder.finish().unwrap();
    let printed = print(&system).unwrap();
    assert!(printed.notes.is_empty(), "{:?}", printed.notes);
    let again = read(&printed.text).builder.finish().unwrap();
    assert_eq!(again.targets(), system.targets());
    assert_eq!(print(&again).unwrap(), printed);
}
