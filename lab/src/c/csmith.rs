//! Programs of `csmith`, a generator of C programs without undefined behaviour, which print a checksum of their variables.
//!
//! A program is compiled and run, and run on the checker's machine; both have to come to the same checksum.

use super::{compiled, run};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use throng_c_front::lower::{Options, read_text};
use throng_c_front::preprocess::Preprocessing;
use throng_input::flags::CFlags;

/// Small programs without what has no model: floating-point numbers, arguments of `main`.
const OPTIONS: &[&str] = &[
    "--no-float",
    "--no-argc",
    "--max-funcs",
    "3",
    "--max-block-depth",
    "2",
    "--max-block-size",
    "3",
    "--max-expr-complexity",
    "4",
    "--max-array-dim",
    "2",
    "--max-array-len-per-dim",
    "5",
];

/// What came of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Both checksums are the same.
    Same,
    /// It was refused, does not end soon, or is too large.
    Skipped(String),
}

/// Whether the generator and a compiler are there.
pub fn is_there() -> bool {
    let generator = Command::new("csmith").arg("--version").stdout(Stdio::null()).status();
    compiled::is_there() && generator.is_ok_and(|status| status.success()) && headers().is_some()
}

/// Where the generator's headers are.
fn headers() -> Option<PathBuf> {
    let folders = ["/usr/include/csmith", "/usr/local/include/csmith", "/usr/include/csmith-2.3.0"];
    folders.iter().map(PathBuf::from).find(|folder| folder.join("csmith.h").is_file())
}

/// Compares the programs of these seeds; for each, `Err` says how it differs.
///
/// They are compiled as one file, and preprocessed as one: most of the time of a compiler goes into its start, its linker and the
/// generator's header.
pub fn compare_seeds(seeds: std::ops::Range<u64>) -> Vec<(u64, Result<Compared, String>)> {
    let all = |why: String| seeds.clone().map(|seed| (seed, Err(why.clone()))).collect();
    let directory = match tempfile::tempdir() {
        Ok(directory) => directory,
        Err(error) => return all(error.to_string()),
    };
    let Some(include) = headers() else { return all("the headers of csmith are not there".to_owned()) };
    let texts: Vec<Option<String>> =
        seeds.clone().map(|seed| generate(seed, directory.path()).ok()).collect();
    let known: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
    let (expected, read) = match (
        compiled_checksums(&known, &include, directory.path()),
        preprocessed(&known, &include, directory.path()),
    ) {
        (Ok(expected), Ok(read)) => (expected, read),
        (Err(why), _) | (_, Err(why)) => return all(why),
    };
    let mut expected = expected.into_iter().zip(read);
    let compared = seeds.clone().zip(&texts).map(|(seed, text)| {
        let known = text.as_ref().and_then(|_| expected.next());
        let Some((expected, text)) = known else {
            return (seed, Ok(Compared::Skipped("csmith failed".to_owned())));
        };
        (seed, expected.and_then(|expected| compare(seed, expected, &text, &include, directory.path())))
    });
    compared.collect()
}

/// The program of a seed.
fn generate(seed: u64, directory: &Path) -> Result<String, String> {
    let file = source(seed, directory);
    let made = Command::new("csmith")
        .args(OPTIONS)
        .args(["--seed", &seed.to_string(), "--output"])
        .arg(&file)
        .current_dir(directory)
        .output()
        .map_err(|error| error.to_string())?;
    if !made.status.success() {
        return Err("csmith failed".to_owned());
    }
    std::fs::read_to_string(&file).map_err(|error| error.to_string())
}

fn source(seed: u64, directory: &Path) -> PathBuf {
    directory.join(format!("program{seed}.c"))
}

/// Compares what the checker's machine makes of a preprocessed program with the checksum of the compiled one, if that ended.
fn compare(
    seed: u64,
    expected: Option<u32>,
    text: &str,
    include: &Path,
    directory: &Path,
) -> Result<Compared, String> {
    let Some(expected) = expected else {
        return Ok(Compared::Skipped("the compiled program does not end soon".to_owned()));
    };
    // Some are read the way of the command line, with a preprocessor for each.
    let read = if seed.is_multiple_of(8) {
        let flags = CFlags { include: vec![include.to_owned()], ..CFlags::default() };
        flags.read(&[source(seed, directory)], &[], None, false)
    } else {
        read_text("program.i", text, &Preprocessing::default(), &Options::default())
    };
    let (program, _) = match read {
        Ok(read) => read,
        Err(errors) => {
            let codes: Vec<String> = errors.iter().map(ToString::to_string).collect();
            return Ok(Compared::Skipped(codes.first().cloned().unwrap_or_default()));
        }
    };
    match run::final_value(&program, "crc32_context") {
        Ok(value) => {
            let found = (value as u32) ^ u32::MAX;
            if found == expected {
                Ok(Compared::Same)
            } else {
                Err(format!("the checksum is {found:X}, but {expected:X} when compiled"))
            }
        }
        Err(why) if why == run::ENDLESS => Ok(Compared::Skipped(why)),
        Err(why) => Err(why),
    }
}

/// What a program begins with.
const HEADER: &str = "#include \"csmith.h\"";

/// The texts after preprocessing, each as if it were alone.
fn preprocessed(texts: &[&str], include: &Path, directory: &Path) -> Result<Vec<String>, String> {
    let mark = "throng_next_program";
    let mut joint = format!("{HEADER}\n");
    for text in texts {
        let _ = writeln!(joint, "{mark}\n{}", text.replace(HEADER, ""));
    }
    let file = directory.join("joint.c");
    std::fs::write(&file, joint).map_err(|error| error.to_string())?;
    let made = Command::new("cc").args(["-E", "-P", "-I"]).arg(include).arg(&file).output();
    let made = made.map_err(|error| error.to_string())?;
    if !made.status.success() {
        return Err(format!("the preprocessor fails: {}", String::from_utf8_lossy(&made.stderr)));
    }
    let text = String::from_utf8_lossy(&made.stdout).into_owned();
    let mut parts = text.split(mark);
    let header = parts.next().unwrap_or_default();
    Ok(parts.map(|part| format!("{header}{part}")).collect())
}

/// A text with names of its own for all that is at file scope.
fn renamed(text: &str, prefix: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
    let mut out = String::with_capacity(2 * text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        let is_own =
            ["g_", "func_", "S", "U"].iter().any(|stem| word.strip_prefix(stem).is_some_and(is_number))
                || ["main", "__undefined"].contains(&word);
        out.push_str(if is_own { prefix } else { "" });
        out.push_str(word);
        rest = after;
    }
    out
}

/// The checksums that the compiled programs print; `None` for one that takes too long.
#[allow(clippy::type_complexity, reason = "a failure of all, or of one")]
fn compiled_checksums(
    texts: &[&str],
    include: &Path,
    directory: &Path,
) -> Result<Vec<Result<Option<u32>, String>>, String> {
    let (file, binary) = (directory.join("all.c"), directory.join("all"));
    let mut joint = format!("{HEADER}\n#include <sys/time.h>\n#include <sys/wait.h>\n#include <unistd.h>\n");
    let mut main = String::new();
    for (number, text) in texts.iter().enumerate() {
        let prefix = format!("z{number}_");
        joint.push_str(&renamed(&text.replace(HEADER, ""), &prefix));
        let _ = writeln!(main, "    throng_run({prefix}main);");
    }
    // Each in a process of its own, with time of its own, in which it does far more than the checker's machine in all of its steps; a
    // status after each tells the programs apart.
    joint.push_str(
        "static void throng_run(int (*run)(void)) {
    int status = 0;
    fflush(stdout);
    if (fork() == 0) {
        struct itimerval most = { { 0, 0 }, { 0, 200000 } };
        setitimer(ITIMER_VIRTUAL, &most, 0);
        exit(run());
    }
    wait(&status);
    printf(\"status %d\\n\", status);
}
int main(void) {
",
    );
    joint.push_str(&main);
    joint.push_str("    return 0;\n}\n");
    std::fs::write(&file, joint).map_err(|error| error.to_string())?;
    let made = Command::new("cc")
        .args(["-w", "-O0", "-fwrapv", "-pipe", "-include", "stdlib.h", "-I"])
        .arg(include)
        .arg("-o")
        .arg(&binary)
        .arg(&file)
        .output()
        .map_err(|error| error.to_string())?;
    if !made.status.success() {
        return Err(format!("the compiler refuses it: {}", String::from_utf8_lossy(&made.stderr)));
    }
    let output = Command::new(&binary).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines();
    let sums = texts.iter().map(|_| {
        let own: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("status ")).collect();
        let sum = own.iter().find_map(|line| line.strip_prefix("checksum = "));
        match (sum.and_then(|sum| u32::from_str_radix(sum.trim(), 16).ok()), own.is_empty()) {
            (Some(sum), _) => Ok(Some(sum)),
            // It was ended.
            (None, true) => Ok(None),
            (None, false) => Err(format!("it prints `{}`", own.join("; "))),
        }
    });
    Ok(sums.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_at_file_scope_is_renamed() {
        let text = "struct S0 { int f0; }; static g_12 = U1x; int main(void) { l_3 = func_1(); }";
        let expected = "struct z_S0 { int f0; }; static z_g_12 = U1x; int z_main(void) { l_3 = z_func_1(); }";
        assert_eq!(renamed(text, "z_"), expected);
    }

    #[test]
    fn programs_are_compared_in_one_file() {
        if !is_there() {
            return;
        }
        let compared = compare_seeds(3..6);
        let same = compared.iter().filter(|(_, compared)| *compared == Ok(Compared::Same)).count();
        assert_eq!(compared.len(), 3);
        assert!(same >= 2, "{compared:?}");
    }
}
