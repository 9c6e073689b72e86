//! One look at a file: `throng check` in a process of its own, which ends with the look.

use serde_json::Value;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A look that is going on; it ends when this is dropped.
pub(super) struct Look {
    pub(super) number: u64,
    child: Arc<Mutex<Child>>,
}

/// What a look found.
pub(super) struct Seen {
    pub(super) number: u64,
    pub(super) uri: String,
    pub(super) file: PathBuf,
    /// The exit code of `throng check`.
    pub(super) code: Option<i32>,
    /// Its SARIF document; nothing if there is none.
    pub(super) sarif: Value,
    /// What it said about the input.
    pub(super) messages: String,
}

static LOOKS: AtomicU64 = AtomicU64::new(0);

impl Look {
    /// Starts a look; `end` gets what it found.
    pub(super) fn start(
        uri: String,
        file: PathBuf,
        timeout: Duration,
        end: impl FnOnce(Seen) + Send + 'static,
    ) -> io::Result<Self> {
        let number = LOOKS.fetch_add(1, Ordering::Relaxed);
        let folder = tempfile::tempdir()?;
        let (sarif, messages) = (folder.path().join("result.sarif"), folder.path().join("messages"));
        let child = Command::new(std::env::current_exe()?)
            .arg("check")
            .arg(&file)
            .args(["--color", "never", "--timeout", &format!("{}s", timeout.as_secs())])
            .arg("--sarif")
            .arg(&sarif)
            .current_dir(file.parent().unwrap_or(Path::new("/")))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&messages)?)
            .spawn()?;
        let child = Arc::new(Mutex::new(child));
        let watched = Arc::clone(&child);
        std::thread::spawn(move || {
            let code = wait(&watched);
            let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
            let sarif = serde_json::from_str(&read(&sarif)).unwrap_or(Value::Null);
            let messages = read(&messages);
            drop(folder);
            end(Seen { number, uri, file, code, sarif, messages });
        });
        Ok(Self { number, child })
    }
}

/// Waits for a process without keeping others from ending it.
fn wait(child: &Mutex<Child>) -> Option<i32> {
    loop {
        match child.lock().unwrap_or_else(PoisonError::into_inner).try_wait() {
            Ok(Some(status)) => return status.code(),
            Ok(None) => {}
            Err(_) => return None,
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Drop for Look {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.lock().unwrap_or_else(PoisonError::into_inner).kill();
    }
}
