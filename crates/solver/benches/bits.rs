//! Benchmarks of bit-vector questions: many small ones, as abstraction and bounded search ask, and single
//! hard circuits.
//!
//! Compare figures as ratios within one run.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use throng_base::Budget;
use throng_solver::terms::Op;
use throng_solver::{Backend, BitSolver, TermId, Terms};

/// A reproducible stream of numbers (xorshift64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

const N_QUERIES: usize = 2000;

/// Conjunctions of three to six comparisons of small 32-bit expressions over four variables.
fn queries(terms: &mut Terms) -> Vec<Vec<TermId>> {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let variables: Vec<TermId> = (0..4).map(|i| terms.variable(&format!("x{i}"), 32)).collect();
    (0..N_QUERIES)
        .map(|_| {
            let n = 3 + numbers.below(4);
            (0..n)
                .map(|_| {
                    let (a, b) = (
                        expression(terms, &mut numbers, &variables),
                        expression(terms, &mut numbers, &variables),
                    );
                    match numbers.below(5) {
                        0 => terms.eq(a, b),
                        1 => terms.ne(a, b),
                        2 => terms.ult(a, b),
                        3 => terms.slt(a, b),
                        _ => terms.sle(a, b),
                    }
                })
                .collect()
        })
        .collect()
}

fn expression(terms: &mut Terms, numbers: &mut Numbers, variables: &[TermId]) -> TermId {
    let mut term = variables[numbers.below(variables.len())];
    for _ in 0..numbers.below(3) {
        let other = if numbers.below(2) == 0 {
            variables[numbers.below(variables.len())]
        } else {
            terms.constant(numbers.below(100) as u128, 32)
        };
        let ops = [Op::Add, Op::Add, Op::Sub, Op::And, Op::Or, Op::Xor, Op::LShr];
        term = terms.binary(ops[numbers.below(ops.len())], term, other);
    }
    term
}

/// A new solver for each question, one for 50, and one for all where that ends.
fn small_queries(criterion: &mut Criterion) {
    let mut terms = Terms::new();
    let queries = queries(&mut terms);
    let budget = Budget::unlimited();
    let mut group = criterion.benchmark_group("queries");
    group.throughput(Throughput::Elements(N_QUERIES as u64));
    group.sample_size(10);
    for &backend in Backend::ALL {
        for batch in [1, 10, 50] {
            group.bench_function(format!("{backend:?}, {batch} per solver"), |bencher| {
                bencher.iter(|| {
                    let mut n_sat = 0;
                    for batch in queries.chunks(batch) {
                        let mut solver = BitSolver::new(backend);
                        for query in batch {
                            n_sat += usize::from(solver.check(&terms, black_box(query), &budget).is_sat());
                        }
                    }
                    n_sat
                });
            });
        }
    }
    group.finish();
}

/// A division and a multiplication of 64 bits whose inputs are known: mostly the time to make the circuits.
fn circuits(criterion: &mut Criterion) {
    let budget = Budget::unlimited();
    let mut group = criterion.benchmark_group("circuits");
    for (name, op) in [("udiv", Op::UDiv), ("mul", Op::Mul), ("shl", Op::Shl)] {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", 64), terms.variable("y", 64));
        let (a, b) = (terms.constant(0x1234_5678_9abc_def0, 64), terms.constant(12345, 64));
        let assumptions = [terms.eq(x, a), terms.eq(y, b)];
        let (result, term) = (terms.variable("result", 64), terms.binary(op, x, y));
        let definition = terms.eq(result, term);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut solver = BitSolver::default();
                solver.assert(&terms, definition);
                solver.check(&terms, black_box(&assumptions), &budget).is_sat()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, small_queries, circuits);
criterion_main!(benches);
