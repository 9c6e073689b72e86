//! Identities for the threads of a trace: who moves when.
//!
//! A trace only counts threads, since those in one local state are interchangeable. People follow individuals.
//! So every thread gets a number, and where a step could be made by several threads it is made by the one that
//! acted last: that gives the fewest changes from one thread to another. Any choice is a correct reading.
//!
//! This does not decide how the result is laid out; see `table` and `listing`.

use crate::replay::{Event, Moment};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use throng_cert::{Trace, TraceItem};
use throng_model::{Config, Entry, LocalId, RuleId, RuleRef, SharedId, Step, System, bag};

/// Threads that are followed individually.
const MAX_THREADS: u64 = 2_000;
/// Steps that are followed individually, repetitions unrolled.
const MAX_STEPS: u64 = 200_000;

/// What happened to one thread in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It is there from the beginning.
    Starts(LocalId),
    /// It acts and is in this local afterwards.
    Acts(LocalId),
    /// It acts and ends.
    ActsAndEnds,
    /// It is moved along by the step of another.
    Moved(LocalId),
    /// It is ended by the step of another.
    Ended,
    /// It is created.
    Created(LocalId),
    /// It is here after the repetitions of a segment, whatever happened to it meanwhile.
    Repeated(LocalId),
    /// It ended in the repetitions of a segment.
    RepeatedAndEnded,
}

/// What a row of the interleaving is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Happening {
    /// The initial configuration.
    Start,
    /// A step by this rule.
    Step(RuleId),
    /// The rows since this one happened so many times in all.
    Repeated { first_row: usize, times: u64 },
}

/// One row: what happened, and only what changed.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) happening: Happening,
    /// Steps so far.
    pub(crate) n_steps: u64,
    /// The shared state, if it changed.
    pub(crate) shared: Option<SharedId>,
    /// What changed, by thread (numbered from 0).
    pub(crate) changes: BTreeMap<usize, Change>,
}

/// A trace in which threads have identities.
#[derive(Debug)]
pub(crate) struct Interleaving {
    pub(crate) rows: Vec<Row>,
    /// Where every thread is in the end; `None` for those that ended.
    pub(crate) finally: Vec<Option<LocalId>>,
}

impl Interleaving {
    /// Gives identities to the threads of a trace whose moments are `moments`. `None` if there are too many to
    /// follow, or if steps make several threads act together, so that nobody could say who became whom.
    pub(crate) fn of(system: &System, trace: &Trace, moments: &[Moment<'_>]) -> Option<Self> {
        if trace.initial.view().size() > MAX_THREADS || trace.n_steps() > MAX_STEPS {
            return None;
        }
        let alone = |step: &Step| {
            let rule = system.rule(step.rule);
            bag::size(rule.take) <= 1 && bag::size(rule.put) <= MAX_THREADS
        };
        if !moments
            .iter()
            .all(|moment| matches!(moment.event, Event::Repeated { .. }) || is_step(moment, alone))
        {
            return None;
        }
        let mut crowd = Crowd::new(&trace.initial);
        let mut rows = vec![Row {
            happening: Happening::Start,
            n_steps: 0,
            shared: Some(trace.initial.shared),
            changes: crowd.take_changes(),
        }];
        crowd.follow(system, &trace.items, &mut rows)?;
        Some(Self { rows, finally: crowd.places })
    }

    /// Whether a thread stays where it started and never acts.
    pub(crate) fn is_bystander(&self, thread: usize) -> bool {
        let changes = self.rows.iter().filter_map(|row| row.changes.get(&thread));
        changes.into_iter().all(|change| matches!(change, Change::Starts(_)))
    }
}

fn is_step(moment: &Moment<'_>, holds: impl Fn(&Step) -> bool) -> bool {
    matches!(moment.event, Event::Step(step) if holds(step))
}

/// Threads with their numbers while a trace is followed.
struct Crowd {
    shared: SharedId,
    places: Vec<Option<LocalId>>,
    /// When each thread acted last.
    acted: Vec<u64>,
    /// The threads in each local, the one that acted last at the end, among equals the lowest number.
    standing: BTreeMap<LocalId, BTreeSet<(u64, Reverse<usize>)>>,
    changes: BTreeMap<usize, Change>,
    clock: u64,
}

impl Crowd {
    fn new(initial: &Config) -> Self {
        let mut crowd = Self {
            shared: initial.shared,
            places: Vec::new(),
            acted: Vec::new(),
            standing: BTreeMap::new(),
            changes: BTreeMap::new(),
            clock: 0,
        };
        for local in locals(&initial.bag) {
            crowd.create(local, Change::Starts(local));
        }
        crowd
    }

    fn take_changes(&mut self) -> BTreeMap<usize, Change> {
        std::mem::take(&mut self.changes)
    }

    /// Follows items, with a row for each step of the first round of a repetition and one for the others.
    fn follow(&mut self, system: &System, items: &[TraceItem], rows: &mut Vec<Row>) -> Option<()> {
        for item in items {
            let shared_before = self.shared;
            let happening = match item {
                TraceItem::Step(step) => {
                    self.step(system.rule(step.rule), step)?;
                    Happening::Step(step.rule)
                }
                TraceItem::Repeat { times, items } => {
                    let first_row = rows.len();
                    self.follow(system, items, rows)?;
                    if *times <= 1 {
                        continue;
                    }
                    for _ in 1..*times {
                        self.follow(system, items, &mut Vec::new())?;
                    }
                    self.changes = self.changes_since(rows);
                    Happening::Repeated { first_row, times: *times }
                }
            };
            let shared = (self.shared != shared_before).then_some(self.shared);
            rows.push(Row { happening, n_steps: self.clock, shared, changes: self.take_changes() });
        }
        Some(())
    }

    /// How the threads differ from what the rows say.
    fn changes_since(&self, rows: &[Row]) -> BTreeMap<usize, Change> {
        let mut shown: Vec<Option<LocalId>> = vec![None; self.places.len()];
        for (&thread, &change) in rows.iter().flat_map(|row| &row.changes) {
            shown[thread] = change.place();
        }
        let differing = shown.iter().zip(&self.places).enumerate().filter(|(_, (then, now))| then != now);
        let change = |now: &Option<LocalId>| now.map_or(Change::RepeatedAndEnded, Change::Repeated);
        differing.map(|(thread, (_, now))| (thread, change(now))).collect()
    }

    fn step(&mut self, rule: RuleRef<'_>, step: &Step) -> Option<()> {
        self.clock += 1;
        let mut acting = Vec::new();
        for local in locals(rule.take) {
            acting.push((self.pick(local)?, local));
        }
        let mut passive = Vec::new();
        for choice in &step.moved {
            for _ in 0..choice.count {
                passive.push((self.pick(choice.from)?, choice.from, choice.to));
            }
        }
        for (thread, from, to) in passive {
            match to {
                // A move may leave a thread where it is; that is nothing to show.
                Some(to) if to == from => self.place(thread, to, None),
                Some(to) => self.place(thread, to, Some(Change::Moved(to))),
                None => self.end(thread, Change::Ended),
            }
        }
        self.act(acting, locals(rule.put).collect());
        self.shared = rule.to;
        (self.places.len() as u64 <= 2 * MAX_THREADS).then_some(())
    }

    /// The acting threads go to the locals that the rule puts: first those that stay, then in order; threads
    /// left over end, and locals left over get new threads.
    fn act(&mut self, acting: Vec<(usize, LocalId)>, mut put: Vec<LocalId>) {
        let mut leaving = Vec::new();
        for (thread, local) in acting {
            self.acted[thread] = self.clock;
            match put.iter().position(|&to| to == local) {
                Some(at) => {
                    put.remove(at);
                    self.place(thread, local, Some(Change::Acts(local)));
                }
                None => leaving.push(thread),
            }
        }
        let mut put = put.into_iter();
        for thread in leaving {
            match put.next() {
                Some(to) => self.place(thread, to, Some(Change::Acts(to))),
                None => self.end(thread, Change::ActsAndEnds),
            }
        }
        for local in put {
            self.create(local, Change::Created(local));
        }
    }

    /// Takes the thread that acted last out of a local.
    fn pick(&mut self, local: LocalId) -> Option<usize> {
        let (_, Reverse(thread)) = self.standing.get_mut(&local)?.pop_last()?;
        Some(thread)
    }

    fn place(&mut self, thread: usize, local: LocalId, change: Option<Change>) {
        self.places[thread] = Some(local);
        self.standing.entry(local).or_default().insert((self.acted[thread], Reverse(thread)));
        self.changes.extend(change.map(|change| (thread, change)));
    }

    fn end(&mut self, thread: usize, change: Change) {
        self.places[thread] = None;
        self.changes.insert(thread, change);
    }

    fn create(&mut self, local: LocalId, change: Change) {
        self.places.push(None);
        self.acted.push(self.clock);
        self.place(self.places.len() - 1, local, Some(change));
    }
}

impl Change {
    /// Whether the thread acts.
    pub(crate) fn is_action(self) -> bool {
        matches!(self, Change::Acts(_) | Change::ActsAndEnds)
    }

    /// Whether the step of another changes the thread.
    pub(crate) fn is_passive(self) -> bool {
        matches!(self, Change::Moved(_) | Change::Ended)
    }

    /// Whether this sums up repetitions.
    pub(crate) fn is_repetition(self) -> bool {
        matches!(self, Change::Repeated(_) | Change::RepeatedAndEnded)
    }

    /// Where the thread is after the change.
    pub(crate) fn place(self) -> Option<LocalId> {
        match self {
            Change::Starts(local)
            | Change::Acts(local)
            | Change::Moved(local)
            | Change::Created(local)
            | Change::Repeated(local) => Some(local),
            Change::ActsAndEnds | Change::Ended | Change::RepeatedAndEnded => None,
        }
    }
}

/// The locals of a bag with repetitions.
fn locals(bag: &[Entry]) -> impl Iterator<Item = LocalId> {
    bag.iter().flat_map(|entry| std::iter::repeat_n(entry.local, entry.count as usize))
}
