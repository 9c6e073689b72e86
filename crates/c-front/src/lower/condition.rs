//! How many shared accesses an expression makes, temporaries for those that cannot share an edge, and branches.

use super::call::is_pure_call;
use super::walk;
use super::{Lower, place::Spot};
use crate::hir::{Builtin, Expression, ExpressionKind, FunctionId, Place, PlaceKind};
use throng_base::Span;
use throng_cfa::flow::{self, Assignment, ExpressionId, LocationId, Scope, TemplateId, ValueType, Variable};

/// What a temporary is for: a template, a function, a place, a width, and a number within the statement.
pub(super) type TemporaryKey = (TemplateId, FunctionId, (u32, u32), u32, u32);

impl<'p> Lower<'p> {
    /// Whether evaluating an expression does anything but read.
    pub(super) fn has_effects(&self, e: &'p Expression) -> bool {
        let mut found = false;
        walk::expression(e, &mut |e| {
            found |= match &e.kind {
                ExpressionKind::Assign(..) | ExpressionKind::Update { .. } | ExpressionKind::Block(..) => {
                    true
                }
                ExpressionKind::Call(callee, _) => !is_pure_call(self.program, callee),
                ExpressionKind::Builtin(builtin, _) => !matches!(
                    builtin,
                    Builtin::AtomicLoad | Builtin::Expect | Builtin::ConstantP | Builtin::Fence
                ),
                _ => false,
            };
        });
        found
    }

    /// How many shared scalars an expression reads, if it has no effects.
    pub(super) fn shared_reads(&self, e: &'p Expression) -> usize {
        let mut count = 0;
        walk::expression(e, &mut |e| {
            count += match &e.kind {
                ExpressionKind::Load(place) if self.preloaded(place).is_some() => 0,
                ExpressionKind::Load(place) if self.is_torn_type(place.ty) => {
                    2 * usize::from(self.is_shared_place(place))
                }
                ExpressionKind::Load(place) => usize::from(self.is_shared_place(place)),
                ExpressionKind::Builtin(Builtin::AtomicLoad, _) => 1,
                _ => 0,
            };
        });
        count
    }

    /// Whether others may access a place.
    pub(super) fn is_shared_place(&self, place: &'p Place) -> bool {
        match &place.kind {
            PlaceKind::Object(object) => self.is_shared(*object),
            PlaceKind::Member(inner, _) | PlaceKind::Element(inner, _) => self.is_shared_place(inner),
            PlaceKind::Dereference(pointer) => {
                self.points.of(self.program, pointer).iter().any(|target| match target {
                    super::points::Target::Object(object) => {
                        self.is_accessible(*object) && self.is_shared(*object)
                    }
                    _ => false,
                })
            }
            PlaceKind::Value(_) => false,
        }
    }

    /// Whether the scalars of a spot may be accessed by others.
    pub(super) fn is_shared_spot(&self, spot: &Spot) -> bool {
        match spot {
            Spot::Named { object, .. } => self.is_shared(*object),
            Spot::Pointed { candidates, .. } => candidates.iter().any(|&object| self.is_shared(object)),
        }
    }

    /// Whether an expression of the graph reads what other threads may change.
    pub(super) fn reads_shared(&mut self, e: ExpressionId) -> bool {
        self.fragility(e).0
    }

    /// Whether an expression reads shared variables, and whether it has arbitrary parts.
    pub(super) fn fragility(&mut self, e: ExpressionId) -> (bool, bool) {
        if let Some(&known) = self.fragile.get(&e) {
            return known;
        }
        let (mut shared, mut arbitrary) = match self.e.get(e) {
            flow::Expression::Variable(v) | flow::Expression::Element(v, _) => {
                let is_shared = self.variables[v.index()].scope == Scope::Shared;
                let origin = self.memory.origins.get(&v).copied();
                (is_shared && !origin.is_some_and(|(object, _)| self.is_constant(object)), false)
            }
            flow::Expression::HasEnded(_) | flow::Expression::ResultOf(_) => (true, false),
            flow::Expression::Nondet(_) => (false, true),
            _ => (false, false),
        };
        for operand in self.e.operands(e) {
            let (s, a) = self.fragility(operand);
            shared |= s;
            arbitrary |= a;
        }
        self.fragile.insert(e, (shared, arbitrary));
        (shared, arbitrary)
    }

    /// Whether an expression has the same value whatever happens in this thread: constants and temporaries.
    pub(super) fn is_stable(&self, e: ExpressionId) -> bool {
        match self.e.get(e) {
            flow::Expression::Variable(v) => {
                let variable = &self.variables[v.index()];
                variable.is_ghost && variable.function.is_none() && variable.scope != Scope::Shared
            }
            flow::Expression::Element(..) | flow::Expression::Nondet(_) | flow::Expression::NewThread => {
                false
            }
            flow::Expression::HasEnded(_) | flow::Expression::ResultOf(_) => false,
            _ => self.e.operands(e).all(|operand| self.is_stable(operand)),
        }
    }

    /// A temporary for this place in the code.
    pub(super) fn temporary(&mut self, bits: u32, span: Span) -> flow::VariableId {
        let function = self.frames.last().map_or_else(|| FunctionId::new(0), |frame| frame.function);
        let number = self.temporary_count;
        self.temporary_count += 1;
        let key = (self.template, function, (span.start, span.end), bits, number);
        if let Some(&variable) = self.temporaries.get(&key) {
            return variable;
        }
        let variable = self.add_variable(Variable {
            name: super::graph::one_line(self.program.text.slice(span)),
            function: None,
            scope: Scope::Local(self.template),
            bits,
            ty: ValueType::Integer { is_signed: true },
            length: 1,
            initial: Some(vec![0]),
            address: None,
            is_ghost: true,
        });
        self.temporaries.insert(key, variable);
        variable
    }

    /// Evaluates now, into a temporary, unless it is a constant.
    pub(super) fn materialise(&mut self, value: ExpressionId, span: Span) -> ExpressionId {
        if self.is_stable(value) {
            return value;
        }
        let bits = self.e.bits(value);
        let temporary = self.temporary(bits, span);
        self.set(temporary, value, span);
        self.e.variable(temporary, bits)
    }

    /// A value that keeps what it is while `next` is evaluated.
    pub(super) fn settle(&mut self, value: ExpressionId, next: &'p Expression, span: Span) -> ExpressionId {
        if self.needs_settling(value, next) { self.materialise(value, span) } else { value }
    }

    fn needs_settling(&mut self, value: ExpressionId, next: &'p Expression) -> bool {
        if self.has_effects(next) {
            return !self.is_stable(value);
        }
        if self.is_joint() {
            return false;
        }
        let (shared, arbitrary) = self.fragility(value);
        let reads = self.shared_reads(next);
        (shared && reads > 0) || (arbitrary && reads > 1)
    }

    /// A spot that stays the same while `next` is evaluated.
    pub(super) fn settle_spot(&mut self, spot: Spot, next: &'p Expression) -> Spot {
        match spot {
            Spot::Named { object, path, indices } => {
                let indices = indices.into_iter().map(|index| self.settle(index, next, next.span)).collect();
                Spot::Named { object, path, indices }
            }
            Spot::Pointed { address, candidates, is_unmodelled, route, field } => {
                let address = self.settle(address, next, next.span);
                Spot::Pointed { address, candidates, is_unmodelled, route, field }
            }
        }
    }

    /// Whether an expression can be evaluated as part of one edge.
    pub(super) fn is_one_step(&self, e: &'p Expression) -> bool {
        !self.has_effects(e) && (self.is_joint() || self.shared_reads(e) <= 1)
    }

    /// Goes to one of two locations, as a condition is non-zero or zero.
    pub(super) fn branch(&mut self, e: &'p Expression, yes: LocationId, no: LocationId) {
        if !self.is_reachable() {
            return;
        }
        if !self.is_one_step(e) {
            match &e.kind {
                ExpressionKind::Not(a) => return self.branch(a, no, yes),
                ExpressionKind::And(a, b) => {
                    let middle = self.fresh();
                    self.branch(a, middle, no);
                    self.resume(middle);
                    return self.branch(b, yes, no);
                }
                ExpressionKind::Or(a, b) => {
                    let middle = self.fresh();
                    self.branch(a, yes, middle);
                    self.resume(middle);
                    return self.branch(b, yes, no);
                }
                ExpressionKind::Comma(a, b) => {
                    self.effect(a);
                    return self.branch(b, yes, no);
                }
                // Conversions between integers that keep whether it is zero.
                ExpressionKind::Convert(a) if self.is_widening(a.ty, e.ty) => return self.branch(a, yes, no),
                _ => {}
            }
        }
        let before = self.graph.arcs.len();
        let value = self.value(e);
        let value = self.deciding(e, value, false);
        let is_true = self.e.is_nonzero(value);
        self.branch_on_outcome(is_true, before, (yes, no), e.span);
    }

    /// Goes to one of two locations by a truth value. If it is about a temporary that was just given a constant on
    /// each edge to here (whether a compare-and-swap succeeded, say), these edges go on directly where it says.
    fn branch_on_outcome(
        &mut self,
        is_true: ExpressionId,
        before: usize,
        (yes, no): (LocationId, LocationId),
        span: Span,
    ) {
        let Some(here) = self.graph.here.filter(|_| self.obligations.is_empty()) else {
            return self.branch_on(is_true, yes, no, span);
        };
        let mut variables = Vec::new();
        super::fuse::variables_of(&self.e, is_true, &mut variables);
        let &[temporary] = &variables[..] else { return self.branch_on(is_true, yes, no, span) };
        let mut ways = Vec::new();
        for (index, arc) in self.graph.arcs.iter().enumerate().skip(before) {
            if self.graph.find(arc.to) != self.graph.find(here) {
                continue;
            }
            let set = arc.assignments.iter().find(|a| a.target == temporary && a.index.is_none());
            match set.and_then(|a| self.e.as_constant(a.value)) {
                Some(constant) => ways.push((index, constant)),
                _ => return self.branch_on(is_true, yes, no, span),
            }
        }
        if ways.is_empty() || !self.variables[temporary.index()].is_ghost {
            return self.branch_on(is_true, yes, no, span);
        }
        for (index, constant) in ways {
            let bits = self.variables[temporary.index()].bits;
            let holds = super::fuse::holds_for(&mut self.e, is_true, temporary, (constant, bits));
            let to = if holds { yes } else { no };
            self.graph.enter(to);
            let arc = &mut self.graph.arcs[index];
            arc.assignments.retain(|a| a.target != temporary);
            arc.to = to;
        }
        self.graph.here = None;
    }

    /// Goes to one of two locations by a truth value.
    pub(super) fn branch_on(&mut self, is_true: ExpressionId, yes: LocationId, no: LocationId, span: Span) {
        match self.e.as_constant(is_true) {
            Some(1) => self.goto(yes),
            Some(_) => self.goto(no),
            None => {
                let is_false = self.e.not(is_true);
                self.split(vec![(is_true, Vec::new(), yes), (is_false, Vec::new(), no)], span);
            }
        }
    }

    /// The value of a condition or a choice that needs branches: 1 bit for `&&` and `||`.
    pub(super) fn branched_value(
        &mut self,
        condition: &'p Expression,
        bits: u32,
        span: Span,
        yes: impl FnOnce(&mut Self) -> ExpressionId,
        no: impl FnOnce(&mut Self) -> ExpressionId,
    ) -> ExpressionId {
        let temporary = self.temporary(bits, span);
        let (then, otherwise, join) = (self.fresh(), self.fresh(), self.fresh());
        self.branch(condition, then, otherwise);
        self.resume(then);
        let value = yes(self);
        self.set(temporary, value, span);
        self.goto(join);
        self.resume(otherwise);
        let value = no(self);
        self.set(temporary, value, span);
        self.continue_at(join);
        self.e.variable(temporary, bits)
    }

    /// Evaluates something under a condition: what has to hold for it has to hold only then.
    pub(super) fn under(
        &mut self,
        condition: ExpressionId,
        what: impl FnOnce(&mut Self) -> ExpressionId,
    ) -> ExpressionId {
        let before = self.obligations.len();
        let value = what(self);
        let is_not = self.e.not(condition);
        for index in before..self.obligations.len() {
            let inner = self.obligations[index].condition;
            self.obligations[index].condition = self.e.or(is_not, inner);
        }
        value
    }

    /// Edges of one step: assignments under a guard.
    pub(super) fn emit_assignments(&mut self, assignments: Vec<Assignment>, span: Span) {
        let truth = self.e.truth(true);
        self.emit(truth, assignments, span);
    }
}
