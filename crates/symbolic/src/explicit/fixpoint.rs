//! The pairs of a shared and a local state that may occur together, and the rules between them.
//!
//! The least set R that contains the start and is closed under steps of one thread next to another one: if (s, l) steps to
//! (s', l') and (s, m) is in R, then (s', l') and (s', m), or what the step makes of m, are in R. It contains all pairs that
//! occur with any number of threads. A thread in an atomic section is never beside another one that is in one.

use super::steps::{Broadcast, Others};
use super::{Local, Numbered, Outline, Shared, bits_within};
use rustc_hash::{FxHashMap, FxHashSet};
use throng_boolprog::{Cube, ThreadPattern};

/// A rule: numbers of shared and local states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Transition {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The thread that acts, before and after; `None` if nobody has to.
    pub(super) thread: Option<(u32, u32)>,
    /// A thread that appears.
    pub(super) child: Option<u32>,
    /// What becomes of the others, as a number; nothing if there is none.
    pub(super) broadcast: Option<u32>,
}

/// What is reached.
#[derive(Debug, Default)]
pub(super) struct Reached {
    pub(super) shared: Numbered<Shared>,
    pub(super) locals: Numbered<Local>,
    pub(super) transitions: Vec<Transition>,
    /// For each shared state, the local states that occur in it.
    pub(super) beside: Vec<Vec<u32>>,
    /// What a broadcast makes of a local state that occurs beside it.
    pub(super) moved: FxHashMap<(u32, u32), Vec<u32>>,
}

/// The number of the shared state in which nothing is chosen.
pub(super) const START: u32 = 0;
/// The number of the shared state after a target was reached.
pub(super) const BAD: u32 = 1;
/// The number of the local state in which threads start.
pub(super) const UNCHOSEN: u32 = 0;
/// The number of the local state of threads that have ended.
pub(super) const GONE: u32 = 1;

/// Where a step leads what stands beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Passage {
    to: u32,
    broadcast: Option<u32>,
    /// Whether the thread that acts is in an atomic section: then no other one is.
    is_atomic: bool,
}

/// The least fixpoint, by a worklist.
pub(super) struct Fixpoint<'o, 'p> {
    outline: &'o Outline<'p>,
    limit: usize,
    reached: Reached,
    broadcasts: Numbered<Broadcast>,
    /// How many destinations of broadcasts are kept.
    n_moved: usize,
    pairs: FxHashSet<(u32, u32)>,
    pending: Vec<(u32, u32)>,
    known: FxHashSet<Transition>,
    /// For each shared state, where steps lead those that stand beside.
    passages: Vec<Numbered<Passage>>,
}

impl<'o, 'p> Fixpoint<'o, 'p> {
    pub(super) fn new(outline: &'o Outline<'p>, limit: usize) -> Self {
        let mut reached = Reached::default();
        // INVARIANT: in the order of the constants.
        reached.shared.number(Shared::Start);
        reached.shared.number(Shared::Bad);
        reached.locals.number(outline.local(outline.program.entry(), 0, 0));
        reached.locals.number(Local::Gone);
        Self {
            outline,
            limit,
            reached,
            broadcasts: Numbered::default(),
            n_moved: 0,
            pairs: FxHashSet::default(),
            pending: Vec::new(),
            known: FxHashSet::default(),
            passages: Vec::new(),
        }
    }

    /// Everything that is reached; `None` if it is too much.
    pub(super) fn run(mut self) -> Option<Reached> {
        self.add(START, UNCHOSEN);
        while let Some((shared, local)) = self.pending.pop() {
            for passage in self.passages[shared as usize].all.clone() {
                self.pass(passage, local);
            }
            self.act(shared, local);
            if self.is_too_large() {
                return None;
            }
        }
        self.reached.beside.resize(self.reached.shared.all.len(), Vec::new());
        Some(self.reached)
    }

    fn is_too_large(&self) -> bool {
        self.pairs.len().max(self.known.len()).max(self.n_moved) > self.limit
    }

    /// Adds a pair.
    fn add(&mut self, shared: u32, local: u32) {
        if self.pairs.insert((shared, local)) {
            let needed = self.reached.shared.all.len();
            self.reached.beside.resize(needed, Vec::new());
            self.passages.resize_with(needed, Numbered::default);
            self.reached.beside[shared as usize].push(local);
            self.pending.push((shared, local));
        }
    }

    /// Adds what becomes of a thread beside a step.
    fn pass(&mut self, passage: Passage, local: u32) {
        let outline = self.outline;
        let thread = self.reached.locals.get(local);
        // After a target nothing matters any more.
        if passage.to == BAD || (passage.is_atomic && outline.is_atomic(thread)) {
            return;
        }
        let Some(broadcast) = passage.broadcast else { return self.add(passage.to, local) };
        if !self.reached.moved.contains_key(&(broadcast, local)) {
            let moved = outline.moved(self.broadcasts.get(broadcast), thread);
            let moved: Vec<u32> = moved.into_iter().map(|it| self.reached.locals.number(it)).collect();
            self.n_moved += moved.len();
            self.reached.moved.insert((broadcast, local), moved);
        }
        for moved in self.reached.moved[&(broadcast, local)].clone() {
            self.add(passage.to, moved);
        }
    }

    fn transition(&mut self, transition: Transition) {
        let Transition { from, to, thread, child, broadcast } = transition;
        if !self.known.insert(transition) {
            return;
        }
        self.reached.transitions.push(transition);
        if let Some((_, after)) = thread {
            self.add(to, after);
        }
        if let Some(child) = child {
            self.add(to, child);
        }
        let is_atomic =
            thread.is_some_and(|(before, _)| self.outline.is_atomic(self.reached.locals.get(before)));
        let passage = Passage { to, broadcast, is_atomic };
        let passages = &mut self.passages[from as usize];
        if !passages.index.contains_key(&passage) {
            passages.number(passage);
            for local in self.reached.beside[from as usize].clone() {
                self.pass(passage, local);
            }
        }
    }

    /// A rule in which a thread acts and nothing else happens.
    fn step(&mut self, from: u32, to: Shared, local: u32, after: u32) {
        let to = self.reached.shared.number(to);
        self.transition(Transition { from, to, thread: Some((local, after)), child: None, broadcast: None });
    }

    /// Adds what a thread does.
    fn act(&mut self, from: u32, local: u32) {
        match self.reached.shared.get(from) {
            Shared::Start => {
                for bits in 0..1 << self.outline.program.shared().len() {
                    self.step(from, Shared::At { bits, is_atomic: false }, local, local);
                }
            }
            shared @ Shared::At { bits, is_atomic } => {
                let thread = self.reached.locals.get(local);
                self.find_first(from, bits, is_atomic, local);
                if !self.outline.is_chosen(thread) {
                    self.choose(from, shared, local);
                } else if self.outline.is_atomic(thread) == is_atomic {
                    self.follow(from, bits, local);
                }
            }
            Shared::Found { target, count } => self.find(from, target, count, local),
            // The rules that lead there have brought those that lead on.
            Shared::Starting { .. } | Shared::Bad => {}
        }
    }

    /// A thread chooses values.
    fn choose(&mut self, from: u32, shared: Shared, local: u32) {
        let Local::At { location, bits, known } = self.reached.locals.get(local) else { return };
        let kept = self.outline.kept[location.index()];
        for free in bits_within(kept & !known) {
            let after = self.reached.locals.number(Local::At { location, bits: bits | free, known: kept });
            self.step(from, shared, local, after);
        }
    }

    /// A thread takes the steps of the program.
    fn follow(&mut self, from: u32, bits: u64, local: u32) {
        let Local::At { location, bits: own, .. } = self.reached.locals.get(local) else { return };
        for step in self.outline.steps(bits, location, own) {
            let after = self.reached.locals.number(step.to);
            let at = Shared::At { bits: step.bits, is_atomic: step.is_atomic };
            match step.others {
                Others::Stay => self.step(from, at, local, after),
                Others::Broadcast(broadcast) => {
                    let (to, broadcast) = (self.reached.shared.number(at), self.broadcasts.number(broadcast));
                    let thread = Some((local, after));
                    self.transition(Transition { from, to, thread, child: None, broadcast: Some(broadcast) });
                }
                Others::Start(child) => {
                    let child = self.reached.locals.number(child);
                    let starting = Shared::Starting { bits: step.bits, is_atomic: step.is_atomic, child };
                    self.step(from, starting, local, after);
                    let (from, to) = (self.reached.shared.number(starting), self.reached.shared.number(at));
                    let (thread, child) = (Some((after, after)), Some(child));
                    self.transition(Transition { from, to, thread, child, broadcast: None });
                }
            }
        }
    }

    /// A thread may be the first one of a target.
    fn find_first(&mut self, from: u32, bits: u64, is_atomic: bool, local: u32) {
        let outline = self.outline;
        let atomic_bit = outline.program.atomic_bit();
        let fits = |shared: &Cube| {
            let value = |index: u32| if index == atomic_bit { is_atomic } else { bits >> index & 1 == 1 };
            shared.iter().all(|(index, wanted)| value(index) == wanted)
        };
        for (number, target) in (0..).zip(&outline.question.targets) {
            if fits(&target.shared) && target.threads.is_empty() {
                self.transition(Transition { from, to: BAD, thread: None, child: None, broadcast: None });
            } else if fits(&target.shared) {
                self.find(from, number, 0, local);
            }
        }
    }

    /// A thread may be the next one of a target.
    fn find(&mut self, from: u32, target: u32, count: u32, local: u32) {
        let threads = &self.outline.question.targets[target as usize].threads;
        let thread = self.reached.locals.get(local);
        if self.outline.is_chosen(thread) && fits(thread, &threads[count as usize]) {
            let is_last = count as usize + 1 == threads.len();
            let to = if is_last { Shared::Bad } else { Shared::Found { target, count: count + 1 } };
            self.step(from, to, local, GONE);
        }
    }
}

/// Whether a thread is one of a pattern.
fn fits(thread: Local, pattern: &ThreadPattern) -> bool {
    let Local::At { location, bits, .. } = thread else { return false };
    location == pattern.location
        && pattern.locals.iter().all(|(index, wanted)| (bits >> index & 1 == 1) == wanted)
}
