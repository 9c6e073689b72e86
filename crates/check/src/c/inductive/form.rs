//! Whether an invariant is well formed: everything that it names exists, widths fit, and every predicate speaks only about the
//! threads that it has. What the other modules build terms from has passed here, so that no width is ever wrong there.
//!
//! The expressions and edges of the program are looked at, too: they come from the front end, and cost nothing.

use crate::{Condition, Rejection};
use throng_cfa::flow::{
    BinaryOperator, Effect, Expression, ExpressionId, Expressions, Program, Scope, TemplateId, UnaryOperator,
    VariableId,
};
use throng_cfa::invariant::{Element, Invariant, Of, Predicate, PredicateKind, Predicates};

fn form<T>(place: impl Into<String>, reason: impl Into<String>) -> Result<T, Rejection> {
    Err(Rejection::new(Condition::Form, place, reason))
}

/// Refuses what has no meaning.
pub(super) fn check(program: &Program, invariant: &Invariant) -> Result<(), Rejection> {
    expressions(program, &invariant.predicates.expressions)?;
    edges(program)?;
    for (index, predicate) in invariant.predicates.list.iter().enumerate() {
        let place = format!("predicate {index}");
        check_predicate(program, &invariant.predicates, predicate).or_else(|why| form(place, why))?;
    }
    for (index, element) in invariant.elements.iter().enumerate() {
        let place = format!("element {index}");
        check_element(program, &invariant.predicates, element).or_else(|why| form(place, why))?;
    }
    Ok(())
}

/// The table begins with the program's expressions, operands come first, and widths fit.
fn expressions(program: &Program, table: &Expressions) -> Result<(), Rejection> {
    let own = &program.expressions;
    if table.len() < own.len() {
        return form("the predicates", "expressions of the program are missing");
    }
    for index in 0..table.len() {
        let id = ExpressionId::new(index);
        if index < own.len() && (own.get(id), own.bits(id)) != (table.get(id), table.bits(id)) {
            return form("the predicates", format!("expression {index} is not that of the program"));
        }
        if table.operands(id).any(|operand| operand >= id) {
            return form(format!("expression {index}"), "an operand comes later");
        }
        if !has_fitting_widths(program, table, id) {
            return form(format!("expression {index}"), "the widths do not fit");
        }
    }
    Ok(())
}

fn has_fitting_widths(program: &Program, table: &Expressions, id: ExpressionId) -> bool {
    let bits = table.bits(id);
    let of = |operand: ExpressionId| table.bits(operand);
    let variable = |id: VariableId| program.variables.get(id.index());
    let is_variable =
        |id: VariableId| variable(id).is_some_and(|known| known.bits == bits && known.length > 0);
    let fits = match table.get(id) {
        Expression::Constant(value) => bits >= 128 || value >> bits.min(127) == 0,
        Expression::Variable(id) | Expression::Passive(id) | Expression::Element(id, _) => is_variable(id),
        Expression::Nondet(id) => program.nondets.get(id.index()).is_some_and(|nondet| nondet.bits == bits),
        Expression::ThisThread | Expression::NewThread | Expression::ResultOf(_) => true,
        Expression::HasEnded(_) => bits == 1,
        Expression::Unary(UnaryOperator::Not | UnaryOperator::Negate, a) => of(a) == bits,
        Expression::Binary(operator, a, b) => fits_operator(operator, of(a), of(b), bits),
        Expression::IfThenElse(c, a, b) => of(c) == 1 && of(a) == bits && of(b) == bits,
        Expression::Extend { operand, .. } => of(operand) <= bits,
        Expression::Extract { operand, low } => low.checked_add(bits).is_some_and(|end| end <= of(operand)),
    };
    fits && (1..=128).contains(&bits)
}

fn fits_operator(operator: BinaryOperator, a: u32, b: u32, bits: u32) -> bool {
    a == b && bits == if operator.is_comparison() { 1 } else { a }
}

/// Guards are truth values, and what is assigned has the width of where it goes.
fn edges(program: &Program) -> Result<(), Rejection> {
    let bits = |id: ExpressionId| program.expressions.bits(id);
    let fits = |target: VariableId, value: ExpressionId| program.variable(target).bits == bits(value);
    for (index, edge) in program.edges.iter().enumerate() {
        let updates = match &edge.effect {
            Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => updates.as_slice(),
            _ => &[],
        };
        let arguments = match &edge.effect {
            Some(Effect::Spawn { arguments, .. }) => arguments.as_slice(),
            _ => &[],
        };
        let is_fine = bits(edge.guard) == 1
            && edge.assignments.iter().all(|assignment| fits(assignment.target, assignment.value))
            && arguments.iter().all(|&(target, value)| fits(target, value))
            && updates.iter().all(|update| {
                bits(update.guard) == 1
                    && update.assignments.iter().all(|&(target, value)| fits(target, value))
            });
        if !is_fine {
            return form(format!("edge {index}"), "the widths do not fit");
        }
    }
    Ok(())
}

fn check_predicate(program: &Program, predicates: &Predicates, predicate: &Predicate) -> Result<(), String> {
    let table = &predicates.expressions;
    if predicate.expression.index() >= table.len() || table.bits(predicate.expression) != 1 {
        return Err("its expression is not a truth value".to_owned());
    }
    let exists = |template: TemplateId| template.index() < program.templates.len();
    if !predicate.active.is_none_or(exists) {
        return Err("its active threads run no code".to_owned());
    }
    if let Some(party) = &predicate.passive {
        let is_there = |location: &throng_cfa::flow::LocationId| {
            program.locations.get(location.index()).is_some_and(|known| known.template == party.template)
        };
        if !exists(party.template) || !party.scope.iter().all(is_there) {
            return Err("its scope is not in the code of its passive threads".to_owned());
        }
    }
    for part in super::facts::parts(table, predicate.expression) {
        check_part(program, predicate, table.get(part))?;
    }
    Ok(())
}

/// One part of a predicate speaks only about threads that the predicate has.
fn check_part(program: &Program, predicate: &Predicate, part: Expression) -> Result<(), String> {
    let name = |id: VariableId| program.variable(id).name.clone();
    match part {
        Expression::Variable(id) | Expression::Element(id, _) => match program.variable(id).scope {
            Scope::Local(template) if predicate.active != Some(template) => {
                Err(format!("`{}` is no variable of its active threads", name(id)))
            }
            _ => Ok(()),
        },
        Expression::Passive(id) => match program.variable(id).scope {
            Scope::Local(template)
                if predicate.passive.as_ref().map(|party| party.template) == Some(template) =>
            {
                Ok(())
            }
            _ => Err(format!("`{}` is no variable of its passive threads", name(id))),
        },
        Expression::ThisThread if predicate.active.is_none() => {
            Err("it has no active thread whose number it could mean".to_owned())
        }
        Expression::Nondet(_) | Expression::NewThread => {
            Err("it has an arbitrary value, or the number of a new thread".to_owned())
        }
        _ => Ok(()),
    }
}

fn check_element(program: &Program, predicates: &Predicates, element: &Element) -> Result<(), String> {
    if let Some(location) =
        element.threads.iter().find(|location| location.index() >= program.locations.len())
    {
        return Err(format!("there is no location {}", location.index()));
    }
    for literal in &element.literals {
        let Some(predicate) = predicates.list.get(literal.predicate.index()) else {
            return Err(format!("there is no predicate {}", literal.predicate.index()));
        };
        let template = |thread: usize| element.threads.get(thread).map(|&at| program.location(at).template);
        let is_active = |thread: usize| template(thread).is_some() && template(thread) == predicate.active;
        let fits = match (literal.of, predicate.kind()) {
            (Of::State, PredicateKind::Shared | PredicateKind::Universal) => true,
            (Of::Thread(thread), PredicateKind::SingleThread | PredicateKind::InterThread) => {
                is_active(thread)
            }
            (Of::Pair(active, passive), PredicateKind::InterThread) => {
                let party = predicate.passive.as_ref().map(|party| party.template);
                active != passive
                    && is_active(active)
                    && template(passive).is_some()
                    && template(passive) == party
            }
            _ => false,
        };
        if !fits {
            let number = literal.predicate.index();
            return Err(format!("predicate {number} is not about these threads"));
        }
    }
    Ok(())
}
