//! Shared numbers that might count threads: variables, elements of arrays, and fields of packed words, as expressions.

use crate::translate;
use rustc_hash::FxHashSet;
use throng_cprog::flow::{
    BinaryOperator, Expression, ExpressionId, Expressions, Program, Scope, VariableId, apply, mask, signed,
};

/// A number that might count threads: a value, or how much it is larger than another, such as the tickets that were drawn and not yet served.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    /// Its value, of the program's expressions.
    pub(super) value: ExpressionId,
    /// The variable that it is a part of.
    variable: VariableId,
    /// What is subtracted, and its variable.
    pub(super) less: Option<(ExpressionId, VariableId)>,
    /// What it is at the start.
    pub(super) initial: i128,
}

impl Number {
    /// Whether a variable is part of it.
    pub(super) fn is_of(&self, variable: VariableId) -> bool {
        self.variable == variable || self.less.is_some_and(|(_, it)| it == variable)
    }

    /// As an expression, in a table that begins with the program's.
    pub(super) fn expression(&self, e: &mut Expressions) -> ExpressionId {
        match self.less {
            None => self.value,
            Some((less, _)) => e.subtract(self.value, less),
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
            found.push((depth, Number { value: id, variable, less: None, initial }));
        }
    }
    found.sort_by_key(|&(depth, number)| (depth, number.value));
    let plain = found.iter().filter(|&&(depth, _)| depth == 0).map(|&(_, number)| number);
    let plain: Vec<Number> = plain.take(MOST_COMPARED).collect();
    let mut all: Vec<Number> = found.into_iter().map(|(_, number)| number).collect();
    for a in &plain {
        for b in plain.iter().filter(|b| b.value != a.value && table.bits(b.value) == table.bits(a.value)) {
            let less = Some((b.value, b.variable));
            all.push(Number { less, initial: a.initial - b.initial, ..*a });
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

fn text(program: &Program, number: ExpressionId) -> String {
    let text = throng_cprog::invariant::expression_text(program, &program.expressions, number);
    text.unwrap_or_else(|_| {
        let of = translate::variables(&program.expressions, number).own;
        of.first().map_or_else(String::new, |&it| program.variable(it).name.clone())
    })
}
