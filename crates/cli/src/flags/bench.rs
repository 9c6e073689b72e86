//! The flags of `throng bench`.

use super::{LIMITS, OUTPUT};
use crate::bench::Contestant;
use crate::units;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use throng_engine::EngineKind;
use throng_report::benchmark::TableStyle;

/// Run every question of a folder of models through engines, and compare them.
///
/// Prints a table of what each engine decides at what cost and, if the classical backward search and others ran, how
/// much smaller their proofs are. Each run is a process of its own within the limits; times are CPU seconds of all
/// its threads, having the evidence checked included.
#[derive(Debug, Args)]
#[command(after_help = BENCH_HELP)]
pub(crate) struct BenchFlags {
    /// A folder of models. Each line of its index.csv is a question (columns file and, as far as they are needed, init,
    /// target, property, expected; for a Boolean program, init is --init-threads and target is --label; for a C program, options and atomicity); without an index, each model file below the folder is one.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,

    /// The engines: names, each with options of `throng check` after colons and, if wanted, a name for the tables
    /// before an equals sign [default: all engines].
    #[arg(long, value_name = "[LABEL=]NAME[:OPTION]…", value_delimiter = ',', value_parser = Contestant::parse)]
    engines: Vec<Contestant>,

    /// Only questions whose file name contains this, or one of these; given again, that as well.
    #[arg(long, value_name = "SUBSTRING[,SUBSTRING]…")]
    pub(crate) only: Vec<String>,

    /// Find the reachability cutoffs of the models instead, and compare two ways to find everything that threads reach: as many
    /// threads as the cutoff, and a Karp–Miller search for any number. `--svg` then draws a histogram of the cutoffs, `--scatter` both
    /// ways against each other, and `--csv` is written at the end.
    #[arg(long, conflicts_with_all = ["engines", "against", "costs", "paths", "jobs"])]
    pub(crate) cutoffs: bool,

    /// Compare with the times of other tools: a CSV file with a column `file` and, for each tool, one called
    /// `TOOL_s` with CPU seconds.
    #[arg(long, value_name = "CSV")]
    pub(crate) against: Option<PathBuf>,

    /// Stop each run after this time: `500ms`, `60s`, `2m`, `1h`.
    #[arg(help_heading = LIMITS, long, value_name = "TIME", default_value = "60s", value_parser = units::duration)]
    pub(crate) timeout: Duration,

    /// Stop each run at this much memory: `512MiB`, `4GiB`.
    #[arg(help_heading = LIMITS, long, value_name = "SIZE", default_value = "4GiB", value_parser = units::size)]
    pub(crate) memory: u64,

    /// How many runs at once. They slow each other down, so times are best compared with 1.
    #[arg(help_heading = LIMITS, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: u16,

    /// Add a line to this file after each run. Runs that are in it are not repeated: after an interruption the
    /// same command goes on where it was.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,

    /// Write a cactus plot to this file: how many questions each engine decides in how much time.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Draw the first two engines against each other into this file: the time of each question, and the memory of both.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub(crate) scatter: Option<PathBuf>,

    /// Also print a line for each question: verdict, iterations and time of each engine.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) details: bool,

    /// Also print time and memory of each engine for each question.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) costs: bool,

    /// Also print what `concolic` has to do with for each question: components, loops and paths by kind, with time and
    /// memory of each engine; and whether it is ahead of them in sum.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) paths: bool,

    /// How to print tables.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,

    /// Do not tell on stderr how each run ended.
    #[arg(help_heading = OUTPUT, short, long)]
    pub(crate) quiet: bool,
}

impl BenchFlags {
    /// The engines to compare.
    pub(crate) fn contestants(&self) -> Vec<Contestant> {
        if self.engines.is_empty() {
            return EngineKind::ALL.into_iter().map(Contestant::plain).collect();
        }
        self.engines.clone()
    }

    /// Whether a question about this file is wanted.
    pub(crate) fn wants(&self, file: &str) -> bool {
        self.only.iter().all(|parts| parts.split(',').any(|part| file.contains(part)))
    }

    /// How tables are printed.
    pub(crate) fn style(&self) -> TableStyle {
        match self.format {
            TableFormat::Text => TableStyle::Text,
            TableFormat::Markdown => TableStyle::Markdown,
        }
    }
}

/// How tables are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    /// Aligned columns.
    Text,
    /// For Markdown documents.
    Markdown,
}

const BENCH_HELP: &str = "\
EXAMPLES
  throng bench examples --timeout 2s --details
      all engines on the examples, with a line for each question
  throng bench examples --engines backward --csv runs.csv --svg cactus.svg
      keeps all numbers, goes on where it was when run again, and draws a cactus plot
  throng bench examples --engines 'backward,alone=widen:oracle=none:jobs=1,widen' --only mutex
      engines with options, as `throng check --engine widen --oracle none --jobs 1` has them; the second engine
      is called `alone` in tables and files
  throng bench examples --only .tts --engines concolic,backward --paths --scatter scatter.svg
      one engine against another: what paths there are, time and memory as tables and as a picture
  throng bench examples --only .tts --cutoffs --svg histogram.svg --scatter scatter.svg
      how many threads it takes to reach everything
  throng bench examples/c --engines cegar,two=cegar:threads=2 --timeout 10s
      C programs: sizes, predicates, iterations and times of phases for each program, and both engines side by side

EXIT CODES
  0   all runs ended, and no verdicts contradict each other or what the index expects
  5   interrupted; what there is so far is shown
  2   the folder has no models, or an index cannot be read
  1   wrong usage, or a file or the result cannot be written
  6   wrong verdicts or runs without a result, which are listed: please report them";
