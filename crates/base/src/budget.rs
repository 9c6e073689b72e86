//! Resource budgets: how long and how large a run may become, and how it is told to stop.
//!
//! Engines poll [`Budget::check`], one relaxed atomic load. Whoever owns the run says [`Budget::stop`]: a
//! watchdog that looks at the clock and the memory ([`Budget::watch`]), a signal handler, or the engine that
//! answered first. Engines never look at the clock themselves.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Why a run was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum StopReason {
    /// The time limit was reached.
    Timeout = 1,
    /// The memory limit was reached.
    Memory = 2,
    /// The user asked for it.
    Interrupted = 3,
    /// The answer is no longer needed.
    Cancelled = 4,
}

/// The word in `unknown(…)`.
impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            StopReason::Timeout => "timeout",
            StopReason::Memory => "memory",
            StopReason::Interrupted => "interrupted",
            StopReason::Cancelled => "cancelled",
        })
    }
}

/// Limits of a run; `None` is no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Resident memory in bytes.
    pub memory: Option<u64>,
}

/// A handle to the stop flag of a run; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    state: Arc<AtomicU8>,
    /// The budgets that this one is part of.
    wholes: Vec<Arc<AtomicU8>>,
    shortage: Arc<Shortage>,
    watched: Arc<OnceLock<Watched>>,
}

/// What a watchdog says about memory.
#[derive(Debug, Default)]
struct Shortage {
    is_short: AtomicBool,
    /// Whether the run went on growing after it was told to stop.
    is_excessive: AtomicBool,
    /// How often the watchdog has looked.
    ticks: AtomicU32,
}

/// What a watchdog enforces.
#[derive(Debug)]
struct Watched {
    started: Instant,
    limits: Limits,
    memory_used: fn() -> Option<u64>,
}

/// How far beyond its memory limit a run may get, in parts of the limit, before nobody waits for it any longer.
const EXCESS: u64 = 20;

impl Budget {
    /// A budget that lasts until somebody says [`Budget::stop`].
    pub fn unlimited() -> Self {
        Self::default()
    }

    /// A budget for a part of the run: it ends with this one, or earlier by itself.
    pub fn part(&self) -> Self {
        let wholes = self.wholes.iter().chain([&self.state]).cloned().collect();
        let (shortage, watched) = (Arc::clone(&self.shortage), Arc::clone(&self.watched));
        Self { state: Arc::default(), wholes, shortage, watched }
    }

    /// Ends the run. The first reason stays.
    pub fn stop(&self, reason: StopReason) {
        // Failure means that the run has been stopped already, which is what was asked for.
        let _ = self.state.compare_exchange(0, reason as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// `Err` with the reason once the run has to end.
    #[inline]
    pub fn check(&self) -> Result<(), StopReason> {
        let own = self.state.load(Ordering::Relaxed);
        let mut wholes = self.wholes.iter().map(|state| state.load(Ordering::Relaxed));
        let state = if own == 0 { wholes.find(|&state| state != 0).unwrap_or(0) } else { own };
        match state {
            0 => Ok(()),
            1 => Err(StopReason::Timeout),
            2 => Err(StopReason::Memory),
            3 => Err(StopReason::Interrupted),
            _ => Err(StopReason::Cancelled),
        }
    }

    /// Whether more than half of the memory is used up, so that it is time to give some back: if so, how often
    /// the watchdog has looked. What was given back shows after some ticks.
    pub fn short_of_memory(&self) -> Option<u32> {
        let is_short = self.shortage.is_short.load(Ordering::Relaxed);
        is_short.then(|| self.shortage.ticks.load(Ordering::Relaxed))
    }

    /// Whether the run has gone on growing after it reached its memory limit, by a twentieth of it.
    pub fn is_excessive(&self) -> bool {
        self.shortage.is_excessive.load(Ordering::Relaxed)
    }

    /// What is left of the limits: for other processes that do a part of the work.
    pub fn remaining(&self) -> Limits {
        let Some(Watched { started, limits, memory_used }) = self.watched.get() else {
            return Limits::default();
        };
        Limits {
            time: limits.time.map(|limit| limit.saturating_sub(started.elapsed())),
            memory: limits.memory.map(|limit| limit.saturating_sub(memory_used().unwrap_or(0))),
        }
    }

    /// Starts a thread that enforces `limits` until the guard is dropped. `memory_used` tells the resident
    /// memory in bytes, or `None` where that cannot be known.
    pub fn watch(&self, limits: Limits, memory_used: fn() -> Option<u64>) -> Watchdog {
        const TICK: Duration = Duration::from_millis(2);
        /// Memory grows fast, so it is looked at often; what was given back shows slowly, so that is told less often.
        const LOOKS: u32 = 10;
        let (stop, stopped) = mpsc::channel::<()>();
        let budget = self.clone();
        let started = Instant::now();
        // A run is watched once; whoever watches it again enforces other limits, but does not change what is left.
        let _ = self.watched.set(Watched { started, limits, memory_used });
        let thread = std::thread::spawn(move || {
            let mut looks = 0_u32;
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if limits.time.is_some_and(|limit| started.elapsed() >= limit) {
                    budget.stop(StopReason::Timeout);
                }
                if let (Some(limit), Some(used)) = (limits.memory, memory_used()) {
                    budget.shortage.is_short.store(used > limit / 2, Ordering::Relaxed);
                    looks += 1;
                    budget.shortage.ticks.store(looks / LOOKS, Ordering::Relaxed);
                    if used > limit {
                        budget.stop(StopReason::Memory);
                    }
                    let is_excessive = used > limit + limit / EXCESS;
                    budget.shortage.is_excessive.store(is_excessive, Ordering::Relaxed);
                }
            }
        });
        Watchdog { stop: Some(stop), thread: Some(thread) }
    }
}

/// Keeps the limits of a [`Budget`] enforced; see [`Budget::watch`].
#[derive(Debug)]
pub struct Watchdog {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The watchdog holds no state; if it panicked there is nothing to clean up.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays() {
        let budget = Budget::unlimited();
        assert_eq!(budget.check(), Ok(()));
        let shared = budget.clone();
        shared.stop(StopReason::Memory);
        budget.stop(StopReason::Timeout);
        assert_eq!(budget.check(), Err(StopReason::Memory));
    }

    #[test]
    fn a_part_ends_with_the_whole_but_not_the_other_way_round() {
        let whole = Budget::unlimited();
        let part = whole.part();
        part.stop(StopReason::Cancelled);
        assert_eq!((whole.check(), part.check()), (Ok(()), Err(StopReason::Cancelled)));
        let part = whole.part();
        let part_of_part = part.part();
        whole.stop(StopReason::Timeout);
        assert_eq!(part.check(), Err(StopReason::Timeout));
        assert_eq!(part_of_part.check(), Err(StopReason::Timeout));
    }

    #[test]
    fn a_watchdog_stops_a_run_that_is_too_large() {
        let budget = Budget::unlimited();
        let watchdog = budget.watch(Limits { time: None, memory: Some(10) }, || Some(11));
        while budget.check().is_ok() {
            std::thread::yield_now();
        }
        while !budget.is_excessive() {
            std::thread::yield_now();
        }
        drop(watchdog);
        assert_eq!(budget.check(), Err(StopReason::Memory));
    }

    #[test]
    fn what_is_left_is_known_to_all_parts() {
        assert!(Budget::unlimited().remaining().memory.is_none());
        let budget = Budget::unlimited();
        let limits = Limits { time: Some(Duration::from_secs(100)), memory: Some(10) };
        let watchdog = budget.watch(limits, || Some(3));
        let left = budget.part().remaining();
        drop(watchdog);
        assert_eq!(left.memory, Some(7));
        assert!(
            left.time.is_some_and(|time| time <= Duration::from_secs(100) && time > Duration::from_secs(9))
        );
    }
}
