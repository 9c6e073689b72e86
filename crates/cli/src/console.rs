//! The only place that writes to the terminal: results to stdout, everything else to stderr.
//!
//! A reader who has gone away (`throng … | head`) is no reason to panic, so failures to write are ignored;
//! the exit code still tells the result.

use std::io::{IsTerminal, Write};
use throng_base::Diagnostic;
use throng_report::diagnostics;

/// Columns of tables where nobody says how wide the screen is.
const DEFAULT_WIDTH: usize = 100;
/// Warnings shown in full.
const MAX_DIAGNOSTICS: usize = 20;

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Colour {
    /// If stderr is a terminal and NO_COLOR is not set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Colour {
    fn on_stderr(self) -> bool {
        match self {
            Colour::Auto => {
                std::io::stderr().is_terminal()
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
            Colour::Always => true,
            Colour::Never => false,
        }
    }
}

/// Writes a result.
pub(crate) fn print(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

/// Writes a remark: a line on stderr.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Writes an error that is not about a place in an input.
pub(crate) fn error(text: &str) {
    remark(&format!("error: {text}"));
}

/// Writes diagnostics with carets.
pub(crate) fn diagnose(list: &[Diagnostic], colour: Colour) {
    for diagnostic in list.iter().take(MAX_DIAGNOSTICS) {
        remark(&format!("{}\n", diagnostics::render(diagnostic, colour.on_stderr())));
    }
    if list.len() > MAX_DIAGNOSTICS {
        remark(&format!("… and {} more like these", list.len() - MAX_DIAGNOSTICS));
    }
}

/// Columns for tables on stdout.
pub(crate) fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    terminal.map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0))
}
