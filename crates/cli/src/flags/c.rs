//! The flags of commands that are about C programs.

use super::LimitFlags;
use clap::Args;
use std::path::PathBuf;
use throng_input::flags::CFlags;

/// The program that evidence is about. Only what is named here is read, whatever the evidence names.
#[derive(Clone, Debug, Args)]
pub(crate) struct SubjectFlags {
    /// The files of the program; which ones the evidence names is said if there are none here.
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    /// Look for included files here, too.
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,

    /// Define a macro: `NAME` or `NAME=VALUE`.
    #[arg(short = 'D', value_name = "MACRO")]
    pub(crate) define: Vec<String>,

    /// Forget a macro.
    #[arg(short = 'U', value_name = "MACRO")]
    pub(crate) undefine: Vec<String>,

    /// The property that was asked for (.prp).
    #[arg(long, value_name = "FILE")]
    pub(crate) property: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,
}

/// Show an interleaving of a C program again.
///
/// Reads the evidence that `throng check --evidence` wrote, reads the program that you name with the options in the
/// evidence, has the checker replay every step, and prints the interleaving. Headers, macros and property files that the
/// program was read with have to be named again.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_HELP)]
pub(crate) struct ReplayFlags {
    /// The evidence.
    #[arg(value_name = "EVIDENCE")]
    pub(crate) evidence: PathBuf,

    #[command(flatten)]
    pub(crate) subject: SubjectFlags,

    /// Show every step, and the variables of models.
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Write a C program that forces the interleaving and fails as the report says
    #[arg(long, value_name = "FILE")]
    pub(crate) export: Option<PathBuf>,

    /// Compile and run that program, and say whether the bug happened
    #[arg(long)]
    pub(crate) run: bool,

    /// With --run: seconds that compiling and running may take, each
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "run")]
    pub(crate) run_timeout: u64,
}

const REPLAY_HELP: &str = "\
EXAMPLES
  throng check examples/c/counter-lost-update.c --evidence trace.json
  throng replay trace.json examples/c/counter-lost-update.c
  throng replay trace.json examples/c/counter-lost-update.c --export test.c --run
      the program's own text with the schedule in it, compiled by `cc` (or $CC) and run in a temporary folder

EXIT CODES
  10  the program does what the interleaving says, and that is an error; with --run, the compiled program does it, too
  5   a limit was reached, or the run was interrupted; with --run, the compiled program does not show the error
  2   the program or the evidence cannot be read, or the program does not do that
  1   wrong usage, or the result cannot be written";

/// Explain the code of a message, or evidence about a C program.
///
/// Evidence is read as by `throng replay`: the program that you name is read with the options in the evidence, and the
/// checker looks at all of it again. Proofs are told in words.
#[derive(Debug, Args)]
#[command(after_help = EXPLAIN_HELP)]
pub(crate) struct ExplainFlags {
    /// The code, such as E0701, or a file with evidence [default: list all codes].
    #[arg(value_name = "CODE|EVIDENCE")]
    pub(crate) code: Option<String>,

    #[command(flatten)]
    pub(crate) subject: SubjectFlags,

    /// Evidence: show everything.
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// A proof: write the program with the invariant in it to this folder, to be tested in random schedules
    #[arg(long, value_name = "DIR")]
    pub(crate) monitor: Option<PathBuf>,

    /// Compile and run that program, and say whether the invariant held
    #[arg(long)]
    pub(crate) run: bool,

    /// With --run: how many schedules
    #[arg(long, value_name = "N", default_value_t = 20, requires = "run")]
    pub(crate) seeds: u64,

    /// With --run: seconds that compiling, and all schedules together, may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "run")]
    pub(crate) run_timeout: u64,
}

const EXPLAIN_HELP: &str = "\
EXAMPLES
  throng explain E0701
  throng explain
      lists all codes that have an explanation
  throng check examples/c/counter.c --evidence proof.json
  throng explain proof.json examples/c/counter.c
      why the program is safe
  throng explain proof.json examples/c/counter.c --monitor out --run
      the program's own text with the invariant in it, compiled and run in random schedules

EXIT CODES
  0   explained; with --run, nothing was broken
  6   with --run: the compiled program breaks the invariant (a bug of throng)
  5   a limit was reached, or the run was interrupted; with --run, the program could not be compiled, or no schedule came to its end
  2   the program or the evidence cannot be read, or it is no evidence about the program
  1   wrong usage, there is no such code, or the result cannot be written";

/// Write a main that calls functions of a C file from any number of threads.
///
/// Numbers are arbitrary, and what pointers of one type point to is one object that all calls share. What has to hold is yours to
/// fill in, where the program says `assert`.
#[derive(Debug, Args)]
#[command(after_help = HARNESS_HELP)]
pub(crate) struct HarnessFlags {
    /// The file with the functions.
    #[arg(value_name = "FILE")]
    pub(crate) input: PathBuf,

    /// The functions that threads call.
    #[arg(long, value_name = "FUNCTIONS", value_delimiter = ',', required = true)]
    pub(crate) functions: Vec<String>,

    /// Write the program to this file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) c: CFlags,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,
}

const HARNESS_HELP: &str = "\
EXAMPLES
  throng harness stack.c --functions push,pop -o main.c
      then say in main.c what has to hold, and ask `throng check main.c`";
