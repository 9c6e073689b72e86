//! What the engines of one run share: cuts, D (known to be coverable) and U (known not to be).
//!
//! D and U are logs: whoever finds something appends it, and everybody reads on from where they stopped, when it
//! suits them. What stands there is a fact, but nobody depends on having read it.
//!
//! U is such that a proof may contain all of it: the elements are not initial, and each of their minimal
//! predecessors is above one of them or breaks a cut. So a whole batch is published at a time. D comes without
//! traces: it serves to reject guesses, not to answer `unsafe`.

use crate::Options;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use throng_base::{Budget, StopReason};
use throng_bounds::CutPool;
use throng_model::{Config, TransitionSystem};

/// See the module's documentation.
#[derive(Debug, Default)]
pub(crate) struct Blackboard<'s> {
    /// Cuts, where the rules are known as a whole and cuts are wanted.
    cuts: Option<CutPool<'s>>,
    /// Whether somebody has added cuts from structural bounds, or is at it.
    is_seeded: AtomicBool,
    /// D.
    pub(crate) covered: Log,
    /// U.
    pub(crate) uncoverable: Log,
}

impl<'s> Blackboard<'s> {
    /// A blackboard on which nothing stands yet.
    pub(crate) fn new(system: &'s dyn TransitionSystem, options: &Options) -> Self {
        // A minimal proof is one without cuts: with them, it depends on what is excluded by other means.
        let wanted = options.cuts && !options.minimal;
        let cuts = system.explicit().filter(|_| wanted).map(CutPool::new);
        Self { cuts, ..Self::default() }
    }

    /// Adds cuts from structural bounds, unless that was done. It pays for searches that are not over at once.
    pub(crate) fn seed(&self, budget: &Budget) -> Result<(), StopReason> {
        match &self.cuts {
            Some(cuts) if !self.is_seeded.swap(true, Ordering::Relaxed) => cuts.seed(budget),
            _ => Ok(()),
        }
    }

    /// The pool of cuts.
    pub(crate) fn cuts(&self) -> Option<&CutPool<'s>> {
        self.cuts.as_ref()
    }
}

/// Configurations in the order in which they were found.
#[derive(Debug, Default)]
pub(crate) struct Log {
    entries: RwLock<Vec<Config>>,
    /// The length, to be asked without a lock.
    len: AtomicUsize,
}

impl Log {
    /// Nothing is appended beyond this: what was found late helps less than it costs to read.
    const MOST: usize = 1 << 20;

    /// Appends entries, all of them or none.
    pub(crate) fn publish(&self, news: impl IntoIterator<Item = Config>) {
        // A reader or writer that panicked leaves the log whole: entries are appended one by one.
        let mut entries = self.entries.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if entries.len() < Self::MOST {
            entries.extend(news);
            self.len.store(entries.len(), Ordering::Release);
        }
    }

    /// Reports what was appended since the last time.
    pub(crate) fn read_on(&self, cursor: &mut usize, mut report: impl FnMut(&Config)) {
        if self.len.load(Ordering::Acquire) == *cursor {
            return;
        }
        let entries = self.entries.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        entries[*cursor..].iter().for_each(&mut report);
        *cursor = entries.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::{Bag, SharedId};

    #[test]
    fn everybody_reads_everything_once() {
        let log = Log::default();
        let config = |shared| Config::new(SharedId::new(shared), Bag::new());
        let read = |cursor: &mut usize| {
            let mut read = Vec::new();
            log.read_on(cursor, |config| read.push(config.shared.index()));
            read
        };
        let (mut early, mut late) = (0, 0);
        log.publish([config(1), config(2)]);
        assert_eq!(read(&mut early), [1, 2]);
        log.publish([config(3)]);
        assert_eq!((read(&mut early), read(&mut late)), (vec![3], vec![1, 2, 3]));
        assert!(read(&mut early).is_empty());
    }
}
