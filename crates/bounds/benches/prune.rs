//! What it costs a search to ask whether a new element breaks a known cut.

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use throng_base::Budget;
use throng_bounds::{CutPool, Pruner};
use throng_model::{Bag, Config, Entry, Initial, LocalId, Names, Rule, SharedId, System, SystemBuilder};

const PROCESSES: usize = 100;
const LOCATIONS: usize = 10;

fn bag(locals: impl IntoIterator<Item = usize>) -> Bag {
    Bag::from_locals(locals.into_iter().map(LocalId::new)).expect("few threads")
}

/// A net of processes that go round in circles, each in one of its locations; every process is a cut.
fn processes() -> System {
    let mut builder = SystemBuilder::net(Names::Numbered(PROCESSES * LOCATIONS));
    let shared = SharedId::new(0);
    for process in 0..PROCESSES {
        for location in 0..LOCATIONS {
            let place = |location: usize| bag([process * LOCATIONS + location % LOCATIONS]);
            let (take, put) = (place(location), place(location + 1));
            builder.rule(&Rule { from: shared, to: shared, take, put, moves: vec![] }, 0);
        }
    }
    let exact = bag((0..PROCESSES).map(|process| process * LOCATIONS));
    builder.initial(Initial { shared, exact, unbounded: vec![] });
    builder.target(Config::new(shared, bag((0..PROCESSES).map(|process| process * LOCATIONS + 1))));
    builder.finish().expect("the parts fit together")
}

/// Configurations of four threads in different processes, which break no cut.
fn unbroken() -> Vec<Config> {
    let place = |process: usize, i: usize| process % PROCESSES * LOCATIONS + i % LOCATIONS;
    let threads = |i: usize| [(i, i), (i + 7, i / 2), (i + 31, 3 * i), (i + 58, i / 5)];
    let configs = (0..1000).map(|i| bag(threads(i).map(|(process, location)| place(process, location))));
    configs.map(|bag| Config::new(SharedId::new(0), bag)).collect()
}

fn ask(criterion: &mut Criterion) {
    let system = processes();
    let pool = CutPool::new(&system);
    pool.seed(&Budget::unlimited()).expect("nobody stops it");
    assert_eq!(pool.len(), PROCESSES);
    let mut pruner = Pruner::new(Some(&pool));
    let unbroken = unbroken();
    criterion.bench_function("1000 elements of four threads, 100 cuts, none broken", |bencher| {
        bencher
            .iter(|| unbroken.iter().filter(|config| pruner.is_broken_by(black_box(config.view()))).count());
    });
    let broken: Vec<Config> = unbroken
        .into_iter()
        .map(|config| {
            let twice = config.bag.iter().map(|&Entry { local, count }| (local, 2 * count));
            Config::new(config.shared, Bag::from_counts(twice).expect("few threads"))
        })
        .collect();
    criterion.bench_function("1000 elements of eight threads, 100 cuts, all broken", |bencher| {
        bencher.iter(|| broken.iter().filter(|config| pruner.is_broken_by(black_box(config.view()))).count());
    });
}

criterion_group!(benches, ask);
criterion_main!(benches);
