//! The interleaving of a trace of a program: who does what when, with the numbers that [`crate::crowd`] gives to threads.
//!
//! This does not decide how the result is laid out, see `table` and `listing`, nor which values are worth showing, see
//! `matters`.

use super::words::{ProgramWords, Thread};
use crate::crowd::{self, Crowd, MAX_STEPS, MAX_THREADS};
use std::collections::BTreeMap;
use throng_boolprog::Cube;
use throng_boolprog::flow::LocationId;
use throng_cert::document::{Act, Item, Trace};
use throng_cert::{Count, State};

/// What happened to one thread in a row.
pub(super) type Change = crowd::Change<Thread>;

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happening {
    /// The beginning.
    Start,
    /// The step that is the moment with this index.
    Step(usize),
    /// The rows since this one happened so many times in all.
    Repeated { first_row: usize, times: u64 },
}

/// One row: what happened, and only what changed.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) happening: Happening,
    /// Steps so far.
    pub(super) n_steps: u64,
    /// The shared variables that changed.
    pub(super) shared: Cube,
    /// What changed, by thread (numbered from 0).
    pub(super) changes: BTreeMap<usize, Change>,
}

/// A step, repetitions unrolled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// Who acts.
    pub(super) actor: usize,
    /// From where.
    pub(super) from: LocationId,
    /// And where it is then, unless it is gone.
    pub(super) to: Option<LocationId>,
    /// The thread that is started, and where.
    pub(super) started: Option<(usize, LocationId)>,
}

/// A trace in which threads have identities.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) rows: Vec<Row>,
    pub(super) moments: Vec<Moment>,
    /// The shared variables in the end.
    pub(super) shared: Cube,
    /// Where every thread is in the end; `None` for those that ended.
    pub(super) finally: Vec<Option<Thread>>,
}

/// Why a trace cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// There are too many threads or steps.
    TooMany,
    /// It is not an execution of the program.
    NoExecution,
}

/// How many steps items have, repetitions counted; saturates.
pub(crate) fn n_steps(items: &[Item]) -> u64 {
    items.iter().fold(0, |sum: u64, item| {
        sum.saturating_add(match item {
            Item::Step(_) => 1,
            Item::Repeat { times, items } => times.saturating_mul(n_steps(items)),
        })
    })
}

/// How many threads there are at the beginning; saturates.
pub(crate) fn n_threads(trace: &Trace) -> u64 {
    let counts = trace.initial.threads.iter().map(|(_, count)| match count {
        Count::Finite(count) => *count,
        Count::Omega => u64::MAX,
    });
    counts.fold(0, u64::saturating_add)
}

/// Gives identities to the threads of a trace.
pub(super) fn follow(words: &ProgramWords<'_>, trace: &Trace) -> Result<Followed, Lost> {
    if n_threads(trace) > MAX_THREADS || n_steps(&trace.items) > MAX_STEPS {
        return Err(Lost::TooMany);
    }
    let (shared, threads) = words.configuration(&trace.initial).ok_or(Lost::NoExecution)?;
    let initial = threads.into_iter().flat_map(|(thread, count)| match count {
        Count::Finite(count) => std::iter::repeat_n(thread, usize::try_from(count).unwrap_or(0)),
        Count::Omega => std::iter::repeat_n(thread, 0),
    });
    let mut crowd = Crowd::new(initial);
    let changes = crowd.take_changes();
    let start = Row { happening: Happening::Start, n_steps: 0, shared: shared.clone(), changes };
    let mut walk = Walk { words, shared, crowd, moments: Vec::new() };
    let mut rows = vec![start];
    walk.follow(&trace.items, &mut rows)?;
    let Walk { shared, crowd, moments, .. } = walk;
    Ok(Followed { rows, moments, shared, finally: crowd.places })
}

/// A trace being followed.
struct Walk<'a> {
    words: &'a ProgramWords<'a>,
    shared: Cube,
    crowd: Crowd<Thread>,
    moments: Vec<Moment>,
}

impl Walk<'_> {
    /// Follows items, with a row for each step of the first round of a repetition and one for the others.
    fn follow(&mut self, items: &[Item], rows: &mut Vec<Row>) -> Result<(), Lost> {
        for item in items {
            let before = self.shared.clone();
            let happening = match item {
                Item::Step(step) => {
                    let act = step.act.as_deref().ok_or(Lost::NoExecution)?;
                    let moment = self.act(act).ok_or(Lost::NoExecution)?;
                    self.moments.push(moment);
                    if !self.crowd.is_small() {
                        return Err(Lost::TooMany);
                    }
                    Happening::Step(self.moments.len() - 1)
                }
                Item::Repeat { times, items } => {
                    let first_row = rows.len();
                    self.follow(items, rows)?;
                    if *times <= 1 {
                        continue;
                    }
                    for _ in 1..*times {
                        self.follow(items, &mut Vec::new())?;
                    }
                    self.crowd.sum_up(rows.iter().flat_map(|row| &row.changes));
                    Happening::Repeated { first_row, times: *times }
                }
            };
            let shared = self.shared.iter().filter(|&(variable, value)| before.get(variable) != Some(value));
            let (shared, changes) = (shared.collect(), self.crowd.take_changes());
            rows.push(Row { happening, n_steps: self.crowd.clock, shared, changes });
        }
        Ok(())
    }

    fn act(&mut self, act: &Act) -> Option<Moment> {
        self.crowd.clock += 1;
        let before = self.words.read_thread(&act.thread)?;
        let actor = self.crowd.pick(&before)?;
        self.move_along(&act.passive)?;
        if let Some(changed) = &act.shared {
            self.words.shared_cube(changed)?.iter().for_each(|(index, value)| self.shared.set(index, value));
        }
        self.crowd.has_acted(actor);
        let to = match &act.to {
            Some(to) => {
                let after = changed(&before, &self.words.read_thread(to)?);
                self.crowd.place(actor, after.clone(), Some(Change::Acts(after.clone())));
                Some(after.location)
            }
            None => {
                self.crowd.end(actor, Change::ActsAndEnds);
                None
            }
        };
        let started = match &act.starts {
            Some(started) => {
                let thread = self.words.read_thread(started)?;
                let location = thread.location;
                Some((self.crowd.create(thread.clone(), Change::Created(thread)), location))
            }
            None => None,
        };
        Some(Moment { actor, from: before.location, to, started })
    }

    /// Moves passive threads. All are taken out before one is put back, so that nobody is moved twice.
    fn move_along(&mut self, passive: &[(State, Option<State>, u64)]) -> Option<()> {
        let mut moved = Vec::new();
        for (from, to, count) in passive {
            let before = self.words.read_thread(from)?;
            let after = match to {
                Some(to) => Some(changed(&before, &self.words.read_thread(to)?)),
                None => None,
            };
            for _ in 0..*count {
                moved.push((self.crowd.pick(&before)?, after.clone()));
            }
        }
        for (thread, after) in moved {
            match after {
                Some(after) => self.crowd.place(thread, after.clone(), Some(Change::Moved(after))),
                None => self.crowd.end(thread, Change::Ended),
            }
        }
        Some(())
    }
}

/// A thread after changes: its location and the variables that changed.
fn changed(before: &Thread, changes: &Thread) -> Thread {
    let mut locals = before.locals.clone();
    changes.locals.iter().for_each(|(variable, value)| locals.set(variable, value));
    Thread { location: changes.location, locals }
}

impl Followed {
    /// Whether a thread stays where it started and never acts.
    pub(super) fn is_bystander(&self, thread: usize) -> bool {
        let changes = self.rows.iter().filter_map(|row| row.changes.get(&thread));
        changes.into_iter().all(|change| matches!(change, Change::Starts(_)))
    }

    /// All changes of all threads.
    pub(super) fn changes(&self) -> impl Iterator<Item = &Change> + Clone {
        self.rows.iter().flat_map(|row| row.changes.values())
    }
}
