//! The states and steps that a trace mentions, numbered.

use super::{BIT, total};
use crate::names::place;
use crate::program::names::Names;
use crate::verdict::{Condition, Rejection};
use std::collections::HashMap;
use throng_boolprog::{Cube, InitThreads, ProgramQuestion, ThreadPattern};
use throng_cert::document::{self, Configuration, Item, MAX_REPEAT_DEPTH};
use throng_cert::{Count, State};
use throng_model::Names as StateNames;
use throng_model::names::NameTable;

/// Passive threads before and after a step (`None`: gone), and how many.
pub(super) type PassiveMove = (usize, Option<usize>, u64);

/// A step in numbers of states. Steps that are the same are one.
#[derive(Clone, Debug)]
pub(super) struct Act {
    /// The first step in the text that is this one, from 0.
    pub(super) number: usize,
    /// Shared states before and after.
    pub(super) shared: [usize; 2],
    pub(super) actor: usize,
    pub(super) after: Option<usize>,
    pub(super) child: Option<usize>,
    pub(super) passive: Vec<PassiveMove>,
}

type Key = ([usize; 2], usize, Option<usize>, Option<usize>, Vec<PassiveMove>);

/// The items of a trace with numbers of acts.
pub(super) enum Written {
    Step(usize),
    Repeat(u64, Vec<Written>),
}

/// Things with numbers.
#[derive(Debug)]
struct Table<T> {
    list: Vec<T>,
    numbers: HashMap<T, usize>,
}

impl<T: Clone + Eq + std::hash::Hash> Table<T> {
    fn new() -> Self {
        Self { list: Vec::new(), numbers: HashMap::new() }
    }

    fn number(&mut self, item: T) -> usize {
        let next = self.list.len();
        *self.numbers.entry(item).or_insert_with_key(|item| {
            self.list.push(item.clone());
            next
        })
    }
}

/// All states of a trace.
#[derive(Debug)]
pub(super) struct States {
    shared: Table<(Cube, bool)>,
    locals: Table<ThreadPattern>,
    pub(super) acts: Vec<Act>,
}

impl States {
    /// A total valuation of the shared variables, and the atomic bit.
    pub(super) fn shared(&self, number: usize) -> &(Cube, bool) {
        &self.shared.list[number]
    }

    /// A thread with a total valuation.
    pub(super) fn local(&self, number: usize) -> &ThreadPattern {
        &self.locals.list[number]
    }

    pub(super) fn n_locals(&self) -> usize {
        self.locals.list.len()
    }

    /// Different names for the shared states.
    pub(super) fn shared_names(&self, names: &Names<'_>) -> StateNames {
        let bit = names.program.atomic_bit();
        listed(self.shared.list.iter().map(|(cube, is_atomic)| {
            // The bit is only mentioned where it is 1.
            let cube = if *is_atomic { cube.clone().with(bit, true) } else { cube.clone() };
            names.show_shared(&cube)
        }))
    }

    /// Different names for the threads.
    pub(super) fn local_names(&self, names: &Names<'_>) -> StateNames {
        listed(self.locals.list.iter().map(|thread| names.show_thread(thread.location, &thread.locals)))
    }
}

fn listed(texts: impl Iterator<Item = String>) -> StateNames {
    let mut table = NameTable::default();
    texts.for_each(|text| {
        table.insert(&text);
    });
    StateNames::Listed(table)
}

/// Reads a trace.
pub(super) struct Reader<'n> {
    names: &'n Names<'n>,
    pub(super) states: States,
    known: HashMap<Key, usize>,
    n_written: usize,
}

impl<'n> Reader<'n> {
    pub(super) fn new(names: &'n Names<'n>) -> Self {
        let states = States { shared: Table::new(), locals: Table::new(), acts: Vec::new() };
        Self { names, states, known: HashMap::new(), n_written: 0 }
    }

    /// The initial configuration: a shared state and numbers of threads.
    pub(super) fn initial(
        &mut self,
        question: &ProgramQuestion,
        written: &Configuration,
    ) -> Result<(usize, Vec<(usize, u64)>), Rejection> {
        let place = "the initial configuration";
        let (shared, listed) = self.names.configuration(place, written, BIT)?;
        total(self.names, place, &shared, true)?;
        let reject = |reason: String| Err(Rejection::new(Condition::TraceInitial, place, reason));
        let (mut threads, mut sum) = (Vec::new(), 0_u128);
        for (thread, count) in listed {
            total(self.names, place, &thread.locals, false)?;
            let Count::Finite(count) = count else {
                return Err(Rejection::new(Condition::Form, place, "ω has no place outside cover sets"));
            };
            if thread.location != self.names.program.entry() {
                let text = self.names.program.location_text(thread.location);
                return reject(format!("threads do not start at `{text}`"));
            }
            sum = sum.saturating_add(count.into());
            threads.push((self.states.locals.number(thread), count));
        }
        if let InitThreads::Exactly(wanted) = question.threads
            && sum != u128::from(wanted)
        {
            return reject(format!("has {sum} threads, but {wanted} start"));
        }
        Ok((self.states.shared.number((shared, false)), threads))
    }

    /// The items of a trace that starts in a shared state.
    pub(super) fn items(&mut self, items: &[Item], shared: usize) -> Result<Vec<Written>, Rejection> {
        let mut current = self.states.shared(shared).0.clone();
        items.iter().map(|item| self.item(item, &mut current, 0)).collect()
    }

    /// One item; `shared` is the valuation before it and becomes that after it. What a repetition needs besides is
    /// the business of the checker of systems.
    fn item(&mut self, item: &Item, shared: &mut Cube, depth: usize) -> Result<Written, Rejection> {
        match item {
            Item::Step(step) => self.step(step, shared),
            Item::Repeat { times, items } => {
                if depth >= MAX_REPEAT_DEPTH {
                    let place = format!("the repetition before {}", place("step", self.n_written));
                    let reason = format!("repetitions are nested more than {MAX_REPEAT_DEPTH} deep");
                    return Err(Rejection::new(Condition::Size, place, reason));
                }
                let deeper = depth.saturating_add(1);
                let items = items.iter().map(|item| self.item(item, shared, deeper));
                Ok(Written::Repeat(*times, items.collect::<Result<_, _>>()?))
            }
        }
    }

    fn step(&mut self, step: &document::Step, shared: &mut Cube) -> Result<Written, Rejection> {
        let number = self.n_written;
        self.n_written = number.saturating_add(1);
        let place = place("step", number);
        let Some(act) = &step.act else {
            let reason = "does not say what happens in the program (`act`)";
            return Err(Rejection::new(Condition::Form, place, reason));
        };
        if !step.moved.is_empty() {
            let reason = "`moved` speaks about a system, not about a program";
            return Err(Rejection::new(Condition::Form, place, reason));
        }
        let is_atomic = |thread: &ThreadPattern| self.names.program.location(thread.location).is_atomic;
        let actor = self.total_thread(&place, &act.thread)?;
        let after = self.after(&place, &actor, act.to.as_ref())?;
        let next = overlay(shared, &self.names.shared(&place, act.shared.as_ref(), BIT)?);
        let bits = [is_atomic(&actor), after.as_ref().is_some_and(is_atomic)];
        let child = act.starts.as_ref().map(|child| self.total_thread(&place, child)).transpose()?;
        let mut passive = Vec::new();
        for (before, after, count) in &act.passive {
            let before = self.total_thread(&place, before)?;
            let after = self.after(&place, &before, after.as_ref())?;
            let before = self.states.locals.number(before);
            passive.push((before, after.map(|after| self.states.locals.number(after)), *count));
        }
        let before = self.states.shared.number((std::mem::replace(shared, next.clone()), bits[0]));
        let shared = [before, self.states.shared.number((next, bits[1]))];
        let actor = self.states.locals.number(actor);
        let [after, child] = [after, child].map(|it| it.map(|it| self.states.locals.number(it)));
        let key = (shared, actor, after, child, passive);
        if let Some(&known) = self.known.get(&key) {
            return Ok(Written::Step(known));
        }
        let known = self.states.acts.len();
        self.known.insert(key.clone(), known);
        let (shared, actor, after, child, passive) = key;
        self.states.acts.push(Act { number, shared, actor, after, child, passive });
        Ok(Written::Step(known))
    }

    fn total_thread(&self, place: &str, state: &State) -> Result<ThreadPattern, Rejection> {
        let thread = self.names.thread(place, state)?;
        total(self.names, place, &thread.locals, false)?;
        Ok(thread)
    }

    /// A thread after a step, where only what changed is written.
    fn after(
        &self,
        place: &str,
        before: &ThreadPattern,
        written: Option<&State>,
    ) -> Result<Option<ThreadPattern>, Rejection> {
        let Some(written) = written else { return Ok(None) };
        let ThreadPattern { location, locals } = self.names.thread(place, written)?;
        Ok(Some(ThreadPattern { location, locals: overlay(&before.locals, &locals) }))
    }
}

/// The first valuation with the values of the second.
fn overlay(cube: &Cube, changes: &Cube) -> Cube {
    cube.iter().chain(changes.iter()).collect()
}
