//! The flags of `throng graph`.

use super::{C_PROGRAMS, LimitFlags, OUTPUT, QUESTION, SearchFlags};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use throng_input::flags::{CFlags, ProgramFlags, QuestionFlags};

/// Draw a system, a proof, an interleaving or a search.
///
/// Writes a graph in the DOT language of Graphviz, or a chart as SVG. A proof or an interleaving comes from a file
/// that `throng check --evidence` wrote, or is searched for.
#[derive(Debug, Args)]
#[command(after_help = GRAPH_HELP)]
pub(crate) struct GraphFlags {
    /// The file to read: a .tts, .spec, .pnml, .lola, .net, .pnet or .pl file, a Boolean program (.bp, .nbp), of which a system is
    /// made with a state for every valuation, if it is small enough, or a C program (.c, .i).
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,

    #[command(flatten, next_help_heading = QUESTION)]
    pub(crate) question: QuestionFlags,

    #[command(flatten, next_help_heading = QUESTION)]
    pub(crate) program: ProgramFlags,

    #[command(flatten, next_help_heading = C_PROGRAMS)]
    pub(crate) c: CFlags,

    /// What to draw.
    #[arg(help_heading = OUTPUT, long, value_name = "WHAT", value_enum, default_value_t = Subject::System)]
    pub(crate) what: Subject,

    /// Draw this evidence instead of searching for some. It is checked first.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub(crate) evidence: Option<PathBuf>,

    /// The file to write [default: stdout].
    #[arg(help_heading = OUTPUT, short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) search: SearchFlags,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,
}

/// What can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Subject {
    /// The input: states and rules, places and transitions, or the control flow of threads.
    System,
    /// Why it is safe.
    Proof,
    /// How it goes wrong.
    Trace,
    /// The graph that a backward search built, by partition. For `--engine backward`, that of the widening engine
    /// without candidates.
    BackwardGraph,
    /// The tree that a forward search built: karp-miller itself, or as the oracle of a widening engine.
    ForwardTree,
    /// A chart (SVG): how many vertices the graph had after each iteration, without widening, with widening, and with
    /// an oracle as well. `--timeout` is shared out among the three.
    Vertices,
}

const GRAPH_HELP: &str = "\
EXAMPLES
  throng graph examples/mutex.tts | dot -Tsvg -o mutex.svg
      states and rules
  throng graph examples/mutex.tts --what proof -o proof.dot
      searches for a proof and draws it
  throng check examples/barrier.tts --evidence e.json
  throng graph examples/barrier.tts --what trace --evidence e.json | dot -Tpdf -o trace.pdf
      draws an interleaving that was found before
  throng graph examples/shared-log.tts --what backward-graph --engine widen --oracle none | dot -Tsvg -o search.svg
      how the search went: candidates, their partitions, and which vertex leads to which
  throng graph examples/barrier.tts --what forward-tree --engine karp-miller | dot -Tsvg -o tree.svg
      what is reached, and where any number of threads can gather
  throng graph examples/peterson.pnet --what vertices -o vertices.svg
      how much widening and an oracle save

EXIT CODES
  0   drawn
  5   a limit was reached, or the run was interrupted; nothing is drawn
  2   the input was refused, or there is no such evidence
  1   wrong usage, or a file or the result cannot be written
  6   internal error, please report it";
