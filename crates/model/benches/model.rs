//! Benchmarks of the two inner loops of every engine: "is something below this?" and minimal predecessors.
//!
//! Compare figures as ratios within one run; `subsumption/list` scans and is there for that.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::ops::{ControlFlow, RangeInclusive};
use throng_model::{
    Bag, ClosedSet, Config, DownwardClosedSet, Initial, LocalId, Move, Names, OMEGA, Rule, SharedId, System,
    SystemBuilder, TransitionSystem, UpwardClosedSet,
};

/// A reproducible stream of numbers (xorshift64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn config(&mut self, n_shared: usize, n_locals: usize, threads: RangeInclusive<usize>) -> Config {
        let n_threads = threads.start() + self.below(threads.end() - threads.start() + 1);
        let locals = (0..n_threads).map(|_| LocalId::new(self.below(n_locals)));
        let bag = Bag::from_locals(locals).expect("few threads");
        Config::new(SharedId::new(self.below(n_shared)), bag)
    }
}

/// A thread transition system; one rule in `broadcast_every` moves passive threads, some of them many to one.
fn system(n_shared: usize, n_locals: usize, n_rules: usize, broadcast_every: usize) -> System {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut builder = SystemBuilder::new(Names::Numbered(n_shared), Names::Numbered(n_locals));
    for i in 0..n_rules {
        let take = numbers.config(n_shared, n_locals, 1..=1);
        let put = numbers.config(n_shared, n_locals, 1..=1);
        let mut moves: Vec<Move> = Vec::new();
        if i % broadcast_every == 0 {
            let destination = LocalId::new(numbers.below(n_locals));
            let first = numbers.below(n_locals - 3);
            moves.extend((first..first + 3).map(|source| {
                let destinations = vec![destination, LocalId::new(source)];
                Move { source: LocalId::new(source), destinations }
            }));
        }
        builder.rule(&Rule { from: take.shared, to: put.shared, take: take.bag, put: put.bag, moves }, 0);
    }
    builder.initial(Initial {
        shared: SharedId::new(0),
        exact: Bag::new(),
        unbounded: vec![LocalId::new(0)],
    });
    builder.finish().expect("all states exist")
}

fn configs(n: usize, n_shared: usize, n_locals: usize, threads: RangeInclusive<usize>) -> Vec<Config> {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    (0..n).map(|_| numbers.config(n_shared, n_locals, threads.clone())).collect()
}

/// Membership in the upward closure of 20,000 bags of three to five threads, of a net (one shared state).
fn subsumption(criterion: &mut Criterion) {
    let offered = configs(20_000, 1, 60, 3..=5);
    let queries = configs(2_000, 1, 60, 5..=7);
    let mut set = UpwardClosedSet::default();
    for config in &offered {
        set.insert(config.view());
    }
    set.minimise();
    let list: Vec<Config> = set.generators().iter().map(|(_, element)| element.to_config()).collect();

    let mut group = criterion.benchmark_group("subsumption");
    group.throughput(Throughput::Elements(queries.len() as u64));
    group.bench_function("trie", |bencher| {
        bencher.iter(|| queries.iter().filter(|query| set.contains(black_box(query.view()))).count());
    });
    group.bench_function("list", |bencher| {
        let contains = |query: &Config| list.iter().any(|element| element.view().le(query.view()));
        bencher.iter(|| queries.iter().filter(|query| contains(black_box(query))).count());
    });
    group.finish();

    let mut group = criterion.benchmark_group("insertion");
    group.throughput(Throughput::Elements(offered.len() as u64));
    group.bench_function("upward", |bencher| {
        let fill = |mut set: UpwardClosedSet| {
            for config in &offered {
                set.insert(config.view());
            }
            set.minimise();
            set
        };
        bencher.iter_batched(UpwardClosedSet::default, fill, BatchSize::LargeInput);
    });
    let with_omega: Vec<Config> = offered
        .iter()
        .map(|config| {
            let counts =
                config.bag.iter().map(|e| (e.local, if e.local.index() < 20 { OMEGA } else { e.count }));
            Config::new(config.shared, Bag::from_counts(counts).expect("counts do not grow"))
        })
        .collect();
    group.bench_function("downward", |bencher| {
        let fill = |mut set: DownwardClosedSet| {
            for config in &with_omega {
                set.insert(config.view());
            }
            set.minimise();
            set
        };
        bencher.iter_batched(DownwardClosedSet::default, fill, BatchSize::LargeInput);
    });
    group.finish();
}

/// All minimal predecessors of 1,000 configurations of up to five threads.
fn predecessors(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("predecessors");
    for (name, broadcast_every) in [("plain", usize::MAX), ("broadcasts", 4)] {
        let system = system(64, 60, 4_000, broadcast_every);
        let goals = configs(1_000, 64, 60, 1..=5);
        let all = || {
            let mut found = 0_u64;
            for goal in &goals {
                let flow = system.for_each_predecessor(goal.view(), &mut |_, before| {
                    found += 1;
                    black_box(before);
                    ControlFlow::Continue(())
                });
                assert!(flow.is_ok(), "counts are small");
            }
            found
        };
        group.throughput(Throughput::Elements(all()));
        group.bench_function(name, |bencher| bencher.iter(all));
    }
    group.finish();
}

criterion_group!(benches, subsumption, predecessors);
criterion_main!(benches);
