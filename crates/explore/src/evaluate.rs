//! The values of expressions in a state that may have terms in it.

use crate::code::{Code, Compiled, Operation, Place};
use crate::rows::Rows;
use crate::value::{Value, Values};
use smallvec::SmallVec;
use throng_cfa::flow::{NondetId, Program};
use throng_solver::TermId;

/// What the expressions of one edge see.
pub(crate) struct Scene<'a> {
    pub(crate) program: &'a Program,
    pub(crate) compiled: &'a Compiled,
    pub(crate) rows: &'a Rows,
    pub(crate) shared: &'a [u32],
    /// The row of the thread that takes the step.
    pub(crate) own: &'a [u32],
    /// The row of the thread that is passive, if any.
    pub(crate) passive: &'a [u32],
    /// The rows of all threads; that of the thread that takes the step may be out of date.
    pub(crate) threads: &'a [u32],
    /// The place of the thread that takes the step.
    pub(crate) thread: usize,
}

impl Scene<'_> {
    /// The current row of a thread.
    pub(crate) fn row(&self, thread: usize) -> &[u32] {
        if thread == self.thread { self.own } else { self.rows.get(self.threads[thread]) }
    }
}

/// What was chosen for the arbitrary values of one edge, and how many inputs were made before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    pub(crate) chosen: SmallVec<[(NondetId, TermId); 4]>,
    pub(crate) n_inputs: u32,
}

impl Choices {
    /// The term for an arbitrary value.
    fn get(&mut self, values: &mut Values, nondet: NondetId, bits: u32) -> TermId {
        if let Some(&(_, term)) = self.chosen.iter().find(|(other, _)| *other == nondet) {
            return term;
        }
        let term = self.fresh(values, bits);
        self.chosen.push((nondet, term));
        term
    }

    /// A new input.
    pub(crate) fn fresh(&mut self, values: &mut Values, bits: u32) -> TermId {
        self.n_inputs += 1;
        values.input(false, bits, self.n_inputs)
    }
}

impl Values {
    /// Runs code; the slots get its values.
    pub(crate) fn run(&mut self, code: &Code, scene: &Scene, choices: &mut Choices, slots: &mut Vec<Value>) {
        slots.clear();
        for &(operation, bits) in &code.operations {
            let slot = |number: u32| slots[number as usize];
            let width = |number: u32| code.operations[number as usize].1;
            let value = match operation {
                Operation::Constant(value) => Value::Known(value),
                Operation::Load(place) => self.decode(row(scene, place)[place.first as usize]),
                Operation::LoadAt(place, index) => {
                    self.element(scene, place, slot(index), (width(index), bits))
                }
                Operation::LoadPassive(word) => self.decode(scene.passive[word as usize]),
                Operation::Nondet(nondet) => {
                    let own_bits = scene.program.nondets[nondet.index()].bits;
                    let term = choices.get(self, nondet, own_bits);
                    self.resize(Value::Term(term), own_bits, bits)
                }
                Operation::ThisThread => self.resize(Value::Known(scene.thread as u128 + 1), 128, bits),
                Operation::NewThread => self.resize(Value::Known(scene.threads.len() as u128 + 1), 128, bits),
                Operation::HasEnded(a) => self.has_ended(scene, slot(a), width(a)),
                Operation::ResultOf(a) => self.result_of(scene, slot(a), width(a), bits),
                Operation::Unary(operator, a) => self.unary(operator, slot(a), bits),
                Operation::Binary(operator, a, b) => self.binary(operator, slot(a), slot(b), width(a)),
                Operation::IfThenElse(a, b, c) => self.if_then_else(slot(a), slot(b), slot(c), bits),
                Operation::ZeroExtend(a) => self.extend(slot(a), width(a), bits, false),
                Operation::SignExtend(a) => self.extend(slot(a), width(a), bits, true),
                Operation::Extract(a, low) => self.extract(slot(a), low, bits),
            };
            slots.push(value);
        }
    }

    /// An element of an array; for an index with terms, a choice between all elements.
    fn element(&mut self, scene: &Scene, place: Place, index: Value, (width, bits): (u32, u32)) -> Value {
        let words = &row(scene, place)[place.first as usize..][..place.length as usize];
        if let Value::Known(index) = index {
            let word = usize::try_from(index).ok().and_then(|index| words.get(index));
            return word.map_or(Value::ZERO, |&word| self.decode(word));
        }
        let mut value = Value::ZERO;
        for (number, &word) in words.iter().enumerate() {
            let is_here = self.is_number(index, number as u128, width);
            let element = self.decode(word);
            value = self.if_then_else(is_here, element, value, bits);
        }
        value
    }

    fn has_ended(&mut self, scene: &Scene, thread: Value, width: u32) -> Value {
        let mut value = Value::ZERO;
        for number in 0..scene.threads.len() {
            if scene.compiled.points[scene.row(number)[0] as usize].is_end {
                let is_this = self.is_number(thread, number as u128 + 1, width);
                value = self.if_then_else(is_this, Value::TRUE, value, 1);
            }
        }
        value
    }

    fn result_of(&mut self, scene: &Scene, thread: Value, width: u32, bits: u32) -> Value {
        let mut value = Value::ZERO;
        for number in 0..scene.threads.len() {
            let row = scene.row(number);
            let template = scene.compiled.points[row[0] as usize].template;
            if let Some((word, own_bits)) = scene.compiled.results[template.index()] {
                let is_this = self.is_number(thread, number as u128 + 1, width);
                let result = self.decode(row[word as usize]);
                let result = self.resize(result, own_bits, bits);
                value = self.if_then_else(is_this, result, value, bits);
            }
        }
        value
    }
}

fn row<'a>(scene: &'a Scene, place: Place) -> &'a [u32] {
    if place.is_shared { scene.shared } else { scene.own }
}
