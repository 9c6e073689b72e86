//! Decides many random Boolean programs by brute force, translated and on the fly, checks all evidence, and compares. Or,
//! with `--cutoffs`, finds what threads can reach and compares that and cutoffs with brute force. Or, with `--reach`, finds what
//! threads can reach and compares that with translations and brute force.
//!
//! Exit code 0: no disagreement; 1: disagreements, printed as shrunk programs; 2: usage.

use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use throng_base::Source;
use throng_boolprog::InitThreads;
use throng_cert::Verdict;
use throng_engine::EngineKind;
use throng_lab::differential::Method;
use throng_lab::programs::cutoffs::{self, Effort, compare_cutoffs};
use throng_lab::programs::differential::{Agreement, Comparing, Disagreement, compare, question};
use throng_lab::programs::random::from_seed;
use throng_lab::programs::reach::compare_reach;
use throng_lab::programs::shrink::shrink;

/// Compares three ways to decide Boolean programs on random ones.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 10_000)]
    count: u64,
    /// Seed of the first program; the next one has the next seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after this many seconds (`60s` or `60`), having done fewer.
    #[arg(long, value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Only this engine; all otherwise.
    #[arg(long, value_parser = parse_engine)]
    engine: Option<EngineKind>,
    /// Do not decide programs on the fly.
    #[arg(long)]
    only_translated: bool,
    /// Compare reachable thread states and cutoffs with brute force, and nothing else.
    #[arg(long)]
    cutoffs: bool,
    /// Compare reachable thread states with those of the translation and with brute force, and nothing else.
    #[arg(long, conflicts_with = "cutoffs")]
    reach: bool,
    /// With `--reach`: compare on these programs instead of random ones, with more effort.
    #[arg(requires = "reach")]
    files: Vec<PathBuf>,
    /// Stop at so many disagreements.
    #[arg(long, default_value_t = 10)]
    most: u64,
    /// Print the program of `--seed` and do nothing else.
    #[arg(long)]
    show: bool,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.strip_suffix('s').unwrap_or(text).parse::<u64>();
    seconds.map(Duration::from_secs).map_err(|_| "expected a number of seconds, such as 60s".into())
}

fn parse_engine(name: &str) -> Result<EngineKind, String> {
    EngineKind::from_name(name)
        .ok_or_else(|| format!("known engines: {}", EngineKind::ALL.map(EngineKind::name).join(", ")))
}

#[derive(Default)]
struct Tally {
    n_programs: u64,
    n_safe: u64,
    n_unsafe: u64,
    n_undecided: u64,
    /// Unsafe with so many threads, as brute force knows.
    n_with: [u64; 4],
    n_explored: u64,
    n_checked: u64,
    n_given_up: u64,
    n_failures: u64,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.show {
        let generated = from_seed(arguments.seed);
        print!("// {:?}\n{}", generated.threads, generated.text);
        return ExitCode::SUCCESS;
    }
    if !arguments.files.is_empty() {
        return compare_files(&arguments.files);
    }
    if arguments.reach {
        return compare_all_reached(arguments);
    }
    if arguments.cutoffs { compare_all_cutoffs(arguments) } else { compare_all(arguments) }
}

/// Decides programs in three ways.
fn compare_all(arguments: &Arguments) -> ExitCode {
    let started = Instant::now();
    let mut tally = Tally::default();
    for seed in (0..arguments.count).map(|i| arguments.seed.wrapping_add(i)) {
        if arguments.time.is_some_and(|limit| started.elapsed() >= limit) {
            println!("time is up after {} of {} programs", tally.n_programs, arguments.count);
            break;
        }
        tally.n_programs += 1;
        let (generated, comparing) = (from_seed(seed), arguments.comparing(seed));
        match ask(&generated.text, generated.threads, seed, &comparing) {
            Some(Ok(agreement)) => tally.add(agreement),
            Some(Err(disagreement)) => {
                tally.n_failures += 1;
                report(seed, &generated.text, generated.threads, &comparing, &disagreement);
            }
            None => {
                tally.n_failures += 1;
                println!("seed {seed}: the program cannot be read\n{}", generated.text);
            }
        }
        if tally.n_failures >= arguments.most {
            println!("too many disagreements");
            break;
        }
    }
    tally.print(started.elapsed());
    if tally.n_failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Arguments {
    fn comparing(&self, seed: u64) -> Comparing {
        let engines = self.engine.map_or_else(|| EngineKind::ALL.to_vec(), |engine| vec![engine]);
        // One engine for the translation suffices: others have their own tests on systems.
        let translated = engines[seed as usize % engines.len()];
        let on_the_fly = if self.only_translated { Vec::new() } else { engines };
        Comparing {
            translated: vec![EngineKind::Auto.into(), Method::from_seed(translated, seed)],
            on_the_fly: on_the_fly.into_iter().map(|engine| Method::from_seed(engine, seed)).collect(),
            ..Comparing::default()
        }
    }
}

/// Compares on one program; `None` if it cannot be read.
fn ask(
    text: &str,
    threads: InitThreads,
    seed: u64,
    comparing: &Comparing,
) -> Option<Result<Agreement, Disagreement>> {
    let program = throng_boolprog::read(&Source::from_text("random.bp", text)).ok()?.program;
    Some(compare(&program, &question(&program, threads, seed), comparing))
}

/// Prints a disagreement with the smallest program found that shows one of its kind.
fn report(seed: u64, text: &str, threads: InitThreads, comparing: &Comparing, found: &Disagreement) {
    println!("seed {seed}: {found}");
    let small = shrink(text, |text| {
        let result = ask(text, threads, seed, comparing);
        matches!(result, Some(Err(other)) if other.kind.resembles(&found.kind))
    });
    println!("threads: {threads:?}\n{small}");
    if let Ok(input) = throng_boolprog::read(&Source::from_text("random.bp", &small)) {
        let asked = question(&input.program, threads, seed);
        println!("targets: {:?}", asked.targets);
        if let Err(disagreement) = compare(&input.program, &asked, comparing) {
            println!("{disagreement}\n");
        }
    }
}

/// The same for programs in files, one line for each.
fn compare_files(files: &[PathBuf]) -> ExitCode {
    let mut n_failures = 0;
    for file in files {
        let read = Source::read(file).map_err(|error| vec![error]).and_then(|it| throng_boolprog::read(&it));
        let result = read.map(|input| {
            let effort = Effort { most_states: 200_000, most_steps: 200_000 };
            compare_reach(&input.program, input.program.default_threads(), effort)
        });
        match &result {
            Ok(Ok(Some(agreement))) => println!("{}: {agreement:?}", file.display()),
            Ok(Ok(None)) => println!("{}: passed over", file.display()),
            Ok(Err(found)) => println!("{}: {found}", file.display()),
            Err(errors) => println!("{}: {}", file.display(), errors[0]),
        }
        n_failures += u32::from(!matches!(result, Ok(Ok(_))));
    }
    println!("disagreements: {n_failures}");
    if n_failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Finds what is reached and compares it with the translation and with brute force.
fn compare_all_reached(arguments: &Arguments) -> ExitCode {
    let started = Instant::now();
    let (mut n_programs, mut n_compared, mut n_translated, mut n_failures) = (0_u64, 0_u64, 0_u64, 0_u64);
    for seed in (0..arguments.count).map(|i| arguments.seed.wrapping_add(i)) {
        let is_late = arguments.time.is_some_and(|limit| started.elapsed() >= limit);
        if is_late || n_failures >= arguments.most {
            println!("stopped after {n_programs} of {} programs", arguments.count);
            break;
        }
        n_programs += 1;
        let (text, threads) = cutoffs::case(seed);
        let compare = |text: &str| {
            let program = throng_boolprog::read(&Source::from_text("random.bp", text)).ok()?.program;
            Some(compare_reach(&program, threads, Effort::default()))
        };
        match compare(&text) {
            Some(Ok(agreement)) => {
                n_compared += u64::from(agreement.is_some());
                n_translated += u64::from(agreement.is_some_and(|it| it.is_translation_compared));
            }
            Some(Err(found)) => {
                n_failures += 1;
                println!("seed {seed}: {found}");
                let is_same =
                    |text: &str| matches!(compare(text), Some(Err(other)) if other.resembles(&found));
                println!("threads: {threads:?}\n{}", shrink(&text, is_same));
            }
            None => {
                n_failures += 1;
                println!("seed {seed}: the program cannot be read\n{text}");
            }
        }
    }
    let per_second = n_programs as f64 / started.elapsed().as_secs_f64().max(1e-9);
    println!("programs: {n_programs} ({per_second:.0} per second)");
    println!("compared: {n_compared}, with translations: {n_translated}");
    println!("disagreements: {n_failures}");
    if n_failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Default)]
struct CutoffTally {
    n_programs: u64,
    n_compared: u64,
    n_uniform: u64,
    n_checked: u64,
    n_failures: u64,
    /// How often each n₀ and each N₀ was found.
    cutoffs: [BTreeMap<u64, u64>; 2],
}

/// Finds cutoffs of programs and compares them with brute force.
fn compare_all_cutoffs(arguments: &Arguments) -> ExitCode {
    let started = Instant::now();
    let mut tally = CutoffTally::default();
    for seed in (0..arguments.count).map(|i| arguments.seed.wrapping_add(i)) {
        let is_late = arguments.time.is_some_and(|limit| started.elapsed() >= limit);
        if is_late || tally.n_failures >= arguments.most {
            println!("stopped after {} of {} programs", tally.n_programs, arguments.count);
            break;
        }
        tally.n_programs += 1;
        let (text, threads) = cutoffs::case(seed);
        let compare = |text: &str| {
            let program = throng_boolprog::read(&Source::from_text("random.bp", text)).ok()?.program;
            Some(compare_cutoffs(&program, threads, Effort::default()))
        };
        match compare(&text) {
            Some(Ok(agreement)) => tally.add(agreement),
            Some(Err(found)) => {
                tally.n_failures += 1;
                println!("seed {seed}: {found}");
                let is_same =
                    |text: &str| matches!(compare(text), Some(Err(other)) if other.resembles(&found));
                let small = shrink(&text, is_same);
                println!("threads: {threads:?}\n{small}");
                if let Some(Err(found)) = compare(&small) {
                    println!("{found}\n");
                }
            }
            None => {
                tally.n_failures += 1;
                println!("seed {seed}: the program cannot be read\n{text}");
            }
        }
    }
    tally.print(started.elapsed());
    if tally.n_failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl CutoffTally {
    fn add(&mut self, agreement: Option<cutoffs::Agreement>) {
        let Some(agreement) = agreement else { return };
        self.n_compared += 1;
        self.n_uniform += u64::from(agreement.is_uniform_compared);
        self.n_checked += u64::from(agreement.n_checked);
        for (counts, cutoff) in self.cutoffs.iter_mut().zip([agreement.reachability, agreement.uniform]) {
            *counts.entry(cutoff).or_default() += 1;
        }
    }

    fn print(&self, elapsed: Duration) {
        let per_second = self.n_programs as f64 / elapsed.as_secs_f64().max(1e-9);
        println!("programs: {} ({per_second:.0} per second)", self.n_programs);
        let passed_over = self.n_programs - self.n_compared - self.n_failures;
        println!("compared: {}, with first depths: {}", self.n_compared, self.n_uniform);
        println!("passed over: {passed_over}, evidence accepted: {}", self.n_checked);
        let [reachability, uniform] = &self.cutoffs;
        println!("how often each reachability cutoff: {reachability:?}");
        println!("how often each uniform cutoff: {uniform:?}");
        println!("disagreements: {}", self.n_failures);
    }
}

impl Tally {
    fn add(&mut self, agreement: Agreement) {
        match agreement.verdict {
            Some(Verdict::Safe) => self.n_safe += 1,
            Some(Verdict::Unsafe) => self.n_unsafe += 1,
            None => self.n_undecided += 1,
        }
        self.n_with[agreement.threads.unwrap_or(0) as usize] += 1;
        self.n_explored += u64::from(agreement.is_explored);
        self.n_checked += u64::from(agreement.n_checked);
        self.n_given_up += u64::from(agreement.n_given_up);
    }

    fn print(&self, elapsed: Duration) {
        let per_second = self.n_programs as f64 / elapsed.as_secs_f64().max(1e-9);
        println!("programs: {} ({per_second:.0} per second)", self.n_programs);
        println!("safe: {}, unsafe: {}, undecided: {}", self.n_safe, self.n_unsafe, self.n_undecided);
        let [_, one, two, three] = self.n_with;
        println!("unsafe with 1, 2 and 3 threads: {one}, {two}, {three}");
        println!("explored completely: {} of {}", self.n_explored, self.n_programs);
        println!("evidence accepted: {}, given up: {}", self.n_checked, self.n_given_up);
        println!("disagreements: {}", self.n_failures);
    }
}
