//! Limits of `throng-check`: how long and how large a check may become.
//!
//! Neither readers nor checks of systems look at a budget, and an input may be made to be slow. So the work is done in a
//! thread, which is left behind if it does not end in time: the process is about to end anyway.

use crate::memory;
#[cfg(feature = "clap")]
use crate::units;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use throng_base::{Budget, Diagnostic, Limits, StopReason};
use throng_model::System;

/// How often we look whether the work is done.
const TICK: Duration = Duration::from_millis(5);

/// How long work that was told to stop may take to come to an end by itself.
const PATIENCE: Duration = Duration::from_millis(500);

/// For the deepest nesting that parsers accept.
const STACK: usize = 64 << 20;

/// When to give up.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct LimitFlags {
    /// Stop after this time, reading the input included: `500ms`, `60s`, `2m`, `1h` [default: no limit]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME", value_parser = units::duration))]
    timeout: Option<Duration>,

    /// Stop at this much memory: `512MiB`, `4GiB` [default: 80 % of what the machine has]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE", value_parser = units::size))]
    memory: Option<u64>,
}

impl LimitFlags {
    /// The limits.
    pub fn limits(&self) -> Limits {
        Limits { time: self.timeout, memory: self.memory.or_else(memory::default_limit) }
    }
}

/// Has work done within limits, or says which one was reached. What the work panics with is passed on.
pub fn within<T: Send + 'static>(
    limits: Limits,
    work: impl FnOnce(&Budget) -> T + Send + 'static,
) -> Result<T, StopReason> {
    let budget = Budget::unlimited();
    let _watchdog = budget.watch(limits, memory::used);
    let (sender, receiver) = mpsc::channel();
    let own = budget.clone();
    let work = move || {
        // Nobody may be listening any more.
        let _ = sender.send(work(&own));
    };
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread can be started");
    let mut stopped_at = None;
    loop {
        match receiver.recv_timeout(TICK) {
            // What was done after the end may be a part only.
            Ok(result) => return budget.check().map(|()| result),
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(payload) => std::panic::resume_unwind(payload),
                Ok(()) => return Err(StopReason::Cancelled),
            },
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(reason) = budget.check() {
            let stopped_at = *stopped_at.get_or_insert_with(Instant::now);
            if budget.is_excessive() || stopped_at.elapsed() >= PATIENCE {
                return Err(reason);
            }
        }
    }
}

/// Whether what is left of the memory can hold a number for each state of a system, which every work on it needs: a header
/// of a few bytes may promise more than any machine has. If not, the budget ends.
pub fn fits(system: &System, budget: &Budget) -> bool {
    /// The bytes of a number of a state.
    const NUMBER: u64 = 4;
    let states = (system.n_shared() as u64).saturating_add(system.n_locals() as u64);
    let fits = budget.remaining().memory.is_none_or(|left| states.saturating_mul(NUMBER) <= left);
    if !fits {
        budget.stop(StopReason::Memory);
    }
    fits
}

/// The same as an error, which nobody sees because the budget has ended.
pub fn refuse_excess(system: &System, budget: &Budget) -> Result<(), Vec<Diagnostic>> {
    let error = || vec![Diagnostic::error("E0002", "there are more states than the memory can hold")];
    if fits(system, budget) { Ok(()) } else { Err(error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_with_its_result_or_at_a_limit() {
        assert_eq!(within(Limits::default(), |_| 7), Ok(7));
        let limits = Limits { time: Some(Duration::from_millis(20)), memory: None };
        let started = Instant::now();
        let endless = within(limits, |_| std::thread::sleep(Duration::from_secs(60)));
        assert_eq!(endless, Err(StopReason::Timeout));
        assert!(started.elapsed() < Duration::from_secs(30));
        let listening = within(limits, |budget| while budget.check().is_ok() {});
        assert_eq!(listening, Err(StopReason::Timeout));
    }
}
