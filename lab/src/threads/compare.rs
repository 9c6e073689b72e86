//! Compares what a prover says about programs with what trying everything says, and makes programs small about which they
//! disagree.
//!
//! These are disagreements: `safe` where few threads reach an error; an invariant that the judge rejects, or that describes a
//! state which few threads reach ([`super::described`]); an interleaving that cannot be performed or ends without an
//! error, or that has so few threads that trying everything should have found it; a panic; and a program that the front end
//! refuses, which is the generator's mistake.

use super::described::reaches_described;
use super::explore::{Exploration, explore};
use super::mutate::{has_assertion, unwrap};
use super::syntax::{Statement, ThreadProgram, count, find};
use std::panic::{AssertUnwindSafe, catch_unwind};
use throng_c_front::lower::Options;
use throng_cert::Header;
use throng_cfa::flow::Program;
use throng_cfa::invariant::Invariant;
use throng_cfa::trace::Trace;
use throng_check::Accepted;

/// What a prover says.
#[derive(Clone, Debug)]
pub enum ProverAnswer {
    /// No number of threads reaches an error.
    Safe(Invariant),
    /// This run does.
    Unsafe(Trace),
    /// Why it does not know.
    Unknown(String),
}

/// Whom trying everything is compared with.
#[derive(Clone, Copy)]
pub struct Parties<'a> {
    /// Says whether a program is safe.
    pub prover: &'a dyn Fn(&Program) -> ProverAnswer,
    /// Says whether an invariant is one and excludes errors; `Err` is why not.
    pub judge: &'a dyn Fn(&Program, &Invariant) -> Result<(), String>,
}

/// How much is tried.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How programs are read.
    pub options: Options,
    /// How many threads, not counting `main`.
    pub threads: usize,
    /// How many states are tried at most, for each number of threads.
    pub most_states: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { options: Options::default(), threads: 3, most_states: 200_000 }
    }
}

/// The kinds of disagreements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The front end refuses the program.
    Refused,
    /// The prover panics.
    Panic,
    /// An error is reachable, but the program is said to be safe.
    WrongSafe,
    /// The judge rejects an invariant.
    Rejected,
    /// An invariant describes a reachable state.
    FalseInvariant,
    /// A run is none, or does not end in an error.
    WrongTrace,
    /// A run should have been found by trying everything.
    Missed,
}

/// A disagreement.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// Of this kind.
    pub kind: Kind,
    /// In words.
    pub text: String,
}

/// What was compared without a disagreement.
#[derive(Clone, Debug)]
pub struct Compared {
    /// What trying everything found.
    pub truth: Exploration,
    /// What the prover says.
    pub answer: ProverAnswer,
}

fn disagree(kind: Kind, text: impl Into<String>) -> Disagreement {
    Disagreement { kind, text: text.into() }
}

/// Compares about one program.
pub fn compare(
    program: &ThreadProgram,
    parties: &Parties<'_>,
    settings: &Settings,
) -> Result<Compared, Disagreement> {
    let program = super::read(program, &settings.options).map_err(|why| disagree(Kind::Refused, why))?;
    let n_threads = settings.threads + 1;
    let truth = explore(&program, n_threads, settings.most_states);
    let answer = catch_unwind(AssertUnwindSafe(|| (parties.prover)(&program)))
        .map_err(|_| disagree(Kind::Panic, "the prover panics"))?;
    match &answer {
        ProverAnswer::Unknown(_) => {}
        ProverAnswer::Safe(invariant) => {
            if let Exploration::Error { threads } = truth {
                let text = format!("it is called safe, but {threads} threads reach an error");
                return Err(disagree(Kind::WrongSafe, text));
            }
            (parties.judge)(&program, invariant).map_err(|why| disagree(Kind::Rejected, why))?;
            let up_to = match truth {
                Exploration::TooLarge { complete_up_to } => complete_up_to,
                _ => n_threads,
            };
            if let Some(why) = reaches_described(
                &throng_prove::prepare(&program).program,
                invariant,
                up_to,
                settings.most_states,
            ) {
                return Err(disagree(Kind::FalseInvariant, why));
            }
        }
        ProverAnswer::Unsafe(trace) => {
            let threads = replay(&program, trace).map_err(|why| disagree(Kind::WrongTrace, why))?;
            if matches!(truth, Exploration::NoError { .. }) && threads <= n_threads as u128 {
                let text = format!("trying everything misses an error with {threads} threads");
                return Err(disagree(Kind::Missed, text));
            }
        }
    }
    Ok(Compared { truth, answer })
}

/// How many threads a run to an error has; `Err` is why it is none.
pub fn replay(program: &Program, trace: &Trace) -> Result<u128, String> {
    let header = Header { engine: None, input: None };
    let document = throng::evidence::c::interleaving_document(program, trace, Vec::new(), header);
    match throng_check::c::check_interleaving(program, &document) {
        Ok(Accepted::Trace { threads, .. }) => Ok(threads),
        Ok(_) => Err("the checker accepts something else than a run".to_owned()),
        Err(rejection) => Err(rejection.to_string()),
    }
}

/// A smaller program with a disagreement of the same kind.
pub fn shrink(
    program: &ThreadProgram,
    kind: Kind,
    parties: &Parties<'_>,
    settings: &Settings,
) -> ThreadProgram {
    let mut best = program.clone();
    let fails = |candidate: &ThreadProgram| {
        has_assertion(candidate)
            && compare(candidate, parties, settings).is_err_and(|disagreement| disagreement.kind == kind)
    };
    // Each turn makes the program smaller, or ends it.
    while let Some(smaller) = smaller(&best).into_iter().find(|candidate| fails(candidate)) {
        best = smaller;
    }
    best
}

/// All programs with one statement less.
fn smaller(program: &ThreadProgram) -> Vec<ThreadProgram> {
    let mut all = Vec::new();
    // Those of the functions, then that of `main`.
    for number in 0..=program.functions.len() {
        let size = count(program.functions.get(number).map_or(&program.main, |function| &function.body));
        for n in 0..size {
            for change in [remove, unwrap as fn(&mut Vec<Statement>, usize) -> bool] {
                let mut candidate = program.clone();
                let list = match candidate.functions.get_mut(number) {
                    None => &mut candidate.main,
                    Some(function) => &mut function.body,
                };
                if find(list, n).is_some_and(|(list, place)| change(list, place)) {
                    all.push(candidate);
                }
            }
        }
    }
    all
}

fn remove(list: &mut Vec<Statement>, place: usize) -> bool {
    list.remove(place);
    true
}
