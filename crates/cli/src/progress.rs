//! Signs of life on stderr: a live line on a terminal, a plain line now and then elsewhere.

use crate::supervise::Board;
use crate::{memory, units};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};
use throng_engine::Progress;

/// Short runs are not disturbed by progress.
const QUIET_AT_FIRST: Duration = Duration::from_secs(2);
const LIVE_EVERY: Duration = Duration::from_millis(250);
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Live,
    Plain,
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
    pub(crate) fn new(quiet: bool) -> Self {
        let mode = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Mode::Absent,
            (false, true) => Mode::Live,
            (false, false) => Mode::Plain,
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
        let is_net = board.input().is_some_and(|input| input.subject().is_net());
        let unit = if is_net { "tokens" } else { "threads" };
        let mut line = describe(now - self.started, board.phase().word(), board.last_progress(), unit);
        if let Some(Some(words)) = board.with_record(|record| record.words()) {
            line.push_str(&format!("  {words}"));
        }
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

fn describe(elapsed: Duration, phase: &str, progress: Progress, unit: &str) -> String {
    let mut line = format!("{phase}  {}", units::show_duration(elapsed));
    if progress != Progress::default() {
        let Progress { elements, frontier, threads, .. } = progress;
        line.push_str(&format!("  {elements} elements  {frontier} waiting  {threads} {unit}"));
    }
    if let Some(memory) = memory::used() {
        line.push_str(&format!("  {}", units::show_size(memory)));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_phase_time_elements_and_frontier() {
        let progress = Progress { elements: 12, frontier: 3, expanded: 9, steps: 40, threads: 4 };
        let line = describe(Duration::from_secs(61), "searching", progress, "threads");
        assert!(line.starts_with("searching  1 min 01 s  12 elements  3 waiting  4 threads"), "{line}");
        assert!(
            !describe(Duration::from_secs(1), "reading", Progress::default(), "threads").contains("elements")
        );
    }
}
