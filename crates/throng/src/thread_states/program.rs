//! Thread states of Boolean programs, which come as cubes.

use super::{Trouble, internal};
use crate::terms::too_large;
use crate::{Error, Observer, Phase};
use throng_base::Budget;
use throng_boolprog::ProgramQuestion;
use throng_boolprog::flow::Program;
use throng_check::Condition;
use throng_check::program::{check_program, check_reached};
use throng_engine::UnknownReason;
use throng_engine::thread_states::Pace;
use throng_input::ProgramInput;
use throng_symbolic::thread_states::{Shown, Survey, ThreadStates};

/// What is reachable in a program, and with how many threads.
#[derive(Debug)]
pub struct Found {
    /// What is reachable.
    pub states: ThreadStates,
    /// How many threads reach all of it, if that was asked for and is known.
    pub reachability: Option<u64>,
    /// Whether that is everything, which the checker has accepted if it was asked; or why there may be more.
    pub ending: Result<(), UnknownReason>,
}

/// Finds what is reachable, and with how many threads if `with_cutoff` says so.
pub fn survey(
    input: &ProgramInput,
    check: bool,
    with_cutoff: bool,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Found, Error> {
    observer.phase(Phase::Searching);
    let program = &input.program;
    let survey = Survey::new(program, input.question.threads);
    let mut survey = survey.map_err(|error| Error::Refused(vec![too_large(input, error)]))?;
    let mut accept =
        |question: &ProgramQuestion, shown: Shown<'_>| accept(check, program, question, shown, observer);
    let mut reachability = None;
    let result = survey.run(budget, observer, &mut accept).and_then(|()| {
        if with_cutoff {
            let known = survey.reachability_cutoff(Pace::default(), (budget, observer), &mut |_| ())?;
            reachability = Some(known.threads);
        }
        Ok(())
    });
    let ending = match result {
        Ok(()) => Ok(()),
        Err(Trouble::Unknown(reason)) => Err(reason),
        Err(Trouble::Error(error)) => return Err(error),
    };
    Ok(Found { states: survey.states_at_once(), reachability, ending })
}

/// Has the checker look at evidence.
pub fn accept(
    check: bool,
    program: &Program,
    question: &ProgramQuestion,
    shown: Shown<'_>,
    observer: &dyn Observer,
) -> Result<(), Trouble> {
    if !check {
        return Ok(());
    }
    observer.phase(Phase::Checking);
    let accepted = match shown {
        Shown::Answer(document) => check_program(program, question, document).map(drop),
        Shown::Reached(schedule) => check_reached(program, question.threads, schedule, &question.targets),
    };
    observer.phase(Phase::Searching);
    match accepted {
        Ok(()) => Ok(()),
        Err(rejection) if rejection.condition == Condition::Size => {
            Err(Trouble::Unknown(UnknownReason::EvidenceTooLarge))
        }
        Err(rejection) => Err(internal(&format!("the checker rejects the evidence: {rejection}"))),
    }
}
