//! What the competition on software verification (SV-COMP) has for exchange: task definitions (`.yml`) with property files
//! (`.prp`) as input, verdict strings, and witnesses.
//!
//! * `yaml`: as much of YAML as task definitions use; `witness`: witnesses, written and read back; `sha256`: hashes of files.

mod sha256;
mod witness;
mod yaml;

pub(crate) use witness::write;

use crate::console;
use crate::exit::Exit;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A property as its file writes it, without blanks: its name, what `throng check` is asked, and which kinds of errors break it.
const PROPERTIES: [(&str, &str, &[&str], &[&str]); 2] = [
    ("G!call(", "unreach-call", &[], &["reach", "assertion"]),
    ("G!overflow", "no-overflow", &["--check", "overflow"], &["overflow"]),
];

/// Whether a file is a task definition.
pub(crate) fn is_task(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "yml" || end == "yaml")
}

/// A task.
struct Task {
    files: Vec<PathBuf>,
    is_ilp32: bool,
    /// Property files with the expected verdicts, if there are.
    properties: Vec<(PathBuf, Option<bool>)>,
}

/// Answers every property of a task that is supported, each in a process of its own with the options that were given.
pub(crate) fn run(file: &Path, options: &[String]) -> Exit {
    let task = match read(file) {
        Ok(task) => task,
        Err(why) => {
            console::error(&format!("`{}`: {why}", file.display()));
            return Exit::Refused;
        }
    };
    let mut worst = Exit::Success;
    let mut lines = Vec::new();
    for (property, expected) in &task.properties {
        let (name, verdict, exit) = answer(&task, property, options);
        let mark = match (expected, &*verdict) {
            (Some(true), "true") => "as expected",
            (Some(false), verdict) if verdict.starts_with("false") => "as expected",
            (Some(_), verdict) if verdict.starts_with("true") || verdict.starts_with("false") => "UNEXPECTED",
            _ => "",
        };
        lines.push(format!("{name:<20}  {verdict:<24}  {mark}").trim_end().to_owned());
        worst = match (worst, exit) {
            (Exit::Unsafe, _) | (_, Exit::Unsafe) => Exit::Unsafe,
            (Exit::Success, other) => other,
            (other, _) => other,
        };
    }
    console::print(&format!("{}\n", lines.join("\n")));
    worst
}

/// The name of a property, the verdict about it in the competition's words, and how that ends.
fn answer(task: &Task, property: &Path, options: &[String]) -> (String, String, Exit) {
    let stem = property.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let unknown = |why: &str| (stem.clone(), format!("unknown ({why})"), Exit::Unknown);
    let Ok(text) = std::fs::read_to_string(property) else { return unknown("no property file") };
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let Some((_, name, more, broken_by)) = PROPERTIES.iter().find(|(words, ..)| text.contains(words)) else {
        return unknown("not supported");
    };
    let Ok(folder) = tempfile::tempdir() else { return unknown("no temporary folder") };
    let sarif = folder.path().join("result.sarif");
    let Ok(program) = std::env::current_exe() else { return unknown("throng cannot find itself") };
    let mut command = Command::new(program);
    command.args(["check", "-q"]).args(options).args(*more).args(&task.files).arg("--sarif").arg(&sarif);
    if *name == "unreach-call" {
        command.arg("--property").arg(property);
    }
    command.arg(if task.is_ilp32 { "--ilp32" } else { "--lp64" });
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return unknown(&error.to_string()),
    };
    let document = std::fs::read_to_string(&sarif).unwrap_or_default();
    let document: Value = serde_json::from_str(&document).unwrap_or(Value::Null);
    let kind = document["runs"][0]["results"][0]["ruleId"].as_str().unwrap_or_default();
    match output.status.code() {
        Some(0) => ((*name).to_owned(), "true".to_owned(), Exit::Success),
        Some(10) if broken_by.contains(&kind) => ((*name).to_owned(), format!("false({name})"), Exit::Unsafe),
        Some(10) => unknown(&format!("another error comes first: {kind}")),
        Some(5) => unknown("no answer"),
        Some(2) => {
            console::remark(String::from_utf8_lossy(&output.stderr).trim_end());
            unknown("refused")
        }
        code => unknown(&format!("exit code {code:?}")),
    }
}

/// Reads a task definition; says what is wrong with it.
fn read(file: &Path) -> Result<Task, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let task = yaml::read(&text)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let paths = |value: &Value| -> Vec<PathBuf> {
        let one = value.as_str().into_iter();
        let many = value.as_array().into_iter().flatten().filter_map(Value::as_str);
        one.chain(many).map(|name| folder.join(name)).collect()
    };
    let files = paths(&task["input_files"]);
    if files.is_empty() {
        return Err("a task definition names its `input_files`".to_owned());
    }
    let properties = task["properties"].as_array().into_iter().flatten();
    let properties: Vec<(PathBuf, Option<bool>)> = properties
        .filter_map(|property| {
            let file = folder.join(property["property_file"].as_str()?);
            Some((file, property["expected_verdict"].as_str().and_then(|word| word.parse().ok())))
        })
        .collect();
    if properties.is_empty() {
        return Err("a task definition names its `properties`, each with a `property_file`".to_owned());
    }
    let is_ilp32 = task["options"]["data_model"].as_str() == Some("ILP32");
    Ok(Task { files, is_ilp32, properties })
}
