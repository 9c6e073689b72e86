//! Writes a thread transition system with as many rules as asked for, see [`throng_lab::synthetic`].

use clap::Args;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use throng_lab::synthetic::{Synthetic, TARGET};

/// Writes a thread transition system with many rules and a small question.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many rules.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(8..=1_000_000_000))]
    rules: u64,
    /// Make it unsafe: looking at the lock and taking it are two steps.
    #[arg(long = "unsafe")]
    broken: bool,
    /// Seed of the random rules.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The `.tts` file to write; the target goes into the `.prop` beside it.
    output: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match write(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write `{}`: {error}", arguments.output.display());
            ExitCode::FAILURE
        }
    }
}

fn write(arguments: &Arguments) -> io::Result<()> {
    let n_rules = usize::try_from(arguments.rules).unwrap_or(usize::MAX);
    let mut out = BufWriter::new(File::create(&arguments.output)?);
    Synthetic { n_rules, broken: arguments.broken, seed: arguments.seed }.write(&mut out)?;
    out.flush()?;
    std::fs::write(arguments.output.with_extension("prop"), format!("{TARGET}\n"))
}
