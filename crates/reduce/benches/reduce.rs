//! What a reduction costs per rule on random thread transition systems: it should be the same at every size.

#![allow(missing_docs, reason = "the macros of criterion generate undocumented functions")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use throng_base::Budget;
use throng_model::{Bag, Config, Initial, LocalId, Names, Rule, SharedId, System, SystemBuilder};
use throng_reduce::{Strength, reduce};

/// A xorshift generator: the bench needs numbers that are the same each time, nothing more.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Rules `s l -> s' l'` with 100 rules for each shared state and 200 for each local.
fn random_threads(n_rules: usize) -> System {
    let (n_shared, n_locals) = (n_rules / 100, n_rules / 200);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut builder = SystemBuilder::new(Names::Numbered(n_shared), Names::Numbered(n_locals));
    let one = |local| Bag::from_locals([LocalId::new(local)]).expect("one thread");
    for _ in 0..n_rules {
        let (from, to) = (random.below(n_shared), random.below(n_shared));
        let (take, put) = (one(random.below(n_locals)), one(random.below(n_locals)));
        let (from, to) = (SharedId::new(from), SharedId::new(to));
        builder.rule(&Rule { from, to, take, put, moves: vec![] }, 0);
    }
    // Enough of them that most shared states are reached at every size.
    let unbounded = LocalId::all(n_locals / 4).collect();
    builder.initial(Initial { shared: SharedId::new(0), exact: Bag::new(), unbounded });
    builder.target(Config::new(SharedId::new(n_shared - 1), one(n_locals - 1)));
    builder.finish().expect("the parts fit together")
}

fn bench_reduce(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("reduce");
    group.sample_size(10);
    for n_rules in [10_000, 100_000, 1_000_000] {
        let system = random_threads(n_rules);
        group.throughput(Throughput::Elements(n_rules as u64));
        group.bench_with_input(BenchmarkId::from_parameter(n_rules), &system, |bencher, system| {
            bencher.iter(|| black_box(reduce(system, Strength::Full, &Budget::unlimited())));
        });
    }
    group.finish();
}

criterion_group!(benches, bench_reduce);
criterion_main!(benches);
