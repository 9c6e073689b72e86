//! Engines with a planted bug in their predecessors: the checker notices whenever the bug matters.

use throng_check::check;
use throng_engine::EngineKind;
use throng_lab::differential::{evidence, through_json};
use throng_lab::faulty::{Fault, Faulty};
use throng_lab::naive::{Judgement, judge};
use throng_lab::oracle::{Bounds, Verdict, decide};
use throng_lab::random::from_seed;
use throng_model::TransitionSystem;

/// What became of the evidence that a faulty engine found for many systems.
#[derive(Debug, Default)]
struct Outcome {
    n_rejected: usize,
    /// Wrong verdicts among the rejected.
    n_wrong_verdicts: usize,
    n_accepted: usize,
}

/// Runs a faulty engine on random systems. Accepted evidence must be right and of the right verdict.
fn run(fault: Fault, engine: EngineKind) -> Outcome {
    let mut outcome = Outcome::default();
    for seed in 0..800 {
        let system = from_seed(seed).sketch.build();
        let faulty = Faulty::new(from_seed(seed).sketch.build(), fault).expect("explicit rules");
        // The concolic engine reads the rules; the others ask for predecessors and successors.
        let seen: &dyn TransitionSystem = match (engine, faulty.believed()) {
            (EngineKind::Concolic, Some(believed)) => believed,
            _ => &faulty,
        };
        let Some(evidence) = evidence(seen, &engine.into()) else { continue };
        let document = through_json(&system, &evidence).expect("JSON");
        let truth = match decide(&system, &Bounds::default()) {
            Verdict::Safe(_) => throng_cert::Verdict::Safe,
            Verdict::Unsafe(_) => throng_cert::Verdict::Unsafe,
            Verdict::Undecided => continue,
        };
        if check(&system, &document).is_ok() {
            outcome.n_accepted += 1;
            assert_eq!(document.verdict, truth, "seed {seed}: a wrong verdict was accepted");
            assert_ne!(judge(&system, &document), Judgement::Wrong, "seed {seed}: wrong evidence accepted");
        } else {
            outcome.n_rejected += 1;
            outcome.n_wrong_verdicts += usize::from(document.verdict != truth);
        }
    }
    outcome
}

/// Can an engine have this bug? The concolic one does not drop predecessors, and refuses systems with moves.
fn matters(fault: Fault, engine: EngineKind) -> bool {
    let not_concolic = [Fault::DropEvery(2), Fault::FirstSourceOnly, Fault::IgnoreResets];
    engine != EngineKind::Concolic || !not_concolic.contains(&fault)
}

#[test]
fn the_checker_catches_every_planted_bug() {
    for engine in EngineKind::ALL {
        for fault in Fault::ALL.into_iter().filter(|&fault| matters(fault, engine)) {
            let outcome = run(fault, engine);
            assert!(outcome.n_rejected >= 10, "{fault:?} in {}: {outcome:?}", engine.name());
            assert!(outcome.n_accepted >= 10, "{fault:?} in {}: {outcome:?}", engine.name());
        }
    }
}

#[test]
fn without_a_bug_nothing_is_rejected() {
    // Dropping every predecessor with a number beyond all is no bug.
    let outcome = run(Fault::DropEvery(usize::MAX), EngineKind::Backward);
    assert_eq!((outcome.n_rejected, outcome.n_wrong_verdicts), (0, 0));
}
