//! Programs of `csmith`, a generator of C programs without undefined behaviour, which print a checksum of their variables.
//!
//! A program is compiled and run, and run on the checker's machine; both have to come to the same checksum.

use super::{compiled, run};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use throng_check::flags::CFlags;

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

/// Compares the program of a seed; `Err` says how it differs.
pub fn compare_seed(seed: u64) -> Result<Compared, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let include = headers().ok_or("the headers of csmith are not there")?;
    let file = directory.path().join("program.c");
    let made = Command::new("csmith")
        .args(OPTIONS)
        .args(["--seed", &seed.to_string(), "--output"])
        .arg(&file)
        .current_dir(directory.path())
        .output()
        .map_err(|error| error.to_string())?;
    if !made.status.success() {
        return Ok(Compared::Skipped("csmith failed".to_owned()));
    }
    let Some(expected) = compiled_checksum(&file, &include, directory.path())? else {
        return Ok(Compared::Skipped("the compiled program does not end soon".to_owned()));
    };
    // The competition's reading: no runs with undefined behaviour are asked about, and there are none.
    let flags = CFlags { include: vec![include], ..CFlags::default() };
    let (program, _) = match flags.read(&[file], &[], None, false) {
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

/// The checksum that the compiled program prints; `None` if it takes too long.
fn compiled_checksum(file: &Path, include: &Path, directory: &Path) -> Result<Option<u32>, String> {
    let binary = directory.join("program");
    let made = Command::new("cc")
        .args(["-w", "-O0", "-fwrapv", "-I"])
        .arg(include)
        .arg("-o")
        .arg(&binary)
        .arg(file)
        .output()
        .map_err(|error| error.to_string())?;
    if !made.status.success() {
        return Err(format!("the compiler refuses it: {}", String::from_utf8_lossy(&made.stderr)));
    }
    let mut child =
        Command::new(&binary).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    let begun = Instant::now();
    while child.try_wait().map_err(|error| error.to_string())?.is_none() {
        if begun.elapsed() > Duration::from_secs(2) {
            child.kill().map_err(|error| error.to_string())?;
            child.wait().map_err(|error| error.to_string())?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let sum = text.lines().find_map(|line| line.strip_prefix("checksum = "));
    match sum.and_then(|sum| u32::from_str_radix(sum.trim(), 16).ok()) {
        Some(sum) => Ok(Some(sum)),
        None => Err(format!("it prints `{}`", text.trim())),
    }
}
