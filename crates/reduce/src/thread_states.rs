//! Which thread states some run could show: an over-approximation R that is closed under steps.
//!
//! R is a set of shared states s and of pairs (s, l), read as "the shared state can be s" and "it can be s
//! while some thread is in l". It contains what the initial configurations show, and
//!
//! **(R)** if a rule is *fireable*, that is, `from` ∈ R and (`from`, l) ∈ R for each l in `take`, then `to` ∈ R;
//! (`to`, l) ∈ R for each l in `put`; (`to`, q) ∈ R for each destination q of each source p with (`from`, p) ∈
//! R; and (`to`, l) ∈ R for each (`from`, l) ∈ R that is no source.
//!
//! By induction over runs, every thread state that some run shows is in R, and a rule that is not fireable never
//! fires. R is the thread-modular (Cartesian) abstraction of Flanagan and Qadeer: how often a local occurs, and
//! which locals occur together, is forgotten.

use crate::bits::BitSet;
use throng_model::{ConfigRef, LocalId, RuleRef, SharedId};

/// A set R with property (R) of the module's documentation.
#[derive(Clone, Debug)]
pub(crate) enum ThreadStates {
    /// For each shared state the locals it occurs with; `None` if it does not occur.
    Pairs(Vec<Option<BitSet>>),
    /// Every one of these shared states with every one of these locals: what is used when the pairs would be
    /// too many.
    Product {
        /// The shared states.
        shared: BitSet,
        /// The locals.
        locals: BitSet,
    },
}

impl ThreadStates {
    /// Everything: has property (R) and makes every rule fireable.
    pub(crate) fn all(n_shared: usize, n_locals: usize) -> Self {
        ThreadStates::Product { shared: BitSet::full(n_shared), locals: BitSet::full(n_locals) }
    }

    /// The locals that occur with a shared state; `None` if that does not occur.
    #[inline]
    pub(crate) fn locals_at(&self, s: SharedId) -> Option<&BitSet> {
        match self {
            ThreadStates::Pairs(rows) => rows[s.index()].as_ref(),
            ThreadStates::Product { shared, locals } => shared.contains(s.index()).then_some(locals),
        }
    }

    /// Whether a rule is fireable.
    pub(crate) fn is_fireable(&self, rule: RuleRef<'_>) -> bool {
        self.locals_at(rule.from)
            .is_some_and(|row| rule.take.iter().all(|entry| row.contains(entry.local.index())))
    }

    /// Whether every thread state of a configuration is in R.
    pub(crate) fn shows(&self, config: ConfigRef<'_>) -> bool {
        self.missing(config).next().is_none()
    }

    /// The thread states of a configuration that are not in R; its shared state alone, if that is not.
    pub(crate) fn missing<'a>(&'a self, config: ConfigRef<'a>) -> impl Iterator<Item = ThreadState> + 'a {
        let row = self.locals_at(config.shared);
        let alone = row.is_none().then_some(ThreadState { shared: config.shared, local: None });
        let locals = config
            .bag
            .iter()
            .map(|entry| entry.local)
            .filter(move |local| row.is_some_and(|row| !row.contains(local.index())));
        let pairs = locals.map(move |local| ThreadState { shared: config.shared, local: Some(local) });
        alone.into_iter().chain(pairs)
    }

    /// How many of the `n_shared` × `n_locals` pairs are not in R.
    pub(crate) fn n_missing(&self, n_shared: usize, n_locals: usize) -> u64 {
        let present: u64 = match self {
            ThreadStates::Pairs(rows) => rows.iter().flatten().map(|row| row.len() as u64).sum(),
            ThreadStates::Product { shared, locals } => {
                (shared.len() as u64).saturating_mul(locals.len() as u64)
            }
        };
        (n_shared as u64).saturating_mul(n_locals as u64).saturating_sub(present)
    }
}

/// A shared state, alone or with one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ThreadState {
    /// The shared state.
    pub(crate) shared: SharedId,
    /// The thread.
    pub(crate) local: Option<LocalId>,
}
