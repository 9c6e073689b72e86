//! Compiling and running an exported program, within limits and in a folder that goes away.

use crate::export::{Expected, Exported};
use crate::monitor::Monitored;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ran {
    /// The very failure that the report names.
    Happened(String),
    /// Something else, or nothing: why, and what the program said.
    NotReproduced(String),
}

/// The C compiler, as words of a command; `None` if there is none.
pub fn compiler() -> Option<Vec<String>> {
    static KNOWN: std::sync::OnceLock<Option<Vec<String>>> = std::sync::OnceLock::new();
    KNOWN.get_or_init(find_compiler).clone()
}

fn find_compiler() -> Option<Vec<String>> {
    let name = std::env::var("CC").ok().filter(|name| !name.trim().is_empty());
    let words: Vec<String> = name.as_deref().unwrap_or("cc").split_whitespace().map(str::to_owned).collect();
    let mut command = Command::new(words.first()?);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().ok().filter(ExitStatus::success).map(|_| words)
}

/// Compiles and runs it; each may take as long as `time`. `Err` if it cannot be compiled.
pub fn run(exported: &Exported, time: Duration) -> Result<Ran, String> {
    let directory = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let binary = build(directory.path(), &exported.text, &exported.flags, time)?;
    let (status, said) = execute(Command::new(binary), directory.path(), time)?;
    Ok(judge(exported, status, &said))
}

/// Writes a program into a folder and compiles it there.
pub(crate) fn build(
    folder: &Path,
    text: &str,
    flags: &[String],
    time: Duration,
) -> Result<std::path::PathBuf, String> {
    let words = compiler().ok_or("there is no C compiler: neither `cc` nor what `CC` says")?;
    let (source, binary) = (folder.join("test.c"), folder.join("test"));
    std::fs::write(&source, text).map_err(|error| format!("cannot write the program: {error}"))?;
    let mut command = Command::new(&words[0]);
    command
        .args(&words[1..])
        .args(["-w", "-pipe", "-pthread"])
        .args(flags)
        .arg("-o")
        .arg(&binary)
        .arg(&source);
    let (status, said) = execute(command, folder, time)?;
    if status.is_some_and(|status| status.success()) {
        return Ok(binary);
    }
    let errors: Vec<&str> = said.lines().filter(|line| line.contains("error")).take(5).collect();
    let what = if errors.is_empty() { said.trim().to_owned() } else { errors.join("\n") };
    Err(format!("the exported program cannot be compiled:\n{what}"))
}

/// Runs a command; what it says on the standard error. Without a status if it took too long.
pub(crate) fn execute(
    mut command: Command,
    folder: &Path,
    time: Duration,
) -> Result<(Option<ExitStatus>, String), String> {
    let trouble = |error: std::io::Error| format!("cannot run it: {error}");
    let log = folder.join("said");
    let file = File::create(&log).map_err(trouble)?;
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
    let mut child = command.spawn().map_err(trouble)?;
    let status = wait(&mut child, time).map_err(trouble)?;
    let said = std::fs::read(&log).map_err(trouble)?;
    Ok((status, String::from_utf8_lossy(&said).into_owned()))
}

fn wait(child: &mut Child, time: Duration) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > time {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// What came of testing an invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// Nothing was broken.
    Held {
        /// How many schedules ran.
        schedules: u64,
        /// How many states the invariant was looked at in.
        states: u64,
    },
    /// Something was: the seed, and what the program said.
    Broken {
        /// The seed of the schedule.
        seed: u64,
        /// An element that is not true, or an assertion that fails.
        said: String,
    },
}

/// Compiles a monitored program and runs it with some seeds; compiling, and all runs together, may take as long as `time`.
pub fn watch(
    monitored: &Monitored,
    seeds: std::ops::RangeInclusive<u64>,
    time: Duration,
) -> Result<Watched, String> {
    let directory = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let binary = build(directory.path(), &monitored.text, &monitored.flags, time)?;
    let start = Instant::now();
    let (mut schedules, mut states) = (0, 0);
    for seed in seeds {
        let rest = time.saturating_sub(start.elapsed());
        if rest.is_zero() {
            break;
        }
        let mut command = Command::new(&binary);
        command.arg(seed.to_string());
        let (status, said) = execute(command, directory.path(), rest)?;
        let is_broken =
            |line: &&str| line.contains("throng: the invariant") || line.contains("[not as reported]");
        if let Some(line) = said.lines().find(is_broken) {
            return Ok(Watched::Broken { seed, said: line.to_owned() });
        }
        let Some(status) = status else { break };
        let counted = said.lines().filter_map(|line| line.strip_prefix("throng: checked "));
        let counted = counted.filter_map(|rest| rest.split(' ').next()?.parse::<u64>().ok()).next_back();
        match counted {
            Some(counted) => (schedules, states) = (schedules + 1, states + counted),
            // Programs may end by `abort` or `_exit`, which tells nothing; crashes are no such thing.
            None if status.code().is_some() || said.is_empty() => schedules += 1,
            None => return Err(format!("the monitored program ended with {status}: {}", said.trim())),
        }
    }
    Ok(Watched::Held { schedules, states })
}

fn judge(exported: &Exported, status: Option<ExitStatus>, said: &str) -> Ran {
    let marks: Vec<&str> = said.lines().filter(|line| line.contains("throng: ")).collect();
    let told =
        if marks.is_empty() { said.lines().take(3).collect::<Vec<_>>().join("; ") } else { marks.join("; ") };
    let Some(status) = status else { return Ran::NotReproduced(format!("it took too long; {told}")) };
    let is_it = match &exported.expected {
        Expected::Told(text) => !status.success() && said.contains(&format!("throng: {text}")),
        Expected::Sanitizer { line } => {
            let here = format!(":{line}:");
            !status.success() && said.lines().any(|it| it.contains("runtime error:") && it.contains(&here))
        }
        Expected::Nothing => false,
    };
    if is_it {
        let line = said.lines().find(|line| line.contains("throng: ") || line.contains("runtime error:"));
        return Ran::Happened(line.unwrap_or_default().trim().to_owned());
    }
    if exported.expected == Expected::Nothing {
        return Ran::NotReproduced("this kind of error leaves no trace in a compiled program".to_owned());
    }
    Ran::NotReproduced(if told.is_empty() { format!("it ended with {status}") } else { told })
}
