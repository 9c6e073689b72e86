//! `throng bench` as its users see it: tables, files that a run goes on from, and wrong verdicts that are not kept quiet.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;

use common::{ENDLESS, Run};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Only one thread at a time is in local state 1.
const MUTEX: &str = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n1|1,1\n";
/// Looking at the lock and taking it are two steps.
const BROKEN: &str = "2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 2\n1 2 -> 0 0\n1|2,2\n";

/// A folder with a safe and an unsafe model.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("mutex.tts"), MUTEX).unwrap();
    std::fs::write(folder.path().join("broken.tts"), BROKEN).unwrap();
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.arg("bench").arg(folder).args(arguments).stdin(Stdio::null());
    command
}

fn bench(folder: &Path, arguments: &[&str]) -> Run {
    Run::from(command(folder, arguments).output().unwrap())
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

#[test]
fn every_example_is_decided_as_its_index_expects() {
    let run = bench(&examples(), &["--engines", "auto", "--details", "--format", "markdown"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let index = std::fs::read_to_string(examples().join("index.csv")).unwrap();
    let expected =
        |verdict: &str| index.lines().filter(|line| line.contains(&format!(",{verdict},"))).count();
    let (safe, unsafe_) = (expected("safe"), expected("unsafe"));
    let row = format!("| auto | {safe} | {unsafe_} | 0 | 0 | 0 |");
    assert!(run.stdout.contains(&row), "no {row} in {}", run.stdout);
    assert!(run.stdout.contains("| mutex.tts | 2 | safe |"), "{}", run.stdout);
    assert!(run.stdout.contains("| barrier.tts from 0\\|0,0 | 2 | safe |"), "{}", run.stdout);
    let n = safe + unsafe_;
    assert!(run.stderr.contains(&format!("[{n}/{n}]")), "{}", run.stderr);
}

#[test]
fn all_engines_agree_on_a_folder_without_an_index() {
    let folder = folder();
    let run = bench(folder.path(), &["-q"]);
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    for engine in ["backward", "widen", "karp-miller"] {
        let line = run.stdout.lines().find(|line| line.split_whitespace().next() == Some(engine)).unwrap();
        assert_eq!(line.split_whitespace().nth(1), Some("1"), "{line}");
        assert_eq!(line.split_whitespace().nth(2), Some("1"), "{line}");
    }
    assert!(run.stdout.contains("compared with backward"), "{}", run.stdout);
}

#[test]
fn a_benchmark_goes_on_after_a_kill_in_the_middle_of_a_line() {
    let folder = folder();
    let csv = folder.path().join("runs.csv");
    let arguments = ["--engines", "backward,again=backward:seed=3", "--csv", csv.to_str().unwrap()];
    let first = bench(folder.path(), &arguments);
    assert_eq!((first.code, first.stderr.lines().count()), (Some(0), 4), "{}", first.stderr);
    let whole = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(whole.lines().count(), 5);

    let third_line_end = whole.match_indices('\n').nth(2).unwrap().0;
    std::fs::write(&csv, &whole[..third_line_end + 20]).unwrap();
    let second = bench(folder.path(), &arguments);
    assert_eq!((second.code, second.stderr.lines().count()), (Some(0), 2), "{}", second.stderr);
    let healed = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(&healed[..third_line_end], &whole[..third_line_end]);
    let runs = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(',').take(10).collect::<Vec<_>>().join(",")).collect()
    };
    assert_eq!(runs(&healed), runs(&whole));

    let third = bench(folder.path(), &arguments);
    assert_eq!((third.code, &*third.stderr), (Some(0), ""));
    assert_eq!(third.stdout, second.stdout);
    assert_eq!(std::fs::read_to_string(&csv).unwrap(), healed);

    // Another limit is another run.
    let longer = bench(folder.path(), &[&arguments[..], &["--timeout", "61s"]].concat());
    assert_eq!(longer.stderr.lines().count(), 4, "{}", longer.stderr);
}

#[test]
fn a_file_of_somebody_else_is_refused() {
    let folder = folder();
    let csv = folder.path().join("letter.csv");
    std::fs::write(&csv, "Dear reader,\n").unwrap();
    let run = bench(folder.path(), &["--csv", csv.to_str().unwrap()]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("is not a file of `throng bench`"), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&csv).unwrap(), "Dear reader,\n");
}

#[test]
fn verdicts_that_contradict_the_index_are_loud() {
    let folder = folder();
    let index = "file,init,target,property,expected\nmutex.tts,,,,unsafe\nbroken.tts,,,,unsafe\n";
    std::fs::write(folder.path().join("index.csv"), index).unwrap();
    let run = bench(folder.path(), &["-q", "--engines", "backward"]);
    assert_eq!(run.code, Some(6));
    assert_eq!(run.stderr, "error: mutex.tts: backward says safe, expected is unsafe\n");
}

#[test]
fn verdicts_that_contradict_each_other_are_loud() {
    let folder = folder();
    let csv = folder.path().join("runs.csv");
    let arguments = ["-q", "--engines", "backward,again=backward:seed=3", "--csv", csv.to_str().unwrap()];
    assert_eq!(bench(folder.path(), &arguments).code, Some(0));
    // As if an engine had been wrong before.
    let text = std::fs::read_to_string(&csv).unwrap();
    let wrong: Vec<String> = text
        .lines()
        .map(|line| match line.starts_with("mutex.tts") && line.contains("again") {
            true => line.replacen(",safe,", ",unsafe,", 1),
            false => line.to_owned(),
        })
        .collect();
    std::fs::write(&csv, wrong.join("\n") + "\n").unwrap();
    let run = bench(folder.path(), &arguments);
    assert_eq!(run.code, Some(6));
    assert_eq!(run.stderr, "error: mutex.tts: backward says safe, again says unsafe\n");
}

#[test]
fn refused_models_are_counted_and_limits_are_kept() {
    let folder = folder();
    std::fs::write(folder.path().join("endless.spec"), ENDLESS).unwrap();
    std::fs::write(folder.path().join("nonsense.tts"), "what?\n").unwrap();
    let run =
        bench(folder.path(), &["--engines", "backward", "--timeout", "300ms", "--jobs", "2", "--details"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("endless.spec  backward  unknown(timeout)"), "{}", run.stderr);
    let line = run.stdout.lines().find(|line| line.starts_with("  backward")).unwrap();
    assert_eq!(line.split_whitespace().skip(1).take(5).collect::<Vec<_>>(), ["1", "1", "1", "1", "0"]);
    assert!(run.stdout.lines().any(|line| line.contains("endless.spec") && line.ends_with("timeout")));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_is_not_kept() {
    use std::io::{BufRead, BufReader};
    let folder = folder();
    std::fs::write(folder.path().join("endless.spec"), ENDLESS).unwrap();
    let csv = folder.path().join("runs.csv");
    let arguments = ["--engines", "backward", "--csv", csv.to_str().unwrap()];
    let mut child =
        command(folder.path(), &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // After `broken.tts` comes `endless.spec`.
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert!(line.contains("broken.tts"), "{line}");
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    let text = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn times_of_other_tools_are_compared() {
    let folder = folder();
    let reference = folder.path().join("reference.csv");
    std::fs::write(&reference, "file,bfc_s,mist_s\nmutex.tts,1000,\nbroken.tts,1000,\n").unwrap();
    let arguments = ["-q", "--engines", "backward", "--format", "markdown", "--against"];
    let run = bench(folder.path(), &[&arguments[..], &[reference.to_str().unwrap()]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // Both sides count the time limit at most.
    assert!(
        run.stdout.contains("| backward | bfc | 2 |") && run.stdout.contains("| 120 |"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("mist"), "{}", run.stdout);
}

#[test]
fn the_cactus_plot_names_the_engines() {
    let folder = folder();
    let svg = folder.path().join("cactus.svg");
    let run = bench(folder.path(), &["-q", "--engines", "a<b=backward", "--svg", svg.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let picture = std::fs::read_to_string(svg).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("a&lt;b (2)"), "{picture}");
}

/// A loop that sends one thread after the other through, and three rounds of it.
const LOOP: &str = "3 3\n0 0 -> 1 1\n1 1 -> 0 2\n0 0 -> 2 1\n2|2,2,2\n";

#[test]
fn paths_are_counted_and_two_engines_drawn_against_each_other() {
    let folder = folder();
    std::fs::write(folder.path().join("loop.tts"), LOOP).unwrap();
    let (csv, svg) = (folder.path().join("runs.csv"), folder.path().join("scatter.svg"));
    let arguments = ["-q", "--engines", "concolic,backward", "--paths", "--format", "markdown"];
    let files = ["--csv", csv.to_str().unwrap(), "--scatter", svg.to_str().unwrap()];
    let run = bench(folder.path(), &[&arguments[..], &files].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let row = "| loop.tts | 2 | 1 | 0 | 0 | 0 | 1 | 0 |";
    assert!(run.stdout.contains(row), "no {row} in {}", run.stdout);
    assert!(run.stdout.contains("| other loops | 2 | 2 |"), "{}", run.stdout);
    assert!(run.stdout.contains("| backward | 3 | 3 : 3 |"), "{}", run.stdout);
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.contains("concolic and backward on 3 questions"), "{picture}");

    // What was counted is in the file, too.
    let again = bench(folder.path(), &[&arguments[..], &files].concat());
    assert!(again.stdout.contains(row), "no {row} in {}", again.stdout);
}

#[test]
fn cutoffs_of_a_folder_are_counted_and_drawn() {
    let folder = folder();
    std::fs::write(folder.path().join("net.spec"), ENDLESS).unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [histogram, scatter, csv] = ["h.svg", "s.svg", "c.csv"].map(file);
    let files = ["--svg", &histogram, "--scatter", &scatter, "--csv", &csv];
    let run =
        bench(folder.path(), &[&["--cutoffs", "--details", "--format", "markdown"], &files[..]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("[1/3] broken.tts  cutoff 2"), "{}", run.stderr);
    for row in ["| 1 | 0 |\n| 2 | 2 |\n| no threads | 1 |", "| all | 2 |", "| mutex.tts | 3 | 2 |"] {
        assert!(run.stdout.contains(row), "no {row} in {}", run.stdout);
    }
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert!(read(&histogram).contains("Reachability cutoffs of 2 models"));
    assert!(read(&scatter).contains("on 2 models"));
    assert_eq!(read(&csv).lines().count(), 4);
    let run = bench(folder.path(), &["--cutoffs", "--engines", "backward"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
}

#[test]
fn what_cannot_be_shown_with_these_engines_is_wrong_usage() {
    let folder = folder();
    let run = bench(folder.path(), &["--engines", "backward,widen", "--paths"]);
    assert!(run.code == Some(1) && run.stderr.contains("`--paths` is about `concolic`"), "{}", run.stderr);
    let run = bench(folder.path(), &["--engines", "backward", "--scatter", "x.svg"]);
    assert!(run.code == Some(1) && run.stderr.contains("draws two engines"), "{}", run.stderr);
}

#[test]
fn questions_are_chosen_by_parts_of_their_names() {
    let folder = folder();
    let asked = |only: &[&str]| {
        let run = bench(folder.path(), &[&["--engines", "backward"], only].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stderr.lines().count()
    };
    assert_eq!(asked(&["--only", "mutex,broken"]), 2);
    assert_eq!(asked(&["--only", "mutex,broken", "--only", "en.tts"]), 1);
}

#[test]
fn folders_without_models_and_broken_indexes_are_refused() {
    let empty = TempDir::new().unwrap();
    let run = bench(empty.path(), &[]);
    assert!(run.code == Some(2) && run.stderr.contains("there are no models"), "{}", run.stderr);
    let run = bench(&empty.path().join("missing"), &[]);
    assert!(run.code == Some(2) && run.stderr.contains("cannot read the folder"), "{}", run.stderr);
    let folder = folder();
    let run = bench(&folder.path().join("mutex.tts"), &[]);
    assert!(run.code == Some(2) && run.stderr.contains("is not a folder"), "{}", run.stderr);
    let run = bench(folder.path(), &["--only", "barrier"]);
    assert!(run.code == Some(2) && run.stderr.contains("with `barrier` in their names"), "{}", run.stderr);
    std::fs::write(folder.path().join("index.csv"), "name\nmutex.tts\n").unwrap();
    let run = bench(folder.path(), &[]);
    assert!(run.code == Some(2) && run.stderr.contains("there is no `file`"), "{}", run.stderr);
}

#[test]
fn engines_that_do_not_exist_or_have_one_name_are_wrong_usage() {
    let folder = folder();
    for (engines, complaint) in [
        ("backwards", "invalid value 'backwards'"),
        ("backward:wings", "unexpected argument '--wings'"),
        ("backward,backward", "two engines are called `backward`"),
    ] {
        let run = bench(folder.path(), &["--engines", engines]);
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains(complaint), "{}", run.stderr);
    }
}
