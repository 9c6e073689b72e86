//! Threads with identities: where each of them is, and who acts when several could.
//!
//! Evidence only counts threads, since those in one state are interchangeable. People follow individuals. So every
//! thread gets a number, and where several could act it is the one that acted last: that gives the fewest changes from
//! one thread to another. Any choice is a correct reading.
//!
//! What a step does is not decided here, nor what a state is: `L`, a local state of a system or that of a program's
//! thread.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Threads that are followed individually.
pub(crate) const MAX_THREADS: u64 = 2_000;
/// Steps that are followed individually, repetitions unrolled.
pub(crate) const MAX_STEPS: u64 = 200_000;

/// What happened to one thread in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change<L> {
    /// It is there from the beginning.
    Starts(L),
    /// It acts and is in this state afterwards.
    Acts(L),
    /// It acts and ends.
    ActsAndEnds,
    /// It is moved along by the step of another.
    Moved(L),
    /// It is ended by the step of another.
    Ended,
    /// It is created.
    Created(L),
    /// It is here after the repetitions of a segment, whatever happened to it meanwhile.
    Repeated(L),
    /// It ended in the repetitions of a segment.
    RepeatedAndEnded,
}

impl<L> Change<L> {
    /// Whether the thread acts.
    pub(crate) fn is_action(&self) -> bool {
        matches!(self, Change::Acts(_) | Change::ActsAndEnds)
    }

    /// Whether the step of another changes the thread.
    pub(crate) fn is_passive(&self) -> bool {
        matches!(self, Change::Moved(_) | Change::Ended)
    }

    /// Whether the thread is created.
    pub(crate) fn is_creation(&self) -> bool {
        matches!(self, Change::Created(_))
    }

    /// Whether this sums up repetitions.
    pub(crate) fn is_repetition(&self) -> bool {
        matches!(self, Change::Repeated(_) | Change::RepeatedAndEnded)
    }

    /// Where the thread is after the change.
    pub(crate) fn place(&self) -> Option<&L> {
        match self {
            Change::Starts(place)
            | Change::Acts(place)
            | Change::Moved(place)
            | Change::Created(place)
            | Change::Repeated(place) => Some(place),
            Change::ActsAndEnds | Change::Ended | Change::RepeatedAndEnded => None,
        }
    }
}

/// Explains the signs of the changes that occur, with a line before it; `acts` is what a thread does, `is_moved` what
/// happens to it when another acts.
pub(crate) fn legend<'a, L: 'a>(
    changes: impl Iterator<Item = &'a Change<L>> + Clone,
    thread: &str,
    acts: &str,
    is_moved: &str,
) -> String {
    let occurs = |wanted: fn(&Change<L>) -> bool| changes.clone().any(wanted);
    let signs = [
        (occurs(Change::is_action), format!("-> this {thread} {acts}")),
        (occurs(Change::is_passive), format!("~> this {thread} {is_moved}")),
        (occurs(Change::is_creation), format!("+> a new {thread}")),
        (occurs(Change::is_repetition), "=> after the repetitions".to_owned()),
    ];
    let signs: Vec<String> = signs.into_iter().filter(|(used, _)| *used).map(|(_, sign)| sign).collect();
    if signs.is_empty() { String::new() } else { format!("\n  {}\n", signs.join("    ")) }
}

/// Threads with their numbers while a trace is followed.
pub(crate) struct Crowd<L> {
    /// Where each thread is; `None` for those that ended, and for those that were taken out.
    pub(crate) places: Vec<Option<L>>,
    /// When each thread acted last.
    acted: Vec<u64>,
    /// The threads in each state, the one that acted last at the end, among equals the lowest number.
    standing: BTreeMap<L, BTreeSet<(u64, Reverse<usize>)>>,
    changes: BTreeMap<usize, Change<L>>,
    /// Steps so far.
    pub(crate) clock: u64,
}

impl<L: Clone + Ord> Crowd<L> {
    /// The threads of a beginning.
    pub(crate) fn new(initial: impl Iterator<Item = L>) -> Self {
        let mut crowd = Self {
            places: Vec::new(),
            acted: Vec::new(),
            standing: BTreeMap::new(),
            changes: BTreeMap::new(),
            clock: 0,
        };
        for place in initial {
            crowd.create(place.clone(), Change::Starts(place));
        }
        crowd
    }

    /// What changed since this was asked.
    pub(crate) fn take_changes(&mut self) -> BTreeMap<usize, Change<L>> {
        std::mem::take(&mut self.changes)
    }

    /// Forgets the changes since they were taken; what is reported next is how the threads differ from where changes so
    /// far have put them.
    pub(crate) fn sum_up<'a>(&mut self, changes: impl Iterator<Item = (&'a usize, &'a Change<L>)>)
    where
        L: 'a,
    {
        let mut shown: Vec<Option<&L>> = vec![None; self.places.len()];
        for (&thread, change) in changes {
            shown[thread] = change.place();
        }
        let places = self.places.iter().map(Option::as_ref);
        let differing = shown.into_iter().zip(places).enumerate().filter(|(_, (then, now))| then != now);
        let change = |now: Option<&L>| now.cloned().map_or(Change::RepeatedAndEnded, Change::Repeated);
        self.changes = differing.map(|(thread, (_, now))| (thread, change(now))).collect();
    }

    /// Whether there are still few enough threads to follow.
    pub(crate) fn is_small(&self) -> bool {
        self.places.len() as u64 <= 2 * MAX_THREADS
    }

    /// Takes the thread that acted last out of a state.
    pub(crate) fn pick(&mut self, place: &L) -> Option<usize> {
        let (_, Reverse(thread)) = self.standing.get_mut(place)?.pop_last()?;
        Some(thread)
    }

    /// A thread that was taken out has acted.
    pub(crate) fn has_acted(&mut self, thread: usize) {
        self.acted[thread] = self.clock;
    }

    /// Puts a thread that was taken out into a state.
    pub(crate) fn place(&mut self, thread: usize, place: L, change: Option<Change<L>>) {
        self.standing.entry(place.clone()).or_default().insert((self.acted[thread], Reverse(thread)));
        self.places[thread] = Some(place);
        self.changes.extend(change.map(|change| (thread, change)));
    }

    /// A thread that was taken out is gone.
    pub(crate) fn end(&mut self, thread: usize, change: Change<L>) {
        self.places[thread] = None;
        self.changes.insert(thread, change);
    }

    /// There is a new thread; its number is returned.
    pub(crate) fn create(&mut self, place: L, change: Change<L>) -> usize {
        self.places.push(None);
        self.acted.push(self.clock);
        let thread = self.places.len() - 1;
        self.place(thread, place, Some(change));
        thread
    }
}
