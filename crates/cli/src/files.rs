//! Files that commands write: whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use throng_base::Diagnostic;

/// Names that are compared with one that is not there.
const MOST_FILES: usize = 10_000;

/// Says why a file could not be written.
pub(crate) fn complain(path: &Path, error: &io::Error) -> String {
    format!("cannot write `{}`: {error}", path.display())
}

/// A message about a file that is not there, with the name of one that is like it.
pub(crate) fn with_suggestion(diagnostic: Diagnostic) -> Diagnostic {
    let named = diagnostic.message.strip_prefix("cannot read `").and_then(|rest| rest.split_once('`'));
    let Some((name, _)) = named.filter(|_| diagnostic.code == "E0001" && diagnostic.hints.is_empty()) else {
        return diagnostic;
    };
    let path = Path::new(name);
    let (Some(wanted), false) = (path.file_name().and_then(|name| name.to_str()), path.exists()) else {
        return diagnostic;
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_FILES);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    match throng_base::suggest::closest(names.iter().map(String::as_str), wanted) {
        Some(found) => {
            let found = path.with_file_name(found).display().to_string();
            diagnostic.hint(format!("did you mean `{found}`?"))
        }
        None => diagnostic,
    }
}

/// Whether the file can be written, as far as can be told without writing it.
pub(crate) fn probe(path: &Path) -> io::Result<()> {
    if is_special(path) {
        return File::options().write(true).open(path).map(drop);
    }
    if path.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    draft(path).map(drop)
}

/// Writes a file by `write` under another name in the same directory and renames it, so that nobody ever sees a
/// part of it. Devices and pipes are written directly.
pub(crate) fn write_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if is_special(path) {
        let mut out = BufWriter::new(File::options().write(true).open(path)?);
        write(&mut out)?;
        return out.flush();
    }
    let mut out = BufWriter::new(draft(path)?);
    write(&mut out)?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Writes a text, see [`write_with`].
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    write_with(path, |out| out.write_all(text.as_bytes()))
}

fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// A new file beside `path`, removed again unless it is renamed.
fn draft(path: &Path) -> io::Result<NamedTempFile> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".throng-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What any new file gets; the umask takes away from it.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.json");
        write(&path, "old").unwrap();
        let failed = write_with(&path, |out| {
            out.write_all(b"new")?;
            Err(io::Error::other("disk full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "disk full");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        write(&path, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_known_beforehand() {
        let directory = tempfile::tempdir().unwrap();
        assert!(probe(&directory.path().join("x.json")).is_ok());
        assert!(probe(&directory.path().join("missing/x.json")).is_err());
        assert!(probe(directory.path()).is_err());
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
    }
}
