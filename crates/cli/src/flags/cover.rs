//! The flags of `throng cover`.

use super::{LimitFlags, OUTPUT, QUESTION};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use throng_boolprog::InitThreads;
use throng_input::flags::{InitValues, StartFlags, init_threads};

/// Compute everything that can be covered.
///
/// Prints the minimal coverability set: the maximal configurations, with ω where there can be any number of threads, which
/// local states are unbounded, and bounds for the others. A model needs no target for that. The last line is `cover:
/// complete` or `cover: unknown(REASON)`; then everything below what is listed can be covered, and perhaps more. On
/// models with rules that move passive threads (broadcasts, transfers, resets) the search need not end.
#[derive(Debug, Args)]
#[command(after_help = COVER_HELP)]
pub(crate) struct CoverFlags {
    /// The file to read: a .tts, .spec, .pnml, .lola, .net, .pnet or .pl file, or a Boolean program (.bp, .nbp), of which a
    /// system is made with a state for every valuation, if it is small enough.
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

    /// How to print the set.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum, default_value_t = CoverFormat::Text)]
    pub(crate) format: CoverFormat,

    /// Do not check that nothing else can be reached.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) no_check: bool,

    /// Print all of a long set, statistics, and what the run cost.
    #[arg(help_heading = OUTPUT, short, long)]
    pub(crate) verbose: bool,
}

/// How a coverability set is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoverFormat {
    /// For people.
    Text,
    /// For programs: a document described by docs/schemas/cover-v1.schema.json.
    Json,
    /// A drawing in the DOT language of Graphviz: the set, and which rule leads from where to where.
    Dot,
}

const COVER_HELP: &str = "\
EXAMPLES
  throng cover examples/mutex.tts
      what any number of threads can do together
  throng cover examples/mutex.tts --threads 3
      what three can do
  throng cover examples/semaphore.net --format json | jq .unbounded
      the places without a bound
  throng cover examples/mutex.tts --format dot | dot -Tsvg -o cover.svg
      draw it

EXIT CODES
  0   complete
  5   a limit was reached, or the run was interrupted; what was found so far is printed
  2   the input was refused
  1   wrong usage, or the result cannot be written
  6   internal error, please report it";
