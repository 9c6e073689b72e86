//! The work of `throng check`: read the input, search, have the evidence checked, write it.

use crate::files;
use crate::memory;
use crate::reduced;
use crate::supervise::{self, Board, Failure};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng_base::{Budget, Limits, StopReason};
use throng_cert::{Evidence, Header};
use throng_check::Condition;
use throng_engine::{Contestant, EngineKind, Fate, Options, Progress, Recording, Statistics, UnknownReason};
use throng_formats::{Input, Question};
use throng_reduce::Strength;
use throng_report::{Cost, Phase};

/// What to do.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The input.
    pub(crate) file: PathBuf,
    /// What is asked about it.
    pub(crate) question: Question,
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
    /// Whether progress is not shown.
    pub(crate) quiet: bool,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Conclusion {
    /// The input, unless the run ended while it was read.
    pub(crate) input: Option<Arc<Input>>,
    /// The evidence, which the checker accepted if it was asked; or why there is none.
    pub(crate) evidence: Result<Evidence, UnknownReason>,
    /// How far the run came.
    pub(crate) phase: Phase,
    /// What the engine counted.
    pub(crate) statistics: Statistics,
    /// What it recorded, if asked to.
    pub(crate) recording: Recording,
    /// How the race of engines went, if there was one.
    pub(crate) contest: Vec<Contestant>,
    /// Why the evidence could not be written.
    pub(crate) write_error: Option<String>,
    /// Time and memory.
    pub(crate) cost: Cost,
}

/// Runs a task to its end. Must be called once per process, see [`supervise::attend`].
pub(crate) fn run(task: Task) -> Result<Conclusion, Failure> {
    let started = Instant::now();
    let board = Arc::new(Board::default());
    let (limits, quiet) = (task.limits, task.quiet);
    let attended = supervise::attend(limits, quiet, &board, move |budget, board| work(&task, budget, board))?;
    let mut conclusion = attended.unwrap_or_else(|reason| abandoned(&board, reason));
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
    fn new(board: &Board, evidence: Result<Evidence, UnknownReason>, statistics: Statistics) -> Self {
        let (input, phase) = (board.input(), board.phase());
        let cost = Cost { elapsed: Duration::ZERO, memory: None };
        let recording = Recording::default();
        let contest = Vec::new();
        Self { input, evidence, phase, statistics, recording, contest, write_error: None, cost }
    }
}

/// The worker: reads, searches, checks, writes.
fn work(task: &Task, budget: &Budget, board: &Board) -> Result<Conclusion, Failure> {
    board.enter(Phase::Reading);
    let input = throng_formats::read(&task.file, &task.question).map_err(Failure::Refused)?;
    let input = board.show_input(input);
    board.enter(Phase::Searching);
    let how = (task.engine, &task.options);
    let found = reduced::search(&input.system, task.reductions, how, budget, board);
    let evidence = match found.evidence {
        Ok(evidence) => evidence,
        Err(reason) => {
            let conclusion = Conclusion::new(board, Err(reason), found.statistics);
            return Ok(Conclusion { recording: found.recording, contest: found.contest, ..conclusion });
        }
    };
    board.enter(Phase::Checking);
    let name = task.file.display().to_string();
    let winner = found.contest.iter().find(|contestant| contestant.fate == Fate::Answered);
    let engine = winner.map_or(task.engine.name(), |winner| winner.name);
    let text = serialise(&evidence, &input, Header { engine: Some(engine), input: Some(&name) })?;
    let accepted = if task.check { accept(&text, &input) } else { Ok(()) };
    if let Err(Rejected::TooLarge) = accepted {
        return Ok(Conclusion::new(board, Err(UnknownReason::EvidenceTooLarge), found.statistics));
    }
    board.enter(Phase::Writing);
    // Rejected evidence is written too: it is what a report of the bug needs.
    let written = task.evidence_file.as_ref().map(|path| {
        files::write_with(path, |out| out.write_all(&text)).map_err(|error| files::complain(path, &error))
    });
    if let Err(Rejected::Wrong(message)) = accepted {
        return Err(Failure::Internal(message));
    }
    let mut conclusion = Conclusion::new(board, Ok(evidence), found.statistics);
    conclusion.recording = found.recording;
    conclusion.contest = found.contest;
    conclusion.write_error = written.and_then(Result::err);
    Ok(conclusion)
}

/// Evidence as it stands in a file.
fn serialise(evidence: &Evidence, input: &Input, header: Header<'_>) -> Result<Vec<u8>, Failure> {
    let mut text = Vec::new();
    throng_cert::write(evidence, &input.system, header, &mut text)
        .map_err(|error| Failure::Internal(format!("the evidence cannot be written: {error}")))?;
    Ok(text)
}

/// Why the checker does not accept evidence.
#[derive(Debug)]
enum Rejected {
    /// It would have to look at more than it is willing to.
    TooLarge,
    /// The evidence is wrong: a bug of ours.
    Wrong(String),
}

/// Has the checker accept evidence from the very bytes that a user gets, so that a verdict also vouches for them.
fn accept(text: &[u8], input: &Input) -> Result<(), Rejected> {
    let document = throng_cert::read(text)
        .map_err(|error| Rejected::Wrong(format!("the evidence cannot be read back: {error}")))?;
    throng_check::check(&input.system, &document).map(drop).map_err(|rejection| match rejection.condition {
        Condition::Size => Rejected::TooLarge,
        _ => Rejected::Wrong(format!("the checker rejects the evidence: {rejection}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::Source;
    use throng_cert::Proof;
    use throng_formats::Format;

    #[test]
    fn evidence_that_the_checker_rejects_is_an_internal_error() {
        let source = Source::from_text("x.tts", "1 2\n0 0 -> 0 1\n");
        let question = Question { target: vec!["0|1".to_owned()], ..Question::default() };
        let input = throng_formats::read_source(Format::Tts, &source, &question).unwrap();
        let wrong = Evidence::Proof(Proof::default());
        let text = serialise(&wrong, &input, Header::default()).unwrap();
        let Err(Rejected::Wrong(message)) = accept(&text, &input) else {
            panic!("an empty proof was accepted");
        };
        assert!(message.contains("the checker rejects the evidence"), "{message}");
        assert!(message.contains("proof-target"), "{message}");
    }
}
