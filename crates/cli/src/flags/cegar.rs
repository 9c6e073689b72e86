//! The flags of the prover of C programs.

use clap::Args;
use std::path::{Path, PathBuf};
use throng::CEngine;

/// How a C program is proved.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct CegarFlags {
    /// C: predicates to begin a proof with, one on a line (docs/c.md).
    #[arg(long, value_name = "FILE")]
    pub(crate) predicates: Option<PathBuf>,

    /// C: begin with the predicates that an earlier run wrote by `--save-predicates`.
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    /// C: write the predicates at the end to this file, also if a limit was reached or the run was interrupted.
    #[arg(long, value_name = "FILE")]
    pub(crate) save_predicates: Option<PathBuf>,

    /// C: prove by predicate abstraction only, without filtering templates of facts first.
    #[arg(long)]
    pub(crate) no_filter: bool,

    /// C: write the last abstract program to this file, as a Boolean program. Implies `--no-filter`.
    #[arg(long, value_name = "FILE")]
    pub(crate) save_bp: Option<PathBuf>,

    /// C: the most literals of a clause where an abstraction is approximated [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) max_cube_length: Option<u32>,
}

impl CegarFlags {
    /// The files that are written at the end.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.save_predicates, &self.save_bp].into_iter().flatten().map(PathBuf::as_path)
    }

    /// What is wrong with flags that have no meaning for this engine; `None` is no C program.
    pub(crate) fn problem(&self, engine: Option<CEngine>) -> Option<String> {
        let given = [
            ("--predicates", self.predicates.is_some()),
            ("--resume", self.resume.is_some()),
            ("--save-predicates", self.save_predicates.is_some()),
            ("--no-filter", self.no_filter),
            ("--save-bp", self.save_bp.is_some()),
            ("--max-cube-length", self.max_cube_length.is_some()),
        ];
        let (flag, _) = given.into_iter().find(|&(_, is_given)| is_given)?;
        match engine {
            Some(CEngine::Auto | CEngine::Cegar) => None,
            Some(CEngine::Houdini | CEngine::Pdr | CEngine::Explore | CEngine::Exact) => {
                Some(format!("`{flag}` has a meaning for `--engine auto` and `--engine cegar` only"))
            }
            None => Some(format!("`{flag}` has a meaning for C programs only")),
        }
    }
}
