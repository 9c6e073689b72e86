//! Tests of the `.tts` reader, one per trap of the format.

use super::*;
use throng_model::System;

fn draft(text: &str) -> Draft {
    parse(&Source::from_text("test.tts", text)).unwrap()
}

fn system(text: &str) -> System {
    draft(text).builder.finish().unwrap()
}

/// `from take -> to put {moves}` of each rule, all in indices.
fn rules(text: &str) -> Vec<String> {
    let counts = |entries: &[throng_model::Entry]| {
        entries.iter().map(|e| format!("{}*{}", e.local.index(), e.count)).collect::<Vec<_>>().join("+")
    };
    let system = system(text);
    let print = |(_, rule): (RuleId, throng_model::RuleRef<'_>)| {
        let moves = rule.moves().map(|(source, destinations)| {
            let destinations: Vec<String> = destinations.iter().map(|d| d.index().to_string()).collect();
            format!(" {}>{}", source.index(), destinations.join(","))
        });
        format!(
            "{} {} -> {} {}{}",
            rule.from.index(),
            counts(rule.take),
            rule.to.index(),
            counts(rule.put),
            moves.collect::<String>()
        )
    };
    system.rules().iter().map(print).collect()
}

fn error(text: &str) -> String {
    let errors = parse(&Source::from_text("f.tts", text)).unwrap_err();
    errors.last().unwrap().to_string()
}

#[test]
fn a_step_takes_one_thread_and_puts_one() {
    assert_eq!(rules("3 4\n0 1 -> 2 3\n"), ["0 1*1 -> 2 3*1"]);
}

#[test]
fn the_passive_list_moves_the_other_threads() {
    assert_eq!(
        rules("2 4\n0 1 -> 1 2 1 ~> 3 0 ~> 2"),
        ["0 1*1 -> 1 2*1 0>2 1>3"],
        "the active thread is taken before, so it is not moved even though it is in 1"
    );
}

#[test]
fn a_source_listed_twice_lets_each_thread_choose() {
    assert_eq!(rules("1 4\n0 1 -> 0 2 0 ~> 3 0 ~> 0 0 ~> 3"), ["0 1*1 -> 0 2*1 0>0,3"]);
}

#[test]
fn a_spawn_keeps_the_parent() {
    assert_eq!(rules("2 3\n0 1 +> 1 2"), ["0 1*1 -> 1 1*1+2*1"]);
    assert_eq!(rules("2 3\n0 1 +> 0 1"), ["0 1*1 -> 0 1*2"]);
}

#[test]
fn a_top_level_move_needs_no_thread() {
    assert_eq!(rules("2 3\n0 0 ~> 1 1"), ["0  -> 1  0>1"]);
    assert_eq!(rules("2 3\n0 0 ~> 1 0"), ["0  -> 1 "]);
}

#[test]
fn rules_without_effect_are_dropped_and_the_others_are_numbered_on() {
    let system = system("2 3\n0 0 -> 0 0\n0 0 -> 0 0 1 ~> 1\n0 1 ~> 0 1\n0 0 -> 0 0 1 ~> 2\n0 0 +> 0 0\n");
    let lines: Vec<_> = RuleId::all(2).map(|id| system.rule_line(id)).collect();
    assert_eq!((system.rules().len(), lines), (2, vec![Some(5), Some(6)]));
    assert_eq!(system.rule_name(RuleId::new(0)), "#1");
}

#[test]
fn comments_blank_lines_and_carriage_returns_are_skipped() {
    let text = "# head\r\n\r\n2 2 # sizes\r\n0 0 -> 1 1#c\r\n\t 1  1\t->  0 0 \r\n# end";
    assert_eq!(rules(text), ["0 0*1 -> 1 1*1", "1 1*1 -> 0 0*1"]);
    let system = system(text);
    assert_eq!(system.rule_line(RuleId::new(0)), Some(4));
}

#[test]
fn initially_any_number_of_threads_is_in_0() {
    let system = system("2 2\n");
    assert_eq!(
        system.initial(),
        [Initial { shared: SharedId::new(0), exact: Bag::new(), unbounded: vec![LocalId::new(0)] }]
    );
    assert!(system.targets().is_empty());
}

#[test]
fn the_first_target_line_counts() {
    let draft = draft("2 3\n0 0 -> 1 1\n1|2,2\n0|1\n");
    assert!(draft.states_target);
    assert_eq!(
        draft.warnings.iter().map(Diagnostic::to_string).collect::<Vec<_>>(),
        ["test.tts:4:1: warning[W0206]: only the first target of a `.tts` file counts (this one is ignored)"]
    );
    let system = draft.builder.finish().unwrap();
    assert_eq!(system.targets().len(), 1);
    assert_eq!(bag_of(&system.targets()[0].bag), [(2, 2)]);
}

fn bag_of(bag: &Bag) -> Vec<(usize, u32)> {
    bag.iter().map(|entry| (entry.local.index(), entry.count)).collect()
}

#[test]
fn rules_that_differ_in_their_passive_lists_are_both_kept_with_a_warning() {
    let warnings = |text: &str| -> Vec<String> {
        let draft = draft(text);
        assert_eq!(draft.builder.n_rules(), 2);
        draft.warnings.iter().map(|w| format!("{w}; {}", w.notes.join("; "))).collect()
    };
    let note = "warning[W0205]: two rules differ only in the threads that they move along (both rules are kept); \
                bfc silently keeps the later one only; the other rule stands on line";
    for (text, expected) in [
        ("2 3\n0 0 -> 1 1 0 ~> 1\n0 0 -> 1 1 0 ~> 2", Some((3, 2))),
        ("2 3\n0 0 -> 1 1\n0 0 -> 1 1 0 ~> 2", Some((3, 2))),
        ("2 3\n0 0 -> 1 1 0 ~> 2\n0 0 -> 1 1", Some((2, 3))),
        ("2 3\n0 0 -> 1 1 0 ~> 2\n0 0 -> 1 1 0 ~> 2", None),
        ("2 3\n0 0 -> 1 1 0 ~> 0\n0 0 -> 1 1", None),
        ("2 3\n0 0 -> 1 1\n0 0 -> 1 1", None),
        ("2 3\n0 0 +> 1 1\n0 0 -> 1 1 0 ~> 2", None),
    ] {
        let expected: Vec<String> =
            expected.iter().map(|(at, other)| format!("test.tts:{at}:1: {note} {other}")).collect();
        assert_eq!(warnings(text), expected, "{text}");
    }
}

#[test]
fn errors_point_at_the_spot() {
    for (text, message) in [
        (
            "",
            "1:1: error[E0201]: expected the numbers of shared and local states, found the end of the file \
              (expected the numbers of shared and local states)",
        ),
        (
            "5\n",
            "1:1: error[E0201]: a `.tts` file begins with the numbers of shared and local states (expected two numbers)",
        ),
        (
            "5 x",
            "1:3: error[E0201]: a `.tts` file begins with the numbers of shared and local states (expected two numbers)",
        ),
        ("0 1", "1:1: error[E0202]: there must be at least one state (expected 1 or more)"),
        ("99999999999 1", "1:1: error[E0102]: number too large (at most 4294967294)"),
        ("2 2\n0 0->1 1", "2:3: error[E0204]: expected a local state, found `0->1` (expected a local state)"),
        (
            "2 2\n0 0 -> 1 1\n0 2 -> 1 1",
            "3:3: error[E0203]: there is no local state 2 (the local states are 0 to 1)",
        ),
        (
            "2 2\n0 0 -> 99999999999999999999 1",
            "2:8: error[E0203]: there is no shared state 99999999999999999999 \
                                                 (the shared states are 0 to 1)",
        ),
        (
            "2 2\n0 0 => 1 1",
            "2:5: error[E0204]: expected `->`, `+>` or `~>`, found `=>` (expected `->`, `+>` or `~>`)",
        ),
        (
            "2 2\n0 0 -> 1",
            "2:9: error[E0204]: expected a local state, found the end of the line (expected a local state)",
        ),
        (
            "2 2\n0",
            "2:2: error[E0204]: expected a local state, found the end of the line (expected a local state)",
        ),
        ("2 2\n0 0 -> 1 1 0 ~>", "2:12: error[E0204]: a passive move is incomplete (expected `a ~> b`)"),
        ("2 2\n0 0 -> 1 1 0 -> 1", "2:14: error[E0204]: expected `~>`, found `->` (expected `~>`)"),
        (
            "2 2\n0 0 -> 1 1 0 ~> 2",
            "2:17: error[E0203]: there is no local state 2 (the local states are 0 to 1)",
        ),
        (
            "2 2\n0 0 +> 1 1 0 ~> 1",
            "2:12: error[E0204]: only a `->` rule moves passive threads (expected the end of the line)",
        ),
        ("2 2\n0|7", "2:3: error[E0110]: there is no local state `7` (the local states are 0 to 1)"),
        ("2 2\n0/1", "2:2: error[E0113]: a target counts its threads, it has no `/` part (not in a target)"),
    ] {
        assert_eq!(error(text), format!("f.tts:{message}"), "{text:?}");
    }
}

#[test]
fn what_is_printed_is_read_back() {
    let text =
        "3 4\n0 0 -> 1 1\n0 1 -> 2 2 0 ~> 1 1 ~> 1 1 ~> 3\n1 2 +> 0 3\n1 2 +> 0 2\n2 0 ~> 0 3\n2 0 ~> 1 0\n";
    let printed = print(&system(text)).unwrap();
    assert_eq!(printed.text, text);
    assert_eq!(printed.companions, []);
}

fn named_net(rule: Rule) -> System {
    let mut places = throng_model::names::NameTable::default();
    for name in ["idle", "busy\n", "done"] {
        places.insert(name);
    }
    let mut builder = SystemBuilder::net(Names::Listed(places));
    builder.named_rule("start", &rule, 0).unwrap();
    let exact = bag(&[(0, 2)]);
    builder.initial(Initial { shared: SharedId::new(0), exact, unbounded: vec![LocalId::new(1)] });
    builder.target(throng_model::Config::new(SharedId::new(0), bag(&[(2, 2)])));
    builder.finish().unwrap()
}

fn bag(counts: &[(usize, u32)]) -> Bag {
    Bag::from_counts(counts.iter().map(|&(local, count)| (LocalId::new(local), count))).unwrap()
}

fn net_rule(take: &[(usize, u32)], put: &[(usize, u32)], moves: &[(usize, &[usize])]) -> Rule {
    let moves = moves.iter().map(|&(source, destinations)| Move {
        source: LocalId::new(source),
        destinations: destinations.iter().map(|&local| LocalId::new(local)).collect(),
    });
    let net = SharedId::new(0);
    Rule { from: net, to: net, take: bag(take), put: bag(put), moves: moves.collect() }
}

#[test]
fn named_states_are_numbered_with_a_table_in_comments() {
    let printed = print(&named_net(net_rule(&[(0, 1)], &[(1, 1)], &[(2, &[0])]))).unwrap();
    let expected =
        "# place 0 = idle\n# place 1 = busy\\n\n# place 2 = done\n1 3\n0 0 -> 0 1 2 ~> 0 # start\n";
    assert_eq!(printed.text, expected);
    assert_eq!(printed.companions, [("prop", "0|2,2\n".to_owned()), ("init", "0|0,0/1\n".to_owned())]);
    assert_eq!(printed.notes.len(), 2);
}

#[test]
fn rules_that_cannot_be_expressed_are_named_with_the_reason() {
    for (rule, reason) in [
        (net_rule(&[(0, 2)], &[(1, 2)], &[]), "it takes several threads at once"),
        (net_rule(&[(0, 1)], &[], &[]), "its thread vanishes"),
        (net_rule(&[], &[(0, 1)], &[]), "it creates threads out of nothing"),
        (net_rule(&[(0, 1)], &[(1, 1), (2, 1)], &[]), "it replaces one thread by several others"),
        (net_rule(&[(0, 1)], &[(0, 1), (2, 1)], &[(1, &[2])]), "it starts a thread and moves others"),
        (net_rule(&[(0, 1)], &[(1, 1)], &[(2, &[])]), "it makes passive threads vanish"),
        (net_rule(&[], &[], &[(2, &[])]), "it makes threads vanish"),
        (net_rule(&[], &[], &[(0, &[1, 2])]), "it needs no thread and moves"),
        (net_rule(&[], &[], &[(0, &[1]), (1, &[2])]), "it needs no thread and moves"),
    ] {
        let error = print(&named_net(rule)).unwrap_err();
        assert_eq!(error.to_string(), "error[E0210]: `.tts` cannot express rule `start`");
        assert!(error.notes[0].contains(reason), "{:?}", error.notes);
    }
}

#[test]
fn several_targets_or_initial_configurations_cannot_be_printed() {
    let (shared, exact) = (SharedId::new(0), Bag::new());
    let mut builder = draft("2 2\n0|1").builder;
    builder.target(throng_model::Config::new(shared, Bag::new()));
    assert_eq!(print(&builder.finish().unwrap()).unwrap_err().code, "E0211");
    let mut builder = draft("2 2\n0|1").builder;
    builder.initial(Initial { shared, exact, unbounded: Vec::new() });
    assert_eq!(print(&builder.finish().unwrap()).unwrap_err().code, "E0212");
}
