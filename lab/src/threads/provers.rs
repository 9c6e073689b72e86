//! The provers and searches of the tool, as they are compared with trying everything.

use super::compare::ProverAnswer;
use std::time::Duration;
use throng_base::{Budget, Limits};
use throng_cfa::flow::Program;
use throng_cfa::invariant::Invariant;
use throng_explore::BoundedOptions;
use throng_prove::{Options, Outcome};

/// What the proof by abstraction says in so much time.
pub fn by_abstraction(program: &Program, time: Duration, is_houdini: bool) -> ProverAnswer {
    let budget = Budget::unlimited();
    let _watchdog = budget.watch(Limits { time: Some(time), memory: None }, || None);
    let prepared = throng_prove::prepare(program);
    let options = Options { houdini: is_houdini, ..Options::new(&prepared.program) };
    match throng_prove::verify(program, &prepared, &options, &budget, &mut |_| ()) {
        Outcome::Safe { invariant, .. } => ProverAnswer::Safe(invariant),
        Outcome::Unsafe { trace, .. } => ProverAnswer::Unsafe(trace),
        Outcome::SafeUpTo { threads, .. } => ProverAnswer::Unknown(format!("safe with {threads} threads")),
        Outcome::GaveUp { reason, .. } => ProverAnswer::Unknown(reason),
        Outcome::Stopped { reason, .. } => ProverAnswer::Unknown(format!("stopped: {reason:?}")),
    }
}

/// What the tool says with one job: a small bounded search, which finds most errors, then the proof by abstraction.
pub fn in_turns(program: &Program, time: Duration, is_houdini: bool) -> ProverAnswer {
    let options = BoundedOptions { max_threads: Some(4), max_steps: Some(24), ..BoundedOptions::default() };
    match search(program, &options, time) {
        ProverAnswer::Unknown(_) => by_abstraction(program, time, is_houdini),
        answer => answer,
    }
}

/// What the bounded search says in so much time, with a few threads more than everything is tried with. It never says
/// that a program is safe.
pub fn by_search(program: &Program, time: Duration) -> ProverAnswer {
    search(program, &BoundedOptions { max_threads: Some(6), ..BoundedOptions::default() }, time)
}

fn search(program: &Program, options: &BoundedOptions, time: Duration) -> ProverAnswer {
    let budget = Budget::unlimited();
    let _watchdog = budget.watch(Limits { time: Some(time), memory: None }, || None);
    match throng_explore::search(program, options, &budget, &mut |_| ()) {
        throng_explore::Outcome::Unsafe { trace, .. } => ProverAnswer::Unsafe(trace),
        throng_explore::Outcome::NoBug { complete_up_to, .. } => {
            ProverAnswer::Unknown(format!("no error with up to {complete_up_to} threads"))
        }
        throng_explore::Outcome::Stopped { reason, .. } => {
            ProverAnswer::Unknown(format!("stopped: {reason:?}"))
        }
        // A search that contradicts itself is a mistake, which the comparison reports like one of the prover.
        throng_explore::Outcome::Internal(text) => panic!("the search contradicts itself: {text}"),
    }
}

/// What the checker says about an invariant. A check that takes longer than a minute counts as a rejection.
pub fn judge(program: &Program, invariant: &Invariant) -> Result<(), String> {
    let budget = Budget::unlimited();
    let _watchdog = budget.watch(Limits { time: Some(Duration::from_secs(60)), memory: None }, || None);
    let prepared = throng_prove::prepare(program).program;
    throng_check::c::check_invariant(&prepared, invariant, &budget).map_err(|rejection| rejection.to_string())
}
