//! Runs many random C programs of one thread on the checker's machine and as compiled programs, and compares what they
//! compute.
//!
//! Exit code 0: no disagreement; 1: disagreements, printed; 2: usage, or there is no compiler.

#![allow(clippy::print_stdout, reason = "this is a command for developers")]

use clap::Parser;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use throng_check::flags::CFlags;
use throng_testkit::c::csmith::{self, Compared};
use throng_testkit::c::{compare_seed, compiled};

/// Compares what random C programs compute with what a compiler makes of them.
#[derive(Parser)]
#[command(name = "random-c")]
struct Arguments {
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
    /// Print the program of `--seed` and do nothing else.
    #[arg(long)]
    show: bool,
    /// Say why programs are skipped.
    #[arg(long)]
    verbose: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.show {
        println!("{}", throng_testkit::c::from_seed(arguments.seed).text);
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
    let (mut programs, mut skipped, mut disagreements) = (0_u64, 0_u64, 0_u64);
    for seed in arguments.seed..arguments.seed + arguments.count {
        if arguments.time.is_some_and(|seconds| begun.elapsed() > Duration::from_secs(seconds)) {
            break;
        }
        programs += 1;
        let compared = if arguments.csmith {
            csmith::compare_seed(seed)
        } else {
            compare_seed(seed, &CFlags::default()).map(|()| Compared::Same)
        };
        match compared {
            Ok(Compared::Same) => {}
            Ok(Compared::Skipped(why)) => {
                skipped += 1;
                if arguments.verbose {
                    println!("seed {seed}: skipped: {why}");
                }
            }
            Err(message) => {
                disagreements += 1;
                println!("seed {seed}: {message}");
            }
        }
    }
    println!("{programs} programs, {skipped} skipped, {disagreements} disagreements");
    if disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
