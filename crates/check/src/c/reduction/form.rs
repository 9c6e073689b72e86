//! The frame of a stage: what may not change at all, and that what is new can be read.
//!
//! Variables, code, locations and all that is known of them stay; expressions and arbitrary values of the stage before keep
//! their numbers, so that an expression of one program means the same in the other. Edges are those that locations say they
//! have, stay in their code, and are about variables that their threads have.

use super::wrong;
use crate::Rejection;
use throng_cfa::flow::{
    Edge, Effect, Expression, ExpressionId, Expressions, Location, Program, Scope, Template, TemplateId,
    UnaryOperator, Variable, VariableId,
};

/// Checks all of this.
pub(super) fn check(before: &Program, after: &Program) -> Result<(), Rejection> {
    let same = |what: &str, is_same: bool| {
        if is_same { Ok(()) } else { Err(wrong("the program", format!("{what} are not what they were"))) }
    };
    same("the variables", all_pairs(&before.variables, &after.variables, is_same_variable))?;
    same("the templates", all_pairs(&before.templates, &after.templates, is_same_template))?;
    same("the threads at the start", before.main == after.main)?;
    same("the locations", all_pairs(&before.locations, &after.locations, is_same_location))?;
    same("the expressions", extends(&before.expressions, &after.expressions))?;
    let is_same_nondet = before.nondets.iter().zip(&after.nondets).all(|(a, b)| a.bits == b.bits);
    same("the arbitrary values", is_same_nondet && before.nondets.len() <= after.nondets.len())?;
    expressions(before, after)?;
    edges(after)
}

fn all_pairs<T>(before: &[T], after: &[T], is_same: impl Fn(&T, &T) -> bool) -> bool {
    before.len() == after.len() && before.iter().zip(after).all(|(a, b)| is_same(a, b))
}

fn is_same_variable(a: &Variable, b: &Variable) -> bool {
    (a.scope, a.bits, a.length) == (b.scope, b.bits, b.length) && a.initial == b.initial && a.name == b.name
}

fn is_same_template(a: &Template, b: &Template) -> bool {
    (a.entry, a.result) == (b.entry, b.result) && a.locals == b.locals && a.name == b.name
}

fn is_same_location(a: &Location, b: &Location) -> bool {
    (a.template, a.kind, a.is_atomic) == (b.template, b.kind, b.is_atomic)
}

fn extends(before: &Expressions, after: &Expressions) -> bool {
    before.len() <= after.len()
        && (0..before.len())
            .map(ExpressionId::new)
            .all(|id| before.get(id) == after.get(id) && before.bits(id) == after.bits(id))
}

/// New expressions are made of older ones, of fitting widths.
fn expressions(before: &Program, after: &Program) -> Result<(), Rejection> {
    for index in before.expressions.len()..after.expressions.len() {
        let id = ExpressionId::new(index);
        let e = &after.expressions;
        if e.operands(id).any(|operand| operand >= id) || !is_well_typed(after, id) {
            return Err(wrong("the program", format!("expression {index} has no meaning")));
        }
    }
    Ok(())
}

fn is_well_typed(program: &Program, id: ExpressionId) -> bool {
    let e = &program.expressions;
    let (bits, of) = (e.bits(id), |id: ExpressionId| e.bits(id));
    let variable = |v: VariableId| program.variables.get(v.index()).is_some_and(|it| it.bits == bits);
    match e.get(id) {
        Expression::Constant(value) => bits >= 128 || value >> bits == 0,
        Expression::Variable(v) | Expression::Element(v, _) | Expression::Passive(v) => variable(v),
        Expression::Nondet(n) => program.nondets.get(n.index()).is_some_and(|it| it.bits == bits),
        Expression::ThisThread | Expression::NewThread | Expression::ResultOf(_) => true,
        Expression::HasEnded(_) => bits == 1,
        Expression::Unary(UnaryOperator::Not | UnaryOperator::Negate, a) => of(a) == bits,
        Expression::Binary(operator, a, b) => {
            of(a) == of(b) && bits == if operator.is_comparison() { 1 } else { of(a) }
        }
        Expression::IfThenElse(c, a, b) => of(c) == 1 && of(a) == bits && of(b) == bits,
        Expression::Extend { operand, .. } => of(operand) <= bits,
        Expression::Extract { operand, low } => low.saturating_add(bits) <= of(operand),
    }
}

/// Each edge belongs to its location and is about what its thread has.
fn edges(program: &Program) -> Result<(), Rejection> {
    let mut n_found = 0_usize;
    for (index, location) in program.locations.iter().enumerate() {
        let (first, count) = (location.edges.0.index(), location.edges.1 as usize);
        for number in first..first.saturating_add(count) {
            let place = format!("edge {number}");
            let Some(edge) = program.edges.get(number) else {
                return Err(wrong(place, "there is no such edge"));
            };
            if edge.from.index() != index || program.location(edge.to).template != location.template {
                return Err(wrong(place, "it belongs to another location"));
            }
            if !is_at_home(program, edge, location.template) {
                return Err(wrong(place, "it is about variables that its thread does not have"));
            }
        }
        n_found = n_found.saturating_add(count);
    }
    // An edge is found at its own location only, so none was counted twice.
    if n_found == program.edges.len() {
        Ok(())
    } else {
        Err(wrong("the program", "there are edges that no location has"))
    }
}

fn is_at_home(program: &Program, edge: &Edge, template: TemplateId) -> bool {
    let e = &program.expressions;
    let has = |v: VariableId, of: TemplateId| program.variable(v).scope == Scope::Local(of);
    let at_hand = |v: VariableId| program.variable(v).scope == Scope::Shared || has(v, template);
    let fits = |v: VariableId, value: ExpressionId| program.variable(v).bits == e.bits(value);
    let reads = |id: ExpressionId| match e.get(id) {
        Expression::Variable(v) | Expression::Element(v, _) => at_hand(v),
        _ => true,
    };
    let assigned = edge.assignments.iter().all(|a| at_hand(a.target) && fits(a.target, a.value));
    let given = match &edge.effect {
        Some(Effect::Spawn { template, arguments }) => {
            arguments.iter().all(|&(v, value)| has(v, *template) && fits(v, value))
        }
        _ => edge.updates().iter().all(|update| {
            let own = |&(v, value): &(VariableId, ExpressionId)| has(v, update.template) && fits(v, value);
            update.assignments.iter().all(own)
        }),
    };
    let guard = e.bits(edge.guard) == 1;
    guard && assigned && given && e.subexpressions(edge.expressions()).into_iter().all(reads)
}
