//! Whether threads can be told apart by their numbers.
//!
//! Threads of the same code are interchangeable if numbers of threads are only copied, compared with each other or with 0
//! (no thread), and used to ask whether a thread has ended and with which result: then renaming the threads of a state,
//! and with them all numbers that its variables hold, changes nothing about what can be reached. Variables that may hold
//! numbers of threads are found by following what is assigned; if a number is used in any other way, threads are not
//! exchanged at all.

use crate::layout::{self, Layout};
use throng_cfa::flow::{
    BinaryOperator, Effect, Expression, ExpressionId, Program, Scope, Variable, VariableId,
};

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
        let numbers = loop {
            let numbers = Numbers::new(program, &is_number);
            let mut is_changed = false;
            for &(target, value) in &assigned {
                let holds = numbers.holds[value.index()];
                is_changed |= holds && !std::mem::replace(&mut is_number[target.index()], true);
            }
            if !is_changed {
                break numbers;
            }
        };
        let is_fine = |&(target, value): &(VariableId, ExpressionId)| {
            // A variable that holds something arbitrary ends all exchanges when that happens.
            let is_arbitrary = matches!(program.expressions.get(value), Expression::Nondet(_));
            !is_number[target.index()] || is_arbitrary || numbers.may_hold[value.index()]
        };
        let starts_at_zero = |(variable, &is_number): (&Variable, &bool)| {
            !is_number
                || variable.initial.as_ref().is_none_or(|initial| initial.iter().all(|&value| value == 0))
        };
        let is_symmetric = assigned.iter().all(is_fine)
            && program.variables.iter().zip(&is_number).all(starts_at_zero)
            && program.edges.iter().all(|edge| {
                let all = layout::subexpressions(program, layout::edge_roots(edge, &layout.is_relevant));
                all.into_iter().all(|id| numbers.are_used_well(program, id))
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

/// Which expressions are numbers of threads, given the variables that hold such.
struct Numbers {
    /// By expression: whether its value may be the number of a thread.
    holds: Vec<bool>,
    /// By expression: whether its value is always the number of a thread or 0.
    may_hold: Vec<bool>,
}

impl Numbers {
    fn new(program: &Program, is_number: &[bool]) -> Self {
        let n_expressions = program.expressions.len();
        let mut holds: Vec<bool> = Vec::with_capacity(n_expressions);
        let mut may_hold: Vec<bool> = Vec::with_capacity(n_expressions);
        // Operands come before what they are part of.
        for id in ExpressionId::all(n_expressions) {
            let (is_one, is_one_or_none) = match program.expressions.get(id) {
                Expression::ThisThread | Expression::NewThread => (true, true),
                Expression::Variable(variable)
                | Expression::Element(variable, _)
                | Expression::Passive(variable) => (is_number[variable.index()], is_number[variable.index()]),
                Expression::Constant(value) => (false, value == 0),
                Expression::IfThenElse(_, a, b) => {
                    let (a, b) = (a.index(), b.index());
                    (holds[a] || holds[b], may_hold[a] && may_hold[b])
                }
                Expression::Extend { operand, .. } | Expression::Extract { operand, low: 0 } => {
                    (holds[operand.index()], holds[operand.index()])
                }
                _ => (false, false),
            };
            holds.push(is_one);
            may_hold.push(is_one_or_none);
        }
        Self { holds, may_hold }
    }

    /// Whether an expression, if it has the number of a thread among its operands, uses it as it may be used.
    fn are_used_well(&self, program: &Program, id: ExpressionId) -> bool {
        let holds = |id: ExpressionId| self.holds[id.index()];
        let may_hold = |id: ExpressionId| self.may_hold[id.index()];
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
}
