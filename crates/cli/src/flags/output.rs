//! The flags for results that are written for others: pages, and documents for tools.

use super::{LimitFlags, OUTPUT, QUESTION};
use clap::Args;
use std::path::{Path, PathBuf};
use throng_input::flags::{CFlags, ProgramFlags, QuestionFlags};

/// Files to write besides what is printed.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct OutputFlags {
    /// Write the result as a page for a browser; it needs no network.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Write the result as SARIF 2.1.0, with what each thread does.
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,

    /// Write the result as a test in JUnit's XML.
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,

    /// C: write a witness of SV-COMP (violation 2.2, correctness 2.0).
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
}

impl OutputFlags {
    /// The files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.html, &self.sarif, &self.junit, &self.witness].into_iter().flatten().map(PathBuf::as_path)
    }
}

/// Write evidence as a page, or for other tools.
///
/// Reads the evidence that `throng check --evidence` wrote and the input that you name, has the checker look at all of it
/// again, and writes a page that opens in any browser, offline: the interleaving step by step beside the source, or what a
/// proof says at its lines. The question is asked as it was for `throng check`; options that say what a C program means
/// are taken from the evidence.
#[derive(Debug, Args)]
#[command(after_help = REPORT_HELP)]
pub(crate) struct ReportFlags {
    /// The evidence.
    #[arg(value_name = "EVIDENCE")]
    pub(crate) evidence: PathBuf,

    /// The files that it is about.
    #[arg(value_name = "INPUT", required = true)]
    pub(crate) inputs: Vec<PathBuf>,

    /// Write the page to this file [default: print it].
    #[arg(help_heading = OUTPUT, short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten, next_help_heading = OUTPUT)]
    pub(crate) outputs: OutputFlags,

    #[command(flatten, next_help_heading = QUESTION)]
    pub(crate) question: QuestionFlags,

    #[command(flatten, next_help_heading = QUESTION)]
    pub(crate) program: ProgramFlags,

    #[command(flatten, next_help_heading = "C programs")]
    pub(crate) c: CFlags,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,
}

const REPORT_HELP: &str = "\
EXAMPLES
  throng check examples/c/counter-lost-update.c --evidence e.json
  throng report e.json examples/c/counter-lost-update.c -o report.html
  throng check examples/mutex.tts --html report.html
      the same in one command

EXIT CODES
  0   written, whatever the verdict is
  5   a limit was reached, or the run was interrupted
  2   the input or the evidence cannot be read, or it is no evidence about the input
  1   wrong usage, or the page cannot be written";

/// Write a small C program with a bug in a lock, to begin with.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  throng new lock.c
  throng check lock.c
      the bug, as an interleaving of threads
  throng check lock.c -DMENDED
      the mended lock is proved for any number of threads

EXIT CODES
  0   written
  1   the file is there already, or cannot be written")]
pub(crate) struct NewFlags {
    /// The file to write; its name ends in .c.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Overwrite a file that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

/// A language server for editors, on stdin and stdout.
///
/// Files are checked when they are opened and saved. An error is shown at its line, with the steps that lead to it as related
/// places; what a proof says is shown where one points.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  throng lsp --timeout 30s
      as an editor starts it

EXIT CODES
  0   the editor said `shutdown` and `exit`
  1   the editor went away without")]
pub(crate) struct LspFlags {
    /// How long a file may be looked at.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = crate::units::duration)]
    pub(crate) timeout: std::time::Duration,

    /// For editors that name how they talk; nothing else is supported.
    #[arg(long, hide = true)]
    stdio: bool,
}
