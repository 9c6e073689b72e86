//! Engines against the oracle: every verdict is checked and compared.
//!
//! [`compare`] runs an engine on a system, writes its evidence as JSON, reads that back, has it checked, and
//! compares the verdict with the oracle's. Then it does the same with the reduced system, whose evidence is lifted
//! to the original first. A difference is a [`Disagreement`] that [`crate::shrink`] can make small.

use crate::oracle::{self, Bounds};
use std::fmt;
use throng_base::{Budget, StopReason};
use throng_cert::{Evidence, EvidenceDocument, Header, Verdict};
use throng_engine::options::Record;
use throng_engine::{
    Ancestors, CandidateThreads, EngineKind, Observer, Options, OracleKind, Order, Outcome, Progress,
    QueueOrder,
};
use throng_model::{System, TransitionSystem};
use throng_reduce::{LiftError, Strength};
use throng_symbolic::ProgramSystem;

/// How an engine and the oracle agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// Both say safe.
    Safe,
    /// Both say unsafe.
    Unsafe,
    /// The engine says safe, with accepted evidence; the oracle did not decide.
    OnlyEngineSafe,
    /// The engine says unsafe, with accepted evidence; the oracle did not decide.
    OnlyEngineUnsafe,
    /// The engine gave up, having passed [`MOST_ELEMENTS`].
    EngineGaveUp,
}

/// An agreement, and how much evidence it took: steps of a trace, elements of a proof or cover set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Who says what.
    pub agreement: Agreement,
    /// Size of the evidence; 0 if the engine gave up.
    pub size: u64,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// Something is wrong with evidence that was lifted from the reduced system.
    Lifted(Box<Disagreement>),
    /// Evidence could not be lifted.
    Lift(LiftError),
    /// The evidence did not survive its JSON form.
    Json(String),
    /// The checker rejected the evidence.
    Rejected {
        /// The verdict that the evidence is for.
        verdict: &'static str,
        /// The checker's reason.
        reason: String,
    },
    /// The checked verdict is not the oracle's.
    Verdict {
        /// The engine's verdict.
        engine: &'static str,
        /// The oracle's answer.
        oracle: oracle::Verdict,
    },
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Disagreement::Lifted(disagreement) => write!(f, "after a reduction, {disagreement}"),
            Disagreement::Lift(error) => write!(f, "evidence cannot be lifted: {error}"),
            Disagreement::Json(error) => write!(f, "evidence does not survive its JSON form: {error}"),
            Disagreement::Rejected { verdict, reason } => {
                write!(f, "evidence for `{verdict}` is rejected: {reason}")
            }
            Disagreement::Verdict { engine, oracle } => {
                write!(f, "the engine says {engine} and is accepted, the oracle says {oracle:?}")
            }
        }
    }
}

/// Elements after which an engine is stopped: small systems should stay far below.
pub const MOST_ELEMENTS: u64 = 5_000;

/// Predecessors or successors after which it is stopped: a forward search need not end, and can keep few elements
/// for ever.
pub const MOST_STEPS: u64 = 3_000;

/// Ends a run that grows too large. Unlike a clock it gives the same answer every time.
struct Brake<'a>(&'a Budget);

impl Observer for Brake<'_> {
    fn progress(&self, progress: &Progress) {
        if progress.elements > MOST_ELEMENTS || progress.steps > MOST_STEPS {
            self.0.stop(StopReason::Memory);
        }
    }
}

/// An engine and how it is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// Who searches.
    pub engine: EngineKind,
    /// And how.
    pub options: Options,
}

impl From<EngineKind> for Method {
    fn from(engine: EngineKind) -> Self {
        Self { engine, options: Options::default() }
    }
}

/// Bounds on the threads of candidates.
const BOUNDS: [CandidateThreads; 5] = [
    CandidateThreads::Usual,
    CandidateThreads::AtMost(0),
    CandidateThreads::AtMost(1),
    CandidateThreads::AtMost(2),
    CandidateThreads::Any,
];

impl Method {
    /// An engine with options that vary with a seed, so that many runs try them all in many combinations.
    pub fn from_seed(engine: EngineKind, seed: u64) -> Self {
        let mut state = seed;
        let mut choose = |n: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as usize % n
        };
        let minimal = choose(4) == 0;
        let options = Options {
            widen: minimal || choose(8) > 0,
            candidate_threads: if minimal { CandidateThreads::Any } else { BOUNDS[choose(BOUNDS.len())] },
            minimal,
            oracle: OracleKind::ALL[choose(OracleKind::ALL.len())],
            order: Order::ALL[choose(Order::ALL.len())],
            ancestors: Ancestors::ALL[choose(Ancestors::ALL.len())],
            cuts: choose(4) > 0,
            queue: QueueOrder::ALL[choose(QueueOrder::ALL.len())],
            head_start: [0, Options::default().head_start][choose(2)],
            jobs: if choose(16) == 0 { 2 } else { 1 },
            seed,
            record: Record::default(),
            guests: &[],
        };
        Self { engine, options }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {:?}", self.engine.name(), self.options)
    }
}

/// Everything that a method finds about a system, within bounds that keep small systems fast.
pub fn run(system: &dyn TransitionSystem, method: &Method) -> Outcome {
    let budget = Budget::unlimited();
    method.engine.run(system, &method.options, &budget, &Brake(&budget))
}

/// The same for a Boolean program on the fly.
pub fn decide(system: &ProgramSystem<'_>, method: &Method) -> Outcome {
    let budget = Budget::unlimited();
    system.decide(method.engine, &method.options, &budget, &Brake(&budget))
}

/// The evidence that a method finds; `None` if it gives up.
pub fn evidence(system: &dyn TransitionSystem, method: &Method) -> Option<Evidence> {
    run(system, method).answer.into_evidence().ok()
}

/// Evidence as a reader of the JSON document sees it.
pub fn through_json(
    system: &dyn TransitionSystem,
    evidence: &Evidence,
) -> Result<EvidenceDocument, Disagreement> {
    let mut bytes = Vec::new();
    throng_cert::write(evidence, system, Header::default(), &mut bytes)
        .map_err(|error| Disagreement::Json(error.to_string()))?;
    throng_cert::read(&bytes).map_err(|error| Disagreement::Json(error.to_string()))
}

fn size(evidence: &Evidence) -> u64 {
    match evidence {
        Evidence::Trace(trace) => trace.n_steps(),
        Evidence::Proof(proof) => proof.elements.len() as u64,
        Evidence::CoverSet(set) => set.elements.len() as u64,
    }
}

/// Compares a method with the oracle on one system, without and with reductions.
pub fn compare(system: &System, method: &Method, bounds: &Bounds) -> Result<Comparison, Disagreement> {
    compare_with(system, method, || oracle::decide(system, bounds))
}

/// As [`compare`], with what the oracle says about another system that has the same verdict.
pub fn compare_with(
    system: &System,
    method: &Method,
    oracle: impl FnOnce() -> oracle::Verdict,
) -> Result<Comparison, Disagreement> {
    let Some(evidence) = evidence(system, method) else {
        return Ok(Comparison { agreement: Agreement::EngineGaveUp, size: 0 });
    };
    let verdict = checked(system, &evidence)?;
    let oracle = oracle();
    let agreement = agreement(verdict, &oracle)?;
    for strength in [Strength::Full, Strength::KeepMinimality] {
        if let Some(lifted) = lifted_evidence(system, method, strength)? {
            let lifted = checked(system, &lifted).and_then(|verdict| self::agreement(verdict, &oracle));
            lifted.map_err(|disagreement| Disagreement::Lifted(Box::new(disagreement)))?;
        }
    }
    Ok(Comparison { agreement, size: size(&evidence) })
}

/// The verdict of evidence that the checker accepts.
fn checked(system: &System, evidence: &Evidence) -> Result<Verdict, Disagreement> {
    let document = through_json(system, evidence)?;
    let verdict = document.verdict;
    match throng_check::check(system, &document) {
        Ok(_) => Ok(verdict),
        Err(rejection) => {
            Err(Disagreement::Rejected { verdict: verdict.word(), reason: rejection.to_string() })
        }
    }
}

/// How a checked verdict and the oracle agree.
fn agreement(verdict: Verdict, oracle: &oracle::Verdict) -> Result<Agreement, Disagreement> {
    match (verdict, oracle) {
        (Verdict::Safe, oracle::Verdict::Safe(_)) => Ok(Agreement::Safe),
        (Verdict::Unsafe, oracle::Verdict::Unsafe(_)) => Ok(Agreement::Unsafe),
        (Verdict::Safe, oracle::Verdict::Undecided) => Ok(Agreement::OnlyEngineSafe),
        (Verdict::Unsafe, oracle::Verdict::Undecided) => Ok(Agreement::OnlyEngineUnsafe),
        _ => Err(Disagreement::Verdict { engine: verdict.word(), oracle: oracle.clone() }),
    }
}

/// What an engine finds about the reduced system, lifted; `None` if there is nothing to reduce or it gives up.
fn lifted_evidence(
    system: &System,
    method: &Method,
    strength: Strength,
) -> Result<Option<Evidence>, Disagreement> {
    let budget = Budget::unlimited();
    let Ok(Some(reduction)) = throng_reduce::reduce(system, strength, &budget) else { return Ok(None) };
    let Some(found) = evidence(reduction.system(), method) else { return Ok(None) };
    match reduction.lift(system, found, &budget) {
        Ok(lifted) => Ok(Some(lifted)),
        // Repetitions of rounds that differ in the original are written out only so far, to supply unbounded locals
        // can take more threads than there are numbers, and traps of the reduced system need not be traps of the original.
        Err(LiftError::TooLarge | LiftError::CountOverflow | LiftError::Cuts) => Ok(None),
        Err(error) => Err(Disagreement::Lift(error)),
    }
}
