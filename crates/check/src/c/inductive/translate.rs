//! Expressions as terms, with the meaning that [`throng_cfa::flow`] gives them. The operators of both agree, divisions by zero
//! and wide shifts included.

use super::scene::{ACTOR, Place, Scene, Slot, Time, View};
use crate::c::operators;
use throng_cfa::flow::{Effect, Expression, ExpressionId, LocationKind, VariableId};
use throng_solver::TermId;

impl Scene<'_> {
    /// The value of an expression. Operands first, without recursion: expressions may be deep.
    pub(super) fn translate(&mut self, id: ExpressionId, view: View) -> TermId {
        let facts = self.facts;
        let table = &facts.predicates.expressions;
        let mut waiting = vec![id];
        while let Some(&next) = waiting.last() {
            if self.memo.contains_key(&(next, view)) {
                waiting.pop();
                continue;
            }
            let n_waiting = waiting.len();
            let operands = table.operands(next);
            waiting.extend(operands.filter(|&operand| !self.memo.contains_key(&(operand, view))));
            if waiting.len() == n_waiting {
                let term = self.translate_one(next, view);
                self.memo.insert((next, view), term);
                waiting.pop();
            }
        }
        self.memo[&(id, view)]
    }

    /// The value of an expression whose operands are known.
    fn translate_one(&mut self, id: ExpressionId, view: View) -> TermId {
        let facts = self.facts;
        let table = &facts.predicates.expressions;
        let bits = table.bits(id);
        let of = |scene: &Self, operand: ExpressionId| scene.memo[&(operand, view)];
        match table.get(id) {
            Expression::Constant(value) => self.terms.constant(value, bits),
            Expression::Variable(variable) => self.read(view.active, variable, None, view.time),
            Expression::Element(variable, index) => {
                let index = of(self, index);
                self.read(view.active, variable, Some(index), view.time)
            }
            Expression::Passive(variable) => self.read(view.passive, variable, None, view.time),
            // One edge is taken, so that equal numbers are equal values.
            Expression::Nondet(nondet) => self.terms.variable(&format!("nondet{}", nondet.index()), bits),
            Expression::ThisThread => match view.active {
                Some(slot) => {
                    let number = self.number(slot);
                    self.terms.resize_unsigned(number, bits)
                }
                None => self.terms.fresh("number", bits),
            },
            Expression::NewThread => match self.new {
                Some(slot) => {
                    let number = self.number(slot);
                    self.terms.resize_unsigned(number, bits)
                }
                None => self.terms.fresh("number", bits),
            },
            Expression::HasEnded(number) => self.has_ended(of(self, number), view.time),
            Expression::ResultOf(number) => self.result_of(of(self, number), bits, view.time),
            Expression::Unary(operator, a) => {
                let a = of(self, a);
                operators::unary(&mut self.terms, operator, a)
            }
            Expression::Binary(operator, a, b) => {
                let (a, b) = (of(self, a), of(self, b));
                operators::binary(&mut self.terms, operator, a, b)
            }
            Expression::IfThenElse(c, a, b) => self.terms.ite(of(self, c), of(self, a), of(self, b)),
            Expression::Extend { operand, is_signed: true } => self.terms.sext(of(self, operand), bits),
            Expression::Extend { operand, is_signed: false } => self.terms.zext(of(self, operand), bits),
            Expression::Extract { operand, low } => {
                let high = low.saturating_add(bits).saturating_sub(1);
                self.terms.extract(of(self, operand), high, low)
            }
        }
    }

    /// What a scalar holds; 0 beyond the end, and anything if there are too many to look into.
    fn read(&mut self, thread: Option<Slot>, id: VariableId, index: Option<TermId>, time: Time) -> TermId {
        let variable = self.facts.program.variable(id);
        let scalars = self.scalars(thread, id, time);
        let Some(&first) = scalars.first() else {
            return self.terms.fresh(&variable.name, variable.bits);
        };
        let Some(index) = index else { return first };
        let mut value = self.terms.constant(0, variable.bits);
        for (element, &scalar) in scalars.iter().enumerate().rev() {
            let is_meant = self.is_number(index, element);
            value = self.terms.ite(is_meant, scalar, value);
        }
        value
    }

    /// Whether a number is that of a thread.
    fn is_numbered(&mut self, number: TermId, slot: Slot) -> TermId {
        let own = self.number(slot);
        let bits = self.terms.width(number).max(self.terms.width(own));
        let (a, b) = (self.terms.zext(number, bits), self.terms.zext(own, bits));
        self.terms.eq(a, b)
    }

    /// Whether the number is that of a thread that has ended: known of threads at hand, arbitrary of others, but those do not
    /// end in this step.
    fn has_ended(&mut self, number: TermId, time: Time) -> TermId {
        if let Some(&known) = self.ended.get(&(number, time)) {
            return known;
        }
        let has_ended = self.terms.fresh("?ended", 1);
        self.ended.insert((number, time), has_ended);
        for slot in 0..self.n_at_hand {
            let is_end = self
                .location(slot, time)
                .is_some_and(|at| self.facts.program.location(at).kind == LocationKind::End);
            let is_end = self.terms.truth(is_end);
            let is_meant = self.is_numbered(number, slot);
            let is_known = self.terms.eq(has_ended, is_end);
            self.assert_implies(is_meant, is_known);
        }
        if time == Time::After {
            let before = self.has_ended(number, Time::Before);
            self.unchanged(number, before, has_ended);
        }
        has_ended
    }

    /// The result of the thread with a number, in the same way.
    fn result_of(&mut self, number: TermId, bits: u32, time: Time) -> TermId {
        if let Some(&known) = self.results.get(&(number, bits, time)) {
            return known;
        }
        let result = self.terms.fresh("?result", bits);
        self.results.insert((number, bits, time), result);
        for slot in 0..self.n_at_hand {
            let variable = self.facts.program.templates[self.threads[slot].template.index()].result;
            let value = match variable.filter(|_| self.is_there(slot, time)) {
                Some(variable) => self.read(Some(slot), variable, None, time),
                None => self.terms.constant(0, bits),
            };
            let value = self.terms.resize_unsigned(value, bits);
            let is_meant = self.is_numbered(number, slot);
            let is_known = self.terms.eq(result, value);
            self.assert_implies(is_meant, is_known);
        }
        let effect = self.edge.and_then(|edge| edge.effect.as_ref());
        if time == Time::After && matches!(effect, None | Some(Effect::Spawn { .. })) {
            let before = self.result_of(number, bits, Time::Before);
            self.unchanged(number, before, result);
        }
        result
    }

    /// What is the same before and after the step, unless the number is that of who takes it or of who begins.
    fn unchanged(&mut self, number: TermId, before: TermId, after: TermId) {
        let mut is_same = self.terms.eq(before, after);
        for slot in [Some(ACTOR), self.new].into_iter().flatten() {
            let is_meant = self.is_numbered(number, slot);
            is_same = self.terms.or(is_meant, is_same);
        }
        self.assert(is_same);
    }

    /// Whether a thread is in the scope of a predicate about all threads.
    pub(super) fn in_scope(&mut self, slot: Slot, scope: usize, time: Time) -> TermId {
        let thread = &self.threads[slot];
        let is_in = match (&thread.place, self.location(slot, time)) {
            (Place::Somewhere { in_scope, .. }, _) => return in_scope[scope],
            (_, Some(at)) => {
                let scopes = &self.facts.scopes[thread.template.index()];
                scopes.list[scope].binary_search(&at).is_ok()
            }
            (_, None) => false,
        };
        self.terms.truth(is_in)
    }
}
