//! The question in two parts: where nothing is found out about assertions and obligations together, the assertions alone are
//! tried, with the obligations as assumptions. If they are proved, what is left is known.

use super::race::{Course, Finish, Found};
use super::{bounded_options, prover_options};
use crate::input::{CInput, Input};
use crate::search::Task;
use crate::supervise::{Board, Failure};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng_base::{Budget, Limits, StopReason};
use throng_cert::Header;
use throng_check::c::{check_c, invariant_document};
use throng_cprog::flow::{Program, PropertyId, PropertyKind};
use throng_cprog::merge::Merged;
use throng_cprog::trace::Trace;
use throng_engine::UnknownReason;

/// The part of the time that the whole question gets, in percent.
const WHOLE_SHARE: u32 = 60;
/// The same if there is no limit.
const WHOLE_TIME: Duration = Duration::from_secs(300);
/// How long the search for errors of the whole question goes on at least after the prover gave up.
const LEAST_REST: Duration = Duration::from_secs(2);

/// How long one obligation by itself may take, and all of them.
const SINGLE_TIME: Duration = Duration::from_secs(2);
const SINGLES_TIME: Duration = Duration::from_secs(20);

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
    let kind = |property: PropertyId| input.program.properties[property.index()].kind;
    let assuming = input.program.asking(|property| !kind(property).is_obligation());
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
    Ok(match one_by_one(task, &input.program, budget) {
        Ok(proved) => Finish { found: Found::Nothing(UnknownReason::Obligation), proved, ..finish },
        Err(trace) => Finish { found: Found::Error(trace), ..finish },
    })
}

/// Which obligations can be proved, each with the others as assumptions; or a run that violates one. If in the end all
/// others hold, then those that are proved hold, too: whatever is violated first in a run would be violated in a run
/// without other violations.
fn one_by_one(task: &Task, program: &Program, budget: &Budget) -> Result<Vec<PropertyId>, Trace> {
    let mut places: BTreeMap<(String, u32, u32, &str), Vec<PropertyId>> = BTreeMap::new();
    for (number, property) in program.properties.iter().enumerate() {
        if property.kind.is_obligation() {
            let at = &program.site(property.site).position;
            let key = (at.file.clone(), at.line, at.column, &*property.text);
            places.entry(key).or_default().push(PropertyId::new(number));
        }
    }
    let share = budget.part();
    let _watchdog = share.watch(Limits { time: Some(SINGLES_TIME), memory: None }, || None);
    let mut proved = Vec::new();
    for properties in places.values() {
        if share.check().is_err() {
            break;
        }
        let single = program.asking(|property| properties.contains(&property));
        match single_question(task, &single, &share) {
            Single::Proved => proved.extend(properties),
            Single::Violated(trace) => return Err(trace),
            Single::Open => {}
        }
    }
    // Together they were not proved: there is no evidence that they are.
    if proved.len() == places.values().map(Vec::len).sum::<usize>() {
        proved.clear();
    }
    Ok(proved)
}

enum Single {
    Proved,
    Violated(Trace),
    Open,
}

fn single_question(task: &Task, program: &Program, budget: &Budget) -> Single {
    let part = budget.part();
    let _watchdog = part.watch(Limits { time: Some(SINGLE_TIME), memory: None }, || None);
    let prepared = throng_abstraction::prepare(program);
    let Ok(options) = prover_options(task, &prepared.program) else { return Single::Open };
    match throng_abstraction::verify(program, &prepared, &options, &part, &mut |_| {}) {
        throng_abstraction::Outcome::Safe { invariant, .. } => {
            let document = invariant_document(&prepared.program, &invariant, Vec::new(), Header::default());
            let is_right = document.is_ok_and(|document| check_c(program, &document, &part).is_ok());
            if is_right { Single::Proved } else { Single::Open }
        }
        throng_abstraction::Outcome::Unsafe { trace, .. } if options.threads.is_none() => {
            Single::Violated(trace)
        }
        _ => Single::Open,
    }
}
