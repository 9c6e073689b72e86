//! The work of `throng check`: read the input, search, have the evidence checked, write it.

use crate::c::{Record, Telling};
use crate::input::{Asked, Input};
use crate::reduced::{self, Found};
use crate::supervise::{self, Board, Failure};
use crate::terms::{ProgramTerms, SystemTerms, Terms, Told, Untold};
use crate::{c, files, memory};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng_base::{Budget, Limits, StopReason};
use throng_cert::{EvidenceDocument, Header};
use throng_check::{Accepted, Condition, Rejection};
use throng_cprog::flow::PropertyId;
use throng_engine::{Contestant, EngineKind, Fate, Options, Progress, Statistics, UnknownReason};
use throng_reduce::Strength;
use throng_report::c::Assertion;
use throng_report::{Cost, Phase};

/// What to do.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The input and what is asked about it.
    pub(crate) asked: Asked,
    /// Who searches.
    pub(crate) engine: EngineKind,
    /// And how.
    pub(crate) options: Options,
    /// After which reductions; `None` for none.
    pub(crate) reductions: Option<Strength>,
    /// When to give up.
    pub(crate) limits: Limits,
    /// Whether evidence is checked.
    pub(crate) check: bool,
    /// Where evidence is written.
    pub(crate) evidence_file: Option<PathBuf>,
    /// How progress is told.
    pub(crate) telling: Telling,
    /// How a C program is proved.
    pub(crate) c: c::Plan,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Conclusion {
    /// The input, unless the run ended while it was read.
    pub(crate) input: Option<Arc<Input>>,
    /// The evidence, which the checker accepted if it was asked; or why there is none.
    pub(crate) evidence: Result<Told, UnknownReason>,
    /// How far the run came.
    pub(crate) phase: Phase,
    /// What the engine counted.
    pub(crate) statistics: Statistics,
    /// How the race of engines went, if there was one.
    pub(crate) contest: Vec<Contestant>,
    /// Which assertions of a C program that is safe are reached.
    pub(crate) assertions: Vec<Assertion>,
    /// Obligations of a C program that are proved although others are not.
    pub(crate) proved: Vec<PropertyId>,
    /// What the prover of C programs did, if it ran.
    pub(crate) record: Option<Record>,
    /// Why the evidence could not be written.
    pub(crate) write_error: Option<String>,
    /// Time and memory.
    pub(crate) cost: Cost,
}

/// Runs a task to its end. Must be called once per process, see [`supervise::attend`].
pub(crate) fn run(task: Task) -> Result<Conclusion, Failure> {
    let started = Instant::now();
    let board = Arc::new(Board::default());
    let (limits, telling) = (task.limits, task.telling);
    let attended =
        supervise::attend(limits, telling, &board, move |budget, board| work(&task, budget, board))?;
    let mut conclusion = attended.unwrap_or_else(|reason| abandoned(&board, reason));
    conclusion.record = board.with_record(|record| record.clone());
    conclusion.cost = Cost { elapsed: started.elapsed(), memory: memory::used() };
    Ok(conclusion)
}

/// What is known of a run whose worker did not come to an end.
fn abandoned(board: &Board, reason: StopReason) -> Conclusion {
    let mut statistics = Statistics::default();
    let progress = board.last_progress();
    if progress != Progress::default() {
        statistics.push("elements", progress.elements);
        statistics.push("frontier", progress.frontier);
        statistics.push("iterations", progress.expanded);
    }
    Conclusion::new(board, Err(reason.into()), statistics)
}

impl Conclusion {
    /// What the board says about a run that ends now.
    pub(crate) fn new(board: &Board, evidence: Result<Told, UnknownReason>, statistics: Statistics) -> Self {
        let (input, phase) = (board.input(), board.phase());
        let cost = Cost { elapsed: Duration::ZERO, memory: None };
        let contest = Vec::new();
        let (assertions, proved, record, write_error) = (Vec::new(), Vec::new(), None, None);
        Self { input, evidence, phase, statistics, contest, assertions, proved, record, write_error, cost }
    }
}

/// The worker: reads, searches, checks, writes.
fn work(task: &Task, budget: &Budget, board: &Board) -> Result<Conclusion, Failure> {
    board.enter(Phase::Reading);
    let input = board.show_input(task.asked.read(budget).map_err(Failure::Refused)?);
    if !input.fits(budget) {
        return Err(Failure::Refused(Vec::new()));
    }
    board.enter(Phase::Searching);
    match &*input {
        Input::System(input) => {
            let how = (task.engine, &task.options);
            let found = reduced::search(&input.system, task.reductions, how, budget, board);
            conclude(task, board, found, &SystemTerms(&input.system))
        }
        Input::Program(input) => {
            let terms = ProgramTerms::new(input)?;
            let found = terms.search(task.engine, &task.options, budget, board);
            conclude(task, board, found, &terms)
        }
        Input::C(c_input) => c::decide(task, &input, c_input, budget, board),
    }
}

/// Has what was found checked and written.
fn conclude(task: &Task, board: &Board, found: Found, terms: &dyn Terms) -> Result<Conclusion, Failure> {
    let Found { evidence, statistics, contest, .. } = found;
    let conclusion = |evidence: Result<Told, UnknownReason>, contest: Vec<Contestant>| Conclusion {
        contest,
        ..Conclusion::new(board, evidence, statistics)
    };
    let evidence = match evidence {
        Ok(evidence) => evidence,
        Err(reason) => return Ok(conclusion(Err(reason), contest)),
    };
    board.enter(Phase::Checking);
    let name = task.asked.file.display().to_string();
    let winner = contest.iter().find(|contestant| contestant.fate == Fate::Answered);
    let engine = winner.map_or(task.engine.name(), |winner| winner.name);
    let (told, text) = match terms.tell(evidence, Header { engine: Some(engine), input: Some(&name) }) {
        Ok(told) => told,
        Err(Untold::TooLarge) => return Ok(conclusion(Err(UnknownReason::EvidenceTooLarge), contest)),
        Err(Untold::Bug(message)) => return Err(Failure::Internal(message)),
    };
    let accepted = if task.check { accept(&text, &|document| terms.check(document)) } else { Ok(()) };
    finish(task, board, (told, text), accepted, |evidence| conclusion(evidence, contest))
}

/// Writes evidence that the checker has looked at, and concludes.
pub(crate) fn finish(
    task: &Task,
    board: &Board,
    (told, text): (Told, Vec<u8>),
    accepted: Result<(), Untold>,
    conclusion: impl FnOnce(Result<Told, UnknownReason>) -> Conclusion,
) -> Result<Conclusion, Failure> {
    if let Err(Untold::TooLarge) = accepted {
        return Ok(conclusion(Err(UnknownReason::EvidenceTooLarge)));
    }
    board.enter(Phase::Writing);
    // Rejected evidence is written too: it is what a report of the bug needs.
    let written = task.evidence_file.as_ref().map(|path| {
        files::write_with(path, |out| out.write_all(&text)).map_err(|error| files::complain(path, &error))
    });
    if let Err(Untold::Bug(message)) = accepted {
        return Err(Failure::Internal(message));
    }
    Ok(Conclusion { write_error: written.and_then(Result::err), ..conclusion(Ok(told)) })
}

/// Has the checker accept evidence from the very bytes that a user gets, so that a verdict also vouches for them.
pub(crate) fn accept(
    text: &[u8],
    check: &dyn Fn(&EvidenceDocument) -> Result<Accepted, Rejection>,
) -> Result<(), Untold> {
    let document = throng_cert::read(text)
        .map_err(|error| Untold::Bug(format!("the evidence cannot be read back: {error}")))?;
    check(&document).map(drop).map_err(|rejection| match rejection.condition {
        Condition::Size => Untold::TooLarge,
        _ => Untold::Bug(format!("the checker rejects the evidence: {rejection}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::Source;
    use throng_cert::{Evidence, Proof};
    use throng_formats::{Format, Question};

    #[test]
    fn evidence_that_the_checker_rejects_is_an_internal_error() {
        let source = Source::from_text("x.tts", "1 2\n0 0 -> 0 1\n");
        let question = Question { target: vec!["0|1".to_owned()], ..Question::default() };
        let input = throng_formats::read_source(Format::Tts, &source, &question).unwrap();
        let wrong = Evidence::Proof(Proof::default());
        let terms = SystemTerms(&input.system);
        let (_, text) = terms.tell(wrong, Header::default()).unwrap();
        let Err(Untold::Bug(message)) = accept(&text, &|document| terms.check(document)) else {
            panic!("an empty proof was accepted");
        };
        assert!(message.contains("the checker rejects the evidence"), "{message}");
        assert!(message.contains("proof-target"), "{message}");
    }
}
