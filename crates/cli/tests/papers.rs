//! `docs/papers.md` says the truth: every command in its tables runs, ends as the table says and prints what it says; every test that is
//! named exists; and the models that were written for it have the verdicts of their index.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The parts of the page that are run, one test for each, so that they run beside each other.
const PARTS: [&str; 7] = [
    "1. Proof minimisation",
    "2. Karp–Miller for Boolean programs",
    "3. IC3 for coverability",
    "4. Concolic search",
    "Abstraction",
    "Target set widening",
    "Tools and experiments",
];
/// How a row without a command begins to say why there is none.
const REASONS: [&str; 3] = ["as text", "different: ", "not there"];

#[test]
fn proof_minimisation() {
    check(PARTS[0], 25);
}

#[test]
fn karp_miller_for_boolean_programs() {
    check(PARTS[1], 30);
}

#[test]
fn ic3_for_coverability() {
    check(PARTS[2], 18);
}

#[test]
fn concolic_search() {
    check(PARTS[3], 18);
}

#[test]
fn abstraction() {
    check(PARTS[4], 40);
}

#[test]
fn target_set_widening() {
    check(PARTS[5], 20);
}

#[test]
fn tools_and_experiments() {
    check(PARTS[6], 35);
}

/// A line of a table.
#[derive(Debug)]
struct Row {
    /// The heading above it.
    part: String,
    /// What of the paper it is about.
    what: String,
    /// What stands between backticks in the second column.
    commands: Vec<String>,
    exit: String,
    shows: String,
}

impl Row {
    fn new(part: &str, line: &str) -> Self {
        const BAR: &str = "\u{0}";
        let line = line.replace(r"\|", BAR);
        let cells = line.trim().trim_matches('|').split('|');
        let cells: Vec<String> = cells.map(|cell| cell.trim().replace(BAR, "|")).collect();
        let [what, commands, exit, shows] =
            cells.try_into().unwrap_or_else(|_| panic!("four columns: {line}"));
        Self { part: part.to_owned(), what, commands: quoted(&commands), exit, shows }
    }

    /// The figures, tables and algorithms that it is about: `Fig. 22, 25` is about two.
    fn items(&self) -> BTreeSet<String> {
        let (mut items, mut kind) = (BTreeSet::new(), "");
        for word in self.what.split_whitespace() {
            let number = word.trim_end_matches([',', ':', ';']);
            if number.chars().all(|it| it.is_ascii_digit() || it == '.') && !kind.is_empty() {
                items.insert(format!("{kind} {number}"));
            } else {
                kind = ["Fig.", "Table", "Algorithm"].into_iter().find(|&it| it == word).unwrap_or_default();
            }
        }
        items
    }

    /// What is wrong with it, if anything.
    fn complaint(&self) -> Option<String> {
        match self.commands.first() {
            None if REASONS.iter().any(|reason| self.shows.starts_with(reason)) => None,
            None => Some("there is neither a command nor a reason why there is none".to_owned()),
            Some(test) if test.starts_with("cargo ") => {
                let exists = self.commands.iter().all(|test| test_exists(test)) && self.exit.is_empty();
                (!exists).then(|| "there is no such test, or more than one".to_owned())
            }
            Some(_) => self.complaint_about_commands(),
        }
    }

    fn complaint_about_commands(&self) -> Option<String> {
        let place = Folder::new();
        let mut ended = None;
        let mut said = String::new();
        for command in &self.commands {
            let (exit, output) = place.run(command);
            ended = exit;
            said.push_str(&output);
        }
        said.push_str(&place.written());
        let said = one_line(&said);
        let wanted = quoted(&self.shows);
        if ended.map(|code| code.to_string()).as_ref() != Some(&self.exit) {
            return Some(format!("it ends with {ended:?}: {said}"));
        }
        if wanted.is_empty() {
            return Some("it is not said what it shows".to_owned());
        }
        let missing = wanted.iter().find(|words| !occurs(words, &said))?;
        Some(format!("{missing} is not in: {said}"))
    }
}

/// A folder in which the repository's folders seem to be, so that what commands write is not in the repository.
struct Folder(tempfile::TempDir);

impl Folder {
    const LINKS: [&str; 2] = ["examples", "tests"];

    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for link in Self::LINKS {
            std::os::unix::fs::symlink(root().join(link), folder.path().join(link)).unwrap();
        }
        Self(folder)
    }

    /// The exit code, and what was said.
    fn run(&self, command: &str) -> (Option<i32>, String) {
        let words = words(command);
        let Some((program, arguments)) = words.split_first() else { panic!("no command") };
        assert_eq!(program, "throng", "{command}");
        let run = Command::new(env!("CARGO_BIN_EXE_throng"))
            .args(arguments)
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        (run.status.code(), String::from_utf8([run.stdout, run.stderr].concat()).unwrap())
    }

    /// What is in the files that commands wrote.
    fn written(&self) -> String {
        let entries = std::fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> = entries.filter(|path| !path.is_symlink()).collect();
        files.sort();
        files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/papers.md")).unwrap()
}

fn rows() -> Vec<Row> {
    let (page, mut part, mut rows) = (page(), String::new(), Vec::new());
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            heading.clone_into(&mut part);
        } else if line.starts_with('|') && !line.starts_with("|---") && !line.starts_with("| in the paper ") {
            rows.push(Row::new(&part, line));
        }
    }
    rows
}

/// All rows of a part are as they say; at least so many there are.
fn check(part: &str, at_least: usize) {
    let rows: Vec<Row> = rows().into_iter().filter(|row| row.part == part).collect();
    assert!(rows.len() >= at_least, "{part} has {} rows", rows.len());
    let complaints =
        rows.iter().filter_map(|row| Some(format!("{:?}: {}\n", row.commands, row.complaint()?)));
    let complaints: Vec<String> = complaints.collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A command's words; between single quotes blanks do not separate them.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (number, piece) in command.split('\'').enumerate() {
        if number % 2 == 1 {
            words.last_mut().unwrap().push_str(piece);
            continue;
        }
        let mut parts = piece.split(' ');
        words.last_mut().unwrap().push_str(parts.next().unwrap_or_default());
        words.extend(parts.map(str::to_owned));
    }
    words.retain(|word| !word.is_empty());
    words
}

/// With single blanks, and without backticks, which the table cannot quote.
fn one_line(text: &str) -> String {
    text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether these words are there. A number is there only as a whole: 9 is not in 19, nor in 95.
fn occurs(wanted: &str, said: &str) -> bool {
    let is_digit = |character: Option<char>| character.is_some_and(|it| it.is_ascii_digit());
    said.match_indices(wanted).any(|(at, _)| {
        let (before, after) = (&said[..at], &said[at + wanted.len()..]);
        let cut_before = is_digit(wanted.chars().next()) && is_digit(before.chars().next_back());
        let cut_after = is_digit(wanted.chars().next_back()) && is_digit(after.chars().next());
        !cut_before && !cut_after
    })
}

/// Whether exactly one test of the package has the name in `cargo test -p PACKAGE NAME`.
fn test_exists(command: &str) -> bool {
    let words = words(command);
    let ["cargo", "test", "-p", package, name] = words.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        return false;
    };
    let Some(folder) = package.strip_prefix("throng-") else { return false };
    let (mut folders, mut n_found) = (vec![root().join("crates").join(folder)], 0);
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { return false };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = one_line(&std::fs::read_to_string(path).unwrap());
                n_found += text.matches(&format!("#[test] fn {name}()")).count();
            }
        }
    }
    n_found == 1
}

#[test]
fn no_part_is_left_out() {
    let parts: BTreeSet<String> = rows().into_iter().map(|row| row.part).collect();
    let known: BTreeSet<String> = PARTS.iter().map(|&part| part.to_owned()).collect();
    assert_eq!(parts, known);
}

/// What each paper has: its number, the parts about it, its figures, tables and algorithms.
#[test]
fn every_figure_table_and_algorithm_has_a_row() {
    let zhao = ["2.1", "2.2", "2.3", "2.4", "3.1", "3.2", "3.3", "3.4", "3.5", "4.1", "4.2"];
    let zhao = zhao.map(|number| format!("Fig. {number}"));
    let many = |kind: &str, n: u32| -> Vec<String> { (1..=n).map(|it| format!("{kind} {it}")).collect() };
    let papers = [
        (1, &PARTS[..1], [many("Fig.", 3), many("Table", 1), many("Algorithm", 3)].concat()),
        (2, &PARTS[1..2], [zhao.to_vec(), many("Algorithm", 3)].concat()),
        (3, &PARTS[2..3], [many("Fig.", 2), many("Table", 2)].concat()),
        (4, &PARTS[3..4], [many("Fig.", 4), many("Algorithm", 3)].concat()),
        (5, &PARTS[4..], [many("Fig.", 33), many("Table", 9), many("Algorithm", 3)].concat()),
    ];
    let rows = rows();
    for (number, parts, wanted) in papers {
        let is_about = |row: &&Row| parts.contains(&row.part.as_str());
        let items: BTreeSet<String> = rows.iter().filter(is_about).flat_map(Row::items).collect();
        let missing: Vec<&String> = wanted.iter().filter(|item| !items.contains(*item)).collect();
        assert!(missing.is_empty(), "paper {number}: {missing:?}");
    }
}

#[test]
fn wrong_rows_are_noticed() {
    let right = "| x | `throng check examples/mutex.tts` | 0 | `verdict: safe` |";
    assert_eq!(Row::new("", right).complaint(), None);
    let test = "| x | `cargo test -p throng-cli wrong_rows_are_noticed` | | |";
    assert_eq!(Row::new("", test).complaint(), None);
    assert_eq!(Row::new("", "| x | | | not there: for a reason |").complaint(), None);
    for wrong in [
        right.replace("| 0 |", "| 10 |"),
        right.replace("verdict: safe", "verdict: unsafe"),
        right.replace("`verdict: safe`", ""),
        right.replace("mutex", "no-such-file"),
        right.replace("check", "chekc"),
        test.replace("wrong_rows", "right_rows"),
        test.replace("throng-cli", "throng-nothing"),
        "| x | | | |".to_owned(),
    ] {
        assert!(Row::new("", &wrong).complaint().is_some(), "{wrong}");
    }
    assert!(occurs("elements 9", "19 elements 9 in all") && !occurs("elements 9", "elements 95"));
    assert!(occurs("9 nodes", "has 9 nodes") && !occurs("9 nodes", "19 nodes"));
}

#[test]
fn the_models_of_the_page_have_their_verdicts() {
    let folder = root().join("examples/papers");
    let mut index = csv::Reader::from_path(folder.join("index.csv")).unwrap();
    let columns = ["file", "init", "target", "property", "options", "expected", "story"];
    assert_eq!(index.headers().unwrap(), &columns[..]);
    let (mut listed, page) = (BTreeSet::new(), page());
    for line in index.records().map(Result::unwrap) {
        let [file, init, target, property, options, expected, _] = line.iter().collect::<Vec<_>>()[..] else {
            panic!("{line:?}")
        };
        assert!(page.contains(&format!("examples/papers/{file}")), "{file} is not on the page");
        listed.insert(file.to_owned());
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.args(["check", "-q", file]).args(options.split_whitespace()).current_dir(&folder);
        for (option, value) in [("--init", init), ("--target", target), ("--property", property)] {
            if !value.is_empty() {
                command.args([option, value]);
            }
        }
        let code = match expected {
            "safe" => 0,
            "unsafe" => 10,
            "refused" => 2,
            other => panic!("{other} in {line:?}"),
        };
        let run = command.output().unwrap();
        assert_eq!(run.status.code(), Some(code), "{line:?}: {}", String::from_utf8_lossy(&run.stderr));
    }
    let companions = ["csv", "prop", "predicates"];
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let models = files.filter(|path| !companions.contains(&path.extension().unwrap().to_str().unwrap()));
    let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(models.map(name).collect::<BTreeSet<_>>(), listed);
}
