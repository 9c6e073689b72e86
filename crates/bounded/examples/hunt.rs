//! Searches C programs for errors:
//! `hunt [--seconds N] [--threads N] [--threads-run f,g] [--statement] [--plain] [--no-por] [--no-symmetry] [--trace] file.c …`.

use std::path::PathBuf;
use std::time::{Duration, Instant};
use throng_base::{Budget, Limits};
use throng_bounded::{BoundedOptions, Outcome, search};
use throng_cprog::flow::Program;
use throng_cprog::lower::{Atomicity, Options, read};
use throng_cprog::preprocess::Preprocessing;
use throng_cprog::trace::Trace;

#[allow(clippy::print_stdout)]
fn main() {
    let mut seconds = 20;
    let mut options = BoundedOptions::default();
    let mut lowering = Options::default();
    let mut shows_trace = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => seconds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(seconds),
            "--threads" => options.max_threads = arguments.next().and_then(|text| text.parse().ok()),
            "--plain" => (options.partial_orders, options.symmetry) = (false, false),
            "--no-por" => options.partial_orders = false,
            "--no-symmetry" => options.symmetry = false,
            "--trace" => shows_trace = true,
            "--statement" => lowering.atomicity = Atomicity::Statement,
            "--threads-run" => {
                let names = arguments.next().unwrap_or_default();
                lowering.threads_run = names.split(',').map(str::to_owned).collect();
            }
            file => hunt(file, (&lowering, &options), seconds, shows_trace),
        }
    }
}

#[allow(clippy::print_stdout)]
fn hunt(file: &str, (lowering, options): (&Options, &BoundedOptions), seconds: u64, shows_trace: bool) {
    let name = file.rsplit('/').next().unwrap_or(file);
    let program = match read(&[PathBuf::from(file)], &Preprocessing::default(), lowering) {
        Ok((program, _)) => program,
        Err(errors) => {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            println!("{name:40} refused: {}", first.lines().next().unwrap_or_default());
            return;
        }
    };
    let started = Instant::now();
    let budget = Budget::unlimited();
    let limits = Limits { time: Some(Duration::from_secs(seconds)), memory: None };
    let watchdog = budget.watch(limits, || None);
    let outcome = search(&program, options, &budget, &mut |_| ());
    drop(watchdog);
    let time = started.elapsed().as_secs_f64();
    match outcome {
        Outcome::Unsafe { trace, property, statistics } => {
            let text = &program.properties[property.index()].text;
            println!("{name:40} {time:7.2}s unsafe: {text}, {} steps; {statistics:?}", trace.steps.len());
            if shows_trace {
                show(&program, &trace);
            }
        }
        Outcome::NoBug { complete_up_to, is_exhausted, statistics } => {
            println!(
                "{name:40} {time:7.2}s none up to {complete_up_to}, exhausted {is_exhausted}; {statistics:?}"
            );
        }
        Outcome::Stopped { reason, statistics } => {
            println!("{name:40} {time:7.2}s stopped ({reason}); {statistics:?}");
        }
        Outcome::Internal(text) => println!("{name:40} {time:7.2}s INTERNAL {text}"),
    }
}

#[allow(clippy::print_stdout)]
fn show(program: &Program, trace: &Trace) {
    for step in &trace.steps {
        let site = program.site(program.edge(step.edge).site);
        println!("  {:3} {:5}: {} {:?}", step.thread, site.position.line, site.text, step.choices);
    }
}
