//! Steps of one thread, one after the other, as terms over the state before the first of them.
//!
//! While no other thread takes a step, all that an expression depends on is: the variables at hand, which are what the steps
//! before have assigned, or what they were; the numbers of threads, which of these have ended, and the results of others, which
//! stay as they were, since threads are started by last steps only and a thread that goes on has not ended; and arbitrary
//! values, which each step chooses for itself. Whoever looks at results after having assigned its own is refused.
//!
//! Rows are kept as lists of what was written, the last write first to be asked. What elements at indices that are no
//! constants, results and ends were at the beginning are variables by the index or number, of which it is asserted that equal
//! ones give equal values. So a formula without a model is false in all states.

use crate::c::operators;
use rustc_hash::FxHashMap;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{Edge, Effect, Expression, ExpressionId, NondetId, Program, VariableId};
use throng_solver::{BitSolver, Outcome, TermId, Terms};

/// The width of numbers of threads.
const NUMBER_BITS: u32 = 64;

/// What is asked of a function on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Function {
    /// What a row held at an index.
    Row(VariableId),
    HasEnded,
    /// In this width.
    ResultOf(u32),
}

/// Terms about one thread's steps.
#[derive(Default)]
pub(super) struct Workshop {
    pub(super) terms: Terms,
    /// By function and argument: the value.
    known: FxHashMap<(Function, TermId), TermId>,
    /// The same in the order in which they were asked for.
    asked: Vec<(Function, TermId, TermId)>,
}

/// What is written: to which scalar of a variable (the first one without an index), and what.
pub(super) type Write = (VariableId, Option<TermId>, TermId);

/// What some steps do, in terms of the state before.
#[derive(Clone, Debug, Default)]
pub(super) struct Deed {
    /// The guards, all of which hold.
    pub(super) guards: Vec<TermId>,
    /// In order.
    pub(super) writes: Vec<Write>,
    /// The values of the effect's expressions in the order of [`Effect::expressions`].
    pub(super) effect: Vec<TermId>,
}

/// Where arbitrary values come from: the term of one with this number.
pub(super) type Choices<'a> = &'a dyn Fn(&mut Terms, NondetId, u32) -> TermId;

impl Workshop {
    /// One more step after others; `None` if it looks at a result that was assigned.
    pub(super) fn then(
        &mut self,
        program: &Program,
        before: &Deed,
        edge: &Edge,
        choices: Choices<'_>,
    ) -> Option<Deed> {
        let template = program.location(edge.from).template;
        let result = program.templates[template.index()].result;
        let has_result = before.writes.iter().any(|&(target, _, _)| Some(target) == result);
        let mut view = View {
            program,
            workshop: self,
            writes: &before.writes,
            choices,
            has_result,
            memo: FxHashMap::default(),
        };
        let guard = view.value(edge.guard)?;
        let mut writes = Vec::new();
        for assignment in &edge.assignments {
            let index = match assignment.index {
                Some(index) => Some(view.value(index)?),
                None => None,
            };
            writes.push((assignment.target, index, view.value(assignment.value)?));
        }
        let effect = edge.effect.iter().flat_map(Effect::expressions);
        let effect = effect.map(|id| view.value(id)).collect::<Option<Vec<_>>>()?;
        let mut after = before.clone();
        after.guards.push(guard);
        after.writes.extend(writes);
        after.effect = effect;
        Some(after)
    }

    /// Whether all guards hold.
    pub(super) fn guard(&mut self, deed: &Deed) -> TermId {
        self.terms.and_all(deed.guards.iter().copied())
    }

    /// What a scalar holds after some writes.
    pub(super) fn read(
        &mut self,
        program: &Program,
        writes: &[Write],
        id: VariableId,
        index: Option<TermId>,
    ) -> TermId {
        let variable = program.variable(id);
        let mut value = self.held(program, id, index);
        let is_inside = index.map(|index| self.is_below(index, variable.length));
        for &(_, written, new) in writes.iter().filter(|&&(target, _, _)| target == id) {
            let mut is_meant = match (written, index) {
                (None, None) => self.terms.truth(true),
                (Some(one), None) | (None, Some(one)) => self.is_zero(one),
                (Some(one), Some(other)) => self.same(one, other),
            };
            if let Some(is_inside) = is_inside {
                is_meant = self.terms.and(is_meant, is_inside);
            }
            value = self.terms.ite(is_meant, new, value);
        }
        value
    }

    /// What a scalar held at the beginning: 0 beyond the end.
    fn held(&mut self, program: &Program, id: VariableId, index: Option<TermId>) -> TermId {
        let variable = program.variable(id);
        let constant = match index {
            None => Some(0),
            Some(index) => self.terms.as_constant(index),
        };
        let (length, bits) = (u128::from(variable.length), variable.bits);
        match (constant, index) {
            (Some(at), _) if at < length => {
                let at = self.terms.constant(at, 128);
                self.ask(Function::Row(id), at, bits)
            }
            (None, Some(index)) => {
                let is_inside = self.is_below(index, variable.length);
                let (there, zero) = (self.ask(Function::Row(id), index, bits), self.terms.constant(0, bits));
                self.terms.ite(is_inside, there, zero)
            }
            _ => self.terms.constant(0, bits),
        }
    }

    /// The value of a function that is not known.
    fn ask(&mut self, function: Function, argument: TermId, bits: u32) -> TermId {
        if let Some(&value) = self.known.get(&(function, argument)) {
            return value;
        }
        let value = self.terms.fresh("?", bits);
        self.known.insert((function, argument), value);
        self.asked.push((function, argument, value));
        value
    }

    fn is_below(&mut self, index: TermId, length: u32) -> TermId {
        let bits = self.terms.width(index).max(33);
        let index = self.terms.zext(index, bits);
        let length = self.terms.constant(u128::from(length), bits);
        self.terms.ult(index, length)
    }

    fn is_zero(&mut self, a: TermId) -> TermId {
        let zero = self.terms.constant(0, self.terms.width(a));
        self.terms.eq(a, zero)
    }

    /// Whether two numbers are equal, whatever their widths.
    fn same(&mut self, a: TermId, b: TermId) -> TermId {
        let bits = self.terms.width(a).max(self.terms.width(b));
        let (a, b) = (self.terms.zext(a, bits), self.terms.zext(b, bits));
        self.terms.eq(a, b)
    }

    /// Whether a formula is false in all states.
    pub(super) fn is_impossible(&mut self, formula: TermId, budget: &Budget) -> Result<bool, StopReason> {
        if self.terms.is_false(formula) {
            return Ok(true);
        }
        let mut solver = BitSolver::default();
        for law in self.laws() {
            solver.assert(&self.terms, law);
        }
        solver.assert(&self.terms, formula);
        match solver.check(&self.terms, &[], budget) {
            Outcome::Unsat(_) => Ok(true),
            Outcome::Sat(_) => Ok(false),
            Outcome::Unknown(reason) => Err(reason),
        }
    }

    /// Equal arguments have equal values.
    fn laws(&mut self) -> Vec<TermId> {
        let asked = self.asked.clone();
        let mut laws = Vec::new();
        for (place, &(function, argument, value)) in asked.iter().enumerate() {
            for &(_, earlier, held) in asked[..place].iter().filter(|&&(other, _, _)| other == function) {
                let is_same = self.same(argument, earlier);
                if !self.terms.is_false(is_same) {
                    let is_equal = self.terms.eq(value, held);
                    laws.push(self.terms.implies(is_same, is_equal));
                }
            }
        }
        laws
    }
}

/// Expressions of one step.
struct View<'a> {
    program: &'a Program,
    workshop: &'a mut Workshop,
    writes: &'a [Write],
    choices: Choices<'a>,
    /// Whether the thread has assigned its result.
    has_result: bool,
    memo: FxHashMap<ExpressionId, TermId>,
}

impl View<'_> {
    /// The value of an expression. Operands have smaller numbers, so they come first.
    fn value(&mut self, id: ExpressionId) -> Option<TermId> {
        for sub in self.program.expressions.subexpressions([id]) {
            if !self.memo.contains_key(&sub) {
                let term = self.one(sub)?;
                self.memo.insert(sub, term);
            }
        }
        self.memo.get(&id).copied()
    }

    /// The value of an expression whose operands are known.
    fn one(&mut self, id: ExpressionId) -> Option<TermId> {
        let bits = self.program.expressions.bits(id);
        let memo = |view: &Self, operand: ExpressionId| view.memo.get(&operand).copied();
        Some(match self.program.expressions.get(id) {
            Expression::Constant(value) => self.workshop.terms.constant(value, bits),
            Expression::Variable(v) => self.workshop.read(self.program, self.writes, v, None),
            Expression::Element(v, index) => {
                let index = memo(self, index)?;
                self.workshop.read(self.program, self.writes, v, Some(index))
            }
            Expression::Passive(v) => self.workshop.terms.variable(&format!("passive{}", v.index()), bits),
            Expression::Nondet(nondet) => (self.choices)(&mut self.workshop.terms, nondet, bits),
            Expression::ThisThread => self.number("this", bits),
            Expression::NewThread => self.number("new", bits),
            Expression::HasEnded(a) => {
                let number = memo(self, a)?;
                self.workshop.ask(Function::HasEnded, number, bits)
            }
            Expression::ResultOf(_) if self.has_result => return None,
            Expression::ResultOf(a) => {
                let number = memo(self, a)?;
                self.workshop.ask(Function::ResultOf(bits), number, bits)
            }
            Expression::Unary(operator, a) => {
                let a = memo(self, a)?;
                operators::unary(&mut self.workshop.terms, operator, a)
            }
            Expression::Binary(operator, a, b) => {
                let (a, b) = (memo(self, a)?, memo(self, b)?);
                operators::binary(&mut self.workshop.terms, operator, a, b)
            }
            Expression::IfThenElse(c, a, b) => {
                let (c, a, b) = (memo(self, c)?, memo(self, a)?, memo(self, b)?);
                self.workshop.terms.ite(c, a, b)
            }
            Expression::Extend { operand, is_signed } => {
                let operand = memo(self, operand)?;
                let terms = &mut self.workshop.terms;
                if is_signed { terms.sext(operand, bits) } else { terms.zext(operand, bits) }
            }
            Expression::Extract { operand, low } => {
                let high = low.saturating_add(bits).saturating_sub(1);
                let operand = memo(self, operand)?;
                self.workshop.terms.extract(operand, high, low)
            }
        })
    }

    fn number(&mut self, name: &str, bits: u32) -> TermId {
        let number = self.workshop.terms.variable(name, NUMBER_BITS);
        self.workshop.terms.resize_unsigned(number, bits)
    }
}
