//! Prints the control-flow graphs of the threads of a C program: `dump [--statement] file.c …`.

use std::path::PathBuf;
use throng_cprog::lower::{Atomicity, Options, read};
use throng_cprog::preprocess::Preprocessing;

#[allow(clippy::print_stdout, clippy::print_stderr)]
fn main() {
    let mut options = Options::default();
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--statement" => options.atomicity = Atomicity::Statement,
            "--list-unsupported" => options.list_unsupported = true,
            "--checks" => {
                let checks = &mut options.checks;
                (checks.bounds, checks.division, checks.overflow, checks.mutex) = (true, true, true, true);
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    match read(&files, &Preprocessing::default(), &options) {
        Ok((program, warnings)) => {
            println!("{}", program.text());
            warnings.iter().for_each(|warning| eprintln!("{warning}"));
        }
        Err(errors) => errors.iter().for_each(|error| eprintln!("{error}")),
    }
}
