//! Runs the compiler as a child that cannot outlive or outgrow us.
//!
//! Programs are data that may be hostile: `#include "/dev/zero"` makes a compiler read for ever. So it runs in a process
//! group of its own, with what is left of our time and a part of what is left of our memory. A watcher in that group waits for
//! the end of a pipe whose other end only we hold: when we close it, or are gone in whatever way, SIGKILL included, the
//! watcher removes the compiler's temporary folder and kills the group.
//!
//! All of that is done by a few lines for the shell, since limits that a child sets for itself need `unsafe` here.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use throng_base::{Budget, StopReason};

/// How often we look whether we have to stop.
const TICK: Duration = Duration::from_millis(10);

/// The part of the memory that is left which a compiler may use, as a divisor: meanwhile we keep its output.
const SHARE: u64 = 2;

/// The part of the memory that is left which its output may fill, as a divisor: what follows copies it, token by token.
const OUTPUT_SHARE: u64 = 16;

/// Output that is kept if there is no limit: no text may be longer.
const MAX_OUTPUT: u64 = u32::MAX as u64;

/// Messages that are kept.
const MAX_MESSAGES: u64 = 1 << 20;

/// What a shell exits with if there is no such program.
const NOT_FOUND: i32 = 127;

/// How the compiler ended.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// Why there is no output.
pub(super) enum Failure {
    /// There is no such program.
    Missing,
    /// The run has to end: the budget says why.
    Stopped,
    /// It cannot be started.
    Unusable(io::Error),
}

/// Runs a program to its end, or until the budget ends. `folder` is removed if we are gone before that.
pub(super) fn run(
    program: &str,
    arguments: &[OsString],
    folder: &Path,
    budget: &Budget,
) -> Result<Ended, Failure> {
    let left = budget.remaining();
    let memory = left.memory.map(|bytes| bytes / SHARE);
    let mut command = command(program, arguments, folder, memory, left.time);
    // The words of messages are read by us.
    command.env("LC_ALL", "C").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::Missing,
        _ => Failure::Unusable(error),
    })?;
    let most = left.memory.map_or(MAX_OUTPUT, |bytes| (bytes / OUTPUT_SHARE).min(MAX_OUTPUT));
    let output = reader(child.stdout.take(), most);
    let messages = reader(child.stderr.take(), MAX_MESSAGES);
    let stdout = match patiently(&output, budget) {
        Ok(stdout) => stdout,
        Err(Stopped) => return Err(give_up(child)),
    };
    if stdout.is_cut {
        budget.stop(StopReason::Memory);
        return Err(give_up(child));
    }
    let Ok(stderr) = patiently(&messages, budget) else { return Err(give_up(child)) };
    let status = finish(child).map_err(Failure::Unusable)?;
    if status.code() == Some(NOT_FOUND) {
        return Err(Failure::Missing);
    }
    if !status.success() && memory.is_some() && is_about_memory(&stderr.bytes) {
        budget.stop(StopReason::Memory);
        return Err(Failure::Stopped);
    }
    Ok(Ended { status, stdout: stdout.bytes, stderr: stderr.bytes })
}

/// What the shell does. Descriptor 3 is the pipe; the compiler does not have it, or it would keep the group alive.
#[cfg(unix)]
const SCRIPT: &str = r#"
folder=$1 data=$2 space=$3 time=$4
shift 4
exec 3<&0 </dev/null
(read -r _ <&3; rm -rf -- "$folder"; kill -s KILL 0) >/dev/null 2>&1 &
exec 3<&-
(
    {
        ulimit -c 0
        ulimit -t "$time"
        ulimit -d "$data"
        ulimit -v "$space"
    } 2>/dev/null
    exec "$@"
)
exit $?
"#;

/// The program with its limits.
#[cfg(unix)]
fn command(
    program: &str,
    arguments: &[OsString],
    folder: &Path,
    memory: Option<u64>,
    time: Option<Duration>,
) -> Command {
    use std::os::unix::process::CommandExt;
    /// Code and libraries take space, but their memory is shared with others.
    const CODE: u64 = 1 << 30;
    let in_kib = |bytes: u64| (bytes / 1024).to_string();
    let or_unlimited = |limit: Option<String>| limit.unwrap_or_else(|| "unlimited".to_owned());
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT, "throng"]).arg(folder);
    command.arg(or_unlimited(memory.map(in_kib)));
    command.arg(or_unlimited(memory.map(|bytes| in_kib(bytes.saturating_add(CODE)))));
    // We look at the clock ourselves; this is for a compiler that nobody looks after any more.
    command.arg(or_unlimited(time.map(|time| (time.as_secs() + 2).to_string())));
    command.arg(program).args(arguments).process_group(0);
    command
}

/// The program as it is, where there is no such shell.
#[cfg(not(unix))]
fn command(
    program: &str,
    arguments: &[OsString],
    _folder: &Path,
    _memory: Option<u64>,
    _time: Option<Duration>,
) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Ends a child that nobody needs any longer, with all that it has started.
fn give_up(mut child: Child) -> Failure {
    // The watcher does the rest; without one, at least the child itself has to go.
    if cfg!(not(unix)) {
        // Failure means that it has ended by itself.
        let _ = child.kill();
    }
    // Whether it could be waited for makes no difference: there is no result.
    let _ = finish(child);
    Failure::Stopped
}

/// Waits for a child after its pipe was closed.
fn finish(mut child: Child) -> io::Result<ExitStatus> {
    drop(child.stdin.take());
    child.wait()
}

/// What came out of a pipe.
struct Drained {
    bytes: Vec<u8>,
    /// Whether there was more.
    is_cut: bool,
}

/// Reads a pipe in a thread of its own. More than `most` bytes are not kept.
fn reader(pipe: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Drained> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut is_cut = false;
        if let Some(mut pipe) = pipe {
            // What cannot be read is missing, which the exit code will show.
            let _ = pipe.by_ref().take(most).read_to_end(&mut bytes);
            is_cut = bytes.len() as u64 == most && pipe.read(&mut [0]).is_ok_and(|more| more > 0);
        }
        // Nobody may be listening any more.
        let _ = sender.send(Drained { bytes, is_cut });
    });
    receiver
}

/// The run has to end.
struct Stopped;

/// Waits for the end of a pipe, or of the budget.
fn patiently(receiver: &Receiver<Drained>, budget: &Budget) -> Result<Drained, Stopped> {
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(read) => return Ok(read),
            Err(RecvTimeoutError::Disconnected) => return Ok(Drained { bytes: Vec::new(), is_cut: false }),
            Err(RecvTimeoutError::Timeout) => budget.check().map_err(|_| Stopped)?,
        }
    }
}

/// Whether a compiler says that it has no memory left: its words, and those of the loader before it starts.
fn is_about_memory(messages: &[u8]) -> bool {
    let text = String::from_utf8_lossy(messages).to_ascii_lowercase();
    let words =
        ["out of memory", "memory exhausted", "cannot allocate memory", "failed to map segment", "bad_alloc"];
    words.iter().any(|word| text.contains(word))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Instant;
    use throng_base::Limits;

    fn shell(script: &str, folder: &Path, budget: &Budget) -> Result<Ended, Failure> {
        run("sh", &["-c".into(), script.into()], folder, budget)
    }

    #[test]
    fn output_messages_and_the_exit_code_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let ended = shell("echo out; echo error >&2; exit 3", folder.path(), &Budget::unlimited());
        let Ok(Ended { status, stdout, stderr }) = ended else { panic!("the shell does not run") };
        assert_eq!((status.code(), &*stdout, &*stderr), (Some(3), &b"out\n"[..], &b"error\n"[..]));
    }

    #[test]
    fn a_program_that_is_not_there_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let ended = run("no-such-compiler", &[], folder.path(), &Budget::unlimited());
        assert!(matches!(ended, Err(Failure::Missing)));
    }

    /// Whether a process exists, zombies left aside.
    fn is_alive(id: &str) -> bool {
        let status = Command::new("ps").args(["-o", "stat=", "-p", id]).output().expect("ps runs");
        let status = String::from_utf8_lossy(&status.stdout).trim().to_owned();
        !status.is_empty() && !status.starts_with('Z')
    }

    fn wait_until(what: &str, holds: impl Fn() -> bool) {
        let started = Instant::now();
        while !holds() {
            assert!(started.elapsed() < Duration::from_secs(30), "{what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn when_the_budget_ends_so_do_all_processes() {
        let folder = tempfile::tempdir().unwrap();
        let id = folder.path().with_extension("id");
        let script = format!("sleep 1000 & echo $! > {0}; mv {0} {0}-done; wait", id.display());
        let id = format!("{}-done", id.display());
        let budget = Budget::unlimited();
        let ended = std::thread::scope(|scope| {
            let ended = scope.spawn(|| shell(&script, folder.path(), &budget).is_err());
            wait_until("the child starts", || Path::new(&id).exists());
            budget.stop(StopReason::Timeout);
            ended.join().unwrap()
        });
        assert!(ended);
        let grandchild = std::fs::read_to_string(&id).unwrap();
        std::fs::remove_file(&id).unwrap();
        wait_until("the grandchild ends", || !is_alive(grandchild.trim()));
        wait_until("the folder is removed", || !folder.path().exists());
    }

    #[test]
    fn output_beyond_the_share_of_memory_is_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let budget = Budget::unlimited();
        let limits = Limits { time: None, memory: Some(1 << 30) };
        let _watchdog = budget.watch(limits, || Some(0));
        let ended =
            shell("while :; do echo 0123456789012345678901234567890123456789; done", folder.path(), &budget);
        assert!(matches!(ended, Err(Failure::Stopped)));
        assert_eq!(budget.check(), Err(StopReason::Memory));
    }

    #[test]
    fn words_about_memory_are_known() {
        assert!(is_about_memory(b"cc1: out of memory allocating 65536 bytes after a total of 1 bytes"));
        assert!(!is_about_memory(b"a.c:1:1: error: expected ;"));
    }
}
