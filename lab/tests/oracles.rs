//! Forward searches never report what is not coverable, also where rules move passive threads.

use throng_engine::options::Record;
use throng_engine::record::ForwardTree;
use throng_engine::{EngineKind, Options, OracleKind, Order};
use throng_lab::Sketch;
use throng_lab::differential::{Method, run};
use throng_lab::oracle::{Bounds, Verdict, decide};
use throng_lab::random::from_seed;
use throng_model::{Bag, Config, OMEGA};

const N_SYSTEMS: u64 = 400;
/// Nodes of one tree that are looked at.
const N_NODES: usize = 12;

/// A configuration below an ω-configuration, small enough for the brute-force oracle: it has so many threads where
/// there may be any number.
fn instance(config: &Config, any: u32) -> Config {
    let counts = config.bag.iter().map(|entry| {
        let count = if entry.count == OMEGA { any } else { entry.count.min(3) };
        (entry.local, count)
    });
    Config::new(config.shared, Bag::from_counts(counts).expect("small counts"))
}

fn tree(sketch: &Sketch, oracle: OracleKind, seed: u64) -> ForwardTree {
    let options = Options {
        oracle,
        seed,
        order: Order::ALL[seed as usize % Order::ALL.len()],
        record: Record { graphs: true, ..Record::default() },
        ..Options::default()
    };
    run(&sketch.build(), &Method { engine: EngineKind::Widen, options }).recording.forward.expect("a tree")
}

/// Counts the nodes of which the oracle knows that they are coverable; one that is not fails the test.
fn confirm(sketch: &Sketch, tree: &ForwardTree, context: &str) -> usize {
    let mut n_confirmed = 0;
    for node in tree.nodes.iter().rev().take(N_NODES) {
        for any in [1, 2] {
            let target = instance(&node.config, any);
            let system = Sketch { targets: vec![target.clone()], ..sketch.clone() }.build();
            match decide(&system, &Bounds::default()) {
                Verdict::Unsafe(_) => n_confirmed += 1,
                Verdict::Safe(_) => {
                    panic!("{context}: {target:?} is not coverable, {:?}\n{sketch}", node.config)
                }
                Verdict::Undecided => {}
            }
        }
    }
    n_confirmed
}

#[test]
fn what_oracles_report_is_coverable() {
    for oracle in [OracleKind::KarpMiller, OracleKind::Explicit, OracleKind::Random] {
        let mut n_confirmed = 0;
        for seed in 0..N_SYSTEMS {
            let sketch = from_seed(seed).sketch;
            let tree = tree(&sketch, oracle, seed);
            n_confirmed += confirm(&sketch, &tree, &format!("seed {seed}, {}", oracle.name()));
        }
        assert!(n_confirmed > N_SYSTEMS as usize, "{}: only {n_confirmed} confirmed", oracle.name());
    }
}

/// Kaiser's thesis, Figure 24: a broadcast empties local state 2 whenever a thread gets there.
#[test]
fn no_oracle_falls_for_figure_24() {
    let sketch = Sketch::new(1, 3)
        .rule((0, 0), &[0], &[1], &[])
        .rule((0, 0), &[1], &[2], &[(2, &[0])])
        .initial(0, &[], &[0])
        .target(0, &[2, 2]);
    for oracle in [OracleKind::KarpMiller, OracleKind::Explicit, OracleKind::Random] {
        for seed in 0..5 {
            let tree = tree(&sketch, oracle, seed);
            let two = throng_model::LocalId::new(2);
            let count = |node: &Config| throng_model::bag::count(&node.bag, two);
            assert!(tree.nodes.iter().all(|node| count(&node.config) <= 1), "{}", oracle.name());
            assert!(confirm(&sketch, &tree, oracle.name()) > 0);
        }
    }
}
