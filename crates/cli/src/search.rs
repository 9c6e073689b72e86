//! The work of `throng check`: have the question answered within limits, and write the evidence.

use crate::asked::Asked;
use crate::c::{ProgressStyle, Record};
use crate::supervise::{self, Board};
use crate::{files, memory};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use throng::{Decision, Error, Options, Phase};
use throng_base::{Budget, Limits, StopReason};
use throng_engine::{Progress, Statistics};
use throng_report::Cost;

/// What to do.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The input and what is asked about it.
    pub(crate) asked: Asked,
    /// How it is answered.
    pub(crate) options: Options,
    /// Files with predicates, which are read when the work begins.
    pub(crate) predicates: Vec<PathBuf>,
    /// When to give up.
    pub(crate) limits: Limits,
    /// Where evidence is written.
    pub(crate) evidence_file: Option<PathBuf>,
    /// How progress is told.
    pub(crate) telling: ProgressStyle,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Conclusion {
    /// What was found out.
    pub(crate) decision: Decision,
    /// What the prover of C programs did, if it ran.
    pub(crate) record: Option<Record>,
    /// Why the evidence could not be written.
    pub(crate) write_error: Option<String>,
    /// Time and memory.
    pub(crate) cost: Cost,
}

/// Runs a task to its end. Must be called once per process, see [`supervise::attend`].
pub(crate) fn run(task: Task) -> Result<Conclusion, Error> {
    let started = Instant::now();
    let board = Arc::new(Board::new(task.telling));
    let limits = task.limits;
    let attended = supervise::attend(limits, &board, move |budget, board| work(task, budget, board))?;
    let (decision, write_error) = attended.unwrap_or_else(|reason| (abandoned(&board, reason), None));
    let record = board.with_record(|record| record.clone());
    let cost = Cost { elapsed: started.elapsed(), memory: memory::used() };
    Ok(Conclusion { decision, record, write_error, cost })
}

/// What is known of a run whose worker did not come to an end.
fn abandoned(board: &Board, reason: StopReason) -> Decision {
    let mut statistics = Statistics::default();
    let progress = board.last_progress();
    if progress != Progress::default() {
        statistics.push("elements", progress.elements);
        statistics.push("frontier", progress.frontier);
        statistics.push("iterations", progress.expanded);
    }
    Decision { statistics, ..Decision::unknown(board.input(), reason.into(), board.phase()) }
}

/// The worker: has the question answered, and writes the evidence. Also tells why that was not possible.
fn work(mut task: Task, budget: &Budget, board: &Board) -> Result<(Decision, Option<String>), Error> {
    for file in &task.predicates {
        let source = throng_base::Source::read(file).map_err(|error| Error::Refused(vec![error]))?;
        let predicates = (file.display().to_string(), source.text().to_owned());
        task.options.prover.predicates.push(predicates);
    }
    let (subject, question) = (task.asked.subject(), task.asked.question());
    let decided = throng::decide_observed(&subject, &question, &task.options, budget, board);
    let text = match &decided {
        Ok(decision) => decision.evidence.as_ref().ok().map(|evidence| evidence.text()),
        // Rejected evidence is written too: it is what a report of the bug needs.
        Err(Error::Internal { evidence, .. }) => evidence.as_deref(),
        Err(Error::Refused(_)) => None,
    };
    let written = task.evidence_file.as_deref().zip(text).map(|(path, text)| write(path, text, board));
    Ok((decided?, written.and_then(Result::err)))
}

fn write(path: &Path, text: &[u8], board: &Board) -> Result<(), String> {
    board.enter(Phase::Writing);
    files::write_with(path, |out| out.write_all(text)).map_err(|error| files::complain(path, &error))
}
