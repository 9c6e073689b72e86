//! Equalities that an interleaving needs, and what they stand for.
//!
//! At each place of an interleaving, the rest of it needs some equalities: conjuncts of guards, seen from before the steps in
//! between. Those that only copy and count are followed: a *cell*, which is a shared variable or a thread's own, equals another one plus a
//! constant. Their *closure* says what no guard says. Two threads that both need `s == m` need equal tickets m: that nobody else has a
//! thread's ticket is a predicate that excludes them.
//!
//! Variables that only ever *grow* pass every value once. So it is not the equality `t == m` of a growing t that is worth
//! knowing, which excludes one value after the other, but that t is beyond: `m < t` for all threads. An equality of two
//! cells that grow becomes an order, too.
//!
//! The candidates are few and come first (tier 0). Nothing is decided here.

use crate::refute::Candidate;
use crate::run::Taken;
use crate::scopes::definitely_assigned;
use crate::weakest::template_of;
use rustc_hash::FxHashSet;
use throng_cfa::flow::{
    Assignment, BinaryOperator, Edge, Expression, ExpressionId, Expressions, Program, Scope, TemplateId,
    ValueType, VariableId, mask, signed,
};
use throng_cfa::invariant::{Party, Predicate};

/// A scalar of the state or of a thread of the interleaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Cell {
    /// `None`: it is shared.
    thread: Option<usize>,
    variable: VariableId,
}

/// A cell plus a constant; without a cell, the constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum {
    cell: Option<Cell>,
    constant: u128,
}

/// More equalities are not kept at one place.
const MOST: usize = 40;

/// Which variables only ever grow.
#[derive(Clone, Debug)]
pub(crate) struct Growing(FxHashSet<VariableId>);

impl Growing {
    /// Shared variables to which only larger values are assigned: themselves plus a constant, also by way of a thread's variable
    /// that only ever holds what was read from them. That sums do not overflow is not asked.
    pub(crate) fn new(program: &Program) -> Self {
        let all = VariableId::all(program.variables.len());
        Self(all.filter(|&it| grows(program, it)).collect())
    }
}

fn grows(program: &Program, id: VariableId) -> bool {
    let e = &program.expressions;
    let assigned = |id: VariableId| {
        let all = program.edges.iter().flat_map(|edge| &edge.assignments);
        all.filter(move |it| it.target == id)
    };
    let is_shared = |id: VariableId| program.variable(id).scope == Scope::Shared;
    let is_copy = |copy: VariableId| {
        let is_it = |value| matches!(sum(e, value, None), Some(Sum { cell: Some(cell), constant: 0 }) if cell.variable == id);
        !is_shared(copy) && assigned(copy).all(|it| is_it(it.value))
    };
    let is_larger = |it: &Assignment| {
        let Some(Sum { cell: Some(cell), constant }) = sum(e, it.value, None) else { return false };
        let is_step = signed(constant, e.bits(it.value)) > 0;
        it.index.is_none() && is_step && (cell.variable == id || is_copy(cell.variable))
    };
    is_shared(id) && assigned(id).next().is_some() && assigned(id).all(is_larger)
}

/// The predicates that the equalities along an interleaving stand for.
pub(crate) fn along(
    program: &Program,
    expressions: &mut Expressions,
    steps: &[Taken],
    growing: &Growing,
) -> Vec<Candidate> {
    let mut maker =
        Maker { program, expressions, steps, growing, seen: FxHashSet::default(), found: Vec::new() };
    let mut needed: Vec<(Sum, Sum)> = Vec::new();
    for taken in steps.iter().rev() {
        let edge = program.edge(taken.edge);
        needed = needed.into_iter().filter_map(|it| back(program, edge, taken.thread, it)).collect();
        let guard = equalities(&program.expressions, edge.guard);
        let own = guard.into_iter().filter_map(|(a, b)| {
            let cell = |it| sum(&program.expressions, it, Some((program, taken.thread)));
            Some((cell(a)?, cell(b)?))
        });
        for equality in own {
            if !needed.contains(&equality) {
                needed.push(equality);
            }
        }
        needed.truncate(MOST);
        maker.close(&needed);
    }
    maker.found
}

/// The equalities among the conjuncts of a condition.
fn equalities(e: &Expressions, condition: ExpressionId) -> Vec<(ExpressionId, ExpressionId)> {
    let mut found = Vec::new();
    let mut stack = vec![condition];
    while let Some(id) = stack.pop() {
        match e.get(id) {
            Expression::Binary(BinaryOperator::And, a, b) if e.bits(id) == 1 => stack.extend([a, b]),
            Expression::Binary(BinaryOperator::Equal, a, b) if e.bits(a) > 1 => found.push((a, b)),
            _ => {}
        }
    }
    found
}

/// A value as a cell plus a constant, of a thread's cells where it is known.
fn sum(e: &Expressions, value: ExpressionId, whose: Option<(&Program, usize)>) -> Option<Sum> {
    let bits = e.bits(value);
    let shifted = |a, b, sign: fn(u128) -> u128| {
        let constant = sign(e.as_constant(b)?);
        let of = sum(e, a, whose)?;
        Some(Sum { constant: of.constant.wrapping_add(constant) & mask(bits), ..of })
    };
    match e.get(value) {
        Expression::Constant(constant) => Some(Sum { cell: None, constant }),
        Expression::Variable(variable) => {
            let thread = whose.and_then(|(program, thread)| {
                (program.variable(variable).scope != Scope::Shared).then_some(thread)
            });
            Some(Sum { cell: Some(Cell { thread, variable }), constant: 0 })
        }
        Expression::Binary(BinaryOperator::Add, a, b) => {
            shifted(a, b, |it| it).or_else(|| shifted(b, a, |it| it))
        }
        Expression::Binary(BinaryOperator::Subtract, a, b) => shifted(a, b, u128::wrapping_neg),
        _ => None,
    }
}

/// An equality as it was before a step; `None` if the step makes something else of it.
fn back(program: &Program, edge: &Edge, thread: usize, (a, b): (Sum, Sum)) -> Option<(Sum, Sum)> {
    let before = |it: Sum| {
        let Some(cell) = it.cell.filter(|cell| cell.thread.is_none_or(|own| own == thread)) else {
            return Some(it);
        };
        let mut assigned = edge.assignments.iter().filter(|assignment| assignment.target == cell.variable);
        let Some(assignment) = assigned.next() else { return Some(it) };
        if assignment.index.is_some() || assigned.next().is_some() {
            return None;
        }
        let value = sum(&program.expressions, assignment.value, Some((program, thread)))?;
        let bits = program.variable(cell.variable).bits;
        Some(Sum { constant: value.constant.wrapping_add(it.constant) & mask(bits), ..value })
    };
    Some((before(a)?, before(b)?))
}

struct Maker<'a> {
    program: &'a Program,
    expressions: &'a mut Expressions,
    steps: &'a [Taken],
    growing: &'a Growing,
    seen: FxHashSet<Predicate>,
    found: Vec<Candidate>,
}

impl Maker<'_> {
    /// Adds what all consequences of some equalities stand for.
    fn close(&mut self, equalities: &[(Sum, Sum)]) {
        let classes = self.classes(equalities);
        for (at, &(a, of_a)) in classes.iter().enumerate() {
            for &(b, of_b) in &classes[at + 1..] {
                if of_a.0 == of_b.0 {
                    self.equal(a, b, of_a.1 == of_b.1);
                }
            }
        }
    }

    /// The cells of some equalities, in the order in which they are met: each with the first one that it is equal to, but for a
    /// constant, and what is added to that one to get it.
    fn classes(&self, equalities: &[(Sum, Sum)]) -> Vec<(Cell, (Cell, u128))> {
        let mut classes: Vec<(Cell, (Cell, u128))> = Vec::new();
        for (a, b) in equalities {
            let (Some(x), Some(y)) = (a.cell, b.cell) else { continue };
            let bits = self.program.variable(x.variable).bits;
            if bits != self.program.variable(y.variable).bits {
                continue;
            }
            let mut class_of = |cell: Cell| {
                let known = classes.iter().find(|it| it.0 == cell).map(|it| it.1);
                known.unwrap_or_else(|| {
                    classes.push((cell, (cell, 0)));
                    (cell, 0)
                })
            };
            // x + a = y + b
            let ((root_x, plus_x), (root_y, plus_y)) = (class_of(x), class_of(y));
            if root_x != root_y {
                let shift = plus_x.wrapping_add(a.constant).wrapping_sub(plus_y.wrapping_add(b.constant));
                for (_, of) in classes.iter_mut().filter(|it| it.1.0 == root_y) {
                    *of = (root_x, of.1.wrapping_add(shift) & mask(bits));
                }
            }
        }
        classes
    }

    /// Adds what stands for an equality of two cells, exactly or but for a constant.
    fn equal(&mut self, a: Cell, b: Cell, is_exact: bool) {
        let grows = |it: Cell| it.thread.is_none() && self.growing.0.contains(&it.variable);
        let (a_grows, b_grows) = (grows(a), grows(b));
        match (a.thread, b.thread) {
            (Some(x), Some(y)) if x != y && is_exact => {
                self.differ(a, b);
                self.differ(b, a);
            }
            // Instead of the equality, which may stand in a guard: then it is a candidate anyway.
            (None, Some(_)) if a_grows => return self.beyond(b, a),
            (Some(_), None) if b_grows => return self.beyond(a, b),
            (None, None) if a_grows || b_grows => {
                self.less(a, b);
                self.less(b, a);
            }
            _ => {}
        }
        let same_thread = a.thread.is_none() || b.thread.is_none() || a.thread == b.thread;
        if is_exact && same_thread {
            let thread = a.thread.or(b.thread);
            let (x, y) = (self.read(a), self.read(b));
            let expression = self.expressions.equal(x, y);
            self.add(Predicate { expression, active: thread.map(|it| self.template(it)), passive: None });
        }
    }

    /// No other thread's cell has the value of this one.
    fn differ(&mut self, mine: Cell, other: Cell) {
        let (Some(x), Some(y)) = (mine.thread, other.thread) else { return };
        let (active, template) = (self.template(x), self.template(y));
        let (a, b) = (self.read(mine), self.read_passive(other));
        let equal = self.expressions.equal(a, b);
        let expression = self.expressions.not(equal);
        let passive = Some(self.party(template, other));
        self.add(Predicate { expression, active: Some(active), passive });
    }

    /// Every thread's cell is below a shared variable.
    fn beyond(&mut self, own: Cell, shared: Cell) {
        let Some(thread) = own.thread else { return };
        let template = self.template(thread);
        let (a, b) = (self.read_passive(own), self.read(shared));
        let expression = self.expressions.binary(self.order(shared), a, b);
        let passive = Some(self.party(template, own));
        self.add(Predicate { expression, active: None, passive });
    }

    /// A shared variable is below another.
    fn less(&mut self, a: Cell, b: Cell) {
        let order = self.order(a);
        let (a, b) = (self.read(a), self.read(b));
        let expression = self.expressions.binary(order, a, b);
        self.add(Predicate { expression, active: None, passive: None });
    }

    fn order(&self, cell: Cell) -> BinaryOperator {
        match self.program.variable(cell.variable).ty {
            ValueType::Integer { is_signed: true } => BinaryOperator::SignedLess,
            _ => BinaryOperator::UnsignedLess,
        }
    }

    fn read(&mut self, cell: Cell) -> ExpressionId {
        self.expressions.variable(cell.variable, self.program.variable(cell.variable).bits)
    }

    fn read_passive(&mut self, cell: Cell) -> ExpressionId {
        let bits = self.program.variable(cell.variable).bits;
        self.expressions.insert(Expression::Passive(cell.variable), bits)
    }

    fn party(&self, template: TemplateId, cell: Cell) -> Party {
        Party { template, scope: definitely_assigned(self.program, template, &[cell.variable]) }
    }

    fn template(&self, thread: usize) -> TemplateId {
        template_of(self.program, self.steps, thread)
    }

    fn add(&mut self, predicate: Predicate) {
        // There are no others like the first thread.
        let is_about_first = predicate.passive.as_ref().is_some_and(|it| it.template == self.program.main);
        if !is_about_first && self.seen.insert(predicate.clone()) {
            self.found.push(Candidate { predicate, tier: 0 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_c_front::lower::{Options, read_text};
    use throng_c_front::preprocess::Preprocessing;
    use throng_cfa::flow::EdgeId;
    use throng_cfa::invariant::expression_text;

    fn program(text: &str) -> Program {
        let text = format!(
            "void __CPROVER_assert(_Bool, const char *);\nvoid __CPROVER_assume(_Bool);\nvoid __CPROVER_atomic_begin(void); void __CPROVER_atomic_end(void);\n{text}\n\
             int main(void) {{ while (1) {{ __CPROVER_ASYNC_1: thread(); }} }}\n"
        );
        let read = read_text("test.c", &text, &Preprocessing::default(), &Options::default());
        crate::prepare(&read.expect("the program is read").0).program
    }

    #[test]
    fn counters_grow_also_through_copies() {
        let program = program(
            "unsigned direct, split, reset, down, mixed, other;
             void thread(void) {
                 unsigned r, q;
                 direct++;
                 r = split; split = r + 1;
                 reset++; if (reset == 9) reset = 0;
                 down--;
                 q = mixed; if (q == 3) q = other; mixed = q + 1;
                 __CPROVER_assert(direct + split + reset + down + mixed + other != 77, \"\");
             }",
        );
        let growing = Growing::new(&program);
        let names = VariableId::all(program.variables.len()).filter(|it| growing.0.contains(it));
        let mut names: Vec<String> = names.map(|it| program.variable(it).name.clone()).collect();
        names.sort_unstable();
        assert_eq!(names, ["direct", "split"]);
    }

    /// Two threads take tickets and both find theirs served.
    #[test]
    fn two_who_need_the_same_ticket_must_not_have_it() {
        let program = program(
            "unsigned s, t; int inside;
             void thread(void) {
                 unsigned m;
                 __CPROVER_atomic_begin(); m = t; t++; __CPROVER_atomic_end();
                 __CPROVER_assume(s == m);
                 __CPROVER_assert(inside == 0, \"\"); inside = 1; inside = 0;
                 s++;
             }",
        );
        let edge = |text: &str| {
            let all = (0..program.edges.len()).map(EdgeId::new);
            let line = |id: EdgeId| program.edge_line(program.edge(id));
            let fitting = all.clone().find(|&id| line(id).contains(text));
            fitting.unwrap_or_else(|| panic!("{text} in {:?}", all.map(line).collect::<Vec<_>>()))
        };
        let (take, enter) = (edge("m := t"), edge("== m]"));
        let step = |thread: usize, edge: EdgeId| Taken { thread, edge, child: None, present: vec![1, 2] };
        let steps = [step(1, take), step(2, take), step(1, enter), step(2, enter)];
        let mut expressions = program.expressions.clone();
        let found = along(&program, &mut expressions, &steps, &Growing::new(&program));
        let shown = |it: &Candidate| {
            let text = expression_text(&program, &expressions, it.predicate.expression);
            let text = text.expect("it has a text").replace("#1", "").replace("#3", "");
            format!("{} {text}", it.predicate.kind().words())
        };
        let shown: Vec<String> = found.iter().map(shown).collect();
        assert!(shown.contains(&"an inter-thread predicate m != m$".to_owned()), "{shown:?}");
        assert!(shown.contains(&"a universal predicate m$ <u t".to_owned()), "{shown:?}");
        assert!(shown.contains(&"a shared predicate s == t".to_owned()), "{shown:?}");
        // What grows is equal to a ticket once: that is not worth knowing.
        assert!(!shown.iter().any(|it| it.contains("m == t") || it.contains("t == m")), "{shown:?}");
    }
}
