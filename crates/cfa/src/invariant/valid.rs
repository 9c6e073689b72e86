//! Which predicates and elements have a meaning: what evidence is checked for before anything is proved about it.

use super::{Element, Literal, Of, Predicate, PredicateKind, Predicates};
use crate::flow::{
    Expression, ExpressionId, Expressions, LocationId, Program, Scope, TemplateId, VariableId,
};

/// Whether a predicate has a meaning: one bit, widths that fit, no arbitrary values, variables of the right threads, a scope
/// of sorted locations of the passive code. The error is in words.
pub fn check_predicate(
    program: &Program,
    expressions: &Expressions,
    predicate: &Predicate,
) -> Result<(), String> {
    for template in predicate.active.iter().chain(predicate.passive.iter().map(|party| &party.template)) {
        if template.index() >= program.templates.len() {
            return Err(format!("there is no template {}", template.index()));
        }
    }
    if predicate.expression.index() >= expressions.len() {
        return Err(format!("there is no expression {}", predicate.expression.index()));
    }
    let passive = predicate.passive.as_ref().map(|party| party.template);
    let checker = Checker { program, expressions, active: predicate.active, passive };
    checker.all(predicate.expression)?;
    if expressions.bits(predicate.expression) != 1 {
        return Err(format!("it has {} bits, not one", expressions.bits(predicate.expression)));
    }
    let Some(party) = &predicate.passive else { return Ok(()) };
    if !party.scope.is_sorted_by(|a, b| a < b) {
        return Err("the scope is not sorted, or says a location twice".to_owned());
    }
    party.scope.iter().try_for_each(|&location| check_location(program, location, Some(party.template)))
}

fn check_location(
    program: &Program,
    location: LocationId,
    template: Option<TemplateId>,
) -> Result<(), String> {
    let Some(known) = program.locations.get(location.index()) else {
        return Err(format!("there is no location {}", location.index()));
    };
    match template {
        Some(template) if known.template != template => {
            let name = super::template_text(program, template);
            Err(format!("location {} does not belong to {name}", location.index()))
        }
        _ => Ok(()),
    }
}

/// Whether an element has a meaning: its locations exist, and its literals are about predicates and threads that exist, as
/// the table at the head of the parent module has it, with the right code. The error is in words.
pub fn check_element(program: &Program, predicates: &Predicates, element: &Element) -> Result<(), String> {
    element.threads.iter().try_for_each(|&location| check_location(program, location, None))?;
    element.literals.iter().try_for_each(|literal| check_literal(program, predicates, element, literal))
}

fn check_literal(
    program: &Program,
    predicates: &Predicates,
    element: &Element,
    literal: &Literal,
) -> Result<(), String> {
    let number = literal.predicate.index();
    let Some(predicate) = predicates.list.get(number) else {
        return Err(format!("there is no predicate {number}"));
    };
    let code_of = |thread: usize| match element.threads.get(thread) {
        Some(&location) => Ok(program.location(location).template),
        None => {
            Err(format!("predicate {number} is said of thread {thread}, which the element does not have"))
        }
    };
    let (active, passive) = match (predicate.kind(), literal.of) {
        (PredicateKind::Shared | PredicateKind::Universal, Of::State) => return Ok(()),
        (PredicateKind::SingleThread | PredicateKind::InterThread, Of::Thread(a)) => (a, None),
        (PredicateKind::InterThread, Of::Pair(a, p)) if a == p => {
            return Err(format!("predicate {number} is said of thread {a} and itself"));
        }
        (PredicateKind::InterThread, Of::Pair(a, p)) => (a, Some(p)),
        (kind, of) => {
            let about = match of {
                Of::State => "nobody",
                Of::Thread(_) => "one thread",
                Of::Pair(..) => "two threads",
            };
            return Err(format!("predicate {number} is {}, so it cannot be said of {about}", kind.words()));
        }
    };
    let party = predicate.passive.as_ref().map(|party| party.template);
    let wrong = |thread: usize| format!("predicate {number} is not about the code of thread {thread}");
    if predicate.active != Some(code_of(active)?) {
        return Err(wrong(active));
    }
    match passive {
        Some(passive) if party != Some(code_of(passive)?) => Err(wrong(passive)),
        _ => Ok(()),
    }
}

impl PredicateKind {
    /// In words: `an inter-thread predicate`.
    pub fn words(self) -> &'static str {
        match self {
            PredicateKind::Shared => "a shared predicate",
            PredicateKind::Universal => "a universal predicate",
            PredicateKind::SingleThread => "a single-thread predicate",
            PredicateKind::InterThread => "an inter-thread predicate",
        }
    }
}

struct Checker<'a> {
    program: &'a Program,
    expressions: &'a Expressions,
    active: Option<TemplateId>,
    passive: Option<TemplateId>,
}

impl Checker<'_> {
    /// An expression with all of its parts.
    fn all(&self, root: ExpressionId) -> Result<(), String> {
        parts(self.expressions, root).into_iter().try_for_each(|id| self.one(id))
    }

    fn one(&self, id: ExpressionId) -> Result<(), String> {
        let e = self.expressions;
        let bits = e.bits(id);
        let fits = |is_right: bool| if is_right { Ok(()) } else { Err("widths do not fit".to_owned()) };
        match e.get(id) {
            Expression::Constant(value) => fits(bits == 128 || value >> bits == 0),
            Expression::Variable(v) => self.own(v).and_then(|()| self.width(v, bits, true)),
            Expression::Element(v, _) => self.own(v).and_then(|()| self.width(v, bits, false)),
            Expression::Passive(v) => self.other(v).and_then(|()| self.width(v, bits, true)),
            Expression::ThisThread if self.active.is_some() => Ok(()),
            Expression::ThisThread => Err("it has this thread's number without an active thread".to_owned()),
            Expression::Nondet(_) => Err("it has an arbitrary value".to_owned()),
            Expression::NewThread => Err("it has the number of a new thread".to_owned()),
            Expression::HasEnded(_) => Err("it asks whether a thread has ended".to_owned()),
            Expression::ResultOf(_) => Err("it asks for the result of a thread".to_owned()),
            Expression::Unary(_, a) => fits(e.bits(a) == bits),
            Expression::Binary(operator, a, b) => {
                let result = if operator.is_comparison() { 1 } else { e.bits(a) };
                fits(e.bits(a) == e.bits(b) && bits == result)
            }
            Expression::IfThenElse(c, a, b) => fits(e.bits(c) == 1 && e.bits(a) == bits && e.bits(b) == bits),
            Expression::Extend { operand, .. } => fits(e.bits(operand) <= bits),
            Expression::Extract { operand, low } => {
                fits(low.checked_add(bits).is_some_and(|high| high <= e.bits(operand)))
            }
        }
    }

    fn name(&self, variable: VariableId) -> Result<Scope, String> {
        let known = self.program.variables.get(variable.index());
        known.map(|known| known.scope).ok_or_else(|| format!("there is no variable {}", variable.index()))
    }

    /// A shared variable or one of the active thread.
    fn own(&self, variable: VariableId) -> Result<(), String> {
        match self.name(variable)? {
            Scope::Shared => Ok(()),
            Scope::Local(template) if self.active == Some(template) => Ok(()),
            Scope::Local(_) => {
                let name = &self.program.variable(variable).name;
                Err(format!("`{name}` does not belong to the active thread"))
            }
        }
    }

    fn other(&self, variable: VariableId) -> Result<(), String> {
        match (self.name(variable)?, self.passive) {
            (Scope::Local(template), Some(passive)) if template == passive => Ok(()),
            _ => {
                let name = &self.program.variable(variable).name;
                Err(format!("`{name}$` does not belong to the passive thread"))
            }
        }
    }

    fn width(&self, variable: VariableId, bits: u32, is_single: bool) -> Result<(), String> {
        let known = self.program.variable(variable);
        if known.bits != bits {
            return Err(format!("`{}` has {} bits, not {bits}", known.name, known.bits));
        }
        if is_single && known.length != 1 {
            return Err(format!("`{}` is {} scalars", known.name, known.length));
        }
        Ok(())
    }
}

/// An expression and all of its parts, each once, operands first.
pub(super) fn parts(expressions: &Expressions, root: ExpressionId) -> Vec<ExpressionId> {
    let mut found = std::collections::BTreeSet::from([root]);
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        open.extend(expressions.operands(id).filter(|&operand| found.insert(operand)));
    }
    // INVARIANT: operands have smaller numbers.
    found.into_iter().collect()
}
