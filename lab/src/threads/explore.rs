//! Whether a C program has an error with few threads, decided by trying everything: all interleavings and all arbitrary
//! values, one by one.
//!
//! The meaning of a program is that of [`throng_cfa::flow`]; nothing of the searches of other crates is used. Two things
//! are done to keep states small, each with a plain argument: variables that cannot matter are left out (`relevant`), and
//! where no number of a thread matters, threads are sorted, since a state and the same threads in another order
//! then have the same steps.

use super::evaluate::{View, mask};
use super::relevant::{Relevant, places, relevant};
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use throng_cfa::flow::{
    Edge, EdgeId, Effect, ExpressionId, LocationId, LocationKind, PassiveUpdate, Program, Scope, TemplateId,
    VariableId,
};

/// What trying everything found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exploration {
    /// An error with so many threads, the first one included, and none with fewer.
    Error {
        /// How many.
        threads: usize,
    },
    /// No error with up to so many threads, which is as many as were asked for.
    NoError {
        /// How many states there are with that many.
        states: usize,
    },
    /// There are too many states with more than so many threads; with up to so many there is no error.
    TooLarge {
        /// How many threads.
        complete_up_to: usize,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Thread {
    pub(super) location: LocationId,
    pub(super) locals: Vec<u128>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) shared: Vec<u128>,
    pub(super) threads: Vec<Thread>,
}

/// Where things are in a state.
pub(super) struct Layout<'p> {
    pub(super) program: &'p Program,
    relevant: Relevant,
    /// By variable, where its first scalar is.
    places: Vec<Option<usize>>,
    /// Initial values of the shared variables, then of each template's: all possible ones.
    initial: Vec<Vec<Vec<u128>>>,
}

impl<'p> Layout<'p> {
    /// States with what matters to where threads come, and to these expressions.
    pub(super) fn new(program: &'p Program, more: &[ExpressionId]) -> Self {
        let relevant = relevant(program, more);
        let (places, sizes) = places(program, &relevant.variables);
        let shared = VariableId::all(program.variables.len())
            .filter(|&id| program.variable(id).scope == Scope::Shared)
            .collect();
        let templates = program.templates.iter().map(|template| template.locals.clone());
        let scopes: Vec<Vec<VariableId>> = std::iter::once(shared).chain(templates).collect();
        let initial = scopes.iter().zip(&sizes).map(|(ids, &size)| initial(program, ids, &places, size));
        let initial = initial.collect();
        Self { program, relevant, places, initial }
    }

    /// Where the first scalar of a variable is.
    pub(super) fn place(&self, variable: VariableId) -> usize {
        self.places[variable.index()].expect("what is read is relevant")
    }

    fn new_threads(&self, template: TemplateId) -> impl Iterator<Item = Thread> + use<'_> {
        let location = self.program.templates[template.index()].entry;
        let locals = self.initial[1 + template.index()].iter();
        locals.map(move |locals| Thread { location, locals: locals.clone() })
    }

    /// The states after a step with these arbitrary values.
    fn after(&self, state: &State, thread: usize, edge: &Edge, nondets: &[u128]) -> Vec<State> {
        let view = View { layout: self, state, thread, passive: None, nondets };
        if view.eval(edge.guard) != 1 {
            return Vec::new();
        }
        let mut next = state.clone();
        for assignment in &edge.assignments {
            let Some(place) = self.places[assignment.target.index()] else { continue };
            let index = assignment.index.map_or(0, |index| view.eval(index));
            let target = self.program.variable(assignment.target);
            if index >= u128::from(target.length) {
                continue;
            }
            let scalars = match target.scope {
                Scope::Shared => &mut next.shared,
                Scope::Local(_) => &mut next.threads[thread].locals,
            };
            scalars[place + index as usize] = view.eval(assignment.value);
        }
        next.threads[thread].location = edge.to;
        match &edge.effect {
            None => vec![next],
            Some(effect) => self.effect(&view, effect, next),
        }
    }

    fn effect(&self, view: &View<'_>, effect: &Effect, mut next: State) -> Vec<State> {
        let others = (0..view.state.threads.len()).filter(|&place| place != view.thread);
        match effect {
            Effect::Spawn { template, arguments } => {
                let started = self.new_threads(*template).map(|mut new| {
                    for &(target, value) in arguments {
                        if let Some(place) = self.places[target.index()] {
                            new.locals[place] = view.eval(value);
                        }
                    }
                    let mut next = next.clone();
                    next.threads.push(new);
                    next
                });
                started.collect()
            }
            Effect::Broadcast(updates) => {
                for place in others {
                    self.update(view, updates, place, &mut next);
                }
                vec![next]
            }
            Effect::Signal(updates) => {
                let woken: Vec<State> = others
                    .filter_map(|place| {
                        let mut woken = next.clone();
                        self.update(view, updates, place, &mut woken).then_some(woken)
                    })
                    .collect();
                if woken.is_empty() { vec![next] } else { woken }
            }
        }
    }

    /// The first possible update of a passive thread, if there is one.
    fn update(&self, view: &View<'_>, updates: &[PassiveUpdate], place: usize, next: &mut State) -> bool {
        let view = View { passive: Some(place), ..*view };
        let template = self.program.location(view.state.threads[place].location).template;
        let mut updates = updates.iter().filter(|update| update.template == template);
        let Some(update) = updates.find(|update| view.eval(update.guard) == 1) else { return false };
        for &(target, value) in &update.assignments {
            if let Some(at) = self.places[target.index()] {
                next.threads[place].locals[at] = view.eval(value);
            }
        }
        true
    }

    /// All values of the arbitrary expressions of an edge.
    fn choices(&self, edge: EdgeId) -> Vec<Vec<u128>> {
        let mut all = vec![vec![0; self.program.nondets.len()]];
        for nondet in &self.relevant.nondets[edge.index()] {
            let values = 0..=mask(self.program.nondets[nondet.index()].bits);
            let rows = all.iter().flat_map(|row| {
                values.clone().map(|value| {
                    let mut row = row.clone();
                    row[nondet.index()] = value;
                    row
                })
            });
            all = rows.collect();
        }
        all
    }
}

/// All initial values of some variables.
fn initial(program: &Program, ids: &[VariableId], places: &[Option<usize>], size: usize) -> Vec<Vec<u128>> {
    let mut all = vec![vec![0; size]];
    for &id in ids {
        let Some(place) = places[id.index()] else { continue };
        let variable = program.variable(id);
        for scalar in 0..variable.length as usize {
            let values = match &variable.initial {
                Some(initial) => initial[scalar]..=initial[scalar],
                None => 0..=mask(variable.bits),
            };
            let rows = all.iter().flat_map(|row| {
                values.clone().map(|value| {
                    let mut row = row.clone();
                    row[place + scalar] = value;
                    row
                })
            });
            all = rows.collect();
        }
    }
    all
}

/// States that were met and those that are not expanded yet, as bytes.
#[derive(Default)]
struct Met {
    seen: FxHashSet<Box<[u8]>>,
    open: VecDeque<Box<[u8]>>,
}

impl Met {
    fn add(&mut self, layout: &Layout<'_>, mut state: State) {
        if !layout.relevant.numbers {
            state.threads.sort();
        }
        let mut bytes = Vec::new();
        state.shared.iter().for_each(|&value| push(&mut bytes, value));
        for thread in &state.threads {
            push(&mut bytes, thread.location.index() as u128);
            thread.locals.iter().for_each(|&value| push(&mut bytes, value));
        }
        let bytes = bytes.into_boxed_slice();
        if self.seen.insert(bytes.clone()) {
            self.open.push_back(bytes);
        }
    }

    fn next(&mut self, layout: &Layout<'_>) -> Option<State> {
        let bytes = self.open.pop_front()?;
        let mut rest = bytes.iter();
        let shared = (0..layout.initial[0][0].len()).map(|_| pull(&mut rest)).collect();
        let mut threads = Vec::new();
        while !rest.as_slice().is_empty() {
            let location = LocationId::new(pull(&mut rest) as usize);
            let template = layout.program.location(location).template;
            let size = layout.initial[1 + template.index()][0].len();
            threads.push(Thread { location, locals: (0..size).map(|_| pull(&mut rest)).collect() });
        }
        Some(State { shared, threads })
    }
}

/// Seven bits in a byte, the lowest first; the highest bit says that more come.
fn push(bytes: &mut Vec<u8>, mut value: u128) {
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn pull(bytes: &mut std::slice::Iter<'_, u8>) -> u128 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let &byte = bytes.next().expect("a state is read as it was written");
        value |= u128::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    value
}

/// Whether a state that is looked for can be reached with up to so many threads, and how many states were met; `None` if
/// they are more than `most`.
pub(super) fn search(
    layout: &Layout<'_>,
    n_threads: usize,
    most: usize,
    is_wanted: &mut dyn FnMut(&State) -> bool,
) -> Option<(bool, usize)> {
    let program = layout.program;
    let choices: Vec<Vec<Vec<u128>>> =
        EdgeId::all(program.edges.len()).map(|edge| layout.choices(edge)).collect();
    let mut met = Met::default();
    for shared in &layout.initial[0] {
        for thread in layout.new_threads(program.main) {
            met.add(layout, State { shared: shared.clone(), threads: vec![thread] });
        }
    }
    while let Some(state) = met.next(layout) {
        let kind = |thread: &Thread| program.location(thread.location).kind;
        if is_wanted(&state) {
            return Some((true, met.seen.len()));
        }
        if met.seen.len() > most {
            return None;
        }
        for (place, thread) in state.threads.iter().enumerate() {
            let mut others = state.threads.iter().enumerate().filter(|(other, _)| *other != place);
            if kind(thread) != LocationKind::Inner
                || others.any(|(_, other)| program.location(other.location).is_atomic)
            {
                continue;
            }
            for (id, edge) in program.edges_from(thread.location) {
                let is_start = matches!(edge.effect, Some(Effect::Spawn { .. }));
                if is_start && state.threads.len() >= n_threads {
                    continue;
                }
                for nondets in &choices[id.index()] {
                    for next in layout.after(&state, place, edge, nondets) {
                        met.add(layout, next);
                    }
                }
            }
        }
    }
    Some((false, met.seen.len()))
}

/// Whether a thread is at an error.
fn has_error(program: &Program) -> impl FnMut(&State) -> bool + use<'_> {
    |state| {
        let mut kinds = state.threads.iter().map(|thread| program.location(thread.location).kind);
        kinds.any(|kind| matches!(kind, LocationKind::Error(_)))
    }
}

/// Whether an error can be reached with up to so many threads, the first one included; `None` if there are too many
/// states.
pub fn reaches_error(program: &Program, n_threads: usize, most_states: usize) -> Option<bool> {
    let layout = Layout::new(program, &[]);
    search(&layout, n_threads, most_states, &mut has_error(program)).map(|(is_error, _)| is_error)
}

/// Tries everything with 1, 2, … threads, the first one included, up to so many.
pub fn explore(program: &Program, n_threads: usize, most_states: usize) -> Exploration {
    let layout = Layout::new(program, &[]);
    let mut states = 0;
    for threads in 1..=n_threads {
        match search(&layout, threads, most_states, &mut has_error(program)) {
            None => return Exploration::TooLarge { complete_up_to: threads - 1 },
            Some((true, _)) => return Exploration::Error { threads },
            Some((false, count)) => states = count,
        }
    }
    Exploration::NoError { states }
}
