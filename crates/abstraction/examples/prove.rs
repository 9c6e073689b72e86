//! Tries to prove C programs by filtering candidates, and checks proofs:
//! `prove [--statement] [--whole] [--text] [--facts] [--time SECONDS] [--threads-run NAMES] FILE…`. With `--whole` programs
//! are taken as they are, without slicing and merging. A line for
//! each: the verdict, how many candidates, elements and predicates there were, how often the solver was asked, and the seconds.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit, reason = "a tool for the terminal")]

use std::path::PathBuf;
use std::time::{Duration, Instant};
use throng_abstraction::{filter, prepare};
use throng_base::{Budget, Limits};
use throng_check::c::check_invariant;
use throng_cprog::flow::Program;
use throng_cprog::invariant::Invariant;
use throng_cprog::lower::{Atomicity, Options, read};
use throng_cprog::preprocess::Preprocessing;

fn main() {
    let (mut options, mut files) = (Options::default(), Vec::new());
    let (mut text, mut facts, mut whole, mut time) = (false, false, false, 60.0);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().unwrap_or_else(|| fail("a value is missing"));
        match argument.as_str() {
            "--statement" => options.atomicity = Atomicity::Statement,
            "--text" => text = true,
            "--facts" => facts = true,
            "--whole" => whole = true,
            "--time" => time = next().parse().unwrap_or_else(|_| fail("--time takes seconds")),
            "--threads-run" => options.threads_run = next().split(',').map(str::to_owned).collect(),
            _ => files.push(PathBuf::from(argument)),
        }
    }
    for file in files {
        let program = match read(std::slice::from_ref(&file), &Preprocessing::default(), &options) {
            Ok((program, _)) => program,
            Err(errors) => {
                println!("{}: refused: {}", file.display(), errors[0].message);
                continue;
            }
        };
        let program = if whole { program } else { prepare(&program).program };
        if text {
            println!("{}", program.text());
        }
        let budget = Budget::unlimited();
        let limits = Limits { time: Some(Duration::from_secs_f64(time)), memory: None };
        let watchdog = budget.watch(limits, || None);
        let start = Instant::now();
        let name = file.file_name().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
        match filter(&program, u64::MAX, &budget) {
            Ok(None) => println!("{name:40} gave up"),
            Err(reason) => println!("{name:40} stopped {reason:?} {} locations", program.locations.len()),
            Ok(Some(it)) => {
                let verdict = if it.proves { "safe" } else { "unknown" };
                println!(
                    "{name:40} {verdict:8} round {} {:5} locations {:5} candidates {:5} elements {:5} predicates {:7} questions {:8.2} s",
                    it.round,
                    program.locations.len(),
                    it.n_candidates,
                    it.invariant.elements.len(),
                    it.invariant.predicates.list.len(),
                    it.n_questions,
                    start.elapsed().as_secs_f64(),
                );
                if it.proves {
                    let start = Instant::now();
                    match check_invariant(&program, &it.invariant, &budget) {
                        Ok(()) => println!("{:40} checked in {:.2} s", "", start.elapsed().as_secs_f64()),
                        Err(rejection) => println!("{:40} REJECTED: {rejection:?}", ""),
                    }
                }
                if facts {
                    print_facts(&program, &it.invariant);
                }
            }
        }
        drop(watchdog);
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2)
}

fn print_facts(program: &Program, invariant: &Invariant) {
    let mut shown = program.clone();
    shown.expressions = invariant.predicates.expressions.clone();
    for element in &invariant.elements {
        let threads: Vec<String> = element.threads.iter().map(|it| it.index().to_string()).collect();
        let literals = element
            .literals
            .iter()
            .map(|literal| shown.expression_text(invariant.predicates.get(literal.predicate).expression));
        let literals: Vec<String> = literals.collect();
        let fact = if literals.is_empty() { "never".to_owned() } else { literals.join(" & ") };
        println!("  {{{}}}: {fact}", threads.join(","));
    }
}
