//! The question in two parts: where nothing is found out about assertions and obligations together, the assertions alone are
//! tried, with the obligations as assumptions. If they are proved, what is left is known.

use super::race::{Course, Finish, Found};
use super::{bounded_options, prover_options};
use crate::input::{CInput, Input};
use crate::search::Task;
use crate::supervise::{Board, Failure};
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng_base::{Budget, Limits, StopReason};
use throng_cert::Header;
use throng_check::c::{check_c, invariant_document};
use throng_cprog::flow::{Program, PropertyKind};
use throng_cprog::merge::Merged;
use throng_engine::UnknownReason;

/// The part of the time that the whole question gets, in percent.
const WHOLE_SHARE: u32 = 60;
/// The same if there is no limit.
const WHOLE_TIME: Duration = Duration::from_secs(300);
/// How long the search for errors of the whole question goes on at least after the prover gave up.
const LEAST_REST: Duration = Duration::from_secs(2);

/// Whether a program has nothing that could be bad.
pub(super) fn is_idle(program: &Program) -> bool {
    let settled = &program.settled;
    program.properties.is_empty()
        && settled.obligations == 0
        && settled.assertions.is_empty()
        && settled.dead.is_empty()
        && !program.ledger.iter().any(|entry| entry.is_assumption())
}

/// Asks both parts together, then the assertions alone.
pub(super) fn decide(
    task: &Task,
    whole: &Arc<Input>,
    input: &CInput,
    prepared: &Arc<Merged>,
    budget: &Budget,
    board: &Board,
) -> Result<Finish, Failure> {
    let has = |is_meant: fn(PropertyKind) -> bool| {
        input.program.properties.iter().any(|property| is_meant(property.kind))
    };
    let is_split = has(PropertyKind::is_obligation) && has(|kind| !kind.is_obligation());
    let course = course(task, whole, prepared, is_split)?;
    if !is_split {
        return course.run(budget, board);
    }
    let started = Instant::now();
    let share = budget.part();
    let time = task.limits.time.map_or(WHOLE_TIME, |limit| limit * WHOLE_SHARE / 100);
    let watchdog = share.watch(Limits { time: Some(time), memory: None }, || None);
    let finish = course.run(&share, board)?;
    drop(watchdog);
    let is_over = match finish.found {
        Found::Nothing(UnknownReason::Stopped(StopReason::Interrupted | StopReason::Memory)) => true,
        Found::Nothing(_) => budget.check().is_err(),
        Found::Proof(_) | Found::Error(_) => true,
    };
    if is_over {
        return Ok(finish);
    }
    log(board, started.elapsed());
    assertions_alone(task, input, budget, board)
}

fn log(board: &Board, after: Duration) {
    board.say(format!(
        "{}  no answer about assertions and obligations together; trying the assertions alone",
        crate::units::show_duration(after)
    ));
}

fn course(
    task: &Task,
    input: &Arc<Input>,
    prepared: &Arc<Merged>,
    is_split: bool,
) -> Result<Course, Failure> {
    Ok(Course {
        input: Arc::clone(input),
        prepared: Arc::clone(prepared),
        prover: prover_options(task, &prepared.program).map_err(Failure::Refused)?,
        searcher: bounded_options(task),
        jobs: task.options.jobs,
        is_limited: task.limits.time.is_some(),
        rest: is_split.then_some(LEAST_REST),
        telling: task.telling,
    })
}

/// Only the assertions, with the obligations as assumptions. A run to an error is one of the whole program, too.
fn assertions_alone(task: &Task, input: &CInput, budget: &Budget, board: &Board) -> Result<Finish, Failure> {
    let assuming = input.program.asking(|kind| !kind.is_obligation());
    let prepared = Arc::new(throng_abstraction::prepare(&assuming));
    let assuming = Arc::new(Input::C(input.with(assuming)));
    let finish = course(task, &assuming, &prepared, false)?.run(budget, board)?;
    let Found::Proof(invariant) = &finish.found else { return Ok(finish) };
    if task.check {
        let Input::C(assuming) = &*assuming else { return Ok(finish) };
        let document = invariant_document(&prepared.program, invariant, Vec::new(), Header::default())
            .map_err(|why| Failure::Internal(format!("the proof cannot be written: {why}")))?;
        if let Err(rejection) = check_c(&assuming.program, &document, budget) {
            return match budget.check() {
                Err(reason) => Ok(Finish { found: Found::Nothing(reason.into()), ..finish }),
                Ok(()) => Err(Failure::Internal(format!("the checker rejects the evidence: {rejection}"))),
            };
        }
    }
    Ok(Finish { found: Found::Nothing(UnknownReason::Obligation), ..finish })
}
