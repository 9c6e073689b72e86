//! Expressions as lists of operations on slots, and their values in a state.
//!
//! What expressions mean is what [`throng_cfa::flow`] says. Values of inputs (arbitrary values) are new variables of the
//! terms, one for each number of an arbitrary value and each time that an edge is taken.

use super::layout::Layout;
use super::rows::Rows;
use super::words::{Value, Values};
use rustc_hash::FxHashMap;
use throng_cfa::flow::{
    BinaryOperator, Expression, ExpressionId, LocationKind, NondetId, Program, Scope, UnaryOperator,
    VariableId,
};

/// What becomes of slots.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Constant(u128),
    /// A word of the shared row.
    Shared(u32),
    /// A word of the own row.
    Own(u32),
    /// A word of the passive thread's row.
    Passive(u32),
    /// A variable of several scalars, or read with an index: whether it is shared, its first word, how many, and the slot of the index.
    Element(bool, u32, u32, u32),
    Nondet(NondetId),
    ThisThread,
    NewThread,
    HasEnded(u32),
    ResultOf(u32),
    Unary(UnaryOperator, u32),
    Binary(BinaryOperator, u32, u32),
    Choose(u32, u32, u32),
    Extend(u32, bool),
    Extract(u32, u32),
}

/// Operations with the widths of their values, operands first.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    operations: Vec<(Operation, u32)>,
    slots: FxHashMap<ExpressionId, u32>,
}

/// What expressions see.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: &'a Layout,
    pub(super) rows: &'a Rows,
    pub(super) shared: &'a [u32],
    /// The rows of all threads.
    pub(super) threads: &'a [u32],
    /// The place of the thread that takes the step.
    pub(super) actor: usize,
    /// The place of the passive thread that is looked at.
    pub(super) passive: Option<usize>,
}

impl<'a> Scene<'a> {
    /// The row of the thread at a place.
    pub(super) fn row(&self, place: usize) -> &'a [u32] {
        self.rows.get(self.threads[place])
    }
}

/// The arbitrary values that a step has chosen so far.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    chosen: Vec<(NondetId, Value)>,
    n_fresh: usize,
}

impl Inputs {
    /// Forgets them all, for another step.
    pub(super) fn clear(&mut self) {
        self.chosen.clear();
        self.n_fresh = 0;
    }

    fn nondet(&mut self, values: &mut Values, nondet: NondetId, bits: u32) -> Value {
        if let Some(&(_, value)) = self.chosen.iter().find(|&&(chosen, _)| chosen == nondet) {
            return value;
        }
        let value = self.fresh(values, bits);
        self.chosen.push((nondet, value));
        value
    }

    /// A new arbitrary value. Its name is used in no state: there, other names are given.
    pub(super) fn fresh(&mut self, values: &mut Values, bits: u32) -> Value {
        self.n_fresh = self.n_fresh.saturating_add(1);
        Value::Term(values.terms.variable(&format!("new{}.{bits}", self.n_fresh), bits))
    }
}

impl Code {
    /// Whether there is nothing to compute.
    pub(super) fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// Adds an expression with all that it is made of; tells the slot of its value.
    pub(super) fn add(&mut self, program: &Program, layout: &Layout, root: ExpressionId) -> u32 {
        for id in program.expressions.subexpressions([root]) {
            if !self.slots.contains_key(&id) {
                let operation = self.operation(program, layout, id);
                let slot = u32::try_from(self.operations.len()).expect("fewer than 2^32 expressions");
                self.operations.push((operation, program.expressions.bits(id)));
                self.slots.insert(id, slot);
            }
        }
        self.slots[&root]
    }

    fn operation(&self, program: &Program, layout: &Layout, id: ExpressionId) -> Operation {
        let slot = |id: ExpressionId| self.slots[&id];
        let first = |v: VariableId| layout.first[v.index()].expect("what is read is kept");
        let is_shared = |v: VariableId| program.variable(v).scope == Scope::Shared;
        match program.expressions.get(id) {
            Expression::Constant(value) => {
                Operation::Constant(value & crate::c::value::mask(program.expressions.bits(id)))
            }
            Expression::Variable(v) if is_shared(v) => Operation::Shared(first(v)),
            Expression::Variable(v) => Operation::Own(first(v)),
            Expression::Element(v, index) => {
                Operation::Element(is_shared(v), first(v), program.variable(v).length, slot(index))
            }
            Expression::Passive(v) => Operation::Passive(first(v)),
            Expression::Nondet(nondet) => Operation::Nondet(nondet),
            Expression::ThisThread => Operation::ThisThread,
            Expression::NewThread => Operation::NewThread,
            Expression::HasEnded(a) => Operation::HasEnded(slot(a)),
            Expression::ResultOf(a) => Operation::ResultOf(slot(a)),
            Expression::Unary(operator, a) => Operation::Unary(operator, slot(a)),
            Expression::Binary(operator, a, b) => Operation::Binary(operator, slot(a), slot(b)),
            Expression::IfThenElse(a, b, c) => Operation::Choose(slot(a), slot(b), slot(c)),
            Expression::Extend { operand, is_signed } => Operation::Extend(slot(operand), is_signed),
            Expression::Extract { operand, low } => Operation::Extract(slot(operand), low),
        }
    }

    /// Computes all slots.
    pub(super) fn run(
        &self,
        scene: &Scene<'_>,
        values: &mut Values,
        inputs: &mut Inputs,
        slots: &mut Vec<Value>,
    ) {
        slots.clear();
        let number = |place: usize| Value::Known((place as u128).saturating_add(1));
        for &(operation, bits) in &self.operations {
            let at = |slot: u32| slots[slot as usize];
            let width = |slot: u32| self.operations[slot as usize].1;
            let value = match operation {
                Operation::Constant(value) => Value::Known(value),
                Operation::Shared(word) => values.decode(scene.shared[word as usize]),
                Operation::Own(word) => values.decode(scene.row(scene.actor)[word as usize]),
                Operation::Passive(word) => match scene.passive {
                    Some(place) => values.decode(scene.row(place)[word as usize]),
                    None => inputs.fresh(values, bits),
                },
                Operation::Element(is_shared, first, length, index) => {
                    let row = if is_shared { scene.shared } else { scene.row(scene.actor) };
                    let words = &row[first as usize..][..length as usize];
                    element(values, words, at(index), (width(index), bits))
                }
                Operation::Nondet(nondet) => inputs.nondet(values, nondet, bits),
                Operation::ThisThread => values.resize(number(scene.actor), (128, bits)),
                Operation::NewThread => values.resize(number(scene.threads.len()), (128, bits)),
                Operation::HasEnded(a) => has_ended(scene, values, at(a), width(a)),
                Operation::ResultOf(a) => result_of(scene, values, at(a), (width(a), bits)),
                Operation::Unary(operator, a) => values.unary(operator, at(a), bits),
                Operation::Binary(operator, a, b) => values.binary(operator, at(a), at(b), width(a)),
                Operation::Choose(a, b, c) => values.choose(at(a), at(b), at(c), bits),
                Operation::Extend(a, is_signed) => values.extend(at(a), (width(a), bits), is_signed),
                Operation::Extract(a, low) => values.extract(at(a), low, bits),
            };
            slots.push(value);
        }
    }
}

/// An element of a row of scalars: 0 beyond the end, and a choice between all where the index is a term.
fn element(values: &mut Values, words: &[u32], index: Value, (width, bits): (u32, u32)) -> Value {
    if let Value::Known(index) = index {
        let word = usize::try_from(index).ok().and_then(|index| words.get(index));
        return word.map_or(Value::ZERO, |&word| values.decode(word));
    }
    let mut value = Value::ZERO;
    for (number, &word) in words.iter().enumerate().rev() {
        let is_here = values.is_number(index, number as u128, width);
        let element = values.decode(word);
        value = values.choose(is_here, element, value, bits);
    }
    value
}

/// The thread that a known number means; an error if the number is not known.
fn numbered(scene: &Scene<'_>, number: Value) -> Result<Option<usize>, ()> {
    let Value::Known(number) = number else { return Err(()) };
    let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    Ok(place.filter(|&place| place < scene.threads.len()))
}

fn is_at_end(scene: &Scene<'_>, place: usize) -> bool {
    scene.program.locations[scene.row(place)[0] as usize].kind == LocationKind::End
}

fn has_ended(scene: &Scene<'_>, values: &mut Values, thread: Value, width: u32) -> Value {
    if let Ok(place) = numbered(scene, thread) {
        return Value::Known(u128::from(place.is_some_and(|place| is_at_end(scene, place))));
    }
    let mut value = Value::ZERO;
    for place in (0..scene.threads.len()).filter(|&place| is_at_end(scene, place)) {
        let is_this = values.is_number(thread, (place as u128).saturating_add(1), width);
        value = values.choose(is_this, Value::TRUE, value, 1);
    }
    value
}

fn result_of(scene: &Scene<'_>, values: &mut Values, thread: Value, (width, bits): (u32, u32)) -> Value {
    let result = |values: &mut Values, place: usize| {
        let template = scene.program.locations[scene.row(place)[0] as usize].template;
        let Some(variable) = scene.program.templates[template.index()].result else { return Value::ZERO };
        let first = scene.layout.first[variable.index()].expect("results are kept if somebody looks at them");
        let held = values.decode(scene.row(place)[first as usize]);
        values.resize(held, (scene.program.variable(variable).bits, bits))
    };
    if let Ok(place) = numbered(scene, thread) {
        return place.map_or(Value::ZERO, |place| result(values, place));
    }
    let mut value = Value::ZERO;
    for place in 0..scene.threads.len() {
        let is_this = values.is_number(thread, (place as u128).saturating_add(1), width);
        let held = result(values, place);
        value = values.choose(is_this, held, value, bits);
    }
    value
}
