//! What taking an edge does: assignments, and what happens to other threads.

use crate::code::{Consequence, Store, Update};
use crate::evaluate::{Choices, Scene};
use crate::machine::{Machine, Moment, Taken};
use crate::value::{Value, Values};
use smallvec::SmallVec;
use throng_base::StopReason;
use throng_cfa::flow::{BinaryOperator, UnaryOperator};

/// What an update does to a passive thread: whether it happens, and the new row.
type Passive = (Value, Vec<u32>);

impl Machine<'_> {
    /// Takes an edge whose guard holds; what comes of it goes onto the stack.
    pub(crate) fn take(
        &mut self,
        mut moment: Moment,
        number: usize,
        mut choices: Choices,
    ) -> Result<(), StopReason> {
        self.n_edges += 1;
        let passive = self.passive(&moment, number, &mut choices);
        let mut started = None;
        self.evaluate_body(&moment, number, &mut choices);
        let step = &self.compiled.steps[number];
        if let Some(Consequence::Start(template, arguments)) = &step.consequence {
            let arguments: SmallVec<[(u32, Value); 4]> =
                arguments.iter().map(|&(word, slot)| (word, self.slots[slot as usize])).collect();
            started = Some((*template, arguments));
        }
        for store in &step.stores {
            assign(&mut self.values, &self.slots, store, &mut moment);
        }
        moment.own[0] = step.to;
        let (edge, is_signal) = (step.edge, matches!(step.consequence, Some(Consequence::Signal(_))));
        let thread = moment.thread as u32;
        let mut inputs = Vec::new();
        if let Some((template, arguments)) = started {
            let mut row = self.new_row(template, &mut choices, &mut inputs);
            for (word, value) in arguments {
                row[word as usize] = self.values.encode(value);
            }
            if self.compiled.points[row[0] as usize].is_error {
                // The new thread is at an error: let it run, which ends the search.
                moment.own.clone_from(&row);
            }
            moment.threads.push(self.rows.insert(&row));
            let place = moment.threads.len() - 1;
            if moment.threads.len() >= self.limit { moment.wake_all() } else { moment.wake(place) }
        }
        moment.count(choices.n_inputs);
        if self.is_recording {
            let chosen = choices.chosen.to_vec();
            moment.taken.push(Taken { thread, edge, signalled: None, chosen, started: inputs });
        }
        if is_signal {
            return self.signal(moment, passive);
        }
        for (place, (_, row)) in passive {
            moment.threads[place] = self.rows.insert(&row);
        }
        self.push(moment);
        Ok(())
    }

    fn evaluate_body(&mut self, moment: &Moment, number: usize, choices: &mut Choices) {
        let scene = Scene {
            program: self.program,
            compiled: &self.compiled,
            rows: &self.rows,
            shared: &moment.shared,
            own: &moment.own,
            passive: &[],
            threads: &moment.threads,
            thread: moment.thread,
        };
        self.values.run(&self.compiled.steps[number].body, &scene, choices, &mut self.slots);
    }

    /// What an edge does to passive threads, by their places; only those to which something may happen.
    fn passive(&mut self, moment: &Moment, number: usize, choices: &mut Choices) -> Vec<(usize, Passive)> {
        let (Some(Consequence::Broadcast(updates)) | Some(Consequence::Signal(updates))) =
            &self.compiled.steps[number].consequence
        else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for (place, &row) in moment.threads.iter().enumerate().filter(|&(place, _)| place != moment.thread) {
            let scene = Scene {
                program: self.program,
                compiled: &self.compiled,
                rows: &self.rows,
                shared: &moment.shared,
                own: &moment.own,
                passive: self.rows.get(row),
                threads: &moment.threads,
                thread: moment.thread,
            };
            let passive = update(&mut self.values, &mut self.slots, updates, &scene, choices);
            if passive.0 != Value::ZERO {
                all.push((place, passive));
            }
        }
        all
    }

    /// Each thread that can be woken, or none if none can.
    fn signal(&mut self, mut moment: Moment, passive: Vec<(usize, Passive)>) -> Result<(), StopReason> {
        for (place, (happens, row)) in &passive {
            let mut woken = moment.clone();
            let is_possible = match *happens {
                Value::Known(_) => true,
                Value::Term(condition) => self.assume(&mut woken, condition)?,
            };
            if is_possible {
                woken.threads[*place] = self.rows.insert(row);
                if let Some(taken) = woken.taken.last_mut() {
                    taken.signalled = Some(*place as u32);
                }
                self.push(woken);
            }
        }
        for (_, (happens, _)) in passive {
            match self.values.unary(UnaryOperator::Not, happens, 1) {
                Value::Known(0) => return Ok(()),
                Value::Known(_) => {}
                Value::Term(condition) => {
                    if !self.assume(&mut moment, condition)? {
                        return Ok(());
                    }
                }
            }
        }
        self.push(moment);
        Ok(())
    }
}

/// What updates do to a passive thread: the first one that is possible happens.
fn update(
    values: &mut Values,
    slots: &mut Vec<Value>,
    updates: &[Update],
    scene: &Scene,
    choices: &mut Choices,
) -> Passive {
    let template = scene.compiled.points[scene.passive[0] as usize].template;
    let mut row = scene.passive.to_vec();
    let mut is_open = Value::TRUE;
    for update in updates.iter().filter(|update| update.template == template) {
        values.run(&update.code, scene, choices, slots);
        let guard = slots[update.guard as usize];
        let happens = values.binary(BinaryOperator::And, is_open, guard, 1);
        if happens == Value::ZERO {
            continue;
        }
        for &(word, bits, slot) in &update.stores {
            let old = values.decode(row[word as usize]);
            let new = values.if_then_else(happens, slots[slot as usize], old, bits);
            row[word as usize] = values.encode(new);
        }
        let is_other = values.unary(UnaryOperator::Not, guard, 1);
        is_open = values.binary(BinaryOperator::And, is_open, is_other, 1);
    }
    (values.unary(UnaryOperator::Not, is_open, 1), row)
}

/// Does an assignment whose value and index are in slots.
fn assign(values: &mut Values, slots: &[Value], store: &Store, moment: &mut Moment) {
    let row = if store.place.is_shared { &mut moment.shared } else { &mut moment.own };
    let words = &mut row[store.place.first as usize..][..store.place.length as usize];
    let value = slots[store.value as usize];
    match store.index.map(|index| slots[index as usize]) {
        None => words[0] = values.encode(value),
        Some(Value::Known(index)) => {
            if let Some(word) = usize::try_from(index).ok().and_then(|index| words.get_mut(index)) {
                *word = values.encode(value);
            }
        }
        Some(index @ Value::Term(term)) => {
            let width = values.terms.width(term);
            for (number, word) in words.iter_mut().enumerate() {
                let is_here = values.is_number(index, number as u128, width);
                let old = values.decode(*word);
                let new = values.if_then_else(is_here, value, old, store.bits);
                *word = values.encode(new);
            }
        }
    }
}
