//! The question in two parts: where nothing is found out about assertions and obligations together, the assertions alone are
//! tried, with the obligations as assumptions. If they are proved, what is left is known.

use super::Asked;
use super::contender::{Blackboard, Problem};
use super::race::{Finish, Found, Race};
use crate::evidence::c::invariant_document;
use crate::{Error, Observer};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng_base::{Budget, Limits, StopReason};
use throng_cert::Header;
use throng_cfa::flow::{Program, PropertyId, PropertyKind};
use throng_cfa::merge::Merged;
use throng_cfa::trace::Trace;
use throng_check::c::{check_c, check_c_within, explored_document};
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
        && !program
            .ledger
            .iter()
            .any(|entry| entry.is_assumption() && entry.kind != "assumes-unknown-functions")
}

/// Asks both parts together, then the assertions alone.
pub(super) fn decide(asked: &Asked<'_>, prepared: &Arc<Merged>, budget: &Budget) -> Result<Finish, Error> {
    let properties = &asked.input.program.properties;
    let has = |is_meant: fn(PropertyKind) -> bool| properties.iter().any(|property| is_meant(property.kind));
    let is_split = has(PropertyKind::is_obligation) && has(|kind| !kind.is_obligation());
    let race = race(asked, &asked.input.program, prepared, is_split)?;
    if !is_split {
        return race.run(budget, asked.observer);
    }
    let started = Instant::now();
    let share = budget.part();
    let time = asked.time.map_or(WHOLE_TIME, |limit| limit * WHOLE_SHARE / 100);
    let watchdog = share.watch(Limits { time: Some(time), memory: None }, || None);
    let finish = race.run(&share, asked.observer)?;
    drop(watchdog);
    let is_over = match finish.found {
        Found::Nothing(UnknownReason::Stopped(StopReason::Interrupted | StopReason::Memory)) => true,
        Found::Nothing(_) => budget.check().is_err(),
        Found::Proof(_) | Found::Explored(_) | Found::Error(_) => true,
    };
    if is_over {
        return Ok(finish);
    }
    log(asked.observer, started.elapsed());
    assertions_alone(asked, budget)
}

fn log(observer: &dyn Observer, after: Duration) {
    observer.remark(format!(
        "{}  no answer about assertions and obligations together; trying the assertions alone",
        throng_input::units::show_duration(after)
    ));
}

fn race(
    asked: &Asked<'_>,
    program: &Arc<Program>,
    prepared: &Arc<Merged>,
    is_split: bool,
) -> Result<Race, Error> {
    let problem = Problem {
        program: Arc::clone(program),
        prepared: Arc::clone(prepared),
        max_threads: asked.max_threads,
        prover: asked.prover_options(&prepared.program).map_err(Error::Refused)?,
        facts: Blackboard::default(),
    };
    Ok(Race {
        problem: Arc::new(problem),
        engine: asked.options.c_engine,
        jobs: asked.options.search.jobs,
        is_limited: asked.time.is_some(),
        rest: is_split.then_some(LEAST_REST),
    })
}

/// The whole question at once.
pub(super) fn whole(asked: &Asked<'_>, prepared: &Arc<Merged>, budget: &Budget) -> Result<Finish, Error> {
    race(asked, &asked.input.program, prepared, false)?.run(budget, asked.observer)
}

/// Only the assertions, with the obligations as assumptions. A run to an error is one of the whole program, too.
fn assertions_alone(asked: &Asked<'_>, budget: &Budget) -> Result<Finish, Error> {
    let program = &asked.input.program;
    let kind = |property: PropertyId| program.properties[property.index()].kind;
    let assuming = Arc::new(program.asking(|property| !kind(property).is_obligation()));
    let prepared = Arc::new(throng_prove::prepare(&assuming));
    let finish = race(asked, &assuming, &prepared, false)?.run(budget, asked.observer)?;
    let threads = asked.max_threads;
    let document = match &finish.found {
        Found::Proof(invariant) => {
            invariant_document(&prepared.program, invariant, Vec::new(), Header::default())
                .map_err(|why| Error::internal(format!("the proof cannot be written: {why}")))?
        }
        Found::Explored(found) => explored_document(*found, threads, Vec::new(), Header::default()),
        Found::Error(_) | Found::Nothing(_) => return Ok(finish),
    };
    if asked.options.check
        && let Err(rejection) = check_c_within(&assuming, &document, threads, budget)
    {
        return match budget.check() {
            Err(reason) => Ok(Finish { found: Found::Nothing(reason.into()), ..finish }),
            Ok(()) => Err(Error::internal(format!("the checker rejects the evidence: {rejection}"))),
        };
    }
    Ok(match one_by_one(asked, budget) {
        Ok(proved) => Finish { found: Found::Nothing(UnknownReason::Obligation), proved, ..finish },
        Err(trace) => Finish { found: Found::Error(trace), ..finish },
    })
}

/// Which obligations can be proved, each with the others as assumptions; or a run that violates one. If in the end all
/// others hold, then those that are proved hold, too: whatever is violated first in a run would be violated in a run
/// without other violations.
fn one_by_one(asked: &Asked<'_>, budget: &Budget) -> Result<Vec<PropertyId>, Trace> {
    let program = &asked.input.program;
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
        match single_question(asked, &single, &share) {
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

fn single_question(asked: &Asked<'_>, program: &Program, budget: &Budget) -> Single {
    let part = budget.part();
    let _watchdog = part.watch(Limits { time: Some(SINGLE_TIME), memory: None }, || None);
    let prepared = throng_prove::prepare(program);
    let Ok(options) = asked.prover_options(&prepared.program) else { return Single::Open };
    match throng_prove::verify(program, &prepared, &options, &part, &mut |_| {}) {
        throng_prove::Outcome::Safe { invariant, .. } => {
            let document = invariant_document(&prepared.program, &invariant, Vec::new(), Header::default());
            let is_right = document.is_ok_and(|document| check_c(program, &document, &part).is_ok());
            if is_right { Single::Proved } else { Single::Open }
        }
        throng_prove::Outcome::Unsafe { trace, .. } if options.threads.is_none() => Single::Violated(trace),
        _ => Single::Open,
    }
}
