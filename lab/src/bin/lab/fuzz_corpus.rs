//! Writes the seeds of the fuzz targets as files, one directory per target: a corpus for cargo-fuzz.

use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use throng_lab::fuzz::TARGETS;

/// Writes the seeds of the fuzz targets.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Where to.
    #[arg(default_value = "fuzz/corpus")]
    root: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match write(&arguments.root) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", arguments.root.display());
            ExitCode::FAILURE
        }
    }
}

fn write(root: &Path) -> std::io::Result<()> {
    for target in TARGETS {
        let directory = root.join(target.name);
        std::fs::create_dir_all(&directory)?;
        for (i, seed) in target.seeds.iter().enumerate() {
            std::fs::write(directory.join(format!("seed-{i}")), seed)?;
        }
    }
    Ok(())
}
