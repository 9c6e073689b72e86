//! Prints the control-flow graphs of the threads of a C program: `dump [--statement] [--merged] file.c …`.

use std::path::PathBuf;
use throng_c_front::lower::{Atomicity, Checks, Integers, Options, Volatile, read};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::merge::prepare;

#[allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "this is a command for developers"
)]
fn main() {
    let mut options = Options::default();
    let mut preprocessing = Preprocessing::default();
    let mut files = Vec::new();
    let mut is_merged = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--statement" => options.atomicity = Atomicity::Statement,
            "--merged" => is_merged = true,
            "--list-unsupported" => options.list_unsupported = true,
            "--havoc-calls" => options.havoc_calls = true,
            "--ilp32" => preprocessing.data_model = throng_c_front::hir::DataModel::Ilp32,
            "--mathematical" => options.integers = Integers::Mathematical,
            "--nondet" => options.volatile = Volatile::Nondet,
            "--checks" => {
                options.checks = Checks { overflow: true, mutex: true };
            }
            "--threads-run" => {
                let names = arguments.next().unwrap_or_default();
                options.threads_run = names.split(',').map(str::to_owned).collect();
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    match read(&files, &preprocessing, &options) {
        Ok((program, warnings)) => {
            let program = if is_merged { prepare(&program).program } else { program };
            println!("{}", program.text());
            warnings.iter().for_each(|warning| eprintln!("{warning}"));
        }
        Err(errors) => {
            errors.iter().for_each(|error| eprintln!("{error}"));
            std::process::exit(2);
        }
    }
}
