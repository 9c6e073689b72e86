//! Prints Boolean programs of families to measure with. The same arguments give the same program.

use clap::{Args, Subcommand};
use std::process::ExitCode;
use throng_lab::programs::families::{Wanted, devices, irrelevant};

/// Prints a Boolean program of a family.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    family: Family,
    /// Another seed gives another program of the same kind.
    #[arg(long, global = true, default_value_t = 1)]
    seed: u64,
}

#[derive(Subcommand)]
enum Family {
    /// Few variables matter, the others only for each other.
    Irrelevant {
        /// How many shared, and how many local variables.
        #[arg(long, default_value_t = 8)]
        variables: usize,
        /// Let the assertion fail.
        #[arg(long = "unsafe")]
        is_unsafe: bool,
    },
    /// A long program with many shared variables.
    Devices {
        /// About how many lines.
        #[arg(long, default_value_t = 1_000)]
        lines: usize,
        /// About how many shared variables.
        #[arg(long, default_value_t = 30)]
        shared: usize,
    },
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let text = match arguments.family {
        Family::Irrelevant { variables, is_unsafe } => {
            let wanted = if is_unsafe { Wanted::Unsafe } else { Wanted::Safe };
            irrelevant(variables, wanted, arguments.seed)
        }
        Family::Devices { lines, shared } => devices(lines, shared, arguments.seed),
    };
    print!("{text}");
    ExitCode::SUCCESS
}
