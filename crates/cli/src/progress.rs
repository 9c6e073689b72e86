//! Signs of life on stderr: a live line on a terminal, a plain line now and then elsewhere, or a line of JSON where the
//! result is JSON, so that whoever reads events line by line can read all lines.

use crate::c::ProgressStyle;
use crate::supervise::Board;
use crate::{memory, units};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use throng_engine::Progress;
use throng_report::Subject;
use throng_report::c::{SignOfLife, progress_line};

/// Short runs are not disturbed by progress.
const QUIET_AT_FIRST: Duration = Duration::from_secs(2);
const LIVE_EVERY: Duration = Duration::from_millis(250);
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Live,
    Plain,
    Json,
    Absent,
}

/// Shows the progress of one run.
#[derive(Debug)]
pub(crate) struct Display {
    mode: Mode,
    started: Instant,
    next: Instant,
    line_shown: bool,
}

impl Display {
    /// A display for a run that starts now.
    pub(crate) fn new(telling: ProgressStyle) -> Self {
        let mode = match (telling, std::io::stderr().is_terminal()) {
            (ProgressStyle::Silent, _) => Mode::Absent,
            (_, true) => Mode::Live,
            (ProgressStyle::Text | ProgressStyle::Full, false) => Mode::Plain,
            (ProgressStyle::Json, false) => Mode::Json,
        };
        let started = Instant::now();
        let first = if mode == Mode::Live { QUIET_AT_FIRST } else { PLAIN_EVERY };
        Self { mode, started, next: started + first, line_shown: false }
    }

    /// Shows how far the run is, if it is time to.
    pub(crate) fn tick(&mut self, board: &Board) {
        let now = Instant::now();
        if self.mode == Mode::Absent || now < self.next {
            return;
        }
        let elapsed = now - self.started;
        let line = if self.mode == Mode::Json {
            progress_line(&sign_of_life(board), elapsed)
        } else {
            describe(elapsed, &sign_of_life(board), unit(board))
        };
        let mut stderr = std::io::stderr().lock();
        let written = if self.mode == Mode::Live {
            self.next = now + LIVE_EVERY;
            let width = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| width.0);
            let fitting: String = line.chars().take(usize::from(width).saturating_sub(1)).collect();
            self.line_shown = true;
            write!(stderr, "\r{fitting}\x1b[K").and_then(|()| stderr.flush())
        } else {
            self.next = now + PLAIN_EVERY;
            writeln!(stderr, "{line}")
        };
        // Nobody looks at stderr any more: that does not concern the run.
        let _ = written;
    }

    /// Shows what was said and stays.
    pub(crate) fn show_lines(&mut self, board: &Board) {
        let lines = board.take_lines();
        if self.mode == Mode::Absent || lines.is_empty() {
            return;
        }
        self.clear();
        lines.iter().for_each(|line| crate::console::remark(line));
    }

    /// Clears the live line.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.line_shown) {
            let mut stderr = std::io::stderr().lock();
            let _ = write!(stderr, "\r\x1b[K").and_then(|()| stderr.flush());
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.clear();
    }
}

/// How far the run is.
fn sign_of_life(board: &Board) -> SignOfLife {
    let Progress { elements, frontier, threads, .. } = board.last_progress();
    SignOfLife {
        phase: board.phase().word(),
        prover: board.with_record(|record| record.words()).flatten(),
        elements,
        waiting: frontier,
        threads,
        memory: memory::used(),
    }
}

/// What is counted.
fn unit(board: &Board) -> &'static str {
    let is_net = board.input().is_some_and(|input| Subject::from(&*input).is_net());
    if is_net { "tokens" } else { "threads" }
}

/// How long, what is tried, and how far: `[12.3 s] proving: abstracting (iteration 3)  searched: 1200 states, up to 4 threads  88 MiB`.
fn describe(elapsed: Duration, sign: &SignOfLife, unit: &str) -> String {
    let SignOfLife { phase, prover, elements, waiting, threads, memory } = sign;
    let mut line = format!("[{}] ", units::show_duration(elapsed));
    let has_counts = (*elements, *waiting, *threads) != (0, 0, 0);
    let waiting = if *waiting > 0 { format!(", {waiting} to do") } else { String::new() };
    let counts = format!("{elements} states{waiting}, up to {threads} {unit}");
    match prover {
        Some(words) => {
            line.push_str(&format!("proving: {words}"));
            line.push_str(&if has_counts { format!("  searched: {counts}") } else { String::new() });
        }
        None => {
            line.push_str(phase);
            line.push_str(&if has_counts { format!(": {counts}") } else { String::new() });
        }
    }
    if let Some(memory) = memory {
        line.push_str(&format!("  {}", units::show_size(*memory)));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_phase_time_elements_and_frontier() {
        let prover = Some("refining it (iteration 2)".to_owned());
        let sign =
            SignOfLife { phase: "searching", elements: 12, waiting: 3, threads: 4, prover, memory: None };
        let line = describe(Duration::from_secs(61), &sign, "threads");
        let expected = "proving: refining it (iteration 2)  searched: 12 states, 3 to do, up to 4 threads";
        assert_eq!(line, format!("[1 min 01 s] {expected}"));
        let sign = SignOfLife { prover: None, waiting: 0, ..sign };
        let line = describe(Duration::from_secs(61), &sign, "tokens");
        assert_eq!(line, "[1 min 01 s] searching: 12 states, up to 4 tokens");
        let reading = SignOfLife { phase: "reading", ..SignOfLife::default() };
        assert_eq!(describe(Duration::from_secs(1), &reading, "threads"), "[1.0 s] reading");
    }
}
