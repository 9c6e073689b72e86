//! `throng new`: a small program to begin with.

use crate::console;
use crate::exit::Exit;
use crate::files;
use crate::flags::NewFlags;

/// A lock that is tested and set in two steps, and what it should keep.
const LOCK: &str = include_str!("new/lock.c");

/// Writes a program that is not there yet.
pub(crate) fn run(flags: &NewFlags) -> Exit {
    let path = &flags.file;
    if path.exists() && !flags.force {
        console::error(&format!("`{}` is there already; `--force` overwrites it", path.display()));
        return Exit::Usage;
    }
    if path.extension().is_none_or(|end| end != "c") {
        console::error("`throng new` writes C programs: give a name that ends in .c");
        return Exit::Usage;
    }
    match files::write(path, LOCK) {
        Ok(()) => {
            let name = path.display();
            console::print(&format!(
                "{name} has a lock with a bug. Next:\n  throng check {name}\n  throng check {name} --html report.html\nThe comment in it says how to mend it.\n"
            ));
            Exit::Success
        }
        Err(error) => {
            console::error(&files::complain(path, &error));
            Exit::Usage
        }
    }
}
