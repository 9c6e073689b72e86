//! The flags of `throng reach` and `throng cutoff`.

use super::{LimitFlags, OUTPUT, OutputFormat, QUESTION};
use clap::Args;
use std::path::PathBuf;
use throng_boolprog::InitThreads;
use throng_input::flags::{InitValues, StartFlags, init_threads};

/// Compute which thread states can be reached.
///
/// A thread state is a shared state together with the local state of one thread. Prints exactly those that some number of
/// threads reach. A model needs no target for that. The last line is `reach: complete` or `reach: unknown(REASON)`; then
/// what is listed can be reached, and perhaps more.
#[derive(Debug, Args)]
#[command(after_help = REACH_HELP)]
pub(crate) struct ReachFlags {
    #[command(flatten)]
    pub(crate) common: ThreadStateFlags,
}

/// Compute how many threads it takes to reach everything.
///
/// The reachability cutoff is the smallest number of threads that reach every thread state which any number of threads
/// reach, counting all threads ever created; the uniform cutoff is the smallest that also do it in as few steps. Prints both, and how what
/// needs the most threads is reached. The last line is `cutoff: N (uniform: M)`, `cutoff: N (uniform: unknown(REASON))` or
/// `cutoff: unknown(REASON)`.
#[derive(Debug, Args)]
#[command(after_help = CUTOFF_HELP)]
pub(crate) struct CutoffFlags {
    #[command(flatten)]
    pub(crate) common: ThreadStateFlags,

    /// Compare instead: what it takes to explore as many threads as the reachability cutoff, and what it takes a Karp–Miller
    /// search to find everything.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) compare: bool,
}

/// What both commands take.
#[derive(Debug, Args)]
pub(crate) struct ThreadStateFlags {
    /// The file to read: a .tts, .bp, .nbp or .c file; C programs whose variables have few values.
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,

    #[command(flatten, next_help_heading = QUESTION)]
    pub(crate) start: StartFlags,

    /// Boolean programs: so many threads start in `main` [default: one if the program starts threads, otherwise any]
    #[arg(help_heading = QUESTION, long, value_name = "one|N|any", value_parser = init_threads)]
    pub(crate) init_threads: Option<InitThreads>,

    /// Boolean programs: what variables are at the start, those of a function (but for its parameters) where it begins
    #[arg(help_heading = QUESTION, long, value_name = "any|zero", value_enum, default_value_t = InitValues::Any)]
    pub(crate) init_values: InitValues,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,

    /// How to print the result.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,

    /// Do not check that nothing else can be reached.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) no_check: bool,

    /// Print all of long lists, and what the run cost.
    #[arg(help_heading = OUTPUT, short, long)]
    pub(crate) verbose: bool,
}

const REACH_HELP: &str = "\
EXAMPLES
  throng reach examples/mutex.tts
      what a thread can see, whatever the others do
  throng reach examples/mutex.tts --threads 1
      what one thread sees alone
  throng reach examples/programs/once.bp
      a Boolean program: per location, the values that a thread can see there
  throng reach examples/mutex.tts --format json | jq .n_reachable
      for scripts

EXIT CODES
  0   complete
  5   a limit was reached, or the run was interrupted; what was found so far is printed
  2   the input was refused: a net has no threads
  1   wrong usage, or the result cannot be written
  6   internal error, please report it";

const CUTOFF_HELP: &str = "\
EXAMPLES
  throng cutoff examples/mutex.tts
      how many threads show everything
  throng cutoff examples/programs/once.bp
      of a Boolean program, with an interleaving by line and statement
  throng cutoff examples/thread-pool.tts --format json | jq .reachability
      for scripts
  throng cutoff examples/thread-pool.tts --compare
      seconds and sizes of two ways to find everything; for a folder of models see `throng bench --cutoffs`

EXIT CODES
  0   the cutoffs are known
  5   a limit was reached, or the run was interrupted; what was found so far is printed
  2   the input was refused: a net has no threads
  1   wrong usage, or the result cannot be written
  6   internal error, please report it";
