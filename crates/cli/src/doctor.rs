//! `throng doctor`: what throng finds on this machine, and whether it works here.
//!
//! Programs beside throng (a C compiler, Graphviz) are optional: each line says what is lost without it. Two questions
//! with known answers are decided and checked; only if one of them fails is something wrong.

use crate::console;
use crate::exit::Exit;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use throng::{Budget, Limits, Options, Question, Subject, Verdict, decide};
use throng_input::{memory, units};

/// A lock for any number of threads.
const LOCK: &str = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";

/// A program that includes what most programs include.
const PROGRAM: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\n\
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nstatic int inside;\n\
    static void *worker(void *p) { pthread_mutex_lock(&lock); assert(!inside); inside = 1; inside = 0; \
    pthread_mutex_unlock(&lock); return p; }\n\
    int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, worker, 0); } }\n";

/// How long each of the two questions may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs `throng doctor`.
pub(crate) fn run() -> Exit {
    let mut report = format!("throng {}\n", env!("CARGO_PKG_VERSION"));
    let mut line = |mark: &str, what: &str, detail: &str| {
        let _ = writeln!(report, "  {mark:<2}  {what:<14}{detail}");
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    line("ok", "processors", &format!("{cores} (--jobs)"));
    match memory::default_limit() {
        Some(limit) => line(
            "ok",
            "memory",
            &format!("at most {} unless --memory says otherwise", units::show_size(limit)),
        ),
        None => line("--", "memory", "the system does not say how much there is: use --memory"),
    }
    match compiler() {
        Some((name, version)) => line("ok", "C compiler", &format!("{name}: {version}")),
        None => line(
            "--",
            "C compiler",
            "none (`cc`, or what CC names): the built-in preprocessor is used; `replay --run` needs one",
        ),
    }
    match version_of("dot", "-V") {
        Some(version) => line("ok", "Graphviz", &version),
        None => line("--", "Graphviz", "no `dot`: `throng graph` writes DOT, which it would draw"),
    }
    match beside("throng-check") {
        Some(path) => line("ok", "checker", &path.display().to_string()),
        None => line(
            "--",
            "checker",
            "no `throng-check` beside throng; `throng check` has the same checker built in",
        ),
    }
    let mut is_well = true;
    for (what, verdict) in [("a lock", lock()), ("a C program", program())] {
        match verdict {
            Ok(()) => line("ok", what, "proved for any number of threads, and the checker agrees"),
            Err(why) => {
                is_well = false;
                line("!!", what, &why);
            }
        }
    }
    console::print(&report);
    if is_well { Exit::Success } else { Exit::Internal }
}

fn lock() -> Result<(), String> {
    proved(&Subject::text("lock.tts", LOCK), &Question::default().target("1|1,1"))
}

fn program() -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no folder for temporary files: {error}"))?;
    let path = folder.path().join("lock.c");
    std::fs::write(&path, PROGRAM).map_err(|error| format!("{}: {error}", path.display()))?;
    proved(&Subject::file(&path), &Question::default())
}

/// Whether a question is answered `safe`, or what happens instead.
fn proved(subject: &Subject, question: &Question) -> Result<(), String> {
    let budget = Budget::unlimited();
    let _watchdog = budget.watch(Limits { time: Some(PATIENCE), memory: None }, || None);
    match decide(subject, question, &Options::default(), &budget) {
        Ok(decision) if decision.verdict() == Some(Verdict::Safe) && decision.is_checked => Ok(()),
        Ok(decision) => Err(match (decision.verdict(), decision.reason()) {
            (Some(verdict), _) => format!("wrong: it is safe, and the verdict is {}", verdict.word()),
            (None, Some(reason)) => format!("not decided: {reason}"),
            (None, None) => "not decided".to_owned(),
        }),
        Err(error) => Err(error.to_string()),
    }
}

/// The compiler that C programs are preprocessed with, and its version.
fn compiler() -> Option<(String, String)> {
    let named = std::env::var("CC").ok().filter(|name| !name.trim().is_empty());
    let name = named.as_deref().unwrap_or("cc").split_whitespace().next().unwrap_or("cc").to_owned();
    version_of(&name, "--version").map(|version| (name, version))
}

/// The first line of what a program says of itself; `None` if it is not there.
fn version_of(program: &str, flag: &str) -> Option<String> {
    let output = Command::new(program).arg(flag).stdin(Stdio::null()).output().ok()?;
    let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    let said = String::from_utf8_lossy(&said).into_owned();
    said.lines().next().map(|line| line.trim().to_owned())
}

/// A program in the folder of this one.
fn beside(name: &str) -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name(name);
    path.is_file().then_some(path)
}
