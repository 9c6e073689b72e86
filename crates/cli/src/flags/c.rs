//! The flags of commands that are about C programs.

use clap::Args;
use std::path::PathBuf;

/// Show an interleaving of a C program again.
///
/// Reads the evidence that `throng check --evidence` wrote, reads the program with the options that the evidence names,
/// has the checker replay every step, and prints the interleaving.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct ReplayFlags {
    /// The evidence.
    #[arg(value_name = "EVIDENCE")]
    pub(crate) evidence: PathBuf,

    /// The files of the program [default: those that the evidence names].
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    /// Show every step, and the variables of models.
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

const REPLAY_HELP: &str = "\
EXAMPLES
  throng check examples/c/counter-lost-update.c --evidence trace.json
  throng replay trace.json

EXIT CODES
  10  the program does what the interleaving says, and that is an error
  2   the program or the evidence cannot be read, or the program does not do that
  1   wrong usage";

/// Explain the code of a message.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  throng explain E0701
  throng explain
      lists all codes that have an explanation")]
pub(crate) struct ExplainFlags {
    /// The code, such as E0701 [default: list them all].
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}
