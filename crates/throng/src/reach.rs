//! What single threads can see, and how many threads that takes.

use crate::c::system_of_c;
use crate::thread_states::{self, Search, Trouble};
use crate::{Error, Options, Silent};
use throng_base::Budget;
use throng_engine::UnknownReason;
use throng_input::{Input, ProgramInput, Question, Subject};

/// Which thread states can be reached: pairs of a shared state and a thread's local state.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub enum Reach {
    /// Of a system, or of a C program as one.
    System {
        /// The system.
        input: throng_formats::Input,
        /// What was found.
        found: thread_states::Found,
        /// Whether that is everything, which the checker has accepted if it was asked; or why there may be more.
        ending: Result<(), UnknownReason>,
    },
    /// Of a Boolean program.
    Program {
        /// The program.
        input: ProgramInput,
        /// What was found.
        found: thread_states::program::Found,
    },
}

/// Finds which thread states can be reached. Targets are not looked at. C programs are surveyed if their
/// variables have few values; nets are refused.
pub fn reach(
    subject: &Subject,
    question: &Question,
    options: &Options,
    budget: &Budget,
) -> Result<Reach, Error> {
    survey(subject, question, options, budget, false)
}

/// As [`reach`], and also finds how many threads reach all of it.
pub fn cutoff(
    subject: &Subject,
    question: &Question,
    options: &Options,
    budget: &Budget,
) -> Result<Reach, Error> {
    survey(subject, question, options, budget, true)
}

fn survey(
    subject: &Subject,
    question: &Question,
    options: &Options,
    budget: &Budget,
    with_cutoffs: bool,
) -> Result<Reach, Error> {
    let question = Question { without_targets: true, ..question.clone() };
    match subject.read(&question, budget).map_err(Error::Refused)? {
        Input::System(input) => survey_system(input, options, budget, with_cutoffs),
        Input::Program(input) => {
            let check = options.check;
            let found = thread_states::program::survey(&input, check, with_cutoffs, budget, &Silent)?;
            Ok(Reach::Program { input, found })
        }
        Input::C(input) => {
            let input = system_of_c(&input, options.check, budget)?;
            survey_system(input, options, budget, with_cutoffs)
        }
    }
}

fn survey_system(
    input: throng_formats::Input,
    options: &Options,
    budget: &Budget,
    with_cutoffs: bool,
) -> Result<Reach, Error> {
    let mut search = Search::new(&input.system, options.check, budget, &Silent)?;
    let surveyed = search.survey().and_then(|()| match with_cutoffs {
        true => search.find_cutoffs(&mut |_| ()),
        false => Ok(()),
    });
    let ending = match surveyed {
        Ok(()) => Ok(()),
        Err(Trouble::Unknown(reason)) => Err(reason),
        Err(Trouble::Error(error)) => return Err(error),
    };
    let found = search.found;
    Ok(Reach::System { input, found, ending })
}
