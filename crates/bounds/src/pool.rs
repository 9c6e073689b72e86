//! Cuts of one system that engines share.
//!
//! A pool only grows, and every cut in it has passed the exact test of `exact`. Cuts come from structural bounds
//! ([`CutPool::seed`]), from the targets ([`CutPool::settle`]) and from what engines ask about
//! ([`crate::Pruner::prune`]). Linear programs run outside of all locks.

use crate::exact;
use crate::generation::{self, Aim, Limits};
use crate::refine;
use crate::rows::Rows;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use throng_base::{Budget, StopReason};
use throng_cert::{Cut, Trap};
use throng_model::{ConfigRef, System};

/// Cuts beyond this number are not kept: every configuration is compared with all that touch it.
const MOST_CUTS: usize = 4096;
/// Rules and moves of systems in which traps are looked for; the program for traps has all of them.
const MOST_ROWS_FOR_TRAPS: usize = 3000;

/// See the module's documentation.
#[derive(Debug)]
pub struct CutPool<'s> {
    system: &'s System,
    /// `None` inside if the system is too large.
    rows: OnceLock<Option<Rows<'s>>>,
    cuts: RwLock<Vec<Arc<Cut>>>,
    /// How many cuts there are, to be read without the lock.
    n_cuts: AtomicUsize,
    traps: RwLock<Vec<Trap>>,
    /// The cuts that somebody found broken.
    used: Mutex<BTreeSet<usize>>,
}

impl<'s> CutPool<'s> {
    /// A pool without cuts.
    pub fn new(system: &'s System) -> Self {
        let (cuts, traps) = (RwLock::default(), RwLock::default());
        let used = Mutex::default();
        Self { system, rows: OnceLock::new(), cuts, n_cuts: AtomicUsize::new(0), traps, used }
    }

    /// The system that the cuts are about.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// How many cuts there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.n_cuts.load(Ordering::Acquire)
    }

    /// Whether there is no cut.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All cuts and the traps they use. What a proof needs is what a [`crate::Pruner`] has used.
    pub fn all(&self) -> (Vec<Cut>, Vec<Trap>) {
        let cuts = self.cuts_from(0).iter().map(|cut| (**cut).clone()).collect();
        // Read later, so that the traps of all these cuts are there.
        (cuts, self.traps())
    }

    /// The cuts from a position on.
    pub(crate) fn cuts_from(&self, position: usize) -> Vec<Arc<Cut>> {
        let cuts = self.cuts.read().unwrap_or_else(PoisonError::into_inner);
        cuts.get(position..).unwrap_or_default().to_vec()
    }

    /// Somebody found this cut broken.
    pub(crate) fn mark_used(&self, cut: usize) {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(cut);
    }

    /// The cuts that somebody found broken.
    pub(crate) fn used(&self) -> Vec<usize> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    /// The traps that the cuts refer to.
    pub(crate) fn traps(&self) -> Vec<Trap> {
        self.traps.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn rows(&self) -> Option<&Rows<'s>> {
        self.rows.get_or_init(|| Rows::of(self.system)).as_ref()
    }

    /// Adds a cut; `false` if it is there already or there are too many.
    pub(crate) fn push(&self, cut: Cut) -> bool {
        let mut cuts = self.cuts.write().unwrap_or_else(PoisonError::into_inner);
        if cuts.len() >= MOST_CUTS || cuts.iter().any(|known| **known == cut) {
            return false;
        }
        cuts.push(Arc::new(cut));
        self.n_cuts.store(cuts.len(), Ordering::Release);
        true
    }

    /// Looks for a cut for an aim by linear programming and adds it; whether there is a new one. `work` grows by what
    /// was done.
    pub(crate) fn look_for(
        &self,
        aim: &Aim,
        limits: Limits,
        work: &mut u64,
        budget: &Budget,
    ) -> Result<Option<Cut>, StopReason> {
        let Some(rows) = self.rows() else { return Ok(None) };
        let traps = self.traps();
        let proposal = generation::generate(rows, &traps, aim, limits, work, budget)?;
        let cut = proposal.and_then(|proposal| exact::cut_of(rows, &traps, &proposal));
        Ok(cut.filter(|cut| self.push(cut.clone())))
    }

    /// Looks for traps with which a cut excludes `config`, and adds both; whether there are any.
    pub(crate) fn look_for_traps(
        &self,
        config: ConfigRef<'_>,
        limits: Limits,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        let Some(rows) = self.rows().filter(|rows| rows.len() <= MOST_ROWS_FOR_TRAPS) else {
            return Ok(false);
        };
        let known = self.traps();
        let Some(new) = refine::separating_traps(rows, &known, config, budget)? else { return Ok(false) };
        let traps = {
            let mut traps = self.traps.write().unwrap_or_else(PoisonError::into_inner);
            // Others may have added theirs in the meantime.
            let new: Vec<Trap> = new.into_iter().filter(|trap| !traps.contains(trap)).collect();
            traps.extend(new);
            traps.clone()
        };
        let aim = Aim::exclude(rows, config);
        let proposal = generation::generate(rows, &traps, &aim, limits, &mut 0, budget)?;
        let cut = proposal.and_then(|proposal| exact::cut_of(rows, &traps, &proposal));
        Ok(cut.is_some_and(|cut| self.push(cut)))
    }
}
