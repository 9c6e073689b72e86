//! Reachable thread states and cutoffs of random Boolean programs: those of brute force.

use throng_base::Source;
use throng_testkit::programs::cutoffs::{Agreement, Effort, case, compare_cutoffs};

#[test]
fn cutoffs_of_programs_are_those_of_brute_force() {
    let mut compared: Vec<Agreement> = Vec::new();
    // The last ones have found wrong supersets.
    for seed in (1..=150).chain([1022, 1045, 1058]) {
        let (text, threads) = case(seed);
        let input = throng_boolprog::read(&Source::from_text("random.bp", &text)).expect("a program");
        let effort = Effort { most_states: 5_000, most_steps: 2_000 };
        let agreement = compare_cutoffs(&input.program, threads, effort)
            .unwrap_or_else(|disagreement| panic!("seed {seed}, {threads:?}: {disagreement}\n{text}"));
        compared.extend(agreement);
    }
    let n_uniform = compared.iter().filter(|it| it.is_uniform_compared).count();
    let largest = compared.iter().map(|it| it.reachability).max();
    assert!(compared.len() > 50 && n_uniform > 40, "{} compared, {n_uniform} with depths", compared.len());
    assert!(largest > Some(1), "{largest:?}");
    assert!(compared.iter().all(|it| it.n_checked > 0));
}
