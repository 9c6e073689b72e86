//! Tests of the `.spec` reader, one per trap of the format.

use super::*;
use throng_model::{Entry, RuleId, RuleRef, System};

fn draft_of(text: &str, mist_semantics: bool) -> Result<Draft, Vec<Diagnostic>> {
    parse(&Source::from_text("f.spec", text), mist_semantics)
}

/// A file with these variables, rules and nothing of interest besides.
fn with_rules(variables: &str, rules: &str) -> String {
    let init: Vec<String> = variables.split(' ').map(|name| format!("{name} = 0")).collect();
    let first = variables.split(' ').next().unwrap();
    format!("vars {variables}\nrules\n{rules}\ninit {}\ntarget {first} >= 1", init.join(", "))
}

fn tokens_of(system: &System, entries: &[Entry]) -> String {
    let print = |e: &Entry| format!("{}*{}", system.local_names().get(e.local.index()), e.count);
    entries.iter().map(print).collect::<Vec<_>>().join(" ")
}

/// `take > put; moves`.
fn print_rule(system: &System, rule: RuleRef<'_>) -> String {
    let name = |local: LocalId| system.local_names().get(local.index()).into_owned();
    let moves = rule.moves().map(|(source, destinations)| {
        let destinations: Vec<String> = destinations.iter().map(|&local| name(local)).collect();
        format!("; {}->{}", name(source), destinations.join(","))
    });
    let moves: String = moves.collect();
    format!("{} > {}{moves}", tokens_of(system, rule.take), tokens_of(system, rule.put))
}

/// The only rule of a file, and the warnings about it.
fn read_rule(variables: &str, rule: &str, mist_semantics: bool) -> (String, Vec<String>) {
    let draft = draft_of(&with_rules(variables, rule), mist_semantics).unwrap();
    let warnings = draft.warnings.iter().map(Diagnostic::to_string).collect();
    let system = draft.builder.finish().unwrap();
    assert_eq!(system.rules().len(), 1);
    (print_rule(&system, system.rule(RuleId::new(0))), warnings)
}

fn plain(variables: &str, rule: &str) -> String {
    let (rule, warnings) = read_rule(variables, rule, false);
    assert_eq!(warnings, Vec::<String>::new());
    rule
}

fn mist(variables: &str, rule: &str) -> String {
    let (rule, warnings) = read_rule(variables, rule, true);
    assert_eq!(warnings, Vec::<String>::new());
    rule
}

fn error_of(text: &str, mist_semantics: bool) -> String {
    draft_of(text, mist_semantics).unwrap_err().last().unwrap().to_string()
}

fn rule_error(variables: &str, rule: &str) -> String {
    error_of(&with_rules(variables, rule), false)
}

#[test]
fn the_example_of_a_transfer_is_read() {
    let text = "vars\n  think wait use\nrules\nthink >= 1 ->\n\tuse' = use + 1,\n\twait' = wait + think - 1,\n\tthink' = 0;\n\
                init\n  think >= 1, wait = 0, use = 0\ntarget\n  use >= 2\ninvariants\n\tthink=1, wait=1, use=1\n";
    let draft = draft_of(text, false).unwrap();
    assert!(draft.warnings.is_empty());
    assert_eq!(draft.invariant_hints, [LocalId::all(3).map(|local| (local, 1)).collect::<Vec<_>>()]);
    let system = draft.builder.finish().unwrap();
    assert_eq!(print_rule(&system, system.rule(RuleId::new(0))), "think*1 > use*1; think->wait");
    assert_eq!(system.rule_line(RuleId::new(0)), Some(4));
    assert!(system.is_net());
    let [initial] = system.initial() else { panic!("one initial configuration") };
    assert_eq!(tokens_of(&system, &initial.exact), "think*1");
    assert_eq!(initial.unbounded, [LocalId::new(0)]);
    assert_eq!(tokens_of(&system, &system.targets()[0].bag), "use*2");
}

#[test]
fn updates_take_the_guard_and_put_the_rest_back() {
    assert_eq!(plain("x y", "x >= 1 -> x' = x - 1, y' = y + 1;"), "x*1 > y*1");
    assert_eq!(plain("x y", "x >= 3 -> x' = x - 2;"), "x*3 > x*1");
    assert_eq!(plain("x y", "x >= 1 -> x' = x + 4;"), "x*1 > x*5");
}

#[test]
fn guards_without_update_are_read_arcs() {
    assert_eq!(plain("x y", "x >= 2, y >= 1 -> y' = y - 1;"), "x*2 y*1 > x*2");
    assert_eq!(plain("x", "x >= 1 -> ;"), "x*1 > x*1");
    assert_eq!(plain("x", "x >= 0 -> x' = x + 1;"), " > x*1");
}

#[test]
fn true_guards_nothing() {
    assert_eq!(plain("x", "true -> x' = x + 1;"), " > x*1");
    assert_eq!(plain("x", "true, x >= 1 -> x' = x - 1;"), "x*1 > ");
    assert_eq!(plain("x", "true -> ;"), " > ");
}

#[test]
fn transfers_move_all_tokens_at_once() {
    assert_eq!(plain("x y z", "x >= 1 -> x' = x - 1, y' = y + z + 0, z' = 0;"), "x*1 > ; z->y");
    assert_eq!(plain("x y z", "true -> y' = y + z + x + 2, z' = 0, x' = 0;"), " > y*2; x->y; z->y");
    assert_eq!(plain("x y", "true -> x' = y, y' = x;"), " > ; x->y; y->x");
}

#[test]
fn tokens_of_a_guard_move_with_the_others() {
    assert_eq!(plain("y z", "z >= 2 -> y' = y + z, z' = 0;"), "z*2 > y*2; z->y");
    assert_eq!(plain("y z", "z >= 1 -> y' = y + z - 1, z' = 0;"), "z*1 > ; z->y");
    assert_eq!(plain("y z", "y >= 1 -> y' = y + z - 1, z' = 0;"), "y*1 > ; z->y");
    assert_eq!(plain("y z", "y >= 1, z >= 1 -> y' = y + z - 1, z' = 0;"), "y*1 z*1 > y*1; z->y");
    assert_eq!(plain("y z", "z >= 2 -> y' = y + z - 1, z' = 1;"), "z*2 > y*1 z*1; z->y");
}

#[test]
fn assigning_a_number_empties_the_variable_first() {
    assert_eq!(plain("x y", "x >= 1 -> x' = 3;"), "x*1 > x*3; x->");
    let (rule, warnings) = read_rule("x y", "x >= 1 -> x' = 0;", false);
    assert_eq!(rule, "x*1 > ; x->");
    assert_eq!(
        warnings,
        ["f.spec:3:11: warning[W0320]: this assignment empties `x` (mist reads this differently)"]
    );
}

#[test]
fn a_variable_missing_on_its_own_right_hand_side_loses_its_tokens() {
    let (rule, warnings) = read_rule("s e", "true -> s' = e + 1, e' = 0;", false);
    assert_eq!(rule, " > s*1; s->; e->s");
    assert_eq!(
        warnings,
        ["f.spec:3:9: warning[W0320]: the old tokens of `s` vanish, because it is not on the right \
          (mist reads this differently)"]
    );
}

#[test]
fn mist_reads_a_lone_reset_as_nothing() {
    assert_eq!(mist("x y", "x >= 1 -> x' = 0;"), "x*1 > x*1");
}

#[test]
fn mist_adds_the_own_variable() {
    assert_eq!(mist("s e", "true -> s' = e + 1, e' = 0;"), " > s*1; e->s");
}

#[test]
fn mist_empties_what_is_on_the_right_of_another() {
    assert_eq!(mist("y z", "z >= 1 -> y' = y + z;"), "z*1 > y*1; z->y");
}

#[test]
fn mist_loses_the_constant_of_what_is_emptied() {
    assert_eq!(mist("y z", "true -> y' = y + z, z' = z + 1;"), " > ; z->y");
    let (rule, warnings) = read_rule("x y", "true -> x' = y + 1, y' = x;", false);
    assert_eq!(rule, " > x*1; x->y; y->x");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn mist_refuses_numbers_and_small_guards() {
    assert_eq!(
        error_of(&with_rules("x", "true -> x' = 1;"), true),
        "f.spec:3:9: error[E0309]: mist cannot assign a number other than 0 to `x` (expected 0)"
    );
    assert_eq!(
        error_of(&with_rules("x", "x >= 1 -> x' = x - 2;"), true),
        "f.spec:3:11: error[E0309]: the guard on `x` is smaller than what is subtracted (mist refuses this)"
    );
}

#[test]
fn both_readings_agree_on_plain_rules_and_transfers() {
    for rule in ["x >= 2 -> x' = x - 1, y' = y + 1;", "x >= 1 -> y' = y + x - 1, x' = 0;", "x >= 1 -> ;"] {
        assert_eq!(plain("x y", rule), mist("x y", rule), "{rule}");
    }
}

#[test]
fn a_decrement_beyond_the_guard_raises_it_where_that_is_clear() {
    for (rule, expected, message) in [
        ("true -> x' = x - 2;", "x*2 > ", "the rule takes 2 of `x`, but asks for 0"),
        ("x >= 1 -> x' = x - 2;", "x*2 > ", "the rule takes 2 of `x`, but asks for 1"),
        ("true -> y' = x - 1, x' = y;", "x*1 > ; x->y; y->x", "the rule takes 1 of `x`, but asks for 0"),
    ] {
        let (rule, warnings) = read_rule("x y", rule, false);
        assert_eq!(rule, expected);
        let raised: Vec<&String> = warnings.iter().filter(|w| w.contains("W0322")).collect();
        assert_eq!(raised.len(), 1);
        assert!(raised[0].contains(message), "{raised:?}");
    }
    assert_eq!(
        rule_error("x y", "y >= 1 -> y' = y + x - 2, x' = 0;"),
        "f.spec:3:11: error[E0312]: `y` could become negative (more is subtracted than the guards ask for)"
    );
}

#[test]
fn rules_that_are_not_moves_are_refused() {
    for (rule, message) in [
        ("true -> y' = y + x;", "3:18: error[E0307]: `x` is copied to `y` (not assigned itself)"),
        (
            "true -> y' = y + x, x' = x + 1;",
            "3:26: error[E0307]: `x` is on the right of two assignments (its tokens go elsewhere already)",
        ),
        (
            "true -> y' = x, z' = x, x' = 0;",
            "3:22: error[E0307]: `x` is on the right of two assignments (its tokens go elsewhere already)",
        ),
        (
            "true -> y' = x + x, x' = 0;",
            "3:18: error[E0308]: `x` is twice on one right-hand side (second occurrence)",
        ),
        (
            "x >= 4294967294 -> x' = x + 1;",
            "3:1: error[E0313]: the rule handles more than 4294967294 tokens of one \
                                           variable (too many tokens)",
        ),
    ] {
        assert_eq!(rule_error("x y z", rule), format!("f.spec:{message}"), "{rule}");
    }
    assert_eq!(
        error_of(&with_rules("x y", "true -> x' = x + 1, y' = 0, x' = x + 2;"), true),
        "f.spec:3:29: error[E0304]: `x` is assigned twice (second assignment)"
    );
    assert!(error_of(&with_rules("x", "true -> x' = x + x;"), true).contains("twice on one right-hand side"));
}

#[test]
fn of_two_assignments_to_one_variable_the_later_counts() {
    let (rule, warnings) = read_rule("x y", "true -> x' = x + y, x' = x + 1;", false);
    assert_eq!(rule, " > x*1");
    assert_eq!(
        warnings,
        ["f.spec:3:9: warning[W0321]: `x` is assigned twice in one rule (this assignment is ignored)"]
    );
    let (rule, warnings) = read_rule("x y", "true -> x' = x + y, x' = 0, x' = 0;", true);
    assert_eq!(rule, " > ; y->x", "mist ignores an assignment of 0");
    assert_eq!(warnings.len(), 2);
}

#[test]
fn guards_from_above_are_refused() {
    for (rule, message) in [
        ("x = 0 -> ;", "the guard tests `x` for zero"),
        ("x in [0, 0] -> ;", "the guard tests `x` for zero"),
        ("x = 2 -> ;", "the guard bounds `x` from above"),
        ("x in [1, 3] -> ;", "the guard bounds `x` from above"),
        ("x in [0, 3] -> ;", "the guard bounds `x` from above"),
    ] {
        assert_eq!(rule_error("x", rule), format!("f.spec:3:1: error[E0305]: {message} (expected `>=`)"));
    }
}

#[test]
fn exact_targets_are_refused_with_a_way_to_ask() {
    let error = |target: &str| {
        let text = format!("vars x y rules init x = 0, y = 0 target {target}");
        let error = draft_of(&text, false).unwrap_err().pop().unwrap();
        (error.to_string(), error.hints.join(" "))
    };
    let (message, hint) = error("x >= 1, y = 3");
    assert_eq!(
        message,
        "f.spec:1:49: error[E0306]: the target asks for an exact count of `y` (expected `>=`)"
    );
    assert!(hint.starts_with("write `y >= 3`"), "{hint}");
    assert!(error("y = 0").1.starts_with("leave this constraint out"));
    assert!(error("y in [2,5]").1.starts_with("write `y >= 2`"));
}

#[test]
fn a_new_target_begins_where_there_is_no_comma() {
    let text = "vars x3 x4 rules init x3 = 0, x4 = 0\ntarget\nx3 >= 1,\n x4 >= 1 x3 >= 2\nx4 >= 2 , x3 >= 0";
    let system = draft_of(text, false).unwrap().builder.finish().unwrap();
    let targets: Vec<String> =
        system.targets().iter().map(|target| tokens_of(&system, &target.bag)).collect();
    assert_eq!(targets, ["x3*1 x4*1", "x3*2", "x4*2"]);
}

#[test]
fn init_may_be_parametric_and_silent() {
    let text = "vars a b c d rules init a >= 2, b in [1,3]\n\n, c = 4 target a >= 1";
    let draft = draft_of(text, false).unwrap();
    let warnings: Vec<String> = draft.warnings.iter().map(|w| format!("{w}; {}", w.notes[0])).collect();
    assert_eq!(
        warnings,
        [
            "warning[W0323]: variables that `init` does not mention start with any number of tokens; not mentioned: `d`"
        ]
    );
    let system = draft.builder.finish().unwrap();
    let [initial] = system.initial() else { panic!("one initial configuration") };
    assert_eq!(tokens_of(&system, &initial.exact), "a*2 b*3 c*4");
    assert_eq!(initial.unbounded, [LocalId::new(0), LocalId::new(3)]);
}

#[test]
fn variables_are_limited_once() {
    for (text, message) in [
        ("vars x rules x >= 1, x >= 2 -> ; init x = 0 target x >= 1", "1:22: error[E0303]"),
        ("vars x rules init x = 0, x = 0 target x >= 1", "1:26: error[E0303]"),
        ("vars x rules init x = 0 target x >= 1, x >= 2", "1:40: error[E0303]"),
        ("vars x rules init x = 0 target x >= 1 invariants x = 1, x = 1", "1:57: error[E0303]"),
    ] {
        assert_eq!(
            error_of(text, false),
            format!("f.spec:{message}: `x` is limited twice (second constraint)")
        );
    }
}

#[test]
fn invariants_are_weights() {
    let text = "vars x y rules init x = 1, y = 0 target y >= 2 invariants x = 1, y = 2\n y = 1, x = 0";
    let draft = draft_of(text, false).unwrap();
    let (x, y) = (LocalId::new(0), LocalId::new(1));
    assert_eq!(draft.invariant_hints, [vec![(x, 1), (y, 2)], vec![(y, 1)]]);
}

#[test]
fn latin_1_comments_are_read() {
    let bytes = b"vars x # \xe9t\xe9\nrules init x = 0 target x >= 1".to_vec();
    assert!(parse(&Source::from_bytes("f.spec", bytes).unwrap(), false).is_ok());
}

#[test]
fn the_target_may_be_left_to_the_question() {
    let draft = draft_of("vars x rules init x = 0", false).unwrap();
    assert!(!draft.states_target);
}

#[test]
fn errors_say_what_was_expected() {
    for (text, message) in [
        ("", "1:1: error[E0101]: expected `vars`, found the end of the file (expected `vars`)"),
        ("vars x x", "1:8: error[E0301]: variable `x` is declared twice (second declaration)"),
        (
            "vars x 3",
            "1:8: error[E0101]: expected a variable or `rules`, found `3` (expected a variable or `rules`)",
        ),
        (
            "vars wait rules\nwat >= 1 -> ;",
            "2:1: error[E0302]: there is no variable `wat` (there are 1 variables; \
                                          a close name is `wait`)",
        ),
        (
            "vars x rules x > 1",
            "1:16: error[E0101]: expected `>=`, `=` or `in`, found `>` (expected `>=`, `=` or `in`)",
        ),
        (
            "vars x rules x >= 1 x",
            "1:21: error[E0101]: expected `,` or `->`, found `x` (expected `,` or `->`)",
        ),
        (
            "vars x rules -> x' = 1;",
            "1:14: error[E0101]: expected a guard (such as `x >= 1` or `true`) or `init`, found \
                                    `->` (expected a guard (such as `x >= 1` or `true`) or `init`)",
        ),
        ("vars x rules true -> x = 1;", "1:24: error[E0101]: expected `'`, found `=` (expected `'`)"),
        (
            "vars x rules true -> x' = x - x;",
            "1:31: error[E0101]: expected a number, found `x` (expected a number)",
        ),
        (
            "vars x rules true -> x' = 1 init",
            "1:29: error[E0101]: expected `,` or `;`, found `init` (expected `,` or `;`)",
        ),
        ("vars x rules init x >= 99999999999", "1:24: error[E0102]: number too large (at most 4294967294)"),
        (
            "vars x rules init x in [3,2]",
            "1:25: error[E0311]: there is no number from 3 to 2 (expected the smaller number first)",
        ),
        (
            "vars x rules init target",
            "1:19: error[E0101]: expected a variable, found `target` (expected a variable)",
        ),
        (
            "vars x rules init x = 0 target x >= 1;",
            "1:38: error[E0101]: expected `,`, another target, `invariants` or the end of \
         the file, found `;` (expected `,`, another target, `invariants` or the end of the file)",
        ),
        (
            "vars x rules init x = 0 target x >= 1 invariants x >= 1",
            "1:50: error[E0310]: an invariant gives the weight of each \
         variable (expected `=`)",
        ),
    ] {
        assert_eq!(error_of(text, false), format!("f.spec:{message}"), "{text}");
    }
}

#[test]
fn what_is_printed_is_read_back() {
    let text = "vars\n  x y z\n\nrules\n  x >= 1 -> x' = x - 1, y' = y + z + 1, z' = 0;\n  x >= 2, y >= 1 -> ;\n  \
                true -> z' = 2;\n  x >= 1 -> y' = y + x - 1, x' = 0;\n  true -> ;\n\ninit\n  x >= 1, y = 0, z = 4\n\n\
                target\n  x >= 1, y >= 2\n  x >= 0\n";
    let system = draft_of(text, false).unwrap().builder.finish().unwrap();
    let printed = print(&system).unwrap();
    let expected = text.replace("y' = y + x - 1, x' = 0", "x' = 0, y' = y + x - 1");
    assert_eq!(printed.text, expected);
    assert_eq!(printed.notes, ["some rules empty a place or assign a number, which mist reads differently"]);
}

#[test]
fn a_choice_between_destinations_cannot_be_printed() {
    let broadcast = crate::tts::parse(&Source::from_text("f.tts", "1 4\n0 1 -> 0 2 0 ~> 3 0 ~> 0")).unwrap();
    let error = print(&broadcast.builder.finish().unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "error[E0330]: `.spec` cannot express rule `t1`");
}
