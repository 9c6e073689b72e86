//! Plants wrong translations of C in a copy of the sources, one after the other, and says which test catches each.
//!
//! First `random-c` is asked, then the programs of `tests/c/features` and those of `tests/c`, until one fails. A program that fails
//! without any fault catches nothing.
//!
//! Exit code 0: all are caught; 1: some are not; 2: one cannot be planted, or the copy does not build.

use clap::Args;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use throng_lab::planted::{Fault, MODULE, VARIABLE, faults, plant};

/// Says which test catches each wrong translation.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The root of the sources.
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Only faults whose names have this in them.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// How many random programs are tried.
    #[arg(long, default_value_t = 400)]
    count: u64,
    /// Take the copy as it was built before.
    #[arg(long)]
    no_build: bool,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match uncaught(arguments) {
        Ok(missed) if missed.is_empty() => ExitCode::SUCCESS,
        Ok(missed) => {
            println!("{} not caught: {}", missed.len(), missed.join(", "));
            ExitCode::from(1)
        }
        Err(why) => {
            println!("{why}");
            ExitCode::from(2)
        }
    }
}

/// The names of the faults that no test catches.
fn uncaught(arguments: &Arguments) -> Result<Vec<String>, String> {
    let root = arguments.root.canonicalize().map_err(|error| error.to_string())?;
    let faults = faults(&root)?;
    let copy = root.join("target/planted");
    if !arguments.no_build {
        make_copy(&root, &copy.join("sources"), &faults)?;
        build(&copy)?;
    }
    let mut tests = Tests {
        bin: copy.join("build/quick"),
        programs: programs(&root.join("tests/c/features"))?,
        count: arguments.count,
        sound: BTreeMap::new(),
    };
    tests.programs.extend(programs(&root.join("tests/c"))?);
    if !tests.random_passes(None) {
        return Err("random-c fails without any fault".to_owned());
    }
    let chosen = faults.iter().filter(|fault| fault.name.contains(&arguments.only));
    let mut missed = Vec::new();
    for fault in chosen {
        match tests.catcher(fault) {
            Some(test) => println!("{:28} {test}", fault.name),
            None => {
                println!("{:28} NOT CAUGHT ({})", fault.name, fault.why);
                missed.push(fault.name.clone());
            }
        }
    }
    Ok(missed)
}

/// Copies the sources with all faults in them. Files that are there already and the same stay, so that little is built again.
fn make_copy(root: &Path, to: &Path, faults: &[Fault]) -> Result<(), String> {
    let mut files = vec![PathBuf::from("Cargo.toml"), PathBuf::from("Cargo.lock")];
    for folder in ["crates", "lab"] {
        list(root, Path::new(folder), &mut files)?;
    }
    let named: BTreeSet<&str> = faults.iter().map(|fault| fault.file.as_str()).collect();
    for file in files {
        let from = root.join(&file);
        let mut content = std::fs::read(&from).map_err(|error| format!("{}: {error}", from.display()))?;
        let name = file.to_string_lossy();
        if named.contains(name.as_ref()) {
            let text = String::from_utf8(content).map_err(|error| error.to_string())?;
            let own: Vec<&Fault> = faults.iter().filter(|fault| fault.file == name).collect();
            content = plant(&text, &own)?.into_bytes();
        }
        if name == "crates/c-front/src/lib.rs" {
            content.extend_from_slice(b"\npub mod planted;\n");
        }
        write(&to.join(&file), &content)?;
    }
    write(&to.join("crates/c-front/src/planted.rs"), MODULE.as_bytes())
}

fn list(root: &Path, folder: &Path, out: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(root.join(folder)).map_err(|error| error.to_string())?;
    for entry in entries {
        let entry = entry.map_err(|error| error.to_string())?;
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            list(root, &path, out)?;
        } else {
            out.push(path);
        }
    }
    Ok(())
}

fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    if std::fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let folder = path.parent().ok_or("a file without a folder")?;
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    std::fs::write(path, content).map_err(|error| error.to_string())
}

/// Builds what runs the tests. What the compiler says goes to a file: half of the warnings are about the faults.
fn build(copy: &Path) -> Result<(), String> {
    let log = copy.join("build.log");
    let file = std::fs::File::create(&log).map_err(|error| error.to_string())?;
    let status = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
        .args(["build", "--profile", "quick", "--locked", "-p", "throng-cli", "--bin", "throng"])
        .args(["-p", "throng-lab", "--bin", "lab"])
        .current_dir(copy.join("sources"))
        .env("CARGO_TARGET_DIR", copy.join("build"))
        .stderr(file)
        .status()
        .map_err(|error| error.to_string())?;
    let why = || format!("the copy with the faults does not build: see {}", log.display());
    if status.success() { Ok(()) } else { Err(why()) }
}

/// A program with the answer that is expected.
#[derive(Clone)]
struct Program {
    file: PathBuf,
    name: String,
    is_unsafe: bool,
    options: Vec<String>,
}

/// The programs of a folder, as its index lists them.
fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let text = std::fs::read_to_string(folder.join("index.csv")).map_err(|error| error.to_string())?;
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let mut programs = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let field = |name: &str| {
            columns.iter().position(|&column| column == name).and_then(|column| fields.get(column).copied())
        };
        let (Some(name), Some(expected)) = (field("file"), field("expected")) else { continue };
        let mut options: Vec<String> =
            field("options").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        let is_chosen = options.iter().any(|option| option.starts_with("--atomicity"));
        if field("atomicity") == Some("statement") && !is_chosen {
            options.extend(["--atomicity", "statement"].map(str::to_owned));
        }
        if !["safe", "unsafe"].contains(&expected) {
            continue;
        }
        let (file, is_unsafe) = (folder.join(name), expected == "unsafe");
        programs.push(Program { file, name: name.to_owned(), is_unsafe, options });
    }
    Ok(programs)
}

struct Tests {
    bin: PathBuf,
    programs: Vec<Program>,
    count: u64,
    /// Whether programs get their answers without a fault, as far as that is known.
    sound: BTreeMap<String, bool>,
}

impl Tests {
    /// The first test that a fault makes fail.
    fn catcher(&mut self, fault: &Fault) -> Option<String> {
        let is_hint = |program: &&Program| Some(&program.name) == fault.hint.as_ref();
        let hinted: Vec<Program> = self.programs.iter().filter(is_hint).cloned().collect();
        for program in &hinted {
            if self.catches(program, fault) {
                return Some(program.name.clone());
            }
        }
        if !self.random_passes(Some(fault)) {
            return Some("random-c".to_owned());
        }
        let others = self.programs.clone().into_iter().filter(|program| !is_hint(&program));
        others.into_iter().find(|program| self.catches(program, fault)).map(|program| program.name)
    }

    fn catches(&mut self, program: &Program, fault: &Fault) -> bool {
        if self.passes(program, Some(fault)) {
            return false;
        }
        let known = self.sound.get(&program.name).copied();
        let is_sound = known.unwrap_or_else(|| self.passes(program, None));
        self.sound.insert(program.name.clone(), is_sound);
        is_sound
    }

    fn random_passes(&self, fault: Option<&Fault>) -> bool {
        let mut command = Command::new(self.bin.join("lab"));
        command.args(["random-c", "--first", "--asked", "0", "--count", &self.count.to_string()]);
        quiet(&mut command, fault) == Some(0)
    }

    /// As the tests of the corpus have it: what is unsafe has to be found, what is safe may not be called unsafe.
    fn passes(&self, program: &Program, fault: Option<&Fault>) -> bool {
        let mut command = Command::new(self.bin.join("throng"));
        // What is found is found soon; a busy machine is not to be taken for a fault.
        let seconds = if program.is_unsafe { "60s" } else { "2s" };
        command.arg("check").arg(&program.file).args(["-q", "--timeout", seconds]).args(&program.options);
        if let Some(folder) = program.file.parent() {
            command.current_dir(folder);
        }
        let code = quiet(&mut command, fault);
        if program.is_unsafe { code == Some(10) } else { matches!(code, Some(0 | 5)) }
    }
}

/// The exit code of a command that says nothing; `None` if a signal ended it.
fn quiet(command: &mut Command, fault: Option<&Fault>) -> Option<i32> {
    command.env_remove(VARIABLE);
    if let Some(fault) = fault {
        command.env(VARIABLE, &fault.name);
    }
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().ok().and_then(|status| status.code())
}
