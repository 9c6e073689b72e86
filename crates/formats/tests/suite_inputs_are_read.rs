//! Reads every `.tts` and `.spec` question of the shared suite of models, where it is present.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

mod common;

use common::models;
use std::collections::BTreeMap;
use std::path::Path;
use throng_base::Source;
use throng_formats::{Format, Input, Question, print, read, read_source};
use throng_model::{Entry, System};

/// One line of the index: column name to value.
type Row = BTreeMap<String, String>;

/// The fields of a line of comma-separated values with optional quotes.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

fn rows(models: &Path, format: Format) -> Vec<Row> {
    let index = std::fs::read_to_string(models.join("index.csv")).unwrap();
    let mut lines = index.lines();
    let columns = fields(lines.next().unwrap());
    let rows = lines.map(|line| columns.iter().cloned().zip(fields(line)).collect::<Row>());
    rows.filter(|row| row["format"] == format.extension()).collect()
}

fn ask(models: &Path, row: &Row) -> Result<Input, Vec<throng_base::Diagnostic>> {
    let given = |column: &str| Some(row[column].clone()).filter(|value| !value.is_empty());
    let question = Question {
        init: given("init").into_iter().collect(),
        target: given("target").into_iter().collect(),
        property: given("property").map(|property| models.join(property)),
        ..Question::default()
    };
    read(&models.join(&row["file"]), &question)
}

/// Reads every row of a format and gives what is read to `check`.
fn check_rows(format: Format, check: impl Fn(&Row, &Input)) {
    let Some(models) = models() else { return };
    let rows = rows(&models, format);
    assert!(!rows.is_empty());
    for row in &rows {
        let file = &row["file"];
        match (ask(&models, row), row["expected"] == "refused") {
            (Ok(input), false) => {
                assert!(!input.system.targets().is_empty(), "{file}");
                check(row, &input);
            }
            (Err(errors), false) => panic!("{file}: {}", errors.last().unwrap()),
            (Ok(_), true) => panic!("{file} should be refused"),
            (Err(errors), true) => {
                let error = errors.last().unwrap();
                assert!(["E0305", "E0306"].contains(&error.code), "{file}: {error}");
                assert!(!error.hints.is_empty(), "{file}: {error}");
            }
        }
    }
}

fn number(row: &Row, column: &str) -> usize {
    row[column].parse().unwrap()
}

#[test]
fn specifications_have_the_stated_numbers_of_places_and_rules() {
    check_rows(Format::Spec, |row, input| {
        let system = &input.system;
        assert_eq!(system.n_locals(), number(row, "places"), "{}", row["file"]);
        assert_eq!(system.rules().len(), number(row, "transitions"), "{}", row["file"]);
    });
}

#[test]
fn thread_transition_systems_have_the_stated_numbers_of_states_and_rules() {
    check_rows(Format::Tts, |row, input| {
        let system = &input.system;
        let states = system.n_shared() + system.n_locals();
        assert_eq!(states, number(row, "places"), "{}", row["file"]);
        // Rules without effect are dropped.
        assert!(system.rules().len() <= number(row, "transitions"), "{}", row["file"]);
    });
}

#[test]
fn a_target_beside_the_file_is_the_one_the_index_states() {
    check_rows(Format::Tts, |row, input| {
        let path = models().unwrap().join(&row["file"]);
        if path.with_extension("prop").is_file() && row["init"].is_empty() {
            let beside = read(&path, &Question::default()).unwrap();
            assert_eq!(beside.system.targets(), input.system.targets(), "{}", row["file"]);
        }
    });
}

/// Counted names of places, sorted.
type Tokens = Vec<(String, u32)>;

/// What the rules of a net take and put, sorted.
fn named_rules(system: &System) -> Vec<(Tokens, Tokens)> {
    let named = |entries: &[Entry]| -> Tokens {
        let name = |entry: &Entry| system.local_names().get(entry.local.index()).into_owned();
        let mut tokens: Vec<_> = entries.iter().map(|entry| (name(entry), entry.count)).collect();
        tokens.sort();
        tokens
    };
    // Readers of `.tts` drop rules without effect.
    let rules = system.rules().iter().filter(|(_, rule)| !rule.is_identity());
    let mut rules: Vec<_> = rules.map(|(_, rule)| (named(rule.take), named(rule.put))).collect();
    rules.sort();
    rules.dedup();
    rules
}

#[test]
fn a_thread_transition_system_printed_as_a_net_is_the_net_of_the_suite() {
    let Some(models) = models() else { return };
    let specs: BTreeMap<String, Row> =
        rows(&models, Format::Spec).into_iter().map(|row| (row["file"].replace(".spec", ""), row)).collect();
    let mut compared = 0;
    for tts in rows(&models, Format::Tts) {
        let Some(spec) = specs.get(&tts["file"].replace(".tts", "")) else { continue };
        let printed = print(Format::Spec, &ask(&models, &tts).unwrap().system).unwrap();
        let source = Source::from_text("printed", printed.text);
        let printed = read_source(Format::Spec, &source, &Question::default()).unwrap().system;
        let spec = ask(&models, spec).unwrap().system;
        assert_eq!(named_rules(&printed), named_rules(&spec), "{}", tts["file"]);
        compared += 1;
    }
    assert!(compared > 0);
}
