//! One step after another as one step.
//!
//! A composed edge is evaluated in the state before its first part. So what a part reads is replaced by what the parts
//! before it have assigned, arbitrary values of a number that is in use get another one (each part chooses anew), the guards
//! must all hold, and of two assignments to the same scalar the later one counts. Where that cannot be said in one edge the
//! answer is [`Then::Apart`]:
//!
//! * something after an effect: it would be evaluated before the effect;
//! * two assignments to elements of a row that may or may not be the same;
//! * a look at results after the thread has assigned its own: [`Expression::ResultOf`] may mean it;
//! * more parts or larger expressions than the limits.

use super::Choice;
use super::locks::demands_zero;
use crate::flow::{
    Assignment, Edge, EdgeId, Effect, Expression, ExpressionId, Expressions, Nondet, NondetId, PassiveUpdate,
    Program, VariableId,
};
use rustc_hash::FxHashMap;

/// The most parts of a composed edge.
const MAX_PARTS: usize = 40;
/// The most subexpressions of a composed edge.
const MAX_NODES: usize = 600;

/// Some edges, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Composed {
    pub(super) parts: Vec<EdgeId>,
    pub(super) guard: ExpressionId,
    pub(super) assignments: Vec<Assignment>,
    pub(super) effect: Option<Effect>,
    pub(super) choices: Vec<Choice>,
}

/// What comes of one more part.
pub(super) enum Then {
    /// One edge.
    Together(Composed),
    /// The parts never happen one after the other.
    Never,
    /// This cannot be one edge.
    Apart,
}

/// Composes edges of a program; its expressions and arbitrary values become more.
pub(super) struct Composer<'a> {
    program: &'a Program,
    pub(super) expressions: Expressions,
    pub(super) nondets: Vec<Nondet>,
    /// By number of an arbitrary value and how often it is in use already: the number that it has instead.
    copies: FxHashMap<(NondetId, usize), NondetId>,
}

impl<'a> Composer<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        Self {
            program,
            expressions: program.expressions.clone(),
            nondets: program.nondets.clone(),
            copies: FxHashMap::default(),
        }
    }

    /// No parts: nothing happens.
    pub(super) fn nothing(&mut self) -> Composed {
        Composed {
            parts: Vec::new(),
            guard: self.expressions.truth(true),
            assignments: Vec::new(),
            effect: None,
            choices: Vec::new(),
        }
    }

    /// An edge after others.
    pub(super) fn then(&mut self, before: &Composed, id: EdgeId) -> Then {
        let edge = self.program.edge(id);
        if before.effect.is_some() || (!before.parts.is_empty() && self.looks_at_own_result(before, edge)) {
            return Then::Apart;
        }
        let mut after = before.clone();
        after.parts.push(id);
        let renamed = self.choose(&mut after, edge);
        if before.parts.is_empty() {
            // As it stands.
            after.guard = edge.guard;
            after.assignments.clone_from(&edge.assignments);
            after.effect.clone_from(&edge.effect);
        } else if !self.append(&mut after, edge, renamed) {
            return Then::Apart;
        }
        if self.expressions.as_constant(after.guard) == Some(0) {
            return Then::Never;
        }
        let is_large = after.parts.len() > MAX_PARTS || self.n_nodes(&after) > MAX_NODES;
        if is_large && after.parts.len() > 1 { Then::Apart } else { Then::Together(after) }
    }

    fn looks_at_own_result(&self, before: &Composed, edge: &Edge) -> bool {
        let template = self.program.location(edge.from).template;
        let Some(result) = self.program.templates[template.index()].result else { return false };
        let e = &self.program.expressions;
        before.assignments.iter().any(|assignment| assignment.target == result)
            && e.subexpressions(edge.expressions())
                .into_iter()
                .any(|id| matches!(e.get(id), Expression::ResultOf(_)))
    }

    /// The arbitrary values of a new part: those that must have other numbers.
    fn choose(&mut self, after: &mut Composed, edge: &Edge) -> FxHashMap<NondetId, NondetId> {
        let part = after.parts.len() - 1;
        let mut renamed = FxHashMap::default();
        for id in self.program.expressions.subexpressions(edge.expressions()) {
            let Expression::Nondet(original) = self.program.expressions.get(id) else { continue };
            let in_use = after.choices.iter().filter(|choice| choice.original == original).count();
            let nondet = if in_use == 0 { original } else { self.copy(original, in_use) };
            after.choices.push(Choice { part, original, nondet });
            renamed.insert(original, nondet);
        }
        renamed
    }

    fn copy(&mut self, original: NondetId, in_use: usize) -> NondetId {
        let next = NondetId::new(self.nondets.len());
        let copy = *self.copies.entry((original, in_use)).or_insert(next);
        if copy == next {
            self.nondets.push(self.nondets[original.index()].clone());
        }
        copy
    }

    /// Adds what an edge does; whether that can be said.
    fn append(&mut self, after: &mut Composed, edge: &Edge, renamed: FxHashMap<NondetId, NondetId>) -> bool {
        let before = std::mem::take(&mut after.assignments);
        let mut view = View {
            program: self.program,
            e: &mut self.expressions,
            before: &before,
            renamed,
            known: FxHashMap::default(),
        };
        let guard = view.of(edge.guard);
        let later: Vec<Assignment> = edge.assignments.iter().map(|a| view.assignment(a)).collect();
        after.effect = edge.effect.as_ref().map(|effect| view.effect(effect));
        after.guard = self.expressions.and(after.guard, guard);
        after.assignments = before;
        for assignment in later {
            if !self.overwrite(&mut after.assignments, assignment) {
                return false;
            }
        }
        let e = &self.expressions;
        let is_idle = |a: &Assignment| match e.get(a.value) {
            Expression::Variable(same) => same == a.target,
            // It is zero already, as a lock that was taken and freed.
            Expression::Constant(0) => demands_zero(e, after.guard, a.target),
            _ => false,
        };
        after.assignments.retain(|a| a.index.is_some() || !is_idle(a));
        true
    }

    /// Adds an assignment that is later than others; whether it is known which of them it replaces.
    fn overwrite(&mut self, assignments: &mut Vec<Assignment>, new: Assignment) -> bool {
        let mut replaced = None;
        for (place, old) in assignments.iter().enumerate().filter(|(_, old)| old.target == new.target) {
            let is_same = same_scalar(&mut self.expressions, old.index, new.index);
            match self.expressions.as_constant(is_same) {
                Some(0) => {}
                Some(_) => replaced = Some(place),
                None => return false,
            }
        }
        match replaced {
            Some(place) => assignments[place].value = new.value,
            None => assignments.push(new),
        }
        true
    }

    fn n_nodes(&self, composed: &Composed) -> usize {
        let values = composed.assignments.iter().flat_map(|a| [Some(a.value), a.index]).flatten();
        let effect = composed.effect.iter().flat_map(Effect::expressions);
        self.expressions.subexpressions(values.chain(effect).chain([composed.guard])).len()
    }
}

/// Whether two accesses to a variable are about the same scalar; without an index it is the first one.
fn same_scalar(e: &mut Expressions, a: Option<ExpressionId>, b: Option<ExpressionId>) -> ExpressionId {
    let (a, b) = match (a, b) {
        (None, None) => return e.truth(true),
        (Some(a), Some(b)) => (a, b),
        (Some(a), None) | (None, Some(a)) => {
            let bits = e.bits(a);
            (a, e.constant(0, bits))
        }
    };
    let width = e.bits(a).max(e.bits(b));
    let (a, b) = (e.resize(a, width, false), e.resize(b, width, false));
    e.equal(a, b)
}

/// Expressions as they are after assignments, in terms of the state before.
struct View<'a> {
    program: &'a Program,
    e: &'a mut Expressions,
    before: &'a [Assignment],
    renamed: FxHashMap<NondetId, NondetId>,
    known: FxHashMap<ExpressionId, ExpressionId>,
}

impl View<'_> {
    fn of(&mut self, id: ExpressionId) -> ExpressionId {
        let Self { program, e, before, renamed, known } = self;
        e.rewrite(id, known, &mut |e, expression, bits| match expression {
            Expression::Variable(v) => Some(read(program, e, before, (v, None), bits)),
            Expression::Element(v, index) => Some(read(program, e, before, (v, Some(index)), bits)),
            Expression::Nondet(nondet) => renamed.get(&nondet).map(|&nondet| e.nondet(nondet, bits)),
            _ => None,
        })
    }

    fn assignment(&mut self, assignment: &Assignment) -> Assignment {
        Assignment {
            target: assignment.target,
            index: assignment.index.map(|index| self.of(index)),
            value: self.of(assignment.value),
        }
    }

    fn values(&mut self, list: &[(VariableId, ExpressionId)]) -> Vec<(VariableId, ExpressionId)> {
        list.iter().map(|&(target, value)| (target, self.of(value))).collect()
    }

    fn effect(&mut self, effect: &Effect) -> Effect {
        match effect {
            Effect::Spawn { template, arguments } => {
                Effect::Spawn { template: *template, arguments: self.values(arguments) }
            }
            Effect::Broadcast(updates) => Effect::Broadcast(self.updates(updates)),
            Effect::Signal(updates) => Effect::Signal(self.updates(updates)),
        }
    }

    fn updates(&mut self, updates: &[PassiveUpdate]) -> Vec<PassiveUpdate> {
        let update = |update: &PassiveUpdate| PassiveUpdate {
            template: update.template,
            guard: self.of(update.guard),
            assignments: self.values(&update.assignments),
        };
        updates.iter().map(update).collect()
    }
}

/// What a scalar holds after assignments; the index is an expression in terms of the state before.
fn read(
    program: &Program,
    e: &mut Expressions,
    before: &[Assignment],
    (variable, index): (VariableId, Option<ExpressionId>),
    bits: u32,
) -> ExpressionId {
    let mut value = match index {
        None => e.variable(variable, bits),
        Some(index) => e.element(variable, index, bits),
    };
    for assignment in before.iter().filter(|assignment| assignment.target == variable) {
        let mut is_this = same_scalar(e, assignment.index, index);
        if let Some(index) = index {
            // Beyond the end nothing was written, and zero is read.
            let is_inside = is_inside(e, index, program.variable(variable).length);
            is_this = e.and(is_this, is_inside);
        }
        value = e.if_then_else(is_this, assignment.value, value);
    }
    value
}

fn is_inside(e: &mut Expressions, index: ExpressionId, length: u32) -> ExpressionId {
    let bits = e.bits(index);
    if bits < 32 && 1u64 << bits <= u64::from(length) {
        return e.truth(true);
    }
    let length = e.constant(u128::from(length), bits);
    e.binary(crate::flow::BinaryOperator::UnsignedLess, index, length)
}
