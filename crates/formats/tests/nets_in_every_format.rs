//! One net says the same in every format: random nets are printed, read back and compared; random texts are
//! refused cleanly.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may stop at what it does not expect")]

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use std::path::Path;
use throng_base::Source;
use throng_formats::{Format, Question, print, read, read_source};
use throng_model::names::NameTable;
use throng_model::{Bag, Config, Initial, LocalId, Names, Rule, SharedId, System, SystemBuilder};

const BUDGET_MS: u64 = 500;

/// Formats of plain nets.
const NETS: [Format; 6] = [Format::Lola, Format::Pl, Format::Pnet, Format::Tina, Format::Pnml, Format::Spec];

/// Parts of names, some of which mean something in some format.
const PIECES: [&str; 28] = [
    "a", "b", "p", "t", "0", "1", "7", "_", "-", "->", " ", "'", "\"", "{", "}", "\\", "<", "&", ">=", ",",
    ".", "é", "AND", "PLACE", "true", "net", "#", "[]",
];

fn bag(u: &mut Unstructured<'_>, n_places: usize) -> Result<Bag> {
    let mut counts = Vec::new();
    for _ in 0..u.int_in_range(0..=4)? {
        counts.push((LocalId::new(u.int_in_range(0..=n_places - 1)?), u.int_in_range(1..=3)?));
    }
    Ok(Bag::from_counts(counts).unwrap())
}

fn names(u: &mut Unstructured<'_>, count: usize) -> Result<NameTable> {
    let mut names = NameTable::default();
    while names.len() < count {
        let mut name = String::new();
        for _ in 0..u.int_in_range(1..=3)? {
            name += u.choose::<&str>(&PIECES)?;
        }
        while !names.insert(&name).1 {
            name += "x";
        }
    }
    Ok(names)
}

/// A net with up to five places and transitions, at least one target, and any names.
fn net(u: &mut Unstructured<'_>, with_unbounded: bool) -> Result<System> {
    let n_places = u.int_in_range(1..=5)?;
    let mut builder = SystemBuilder::net(Names::Listed(names(u, n_places)?));
    let n_rules = u.int_in_range(0..=5)?;
    let rule_names = names(u, n_rules)?;
    let shared = SharedId::new(0);
    for i in 0..n_rules {
        let (take, put) = (bag(u, n_places)?, bag(u, n_places)?);
        let rule = Rule { from: shared, to: shared, take, put, moves: Vec::new() };
        builder.named_rule(rule_names.get(i), &rule, 0).unwrap();
    }
    let mut unbounded = Vec::new();
    if with_unbounded {
        unbounded.push(LocalId::new(u.int_in_range(0..=n_places - 1)?));
    }
    builder.initial(Initial { shared, exact: bag(u, n_places)?, unbounded });
    builder.target(Config::new(shared, bag(u, n_places)?));
    Ok(builder.finish().unwrap())
}

/// Writes a system with its companions and reads it again.
fn there_and_back(directory: &Path, format: Format, system: &System) -> (System, Vec<String>) {
    let printed = print(format, system).unwrap();
    let path = directory.join("net").with_extension(format.extension());
    std::fs::write(&path, &printed.text).unwrap();
    for (extension, text) in &printed.companions {
        std::fs::write(path.with_extension(extension), text).unwrap();
    }
    let question = Question { target_optional: true, ..Question::default() };
    match read(&path, &question) {
        Ok(input) => (input.system, printed.notes),
        Err(errors) => panic!("{}\n{}\n{:?}", errors[0], printed.text, printed.companions),
    }
}

fn place_names(system: &System) -> Vec<String> {
    (0..system.n_locals()).map(|i| system.local_names().get(i).into_owned()).collect()
}

fn rules(system: &System) -> Vec<Rule> {
    system.rules().iter().map(|(_, rule)| rule.to_rule()).collect()
}

#[test]
fn a_net_is_the_same_in_every_format() {
    let directory = tempfile::tempdir().unwrap();
    arbtest(|u| {
        let system = net(u, false)?;
        for format in NETS {
            let (again, notes) = there_and_back(directory.path(), format, &system);
            assert_eq!(rules(&again), rules(&system), "{format:?}");
            assert_eq!(again.initial(), system.initial(), "{format:?}");
            if format != Format::Tina {
                assert_eq!(again.targets(), system.targets(), "{format:?}");
            }
            if notes.is_empty() {
                assert_eq!(place_names(&again), place_names(&system), "{format:?}");
            }
            if notes.is_empty() && again.has_rule_names() {
                for (id, _) in system.rules().iter() {
                    assert_eq!(again.rule_name(id), system.rule_name(id), "{format:?}");
                }
            }
        }
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}

#[test]
fn unbounded_places_become_source_transitions_where_a_format_has_no_words_for_them() {
    let directory = tempfile::tempdir().unwrap();
    arbtest(|u| {
        let system = net(u, true)?;
        let place = system.initial()[0].unbounded[0];
        let source = Rule {
            from: SharedId::new(0),
            to: SharedId::new(0),
            take: Bag::new(),
            put: Bag::from_locals([place]).unwrap(),
            moves: Vec::new(),
        };
        for format in NETS.into_iter().filter(|&format| format != Format::Spec) {
            let (again, notes) = there_and_back(directory.path(), format, &system);
            let mut expected = rules(&system);
            expected.push(source.clone());
            assert_eq!(rules(&again), expected, "{format:?}");
            assert_eq!(again.initial()[0].exact, system.initial()[0].exact, "{format:?}");
            assert!(notes.iter().any(|note| note.contains("without input")), "{notes:?}");
        }
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}

/// Words of the formats, so that random texts get somewhere.
const WORDS: [&str; 60] = [
    "PLACE",
    "MARKING",
    "TRANSITION",
    "CONSUME",
    "PRODUCE",
    "SAFE",
    ";",
    ",",
    ":",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ".",
    "place",
    "transition",
    "init",
    "target",
    "petri",
    "net",
    "places",
    "transitions",
    "arcs",
    "initial",
    "safety",
    "property",
    "->",
    ">=",
    "&&",
    "||",
    "!",
    "tr",
    "pl",
    "*",
    "?",
    "'",
    "\"",
    "\\",
    "<pnml>",
    "<net type='ptnet'>",
    "<place id='a'>",
    "<transition id='b'>",
    "<arc source='a' target='b'>",
    "<text>",
    "</text>",
    "</place>",
    "</net>",
    "</pnml>",
    "<![CDATA[",
    "&amp;",
    "&#x",
    "a",
    "b",
    "0",
    "3",
    "4294967295",
    "\n",
    " ",
];

fn refuses_cleanly(text: &str) {
    let source = Source::from_text("random", text);
    let question = Question { target_optional: true, ..Question::default() };
    for format in NETS {
        if let Err(errors) = read_source(format, &source, &question) {
            assert!(!errors.is_empty());
        }
    }
}

#[test]
fn random_bytes_never_panic() {
    arbtest(|u| {
        let bytes = u.bytes(u.len())?.to_vec();
        refuses_cleanly(Source::from_bytes("random", bytes).unwrap().text());
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}

#[test]
fn random_words_never_panic() {
    arbtest(|u| {
        let mut text = String::new();
        for _ in 0..u.int_in_range(0..=60)? {
            text += u.choose::<&str>(&WORDS)?;
            text += u.choose::<&str>(&["", " "])?;
        }
        refuses_cleanly(&text);
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}

#[test]
fn random_properties_never_panic() {
    const PIECES: [&str; 40] = [
        "EF",
        "AG",
        "E",
        "F",
        "(",
        ")",
        "AND",
        "OR",
        "NOT",
        "TRUE",
        "a",
        "b",
        "c-d",
        "+",
        "-",
        "*",
        ">=",
        "<",
        "=",
        "!=",
        "->",
        "0",
        "2",
        "4294967294",
        " ",
        ";",
        "FIREABLE",
        "DEADLOCK",
        "<property-set>",
        "<property>",
        "<formula>",
        "<exists-path>",
        "<finally>",
        "<negation>",
        "<integer-le>",
        "<integer-constant>",
        "</integer-constant>",
        "<tokens-count>",
        "<place>",
        "</property-set>",
    ];
    let directory = tempfile::tempdir().unwrap();
    let net = Source::from_text("net", "PLACE a, b, c-d; MARKING ; TRANSITION t CONSUME a; PRODUCE ;");
    arbtest(|u| {
        let mut text =
            u.choose::<&str>(&["EF ", "AG ", "<property-set><property><formula>", ""])?.to_string();
        for _ in 0..u.int_in_range(0..=40)? {
            text += u.choose::<&str>(&PIECES)?;
            text += u.choose::<&str>(&["", " "])?;
        }
        for extension in ["formula", "xml"] {
            let path = directory.path().join("property").with_extension(extension);
            std::fs::write(&path, &text).unwrap();
            let question = Question { property: Some(path), ..Question::default() };
            if let Err(errors) = read_source(Format::Lola, &net, &question) {
                assert!(!errors.is_empty());
            }
        }
        Ok(())
    })
    .budget_ms(BUDGET_MS);
}
