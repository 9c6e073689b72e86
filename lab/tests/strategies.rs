//! The strategies of the Karp–Miller search: each gives the verdicts of brute force with evidence that is accepted, and what
//! a search looks at to accelerate changes nothing about what it finds.

use throng_engine::options::Record;
use throng_engine::{Ancestors, EngineKind, Options, Order};
use throng_lab::Sketch;
use throng_lab::differential::{Agreement, Method, compare, run};
use throng_lab::oracle::Bounds;
use throng_lab::programs::program_from_seed;
use throng_lab::random::from_seed;
use throng_lab::shrink::shrink;

const N_SYSTEMS: u64 = 400;

fn method(order: Order, ancestors: Ancestors, seed: u64) -> Method {
    let record = Record { graphs: true, ..Record::default() };
    Method {
        engine: EngineKind::KarpMiller,
        options: Options { order, ancestors, seed, record, ..Options::default() },
    }
}

/// Random systems, and some with the control flow of programs.
fn sketches() -> impl Iterator<Item = (u64, Sketch)> {
    let systems = (0..N_SYSTEMS).map(|seed| (seed, from_seed(seed).sketch));
    systems.chain((0..N_SYSTEMS / 2).map(|seed| (seed, program_from_seed(seed))))
}

#[test]
fn every_strategy_agrees_with_the_oracle() {
    for order in Order::ALL {
        for ancestors in Ancestors::ALL {
            let mut n_decided = 0;
            for (seed, sketch) in sketches() {
                let method = method(order, ancestors, seed);
                let fails = |s: &Sketch| compare(&s.build(), &method, &Bounds::default()).is_err();
                match compare(&sketch.build(), &method, &Bounds::default()) {
                    Ok(comparison) => {
                        n_decided +=
                            u64::from(matches!(comparison.agreement, Agreement::Safe | Agreement::Unsafe));
                    }
                    Err(error) => panic!("seed {seed}, {method}: {error}\n{}", shrink(&sketch, fails)),
                }
            }
            let least = N_SYSTEMS * 3 / 2 * 8 / 10;
            assert!(n_decided > least, "{} {}: only {n_decided}", order.name(), ancestors.name());
        }
    }
}

#[test]
fn minimal_ancestors_lead_to_the_same_tree_with_fewer_comparisons() {
    let mut compared = [0, 0];
    // Without targets a search goes on until it has seen everything.
    for (seed, sketch) in sketches().map(|(seed, sketch)| (seed, Sketch { targets: Vec::new(), ..sketch })) {
        let system = sketch.build();
        let order = Order::ALL[seed as usize % Order::ALL.len()];
        let [all, minimal] = Ancestors::ALL.map(|ancestors| run(&system, &method(order, ancestors, seed)));
        assert_eq!(all.recording, minimal.recording, "seed {seed}, {}\n{sketch}", order.name());
        let of = |outcome: &throng_engine::Outcome| {
            outcome.statistics.iter().find(|(name, _)| *name == "ancestors_compared").map_or(0, |(_, n)| n)
        };
        let [n_all, n_minimal] = [of(&all), of(&minimal)];
        assert!(n_minimal <= n_all, "seed {seed}: {n_minimal} of {n_all}\n{sketch}");
        compared = [compared[0] + n_all, compared[1] + n_minimal];
    }
    assert!(compared[1] < compared[0], "{compared:?}");
}
