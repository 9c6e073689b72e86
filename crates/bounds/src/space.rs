//! The space that weights live in: one coordinate per shared state and per local state.
//!
//! A coordinate is a plain index, shared states first. Where there is only one shared state its coordinate is
//! never used by a rule, since no rule changes it.

use throng_model::{ConfigRef, LocalId, RuleRef, SharedId, System};

/// The largest number of states for which cuts are looked for. Tables by state take some tens of bytes a state,
/// and an input may claim to have billions.
const MOST_STATES: usize = 1 << 24;

/// Which coordinate a state has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    n_shared: usize,
    n_locals: usize,
}

/// A state of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Shared(SharedId),
    Local(LocalId),
}

impl Space {
    /// The space of a system; `None` if it has too many states.
    pub(crate) fn of(system: &System) -> Option<Self> {
        let (n_shared, n_locals) = (system.n_shared(), system.n_locals());
        n_shared.checked_add(n_locals).filter(|&n_states| n_states <= MOST_STATES)?;
        Some(Self { n_shared, n_locals })
    }

    /// The number of coordinates.
    pub(crate) fn dimension(self) -> usize {
        self.n_shared + self.n_locals
    }

    #[inline]
    pub(crate) fn shared(self, shared: SharedId) -> usize {
        shared.index()
    }

    #[inline]
    pub(crate) fn local(self, local: LocalId) -> usize {
        self.n_shared + local.index()
    }

    /// The state of a coordinate.
    pub(crate) fn state(self, coordinate: usize) -> State {
        match coordinate.checked_sub(self.n_shared) {
            None => State::Shared(SharedId::new(coordinate)),
            Some(local) => State::Local(LocalId::new(local)),
        }
    }

    /// A configuration as a vector: its coordinates that are not 0.
    pub(crate) fn vector(self, config: ConfigRef<'_>) -> impl Iterator<Item = (usize, u32)> {
        let threads = config.bag.iter().map(move |entry| (self.local(entry.local), entry.count));
        [(self.shared(config.shared), 1)].into_iter().chain(threads)
    }

    /// What a rule changes, apart from the moves of passive threads: its coordinates that are not 0, each once.
    pub(crate) fn for_each_effect(self, rule: RuleRef<'_>, mut report: impl FnMut(usize, i64)) {
        if rule.from != rule.to {
            report(self.shared(rule.from), -1);
            report(self.shared(rule.to), 1);
        }
        let (mut take, mut put) = (rule.take.iter().peekable(), rule.put.iter().peekable());
        loop {
            let local = match (take.peek(), put.peek()) {
                (Some(taken), Some(filled)) => taken.local.min(filled.local),
                (Some(entry), None) | (None, Some(entry)) => entry.local,
                (None, None) => return,
            };
            let filled = put.next_if(|entry| entry.local == local).map_or(0, |entry| i64::from(entry.count));
            let taken = take.next_if(|entry| entry.local == local).map_or(0, |entry| i64::from(entry.count));
            if filled != taken {
                report(self.local(local), filled - taken);
            }
        }
    }
}
