//! Minimal proofs are minimal: both conditions of Definition 24 of Kaiser's thesis, decided without the engines'
//! own code for them.

use std::ops::ControlFlow;
use throng_cert::{Evidence, Verdict};
use throng_engine::{CandidateThreads, EngineKind, Options, OracleKind};
use throng_lab::Sketch;
use throng_lab::differential::{Method, evidence, through_json};
use throng_lab::random::from_seed;
use throng_model::{Config, System, TransitionSystem};

const N_SYSTEMS: u64 = 1_500;

/// Whether an element is coverable, by the classical search; `None` if it gave up.
fn is_coverable(sketch: &Sketch, element: &Config) -> Option<bool> {
    let system = Sketch { targets: vec![element.clone()], ..sketch.clone() }.build();
    let evidence = evidence(&system, &EngineKind::Backward.into())?;
    let document = through_json(&system, &evidence).expect("JSON");
    throng_check::check(&system, &document).expect("the evidence is right");
    Some(document.verdict == Verdict::Unsafe)
}

/// What is smaller by one thread. If all of these are coverable, everything smaller is.
fn smaller_by_one(element: &Config) -> impl Iterator<Item = Config> + '_ {
    (0..element.bag.len()).map(|position| {
        let mut smaller = element.clone();
        smaller.bag.remove_one(position);
        smaller
    })
}

/// The greatest subset of elements that is closed under predecessors.
fn greatest_closed(system: &System, mut elements: Vec<Config>) -> Vec<Config> {
    loop {
        let covers = |config: throng_model::ConfigRef<'_>| elements.iter().any(|e| e.view().le(config));
        let closed: Vec<Config> = elements
            .iter()
            .filter(|element| {
                let flow = system.for_each_predecessor(element.view(), &mut |_, before| {
                    if covers(before) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                flow.expect("small counts").is_continue()
            })
            .cloned()
            .collect();
        if closed.len() == elements.len() {
            return closed;
        }
        elements = closed;
    }
}

fn covers_targets(system: &System, elements: &[Config]) -> bool {
    let covered = |target: &Config| elements.iter().any(|element| element.view().le(target.view()));
    system.targets().iter().all(covered)
}

#[test]
fn minimal_proofs_satisfy_both_conditions() {
    for engine in [EngineKind::Widen, EngineKind::WidenPessimistic] {
        let mut n_proofs = 0;
        for seed in 0..N_SYSTEMS {
            let sketch = from_seed(seed).sketch;
            let system = sketch.build();
            let oracle = OracleKind::ALL[seed as usize % OracleKind::ALL.len()];
            let options = Options {
                minimal: true,
                candidate_threads: CandidateThreads::Any,
                oracle,
                ..Options::default()
            };
            let Some(Evidence::Proof(proof)) = evidence(&system, &Method { engine, options }) else {
                continue;
            };
            n_proofs += 1;
            let context = || format!("seed {seed}, {}: {:?}\n{sketch}", engine.name(), proof.elements);
            assert_eq!(greatest_closed(&system, proof.elements.clone()).len(), proof.elements.len());
            for (number, element) in proof.elements.iter().enumerate() {
                for smaller in smaller_by_one(element) {
                    let coverable = is_coverable(&sketch, &smaller);
                    assert_ne!(coverable, Some(false), "{smaller:?} would do; {}", context());
                }
                let mut others = proof.elements.clone();
                others.remove(number);
                let rest = greatest_closed(&system, others);
                assert!(!covers_targets(&system, &rest), "{element:?} is superfluous; {}", context());
            }
        }
        assert!(n_proofs > N_SYSTEMS / 4, "{}: only {n_proofs} proofs", engine.name());
    }
}

/// Without the option proofs need not be minimal; if they always were, the test above could not fail.
#[test]
fn other_proofs_need_not_be_minimal() {
    let larger = (0..300).filter(|&seed| {
        let system = from_seed(seed).sketch.build();
        let size = |method: &Method| match evidence(&system, method) {
            Some(Evidence::Proof(proof)) => proof.elements.len(),
            _ => 0,
        };
        let minimal =
            Options { minimal: true, candidate_threads: CandidateThreads::Any, ..Options::default() };
        let plain = Options { cuts: false, ..Options::default() };
        let plain = size(&Method { engine: EngineKind::Backward, options: plain });
        size(&Method { engine: EngineKind::Widen, options: minimal }) < plain
    });
    assert!(larger.count() > 20);
}
