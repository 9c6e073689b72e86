//! Preprocessing by the system's compiler.
//!
//! Our headers are system headers that come before the system's own (`-isystem`), so that `-I` still wins over both.
//! The widths are those the user asked for, not those of the machine: the macros about them are replaced. Messages of
//! the compiler become diagnostics.

use super::{Preprocessing, headers};
use std::path::Path;
use std::process::{Command, Output};
use throng_base::{Diagnostic, Source, Span};

/// The text of a file after preprocessing; `None` if there is no compiler.
pub(super) fn preprocess(file: &Path, options: &Preprocessing) -> Result<Option<String>, Vec<Diagnostic>> {
    let cannot =
        |what: &str, error: std::io::Error| vec![Diagnostic::error("E0801", format!("{what}: {error}"))];
    let directory =
        tempfile::tempdir().map_err(|error| cannot("cannot make a directory for headers", error))?;
    headers::write(directory.path()).map_err(|error| cannot("cannot write headers", error))?;
    let compiler = std::env::var("CC").ok().filter(|compiler| !compiler.trim().is_empty());
    let compiler = compiler.as_deref().unwrap_or("cc");
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words);
    add_arguments(&mut command, options, directory.path());
    command.arg(file);
    // The words of messages are read below.
    command.env("LC_ALL", "C");
    let output = match command.output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot(&format!("cannot run `{compiler}`"), error)),
    };
    // Names of a directory that is gone soon say nothing: our headers are `<pthread.h>` and so on.
    let prefix = format!("{}/", directory.path().display());
    if !output.status.success() {
        return Err(messages(compiler, &output, &prefix));
    }
    let name = file.display().to_string();
    let source = Source::from_bytes(name, output.stdout).map_err(|error| vec![error])?;
    Ok(Some(name_headers(source.text(), &prefix)))
}

fn add_arguments(command: &mut Command, options: &Preprocessing, headers: &Path) {
    command.args(["-E", "-w", "-std=gnu11", "-x", "c", "-U_FORTIFY_SOURCE", "-D__NO_INLINE__"]);
    for (name, text) in headers::width_macros(options.data_model) {
        command.arg(format!("-U{name}"));
        if let Some(text) = text {
            command.arg(format!("-D{name}={text}"));
        }
    }
    for directory in &options.include {
        command.arg("-I").arg(directory);
    }
    for define in &options.defines {
        command.arg(format!("-D{define}"));
    }
    for undefine in &options.undefines {
        command.arg(format!("-U{undefine}"));
    }
    command.arg("-isystem").arg(headers);
}

/// In line markers, our headers as they are included.
fn name_headers(text: &str, prefix: &str) -> String {
    let from = format!("\"{prefix}");
    let mut named = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.starts_with("# ").then(|| line.split_once(&from)).flatten() {
            Some((before, rest)) => match rest.split_once('"') {
                Some((name, after)) => named.push_str(&format!("{before}\"<{name}>\"{after}")),
                None => named.push_str(line),
            },
            None => named.push_str(line),
        }
    }
    named
}

/// What the compiler says is wrong.
fn messages(compiler: &str, output: &Output, prefix: &str) -> Vec<Diagnostic> {
    let text = String::from_utf8_lossy(&output.stderr).replace(prefix, "");
    let mut errors: Vec<Diagnostic> = text.lines().filter_map(message).collect();
    if errors.is_empty() {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        errors.push(Diagnostic::error("E0801", format!("`{compiler} -E` failed: {first}")));
    }
    errors
}

/// `lock.c:3:10: fatal error: lock.h: No such file or directory`
fn message(line: &str) -> Option<Diagnostic> {
    let (place, message) = line.split_once(": fatal error: ").or_else(|| line.split_once(": error: "))?;
    let error = Diagnostic::error("E0802", message.trim().to_owned());
    let mut parts = place.rsplitn(3, ':');
    let numbers = (parts.next().and_then(|n| n.parse().ok()), parts.next().and_then(|n| n.parse().ok()));
    let (Some(column), Some(line), Some(file)) = (numbers.0, numbers.1, parts.next()) else {
        return Some(error);
    };
    Some(match place_in_file(file, line, column) {
        Some((source, span)) => error.at(&source, span, ""),
        None => error.note(format!("at {file}:{line}:{column}")),
    })
}

/// A line and column of a file, columns in bytes from 1.
fn place_in_file(file: &str, line: usize, column: usize) -> Option<(Source, Span)> {
    let source = Source::read(Path::new(file)).ok()?;
    let before = source.text().split_inclusive('\n').take(line.checked_sub(1)?);
    let start = before.map(str::len).sum::<usize>() + column.checked_sub(1)?;
    let rest = source.text().get(start..)?;
    let length = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len());
    Some((source, Span::new(start, start + length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_keep_their_place() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.c");
        std::fs::write(&file, "int x;\n#include \"b.h\"\n").unwrap();
        let name = file.display();
        let error = message(&format!("{name}:2:10: fatal error: b.h: No such file or directory")).unwrap();
        assert_eq!(error.to_string(), format!("{name}:2:10: error[E0802]: b.h: No such file or directory"));
        assert_eq!(message("In file included from a.c:1:"), None);
        assert_eq!(message("cc: error: no such option").unwrap().place, None);
    }

    #[test]
    fn our_headers_are_named_as_they_are_included() {
        let text = "# 1 \"/tmp/x/sys/types.h\" 1 3\nint x;\n# 2 \"a.c\" 2\n";
        assert_eq!(name_headers(text, "/tmp/x/"), "# 1 \"<sys/types.h>\" 1 3\nint x;\n# 2 \"a.c\" 2\n");
    }
}
