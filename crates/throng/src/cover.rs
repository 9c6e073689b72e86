//! Everything that can be covered.
//!
//! That a complete set contains everything reachable is checked like any cover set, by the independent checker, about the input
//! without its targets. That all of the set can be covered rests on the engine.

use crate::c::system_of_c;
use crate::{Error, Observer, Options, Phase, Silent, as_system};
use throng_base::Budget;
use throng_cert::{CoverSet, Evidence, EvidenceDocument, Header};
use throng_check::Condition;
use throng_engine::mincov::{self, Coverability};
use throng_engine::{Statistics, UnknownReason};
use throng_input::{Input, Question, Subject};
use throng_model::{Config, System};

/// What can be covered.
#[derive(Debug)]
pub struct Covered {
    /// The maximal ω-configurations that were found; everything below them can be covered.
    pub elements: Vec<Config>,
    /// Whether that is everything, which the checker has accepted if it was asked; or why there may be more.
    pub ending: Result<(), UnknownReason>,
    /// What was counted.
    pub statistics: Statistics,
}

/// Computes what can be covered in a system, or in a small Boolean or C program as one; also returns that system. Targets are not looked
/// at.
pub fn cover(
    subject: &Subject,
    question: &Question,
    options: &Options,
    budget: &Budget,
) -> Result<(System, Covered), Error> {
    let question = Question { without_targets: true, ..question.clone() };
    let system = match subject.read(&question, budget).map_err(Error::Refused)? {
        Input::C(input) => system_of_c(&input, options.check, budget)?.system,
        input => as_system(input).map_err(Error::Refused)?.system,
    };
    let covered = cover_system(&system, options.check, budget, &Silent)?;
    Ok((system, covered))
}

/// Computes what can be covered in a system, and has it checked if `check` says so. Targets are not looked at, and there should be
/// none ([`throng_input::Question::without_targets`]).
pub fn cover_system(
    system: &System,
    check: bool,
    budget: &Budget,
    observer: &dyn Observer,
) -> Result<Covered, Error> {
    observer.phase(Phase::Searching);
    let Coverability { elements, ending, statistics } = mincov::coverability_set(system, budget, observer);
    let ending = match ending {
        Ok(()) if check => {
            observer.phase(Phase::Checking);
            accept(system, &elements)?
        }
        ending => ending,
    };
    Ok(Covered { elements, ending, statistics })
}

/// Has the checker look whether a set contains everything; `Ok(Err(…))` if it is too large for that.
fn accept(system: &System, elements: &[Config]) -> Result<Result<(), UnknownReason>, Error> {
    let set = Evidence::CoverSet(CoverSet { elements: elements.to_vec() });
    let document = EvidenceDocument::new(&set, system, Header::default());
    match throng_check::check(system, &document) {
        Ok(_) => Ok(Ok(())),
        Err(rejection) if rejection.condition == Condition::Size => Ok(Err(UnknownReason::EvidenceTooLarge)),
        Err(rejection) => Err(Error::internal(format!("the checker rejects the set: {rejection}"))),
    }
}
