//! C programs: who answers questions about them, and what an answer says.
//!
//! * `contender`: the interface of those who answer; `contenders`: each of them; `race`: all of them against each other.
//! * `oblige`: assertions and obligations together, then the assertions alone.
//! * `vacuity`: whether assertions are reached.
//! * `listed`: programs with few values as systems.

mod contender;
mod contenders;
mod listed;
mod oblige;
mod race;
mod vacuity;

pub use listed::system_of_c;
pub use vacuity::{Assertion, Reached};

use crate::decide::{Decision, Run};
use crate::evidence::Content;
use crate::evidence::c::{interleaving_document, invariant_document};
use crate::terms::Unwritten;
use crate::{Error, Observer, Options, Phase};
use contender::Contender;
use contenders::{Cegar, Exact, Explore, Houdini, Pdr};
use race::{Finish, Found};
use std::sync::Arc;
use std::time::Duration;
use throng_base::{Budget, Diagnostic};
use throng_cert::{EvidenceDocument, Header, Verdict};
use throng_cfa::flow::Program;
use throng_cfa::invariant::{from_program, read_predicates};
use throng_check::c::{check_c_within, explored_document};
use throng_engine::{Fate, UnknownReason};
use throng_input::CInput;

/// Who answers questions about C programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CEngine {
    /// All of the others, in a race.
    #[default]
    Auto,
    /// Facts that hold at locations, filtered from templates.
    Houdini,
    /// Invariants that are searched for from the errors.
    Pdr,
    /// Predicate abstraction, refined.
    Cegar,
    /// Exploration with more and more threads and steps.
    Explore,
    /// Finite data: a system with a list of rules.
    Exact,
}

impl CEngine {
    /// All of them.
    pub const ALL: [CEngine; 6] =
        [CEngine::Auto, CEngine::Exact, CEngine::Houdini, CEngine::Pdr, CEngine::Cegar, CEngine::Explore];

    /// Names that meant one of them in earlier versions, with the name today.
    pub const ALIASES: [(&'static str, CEngine); 1] = [("bmc", CEngine::Explore)];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        self.contender().map_or("auto", Contender::name)
    }

    /// One line about what it does.
    pub fn summary(self) -> &'static str {
        match self {
            CEngine::Auto => "a race of the others",
            CEngine::Houdini => {
                "C programs: facts that hold for any number of threads, filtered from templates"
            }
            CEngine::Pdr => {
                "C programs: proofs for any number of threads, searched for from the errors backwards"
            }
            CEngine::Cegar => "C programs: proofs for any number of threads by predicate abstraction",
            CEngine::Explore => "C programs: search for errors with more and more threads and steps",
            CEngine::Exact => "C programs with few values: decided as systems with a list of rules",
        }
    }

    /// The engine of this name, today's or an earlier one.
    pub fn from_name(name: &str) -> Option<Self> {
        let alias = || Self::ALIASES.iter().find(|(alias, _)| *alias == name).map(|&(_, engine)| engine);
        Self::ALL.into_iter().find(|engine| engine.name() == name).or_else(alias)
    }

    /// The only one who takes part; `None` if all do.
    fn contender(self) -> Option<&'static dyn Contender> {
        match self {
            CEngine::Auto => None,
            CEngine::Houdini => Some(&Houdini),
            CEngine::Pdr => Some(&Pdr),
            CEngine::Cegar => Some(&Cegar),
            CEngine::Explore => Some(&Explore),
            CEngine::Exact => Some(&Exact),
        }
    }
}

/// What is asked about a C program, and how.
struct Asked<'a> {
    input: &'a CInput,
    options: &'a Options,
    observer: &'a dyn Observer,
    /// How many threads there may be.
    max_threads: Option<u32>,
    /// The time that is left, if there is a limit.
    time: Option<Duration>,
}

impl Asked<'_> {
    /// How the prover proves.
    fn prover_options(&self, prepared: &Program) -> Result<throng_prove::Options, Vec<Diagnostic>> {
        let (chosen, search) = (&self.options.prover, &self.options.search);
        let mut options = throng_prove::Options::new(prepared);
        from_program(prepared, &mut options.predicates);
        for (name, text) in &chosen.predicates {
            read_predicates(prepared, name, text, &mut options.predicates)?;
        }
        if let Some(length) = chosen.max_cube_length {
            options.max_cube_length = length;
        }
        options.houdini = chosen.filter;
        options.threads = self.max_threads;
        // One job is the exploration's.
        options.jobs = search.jobs.saturating_sub(1).max(1);
        options.seed = search.seed;
        Ok(options)
    }
}

/// Proves a program or searches it for errors, and has what is found checked.
pub(crate) fn decide(
    run: &Run<'_>,
    input: &CInput,
    max_threads: Option<u32>,
    budget: &Budget,
) -> Result<Decision, Error> {
    if oblige::is_idle(&input.program) {
        return Ok(run.nothing(UnknownReason::NothingToCheck, Phase::Searching));
    }
    let (options, observer) = (run.options, run.observer);
    let asked = Asked { input, options, observer, max_threads, time: budget.remaining().time };
    let prepared = Arc::new(throng_prove::prepare(&input.program));
    let finish = match options.c_engine {
        CEngine::Explore | CEngine::Exact => oblige::whole(&asked, &prepared, budget)?,
        CEngine::Auto | CEngine::Houdini | CEngine::Pdr | CEngine::Cegar => {
            oblige::decide(&asked, &prepared, budget)?
        }
    };
    let Finish { found, statistics, contest, proved } = finish;
    let winner = contest.iter().find(|contestant| contestant.fate == Fate::Answered);
    let engine = winner.map_or(options.c_engine.name(), |winner| winner.name);
    let header = Header { engine: Some(engine), input: Some(run.name) };
    let document = match found {
        Found::Nothing(reason) => {
            let decision = run.nothing(reason, Phase::Searching);
            return Ok(Decision { statistics, contest, proved, ..decision });
        }
        Found::Error(trace) => interleaving_document(&input.program, &trace, input.options.clone(), header),
        Found::Explored(found) => explored_document(found, max_threads, input.options.clone(), header),
        Found::Proof(invariant) => {
            invariant_document(&prepared.program, &invariant, input.options.clone(), header)
                .map_err(|why| Error::internal(format!("the proof cannot be written: {why}")))?
        }
    };
    observer.phase(Phase::Checking);
    let check = |document: &EvidenceDocument| check_c_within(&input.program, document, max_threads, budget);
    let accepted = run.accepted(written(document), &check);
    // A checker that was told to stop has not accepted anything, which is no bug.
    let is_accepted = matches!(&accepted, Ok(decision) if decision.evidence.is_ok());
    let mut decision = match budget.check() {
        Err(reason) if !is_accepted => run.nothing(reason.into(), Phase::Checking),
        _ => accepted?,
    };
    if decision.verdict() == Some(Verdict::Safe) {
        decision.assertions = vacuity::assertions(&input.program, max_threads, budget);
    }
    Ok(Decision { statistics, contest, ..decision })
}

/// A document with its text.
fn written(document: EvidenceDocument) -> Result<(Content, Vec<u8>), Unwritten> {
    let mut text = Vec::new();
    throng_cert::write_document(&document, &mut text)
        .map_err(|error| Unwritten::bug(format!("the evidence cannot be written: {error}")))?;
    Ok((Content::C(document), text))
}
