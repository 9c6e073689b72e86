//! The table of commands and flags. `--help`, completions and man pages are all made from it.

mod bench;
mod c;
mod cegar;
mod cover;
mod graph;
mod output;
mod thread_states;

pub(crate) use bench::BenchFlags;
pub(crate) use c::{ExplainFlags, HarnessFlags, ReplayFlags, SubjectFlags};
pub(crate) use cegar::CegarFlags;
pub(crate) use cover::{CoverFlags, CoverFormat};
pub(crate) use graph::{GraphFlags, Subject};
pub(crate) use output::{LspFlags, NewFlags, OutputFlags, ReportFlags};
pub(crate) use thread_states::{CutoffFlags, ReachFlags, ThreadStateFlags};

use crate::console::Colour;
use crate::units;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use throng::CEngine;
use throng_base::Limits;
use throng_engine::options::Record;
use throng_engine::{Ancestors, CandidateThreads, EngineKind, Options, OracleKind, Order, QueueOrder};
use throng_formats::Format;
use throng_input::flags::{CFlags, ProgramFlags, QuestionFlags};
use throng_reduce::Strength;

/// Can a bad state be reached when any number of threads run this program?
///
/// Answers `safe` with a proof or `unsafe` with an interleaving. Both are re-checked by an independent checker
/// before the answer is printed.
#[derive(Debug, Parser)]
#[command(name = "throng", version, max_term_width = 100, after_help = TOP_HELP)]
pub(crate) struct Throng {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to colour messages.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Colour::Auto)]
    pub(crate) color: Colour,
}

/// Headings of groups of flags in help texts.
const QUESTION: &str = "Question";
const SEARCH: &str = "Search";
const C_PROGRAMS: &str = "C programs";
const LIMITS: &str = "Limits";
const OUTPUT: &str = "Output";

const TOP_HELP: &str = "\
EXAMPLES
  throng new lock.c
      a small C program with a bug, to begin with
  throng check examples/c/counter-lost-update.c
      can an assertion of this C program fail, however many threads run?
  throng check examples/c/ticket-lock.c --html report.html
      the answer as a page for a browser
  throng check examples/programs/once-early-publish.bp
      can an assertion of this Boolean program fail?
  throng check examples/mutex.tts
      is this system safe for any number of threads?
  throng check examples/mutex.tts --evidence e.json
      keep the proof or the interleaving
  throng cover examples/mutex.tts
      everything that can be covered, and which local states are unbounded
  throng convert examples/peterson.pnet peterson.pnml
      the same net in another format
  throng graph examples/mutex.tts | dot -Tsvg -o mutex.svg
      draw it

`throng help COMMAND` tells more about a command.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Box<CheckFlags>),
    Cover(CoverFlags),
    Reach(ReachFlags),
    Cutoff(CutoffFlags),
    Convert(ConvertFlags),
    Graph(Box<GraphFlags>),
    Replay(ReplayFlags),
    Explain(ExplainFlags),
    Report(Box<ReportFlags>),
    Harness(HarnessFlags),
    New(NewFlags),
    Lsp(LspFlags),
    Bench(BenchFlags),
    /// Say what throng finds on this machine, and whether it works here.
    #[command(
        after_help = "EXAMPLES\n  throng doctor\n      exit code 0 if two small questions are decided and checked"
    )]
    Doctor,
    Completions(CompletionsFlags),
    Man(ManFlags),
}

/// Decide whether a target can be covered, or whether an assertion of a program can fail.
///
/// Prints the verdict with a proof or an interleaving. The last line is `verdict: safe`, `verdict: unsafe` or
/// `verdict: unknown(REASON)`.
#[derive(Debug, Args)]
#[command(after_help = CHECK_HELP)]
pub(crate) struct CheckFlags {
    /// The file to read: a C program (.c, .i), a .tts, .spec, .pnml, .lola, .net, .pnet or .pl file, a Boolean program
    /// (.bp, .nbp), or a task of SV-COMP (.yml).
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,

    /// Further files of a C program.
    #[arg(value_name = "MORE")]
    pub(crate) more: Vec<PathBuf>,

    #[command(flatten, next_help_heading = QUESTION)]
    pub(crate) question: QuestionFlags,

    #[command(flatten, next_help_heading = QUESTION)]
    pub(crate) program: ProgramFlags,

    #[command(flatten, next_help_heading = C_PROGRAMS)]
    pub(crate) c: CFlags,

    /// C: only say what is not supported, in the whole program, whether it matters or not.
    #[arg(help_heading = C_PROGRAMS, long)]
    pub(crate) list_unsupported: bool,

    #[command(flatten, next_help_heading = C_PROGRAMS)]
    pub(crate) cegar: CegarFlags,

    #[command(flatten)]
    pub(crate) search: SearchFlags,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,

    /// Write the proof or the interleaving to this file, for `throng-check` and `throng graph`.
    #[arg(help_heading = OUTPUT, long, value_name = "FILE")]
    pub(crate) evidence: Option<PathBuf>,

    #[command(flatten, next_help_heading = OUTPUT)]
    pub(crate) outputs: OutputFlags,

    /// How to print the result.
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_enum, default_value_t = ResultFormat::Text)]
    pub(crate) format: ResultFormat,

    /// Check again whenever one of the files changes.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) watch: bool,

    /// Do not check the evidence; the verdict is then called `unchecked`.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) no_check: bool,

    /// Print statistics, all steps of a long interleaving, and what the run cost.
    #[arg(help_heading = OUTPUT, short, long)]
    pub(crate) verbose: bool,
}

const CHECK_HELP: &str = "\
EXAMPLES
  throng check examples/c/counter-lost-update.c
      a C program: can an assertion fail, however many threads run?
  throng check examples/c/ring-unchecked.c --threads-run push,pop --check bounds
      any number of threads run push and pop; arrays must be accessed within their bounds
  throng check examples/c/counter.c --html report.html --sarif report.sarif --junit report.xml
      the answer as a page, for editors and code hosts, and for those who collect tests
  throng check examples/mutex.tts
      any number of threads, all starting in local state 0; the target stands in mutex.prop
  throng check examples/mutex.tts --init '0|1/0' --target '1|1,1'
      one thread in 1 and any number in 0; bad: shared state 1 with two threads in 1
  throng check examples/philosophers.pnml --property examples/philosophers.xml
      a net and a query; with several queries in the file, choose one by --property-name
  throng check examples/mutex.tts --threads 3
      exactly three threads at the start
  throng check examples/programs/transfer.bp
      a Boolean program: can an assertion fail? Any number of threads run main, or one if it starts others itself
  throng check examples/programs/test-and-set-two-steps.bp --label again --init-threads 2
      can a thread come to the label `again`, if two threads run main?
  throng check examples/c/counter.c --save-predicates counter.txt --timeout 60s
  throng check examples/c/counter.c --resume counter.txt
      a proof for any number of threads that takes long: stop it, and continue it later
  throng check examples/msi.spec --timeout 60s --memory 4GiB --evidence proof.json
      within limits; the evidence is kept
  throng check examples/mutex.tts --format json | jq .verdict
      for scripts

Ctrl-C ends the search with `unknown(interrupted)`; pressed again, it ends the process at once.

EXIT CODES
  0   safe
  10  unsafe
  5   unknown: a limit was reached, or the run was interrupted
  2   the input was refused
  1   wrong usage, or a file or the result cannot be written
  6   internal error, please report it";

/// How a search is done.
#[derive(Debug, Args)]
#[command(next_help_heading = SEARCH)]
pub(crate) struct SearchFlags {
    /// How to search [default: auto, or widen with `--minimal`].
    #[arg(long, value_name = "NAME", value_parser = engines())]
    engine: Option<String>,

    /// The most threads of a candidate of the widening engines, or `all` for no bound; with 0 they guess shared
    /// states only [default: 1, or 2 in nets and where there is one shared state].
    #[arg(long, value_name = "K", value_parser = candidate_threads)]
    candidate_threads: Option<CandidateThreads>,

    /// Guess no candidates: the widening engines become backward searches.
    #[arg(long)]
    no_widen: bool,

    /// Find a minimal proof: no element can be smaller and none is superfluous. Needs a widening engine, and implies
    /// `--candidate-threads all`, which can take longer.
    #[arg(long, conflicts_with = "no_widen")]
    minimal: bool,

    /// Search the system as it stands, without removing what cannot matter first.
    #[arg(long)]
    no_reduce: bool,

    /// Who tells the widening engines what is coverable.
    #[arg(long, value_name = "NAME", default_value = "karp-miller",
          value_parser = PossibleValuesParser::new(OracleKind::ALL.map(OracleKind::name)))]
    oracle: String,

    /// Use no cuts: linear bounds that rule out configurations without a search.
    #[arg(long)]
    no_cuts: bool,

    /// Which of the elements with the fewest threads a backward search takes first: the oldest or the newest.
    #[arg(long, value_name = "ORDER", default_value = "fifo",
          value_parser = PossibleValuesParser::new(QueueOrder::ALL.map(QueueOrder::name)))]
    queue: String,

    /// Which configurations a forward search takes first: by their threads, the newest (`depth`; with `depth-stay`, first
    /// those that keep the shared state), the oldest, or any.
    #[arg(long, value_name = "ORDER", default_value = "small",
          value_parser = PossibleValuesParser::new(Order::ALL.map(Order::name)))]
    order: String,

    /// With which nodes before it a Karp–Miller search compares a new one, to see which counts grow for ever. Both find
    /// the same; the minimal ones are fewer.
    #[arg(long, value_name = "WHICH", default_value = "minimal",
          value_parser = PossibleValuesParser::new(Ancestors::ALL.map(Ancestors::name)))]
    ancestors: String,

    /// Threads that a search may use; with 1 it does the same each time [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,

    /// Seed of random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// The names of the engines, each with what it does.
fn engines() -> PossibleValuesParser {
    let of_c = CEngine::ALL.into_iter().filter(|&engine| engine != CEngine::Auto).map(|engine| {
        let aliases = CEngine::ALIASES.iter().filter(move |(_, meant)| *meant == engine);
        let value = PossibleValue::new(engine.name()).help(engine.summary());
        value.aliases(aliases.map(|&(alias, _)| alias))
    });
    PossibleValuesParser::new(
        EngineKind::ALL
            .map(|engine| PossibleValue::new(engine.name()).help(engine.summary()))
            .into_iter()
            .chain(of_c),
    )
}

fn candidate_threads(text: &str) -> Result<CandidateThreads, String> {
    if text == "all" {
        return Ok(CandidateThreads::Any);
    }
    text.parse().map(CandidateThreads::AtMost).map_err(|_| "expected a number or `all`".to_owned())
}

impl SearchFlags {
    /// What is wrong with the engine that was asked for, where the input is a C program or is none.
    pub(crate) fn unfit_engine(&self, is_c: bool) -> Option<String> {
        let name = self.engine.as_deref()?;
        match (is_c, CEngine::from_name(name)) {
            (false, Some(engine)) if engine != CEngine::Auto => {
                Some(format!("`--engine {name}` is for C programs"))
            }
            (true, None) => {
                let names: Vec<String> =
                    CEngine::ALL.iter().map(|engine| format!("`{}`", engine.name())).collect();
                Some(format!("`--engine {name}` does not search C programs; {} do", names.join(", ")))
            }
            _ => None,
        }
    }

    /// The engine of C programs.
    pub(crate) fn c_engine(&self) -> CEngine {
        self.engine.as_deref().and_then(CEngine::from_name).unwrap_or_default()
    }

    /// The engine.
    pub(crate) fn engine(&self) -> EngineKind {
        let default = if self.minimal { EngineKind::Widen } else { EngineKind::default() };
        // The parser of the flag accepts no other names; so below.
        self.engine.as_deref().and_then(EngineKind::from_name).unwrap_or(default)
    }

    /// The reductions before the search; `None` for none.
    pub(crate) fn reductions(&self) -> Option<Strength> {
        let strength = if self.minimal { Strength::KeepMinimality } else { Strength::Full };
        (!self.no_reduce).then_some(strength)
    }

    /// How it searches where the same search must come out each time: on one thread, unless asked otherwise.
    pub(crate) fn repeatable_options(&self) -> Options {
        Options { jobs: self.jobs.map_or(1, |jobs| jobs as usize), ..self.options() }
    }

    /// What is wrong with the combination of flags.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        match self.candidate_threads {
            _ if !self.minimal => None,
            _ if !self.engine().minimises() => {
                Some("`--minimal` needs an engine that widens: `widen` or `widen-pessimistic`")
            }
            Some(CandidateThreads::AtMost(_)) => Some(
                "`--minimal` needs candidates of any size: leave `--candidate-threads` out, or say `all`",
            ),
            _ => None,
        }
    }

    /// How it searches.
    pub(crate) fn options(&self) -> Options {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Options {
            widen: !self.no_widen,
            candidate_threads: match self.candidate_threads {
                _ if self.minimal => CandidateThreads::Any,
                chosen => chosen.unwrap_or_default(),
            },
            minimal: self.minimal,
            oracle: OracleKind::from_name(&self.oracle).unwrap_or(OracleKind::KarpMiller),
            order: Order::from_name(&self.order).unwrap_or(Order::Small),
            ancestors: Ancestors::from_name(&self.ancestors).unwrap_or_default(),
            cuts: !self.no_cuts,
            queue: QueueOrder::from_name(&self.queue).unwrap_or_default(),
            head_start: Options::default().head_start,
            jobs: self.jobs.map_or_else(cores, |jobs| jobs as usize),
            seed: self.seed,
            record: Record::default(),
            guests: &[],
        }
    }
}

/// When to give up, and whether to be heard meanwhile.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = LIMITS)]
pub(crate) struct LimitFlags {
    /// Stop after this time, reading the input included: `500ms`, `60s`, `2m`, `1h` [default: no limit].
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    timeout: Option<Duration>,

    /// Stop at this much memory: `512MiB`, `4GiB` [default: 80 % of what the machine has].
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    memory: Option<u64>,

    /// Show no progress and no warnings on stderr.
    #[arg(help_heading = OUTPUT, short, long)]
    pub(crate) quiet: bool,
}

impl LimitFlags {
    /// The limits.
    pub(crate) fn limits(&self) -> Limits {
        Limits { time: self.timeout, memory: self.memory.or_else(crate::memory::default_limit) }
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people.
    Text,
    /// For programs: a document described by docs/schemas/result-v1.schema.json.
    Json,
}

/// How the result of `throng check` is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResultFormat {
    /// For people.
    Text,
    /// For programs: a document described by docs/schemas/result-v1.schema.json.
    Json,
    /// Annotations of the lines concerned, as GitHub's actions read them.
    Github,
}

/// Write an input in another format.
///
/// Targets and initial configurations that the new format keeps in files of their own (`.prop`, `.init`,
/// `.formula`, `.xml`) are written beside OUT. What the new format cannot express is refused.
#[derive(Debug, Args)]
#[command(after_help = CONVERT_HELP)]
pub(crate) struct ConvertFlags {
    /// The file to read: a .tts, .spec, .pnml, .lola, .net, .pnet or .pl file, or a Boolean program (.bp, .nbp).
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,

    #[command(flatten, next_help_heading = QUESTION)]
    pub(crate) question: QuestionFlags,

    #[command(flatten, next_help_heading = QUESTION)]
    pub(crate) program: ProgramFlags,

    /// The file to write; `-` for stdout (needs --to).
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,

    /// The format to write [default: by the extension of OUT].
    #[arg(help_heading = OUTPUT, long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(Format::ALL.map(Format::extension).into_iter().chain(["bp", "nbp"])))]
    pub(crate) to: Option<String>,

    /// Overwrite files that exist.
    #[arg(help_heading = OUTPUT, long)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) limits: LimitFlags,
}

const CONVERT_HELP: &str = "\
EXAMPLES
  throng convert examples/rwlock.lola rwlock.pnml
      writes rwlock.pnml and, with the target as a query, rwlock.xml
  throng convert examples/mutex.tts --target '1|1' mutex.spec
      with another target than that of mutex.prop
  throng convert examples/semaphore.net - --to spec
      to stdout
  throng convert examples/programs/reentrant-lock.bp reentrant-lock.tts
      a Boolean program as a system with a state for every valuation
  throng convert examples/programs/reentrant-lock.bp reentrant-lock.nbp
      with numbers for labels

EXIT CODES
  0   written
  5   a limit was reached, or the run was interrupted; nothing is written
  2   the input was refused, or OUT's format cannot express it
  1   wrong usage, or a file or the result cannot be written
  6   internal error, please report it";

/// Print a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  throng completions bash > ~/.local/share/bash-completion/completions/throng
  throng completions fish > ~/.config/fish/completions/throng.fish
  throng completions zsh > ~/.zfunc/_throng")]
pub(crate) struct CompletionsFlags {
    /// The shell.
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Print a man page.
#[derive(Debug, Args)]
#[command(after_help = "\
EXAMPLES
  throng man | man -l -
  throng man check | man -l -
  throng man --dir ~/.local/share/man/man1")]
pub(crate) struct ManFlags {
    /// The command that the page is about [default: the page of throng itself].
    #[arg(value_name = "COMMAND", conflicts_with = "dir")]
    pub(crate) command: Option<String>,

    /// Write all pages to this directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
}
