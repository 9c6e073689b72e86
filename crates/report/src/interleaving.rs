//! The interleaving of a trace of a system: who moves when, with the numbers that [`crate::crowd`] gives to threads.
//!
//! This does not decide how the result is laid out; see `table` and `listing`.

use crate::crowd::{self, Crowd, MAX_STEPS, MAX_THREADS};
use crate::replay::{Event, Moment};
use std::collections::BTreeMap;
use throng_cert::{Trace, TraceItem};
use throng_model::{Entry, LocalId, RuleId, RuleRef, SharedId, Step, System, bag};

/// What happened to one thread in a row.
pub(crate) type Change = crowd::Change<LocalId>;

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
        let mut crowd = Crowd::new(locals(&trace.initial.bag));
        let mut rows = vec![Row {
            happening: Happening::Start,
            n_steps: 0,
            shared: Some(trace.initial.shared),
            changes: crowd.take_changes(),
        }];
        let mut walk = Walk { shared: trace.initial.shared, crowd };
        walk.follow(system, &trace.items, &mut rows)?;
        Some(Self { rows, finally: walk.crowd.places })
    }

    /// Whether a thread stays where it started and never acts.
    pub(crate) fn is_bystander(&self, thread: usize) -> bool {
        let changes = self.rows.iter().filter_map(|row| row.changes.get(&thread));
        changes.into_iter().all(|change| matches!(change, Change::Starts(_)))
    }

    /// All changes of all threads.
    pub(crate) fn changes(&self) -> impl Iterator<Item = &Change> + Clone {
        self.rows.iter().flat_map(|row| row.changes.values())
    }
}

fn is_step(moment: &Moment<'_>, holds: impl Fn(&Step) -> bool) -> bool {
    matches!(moment.event, Event::Step(step) if holds(step))
}

/// A trace being followed.
struct Walk {
    shared: SharedId,
    crowd: Crowd<LocalId>,
}

impl Walk {
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
                    self.crowd.sum_up(rows.iter().flat_map(|row| &row.changes));
                    Happening::Repeated { first_row, times: *times }
                }
            };
            let shared = (self.shared != shared_before).then_some(self.shared);
            let changes = self.crowd.take_changes();
            rows.push(Row { happening, n_steps: self.crowd.clock, shared, changes });
        }
        Some(())
    }

    fn step(&mut self, rule: RuleRef<'_>, step: &Step) -> Option<()> {
        self.crowd.clock += 1;
        let mut acting = Vec::new();
        for local in locals(rule.take) {
            acting.push((self.crowd.pick(&local)?, local));
        }
        let mut passive = Vec::new();
        for choice in &step.moved {
            for _ in 0..choice.count {
                passive.push((self.crowd.pick(&choice.from)?, choice.from, choice.to));
            }
        }
        for (thread, from, to) in passive {
            match to {
                // A move may leave a thread where it is; that is nothing to show.
                Some(to) if to == from => self.crowd.place(thread, to, None),
                Some(to) => self.crowd.place(thread, to, Some(Change::Moved(to))),
                None => self.crowd.end(thread, Change::Ended),
            }
        }
        self.act(acting, locals(rule.put).collect());
        self.shared = rule.to;
        self.crowd.is_small().then_some(())
    }

    /// The acting threads go to the locals that the rule puts: first those that stay, then in order; threads
    /// left over end, and locals left over get new threads.
    fn act(&mut self, acting: Vec<(usize, LocalId)>, mut put: Vec<LocalId>) {
        let mut leaving = Vec::new();
        for (thread, local) in acting {
            self.crowd.has_acted(thread);
            match put.iter().position(|&to| to == local) {
                Some(at) => {
                    put.remove(at);
                    self.crowd.place(thread, local, Some(Change::Acts(local)));
                }
                None => leaving.push(thread),
            }
        }
        let mut put = put.into_iter();
        for thread in leaving {
            match put.next() {
                Some(to) => self.crowd.place(thread, to, Some(Change::Acts(to))),
                None => self.crowd.end(thread, Change::ActsAndEnds),
            }
        }
        for local in put {
            self.crowd.create(local, Change::Created(local));
        }
    }
}

/// The locals of a bag with repetitions.
fn locals(bag: &[Entry]) -> impl Iterator<Item = LocalId> {
    bag.iter().flat_map(|entry| std::iter::repeat_n(entry.local, entry.count as usize))
}
