//! Compares what provers say about many random multi-threaded C programs with what trying everything says.
//!
//! Exit code 0: no disagreement; 1: disagreements, printed with shrunk programs; 2: usage.

use clap::{Args, ValueEnum};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use throng_c_front::lower::{Atomicity, Options};
use throng_cfa::flow::Program;
use throng_lab::threads::compare::{Parties, ProverAnswer, Settings, compare, shrink};
use throng_lab::threads::explore::Exploration;
use throng_lab::threads::real as in_reality;
use throng_lab::threads::syntax::ThreadProgram;
use throng_lab::threads::{from_seed, provers};

/// Who says whether programs are safe.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Prover {
    /// Nobody: only try everything, and measure.
    None,
    /// The bounded search, which finds errors.
    Bounded,
    /// The proof by abstraction.
    Cegar,
    /// A small bounded search, then the proof by abstraction, as the tool does with one job.
    InTurns,
}

/// Compares what provers say about random multi-threaded C programs with what trying everything says.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 2000)]
    count: u64,
    /// Seed of the first program; the next one has the next seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Who is compared.
    #[arg(long, value_enum, default_value_t = Prover::Cegar)]
    prover: Prover,
    /// Let the proof by abstraction filter templates of facts first.
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    houdini: bool,
    /// Seconds that a prover has for a program.
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// How many programs are looked at at the same time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// With how many threads everything is tried, not counting `main`.
    #[arg(long, default_value_t = 3)]
    threads: usize,
    /// How many states are tried at most, for each number of threads.
    #[arg(long, default_value_t = 200_000)]
    most_states: usize,
    /// One step is a statement, not an access.
    #[arg(long)]
    statement: bool,
    /// Put each interleaving into the program's text, compile it with `cc` and run it: the bug has to happen.
    #[arg(long)]
    export_run: bool,
    /// Put each invariant into the program's text, compile it with `cc` and run it in random schedules: it has to hold.
    #[arg(long)]
    monitor: bool,
    /// How many schedules `--monitor` runs.
    #[arg(long, default_value_t = 5)]
    schedules: u64,
    /// Seconds after which compiling or running a program counts as a disagreement; more where the machine is busy.
    #[arg(long, default_value_t = 30)]
    wait: u64,
    /// Print the program of `--seed` and do nothing else.
    #[arg(long)]
    show: bool,
    /// Print a line for each program.
    #[arg(long)]
    verbose: bool,
}

#[derive(Default)]
struct Table {
    /// Error, no error, too large; each by safe, unsafe, unknown.
    cells: [[u64; 3]; 3],
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.show {
        println!("{}", from_seed(arguments.seed).text());
        return ExitCode::SUCCESS;
    }
    let options = Options {
        atomicity: if arguments.statement { Atomicity::Statement } else { Atomicity::Access },
        ..Options::default()
    };
    let settings = Settings { options, threads: arguments.threads, most_states: arguments.most_states };
    if (arguments.export_run || arguments.monitor) && throng_export::compiler().is_none() {
        println!("SKIPPED: there is no C compiler, so nothing is exported and run");
        return ExitCode::SUCCESS;
    }
    let next = AtomicU64::new(arguments.seed);
    let count = Mutex::new(Count::default());
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= arguments.seed + arguments.count {
                        return;
                    }
                    look_at(seed, &settings, arguments, &count);
                }
            });
        }
    });
    let count = count.into_inner().unwrap_or_else(PoisonError::into_inner);
    print_table(&count.table);
    let (real, disagreements) = (count.real, count.disagreements);
    if arguments.export_run || arguments.monitor {
        println!(
            "{} bugs forced, {} said not to be, {} invariants tested in {} states, {} programs left out that are not C",
            real.forced, real.told, real.watched, real.states, real.left_out
        );
    }
    println!("{} programs, {disagreements} disagreements", arguments.count);
    if disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// What was found in all programs.
#[derive(Default)]
struct Count {
    table: Table,
    real: Real,
    disagreements: u64,
}

/// Compares about the program of a seed.
fn look_at(seed: u64, settings: &Settings, arguments: &Arguments, count: &Mutex<Count>) {
    let prover = |program: &Program| prove(program, arguments);
    let parties = Parties { prover: &prover, judge: &provers::judge };
    let program = from_seed(seed);
    let start = Instant::now();
    let compared = match compare(&program, &parties, settings) {
        Ok(compared) => compared,
        Err(disagreement) => {
            println!("seed {seed}: {:?}: {}", disagreement.kind, disagreement.text);
            println!("{}", shrink(&program, disagreement.kind, &parties, settings).text());
            count.lock().unwrap_or_else(PoisonError::into_inner).disagreements += 1;
            return;
        }
    };
    let row = match compared.truth {
        Exploration::Error { .. } => 0,
        Exploration::NoError { .. } => 1,
        Exploration::TooLarge { .. } => 2,
    };
    let (column, answer) = match &compared.answer {
        ProverAnswer::Safe(_) => (0, "safe".to_owned()),
        ProverAnswer::Unsafe(_) => (1, "unsafe".to_owned()),
        ProverAnswer::Unknown(why) => (2, format!("unknown ({why})")),
    };
    let mut real = Real::default();
    let ran = for_real(&program, &compared.answer, &settings.options, arguments, &mut real);
    if arguments.verbose {
        println!("seed {seed}: {:?}, {answer}, {:.2?}", compared.truth, start.elapsed());
    }
    let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
    count.table.cells[row][column] += 1;
    count.real.add(&real);
    if let Err(why) = ran {
        count.disagreements += 1;
        println!("seed {seed}: the compiled program disagrees: {why}\n{}", program.text());
    }
}

/// What was compiled and run.
#[derive(Default)]
struct Real {
    forced: u64,
    /// Not forced, and said so.
    told: u64,
    watched: u64,
    states: u64,
    left_out: u64,
}

impl Real {
    fn add(&mut self, other: &Real) {
        self.forced += other.forced;
        self.told += other.told;
        self.watched += other.watched;
        self.states += other.states;
        self.left_out += other.left_out;
    }
}

/// Has an answer compiled and run, as it is asked for.
fn for_real(
    program: &ThreadProgram,
    answer: &ProverAnswer,
    options: &Options,
    arguments: &Arguments,
    real: &mut Real,
) -> Result<(), String> {
    let time = Duration::from_secs(arguments.wait);
    if !in_reality::is_runnable(program) {
        real.left_out += 1;
        return Ok(());
    }
    match answer {
        ProverAnswer::Unsafe(trace) if arguments.export_run => {
            let is_forced = in_reality::force(program, trace, options, time)?;
            *(if is_forced { &mut real.forced } else { &mut real.told }) += 1;
        }
        ProverAnswer::Safe(invariant) if arguments.monitor => {
            real.states += in_reality::watch(program, invariant, options, arguments.schedules, time)?;
            real.watched += 1;
        }
        _ => {}
    }
    Ok(())
}

fn print_table(table: &Table) {
    println!("{:<12}{:>8}{:>8}{:>8}", "", "safe", "unsafe", "unknown");
    for (name, row) in ["error", "no error", "too large"].iter().zip(&table.cells) {
        println!("{name:<12}{:>8}{:>8}{:>8}", row[0], row[1], row[2]);
    }
}

fn prove(program: &Program, arguments: &Arguments) -> ProverAnswer {
    let time = Duration::from_secs_f64(arguments.seconds.clamp(0.0, 1e6));
    match arguments.prover {
        Prover::None => ProverAnswer::Unknown("nobody is asked".to_owned()),
        Prover::Bounded => provers::by_search(program, time),
        Prover::Cegar => provers::by_abstraction(program, time, arguments.houdini),
        Prover::InTurns => provers::in_turns(program, time, arguments.houdini),
    }
}
