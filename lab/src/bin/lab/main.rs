//! What developers run at length: random inputs against brute force, compiled programs and translations; planted faults; inputs of
//! any size for benchmarks.
//!
//! Exit code 0: no disagreement; 1: disagreements, printed with shrunk inputs; 2: usage, or something is absent.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a command for developers")]

mod boolean_programs;
mod fuzz_corpus;
mod planted;
mod random_c;
mod random_programs;
mod random_systems;
mod random_threads;
mod synthetic;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The allocator of `throng`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Tests at length, and what benchmarks need.
#[derive(Parser)]
#[command(name = "lab")]
struct Lab {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Random systems: engines, checker and brute force
    RandomSystems(random_systems::Arguments),
    /// Random Boolean programs: engines, checker, translations and brute force
    RandomPrograms(random_programs::Arguments),
    /// Random C programs of one thread (or csmith's): the checker's machine and compiled programs
    RandomC(random_c::Arguments),
    /// Random C programs of several threads: provers, searches and brute force
    RandomThreads(random_threads::Arguments),
    /// Plant wrong translations of C, and say which test catches each
    Planted(planted::Arguments),
    /// Print a large system
    Synthetic(synthetic::Arguments),
    /// Print a Boolean program of a family
    BooleanPrograms(boolean_programs::Arguments),
    /// Write the seeds of the fuzz targets as files
    FuzzCorpus(fuzz_corpus::Arguments),
}

fn main() -> ExitCode {
    match &Lab::parse().command {
        Command::RandomSystems(arguments) => random_systems::run(arguments),
        Command::RandomPrograms(arguments) => random_programs::run(arguments),
        Command::RandomC(arguments) => random_c::run(arguments),
        Command::RandomThreads(arguments) => random_threads::run(arguments),
        Command::Planted(arguments) => planted::run(arguments),
        Command::Synthetic(arguments) => synthetic::run(arguments),
        Command::BooleanPrograms(arguments) => boolean_programs::run(arguments),
        Command::FuzzCorpus(arguments) => fuzz_corpus::run(arguments),
    }
}
