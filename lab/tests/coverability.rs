//! Minimal coverability sets of random systems against the Karp–Miller engine, the checker and the brute-force oracle.

use throng_base::{Budget, StopReason};
use throng_cert::{CoverSet, Evidence};
use throng_engine::mincov::{Coverability, coverability_set};
use throng_engine::{EngineKind, Observer, Progress};
use throng_lab::Sketch;
use throng_lab::differential::{evidence, through_json};
use throng_lab::oracle::{Bounds, Verdict, decide};
use throng_lab::random::from_seed;
use throng_lab::sketch::config;
use throng_model::{Config, System};

/// Ends searches that may go on for ever, the same way every time.
struct Brake<'a>(&'a Budget);

impl Observer for Brake<'_> {
    fn progress(&self, progress: &Progress) {
        if progress.steps > 2_000 {
            self.0.stop(StopReason::Memory);
        }
    }
}

fn covered(system: &System) -> Coverability {
    let budget = Budget::unlimited();
    coverability_set(system, &budget, &Brake(&budget))
}

fn without_targets(sketch: &Sketch) -> Sketch {
    Sketch { targets: Vec::new(), ..sketch.clone() }
}

fn has_moves(sketch: &Sketch) -> bool {
    sketch.rules.iter().any(|rule| !rule.moves.is_empty())
}

#[test]
fn complete_sets_are_those_of_karp_and_miller_and_the_checker_accepts_them() {
    let mut n_compared = 0;
    for seed in 0..6_000 {
        let sketch = without_targets(&from_seed(seed).sketch);
        let system = sketch.build();
        let Coverability { elements, ending, .. } = covered(&system);
        if ending.is_err() {
            assert!(has_moves(&sketch), "seed {seed} does not end\n{sketch}");
            continue;
        }
        let document = through_json(&system, &Evidence::CoverSet(CoverSet { elements: elements.clone() }));
        let checked = throng_check::check(&system, &document.expect("sets have a JSON form"));
        assert!(checked.is_ok(), "seed {seed}: {checked:?}\n{sketch}");
        if let Some(Evidence::CoverSet(mut other)) = evidence(&system, &EngineKind::KarpMiller.into()) {
            other.elements.sort();
            assert_eq!(elements, other.elements, "seed {seed}\n{sketch}");
            n_compared += 1;
        }
    }
    assert!(n_compared > 4_000, "only {n_compared} compared");
}

/// All configurations with at most two threads.
fn small_configs(sketch: &Sketch) -> Vec<Config> {
    let locals = 0..sketch.n_locals;
    let mut bags = vec![vec![]];
    for first in locals.clone() {
        bags.push(vec![first]);
        bags.extend(locals.clone().filter(|&second| second >= first).map(|second| vec![first, second]));
    }
    (0..sketch.n_shared).flat_map(|shared| bags.iter().map(move |bag| config(shared, bag))).collect()
}

#[test]
fn a_configuration_is_in_the_set_if_and_only_if_the_oracle_covers_it() {
    let (mut n_inside, mut n_outside) = (0, 0);
    for seed in 0..400 {
        let sketch = without_targets(&from_seed(seed).sketch);
        let Coverability { elements, ending, .. } = covered(&sketch.build());
        for config in small_configs(&sketch) {
            let is_inside = elements.iter().any(|element| config.view().le(element.view()));
            let asked = Sketch { targets: vec![config.clone()], ..sketch.clone() }.build();
            match decide(&asked, &Bounds::default()) {
                Verdict::Undecided => {}
                Verdict::Safe(_) => {
                    assert!(!is_inside, "seed {seed}: {config:?} is not coverable\n{sketch}");
                    n_outside += 1;
                }
                Verdict::Unsafe(_) => {
                    assert!(is_inside || ending.is_err(), "seed {seed}: {config:?} is missing\n{sketch}");
                    n_inside += usize::from(is_inside);
                }
            }
        }
    }
    assert!(n_inside > 1_000 && n_outside > 1_000, "{n_inside} inside, {n_outside} outside");
}
