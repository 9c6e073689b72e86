//! Which shared numbers say how many threads stand where: `x == c + Σ weight(l) · (threads at l)`.
//!
//! Nothing is decided here: what comes out are [`Count`]s and equations that might always hold, from which `houdini` keeps
//! those that do. How they are found: for a shared number x (`numbers`: variables, elements, fields of packed words), every edge has to change it by a
//! constant wherever it can be taken (`changes`, asked of the solver, with what is known at the edge's location). Then weights
//! are a solution of linear equations, one for each edge: the weight of where the thread goes, minus that of where it stands, plus that of where a new
//! thread begins, is what the edge adds (`weights`).
//!
//! A count of threads has no negative weights, so that it is at least the weights of any threads: the weights of one sign make one count.

mod changes;
mod numbers;
mod weights;

use numbers::Number;
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{
    BinaryOperator, Expression, ExpressionId, Expressions, LocationId, Program, TemplateId, VariableId, mask,
};
use throng_cfa::invariant::{Count, count_variable, counted};
use throng_solver::terms::{TermId, Terms};

/// At most so many numbers are looked at.
const MOST_NUMBERS: usize = 48;

/// At most so many counts are differences of others.
const MOST_SUMS: usize = 6;

/// What is known at locations: conditions, in a table that begins with the program's expressions; `None` where nobody ever stands.
pub(crate) trait Known {
    /// The table.
    fn expressions(&self) -> &Expressions;
    /// What is known of a thread there, and of the state.
    fn at(&self, location: LocationId) -> Option<Vec<ExpressionId>>;
}

/// A number that may be what threads add up to: `number == constant + plus - minus`.
#[derive(Clone, Debug)]
struct Equation {
    number: Number,
    constant: i128,
    plus: Option<usize>,
    minus: Option<usize>,
}

/// Counts that may be worth knowing, and equations that may hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counting {
    pub(crate) counts: Vec<Count>,
    equations: Vec<Equation>,
    /// Counts that are sums of two others: the sum, and both parts.
    sums: Vec<(usize, usize, usize)>,
    n_variables: usize,
    /// The most threads that a run can have.
    most_threads: u128,
}

/// Whether there is a number that edges change by other values than constants: otherwise there is nothing to be counted.
pub(crate) fn is_promising(program: &Program) -> bool {
    !numbers::numbers(program).is_empty()
}

/// Looks for counts.
///
/// `known` is what always holds; `alone` what holds as long as nobody disturbs a thread, which is a guess.
pub(crate) fn find(
    program: &Program,
    known: &dyn Known,
    alone: &dyn Known,
    budget: &Budget,
) -> Result<Counting, StopReason> {
    let most_threads = program.most_threads.map_or(1 << 64, u128::from);
    let n_variables = program.variables.len();
    let mut found = Counting { n_variables, most_threads, ..Counting::default() };
    let mut numbers = numbers::numbers(program);
    numbers.truncate(MOST_NUMBERS);
    let plain = changes::changes(program, &numbers, known, None, budget)?;
    let guessed = changes::changes(program, &numbers, known, Some(alone), budget)?;
    for ((number, plain), guessed) in numbers.into_iter().zip(plain).zip(guessed) {
        // The second only if the first has no solution, or none that says anything.
        let solutions = [plain, guessed].into_iter().flatten();
        let mut solutions = solutions.filter_map(|changes| weights::solve(program, &changes, number.initial));
        let Some(weights) = solutions.find(|them| them.iter().any(|&weight| weight != 0)) else { continue };
        // The other difference says the same, with the sign that makes it a count.
        if number.less.is_some() && weights.iter().all(|&weight| weight <= 0) {
            continue;
        }
        let name = numbers::name(program, &number);
        let plus = found.count(&format!("#{name}"), &weights, 1);
        let minus = found.count(&format!("#-{name}"), &weights, -1);
        let main = program.templates[program.main.index()].entry;
        let constant = number.initial - weights[main.index()];
        if plus.is_some() || minus.is_some() {
            found.equations.push(Equation { number, constant, plus, minus });
        }
    }
    found.add_sums();
    Ok(found)
}

impl Counting {
    /// Where one count is never less than another, their difference is a count as well, which says so.
    fn add_sums(&mut self) {
        let n = self.counts.len();
        for (large, small) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            let (whole, part) = (&self.counts[large], &self.counts[small]);
            if self.counts.len() >= n + MOST_SUMS
                || part.weights.iter().any(|&(at, it)| it > whole.weight(at))
            {
                continue;
            }
            let rest = whole.weights.iter().map(|&(at, it)| (at, it - part.weight(at)));
            let weights: Vec<(LocationId, u64)> = rest.filter(|&(_, it)| it > 0).collect();
            let rest = match self.counts.iter().position(|count| count.weights == weights) {
                Some(known) => known,
                None => {
                    let name = format!("{} - {}", whole.name, part.name);
                    self.counts.push(Count { name, bits: whole.bits, weights });
                    self.counts.len() - 1
                }
            };
            self.sums.push((large, small, rest));
        }
    }

    /// The number of the count of all weights with this sign; `None` if there are none.
    fn count(&mut self, name: &str, weights: &[i128], sign: i128) -> Option<usize> {
        let positive = weights.iter().enumerate().filter_map(|(index, &weight)| {
            let weight = u64::try_from(weight.checked_mul(sign)?).ok().filter(|&weight| weight > 0)?;
            Some((LocationId::new(index), weight))
        });
        let weights: Vec<(LocationId, u64)> = positive.collect();
        let largest = u128::from(weights.iter().map(|&(_, weight)| weight).max()?);
        if let Some(known) = self.counts.iter().position(|count| count.weights == weights) {
            return Some(known);
        }
        let bits = 128 - self.most_threads.checked_mul(largest)?.leading_zeros();
        self.counts.push(Count { name: name.to_owned(), bits: bits.max(1), weights });
        Some(self.counts.len() - 1)
    }

    /// The program with a variable for each count.
    pub(crate) fn program(&self, program: &Program) -> Program {
        counted(program, &self.counts)
    }

    /// The equations as conditions, in a table that begins with the expressions of the program with counts: modulo the number's width, and, where
    /// a count may be larger than that, exactly, for numbers without and with a sign.
    pub(crate) fn conditions(&self, e: &mut Expressions, program: &Program) -> Vec<ExpressionId> {
        let mut all = Vec::new();
        for &(whole, part, rest) in &self.sums {
            let bits = self.counts[whole].bits;
            let [whole, part, rest] = [whole, part, rest].map(|it| {
                let count = e.variable(count_variable(self.n_variables, it), self.counts[it].bits);
                e.resize(count, bits, false)
            });
            let sum = e.add(part, rest);
            all.push(e.equal(whole, sum));
        }
        for equation in &self.equations {
            let bits = equation.number.value.bits(e);
            let widest =
                [equation.plus, equation.minus].into_iter().flatten().map(|it| self.counts[it].bits).max();
            let wide = widest.unwrap_or(0).max(bits).saturating_add(2).min(128);
            all.push(self.condition(e, program, equation, bits, false));
            if widest.is_some_and(|widest| widest >= bits) && wide > bits {
                all.push(self.condition(e, program, equation, wide, false));
                all.push(self.condition(e, program, equation, wide, true));
            }
        }
        all
    }

    fn condition(
        &self,
        e: &mut Expressions,
        program: &Program,
        equation: &Equation,
        bits: u32,
        is_signed: bool,
    ) -> ExpressionId {
        let number = equation.number.expression(e, program);
        let number = e.resize(number, bits, is_signed);
        let mut value = e.constant(equation.constant as u128 & mask(bits), bits);
        let count = |e: &mut Expressions, number: usize| {
            let width = self.counts[number].bits;
            let variable = e.variable(count_variable(self.n_variables, number), width);
            e.resize(variable, bits, false)
        };
        if let Some(plus) = equation.plus {
            let plus = count(e, plus);
            value = e.add(value, plus);
        }
        if let Some(minus) = equation.minus {
            let minus = count(e, minus);
            value = e.subtract(value, minus);
        }
        e.equal(number, value)
    }

    /// Where tickets are counted, a thread's own number may be one of them: `own - served < drawn - served`, for each variable of this width.
    pub(crate) fn tickets(
        &self,
        e: &mut Expressions,
        program: &Program,
        template: TemplateId,
    ) -> Vec<ExpressionId> {
        let mut all = Vec::new();
        for equation in &self.equations {
            let Some((served, _)) = equation.number.less else { continue };
            let served = served.expression(e, program);
            let bits = e.bits(served);
            let difference = equation.number.expression(e, program);
            for &own in &program.templates[template.index()].locals {
                let width = program.variable(own).bits;
                if width >= bits && program.variable(own).length == 1 {
                    let own = e.variable(own, width);
                    let own = e.extract(own, 0, bits);
                    let before = e.subtract(own, served);
                    all.push(e.binary(BinaryOperator::UnsignedLess, before, difference));
                }
            }
        }
        all
    }

    /// Two threads may never have the same ticket, as far as tickets are compared.
    pub(crate) fn different_tickets(
        &self,
        e: &mut Expressions,
        program: &Program,
        template: TemplateId,
    ) -> Vec<ExpressionId> {
        let mut all = Vec::new();
        for equation in self.equations.iter().filter(|it| it.number.less.is_some()) {
            let bits = equation.number.value.bits(e);
            for &own in &program.templates[template.index()].locals {
                let width = program.variable(own).bits;
                if width >= bits && program.variable(own).length == 1 {
                    let (mine, other) = (e.variable(own, width), e.insert(Expression::Passive(own), width));
                    let (mine, other) = (e.extract(mine, 0, bits), e.extract(other, 0, bits));
                    let equal = e.equal(mine, other);
                    let different = e.not(equal);
                    if !all.contains(&different) {
                        all.push(different);
                    }
                }
            }
        }
        all
    }

    /// What is known of counts before and after a step with threads at these locations before it; `values` are those of a count's variable.
    pub(crate) fn bounds(
        &self,
        terms: &mut Terms,
        locations: &[LocationId],
        mut values: impl FnMut(VariableId) -> Option<(TermId, TermId)>,
    ) -> Vec<TermId> {
        let mut known = Vec::new();
        for (number, count) in self.counts.iter().enumerate() {
            let Some(most) = count.bound(self.most_threads) else { continue };
            let Some((before, after)) = values(count_variable(self.n_variables, number)) else { continue };
            let least = locations.iter().map(|&at| u128::from(count.weight(at))).sum();
            let (least, most) = (terms.constant(least, count.bits), terms.constant(most, count.bits));
            known.extend([terms.ule(least, before), terms.ule(before, most), terms.ule(after, most)]);
        }
        known
    }
}
