//! What edges do to states: all states after a step, as drafts.
//!
//! A draft may stand for many states, one for each choice of the arbitrary values in it for which its conditions hold. All
//! drafts of a step together stand for all states after it, and perhaps for more: conditions may say less than they could.

use super::code::{Code, Inputs, Scene};
use super::layout::Layout;
use super::rows::Rows;
use super::words::{Value, Values};
use throng_cfa::flow::{Edge, Effect, PassiveUpdate, Program, Scope, TemplateId, VariableId};
use throng_solver::TermId;

/// An edge.
#[derive(Debug)]
pub(super) struct Step {
    to: u32,
    /// Its last slot is the guard; empty if that is always true.
    guard: Code,
    body: Code,
    stores: Vec<Store>,
    effect: Option<Consequence>,
}

/// An assignment: where, of which width, at which index (slot and width), and which slot has the value.
#[derive(Debug)]
struct Store {
    is_shared: bool,
    first: u32,
    length: u32,
    bits: u32,
    index: Option<(u32, u32)>,
    value: u32,
}

/// What an edge does to other threads.
#[derive(Debug)]
enum Consequence {
    /// A thread begins: words of its row and the slots of their values.
    Start(TemplateId, Vec<(u32, u32)>),
    /// All threads for which an update is possible, or one.
    Wake { is_broadcast: bool, updates: Vec<Update> },
}

#[derive(Debug)]
struct Update {
    template: TemplateId,
    code: Code,
    guard: u32,
    /// Words of the passive thread's row, their widths, and the slots of their new values.
    stores: Vec<(u32, u32, u32)>,
}

/// States after a step.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// What is known of the arbitrary values.
    pub(super) conditions: Vec<TermId>,
    pub(super) shared: Vec<u32>,
    /// The rows of all threads.
    pub(super) threads: Vec<u32>,
}

/// What drafts are made with.
pub(super) struct Desk<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: &'a Layout,
    pub(super) rows: &'a mut Rows,
    pub(super) values: &'a mut Values,
    pub(super) inputs: &'a mut Inputs,
    pub(super) slots: &'a mut Vec<Value>,
}

/// A word of a row, its width, and its new value.
type NewWord = (u32, u32, Value);

impl Step {
    /// An edge in the form in which it is taken.
    pub(super) fn new(program: &Program, layout: &Layout, edge: &Edge) -> Self {
        let mut guard = Code::default();
        if program.expressions.as_constant(edge.guard) != Some(1) {
            guard.add(program, layout, edge.guard);
        }
        let mut body = Code::default();
        let mut stores = Vec::new();
        for assignment in &edge.assignments {
            let variable = program.variable(assignment.target);
            if let Some(first) = layout.first[assignment.target.index()] {
                stores.push(Store {
                    is_shared: variable.scope == Scope::Shared,
                    first,
                    length: variable.length,
                    bits: variable.bits,
                    index: assignment
                        .index
                        .map(|index| (body.add(program, layout, index), program.expressions.bits(index))),
                    value: body.add(program, layout, assignment.value),
                });
            }
        }
        let wake = |is_broadcast, updates: &[PassiveUpdate]| Consequence::Wake {
            is_broadcast,
            updates: updates.iter().map(|update| Update::new(program, layout, update)).collect(),
        };
        let effect = edge.effect.as_ref().map(|effect| match effect {
            Effect::Spawn { template, arguments } => {
                let kept = arguments.iter().filter_map(|&(v, value)| Some((layout.first[v.index()]?, value)));
                let given = kept.map(|(word, value)| (word, body.add(program, layout, value)));
                Consequence::Start(*template, given.collect())
            }
            Effect::Broadcast(updates) => wake(true, updates),
            Effect::Signal(updates) => wake(false, updates),
        });
        Self { to: edge.to.raw(), guard, body, stores, effect }
    }

    /// Whether it starts a thread.
    pub(super) fn starts(&self) -> bool {
        matches!(self.effect, Some(Consequence::Start(..)))
    }

    /// The guard's value in a state.
    pub(super) fn guard(&self, desk: &mut Desk<'_>, before: &Draft, actor: usize) -> Value {
        if self.guard.is_empty() {
            return Value::TRUE;
        }
        desk.run(&self.guard, before, actor, None);
        desk.slots.last().copied().unwrap_or(Value::TRUE)
    }

    /// The states after the step, given what is known where the guard is true. Each comes with what has to hold in addition.
    pub(super) fn happen(
        &self,
        desk: &mut Desk<'_>,
        before: &Draft,
        actor: usize,
        conditions: &[TermId],
    ) -> Vec<(Draft, Value)> {
        desk.run(&self.body, before, actor, None);
        let mut shared = before.shared.clone();
        let mut own = desk.rows.get(before.threads[actor]).to_vec();
        own[0] = self.to;
        for store in &self.stores {
            let row = if store.is_shared { &mut shared } else { &mut own };
            let slots = &*desk.slots;
            let index = store.index.map(|(slot, width)| (slots[slot as usize], width));
            let words = &mut row[store.first as usize..][..store.length as usize];
            write(desk.values, words, index, slots[store.value as usize], store.bits);
        }
        let mut threads = before.threads.clone();
        let mut started = None;
        if let Some(Consequence::Start(template, arguments)) = &self.effect {
            let given: Vec<(u32, Value)> =
                arguments.iter().map(|&(word, slot)| (word, desk.slots[slot as usize])).collect();
            started = Some(desk.thread(*template, &given));
        }
        threads[actor] = desk.keep(own);
        threads.extend(started);
        let after = Draft { conditions: conditions.to_vec(), shared, threads };
        match &self.effect {
            Some(Consequence::Wake { is_broadcast: true, updates }) => {
                vec![(broadcast(desk, before, actor, after, updates), Value::TRUE)]
            }
            Some(Consequence::Wake { is_broadcast: false, updates }) => {
                signal(desk, before, actor, &after, updates)
            }
            _ => vec![(after, Value::TRUE)],
        }
    }
}

impl Update {
    fn new(program: &Program, layout: &Layout, update: &PassiveUpdate) -> Self {
        let mut code = Code::default();
        let guard = code.add(program, layout, update.guard);
        let mut stores = Vec::new();
        for &(target, value) in &update.assignments {
            if let Some(first) = layout.first[target.index()] {
                stores.push((first, program.variable(target).bits, code.add(program, layout, value)));
            }
        }
        Self { template: update.template, code, guard, stores }
    }
}

impl Desk<'_> {
    fn run(&mut self, code: &Code, before: &Draft, actor: usize, passive: Option<usize>) {
        let scene = Scene {
            program: self.program,
            layout: self.layout,
            rows: self.rows,
            shared: &before.shared,
            threads: &before.threads,
            actor,
            passive,
        };
        code.run(&scene, self.values, self.inputs, self.slots);
    }

    /// Keeps the row of a thread, without what is dead where it stands.
    fn keep(&mut self, mut row: Vec<u32>) -> u32 {
        for &word in &self.layout.dead[row[0] as usize] {
            row[word as usize] = 0;
        }
        self.rows.insert(&row)
    }

    /// The words of a variable at the start.
    fn initial(&mut self, variable: VariableId, row: &mut [u32]) {
        let data = self.program.variable(variable);
        for (number, word) in self.layout.words(self.program, variable).enumerate() {
            let value = match &data.initial {
                Some(initial) => Value::Known(initial.get(number).copied().unwrap_or(0)),
                None => self.inputs.fresh(self.values, data.bits),
            };
            row[word as usize] = self.values.encode(value);
        }
    }

    /// A thread at the beginning of its code, with these values.
    fn thread(&mut self, template: TemplateId, given: &[(u32, Value)]) -> u32 {
        let program = self.program;
        let code = &program.templates[template.index()];
        let mut row = vec![0; self.layout.n_local[template.index()]];
        row[0] = code.entry.raw();
        for &variable in &code.locals {
            self.initial(variable, &mut row);
        }
        for &(word, value) in given {
            row[word as usize] = self.values.encode(value);
        }
        self.keep(row)
    }

    /// The state at the start.
    pub(super) fn start(&mut self) -> Draft {
        let mut shared = vec![0; self.layout.n_shared];
        for (index, variable) in self.program.variables.iter().enumerate() {
            if variable.scope == Scope::Shared {
                self.initial(VariableId::new(index), &mut shared);
            }
        }
        let main = self.thread(self.program.main, &[]);
        Draft { conditions: Vec::new(), shared, threads: vec![main] }
    }

    fn template(&self, row: u32) -> TemplateId {
        self.program.locations[self.rows.get(row)[0] as usize].template
    }

    /// The updates that may happen to the thread at a place: when the guard of each is true, and the new words.
    fn updates(
        &mut self,
        before: &Draft,
        actor: usize,
        place: usize,
        updates: &[Update],
    ) -> Vec<(Value, Vec<NewWord>)> {
        let mut found = Vec::new();
        if place == actor {
            return found;
        }
        let template = self.template(before.threads[place]);
        for update in updates.iter().filter(|update| update.template == template) {
            self.run(&update.code, before, actor, Some(place));
            let guard = self.slots[update.guard as usize];
            if guard == Value::ZERO {
                continue;
            }
            let new = update.stores.iter().map(|&(word, bits, slot)| (word, bits, self.slots[slot as usize]));
            found.push((guard, new.collect()));
            if guard == Value::TRUE {
                break;
            }
        }
        found
    }
}

/// Assigns to one of some scalars, to the first without an index. Beyond the end, nothing changes.
fn write(values: &mut Values, words: &mut [u32], index: Option<(Value, u32)>, value: Value, bits: u32) {
    match index.unwrap_or((Value::ZERO, bits)) {
        (Value::Known(index), _) => {
            if let Some(word) = usize::try_from(index).ok().and_then(|index| words.get_mut(index)) {
                *word = values.encode(value);
            }
        }
        (index @ Value::Term(_), width) => {
            for (number, word) in words.iter_mut().enumerate() {
                let is_here = values.is_number(index, number as u128, width);
                let old = values.decode(*word);
                let new = values.choose(is_here, value, old, bits);
                *word = values.encode(new);
            }
        }
    }
}

/// All other threads for which an update is possible are updated, by the first one that is.
fn broadcast(
    desk: &mut Desk<'_>,
    before: &Draft,
    actor: usize,
    mut after: Draft,
    updates: &[Update],
) -> Draft {
    for place in 0..before.threads.len() {
        let found = desk.updates(before, actor, place, updates);
        if found.is_empty() {
            continue;
        }
        let old = desk.rows.get(before.threads[place]).to_vec();
        let mut row = old.clone();
        for (guard, new) in found.iter().rev() {
            // Where this one is possible, later ones do not happen.
            let widths = found.iter().flat_map(|(_, new)| new).map(|&(word, bits, _)| (word, bits));
            for (word, bits) in widths {
                let assigned = new.iter().find(|&&(target, _, _)| target == word);
                let then = assigned.map_or_else(|| desk.values.decode(old[word as usize]), |&(_, _, v)| v);
                let otherwise = desk.values.decode(row[word as usize]);
                let value = desk.values.choose(*guard, then, otherwise, bits);
                row[word as usize] = desk.values.encode(value);
            }
        }
        after.threads[place] = desk.keep(row);
    }
    after
}

/// One other thread for which an update is possible is updated, or none if there is none.
fn signal(
    desk: &mut Desk<'_>,
    before: &Draft,
    actor: usize,
    after: &Draft,
    updates: &[Update],
) -> Vec<(Draft, Value)> {
    let mut all = Vec::new();
    let mut none = Value::TRUE;
    for place in 0..before.threads.len() {
        let mut earlier = Value::TRUE;
        for (guard, new) in desk.updates(before, actor, place, updates) {
            let mut row = desk.rows.get(before.threads[place]).to_vec();
            for (word, _, value) in new {
                row[word as usize] = desk.values.encode(value);
            }
            let mut woken = after.clone();
            woken.threads[place] = desk.keep(row);
            let is_this = desk.values.both(earlier, guard);
            all.push((woken, is_this));
            let is_not = desk.values.opposite(guard);
            earlier = desk.values.both(earlier, is_not);
        }
        none = desk.values.both(none, earlier);
    }
    if none != Value::ZERO {
        all.push((after.clone(), none));
    }
    all
}
