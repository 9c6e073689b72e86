//! What compiled programs compute: many in one file, since most of the time of a compiler goes into its start.

use super::random::Generated;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

/// Whether there is a compiler.
pub fn is_there() -> bool {
    Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// How programs are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiling {
    /// In the plainest way.
    Plain,
    /// Optimised, uninitialised variables filled with a pattern, and whatever is undefined ends the program. What this computes
    /// otherwise than the plain way depends on undefined behaviour.
    Sanitized,
}

/// Seconds after which a file of programs is ended.
const MOST_SECONDS: u32 = 20;

/// Compiles programs with statements that print what is observed, runs them, and returns the values of each; `Err` is what went
/// wrong with one of them.
pub fn values(
    programs: &[&Generated],
    directory: &Path,
    compiling: Compiling,
) -> Result<Vec<Vec<u64>>, String> {
    let (source, binary) = (directory.join("compiled.c"), directory.join("compiled"));
    std::fs::write(&source, file(programs)).map_err(|error| error.to_string())?;
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-fwrapv", "-w", "-pipe"]);
    match compiling {
        Compiling::Plain => compiler.arg("-O0"),
        Compiling::Sanitized => compiler.args([
            "-O1",
            "-ftrivial-auto-var-init=pattern",
            "-fsanitize=undefined",
            "-fno-sanitize=shift-base,alignment",
            "-fno-sanitize-recover=all",
        ]),
    };
    let output = output_of(compiler.arg("-o").arg(&binary).arg(&source))?;
    if !output.status.success() {
        return Err(format!("the compiler refuses it: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let output = output_of(&mut Command::new(&binary))?;
    if !output.status.success() {
        return Err(format!("it ends with {}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines().map(|line| line.parse().map_err(|_| format!("it prints `{line}`")));
    let mut values = Vec::new();
    for program in programs {
        let own: Vec<u64> = lines.by_ref().take(program.observed.len()).collect::<Result<_, _>>()?;
        if own.len() < program.observed.len() {
            return Err("it prints too little".to_owned());
        }
        values.push(own);
    }
    Ok(values)
}

/// All programs as one, each with names of its own.
fn file(programs: &[&Generated]) -> String {
    let mut text = String::new();
    let mut main = format!("int main(void) {{\n    alarm({MOST_SECONDS});\n");
    for (number, program) in programs.iter().enumerate() {
        let prefix = format!("z{number}_");
        text.push_str(&program.text().replace("int main(void)", "int z_main(void)").replace("z_", &prefix));
        let _ = writeln!(main, "    {prefix}main();");
        for name in &program.observed {
            let _ = writeln!(main, "    printf(\"%llu\\n\", {});", name.replace("z_", &prefix));
        }
    }
    let declared = "int printf(const char *, ...);\nunsigned alarm(unsigned);\n";
    declared.to_owned() + &text + &main + "    return 0;\n}\n"
}

fn output_of(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|error| error.to_string())
}
