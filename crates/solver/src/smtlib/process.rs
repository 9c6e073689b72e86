//! An SMT-LIB solver as a process that is asked one question after the other.

use super::{script, variable_symbol};
use crate::bits::{Model, Outcome};
use crate::terms::{TermId, Terms, VarId};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use throng_base::{Budget, StopReason};

/// What may be installed, and how it is told to read questions from its input.
const KNOWN: [(&str, &[&str]); 5] = [
    ("bitwuzla", &["--lang", "smt2"]),
    ("z3", &["-in", "-smt2"]),
    ("cvc5", &["--incremental", "--lang", "smt2"]),
    ("yices-smt2", &["--incremental"]),
    ("boolector", &["--smt2", "--incremental"]),
];

/// Why a solver gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SmtError {
    /// It could not be talked to.
    #[error("the SMT-LIB solver cannot be reached: {0}")]
    Io(#[from] std::io::Error),
    /// It ended.
    #[error("the SMT-LIB solver has ended")]
    Ended,
    /// It said something else than expected.
    #[error("the SMT-LIB solver answered `{0}`")]
    Unexpected(String),
}

/// A running solver.
#[derive(Debug)]
pub struct SmtProcess {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl SmtProcess {
    /// Starts the first solver that is found on `PATH`: bitwuzla, z3, cvc5, yices-smt2 or boolector.
    pub fn find() -> Option<Self> {
        KNOWN.iter().find_map(|(program, arguments)| {
            let mut process = Self::start(program, arguments).ok()?;
            // One that does not understand its arguments does not answer this.
            process.ask("(push 1)\n(assert true)\n(check-sat)\n(pop 1)\n").ok()?;
            let answer = process.line(&Budget::unlimited()).ok()?.ok()?;
            (answer == "sat").then_some(process)
        })
    }

    /// Starts a solver that reads SMT-LIB from its input, with these arguments.
    pub fn start(program: &str, arguments: &[&str]) -> Result<Self, SmtError> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(SmtError::Ended);
        };
        let (send, lines) = mpsc::channel();
        // Ends with the process, when there is nothing more to read.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line.trim().to_owned()).is_err() {
                    break;
                }
            }
        });
        let mut process = Self { name: program.to_owned(), child, input, lines };
        process.ask(
            "(set-option :print-success false)\n(set-option :produce-models true)\n(set-logic QF_BV)\n",
        )?;
        Ok(process)
    }

    /// Which program it is.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether formulas can hold together. A core is not asked for: if they cannot, it is all of them.
    ///
    /// If the budget ends first, the process is ended too, and later questions are errors.
    pub fn check(
        &mut self,
        terms: &Terms,
        formulas: &[TermId],
        budget: &Budget,
    ) -> Result<Outcome, SmtError> {
        self.ask(&format!("(push 1)\n{}(check-sat)\n", script(terms, formulas)))?;
        let outcome = match self.line(budget)? {
            Err(reason) => return Ok(Outcome::Unknown(reason)),
            Ok(answer) if answer == "sat" => match self.model(terms, formulas, budget)? {
                Ok(model) => Outcome::Sat(model),
                Err(reason) => return Ok(Outcome::Unknown(reason)),
            },
            Ok(answer) if answer == "unsat" => Outcome::Unsat(formulas.to_vec()),
            Ok(answer) => return Err(SmtError::Unexpected(answer)),
        };
        self.ask("(pop 1)\n")?;
        Ok(outcome)
    }

    fn ask(&mut self, text: &str) -> Result<(), SmtError> {
        self.input.write_all(text.as_bytes())?;
        Ok(self.input.flush()?)
    }

    /// The next line that is not empty, unless the budget ends first.
    fn line(&mut self, budget: &Budget) -> Result<Result<String, StopReason>, SmtError> {
        const TICK: Duration = Duration::from_millis(20);
        loop {
            match self.lines.recv_timeout(TICK) {
                Ok(line) if line.is_empty() => {}
                Ok(line) => return Ok(Ok(line)),
                Err(RecvTimeoutError::Disconnected) => return Err(SmtError::Ended),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(reason) = budget.check() {
                        self.child.kill()?;
                        return Ok(Err(reason));
                    }
                }
            }
        }
    }

    /// Asks for the values of the variables.
    fn model(
        &mut self,
        terms: &Terms,
        formulas: &[TermId],
        budget: &Budget,
    ) -> Result<Result<Model, StopReason>, SmtError> {
        let variables = terms.variables_of(formulas);
        if variables.is_empty() {
            return Ok(Ok(Model::default()));
        }
        let symbols: Vec<String> = variables.iter().map(|&variable| variable_symbol(variable)).collect();
        self.ask(&format!("(get-value ({}))\n", symbols.join(" ")))?;
        let mut text = String::new();
        loop {
            match self.line(budget)? {
                Ok(line) => text.extend([&line, " "]),
                Err(reason) => return Ok(Err(reason)),
            }
            if text.matches('(').count() == text.matches(')').count() {
                break;
            }
        }
        match values(&text, &variables) {
            Some(model) => Ok(Ok(model)),
            None => Err(SmtError::Unexpected(text)),
        }
    }
}

impl Drop for SmtProcess {
    fn drop(&mut self) {
        // It may have ended already; there is nothing else to clean up.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads `((v0 #x05) (v1 #b1) (v2 (_ bv7 32)))`.
fn values(text: &str, variables: &[VarId]) -> Option<Model> {
    let spaced = text.replace(['(', ')'], " ");
    let mut words = spaced.split_whitespace().peekable();
    let mut found = Vec::new();
    while let Some(symbol) = words.next() {
        let variable = variables.iter().find(|&&variable| variable_symbol(variable) == symbol)?;
        let mut word = words.next()?;
        if word == "_" {
            word = words.next()?;
            // The width, which is known.
            words.next()?;
        }
        let value = if let Some(digits) = word.strip_prefix("#x") {
            u128::from_str_radix(digits, 16).ok()?
        } else if let Some(digits) = word.strip_prefix("#b") {
            u128::from_str_radix(digits, 2).ok()?
        } else {
            word.strip_prefix("bv")?.parse().ok()?
        };
        found.push((*variable, value));
    }
    (found.len() == variables.len()).then(|| Model::from_values(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_all_notations() {
        let mut terms = Terms::new();
        let all: Vec<TermId> = (0..3).map(|i| terms.variable(&format!("x{i}"), 32)).collect();
        let variables = terms.variables_of(&all);
        let model = values("((v0 #x0000000a) (v2 (_ bv7 32)) (v1 #b101))", &variables).expect("well-formed");
        assert_eq!(model.values(&terms, &all), [10, 5, 7]);
        assert!(values("((v0 #x0000000a) (v1 #b101))", &variables).is_none(), "one is missing");
        assert!(values("(error \"no model\")", &variables).is_none());
    }

    #[test]
    fn a_program_that_is_no_solver_is_an_error() {
        assert!(matches!(SmtProcess::start("there-is-no-such-solver", &[]), Err(SmtError::Io(_))));
    }
}
