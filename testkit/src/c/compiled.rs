//! What a compiled program computes.

use super::random::Generated;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Whether there is a compiler.
pub fn is_there() -> bool {
    Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Compiles a program with statements that print what is observed, runs it, and returns the values; `Err` is what went
/// wrong.
pub fn values(generated: &Generated, directory: &Path) -> Result<Vec<i128>, String> {
    let mut text = String::from("#include <stdio.h>\n#define main generated_main\n");
    text.push_str(&generated.text);
    text.push_str("#undef main\nint main(void) {\n    generated_main();\n");
    for (expression, _, _) in &generated.observed {
        // Values of unsigned 64-bit types come out negative: only their bits are compared.
        let _ = writeln!(text, "    printf(\"%lld\\n\", (long long)({expression}));");
    }
    text.push_str("    return 0;\n}\n");
    let (source, binary) = (directory.join("compiled.c"), directory.join("compiled"));
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-fwrapv", "-w", "-O0", "-o"]).arg(&binary).arg(&source);
    let output = output_of(&mut compiler)?;
    if !output.status.success() {
        return Err(format!("the compiler refuses it: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let output = output_of(&mut Command::new(&binary))?;
    if !output.status.success() {
        return Err(format!("it ends with {}", output.status));
    }
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    lines.lines().map(|line| line.parse().map_err(|_| format!("it prints `{line}`"))).collect()
}

fn output_of(command: &mut Command) -> Result<std::process::Output, String> {
    command.output().map_err(|error| error.to_string())
}
