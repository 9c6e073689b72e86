//! What the tool's search says about the final value of a variable: that it is the compiled program's must not be called false, and
//! that it is another one must not be called anything but false or unknown.
//!
//! This asks the whole way of an `unsafe`: reading, the bounded search, and the checker, which has to accept the run. That is slow,
//! so few programs are asked; all others are run on the checker's machine, whose steps are what both verdicts are
//! about.

use super::random::{END, Generated};
use super::run;
use crate::threads::compare::{ProverAnswer, replay};
use crate::threads::provers::by_search;
use std::path::Path;
use std::time::Duration;
use throng_input::flags::CFlags;

/// What came of the two questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// How many were answered `unsafe` as they should be.
    pub found: u64,
    /// How many that should be `unsafe` were not decided.
    pub unknown: u64,
}

/// Asks whether an observed variable has the value that it has; `Err` is a wrong answer.
pub fn ask(
    generated: &Generated,
    (name, value): (&str, u64),
    directory: &Path,
    flags: &CFlags,
    time: Duration,
) -> Result<Answers, String> {
    let text = generated.text();
    let mut answers = Answers::default();
    for (operator, is_wrong) in [("==", false), ("!=", true)] {
        let text = text.replace(END, &format!("assert({name} {operator} {value}ull);"));
        let text = format!("extern void assert(int);\n{text}");
        let program = match run::read(&text, directory, flags) {
            Ok(program) => program,
            // What is asked may depend on what C leaves open although the program can be run: refused, not wrong.
            Err(why) if why.contains("error[E07") => {
                answers.unknown += u64::from(is_wrong);
                continue;
            }
            Err(why) => return Err(why),
        };
        match (by_search(&program, time), is_wrong) {
            (ProverAnswer::Unsafe(trace), true) => {
                replay(&program, &trace).map_err(|why| format!("the checker rejects the run: {why}"))?;
                answers.found += 1;
            }
            (ProverAnswer::Unsafe(_), false) => {
                return Err(format!("`assert({name} == {value})` is called unsafe"));
            }
            (ProverAnswer::Safe(_), true) => {
                return Err(format!("`assert({name} != {value})` is called safe"));
            }
            (_, is_wrong) => answers.unknown += u64::from(is_wrong),
        }
    }
    Ok(answers)
}
