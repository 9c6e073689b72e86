//! By which constants edges change numbers.

use super::Known;
use super::numbers::Number;
use crate::translate::{Store, View, scope_of};
use throng_base::{Budget, StopReason};
use throng_cfa::flow::{Edge, Program, Scope, signed};
use throng_solver::terms::{TermId, Terms};
use throng_solver::{BitSolver, Outcome};

/// Larger steps are not those of a counter.
const LARGEST_STEP: i128 = 1 << 31;

/// What each edge adds to a number; `None` for an edge that cannot be taken.
pub(super) type Changes = Vec<Option<i128>>;

/// By number: what each edge adds; `None` if some edge does not add a constant.
///
/// If what an edge adds is not always the same, `alone` may know better: there, conditions hold as long as other threads do not disturb this one, as
/// when a lock is released by its holder. Whether they really hold is for those to find out who prove the counts.
pub(super) fn changes(
    program: &Program,
    numbers: &[Number],
    known: &dyn Known,
    alone: Option<&dyn Known>,
    budget: &Budget,
) -> Result<Vec<Option<Changes>>, StopReason> {
    let mut all: Vec<Option<Changes>> = vec![Some(Vec::with_capacity(program.edges.len())); numbers.len()];
    for edge in &program.edges {
        let step = Step::new(program, edge, numbers, known, budget)?;
        let undisturbed = match (&step, alone) {
            (Step::Adds { always, .. }, Some(alone)) if always.contains(&None) => {
                Step::new(program, edge, numbers, alone, budget)?
            }
            _ => Step::Impossible,
        };
        for (number, changes) in all.iter_mut().enumerate() {
            let other = match &undisturbed {
                Step::Impossible => None,
                Step::Adds { always, .. } => always[number],
            };
            let change = match &step {
                Step::Impossible => Some(None),
                Step::Adds { always, ordinarily } => {
                    always[number].or(other).or(ordinarily[number]).map(Some)
                }
            };
            *changes = match (changes.take(), change) {
                (Some(mut list), Some(change)) => {
                    list.push(change);
                    Some(list)
                }
                _ => None,
            };
        }
    }
    Ok(all)
}

enum Step {
    Impossible,
    Adds {
        /// By number: what the step adds, if that is always the same.
        always: Vec<Option<i128>>,
        /// The same away from the ends of the number's range.
        ordinarily: Vec<Option<i128>>,
    },
}

impl Step {
    fn new(
        program: &Program,
        edge: &Edge,
        numbers: &[Number],
        known: &dyn Known,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let Some(conditions) = known.at(edge.from) else { return Ok(Step::Impossible) };
        let is_touched = |number: &Number| edge.assignments.iter().any(|it| number.is_of(it.target));
        if !numbers.iter().any(is_touched) {
            let nothing = vec![Some(0); numbers.len()];
            return Ok(Step::Adds { always: nothing.clone(), ordinarily: nothing });
        }
        let mut terms = Terms::new();
        let shared = Store::fresh(program, Scope::Shared, &mut terms, "");
        let template = program.location(edge.from).template;
        let own = Store::fresh(program, scope_of(template), &mut terms, "");
        let mut solver = BitSolver::default();
        let mut view = View::new(&program.expressions, &shared, &own);
        let guard = view.term(&mut terms, edge.guard);
        solver.assert(&terms, guard);
        let mut after = shared.clone();
        for (variable, index, value) in view.assign(&mut terms, &edge.assignments) {
            if program.variable(variable).scope == Scope::Shared {
                after.set(variable, index, value);
            }
        }
        let mut facts = View::new(known.expressions(), &shared, &own);
        for condition in conditions {
            let condition = facts.term(&mut terms, condition);
            solver.assert(&terms, condition);
        }
        match solver.check(&terms, &[], budget) {
            Outcome::Unknown(reason) => return Err(reason),
            Outcome::Unsat(_) => return Ok(Step::Impossible),
            Outcome::Sat(_) => {}
        }
        let nothing = Store::default();
        let (mut always, mut ordinarily) = (Vec::new(), Vec::new());
        for number in numbers {
            if !is_touched(number) {
                always.push(Some(0));
                ordinarily.push(Some(0));
                continue;
            }
            let mut table = program.expressions.clone();
            let value = number.expression(&mut table, program);
            let old = View::new(&table, &shared, &nothing).term(&mut terms, value);
            let new = View::new(&table, &after, &nothing).term(&mut terms, value);
            let difference = terms.sub(new, old);
            let change = constant(&mut solver, &mut terms, difference, &[], budget)?;
            let mut ordinary_change = change;
            if change.is_none() {
                // Fields of words carry and borrow at their ends, where threads that are counted never come.
                let ordinary = within(&mut terms, old);
                ordinary_change = constant(&mut solver, &mut terms, difference, &[ordinary], budget)?;
            }
            always.push(change);
            ordinarily.push(ordinary_change);
        }
        Ok(Step::Adds { always, ordinarily })
    }
}

/// The value that a term always has under these assumptions, if it has one and that is small.
fn constant(
    solver: &mut BitSolver,
    terms: &mut Terms,
    term: TermId,
    assumptions: &[TermId],
    budget: &Budget,
) -> Result<Option<i128>, StopReason> {
    let model = match solver.check(terms, assumptions, budget) {
        Outcome::Unknown(reason) => return Err(reason),
        Outcome::Unsat(_) => return Ok(None),
        Outcome::Sat(model) => model,
    };
    let bits = terms.width(term);
    let value = model.value(terms, term);
    let constant = terms.constant(value, bits);
    let differs = terms.ne(term, constant);
    let all: Vec<TermId> = assumptions.iter().copied().chain([differs]).collect();
    match solver.check(terms, &all, budget) {
        Outcome::Unknown(reason) => Err(reason),
        Outcome::Sat(_) => Ok(None),
        Outcome::Unsat(_) => Ok(Some(signed(value, bits)).filter(|change| change.abs() < LARGEST_STEP)),
    }
}

/// That a number is neither 0 nor near the end of its range.
fn within(terms: &mut Terms, number: TermId) -> TermId {
    let bits = terms.width(number);
    let zero = terms.constant(0, bits);
    let some = terms.constant(1 << (bits / 2), bits);
    let (is_more, is_less) = (terms.ult(zero, number), terms.ult(number, some));
    terms.and(is_more, is_less)
}
