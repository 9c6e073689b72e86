//! Reachable thread states and cutoffs of random Boolean programs: those of brute force.

use std::time::{Duration, Instant};
use throng_base::{Budget, Source};
use throng_boolprog::ProgramQuestion;
use throng_check::program::{check_program, check_reached};
use throng_engine::{Silent, UnknownReason};
use throng_lab::programs::cutoffs::{Agreement, Effort, case, compare_cutoffs};
use throng_lab::programs::families::devices;
use throng_lab::programs::reach::compare_reach;
use throng_symbolic::thread_states::{Shown, Survey};

#[test]
fn cutoffs_of_programs_are_those_of_brute_force() {
    let mut compared: Vec<Agreement> = Vec::new();
    // The last ones have found wrong supersets.
    for seed in (1..=150).chain([1022, 1045, 1058, 501_600]) {
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

#[test]
fn drivers_with_locks_are_surveyed_by_following_one_thread() {
    // Users of a device exclude each other, and devices of earlier phases may be in any state: following few threads in
    // all their interleavings would not end.
    let text = devices(150, 8, 1);
    let input = throng_boolprog::read(&Source::from_text("driver.bp", &text)).expect("a program");
    let mut survey = Survey::new(&input.program, input.program.default_threads()).expect("small statements");
    let mut n_checked = 0;
    let mut accept = |question: &ProgramQuestion, shown: Shown<'_>| -> Result<(), UnknownReason> {
        let accepted = match shown {
            Shown::Answer(document) => check_program(&input.program, question, document).map(drop),
            Shown::Reached(schedule) => {
                check_reached(&input.program, question.threads, schedule, &question.targets)
            }
        };
        accepted.expect("evidence that is accepted");
        n_checked += 1;
        Ok(())
    };
    survey.run(&Budget::unlimited(), &Silent, &mut accept).expect("a complete survey");
    assert_eq!(n_checked, 2, "one proof and one schedule are enough where superset and subset agree");
    assert!(survey.states().count > 1_000);
}

#[test]
fn what_programs_reach_is_what_their_translations_reach() {
    let (mut compared, mut translated) = (0, 0);
    let started = Instant::now();
    for seed in 10_000..11_000 {
        // As many as there is time for, and never fewer than these.
        if seed >= 10_060 && started.elapsed() > Duration::from_secs(5) {
            break;
        }
        let (text, threads) = case(seed);
        let input = throng_boolprog::read(&Source::from_text("random.bp", &text)).expect("a program");
        let effort = Effort { most_states: 2_000, most_steps: 1_000 };
        let agreement = compare_reach(&input.program, threads, effort)
            .unwrap_or_else(|disagreement| panic!("seed {seed}, {threads:?}: {disagreement}\n{text}"));
        compared += usize::from(agreement.is_some());
        translated += usize::from(agreement.is_some_and(|it| it.is_translation_compared));
    }
    assert!(compared > 30 && translated > 15, "{compared} compared, {translated} with translations");
}
