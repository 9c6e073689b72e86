//! Candidates that stand in the program's text: atoms of guards, values that are assigned, and weakest preconditions.

use super::rewrite::rewrite;
use super::{Builder, HEAVY, Kind};
use rustc_hash::FxHashSet;
use throng_cfa::flow::{
    Assignment, BinaryOperator, Edge, Effect, Expression, ExpressionId, Scope, UnaryOperator,
};

/// How often atoms are taken before an assignment.
const ROUNDS: u8 = 2;
/// How many atoms may come from that.
const MOST_PRECONDITIONS: usize = 240;

impl Builder<'_> {
    /// The atoms of all guards, and what the user asked for.
    pub(super) fn guards(&mut self) {
        let program = self.program;
        for predicate in &program.predicates {
            self.add(predicate.expression, 0);
            self.atoms(predicate.expression, 0);
        }
        for edge in &program.edges {
            self.atoms(edge.guard, 0);
            for update in updates(edge) {
                let guard = self.as_own(update.guard);
                self.atoms(guard, 0);
            }
        }
    }

    /// The atoms that a condition is made of.
    pub(super) fn atoms(&mut self, condition: ExpressionId, tier: u8) {
        let (mut stack, mut seen) = (vec![condition], FxHashSet::default());
        while let Some(id) = stack.pop() {
            if self.e.bits(id) != 1 || !seen.insert(id) {
                continue;
            }
            match self.e.get(id) {
                Expression::Unary(UnaryOperator::Not, a) => stack.push(a),
                Expression::IfThenElse(a, b, c) => stack.extend([c, b, a]),
                Expression::Binary(operator, a, b) => {
                    if self.e.bits(a) == 1 {
                        stack.extend([b, a]);
                    }
                    if operator.is_comparison() {
                        self.comparisons(operator, a, b, tier);
                    } else {
                        self.add(id, tier + 1);
                    }
                }
                Expression::Extract { .. } | Expression::Variable(_) | Expression::Element(..) => {
                    self.add(id, tier);
                }
                _ => {}
            }
            // Conditions inside of what is compared.
            stack.extend(self.inner_conditions(id));
        }
    }

    /// The conditions of choices in the operands of a comparison.
    fn inner_conditions(&self, id: ExpressionId) -> Vec<ExpressionId> {
        let mut found = Vec::new();
        if let Expression::Binary(_, a, b) = self.e.get(id) {
            let (mut stack, mut seen) = (vec![b, a], FxHashSet::default());
            while let Some(id) = stack.pop() {
                if self.e.bits(id) == 1 || !seen.insert(id) {
                    continue;
                }
                if let Expression::IfThenElse(c, ..) = self.e.get(id) {
                    found.push(c);
                }
                stack.extend(self.e.operands(id));
            }
        }
        found
    }

    /// A comparison, and for an order also equality and the other direction.
    fn comparisons(&mut self, operator: BinaryOperator, a: ExpressionId, b: ExpressionId, tier: u8) {
        let condition = self.e.binary(operator, a, b);
        self.add(condition, tier);
        if operator != BinaryOperator::Equal {
            let equal = self.e.equal(a, b);
            self.add(equal, tier + 1);
            let reverse = self.e.binary(operator, b, a);
            self.add(reverse, tier + 1);
        }
    }

    /// `x == e` for assignments.
    pub(super) fn assigned(&mut self) {
        let program = self.program;
        for edge in &program.edges {
            for assignment in &edge.assignments {
                let target = self.target(assignment);
                self.equal_to(target, assignment.value, 0);
            }
            if let Some(Effect::Spawn { arguments, .. }) = &edge.effect {
                for &(variable, value) in arguments {
                    let target = self.e.variable(variable, program.variable(variable).bits);
                    self.equal_to(target, value, 1);
                }
            }
            for update in updates(edge) {
                for &(variable, value) in &update.assignments {
                    let target = self.e.variable(variable, program.variable(variable).bits);
                    let value = self.as_own(value);
                    self.equal_to(target, value, 1);
                }
            }
        }
    }

    /// What an assignment changes, as an expression.
    pub(super) fn target(&mut self, assignment: &Assignment) -> ExpressionId {
        let bits = self.program.variable(assignment.target).bits;
        match assignment.index {
            None => self.e.variable(assignment.target, bits),
            Some(index) => self.e.element(assignment.target, index, bits),
        }
    }

    fn equal_to(&mut self, target: ExpressionId, value: ExpressionId, tier: u8) {
        if let Expression::IfThenElse(c, a, b) = self.e.get(value) {
            self.atoms(c, tier);
            self.equal_to(target, a, tier);
            self.equal_to(target, b, tier);
        }
        if self.e.bits(target) == 1 {
            self.atoms(value, tier);
        }
        let mut is_mentioned = false;
        let leaf = self.e.get(target);
        self.walk(value, |it| is_mentioned |= it == leaf);
        if !is_mentioned {
            let equal = self.e.equal(target, value);
            let tier = if self.is_heavy(equal) { HEAVY } else { tier };
            self.add(equal, tier);
        }
    }

    /// Candidates as they are before assignments of their own thread.
    pub(super) fn preconditions(&mut self) {
        let mut begin = 0;
        let limit = self.found.len() + MOST_PRECONDITIONS;
        for round in 0..ROUNDS {
            let end = self.found.len();
            for at in begin..end {
                let candidate = self.found[at];
                if candidate.tier > 1 + round {
                    continue;
                }
                self.before_assignments(candidate.expression, candidate.kind, 2 + round);
                if self.found.len() > limit {
                    return;
                }
            }
            begin = end;
        }
    }

    fn before_assignments(&mut self, condition: ExpressionId, kind: Kind, tier: u8) {
        let program = self.program;
        for edge in &program.edges {
            let template = program.location(edge.from).template;
            let fits = match kind {
                Kind::Shared => true,
                Kind::Single(own) => own == template,
                Kind::Pair(..) => false,
            };
            if !fits || edge.assignments.is_empty() {
                continue;
            }
            let before = rewrite(&mut self.e, condition, &mut |e, leaf, bits| {
                let here = |it: &&Assignment| match (leaf, it.index) {
                    (Expression::Variable(variable), None) => variable == it.target,
                    (Expression::Element(variable, at), Some(index)) => variable == it.target && at == index,
                    _ => false,
                };
                edge.assignments.iter().find(here).map(|it| e.resize(it.value, bits, false))
            });
            if before != condition && self.e.as_constant(before).is_none() {
                let is_heavier = self.is_heavy(before) && !self.is_heavy(condition);
                self.add(before, if is_heavier { HEAVY } else { tier });
            }
        }
    }

    /// A passive thread's variables as those of the active one.
    pub(super) fn as_own(&mut self, id: ExpressionId) -> ExpressionId {
        let program = self.program;
        rewrite(&mut self.e, id, &mut |e, leaf, bits| match leaf {
            Expression::Passive(variable) => Some(e.variable(variable, bits)),
            // The acting thread's variables have no meaning there.
            Expression::Variable(variable) if program.variable(variable).scope != Scope::Shared => {
                Some(e.insert(Expression::NewThread, bits))
            }
            _ => None,
        })
    }
}

fn updates(edge: &Edge) -> &[throng_cfa::flow::PassiveUpdate] {
    match &edge.effect {
        Some(Effect::Broadcast(updates) | Effect::Signal(updates)) => updates,
        _ => &[],
    }
}
