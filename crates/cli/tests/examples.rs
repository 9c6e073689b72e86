//! Every line of `examples/index.csv` and `examples/c/index.csv` gets the verdict it promises, and every example is on a list.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

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

/// The C programs.
fn c_index() -> Vec<Row> {
    let text = std::fs::read_to_string(examples().join("c/index.csv")).expect("the index is readable");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("file,expected,atomicity,options,description"));
    let row = |line: &str| {
        let [file, expected, _atomicity, options, _description] =
            fields(line).try_into().expect("five fields in each line");
        let options = options.split_whitespace().map(str::to_owned).collect();
        Row { file, options, expected }
    };
    lines.map(row).collect()
}

#[test]
fn every_example_gets_its_verdict() {
    let c = c_index().into_iter().map(|row| Row { file: format!("c/{}", row.file), ..row });
    for Row { file, options, expected } in index().into_iter().chain(c) {
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
fn loops_are_counted_by_formulas_however_long_they_run() {
    let rounds = 1_000_000_000;
    let target = format!("2|2*{rounds}");
    let tickets = |number: u32| format!("0|3*{number}/0");
    for (file, init, code) in [
        ("counting-loop.tts", "0/0".to_owned(), 10),
        ("counting-loop-tickets.tts", tickets(rounds), 10),
        ("counting-loop-tickets.tts", tickets(rounds - 1), 0),
    ] {
        let arguments = ["check", "-q", file, "--engine", "concolic", "--init", &init, "--target", &target];
        let (exit, said) = throng(&examples(), &arguments.map(String::from));
        assert_eq!(exit, Some(code), "{file} {init}: {said}");
    }
}

/// How a run of `throng` in `directory` ended, and what it said.
fn throng(directory: &Path, arguments: &[String]) -> (Option<i32>, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_throng")).args(arguments).current_dir(directory).output();
    let output = run.unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

/// Options for what a converted file cannot hold. The initial configuration of a `.tts` file stands in a file that
/// is used on request only; for a target, the conversion has said how to ask for it.
fn options_beside(file: &Path, said: &str) -> Vec<String> {
    let mut options = Vec::new();
    let init = file.with_extension("init");
    if init.exists() {
        options.extend(["--init".to_owned(), init.display().to_string()]);
    }
    options.extend(said.split('`').filter(|word| word.starts_with("--target=")).map(String::from));
    options
}

#[test]
fn every_example_keeps_its_verdict_in_every_format_that_can_express_it() {
    let directory = tempfile::tempdir().unwrap();
    let mut n_conversions = 0;
    for (number, Row { file, options, expected }) in index().into_iter().enumerate() {
        let code = if expected == "safe" { 0 } else { 10 };
        let ask = |file: &str, options: &[String]| {
            let arguments = ["check", "-q", file].map(String::from);
            throng(&examples(), &[&arguments[..], options].concat())
        };
        for format in ["tts", "spec", "pnml", "lola", "net", "pnet", "pl"] {
            // Each in a directory of its own, so that companions of different formats do not meet.
            let place = directory.path().join(format!("{number}-{format}"));
            std::fs::create_dir(&place).unwrap();
            let converted = place.join(format!("model.{format}"));
            let converted_name = converted.display().to_string();
            let arguments = ["convert", "-q", &file, &converted_name].map(String::from);
            let (exit, said) = throng(&examples(), &[&arguments[..], &options].concat());
            if exit != Some(0) {
                // What a format cannot express is refused with the reason, not with a broken file.
                assert!(exit == Some(2) && said.contains("error[E"), "{file} to {format}: {said}");
                assert!(!converted.exists());
                continue;
            }
            let (exit, said) = ask(&converted_name, &options_beside(&converted, &said));
            assert_eq!(exit, Some(code), "{file} {options:?} as .{format}: {said}");
            n_conversions += 1;
        }
    }
    // Every one can be written in its own format, most in several.
    assert!(n_conversions > 60, "{n_conversions}");
}

/// The commands under EXAMPLES in a help text, up to a pipe or a redirection.
#[cfg(unix)]
fn commands(help: &str) -> Vec<String> {
    let examples = help.split("\nEXAMPLES\n").nth(1).unwrap();
    let lines = examples.lines().filter_map(|line| line.strip_prefix("  throng "));
    let cut = |line: &str| {
        let end = [" | ", " > "].into_iter().filter_map(|sign| line.find(sign)).min();
        line[..end.unwrap_or(line.len())].to_owned()
    };
    lines.map(cut).collect()
}

/// Examples in help texts are pasted from the root of the repository.
#[cfg(unix)]
#[test]
fn the_examples_in_help_texts_work() {
    let root = tempfile::tempdir().unwrap();
    let (home, pages) = (root.path().join("home"), root.path().join("home/.local/share/man/man1"));
    std::fs::create_dir_all(&pages).unwrap();
    std::os::unix::fs::symlink(examples().canonicalize().unwrap(), root.path().join("examples")).unwrap();
    let mut n_commands = 0;
    for command in [&[][..], &["check"], &["convert"], &["graph"], &["bench"], &["completions"], &["man"]] {
        let arguments: Vec<String> =
            command.iter().chain(&["--help"]).map(|word| (*word).to_owned()).collect();
        let (_, help) = throng(root.path(), &arguments);
        for example in commands(&help) {
            let script = format!("\"$THRONG\" {example}");
            let run = Command::new("sh")
                .args(["-c", &script])
                .env("THRONG", env!("CARGO_BIN_EXE_throng"))
                .env("HOME", &home)
                .current_dir(root.path())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&run.stderr);
            assert!(matches!(run.status.code(), Some(0 | 10)), "throng {example}: {said}");
            n_commands += 1;
        }
    }
    assert!(n_commands > 15, "{n_commands}");
}

#[test]
fn every_model_is_listed() {
    let listed: BTreeSet<String> = index().into_iter().map(|row| row.file).collect();
    let companions = ["prop", "formula", "xml", "csv", "md"];
    let models = std::fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap().path());
    // Folders have indices of their own.
    let models = models.filter(|path| path.is_file());
    let models = models.filter(|path| !companions.contains(&path.extension().unwrap().to_str().unwrap()));
    let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(models.map(name).collect::<BTreeSet<_>>(), listed);
    let listed: BTreeSet<String> = c_index().into_iter().map(|row| row.file).collect();
    let programs = std::fs::read_dir(examples().join("c")).unwrap().map(|entry| entry.unwrap().path());
    let programs = programs.filter(|path| path.extension().is_some_and(|it| it == "c"));
    assert_eq!(programs.map(name).collect::<BTreeSet<_>>(), listed);
}

#[test]
fn the_readme_lists_what_the_indices_list() {
    let readme = std::fs::read_to_string(examples().join("README.md")).unwrap();
    let (models, programs) =
        readme.split_once("| `throng check examples/c/…`").expect("there are two tables");
    let verdict = |line: &str| line.trim_end_matches([' ', '|']).rsplit(' ').next().unwrap().to_owned();
    let listed = |text: &str| -> Vec<(String, String)> {
        let rows = text.lines().filter(|line| line.starts_with("| `"));
        rows.map(|line| (line.split(['`', ' ']).nth(2).unwrap().to_owned(), verdict(line))).collect()
    };
    let expected = |rows: Vec<Row>| -> Vec<(String, String)> {
        rows.into_iter().map(|row| (row.file, row.expected)).collect()
    };
    assert_eq!(listed(models), expected(index()));
    assert_eq!(listed(programs), expected(c_index()));
}
