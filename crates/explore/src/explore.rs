//! Breadth-first search with a bound on the number of threads, which can be interrupted and resumed.
//!
//! Partial orders: if the next step of a thread is independent of everything that the others may ever do
//! ([`crate::analysis`]), it is a persistent set by itself, and only that thread is run. So that nobody is put off for ever,
//! at least one of its successors must be new, and after a number of such expansions in a row all threads are run.
//! A step that may begin an atomic section without an end keeps all others from their steps, so it is never such a set.
//! Persistent sets with such a proviso preserve which local states of threads, and so which errors, are reachable.

use crate::canon::{self, Canon, HEAD};
use crate::machine::{Ending, Machine, Moment};
use crate::rows;
use hashbrown::HashTable;
use throng_base::{Budget, StopReason};

/// The parent of the first states.
pub(crate) const NO_STATE: u32 = u32::MAX;
/// How many expansions in a row may leave threads out.
const PATIENCE: u8 = 100;
const ABSENT: u32 = u32::MAX;

/// Which reductions are used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reductions {
    pub(crate) partial_orders: bool,
}

/// How an error was reached: a thread ran from a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// [`NO_STATE`] for the start.
    pub(crate) state: u32,
    pub(crate) thread: u32,
}

/// Why an exploration paused.
#[derive(Debug)]
pub(crate) enum Pause {
    /// There are no more states.
    Complete,
    /// An error is reached.
    Error(Found),
    /// So many states were expanded, or the depth was reached.
    Quota,
}

/// The states that so many threads can reach.
#[derive(Debug)]
pub(crate) struct Exploration {
    n_threads: usize,
    packed: Vec<u32>,
    parents: Vec<u32>,
    /// The place of the thread that ran, and how many expansions in a row left threads out.
    by: Vec<(u8, u8)>,
    index: HashTable<u32>,
    /// The first state that was not expanded.
    next: usize,
    /// Where the states of the current depth end.
    level_end: usize,
    /// How many runs of threads lead to the states that are expanded now.
    pub(crate) depth: usize,
    /// Whether there are no more states.
    pub(crate) is_complete: bool,
    /// Whether a state was met where more threads might be started.
    pub(crate) may_need_more: bool,
}

impl Exploration {
    /// An exploration that has not begun.
    pub(crate) fn new(n_threads: usize) -> Self {
        Self {
            n_threads,
            packed: Vec::new(),
            parents: Vec::new(),
            by: Vec::new(),
            index: HashTable::new(),
            next: 0,
            level_end: 0,
            depth: 0,
            is_complete: false,
            may_need_more: false,
        }
    }

    /// How many states were met.
    pub(crate) fn n_states(&self) -> usize {
        self.parents.len()
    }

    /// How many states were expanded.
    pub(crate) fn n_expanded(&self) -> usize {
        self.next
    }

    /// A state as it is packed.
    pub(crate) fn state(&self, id: u32) -> &[u32] {
        let stride = HEAD + self.n_threads;
        let words = &self.packed[id as usize * stride..][..stride];
        let n_words = words.iter().position(|&word| word == ABSENT).unwrap_or(stride);
        &words[..n_words]
    }

    /// From where, and by the run of which thread, a state was met first.
    pub(crate) fn parent(&self, id: u32) -> (u32, u32) {
        (self.parents[id as usize], u32::from(self.by[id as usize].0))
    }

    /// Goes on until so many states are expanded or this depth is reached.
    pub(crate) fn go_on(
        &mut self,
        machine: &mut Machine,
        canon: &mut Canon,
        reductions: Reductions,
        (quota, max_depth): (usize, usize),
        budget: &Budget,
    ) -> Result<Pause, StopReason> {
        machine.limit = self.n_threads;
        if self.parents.is_empty() && !self.is_complete {
            let (start, _) = machine.start();
            if let Ending::Error(_) = machine.run(start, false)? {
                return Ok(Pause::Error(Found { state: NO_STATE, thread: 0 }));
            }
            self.insert_results(machine, canon, NO_STATE, (0, 0));
            self.level_end = self.n_states();
        }
        while self.next < self.n_states() {
            if self.next == self.level_end {
                self.level_end = self.n_states();
                self.depth += 1;
            }
            if self.n_expanded() >= quota || self.depth >= max_depth {
                return Ok(Pause::Quota);
            }
            budget.check()?;
            let state = self.next as u32;
            if let Some(thread) = self.expand(machine, canon, reductions, state)? {
                return Ok(Pause::Error(Found { state, thread: thread as u32 }));
            }
            self.next += 1;
        }
        self.is_complete = true;
        Ok(Pause::Complete)
    }

    /// Runs threads from a state; tells which one reaches an error, if any.
    fn expand(
        &mut self,
        machine: &mut Machine,
        canon: &mut Canon,
        reductions: Reductions,
        state: u32,
    ) -> Result<Option<usize>, StopReason> {
        let threads: smallvec::SmallVec<[u32; 8]> = self.state(state)[HEAD..].iter().copied().collect();
        let location = |place: usize| machine.rows.get(threads[place])[0];
        let is_atomic = |&place: &usize| machine.compiled.points[location(place) as usize].is_atomic;
        let mut atomic = (0..threads.len()).filter(is_atomic);
        match (atomic.next(), atomic.next()) {
            (Some(only), None) => {
                return Ok(self.run_thread(machine, canon, state, only, 0)?.is_none().then_some(only));
            }
            (Some(_), Some(_)) => return Ok(None),
            _ => {}
        }
        let can_step = |place: &usize| machine.compiled.points[location(*place) as usize].steps.1 > 0;
        let places: smallvec::SmallVec<[usize; 8]> = (0..threads.len()).filter(can_step).collect();
        let mut is_done = 0_u64;
        let patience = self.by[state as usize].1;
        if reductions.partial_orders && patience < PATIENCE {
            for &place in &places {
                if !is_persistent(machine, &threads, &places, place) {
                    continue;
                }
                match self.run_thread(machine, canon, state, place, patience + 1)? {
                    None => return Ok(Some(place)),
                    Some(0) => is_done |= 1 << place.min(63),
                    Some(_) => return Ok(None),
                }
            }
        }
        for (number, &place) in places.iter().enumerate() {
            // Of equal threads, one is enough.
            let is_twin = canon.has_twins()
                && places[..number].iter().any(|&earlier| threads[earlier] == threads[place]);
            if is_twin || (place < 63 && is_done >> place & 1 == 1) {
                continue;
            }
            if self.run_thread(machine, canon, state, place, 0)?.is_none() {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Runs a thread from a state; tells how many states are new, or nothing if an error is reached.
    fn run_thread(
        &mut self,
        machine: &mut Machine,
        canon: &mut Canon,
        state: u32,
        place: usize,
        patience: u8,
    ) -> Result<Option<usize>, StopReason> {
        let moment = moment_at(machine, canon, self.state(state), place);
        match machine.run(moment, true)? {
            Ending::Error(moment) => {
                machine.recycle(*moment);
                Ok(None)
            }
            Ending::Done => Ok(Some(self.insert_results(machine, canon, state, (place as u8, patience)))),
        }
    }

    /// Keeps the results of a run; tells how many are new.
    fn insert_results(
        &mut self,
        machine: &mut Machine,
        canon: &mut Canon,
        parent: u32,
        by: (u8, u8),
    ) -> usize {
        let mut n_new = 0;
        let mut packed = Vec::new();
        let mut results = canon::parts(machine);
        for mut moment in results.drain(..) {
            canon.pack(machine, &mut moment, &mut packed);
            if moment.threads.len() == self.n_threads && !machine.may_need_more {
                for &row in &moment.threads {
                    machine.note_start(machine.rows.get(row)[0]);
                }
            }
            packed.resize(HEAD + self.n_threads, ABSENT);
            if self.insert(&packed) {
                n_new += 1;
                self.parents.push(parent);
                self.by.push(by);
            }
            machine.recycle(moment);
        }
        self.may_need_more |= std::mem::take(&mut machine.may_need_more);
        machine.results = results;
        n_new
    }

    fn insert(&mut self, packed: &[u32]) -> bool {
        let stride = packed.len();
        let Self { packed: all, index, .. } = self;
        let get = |id: u32| &all[id as usize * stride..][..stride];
        let key = rows::hash(packed);
        if index.find(key, |&id| get(id) == packed).is_some() {
            return false;
        }
        let id = (all.len() / stride) as u32;
        assert!(id < NO_STATE, "fewer than 2^32 states");
        index.insert_unique(key, id, |&id| rows::hash(get(id)));
        all.extend_from_slice(packed);
        true
    }
}

/// A moment in which a thread of a packed state is about to run.
pub(crate) fn moment_at(machine: &mut Machine, canon: &Canon, packed: &[u32], place: usize) -> Moment {
    let mut moment = machine.spare();
    canon.unpack(packed, &mut moment);
    moment.thread = place;
    moment.own.clear();
    moment.own.extend_from_slice(machine.rows.get(moment.threads[place]));
    moment
}

/// Whether the next step of a thread is independent of all that others may ever do.
fn is_persistent(machine: &Machine, threads: &[u32], places: &[usize], place: usize) -> bool {
    let reach = |place: usize| machine.reach(threads.len(), machine.rows.get(threads[place])[0]);
    let Some(own) = reach(place).filter(|own| places.len() == 1 || !own.may_block) else { return false };
    places
        .iter()
        .filter(|&&other| other != place)
        .all(|&other| reach(other).is_none_or(|other| !own.step.conflicts(&other.future)))
}
