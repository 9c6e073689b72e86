//! Whether threads can be told apart by their numbers.
//!
//! Threads of the same code are interchangeable if numbers of threads are only copied, compared with each other or with 0
//! (no thread), and used to ask whether a thread has ended and with which result: then renaming the threads of a state,
//! and with them all numbers that its variables hold, changes nothing about what can be reached. Variables that may hold
//! numbers of threads are found by following what is assigned; if a number is used in any other way, threads are not
//! exchanged at all.

use crate::layout::{self, Layout};
use throng_cprog::flow::{BinaryOperator, Effect, Expression, ExpressionId, Program, Scope, VariableId};

/// The places of variables that hold numbers of threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symmetry {
    /// Words of the shared row.
    pub(crate) shared: Vec<u32>,
    /// By template: words of the rows of its threads.
    pub(crate) local: Vec<Vec<u32>>,
}

impl Symmetry {
    /// Whether there are such variables.
    pub(crate) fn has_numbers(&self) -> bool {
        !self.shared.is_empty() || self.local.iter().any(|words| !words.is_empty())
    }

    /// The variables that hold numbers of threads; `None` if numbers are used in a way that tells threads apart.
    pub(crate) fn new(program: &Program, layout: &Layout) -> Option<Self> {
        let assigned = assigned(program, layout);
        let mut is_number = vec![false; program.variables.len()];
        loop {
            let mut is_changed = false;
            for &(target, value) in &assigned {
                if !is_number[target.index()] && holds_number(program, &is_number, value) {
                    is_number[target.index()] = true;
                    is_changed = true;
                }
            }
            if !is_changed {
                break;
            }
        }
        let is_fine = |&(target, value): &(VariableId, ExpressionId)| {
            !is_number[target.index()] || may_hold(program, &is_number, value)
        };
        let starts_at_zero = |(variable, &is_number): (&throng_cprog::flow::Variable, &bool)| {
            !is_number
                || variable.initial.as_ref().is_none_or(|initial| initial.iter().all(|&value| value == 0))
        };
        let is_symmetric = assigned.iter().all(is_fine)
            && program.variables.iter().zip(&is_number).all(starts_at_zero)
            && program.edges.iter().all(|edge| {
                let all = layout::subexpressions(program, layout::edge_roots(edge, &layout.is_relevant));
                all.into_iter().all(|id| is_used_well(program, &is_number, id))
            });
        is_symmetric.then(|| Self::of(program, layout, &is_number))
    }

    fn of(program: &Program, layout: &Layout, is_number: &[bool]) -> Self {
        let mut found = Self { shared: Vec::new(), local: vec![Vec::new(); program.templates.len()] };
        let ids = VariableId::all(program.variables.len());
        for id in ids.filter(|&id| is_number[id.index()] && layout.keeps(id)) {
            let words = layout.words(program, id).map(|word| word as u32);
            match program.variable(id).scope {
                Scope::Shared => found.shared.extend(words),
                Scope::Local(template) => found.local[template.index()].extend(words),
            }
        }
        found
    }
}

/// All that is assigned to variables that matter.
fn assigned(program: &Program, layout: &Layout) -> Vec<(VariableId, ExpressionId)> {
    let mut all = Vec::new();
    for edge in &program.edges {
        all.extend(edge.assignments.iter().map(|assignment| (assignment.target, assignment.value)));
        match &edge.effect {
            Some(Effect::Spawn { arguments, .. }) => all.extend(arguments.iter().copied()),
            Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => {
                all.extend(updates.iter().flat_map(|update| update.assignments.iter().copied()));
            }
            None => {}
        }
    }
    all.retain(|&(target, _)| layout.keeps(target));
    all
}

/// Whether the value of an expression may be the number of a thread.
fn holds_number(program: &Program, is_number: &[bool], id: ExpressionId) -> bool {
    let inner = |id| holds_number(program, is_number, id);
    match program.expressions.get(id) {
        Expression::ThisThread | Expression::NewThread => true,
        Expression::Variable(variable) | Expression::Element(variable, _) | Expression::Passive(variable) => {
            is_number[variable.index()]
        }
        Expression::IfThenElse(_, a, b) => inner(a) || inner(b),
        Expression::Extend { operand, is_signed: false } | Expression::Extract { operand, low: 0 } => {
            inner(operand)
        }
        _ => false,
    }
}

/// Whether the value is always the number of a thread or 0, or arbitrary.
fn may_hold(program: &Program, is_number: &[bool], id: ExpressionId) -> bool {
    match program.expressions.get(id) {
        Expression::Constant(value) => value == 0,
        Expression::Nondet(_) => true,
        Expression::IfThenElse(_, a, b) => may_hold(program, is_number, a) && may_hold(program, is_number, b),
        _ => holds_number(program, is_number, id),
    }
}

/// Whether an expression, if it has the number of a thread among its operands, uses it as it may be used.
fn is_used_well(program: &Program, is_number: &[bool], id: ExpressionId) -> bool {
    let holds = |id| holds_number(program, is_number, id);
    let may_hold = |id| may_hold(program, is_number, id);
    match program.expressions.get(id) {
        Expression::Binary(BinaryOperator::Equal, a, b) => {
            (!holds(a) && !holds(b)) || (may_hold(a) && may_hold(b))
        }
        Expression::HasEnded(a) | Expression::ResultOf(a) => may_hold(a),
        Expression::IfThenElse(condition, a, b) => {
            !holds(condition) && (!(holds(a) || holds(b)) || (may_hold(a) && may_hold(b)))
        }
        // Enough bits for every number that can occur.
        Expression::ThisThread | Expression::NewThread => program.expressions.bits(id) >= 8,
        Expression::Extract { operand, low } => {
            !holds(operand) || (low == 0 && program.expressions.bits(id) >= 8)
        }
        Expression::Extend { operand, is_signed } => {
            !holds(operand) || !is_signed || program.expressions.bits(operand) > 8
        }
        _ => program.expressions.operands(id).all(|operand| !holds(operand)),
    }
}
