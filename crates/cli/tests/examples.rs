//! Every line of `examples/index.csv` gets the verdict it promises, and every example is on the list.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Row {
    file: String,
    options: Vec<String>,
    expected: String,
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The fields of a line, of which some are quoted because of their commas.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields.last_mut().expect("there is always a field").push(other),
        }
    }
    fields
}

fn index() -> Vec<Row> {
    let text = std::fs::read_to_string(examples().join("index.csv")).expect("the index is readable");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("file,init,target,property,expected,story"));
    let row = |line: &str| {
        let [file, init, target, property, expected, _story] =
            fields(line).try_into().expect("six fields in each line");
        let mut options = Vec::new();
        for (flag, value) in [("--init", init), ("--target", target), ("--property", property)] {
            if !value.is_empty() {
                options.extend([flag.to_owned(), value]);
            }
        }
        Row { file, options, expected }
    };
    lines.map(row).collect()
}

#[test]
fn every_example_gets_its_verdict() {
    for Row { file, options, expected } in index() {
        let output = Command::new(env!("CARGO_BIN_EXE_throng"))
            .args(["check", "-q", &file])
            .args(&options)
            .current_dir(examples())
            .output()
            .unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let code = if expected == "safe" { 0 } else { 10 };
        assert_eq!(output.status.code(), Some(code), "{file} {options:?}\n{stdout}{stderr}");
        assert_eq!(stdout.lines().last(), Some(&*format!("verdict: {expected}")), "{file} {options:?}");
    }
}

#[test]
fn every_model_is_listed() {
    let listed: BTreeSet<String> = index().into_iter().map(|row| row.file).collect();
    let companions = ["prop", "formula", "xml", "csv", "md"];
    let models = std::fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().path());
    let models = models.filter(|path| !companions.contains(&path.extension().unwrap().to_str().unwrap()));
    let models: BTreeSet<String> =
        models.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(models, listed);
}

#[test]
fn the_readme_lists_what_the_index_lists() {
    let readme = std::fs::read_to_string(examples().join("README.md")).unwrap();
    let rows = readme.lines().filter(|line| line.starts_with("| `"));
    let verdict = |line: &str| line.trim_end_matches([' ', '|']).rsplit(' ').next().unwrap().to_owned();
    let listed: Vec<(String, String)> =
        rows.map(|line| (line.split(['`', ' ']).nth(2).unwrap().to_owned(), verdict(line))).collect();
    let expected: Vec<(String, String)> = index().into_iter().map(|row| (row.file, row.expected)).collect();
    assert_eq!(listed, expected);
}
