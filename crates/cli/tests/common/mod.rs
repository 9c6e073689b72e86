//! What the tests of the command share: small models, a directory of them, and runs.

#![allow(dead_code, reason = "not every test file uses all of it")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Only one thread at a time is in local state 1.
pub(crate) const MUTEX: &str = "2 2\n# take and release\n0 0 -> 1 1\n1 1 -> 0 0\n";
/// Looking at the lock and taking it are two steps.
pub(crate) const BROKEN: &str = "2 3\n0 0 -> 0 1\n0 1 -> 1 2\n1 1 -> 1 2\n1 2 -> 0 0\n";
/// No search ends on it soon. It is unsafe, but only after four thousand million steps: x grows by one at a time, and
/// since that empties y, it is no loop that could be accelerated. No reduction applies: y is needed as well.
pub(crate) const ENDLESS: &str = "vars x y\nrules\n\
    x >= 1 -> x' = x + 1, y' = 0;\nx >= 1 -> y' = y + 1;\n\
    init x = 1, y = 0\ntarget x >= 4000000000, y >= 1\n";

/// As endless, but in each number of tokens there are as many ways to divide them over x and w.
pub(crate) const GROWING: &str = "vars x w y\nrules\n\
    x >= 1 -> x' = x + 1, y' = 0;\nx >= 2 -> x' = x - 1, w' = w + 1;\nx >= 1 -> y' = y + 1;\n\
    init x = 1, w = 0, y = 0\ntarget x >= 4000000000, w >= 1, y >= 1\n";

pub(crate) struct Place {
    directory: TempDir,
}

impl Place {
    /// A directory with the models above.
    pub(crate) fn new() -> Self {
        let place = Self { directory: TempDir::new().unwrap() };
        place.write("mutex.tts", MUTEX);
        place.write("mutex.prop", "1|1,1\n");
        place.write("broken.tts", BROKEN);
        place.write("broken.prop", "1|2,2\n");
        place.write("endless.spec", ENDLESS);
        place.write("growing.spec", GROWING);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.args(arguments).current_dir(self.directory.path()).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::from(self.command(arguments).output().unwrap())
    }
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Run {
    pub(crate) fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}
