//! Tests of configurations as strings.

use super::*;
use throng_model::names::NameTable;

fn listed(list: &[&str]) -> Names {
    let mut table = NameTable::default();
    for name in list {
        table.insert(name);
    }
    Names::Listed(table)
}

fn numbered() -> (Names, Names) {
    (Names::Numbered(5), Names::Numbered(24))
}

fn net() -> (Names, Names) {
    let places = ["p1", "p2", "java.awt.Arc2D$Double", "char[]", "a b", "a,b", "x*2", "x", "", "q\"\\|/"];
    (Names::single_anonymous(), listed(&places))
}

fn initial_of(text: &str, (shared, locals): &(Names, Names)) -> Result<Initial, String> {
    let source = Source::from_text("--init", text);
    parse_initial(&source, StateNames { shared, locals }).map_err(|error| error.to_string())
}

fn target_of(text: &str, (shared, locals): &(Names, Names)) -> Result<Config, String> {
    let source = Source::from_text("--target", text);
    parse_target(&source, StateNames { shared, locals }).map_err(|error| error.to_string())
}

fn counts(bag: &Bag) -> Vec<(usize, u32)> {
    bag.iter().map(|entry| (entry.local.index(), entry.count)).collect()
}

fn initial_parts(text: &str, names: &(Names, Names)) -> (usize, Vec<(usize, u32)>, Vec<usize>) {
    let initial = initial_of(text, names).unwrap();
    let unbounded = initial.unbounded.iter().map(|local| local.index()).collect();
    (initial.shared.index(), counts(&initial.exact), unbounded)
}

#[test]
fn exact_unbounded_and_mixed_configurations_are_read() {
    let names = numbered();
    assert_eq!(initial_parts("2|11,11,3", &names), (2, vec![(3, 1), (11, 2)], vec![]));
    assert_eq!(initial_parts("0/0", &names), (0, vec![], vec![0]));
    assert_eq!(initial_parts("0|0/10,3,10", &names), (0, vec![(0, 1)], vec![3, 10]));
    assert_eq!(initial_parts("1|", &names), (1, vec![], vec![]));
    assert_eq!(initial_parts("1/", &names), (1, vec![], vec![]));
    assert_eq!(initial_parts("1|/4", &names), (1, vec![], vec![4]));
    assert_eq!(initial_parts(" 1 | 2 , 3 / 4 ", &names), (1, vec![(2, 1), (3, 1)], vec![4]));
}

#[test]
fn a_star_repeats_a_local() {
    assert_eq!(initial_parts("0|3*4,3", &numbered()).1, [(3, 5)]);
    assert_eq!(initial_parts("0|3*0", &numbered()).1, []);
    assert_eq!(initial_parts("p1*2,\"a b\"*3", &net()).1, [(0, 2), (4, 3)]);
}

#[test]
fn a_local_that_is_called_like_a_repetition_wins() {
    assert_eq!(initial_parts("x*2", &net()).1, [(6, 1)]);
    assert_eq!(initial_parts("x*3", &net()).1, [(7, 3)]);
    assert_eq!(initial_parts("\"x\"*2", &net()).1, [(7, 2)]);
    assert_eq!(initial_parts("x*2*5", &net()).1, [(6, 5)]);
}

#[test]
fn nets_leave_the_shared_part_off() {
    let names = net();
    for text in ["p1,p2", "|p1,p2", " | p2 , p1 "] {
        assert_eq!(initial_parts(text, &names), (0, vec![(0, 1), (1, 1)], vec![]), "{text}");
    }
    assert_eq!(initial_parts("/p1", &names), (0, vec![], vec![0]));
    assert_eq!(initial_parts("|p1/p2", &names), (0, vec![(0, 1)], vec![1]));
    assert_eq!(initial_parts("", &names), (0, vec![], vec![]));
}

#[test]
fn odd_names_are_read_bare_or_quoted() {
    let names = net();
    assert_eq!(initial_parts("java.awt.Arc2D$Double,char[],a b", &names).1, [(2, 1), (3, 1), (4, 1)]);
    assert_eq!(initial_parts(r#""a,b","","q\"\\|/""#, &names).1, [(5, 1), (8, 1), (9, 1)]);
}

#[test]
fn errors_point_at_the_spot() {
    let names = numbered();
    for (text, message) in [
        ("9|1", "--target:1:1: error[E0110]: there is no shared state `9` (the shared states are 0 to 4)"),
        ("4|1,24", "--target:1:5: error[E0110]: there is no local state `24` (the local states are 0 to 23)"),
        ("4|01", "--target:1:3: error[E0110]: there is no local state `01` (the local states are 0 to 23)"),
        ("4|1,,2", "--target:1:5: error[E0111]: a local state is missing (expected a local state)"),
        ("4|1,", "--target:1:5: error[E0111]: a local state is missing (expected a local state)"),
        (
            "4|1|2",
            "--target:1:4: error[E0111]: expected `,` or the end of the configuration, found `|` \
                   (expected `,` or the end of the configuration)",
        ),
        (
            "|1",
            "--target:1:1: error[E0111]: a configuration begins with its shared state (expected a shared state)",
        ),
        ("4", "--target:1:2: error[E0111]: expected `|` or `/`, found the end (expected `|` or `/`)"),
        ("4|1*99999999999", "--target:1:5: error[E0102]: number too large (at most 4294967294)"),
        (
            "4|1*4294967294,1",
            "--target:1:1: error[E0112]: more than 4294967294 threads in one local state \
                              (too many threads)",
        ),
        (
            "4/1",
            "--target:1:2: error[E0113]: a target counts its threads, it has no `/` part (not in a target)",
        ),
    ] {
        assert_eq!(target_of(text, &names), Err(message.to_owned()), "{text}");
    }
}

#[test]
fn an_unknown_place_of_a_net_is_compared_with_the_others() {
    for (text, message) in [
        (
            "p1,p3",
            "--target:1:4: error[E0110]: there is no place `p3` (there are 10 places; a close name is `p1`)",
        ),
        ("p1|p2", "--target:1:1: error[E0110]: there is no shared state `p1` (nets have no shared states)"),
        ("\"p1", "--target:1:1: error[E0111]: a quoted name does not end (expected `\"` after the name)"),
        (
            "\"a b\"*",
            "--target:1:7: error[E0111]: expected a number of repetitions, found the end \
                      (expected a number of repetitions)",
        ),
    ] {
        assert_eq!(target_of(text, &net()), Err(message.to_owned()), "{text}");
    }
}

#[test]
fn what_is_printed_is_read_back() {
    for names in [numbered(), net()] {
        let state_names = StateNames { shared: &names.0, locals: &names.1 };
        for count in [1, 2, 3] {
            for local in LocalId::all(names.1.len()) {
                let exact = Bag::from_counts([(local, count), (LocalId::new(1), 1)]).unwrap();
                let initial = Initial { shared: SharedId::new(0), exact, unbounded: vec![local] };
                for repetitions in [Repetitions::Counted, Repetitions::Listed] {
                    let text = format_initial(&initial, state_names, repetitions);
                    assert_eq!(initial_of(&text, &names).as_ref(), Ok(&initial), "{text}");
                }
                let config = Config::new(initial.shared, initial.exact);
                let text = format_config(config.view(), state_names, Repetitions::Counted);
                assert_eq!(target_of(&text, &names).as_ref(), Ok(&config), "{text}");
            }
        }
    }
}

#[test]
fn printed_forms_are_the_usual_ones() {
    let names = numbered();
    let state_names = StateNames { shared: &names.0, locals: &names.1 };
    for text in ["2|11*2", "0/0", "0|0/10", "1|"] {
        let initial = initial_of(text, &names).unwrap();
        assert_eq!(format_initial(&initial, state_names, Repetitions::Counted), text);
    }
    let target = target_of("2|11*2", &names).unwrap();
    assert_eq!(format_config(target.view(), state_names, Repetitions::Listed), "2|11,11");
    let omega = Bag::from_counts([(LocalId::new(1), OMEGA), (LocalId::new(2), 1)]).unwrap();
    let omega = ConfigRef::new(SharedId::new(3), &omega);
    assert_eq!(format_config(omega, state_names, Repetitions::Counted), "3|2/1");
}
