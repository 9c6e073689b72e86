//! Shared numbers that might count threads: variables, elements of arrays, and fields of packed words, as expressions.

use crate::packed::{self, Field};
use crate::translate;
use rustc_hash::FxHashSet;
use throng_cfa::flow::{
    BinaryOperator, Expression, ExpressionId, Expressions, Program, Scope, VariableId, apply, mask, signed,
};

/// What a number is the value of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// One of the program's expressions.
    Known(ExpressionId),
    /// A field of a shared word.
    Field(VariableId, Field),
}

impl Value {
    /// As an expression, in a table that begins with the program's.
    pub(super) fn expression(self, e: &mut Expressions, program: &Program) -> ExpressionId {
        match self {
            Value::Known(id) => id,
            Value::Field(variable, Field { low, bits }) => {
                let word = e.variable(variable, program.variable(variable).bits);
                e.extract(word, low, bits)
            }
        }
    }

    /// How many bits it has.
    pub(super) fn bits(self, table: &Expressions) -> u32 {
        match self {
            Value::Known(id) => table.bits(id),
            Value::Field(_, field) => field.bits,
        }
    }
}

/// A number that might count threads: a value, or how much it is larger than another, such as the tickets that were drawn and not yet served.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    /// Its value.
    pub(super) value: Value,
    /// The variable that it is a part of.
    variable: VariableId,
    /// What is subtracted, and its variable.
    pub(super) less: Option<(Value, VariableId)>,
    /// What it is at the start.
    pub(super) initial: i128,
}

impl Number {
    /// Whether a variable is part of it.
    pub(super) fn is_of(&self, variable: VariableId) -> bool {
        self.variable == variable || self.less.is_some_and(|(_, it)| it == variable)
    }

    /// As an expression, in a table that begins with the program's.
    pub(super) fn expression(&self, e: &mut Expressions, program: &Program) -> ExpressionId {
        let value = self.value.expression(e, program);
        match self.less {
            None => value,
            Some((less, _)) => {
                let less = less.expression(e, program);
                e.subtract(value, less)
            }
        }
    }
}

/// At most so many variables are compared with each other.
const MOST_COMPARED: usize = 6;

/// The numbers of a program, variables first.
pub(super) fn numbers(program: &Program) -> Vec<Number> {
    let table = &program.expressions;
    let stepped = stepped(program);
    let mut found: Vec<(usize, Number)> = Vec::new();
    for index in 0..table.len() {
        let id = ExpressionId::new(index);
        if table.bits(id) < 2 {
            continue;
        }
        let Some((variable, depth)) = part_of(program, id) else { continue };
        let known = program.variable(variable);
        if known.scope != Scope::Shared || !stepped.contains(&variable) {
            continue;
        }
        if let Some(initial) = initial(program, id, variable) {
            let initial = signed(initial, table.bits(id));
            found.push((depth, Number { value: Value::Known(id), variable, less: None, initial }));
        }
    }
    found.sort_by_key(|&(depth, _)| depth);
    let plain = found.iter().filter(|&&(depth, _)| depth == 0).map(|&(_, number)| number);
    let mut plain: Vec<Number> = plain.take(MOST_COMPARED).collect();
    let mut all: Vec<Number> = found.into_iter().map(|(_, number)| number).collect();
    let of_words = fields(program, &stepped);
    plain.extend(&of_words);
    plain.truncate(MOST_COMPARED);
    all.extend(of_words);
    for a in &plain {
        for b in plain.iter().filter(|b| b.value != a.value && b.value.bits(table) == a.value.bits(table)) {
            let less = Some((b.value, b.variable));
            all.push(Number { less, initial: a.initial - b.initial, ..*a });
        }
    }
    all
}

/// The fields of words that are packed and change by more than constants.
fn fields(program: &Program, stepped: &FxHashSet<VariableId>) -> Vec<Number> {
    let mut all = Vec::new();
    for (index, known) in program.variables.iter().enumerate() {
        let variable = VariableId::new(index);
        if !packed::is_shared_word(program, index) || !stepped.contains(&variable) {
            continue;
        }
        let Some(&initial) = known.initial.as_ref().and_then(|it| it.first()) else { continue };
        for field in packed::fields(program, known.bits).into_iter().filter(|it| it.bits > 1) {
            let initial = signed(initial >> field.low & mask(field.bits), field.bits);
            all.push(Number { value: Value::Field(variable, field), variable, less: None, initial });
        }
    }
    all
}

/// Shared variables that some edge gives a value that is not a constant: a sum, or what a thread has computed before.
fn stepped(program: &Program) -> FxHashSet<VariableId> {
    let assignments = program.edges.iter().flat_map(|edge| &edge.assignments);
    let is_stepped = assignments.filter(|it| program.expressions.as_constant(it.value).is_none());
    is_stepped.map(|it| it.target).collect()
}

/// The variable that an expression is a field of, and through how many operations; `None` if it is something else.
fn part_of(program: &Program, id: ExpressionId) -> Option<(VariableId, usize)> {
    let table = &program.expressions;
    let is_constant = |id| table.as_constant(id).is_some();
    match table.get(id) {
        Expression::Variable(variable) => (program.variable(variable).length == 1).then_some((variable, 0)),
        Expression::Element(variable, index) if is_constant(index) => Some((variable, 0)),
        Expression::Extract { operand, .. } => deeper(part_of(program, operand)),
        Expression::Binary(
            BinaryOperator::And | BinaryOperator::ShiftRightLogical | BinaryOperator::ShiftRightArithmetic,
            a,
            b,
        ) if is_constant(b) => deeper(part_of(program, a)),
        _ => None,
    }
}

fn deeper(part: Option<(VariableId, usize)>) -> Option<(VariableId, usize)> {
    part.filter(|&(_, depth)| depth < 4).map(|(variable, depth)| (variable, depth + 1))
}

/// The value of an expression over one variable, at the start.
fn initial(program: &Program, id: ExpressionId, variable: VariableId) -> Option<u128> {
    let table: &Expressions = &program.expressions;
    let bits = table.bits(id);
    match table.get(id) {
        Expression::Constant(value) => Some(value),
        Expression::Variable(it) if it == variable => program.variable(it).initial.as_ref()?.first().copied(),
        Expression::Element(it, index) if it == variable => {
            let index = usize::try_from(table.as_constant(index)?).ok()?;
            let known = program.variable(it);
            let values = known.initial.as_ref()?;
            (index < known.length as usize).then(|| values.get(index).copied().unwrap_or(0))
        }
        Expression::Extract { operand, low } => {
            Some((initial(program, operand, variable)? >> low.min(127)) & mask(bits))
        }
        Expression::Binary(operator, a, b) => {
            let (a, b) = (initial(program, a, variable)?, initial(program, b, variable)?);
            Some(apply(operator, a, b, bits))
        }
        _ => None,
    }
}

/// How the count of a number is called.
pub(super) fn name(program: &Program, number: &Number) -> String {
    let value = text(program, number.value);
    match number.less {
        None => value,
        Some((less, _)) => format!("{value} - {}", text(program, less)),
    }
}

fn text(program: &Program, number: Value) -> String {
    let mut table = program.expressions.clone();
    let number = number.expression(&mut table, program);
    let text = throng_cfa::invariant::expression_text(program, &table, number);
    text.unwrap_or_else(|_| {
        let of = translate::variables(&table, number).own;
        of.first().map_or_else(String::new, |&it| program.variable(it).name.clone())
    })
}
