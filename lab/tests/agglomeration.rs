//! Agglomeration against the brute-force oracle, on random systems in which threads take detours.

use throng_base::Budget;
use throng_engine::EngineKind;
use throng_lab::detours::from_seed;
use throng_lab::differential::{Agreement, Method, compare};
use throng_lab::oracle::Bounds;
use throng_lab::shrink::shrink;
use throng_reduce::{Strength, reduce};

const N_SYSTEMS: u64 = 1_500;

#[test]
fn verdicts_stay_and_lifted_evidence_is_accepted() {
    for engine in EngineKind::ALL {
        let mut decided = [0, 0];
        for seed in 0..N_SYSTEMS {
            let sketch = from_seed(seed);
            let method = Method::from_seed(engine, seed);
            let fails = |s: &throng_lab::Sketch| compare(&s.build(), &method, &Bounds::default()).is_err();
            match compare(&sketch.build(), &method, &Bounds::default()) {
                Ok(comparison) => match comparison.agreement {
                    Agreement::Safe => decided[0] += 1,
                    Agreement::Unsafe => decided[1] += 1,
                    _ => {}
                },
                Err(error) => panic!("seed {seed}, {method}: {error}\n{}", shrink(&sketch, fails)),
            }
        }
        // Not every engine ends on every system.
        assert!(decided.iter().all(|&n| n > N_SYSTEMS / 10), "{}: {decided:?}", engine.name());
    }
}

#[test]
fn agglomeration_is_common() {
    let (mut n_some, mut n_several) = (0, 0);
    for seed in 0..N_SYSTEMS {
        let reduction = reduce(&from_seed(seed).build(), Strength::Full, &Budget::unlimited());
        let reduction = reduction.expect("nobody stops it");
        let n_locals = reduction.map_or(0, |reduction| reduction.counters().agglomerated_locals);
        n_some += u64::from(n_locals > 0);
        n_several += u64::from(n_locals > 1);
    }
    assert!(n_some > N_SYSTEMS / 8 && n_several > N_SYSTEMS / 30, "{n_some} and {n_several} of {N_SYSTEMS}");
}
