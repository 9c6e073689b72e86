//! Runs work under supervision: a worker thread does it, the main thread shows progress and answers in time even
//! if the worker does not.
//!
//! Readers and the checker do not look at the budget. So when it ends, a worker gets a moment to come to an end by
//! itself, depending on what it is doing, and is left behind after that: the process is about to end anyway. One that
//! goes on growing beyond the memory limit is left behind at once.

use crate::c::{ProgressStyle, Record};
use crate::memory;
use crate::progress::Display;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use throng::{Error, Phase, ProverEvent};
use throng_base::{Budget, Limits, StopReason};
use throng_engine::{Observer, Progress};
use throng_input::Input;

/// How often the main thread looks.
const TICK: Duration = Duration::from_millis(5);
/// Parsers and engines recurse little; this is for the deepest nesting they accept.
const WORKER_STACK: usize = 64 << 20;

/// How long a worker that was told to stop may take to come to an end by itself.
fn grace(phase: Phase) -> Duration {
    Duration::from_millis(match phase {
        // These do not listen: what they have in hand would have to end by chance.
        Phase::Reading | Phase::Rendering => 100,
        // Engines listen, and the checker may be about to accept an answer.
        Phase::Searching | Phase::Checking => 1_000,
        // The answer is there, and a file should be whole.
        Phase::Writing => 10_000,
    })
}

/// What the worker tells while it works.
#[derive(Debug, Default)]
pub(crate) struct Board {
    phase: Mutex<Phase>,
    progress: Mutex<Progress>,
    input: OnceLock<Arc<Input>>,
    /// What the prover of C programs did.
    record: Mutex<Option<Record>>,
    /// Lines that have not been shown yet.
    lines: Mutex<Vec<String>>,
    /// How all this is told.
    telling: ProgressStyle,
}

impl Board {
    /// A board of a run that tells its progress like this.
    pub(crate) fn new(telling: ProgressStyle) -> Self {
        Self { telling, ..Self::default() }
    }

    /// How progress is told.
    pub(crate) fn telling(&self) -> ProgressStyle {
        self.telling
    }

    /// Goes over to another phase.
    pub(crate) fn enter(&self, phase: Phase) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = phase;
    }

    /// What is going on.
    pub(crate) fn phase(&self) -> Phase {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the search is.
    pub(crate) fn last_progress(&self) -> Progress {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows what was read.
    pub(crate) fn show_input(&self, input: Input) -> Arc<Input> {
        Arc::clone(self.input.get_or_init(|| Arc::new(input)))
    }

    /// Looks at what the prover did, or adds to it; `None` if it has not begun.
    pub(crate) fn with_record<T>(&self, look: impl FnOnce(&mut Record) -> T) -> Option<T> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(look)
    }

    /// Says something that is shown at once, and stays.
    pub(crate) fn say(&self, line: String) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// What was said since the last call.
    pub(crate) fn take_lines(&self) -> Vec<String> {
        std::mem::take(&mut *self.lines.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What was read, if the work came that far.
    pub(crate) fn input(&self) -> Option<Arc<Input>> {
        self.input.get().cloned()
    }
}

impl Observer for Board {
    fn progress(&self, progress: &Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = *progress;
    }
}

impl throng::Observer for Board {
    fn phase(&self, phase: Phase) {
        self.enter(phase);
    }

    fn input(&self, input: &Arc<Input>) {
        self.input.get_or_init(|| Arc::clone(input));
    }

    fn prover(&self, event: ProverEvent) {
        if let ProverEvent::Begins(prepared) = event {
            let record = Record::new(prepared);
            *self.record.lock().unwrap_or_else(PoisonError::into_inner) = Some(record);
            return;
        }
        let telling = self.telling;
        if let Some(Some(line)) = self.with_record(|record| record.add(event, telling)) {
            self.say(line);
        }
    }

    fn remark(&self, text: String) {
        self.say(text);
    }
}

/// How supervised work ended: with a result, or because the budget ended.
pub(crate) type Attended<T> = Result<Result<T, StopReason>, Error>;

/// Has work done within limits. Must be called once per process: it takes over Ctrl-C.
pub(crate) fn attend<T: Send + 'static>(
    limits: Limits,
    board: &Arc<Board>,
    work: impl FnOnce(&Budget, &Board) -> Result<T, Error> + Send + 'static,
) -> Attended<T> {
    let budget = Budget::unlimited();
    let _watchdog = budget.watch(limits, memory::used);
    stop_on_interrupt(&budget);
    let mut display = Display::new(board.telling());
    let (sender, receiver) = mpsc::channel();
    let worker = {
        let (budget, board) = (budget.clone(), Arc::clone(board));
        let work = move || {
            // The main thread may have stopped listening: then nobody needs the result.
            let _ = sender.send(work(&budget, &board));
        };
        std::thread::Builder::new().name("worker".to_owned()).stack_size(WORKER_STACK).spawn(work)
    };
    let worker = worker.map_err(|error| Error::internal(format!("cannot start a thread: {error}")))?;
    wait(&receiver, worker, &budget, board, &mut display)
}

/// The first Ctrl-C (or SIGTERM) ends the search, the second the process.
pub(crate) fn stop_on_interrupt(budget: &Budget) {
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

/// Waits for the worker, or for the end of the grace period after the budget ended.
fn wait<T>(
    receiver: &Receiver<Result<T, Error>>,
    worker: JoinHandle<()>,
    budget: &Budget,
    board: &Board,
    display: &mut Display,
) -> Attended<T> {
    let mut stopped_at = None;
    loop {
        let news = receiver.recv_timeout(TICK);
        display.show_lines(board);
        match news {
            // Who stopped while reading has nothing but a message about that.
            Ok(Err(Error::Refused(errors))) => {
                let reason = budget.check().err();
                return reason.map(Err).ok_or(Error::Refused(errors));
            }
            Ok(result) => return result.map(Ok),
            Err(RecvTimeoutError::Disconnected) => return Err(Error::internal(panic_message(worker))),
            Err(RecvTimeoutError::Timeout) => {}
        }
        display.tick(board);
        if let Err(reason) = budget.check() {
            let stopped_at = *stopped_at.get_or_insert_with(Instant::now);
            let phase = board.phase();
            let is_too_large = budget.is_excessive() && phase != Phase::Writing;
            if is_too_large || stopped_at.elapsed() >= grace(phase) {
                return Ok(Err(reason));
            }
        }
    }
}

/// The message of a worker that panicked.
fn panic_message(worker: JoinHandle<()>) -> String {
    let Err(payload) = worker.join() else { return "the worker ended without a result".to_owned() };
    let message = payload.downcast_ref::<String>().map(String::as_str);
    message.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("the worker failed").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn supervised(work: impl FnOnce() + Send + 'static, budget: &Budget) -> Attended<()> {
        let (sender, receiver) = mpsc::channel();
        let worker = std::thread::spawn(move || {
            work();
            drop(sender);
        });
        wait(&receiver, worker, budget, &Board::default(), &mut Display::new(ProgressStyle::Silent))
    }

    #[test]
    fn a_panic_of_the_worker_is_an_internal_error() {
        let result = supervised(|| panic!("index out of bounds"), &Budget::unlimited());
        assert!(matches!(result, Err(Error::Internal { message, .. }) if message == "index out of bounds"));
    }

    #[test]
    fn a_worker_that_does_not_stop_is_left_behind() {
        let budget = Budget::unlimited();
        budget.stop(StopReason::Timeout);
        let started = Instant::now();
        let result = supervised(|| std::thread::sleep(Duration::from_secs(60)), &budget);
        assert!(matches!(result, Ok(Err(StopReason::Timeout))), "{result:?}");
        assert!(started.elapsed() < Duration::from_secs(30));
    }
}
