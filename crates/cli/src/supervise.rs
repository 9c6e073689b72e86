//! Runs a search under supervision: a worker reads the input, searches, has the evidence checked and writes it;
//! the main thread shows progress and answers in time even if the worker does not.

use crate::files;
use crate::memory;
use crate::progress::Display;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use throng_base::{Budget, Diagnostic, Limits, StopReason};
use throng_cert::{Evidence, Header};
use throng_check::Condition;
use throng_engine::{EngineKind, Observer, Progress, Statistics, UnknownReason};
use throng_formats::{Input, Question};
use throng_report::{Cost, Phase};

/// How often the main thread looks.
const TICK: Duration = Duration::from_millis(50);
/// How long a worker that was told to stop may take to come to an end by itself.
const GRACE: Duration = Duration::from_millis(1500);
/// Parsers and engines recurse little; this is for the deepest nesting they accept.
const WORKER_STACK: usize = 64 << 20;

/// What to do.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The input.
    pub(crate) file: PathBuf,
    /// What is asked about it.
    pub(crate) question: Question,
    /// Who searches.
    pub(crate) engine: EngineKind,
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
    /// Why the evidence could not be written.
    pub(crate) write_error: Option<String>,
    /// Time and memory.
    pub(crate) cost: Cost,
}

/// Why a run has no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input cannot be read.
    Refused(Vec<Diagnostic>),
    /// A bug of ours.
    Internal(String),
}

/// What the worker tells while it works.
#[derive(Debug, Default)]
struct Board {
    phase: Mutex<Phase>,
    progress: Mutex<Progress>,
    input: OnceLock<Arc<Input>>,
}

impl Board {
    fn enter(&self, phase: Phase) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = phase;
    }

    fn phase(&self) -> Phase {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn last_progress(&self) -> Progress {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Board {
    fn progress(&self, progress: &Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = *progress;
    }
}

type WorkerResult = Result<Conclusion, Failure>;

/// Runs a task to its end. Must be called once per process: it takes over Ctrl-C.
pub(crate) fn run(task: Task) -> WorkerResult {
    let started = Instant::now();
    let budget = Budget::unlimited();
    let _watchdog = budget.watch(task.limits, memory::used);
    stop_on_interrupt(&budget);
    let board = Arc::new(Board::default());
    let mut display = Display::new(task.quiet);
    let (sender, receiver) = mpsc::channel();
    let worker = {
        let (budget, board) = (budget.clone(), Arc::clone(&board));
        let work = move || {
            // The main thread may have stopped listening: then nobody needs the result.
            let _ = sender.send(work(&task, &budget, &board));
        };
        std::thread::Builder::new().name("search".to_owned()).stack_size(WORKER_STACK).spawn(work)
    };
    let worker = worker.map_err(|error| Failure::Internal(format!("cannot start a thread: {error}")))?;
    let mut result = wait(&receiver, worker, &budget, &board, &mut display);
    if let Ok(conclusion) = &mut result {
        conclusion.cost = Cost { elapsed: started.elapsed(), memory: memory::used() };
    }
    result
}

/// The first Ctrl-C (or SIGTERM) ends the search, the second the process.
fn stop_on_interrupt(budget: &Budget) {
    let budget = budget.clone();
    let pressed = AtomicU8::new(0);
    let handler = move || {
        if pressed.swap(1, Ordering::Relaxed) == 0 {
            budget.stop(StopReason::Interrupted);
        } else {
            #[expect(clippy::exit, reason = "the user does not want to wait for an orderly end")]
            std::process::exit(crate::exit::Exit::Unknown.code().into());
        }
    };
    // Without a handler the default remains: Ctrl-C ends the process.
    let _ = ctrlc::set_handler(handler);
}

/// Waits for the worker, or for the end of its patience after the budget ended.
fn wait(
    receiver: &Receiver<WorkerResult>,
    worker: JoinHandle<()>,
    budget: &Budget,
    board: &Board,
    display: &mut Display,
) -> WorkerResult {
    let mut stopped_at = None;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::Internal(last_words(worker))),
            Err(RecvTimeoutError::Timeout) => {}
        }
        display.tick(board.phase().word(), board.last_progress());
        if let Err(reason) = budget.check() {
            let stopped_at = *stopped_at.get_or_insert_with(Instant::now);
            if stopped_at.elapsed() >= GRACE {
                return Ok(abandoned(board, reason));
            }
        }
    }
}

/// What is known of a run whose worker did not come to an end.
fn abandoned(board: &Board, reason: StopReason) -> Conclusion {
    let mut statistics = Statistics::default();
    let progress = board.last_progress();
    if progress != Progress::default() {
        statistics.push("elements", progress.elements);
        statistics.push("frontier", progress.frontier);
        statistics.push("expanded", progress.expanded);
    }
    Conclusion::new(board, Err(reason.into()), statistics)
}

/// The message of a worker that panicked.
fn last_words(worker: JoinHandle<()>) -> String {
    let Err(payload) = worker.join() else { return "the search ended without a result".to_owned() };
    let message = payload.downcast_ref::<String>().map(String::as_str);
    message.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("the search failed").to_owned()
}

impl Conclusion {
    /// What the board says about a run that ends now.
    fn new(board: &Board, evidence: Result<Evidence, UnknownReason>, statistics: Statistics) -> Self {
        let (input, phase) = (board.input.get().cloned(), board.phase());
        let cost = Cost { elapsed: Duration::ZERO, memory: None };
        Self { input, evidence, phase, statistics, write_error: None, cost }
    }
}

/// The worker: reads, searches, checks, writes.
fn work(task: &Task, budget: &Budget, board: &Board) -> WorkerResult {
    board.enter(Phase::Reading);
    let input = throng_formats::read(&task.file, &task.question).map_err(Failure::Refused)?;
    let input = Arc::clone(board.input.get_or_init(|| Arc::new(input)));
    board.enter(Phase::Searching);
    let outcome = task.engine.run(&input.system, budget, board);
    let evidence = match outcome.answer.into_evidence() {
        Ok(evidence) => evidence,
        Err(reason) => return Ok(Conclusion::new(board, Err(reason), outcome.statistics)),
    };
    board.enter(Phase::Checking);
    let name = task.file.display().to_string();
    let text = serialise(&evidence, &input, Header { engine: Some(task.engine.name()), input: Some(&name) })?;
    let accepted = if task.check { accept(&text, &input) } else { Ok(()) };
    if let Err(Rejected::TooLarge) = accepted {
        return Ok(Conclusion::new(board, Err(UnknownReason::EvidenceTooLarge), outcome.statistics));
    }
    board.enter(Phase::Writing);
    // Rejected evidence is written too: it is what a report of the bug needs.
    let written = task.evidence_file.as_ref().map(|path| {
        files::write_with(path, |out| out.write_all(&text)).map_err(|error| files::complain(path, &error))
    });
    if let Err(Rejected::Wrong(message)) = accepted {
        return Err(Failure::Internal(message));
    }
    let mut conclusion = Conclusion::new(board, Ok(evidence), outcome.statistics);
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

    fn supervised(work: impl FnOnce() + Send + 'static, budget: &Budget) -> WorkerResult {
        let (sender, receiver) = mpsc::channel();
        let worker = std::thread::spawn(move || {
            work();
            drop(sender);
        });
        wait(&receiver, worker, budget, &Board::default(), &mut Display::new(true))
    }

    #[test]
    fn a_panic_of_the_worker_is_an_internal_error() {
        let result = supervised(|| panic!("index out of bounds"), &Budget::unlimited());
        assert!(matches!(result, Err(Failure::Internal(message)) if message == "index out of bounds"));
    }

    #[test]
    fn a_worker_that_does_not_stop_is_left_behind() {
        let budget = Budget::unlimited();
        budget.stop(StopReason::Timeout);
        let started = Instant::now();
        let conclusion = supervised(|| std::thread::sleep(Duration::from_secs(60)), &budget).unwrap();
        assert_eq!(conclusion.evidence, Err(UnknownReason::Stopped(StopReason::Timeout)));
        assert!(started.elapsed() < Duration::from_secs(30));
    }

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
