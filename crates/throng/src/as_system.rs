//! Boolean programs as systems with a state for every valuation, for what needs a list of all rules.

use crate::terms::MOST_RULES;
use throng_base::Diagnostic;
use throng_input::{Input, ProgramInput};
use throng_symbolic::explicit;

/// The code of messages about inputs that something is not for.
const NOT_FOR_THIS: &str = "E0902";

/// What was read as a system: of a Boolean program, one with a state for every valuation, if it is small. C programs are refused.
pub fn as_system(input: Input) -> Result<throng_formats::Input, Vec<Diagnostic>> {
    match input {
        Input::System(input) => Ok(input),
        Input::Program(input) => translated(&input),
        Input::C(_) => Err(not_for_c()),
    }
}

/// Says that C programs are not systems.
pub fn not_for_c() -> Vec<Diagnostic> {
    let error = Diagnostic::error(NOT_FOR_THIS, "this cannot be done with C programs");
    vec![error.note("`throng check` and `throng graph` read C programs")]
}

fn translated(input: &ProgramInput) -> Result<throng_formats::Input, Vec<Diagnostic>> {
    let system = explicit::translate(&input.program, &input.question, MOST_RULES).map_err(|error| {
        let message = "the program has too many valuations for a system with a state for each";
        vec![Diagnostic::error("E0541", message).note(error.to_string()).note(
            "`throng check`, `reach` and `cutoff` read programs as they are, without a state for every valuation",
        )]
    })?;
    let (format, warnings) = (throng_formats::Format::Tts, input.warnings().to_vec());
    Ok(throng_formats::Input { system, format, warnings, invariant_hints: Vec::new() })
}
