//! Preprocessing by the system's compiler.
//!
//! Our headers are system headers that come before the system's own (`-isystem`), so that `-I` still wins over both.
//! The widths are those the user asked for, not those of the machine: the macros about them are replaced. Messages of
//! the compiler become diagnostics.

use super::child::{self, Ended, Failure};
use super::{Preprocessing, headers};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use throng_base::{Diagnostic, Source, Span};

/// The text of a file after preprocessing; `None` if there is no compiler.
pub(super) fn preprocess(file: &Path, options: &Preprocessing) -> Result<Option<String>, Vec<Diagnostic>> {
    let cannot =
        |what: &str, error: std::io::Error| vec![Diagnostic::error("E0801", format!("{what}: {error}"))];
    let directory =
        tempfile::tempdir().map_err(|error| cannot("cannot make a directory for headers", error))?;
    let headers = std::path::absolute(directory.path())
        .map_err(|error| cannot("cannot find the directory for headers", error))?;
    headers::write(&headers).map_err(|error| cannot("cannot write headers", error))?;
    let compiler = std::env::var("CC").ok().filter(|compiler| !compiler.trim().is_empty());
    let compiler = compiler.as_deref().unwrap_or("cc");
    let mut words = compiler.split_whitespace();
    let program = words.next().unwrap_or("cc");
    let mut arguments: Vec<OsString> = words.map(OsString::from).collect();
    arguments.extend(preprocessor_arguments(options, &headers));
    let unit = unit(file, &headers)?;
    arguments.push(unit.file.clone().into());
    let output = match child::run(program, &arguments, &headers, &options.budget) {
        Ok(output) => output,
        Err(Failure::Missing) => return Ok(None),
        Err(Failure::Stopped) => return Err(vec![super::stopped(file)]),
        Err(Failure::Unusable(error)) => return Err(cannot(&format!("cannot run `{compiler}`"), error)),
    };
    // Names of a directory that is gone soon say nothing: our headers are `<pthread.h>` and so on.
    let prefix = format!("{}/", headers.display());
    let name = file.display().to_string();
    let renamed = (&*unit.name, &*name);
    if !output.status.success() {
        return Err(messages(compiler, &output, &prefix, renamed));
    }
    let source = Source::from_bytes(name.clone(), output.stdout).map_err(|error| vec![error])?;
    Ok(Some(name_files(source.text(), &prefix, renamed)))
}

/// What the compiler is given for a file.
struct Unit {
    /// The word on its command line.
    file: PathBuf,
    /// What it calls the file in line markers and messages.
    name: String,
}

/// Gives a file to the compiler so that it is a file, whatever it is called: words that begin with `@` are files of further
/// options to gcc and clang, those with `-` are options. `./@x.c` is not enough, since gcc passes the last part of a name on to
/// its parts as a word of its own. So names that do not look plain are included by a file of ours.
fn unit(file: &Path, headers: &Path) -> Result<Unit, Vec<Diagnostic>> {
    let is_plain = |name: &OsStr| {
        let first = name.as_encoded_bytes().first();
        first.is_some_and(|&byte| byte.is_ascii_alphanumeric() || b"_./".contains(&byte))
    };
    if is_plain(file.as_os_str()) && file.file_name().is_some_and(is_plain) {
        return Ok(Unit { file: file.to_owned(), name: file.display().to_string() });
    }
    let cannot = |why: &str| {
        let message = format!("`{}` cannot be given to a compiler: {why}", file.display());
        vec![Diagnostic::error("E0801", message).hint("`--own-preprocessor` reads it without one")]
    };
    let whole = std::path::absolute(file).map_err(|error| cannot(&error.to_string()))?;
    let name = whole.to_str().filter(|name| !name.contains(['"', '\n', '\r']));
    let name = name.ok_or_else(|| cannot("its name has characters that `#include` does not allow"))?;
    let unit = headers.join("unit.c");
    std::fs::write(&unit, format!("#include \"{name}\"\n")).map_err(|error| cannot(&error.to_string()))?;
    Ok(Unit { file: unit, name: name.to_owned() })
}

/// A directory as one word that is no option.
fn as_directory(name: &Path) -> PathBuf {
    if name.is_absolute() { name.to_owned() } else { Path::new(".").join(name) }
}

/// What tells the compiler to preprocess. What users give is one word together with its option, or the name of a file: it
/// cannot become another option. [`super::check`] has looked at macros.
fn preprocessor_arguments(options: &Preprocessing, headers: &Path) -> Vec<OsString> {
    let fixed = ["-E", "-w", "-std=gnu11", "-x", "c", "-U_FORTIFY_SOURCE", "-D__NO_INLINE__"];
    let mut arguments: Vec<OsString> = fixed.into_iter().map(OsString::from).collect();
    for (name, text) in headers::width_macros(options.data_model) {
        arguments.push(format!("-U{name}").into());
        if let Some(text) = text {
            arguments.push(format!("-D{name}={text}").into());
        }
    }
    if headers::system_data_model() == Some(options.data_model) {
        // Where ours say no more than the system's, those are read: they have all names.
        arguments.push("-D__throng_has_system_headers".into());
    }
    for directory in &options.include {
        arguments.extend(["-I".into(), as_directory(directory).into()]);
    }
    arguments.extend(options.defines.iter().map(|define| format!("-D{define}").into()));
    arguments.extend(options.undefines.iter().map(|undefine| format!("-U{undefine}").into()));
    arguments.extend(["-isystem".into(), headers.into()]);
    arguments
}

/// In line markers, our headers as they are included, and a file that was `renamed` as the user calls it.
fn name_files(text: &str, prefix: &str, renamed: (&str, &str)) -> String {
    let from = format!("\"{prefix}");
    let [given, meant] = [renamed.0, renamed.1].map(|name| format!("\"{}\"", escaped(name)));
    let mut named = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if !line.starts_with("# ") {
            named.push_str(line);
        } else if let Some((before, rest)) = line.split_once(&from)
            && let Some((name, after)) = rest.split_once('"')
        {
            named.push_str(&format!("{before}\"<{name}>\"{after}"));
        } else if given != meant {
            named.push_str(&line.replace(&given, &meant));
        } else {
            named.push_str(line);
        }
    }
    named
}

/// A name as it stands in a line marker.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}

/// What the compiler says is wrong.
fn messages(compiler: &str, output: &Ended, prefix: &str, renamed: (&str, &str)) -> Vec<Diagnostic> {
    let text = String::from_utf8_lossy(&output.stderr).replace(prefix, "");
    let text = if renamed.0 == renamed.1 { text } else { text.replace(renamed.0, renamed.1) };
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
    // Devices have no lines, and may have no end.
    let source = Path::new(file).is_file().then(|| Source::read(Path::new(file)).ok()).flatten()?;
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
        let named = name_files(text, "/tmp/x/", ("a.c", "a.c"));
        assert_eq!(named, "# 1 \"<sys/types.h>\" 1 3\nint x;\n# 2 \"a.c\" 2\n");
        let named = name_files("# 1 \"./@a.c\"\nchar *s = \"./@a.c\";\n", "/tmp/x/", ("./@a.c", "@a.c"));
        assert_eq!(named, "# 1 \"@a.c\"\nchar *s = \"./@a.c\";\n");
    }

    #[test]
    fn names_that_do_not_look_plain_are_included() {
        let directory = tempfile::tempdir().unwrap();
        for name in [
            "a.c", "../a.c", "/a.c", "_a/b.c", "@a/b.c", "@a.c", "a/@b.c", "-a.c", "a/-b.c", "=x", "\u{e9}.c",
        ] {
            let unit = unit(Path::new(name), directory.path()).unwrap();
            let is_plain = !name.contains(['@', '-', '=', '\u{e9}']);
            assert_eq!(unit.file == Path::new(name), is_plain, "{name}");
            if !is_plain {
                let text = std::fs::read_to_string(unit.file).unwrap();
                assert_eq!(text, format!("#include \"{}\"\n", unit.name));
                assert!(Path::new(&unit.name).is_absolute() && unit.name.ends_with(name), "{name}");
            }
        }
        assert!(unit(Path::new("@\".c"), directory.path()).is_err());
        assert!(unit(Path::new("@\n.c"), directory.path()).is_err());
    }

    /// None of what users give may stand where the compiler looks for an option of its own.
    #[test]
    fn what_users_give_is_part_of_an_option() {
        let options = Preprocessing {
            include: vec!["@x".into(), "-o".into()],
            defines: vec!["A=-o b".to_owned()],
            undefines: vec!["B".to_owned()],
            ..Preprocessing::default()
        };
        let words = preprocessor_arguments(&options, Path::new("/h"));
        let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
        let end = words.iter().position(|word| *word == "-I").unwrap();
        assert_eq!(words[end..], ["-I", "./@x", "-I", "./-o", "-DA=-o b", "-UB", "-isystem", "/h"]);
        assert_eq!(as_directory(Path::new("/usr")), Path::new("/usr"));
    }
}
