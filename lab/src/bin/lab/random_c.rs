//! Runs many random C programs of one thread on the checker's machine and as compiled programs, and compares what they
//! compute.
//!
//! Exit code 0: no disagreement; 1: disagreements, printed with shrunk programs; 2: usage, or there is no compiler.

use clap::Args;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use throng_lab::c::csmith::{self, Compared};
use throng_lab::c::{Outcome, Settings, compare_seeds, compiled, random, shrink};

/// How many programs are compiled at once, and how many if the first disagreement ends it.
const BATCH: (u64, u64) = (50, 10);

/// How many of csmith's programs are compiled at once.
const OF_CSMITH: u64 = 20;

/// Compares what random C programs compute with what a compiler makes of them.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 500)]
    count: u64,
    /// Seed of the first program; the next one has the next seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after this time; the programs so far count.
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    /// Take programs of `csmith` instead of our own.
    #[arg(long)]
    csmith: bool,
    /// Ask the search about every N-th program; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 10)]
    asked: u64,
    /// Seconds that the search has for a question.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5)]
    search: f64,
    /// Make sure that every N-th program does nothing undefined; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 0)]
    sanitized: u64,
    /// Stop at the first disagreement, and do not make programs small.
    #[arg(long)]
    first: bool,
    /// Print the program of `--seed` and do nothing else.
    #[arg(long)]
    show: bool,
    /// Say why programs are skipped.
    #[arg(long)]
    verbose: bool,
}

/// What came of all programs.
#[derive(Default)]
struct Count {
    programs: u64,
    skipped: u64,
    disagreements: u64,
    /// Questions about wrong assertions: found, and not decided.
    found: u64,
    unknown: u64,
    refusals: BTreeMap<String, u64>,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.show {
        println!("{}", random::generate(arguments.seed).text());
        return ExitCode::SUCCESS;
    }
    if !compiled::is_there() {
        println!("there is no compiler `cc`");
        return ExitCode::from(2);
    }
    if arguments.csmith && !csmith::is_there() {
        println!("SKIPPED: there is no `csmith` with its headers");
        return ExitCode::SUCCESS;
    }
    let begun = Instant::now();
    let mut count = Count::default();
    let end = arguments.seed + arguments.count;
    let mut seed = arguments.seed;
    while seed < end {
        let is_late = arguments.time.is_some_and(|seconds| begun.elapsed() > Duration::from_secs(seconds));
        if is_late || arguments.first && count.disagreements > 0 {
            break;
        }
        let batch = if arguments.first { BATCH.1 } else { BATCH.0 };
        let next = end.min(seed + if arguments.csmith { OF_CSMITH.min(batch) } else { batch });
        if arguments.csmith {
            of_csmith(seed..next, arguments, &mut count);
        } else {
            ours(seed..next, arguments, &mut count);
        }
        seed = next;
    }
    let Count { programs, skipped, disagreements, found, unknown, refusals } = count;
    for (code, times) in refusals {
        println!("{times} refused with {code}");
    }
    println!("{programs} programs, {skipped} skipped, {disagreements} disagreements");
    if !arguments.csmith {
        println!("{found} wrong assertions were found by the search, {unknown} were not decided");
    }
    if disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn of_csmith(seeds: std::ops::Range<u64>, arguments: &Arguments, count: &mut Count) {
    for (seed, compared) in csmith::compare_seeds(seeds) {
        count.programs += 1;
        match compared {
            Ok(Compared::Same) => {}
            Ok(Compared::Skipped(why)) => {
                count.skipped += 1;
                *count.refusals.entry(code(&why)).or_default() += 1;
                if arguments.verbose {
                    println!("seed {seed}: skipped: {why}");
                }
            }
            Err(message) => {
                count.disagreements += 1;
                println!("seed {seed}: {message}");
            }
        }
    }
}

fn ours(seeds: std::ops::Range<u64>, arguments: &Arguments, count: &mut Count) {
    let settings = Settings {
        asked: arguments.asked,
        sanitized: arguments.sanitized,
        time: Duration::from_secs_f64(arguments.search.clamp(0.0, 1e6)),
    };
    for (seed, compared) in compare_seeds(seeds, &settings) {
        count.programs += 1;
        match compared {
            Ok(Outcome::Same(answers)) => {
                let answers = answers.unwrap_or_default();
                count.found += answers.found;
                count.unknown += answers.unknown;
            }
            Ok(Outcome::Refused(why)) => {
                count.skipped += 1;
                *count.refusals.entry(code(&why)).or_default() += 1;
                if arguments.verbose {
                    println!("seed {seed}: refused: {why}");
                }
            }
            Err(message) => {
                count.disagreements += 1;
                println!("seed {seed}: {message}");
                if !arguments.first {
                    println!("{}", shrink(seed, &settings).text());
                }
            }
        }
    }
}

/// The code of an error, or all of it.
fn code(why: &str) -> String {
    let code = why.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    code.map_or_else(|| why.to_owned(), |(code, _)| code.to_owned())
}
