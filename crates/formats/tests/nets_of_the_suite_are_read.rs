//! Reads every `.lola`, `.pl` and `.pnet` question of the shared suite of models, where it is present.

#![expect(clippy::unwrap_used, reason = "a test may stop at what it does not expect")]

mod common;

use common::models;
use std::collections::BTreeMap;
use std::path::Path;
use throng_formats::{Format, Input, Question, read};

struct Row {
    family: String,
    name: String,
    file: String,
    property: String,
    expected: String,
    places: usize,
    transitions: usize,
}

/// The rows of these formats. Their fields need no quotes.
fn rows(models: &Path, formats: &[&str]) -> Vec<Row> {
    let index = std::fs::read_to_string(models.join("index.csv")).unwrap();
    let rows = index.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let rows: Vec<Row> = rows
        .filter(|fields| formats.contains(&fields[3]))
        .map(|fields| Row {
            family: fields[0].to_owned(),
            name: fields[1].to_owned(),
            file: fields[2].to_owned(),
            property: fields[6].to_owned(),
            expected: fields[7].to_owned(),
            places: fields[8].parse().unwrap(),
            transitions: fields[9].parse().unwrap(),
        })
        .collect();
    assert!(!rows.is_empty());
    rows
}

fn ask(models: &Path, row: &Row) -> Result<Input, String> {
    let property = Some(&row.property).filter(|property| !property.is_empty());
    let question =
        Question { property: property.map(|property| models.join(property)), ..Question::default() };
    read(&models.join(&row.file), &question).map_err(|errors| errors[0].to_string())
}

#[test]
fn lola_nets_and_facts_have_the_stated_numbers_of_places_and_transitions() {
    let Some(models) = models() else { return };
    for row in rows(&models, &["lola", "pl"]) {
        let input = ask(&models, &row).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(input.system.n_locals(), row.places, "{}", row.file);
        // The index counts transitions without input, which stand for unbounded places, in some rows only.
        let n_sources = input.system.rules().iter().filter(|(_, rule)| rule.take.is_empty()).count();
        let n_rules = input.system.rules().len();
        assert!((n_rules - n_sources..=n_rules).contains(&row.transitions), "{}: {n_rules}", row.file);
        assert!(!input.system.targets().is_empty(), "{}", row.file);
        assert!(input.warnings.is_empty(), "{}: {}", row.file, input.warnings[0]);
    }
}

/// Places by name with their initial tokens.
type Marking = BTreeMap<String, u32>;

/// How often each list of places with tokens consumed and produced occurs as a transition.
type Transitions = BTreeMap<Vec<(String, u32, u32)>, usize>;

/// What is the same in two forms of a net. An unbounded initial place is a source transition in both forms.
fn essence(input: &Input) -> (Marking, Transitions) {
    let system = &input.system;
    let name = |local: throng_model::LocalId| system.local_names().get(local.index()).into_owned();
    let initial = &system.initial()[0];
    let tokens = (0..system.n_locals()).map(throng_model::LocalId::new);
    let marking =
        tokens.map(|local| (name(local), throng_model::bag::count(&initial.exact, local))).collect();
    let mut transitions = BTreeMap::new();
    for (_, rule) in system.rules().iter() {
        let mut arcs: BTreeMap<String, (u32, u32)> = BTreeMap::new();
        rule.take.iter().for_each(|entry| arcs.entry(name(entry.local)).or_default().0 = entry.count);
        rule.put.iter().for_each(|entry| arcs.entry(name(entry.local)).or_default().1 = entry.count);
        let arcs = arcs.into_iter().map(|(name, (pre, post))| (name, pre, post)).collect();
        *transitions.entry(arcs).or_default() += 1;
    }
    for &local in &initial.unbounded {
        *transitions.entry(vec![(name(local), 0, 1)]).or_default() += 1;
    }
    (marking, transitions)
}

/// The targets with names, in a normal order.
fn targets(input: &Input) -> Vec<Vec<(String, u32)>> {
    let system = &input.system;
    let named = |target: &throng_model::Config| {
        let name = |entry: &throng_model::Entry| {
            (system.local_names().get(entry.local.index()).into_owned(), entry.count)
        };
        let mut named: Vec<_> = target.bag.iter().map(name).collect();
        named.sort();
        named
    };
    let mut targets: Vec<_> = system.targets().iter().map(named).collect();
    targets.sort();
    targets
}

#[test]
fn the_forms_of_one_model_agree() {
    let Some(models) = models() else { return };
    let mut n_compared = 0;
    for row in rows(&models, &["lola", "pl"]) {
        let specification = models.join(&row.file).with_extension("spec");
        if !specification.is_file() {
            continue;
        }
        let one = ask(&models, &row).unwrap();
        let other =
            read(&specification, &Question::default()).unwrap_or_else(|errors| panic!("{}", errors[0]));
        assert_eq!(targets(&one), targets(&other), "{}", row.file);
        let (one, other) = (essence(&one), essence(&other));
        assert!(one.0 == other.0, "initial markings of {} and the .spec beside it differ", row.file);
        assert!(one.1 == other.1, "transitions of {} and the .spec beside it differ", row.file);
        n_compared += 1;
    }
    assert!(n_compared > 20, "only {n_compared} models have two forms");
}

#[test]
fn petrinizer_nets_are_read_or_refused_for_what_their_safety_properties_say() {
    let Some(models) = models() else { return };
    for row in rows(&models, &["pnet"]) {
        match ask(&models, &row) {
            Ok(input) => {
                assert_eq!(input.system.n_locals(), row.places, "{}", row.file);
                assert_eq!(input.system.rules().len(), row.transitions, "{}", row.file);
                // Rows that start with a liveness property are listed as refused; we ask the safety property
                // behind it and say so.
                assert!(row.expected != "refused" || !input.warnings.is_empty(), "{}", row.file);
            }
            Err(error) => {
                assert_eq!(row.expected, "refused", "{}/{}: {error}", row.family, row.name);
                assert!(error.contains("E0410"), "{error}");
            }
        }
    }
}

#[test]
fn every_net_of_the_suite_survives_a_round_trip() {
    let Some(models) = models() else { return };
    let directory = tempfile::tempdir().unwrap();
    for row in rows(&models, &["lola", "pl", "pnet"]).iter().filter(|row| row.transitions < 3000) {
        let Ok(input) = ask(&models, row) else { continue };
        for format in [Format::Lola, Format::Pl, Format::Pnet, Format::Pnml, Format::Spec] {
            let printed = throng_formats::print(format, &input.system).unwrap();
            let path = directory.path().join("net").with_extension(format.extension());
            std::fs::write(&path, printed.text).unwrap();
            for (extension, text) in printed.companions {
                std::fs::write(path.with_extension(extension), text).unwrap();
            }
            let again = read(&path, &Question::default()).unwrap_or_else(|errors| panic!("{}", errors[0]));
            assert_eq!(targets(&again), targets(&input), "{} as {format:?}", row.file);
            assert!(essence(&again) == essence(&input), "{} as {format:?}", row.file);
        }
    }
}
