//! What checking costs where evidence is large: many cuts, many elements, wide rules.

#![allow(missing_docs, reason = "the macros of criterion generate undocumented functions")]
#![allow(clippy::unwrap_used, reason = "the evidence is right by construction")]

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use throng_cert::document::{Configuration, CoverSet, Cut, Proof};
use throng_cert::{Body, Count, EvidenceDocument, State, Verdict};
use throng_model::{Bag, Config, Initial, LocalId, Move, Names, Rule, SharedId, System, SystemBuilder};

fn local(index: usize) -> LocalId {
    LocalId::new(index)
}

fn bag(counts: impl IntoIterator<Item = (usize, u32)>) -> Bag {
    Bag::from_counts(counts.into_iter().map(|(index, count)| (local(index), count))).unwrap()
}

fn rule(take: &[usize], put: &[usize], moves: Vec<Move>) -> Rule {
    let shared = SharedId::new(0);
    let bag = |locals: &[usize]| bag(locals.iter().map(|&local| (local, 1)));
    Rule { from: shared, to: shared, take: bag(take), put: bag(put), moves }
}

/// A net over numbered places.
fn net(n_places: usize, rules: &[Rule], exact: Bag, unbounded: Vec<LocalId>, target: Bag) -> System {
    let shared = SharedId::new(0);
    let mut builder = SystemBuilder::new(Names::single_anonymous(), Names::Numbered(n_places));
    for rule in rules {
        builder.rule(rule, 0);
    }
    builder.initial(Initial { shared, exact, unbounded });
    builder.target(Config::new(shared, target));
    builder.finish().unwrap()
}

fn configuration(threads: impl IntoIterator<Item = (usize, Count)>) -> Configuration {
    let threads = threads.into_iter().map(|(local, count)| (State::Name(local.to_string()), count));
    Configuration { shared: None, threads: threads.collect() }
}

fn safe(body: Body) -> EvidenceDocument {
    EvidenceDocument { verdict: Verdict::Safe, engine: None, input: None, body }
}

/// Independent cells: one thread each, which goes from place 2i to 2i + 1 and back.
fn cells(n_cells: usize) -> Vec<Rule> {
    let flip = |i: usize| [rule(&[2 * i], &[2 * i + 1], vec![]), rule(&[2 * i + 1], &[2 * i], vec![])];
    (0..n_cells).flat_map(flip).collect()
}

/// 400 cells, a cut for each and 100 over 40 cells each; 1000 elements of 60 threads, two of them in one cell,
/// so that all predecessors of all elements break a cut.
fn many_cuts() -> (System, EvidenceDocument) {
    const CELLS: usize = 400;
    let exact = bag((0..CELLS).map(|i| (2 * i, 1)));
    let system = net(2 * CELLS, &cells(CELLS), exact, vec![], bag([(1, 2)]));
    let cut_over = |cells: Vec<usize>| Cut {
        bound: cells.len() as u64,
        locals: cells.iter().flat_map(|i| [2 * i, 2 * i + 1]).map(|place| (place.to_string(), 1)).collect(),
        ..Cut::default()
    };
    let wide = (0..100).map(|k| cut_over((0..40).map(|i| (k + 7 * i) % CELLS).collect()));
    let cuts = wide.chain((0..CELLS).map(|i| cut_over(vec![i]))).collect();
    let element = |k: usize| {
        let one_each = (1..60).map(move |i| (2 * ((k + 5 * i) % CELLS) + (k + i) % 2, Count::Finite(1)));
        configuration(one_each.chain([(2 * (k % CELLS) + k / CELLS % 2, Count::Finite(2))]))
    };
    let elements = (0..1000).map(element).collect();
    (system, safe(Body::Proof(Proof { cuts, elements, ..Proof::default() })))
}

/// 16 cells in all 65536 ways, beside a ring of 30 places that hold arbitrarily many.
fn many_elements() -> (System, EvidenceDocument) {
    const CELLS: usize = 16;
    const RING: usize = 30;
    let place = |i: usize| 2 * CELLS + i % RING;
    let mut rules = cells(CELLS);
    rules.extend((0..RING).map(|i| rule(&[place(i)], &[place(i), place(i + 1)], vec![])));
    let exact = bag((0..CELLS).map(|i| (2 * i, 1)));
    let unbounded = (0..RING).map(|i| local(place(i))).collect();
    let system = net(2 * CELLS + RING, &rules, exact, unbounded, bag([(0, 2)]));
    let element = |ways: usize| {
        let cells = (0..CELLS).map(move |i| (2 * i + (ways >> i & 1), Count::Finite(1)));
        configuration(cells.chain((0..RING).map(|i| (place(i), Count::Omega))))
    };
    let elements = (0..1 << CELLS).map(element).collect();
    (system, safe(Body::CoverSet(CoverSet { elements, ..CoverSet::default() })))
}

/// A broadcast that moves every thread one place on, 5000 places; as many elements.
fn wide_moves() -> (System, EvidenceDocument) {
    const PLACES: usize = 5000;
    let moves =
        (0..PLACES).map(|i| Move { source: local(i), destinations: vec![local((i + 1) % PLACES)] }).collect();
    let system = net(PLACES, &[rule(&[], &[], moves)], bag([(0, 1)]), vec![], bag([(0, 2)]));
    let elements = (0..PLACES).map(|i| configuration([(i, Count::Finite(2))])).collect();
    (system, safe(Body::Proof(Proof { elements, ..Proof::default() })))
}

fn benchmarks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("check");
    group.sample_size(10);
    for (name, (system, document)) in
        [("many cuts", many_cuts()), ("many elements", many_elements()), ("wide moves", wide_moves())]
    {
        group.bench_function(name, |bencher| {
            bencher.iter(|| throng_check::check(&system, black_box(&document)).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, benchmarks);
criterion_main!(benches);
