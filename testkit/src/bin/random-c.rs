//! Runs many random C programs of one thread on the checker's machine and as compiled programs, and compares what they
//! compute.
//!
//! Exit code 0: no disagreement; 1: disagreements, printed; 2: usage, or there is no compiler.

#![allow(clippy::print_stdout, reason = "this is a command for developers")]

use clap::Parser;
use std::process::ExitCode;
use throng_check::flags::CFlags;
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
    /// Print the program of `--seed` and do nothing else.
    #[arg(long)]
    show: bool,
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
    let mut disagreements = 0_u64;
    for seed in arguments.seed..arguments.seed + arguments.count {
        if let Err(message) = compare_seed(seed, &CFlags::default()) {
            disagreements += 1;
            println!("seed {seed}: {message}");
        }
    }
    println!("{} programs, {disagreements} disagreements", arguments.count);
    if disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
