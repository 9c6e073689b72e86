//! Cuts, traps and connectivity of random systems: the checker accepts what is found, and no run reaches what it
//! excludes.

use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;
use throng_base::Budget;
use throng_bounds::{CutPool, Pruner};
use throng_cert::{Evidence, Proof};
use throng_check::check;
use throng_lab::Sketch;
use throng_lab::differential::through_json;
use throng_lab::oracle::multisets;
use throng_lab::random::{from_seed, heavy_from_seed};
use throng_lab::sketch;
use throng_model::{Config, ConfigRef, Initial, System, TransitionSystem};

const SYSTEMS: u64 = 1500;

/// Configurations with up to three threads anywhere, at every shared state: some coverable, some not.
fn questions(system: &System) -> Vec<Config> {
    let bags = multisets(system.n_locals())
        .iter()
        .filter(|counts| counts.iter().map(|&n| usize::from(n)).sum::<usize>() <= 3);
    let bags: Vec<Vec<usize>> = bags
        .map(|counts| {
            let locals = counts.iter().enumerate();
            locals.flat_map(|(local, &n)| std::iter::repeat_n(local, usize::from(n))).collect()
        })
        .collect();
    let all =
        (0..system.n_shared()).flat_map(|shared| bags.iter().map(move |bag| sketch::config(shared, bag)));
    all.collect()
}

/// All cuts that are found for a system when everything is asked about.
fn fill<'s>(system: &'s System) -> CutPool<'s> {
    let pool = CutPool::new(system);
    pool.seed(&Budget::unlimited()).expect("nobody stops it");
    let mut pruner = Pruner::new(Some(&pool));
    for config in questions(system) {
        pruner.earn(1_000_000);
        pruner.prune(config.view());
    }
    // What is left is asked about again, with traps.
    pool.settle(&questions(system), 1 << 20, &Budget::unlimited()).expect("nobody stops it");
    pool
}

/// The configurations that are reached from an initial one with `more` threads in each unbounded local; at most 300.
fn reached(system: &System, initial: &Initial, more: u32) -> Vec<Config> {
    let mut start = initial.exact.clone();
    for &local in &initial.unbounded {
        start.add(local, more).expect("few threads");
    }
    let mut queue = VecDeque::from([Config::new(initial.shared, start)]);
    let mut seen: HashSet<Config> = queue.iter().cloned().collect();
    let mut order = Vec::new();
    while let Some(config) = queue.pop_front() {
        let result = system.for_each_successor(config.view(), &mut |_, after| {
            if seen.len() < 300 && seen.insert(after.to_config()) {
                queue.push_back(after.to_config());
            }
            ControlFlow::Continue(())
        });
        order.push(config);
        if result.is_err() {
            break;
        }
    }
    order
}

/// All that is reached from initial configurations with few threads.
fn reached_by_few(system: &System) -> impl Iterator<Item = Config> {
    let starts = system.initial().iter().flat_map(|initial| [0, 1, 3].map(|more| (initial, more)));
    starts.flat_map(|(initial, more)| reached(system, initial, more))
}

#[test]
fn the_checker_accepts_every_cut_and_no_run_breaks_one() {
    let (mut n_cuts, mut n_traps, mut n_settled) = (0, 0, 0);
    for seed in 0..SYSTEMS {
        let sketch = from_seed(seed).sketch;
        let system = sketch.build();
        let pool = fill(&system);
        let (cuts, traps) = pool.all();
        (n_cuts, n_traps) = (n_cuts + cuts.len(), n_traps + traps.len());
        // Without targets, a proof is its cuts and nothing else.
        let no_targets = Sketch { targets: vec![], ..sketch }.build();
        let proof = Evidence::Proof(Proof { cuts, traps, elements: vec![] });
        let document = through_json(&no_targets, &proof).expect("JSON");
        if let Err(rejection) = check(&no_targets, &document) {
            panic!("seed {seed}: {rejection}");
        }
        let mut pruner = Pruner::new(Some(&pool));
        for config in reached_by_few(&system) {
            assert!(!pruner.is_broken_by(config.view()), "seed {seed}: {config:?} is reached");
        }
        n_settled += usize::from(system.targets().iter().all(|target| pruner.is_broken_by(target.view())));
    }
    assert!(
        n_cuts > 1000 && n_traps > 10 && n_settled > 200,
        "{n_cuts} cuts, {n_traps} traps, {n_settled} settled"
    );
}

#[test]
fn proofs_by_cuts_alone_are_accepted() {
    for seed in 0..SYSTEMS {
        let system = from_seed(seed).sketch.build();
        let pool = CutPool::new(&system);
        let left = pool.settle(system.targets(), 1 << 20, &Budget::unlimited()).expect("nobody stops it");
        let mut pruner = Pruner::new(Some(&pool));
        let broken =
            |(index, target): (usize, &Config)| pruner.is_broken_by(target.view()) != left.contains(&index);
        assert!(
            system.targets().iter().enumerate().all(broken),
            "seed {seed}: the survivors are not those left"
        );
        if left.is_empty() {
            let (cuts, traps) = pruner.evidence();
            let proof = Evidence::Proof(Proof { cuts, traps, elements: vec![] });
            let document = through_json(&system, &proof).expect("JSON");
            assert!(check(&system, &document).is_ok(), "seed {seed}");
        }
    }
}

#[test]
fn the_smallest_part_that_breaks_a_cut_breaks_one_too() {
    let mut n_smaller = 0;
    for seed in 0..SYSTEMS / 5 {
        let system = from_seed(seed).sketch.build();
        let pool = fill(&system);
        let mut pruner = Pruner::new(Some(&pool));
        for config in questions(&system) {
            if pruner.is_broken_by(config.view()) {
                let mut smallest = throng_model::Bag::new();
                pruner.minimise(config.view(), &mut smallest);
                let smallest = ConfigRef::new(config.shared, &smallest);
                assert!(smallest.le(config.view()), "seed {seed}");
                assert!(pruner.is_broken_by(smallest), "seed {seed}: {config:?}");
                n_smaller += usize::from(smallest.size() < config.view().size());
            }
        }
    }
    assert!(n_smaller > 1000, "{n_smaller}");
}

#[test]
fn the_same_questions_give_the_same_cuts() {
    for seed in 0..SYSTEMS / 5 {
        let system = from_seed(seed).sketch.build();
        assert_eq!(fill(&system).all(), fill(&system).all(), "seed {seed}");
    }
}

/// Questions that connectivity settles and cuts do not, and the elements for them.
fn unconnected(system: &System, pool: &CutPool<'_>) -> (Vec<Config>, Vec<Config>) {
    let (questions, budget) = (questions(system), Budget::unlimited());
    let left = pool.settle(&questions, 1 << 20, &budget).expect("nobody stops it");
    let (mut targets, mut elements) = (Vec::new(), Vec::new());
    // One by one: after many failures in a row nothing is tried any more.
    for target in left.into_iter().map(|index| &questions[index]) {
        let connected =
            pool.connect(std::slice::from_ref(target), 1 << 20, &budget).expect("nobody stops it");
        if connected.n_settled > 0 {
            assert!(connected.left.is_empty());
            targets.push(target.clone());
            elements.extend(connected.elements);
        }
    }
    (targets, elements)
}

#[test]
fn what_is_not_connected_is_not_coverable() {
    let (mut n_settled, mut n_with_weights, mut n_with_moves) = (0, 0, 0);
    for seed in 0..SYSTEMS {
        let sketch = from_seed(seed).sketch;
        let system = sketch.build();
        let pool = CutPool::new(&system);
        let (targets, elements) = unconnected(&system, &pool);
        for config in reached_by_few(&system) {
            let below = elements.iter().find(|element| element.view().le(config.view()));
            assert_eq!(below, None, "seed {seed}: {config:?} is reached");
        }
        let (cuts, traps) = Pruner::new(Some(&pool)).evidence();
        n_settled += targets.len();
        let elements_alone = Proof { cuts: vec![], traps: vec![], elements: elements.clone() };
        let weights_matter = !accepts(&system, &elements_alone, &targets);
        n_with_weights += usize::from(weights_matter);
        let has_moves = system.rules().iter().any(|(_, rule)| rule.has_moves());
        n_with_moves += usize::from(weights_matter && has_moves);
        assert!(accepts(&system, &Proof { cuts, traps, elements }, &targets), "seed {seed}");
    }
    assert!(
        n_settled > 1000 && n_with_weights > 100 && n_with_moves > 50,
        "{n_settled} settled; systems in which cuts are needed for that: {n_with_weights}, with moves {n_with_moves}"
    );
}

#[test]
fn large_numbers_do_no_harm_to_connectivity() {
    let mut n_settled = 0;
    for seed in 0..SYSTEMS {
        let system = heavy_from_seed(seed).sketch.build();
        let (pool, budget) = (CutPool::new(&system), Budget::unlimited());
        let left = pool.settle(system.targets(), 1 << 20, &budget).expect("nobody stops it");
        let left: Vec<Config> = left.into_iter().map(|index| system.targets()[index].clone()).collect();
        let connected = pool.connect(&left, 1 << 20, &budget).expect("nobody stops it");
        n_settled += connected.n_settled;
        if connected.left.is_empty() {
            let (cuts, traps) = Pruner::new(Some(&pool)).evidence();
            assert!(
                accepts(&system, &Proof { cuts, traps, elements: connected.elements }, &left),
                "seed {seed}"
            );
        }
    }
    assert!(n_settled > 50, "{n_settled}");
}

/// Whether the checker accepts a proof that targets are not coverable.
fn accepts(system: &System, proof: &Proof, targets: &[Config]) -> bool {
    let system = Sketch { targets: targets.to_vec(), ..Sketch::of(system) }.build();
    let document = through_json(&system, &Evidence::Proof(proof.clone())).expect("JSON");
    check(&system, &document).is_ok()
}

#[test]
fn a_circle_of_shared_states_that_cannot_be_left_is_no_help() {
    // Shared state 0 can be left for 1 only; the circle of 1 and 2 fills local 1, which is wanted at 0. The state
    // inequation goes round the circle without having been there.
    let sketch = Sketch::new(3, 3)
        .rule((0, 1), &[0], &[0], &[])
        .rule((1, 2), &[0], &[0], &[])
        .rule((2, 1), &[0], &[1], &[])
        .rule((0, 0), &[1], &[2], &[])
        .initial(0, &[], &[0])
        .target(0, &[2, 2]);
    let system = sketch.build();
    let (pool, budget) = (CutPool::new(&system), Budget::unlimited());
    assert_eq!(pool.settle(system.targets(), 1 << 20, &budget), Ok(vec![0]));
    let connected = pool.connect(system.targets(), 1 << 20, &budget).expect("nobody stops it");
    assert!(connected.left.is_empty());
    let (cuts, traps) = Pruner::new(Some(&pool)).evidence();
    assert!(accepts(&system, &Proof { cuts, traps, elements: connected.elements }, system.targets()));
}
