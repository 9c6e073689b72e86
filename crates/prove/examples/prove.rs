//! Tries to prove C programs by filtering candidates, and checks proofs:
//! `prove [--pdr] [--pdr-quick] [--threads-at-most N] [--statement] [--whole] [--text] [--facts] [--time SECONDS] [--threads-run NAMES] FILE…`. With `--pdr` (or `--pdr-quick`, with few facts) they are searched for
//! from the errors instead. With `--whole` programs
//! are taken as they are, without slicing and merging. A line for
//! each: the verdict, how many candidates, elements and predicates there were, how often the solver was asked, and the seconds.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::exit, reason = "a tool for the terminal")]

use std::path::PathBuf;
use std::time::{Duration, Instant};
use throng_base::{Budget, Limits};
use throng_c_front::lower::{Atomicity, Options, read};
use throng_c_front::preprocess::Preprocessing;
use throng_cfa::flow::Program;
use throng_cfa::invariant::Invariant;
use throng_check::c::check_invariant;
use throng_prove::{Beginning, filter, prepare, search};

fn main() {
    let (mut options, mut files) = (Options::default(), Vec::new());
    let (mut text, mut facts, mut whole, mut pdr, mut time) = (false, false, false, None, 60.0);
    let mut most_threads = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut next = || arguments.next().unwrap_or_else(|| fail("a value is missing"));
        match argument.as_str() {
            "--statement" => options.atomicity = Atomicity::Statement,
            "--text" => text = true,
            "--facts" => facts = true,
            "--pdr" => pdr = Some(Beginning::Patient),
            "--pdr-quick" => pdr = Some(Beginning::Quick),
            "--threads-at-most" => most_threads = next().parse().ok(),
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
        let program = Program { most_threads, ..program };
        let program = if whole { program } else { prepare(&program).program };
        if text {
            println!("{}", program.text());
        }
        let budget = Budget::unlimited();
        let limits = Limits { time: Some(Duration::from_secs_f64(time)), memory: None };
        let watchdog = budget.watch(limits, || None);
        let start = Instant::now();
        let name = file.file_name().map_or_else(String::new, |it| it.to_string_lossy().into_owned());
        if let Some(beginning) = pdr {
            searched(&name, &program, beginning, facts, &budget);
            drop(watchdog);
            continue;
        }
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

fn searched(name: &str, program: &Program, beginning: Beginning<'_>, facts: bool, budget: &Budget) {
    let start = Instant::now();
    let found = match search(program, beginning, u64::MAX, budget) {
        Ok(found) => found,
        Err(reason) => return println!("{name:40} stopped {reason:?}"),
    };
    let verdict = if found.invariant.is_some() { "safe" } else { "unknown" };
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name:40} {verdict:8} {:5} levels {:6} lemmas {:7} questions {seconds:8.2} s",
        found.n_levels, found.n_lemmas, found.n_questions,
    );
    let Some(invariant) = found.invariant else { return };
    if facts {
        print_facts(program, &invariant);
    }
    let start = Instant::now();
    match check_invariant(program, &invariant, budget) {
        Ok(()) => println!(
            "{:40} {} elements, checked in {:.2} s",
            "",
            invariant.elements.len(),
            start.elapsed().as_secs_f64()
        ),
        Err(rejection) => println!("{:40} REJECTED: {rejection:?}", ""),
    }
}

fn fail(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2)
}

fn print_facts(program: &Program, invariant: &Invariant) {
    let mut shown = throng_cfa::invariant::counted(program, &invariant.counts);
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
