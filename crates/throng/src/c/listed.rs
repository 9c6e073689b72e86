//! C programs with few values as systems with a state for every valuation, for what lists thread states.
//!
//! That the system has all thread states of the program in larger steps rests on how it is made; that none are missing beyond those
//! that were met is proved by an engine, and the checker looks at the proof.

use crate::Error;
use throng_base::{Budget, Diagnostic};
use throng_cert::{EvidenceDocument, Header};
use throng_check::Condition;
use throng_engine::UnknownReason;
use throng_input::CInput;
use throng_prove::{Exact, ExactLimits, Listed, Unlisted};

/// The code of messages about inputs that something is not for.
const NOT_FOR_THIS: &str = "E0902";

/// A C program as a system, if all its variables that matter have few values. With `check`, the checker looks at why there are no
/// other states.
pub fn system_of_c(input: &CInput, check: bool, budget: &Budget) -> Result<throng_formats::Input, Error> {
    let prepared = throng_prove::prepare_visible(&input.program);
    let limits = ExactLimits::LIST;
    let exact = Exact { original: &input.program, prepared: &prepared, limits, jobs: 1, seed: 0 };
    let Listed { system, closed, evidence, has_signals } = exact.list(budget).map_err(refused)?;
    if check {
        let document = EvidenceDocument::new(&evidence, &closed, Header::default());
        match throng_check::check(&closed, &document) {
            Ok(_) => {}
            Err(rejection) if rejection.condition == Condition::Size => {
                return Err(refused(Unlisted::Unknown(UnknownReason::EvidenceTooLarge)));
            }
            Err(rejection) => {
                return Err(Error::internal(format!("the checker rejects the evidence: {rejection}")));
            }
        }
    }
    let mut warnings = input.warnings().to_vec();
    if has_signals {
        let text = "signals may be lost although a thread waits: what is listed may be more than is reached";
        warnings.push(Diagnostic::warning("W0902", text));
    }
    let format = throng_formats::Format::Tts;
    Ok(throng_formats::Input { system, format, warnings, invariant_hints: Vec::new() })
}

fn refused(why: Unlisted) -> Error {
    let error = Diagnostic::error(NOT_FOR_THIS, "thread states of this program cannot be listed");
    let reason = match why {
        Unlisted::Variable(name) => format!("`{name}` has too many values, or holds the number of a thread"),
        Unlisted::Unknown(reason) => format!("not all were found: {reason}"),
    };
    let error = error.note(reason);
    Error::Refused(vec![error.note("`throng check` decides programs with any values")])
}
