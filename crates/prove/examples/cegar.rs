//! Runs the loop on C programs and tells about every turn: `cegar [--statement] [--houdini] [--time SECONDS] [--max-models N]
//! [--max-cube-length N] [--threads N] file.c …`.

use std::path::PathBuf;
use std::time::{Duration, Instant};
use throng_base::{Budget, Limits};
use throng_c_front::lower::{Atomicity, Options as Reading, read};
use throng_c_front::preprocess::Preprocessing;
use throng_prove::{Event, Options, Outcome, verify};

#[allow(clippy::print_stdout, reason = "this is a command for developers")]
fn main() {
    let mut reading = Reading::default();
    let (mut time, mut files, mut houdini) = (60, Vec::new(), false);
    let (mut max_models, mut max_cube_length, mut threads) = (None, None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--statement" => reading.atomicity = Atomicity::Statement,
            "--houdini" => houdini = true,
            "--time" => time = arguments.next().and_then(|it| it.parse().ok()).unwrap_or(60),
            "--max-models" => max_models = arguments.next().and_then(|it| it.parse().ok()),
            "--max-cube-length" => max_cube_length = arguments.next().and_then(|it| it.parse().ok()),
            "--threads" => threads = arguments.next().and_then(|it| it.parse().ok()),
            _ => files.push(PathBuf::from(argument)),
        }
    }
    for file in files {
        let program = match read(std::slice::from_ref(&file), &Preprocessing::default(), &reading) {
            Ok((program, _)) => program,
            Err(errors) => {
                println!("{}: {} errors", file.display(), errors.len());
                continue;
            }
        };
        let budget = Budget::unlimited();
        let _watch = budget.watch(Limits { time: Some(Duration::from_secs(time)), memory: None }, || None);
        let prepared = throng_prove::prepare(&program);
        let mut options = Options { houdini, threads, ..Options::new(&prepared.program) };
        options.max_models = max_models.unwrap_or(options.max_models);
        options.max_cube_length = max_cube_length.unwrap_or(options.max_cube_length);
        let start = Instant::now();
        let outcome = verify(&program, &prepared, &options, &budget, &mut |event| match event {
            Event::Iteration(it) => println!(
                "  {:.2} turn {}: {:?} size {} dr {} mon {}: {:?}; {} new",
                start.elapsed().as_secs_f64(),
                it.number,
                it.predicates,
                it.size,
                it.is_dual_reference,
                it.is_monotone,
                it.found,
                it.added.list.len()
            ),
            Event::Phase(phase) => println!("  {:.2} {phase:?}", start.elapsed().as_secs_f64()),
            _ => {}
        });
        let seconds = start.elapsed().as_secs_f64();
        match outcome {
            Outcome::Safe { invariant, iterations } => {
                println!(
                    "{}: safe, {} predicates, {} elements, {iterations} turns, {seconds:.2} s",
                    file.display(),
                    invariant.predicates.list.len(),
                    invariant.elements.len()
                );
                let start = Instant::now();
                let checked =
                    throng_check::c::check_invariant(&prepared.program, &invariant, &Budget::unlimited());
                let seconds = start.elapsed().as_secs_f64();
                println!(
                    "tests check: {} {seconds:.2} s",
                    checked.map_or_else(|it| format!("REJECTED {it:?}"), |()| "accepted".to_owned())
                );
            }
            Outcome::SafeUpTo { threads, iterations } => {
                println!(
                    "{}: safe up to {threads} threads, {iterations} turns, {seconds:.2} s",
                    file.display()
                );
            }
            Outcome::Unsafe { trace, .. } => {
                println!("{}: unsafe, {} steps, {seconds:.2} s", file.display(), trace.steps.len());
            }
            Outcome::GaveUp { reason, interleaving, .. } => {
                println!("{}: gave up: {reason}, {seconds:.2} s", file.display());
                interleaving.iter().for_each(|line| println!("    {line}"));
            }
            Outcome::Stopped { reason, .. } => println!("{}: {reason}, {seconds:.2} s", file.display()),
        }
    }
}
