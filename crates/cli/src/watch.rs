//! `throng check --watch`: looks again whenever one of the named files changes, until it is interrupted. Each look is a process
//! of its own with the same options; a change ends the one that is going on.

use crate::console;
use crate::exit::Exit;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// How often files are looked at.
const EVERY: Duration = Duration::from_millis(200);

/// Looks at files again and again.
pub(crate) fn run(files: &[PathBuf]) -> Exit {
    let Ok(program) = std::env::current_exe() else {
        console::error("`--watch`: throng cannot find itself");
        return Exit::Usage;
    };
    let arguments: Vec<OsString> =
        std::env::args_os().skip(1).filter(|argument| argument != "--watch").collect();
    loop {
        let before = times(files);
        let mut child = match Command::new(&program).args(&arguments).spawn() {
            Ok(child) => child,
            Err(error) => {
                console::error(&format!("`--watch`: throng cannot be started: {error}"));
                return Exit::Usage;
            }
        };
        let mut is_running = true;
        while times(files) == before {
            if is_running && matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
                is_running = false;
                console::remark("watching for changes; Ctrl-C ends");
            }
            std::thread::sleep(EVERY);
        }
        // It may have ended by itself.
        let _ = child.kill().and_then(|()| child.wait().map(drop));
        console::remark("changed; checking again");
    }
}

/// When files were changed and how large they are; nothing for those that are not there.
fn times(files: &[PathBuf]) -> Vec<Option<(SystemTime, u64)>> {
    let time = |path: &Path| path.metadata().ok().and_then(|it| Some((it.modified().ok()?, it.len())));
    files.iter().map(|path| time(path)).collect()
}
