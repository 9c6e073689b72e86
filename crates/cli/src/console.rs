//! The only place that writes to the terminal: results to stdout, everything else to stderr.
//!
//! A result that cannot be written is remembered, and [`outcome`] makes an error of it in the end: nobody may take a verdict that
//! was lost on a full disk for one that was told. A reader who has gone away (`throng … | head`) is the same, and no
//! reason to panic. Remarks that nobody reads are no loss.

use crate::exit::Exit;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
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
                io::stderr().is_terminal()
                    && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
            Colour::Always => true,
            Colour::Never => false,
        }
    }
}

/// Why a result could not be written.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Writes a result.
pub(crate) fn print(text: &str) {
    let mut stdout = io::stdout().lock();
    if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        lose(error);
    }
}

/// Remembers that a result could not be written.
pub(crate) fn lose(error: io::Error) {
    // The first failure explains those that follow.
    let _ = LOST.set(error);
}

/// How the command ended, after all: results that could not be written make it a failure, whatever they were. A bug stays
/// one.
pub(crate) fn outcome(exit: Exit) -> Exit {
    let Some(error) = LOST.get().filter(|_| exit != Exit::Internal) else { return exit };
    self::error(&format!("the result cannot be written: {error}"));
    Exit::Usage
}

/// Writes a remark: a line on stderr.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
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

/// Columns for tables on stdout: those of the terminal, or what COLUMNS says where there is none.
pub(crate) fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    let told = || std::env::var("COLUMNS").ok()?.parse().ok().filter(|&columns: &usize| columns >= 40);
    terminal.map_or_else(|| told().unwrap_or(DEFAULT_WIDTH), |(width, _)| usize::from(width.0))
}
