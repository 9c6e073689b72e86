use super::*;
use throng_model::{Bag, Config, Entry, LocalId, SharedId, bag};

const NET: &str = "# comment\nnet {my net}\ntr t1 : {a label} [0,w[ p1 p2*3 \\\n  p3?2 -> p1*2 {place \\} four}\n\
    pl p1 : lab (2K) t2*5 -> t1*4\r\npl p1 (1)\nlb p1 x\nnt n1 1 {a note\nover lines}\ntr t2\ntr t1 p1 ->\n";

fn read(text: &str) -> Draft {
    parse(&Source::from_text("n", text)).unwrap()
}

fn counts(bag: &[Entry]) -> [u32; 4] {
    [0, 1, 2, 3].map(|i| bag::count(bag, LocalId::new(i)))
}

#[test]
fn lines_about_one_node_add_up() {
    let system = read(NET).builder.finish().unwrap();
    let names: Vec<_> = (0..4).map(|i| system.local_names().get(i).into_owned()).collect();
    assert_eq!(names, ["p1", "p2", "p3", "place } four"]);
    let rule = system.rule(system.find_rule("t1").unwrap());
    assert_eq!((counts(rule.take), counts(rule.put)), ([6, 3, 2, 0], [2, 0, 2, 1]));
    let rule = system.rule(system.find_rule("t2").unwrap());
    assert_eq!((counts(rule.take), counts(rule.put)), ([0; 4], [5, 0, 0, 0]));
    assert_eq!(counts(&system.initial()[0].exact), [2001, 0, 0, 0]);
    assert_eq!(system.rule_line(system.find_rule("t1").unwrap()), Some(3));
}

#[test]
fn keywords_may_be_names() {
    let system = read("tr tr pl net -> pl").builder.finish().unwrap();
    assert_eq!((system.n_locals(), system.rules().len()), (2, 1));
}

#[test]
fn what_is_not_a_plain_net_is_refused_with_the_reason() {
    for (text, expected) in [
        ("tr t p?-2 -> q", "n:1:7: error[E0420]: inhibitor arcs are not supported (tests for few tokens)"),
        ("pl p -> t?-1", "n:1:10: error[E0420]: inhibitor arcs are not supported (tests for few tokens)"),
        ("tr t p!2 -> q", "n:1:7: error[E0421]: stopwatch arcs are not supported (depends on time)"),
        ("tr t p!-2 -> q", "n:1:7: error[E0421]: stopwatch arcs are not supported (depends on time)"),
        (
            "tr t [1,3] p -> q",
            "n:1:6: error[E0421]: time intervals are not supported (expected `[0,w[` or nothing)",
        ),
        (
            "tr t ]0,w[ p -> q",
            "n:1:6: error[E0421]: time intervals are not supported (expected `[0,w[` or nothing)",
        ),
        ("\npr t > u", "n:2:1: error[E0422]: priorities are not supported (a priority between transitions)"),
        ("tr t p -> q?2", "n:1:12: error[E0101]: expected a name, found `?` (expected a name)"),
        ("tr t p q", "n:1:9: error[E0101]: expected a name, found the end of the file (expected a name)"),
        ("tr t p*x ->", "n:1:8: error[E0101]: expected a number, found `x` (expected a number)"),
        ("pl p (9E)", "n:1:7: error[E0102]: number too large (at most 4294967294)"),
        ("pl p (1) (2)", "n:1:10: error[E0101]: expected a name, found `(` (expected a name)"),
        (
            "place p",
            "n:1:1: error[E0101]: expected `net`, `tr`, `pl`, `lb`, `nt` or `pr`, found `place` (expected `net`, `tr`, `pl`, `lb`, `nt` or `pr`)",
        ),
    ] {
        let error = parse(&Source::from_text("n", text)).unwrap_err()[0].to_string();
        assert_eq!(error, expected, "{text}");
    }
}

#[test]
fn what_is_printed_is_read_again() {
    let system = read(NET).builder.finish().unwrap();
    let printed = print(&system).unwrap();
    assert!(printed.notes.is_empty());
    let again = read(&printed.text).builder.finish().unwrap();
    assert_eq!(print(&again).unwrap(), printed);
    assert_eq!(again.n_locals(), 4);
}

#[test]
fn the_targets_of_a_printed_net_are_named_as_options() {
    let net = parse(&Source::from_text("n", "pl {a b} (1)\npl c\ntr t c -> {a b}\n")).unwrap();
    let mut builder = net.builder;
    for target in [&[(0, 2), (1, 1)][..], &[(1, 4)]] {
        let bag = target.iter().map(|&(place, count)| (LocalId::new(place), count));
        let bag = Bag::from_counts(bag).unwrap();
        builder.target(Config::new(SharedId::new(0), bag));
    }
    let notes = print(&builder.finish().unwrap()).unwrap().notes;
    assert_eq!(notes, ["`.net` files hold no targets: ask with `--target=\"a b\"*2,c` `--target=c*4`"]);
}
