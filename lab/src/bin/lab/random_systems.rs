//! Decides many random systems with every engine, checks all evidence and compares with the brute-force oracle.
//!
//! Exit code 0: no disagreement; 1: disagreements, printed as shrunk systems; 2: usage.

use clap::Args;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use throng_engine::EngineKind;
use throng_lab::Sketch;
use throng_lab::differential::{Agreement, Comparison, Disagreement, Method, compare, compare_with};
use throng_lab::oracle::{Bounds, decide};
use throng_lab::programs::program_from_seed;
use throng_lab::random::{Generated, Kind, from_seed, heavy_from_seed};
use throng_lab::shrink::{shrink, weight};

/// Compares engines with a brute-force oracle on random systems.
#[derive(Args)]
pub(crate) struct Arguments {
    /// How many systems.
    #[arg(long, default_value_t = 100_000)]
    count: u64,
    /// Seed of the first system; the next one has the next seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after this many seconds (`60s` or `60`), having done fewer.
    #[arg(long, value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Only this engine; all otherwise.
    #[arg(long, value_parser = parse_engine)]
    engine: Option<EngineKind>,
    /// Systems with weights of up to a million.
    #[arg(long)]
    heavy: bool,
    /// Systems with the control flow of programs.
    #[arg(long, conflicts_with = "heavy")]
    programs: bool,
    /// Print the system of `--seed` and do nothing else.
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
    /// Sizes of the evidence by how engine and oracle agree.
    sizes: BTreeMap<Agreement, Vec<u64>>,
    kinds: BTreeMap<Kind, u64>,
    n_systems: u64,
    n_failures: u64,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if arguments.show {
        print!("{}", arguments.system(arguments.seed).sketch);
        return ExitCode::SUCCESS;
    }
    let engines = arguments.engine.map_or_else(|| EngineKind::ALL.to_vec(), |engine| vec![engine]);
    let started = Instant::now();
    let mut tally = Tally::default();
    for seed in (0..arguments.count).map(|i| arguments.seed.wrapping_add(i)) {
        if arguments.time.is_some_and(|limit| started.elapsed() >= limit) {
            println!("time is up after {} of {} systems", tally.n_systems, arguments.count);
            break;
        }
        tally.run(seed, arguments.system(seed), &engines);
    }
    tally.print(started.elapsed());
    if tally.n_failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Arguments {
    /// The system with this seed.
    fn system(&self, seed: u64) -> Generated {
        if self.programs {
            Generated { sketch: program_from_seed(seed), kinds: Vec::new(), small: None }
        } else if self.heavy {
            heavy_from_seed(seed)
        } else {
            from_seed(seed)
        }
    }
}

impl Tally {
    fn run(&mut self, seed: u64, generated: Generated, engines: &[EngineKind]) {
        self.n_systems += 1;
        generated.kinds.iter().for_each(|&kind| *self.kinds.entry(kind).or_default() += 1);
        let system = generated.sketch.build();
        for &engine in engines {
            let method = Method::from_seed(engine, seed);
            let small = generated.small.as_ref().map(Sketch::build);
            let oracle = || decide(small.as_ref().unwrap_or(&system), &Bounds::default());
            match compare_with(&system, &method, oracle) {
                Ok(Comparison { agreement, size }) => self.sizes.entry(agreement).or_default().push(size),
                Err(disagreement) => {
                    self.n_failures += 1;
                    report(seed, &method, &generated.sketch, &disagreement);
                }
            }
        }
    }

    fn print(&self, elapsed: Duration) {
        let per_second = self.n_systems as f64 / elapsed.as_secs_f64().max(1e-9);
        println!("systems: {} ({per_second:.0} per second)", self.n_systems);
        let mut sizes = self.sizes.clone();
        let mut line = |label: &str, agreement, unit: &str| {
            let sizes = sizes.entry(agreement).or_default();
            sizes.sort_unstable();
            let at = |percent: usize| sizes.get(sizes.len() * percent / 100).copied().unwrap_or(0);
            let (median, high, most) = (at(50), at(90), sizes.last().copied().unwrap_or(0));
            println!("{label}: {} ({unit}: median {median}, 90 % below {high}, most {most})", sizes.len());
        };
        line("both safe", Agreement::Safe, "elements");
        line("both unsafe", Agreement::Unsafe, "steps");
        line("oracle undecided, engine safe", Agreement::OnlyEngineSafe, "elements");
        line("oracle undecided, engine unsafe", Agreement::OnlyEngineUnsafe, "steps");
        println!("engine gave up: {}", self.sizes.get(&Agreement::EngineGaveUp).map_or(0, Vec::len));
        let kinds = self.kinds.iter().map(|(kind, n)| format!("{kind:?} {n}"));
        println!("rules: {}", kinds.collect::<Vec<_>>().join(", "));
        println!("disagreements: {}", self.n_failures);
    }
}

/// Heavier systems are printed as they are: shrinking takes threads away one by one.
const MOST_WEIGHT_TO_SHRINK: usize = 10_000;

/// Prints a disagreement with the smallest system found that shows one.
fn report(seed: u64, method: &Method, sketch: &Sketch, disagreement: &Disagreement) {
    println!("seed {seed}, engine {method}: {disagreement}");
    if weight(sketch) > MOST_WEIGHT_TO_SHRINK {
        println!("{sketch}");
        return;
    }
    let small = shrink(sketch, |s| compare(&s.build(), method, &Bounds::default()).is_err());
    if let Err(disagreement) = compare(&small.build(), method, &Bounds::default()) {
        println!("shrunk: {disagreement}\n{small}");
    }
}
