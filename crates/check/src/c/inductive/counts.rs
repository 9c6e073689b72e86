//! Counts of threads as shared variables: that they are what they are said to be, and what is known of them in a scene.
//!
//! The value of a count in a state is the sum of the weights of the locations where the threads stand
//! ([`throng_cfa::invariant::Count`]). In the program that an invariant with counts is about, each is a shared variable. [`checked`] proves
//! that it has the count's value modulo 2ʷ, where w is its width, in every reachable state: it has at the start, where only the first thread is
//! there, and every edge changes it by the weight of where the thread goes, minus that of where it stands, plus that of where a new thread begins; nobody
//! else moves in a step, since signals and broadcasts only assign to variables.
//!
//! # What is known in a scene
//!
//! Let N be the most threads that a run can have. If N times the largest weight is less than 2ʷ, then the variable *is* the count's value, and
//!
//! * it is at most N times the largest weight, before and after the step;
//! * it is at least the sum of the weights of different threads, such as those at hand before the step.
//!
//! N is what the program is assumed to have (`flow::Program::most_threads`), and otherwise what fits the numbers of threads, as everywhere in this
//! check (`facts::number_bits`). If it does not fit, nothing is known but how the variable changes.

use super::scene::{Scene, Time};
use crate::{Condition, Rejection};
use throng_cfa::flow::{BinaryOperator, Edge, Effect, Expression, LocationId, Program, Scope, VariableId};
use throng_cfa::invariant::{Count, count_variable, counted};

/// A count, the variable that it is, and how large it can be.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    count: Count,
    variable: VariableId,
    /// `None` if that does not fit the variable.
    bound: Option<u128>,
}

/// The program with a variable for each count, which has the count's value.
pub(super) fn checked(program: &Program, counts: &[Count]) -> Result<Program, Rejection> {
    let with = counted(program, counts);
    for (number, count) in counts.iter().enumerate() {
        let id = count_variable(program.variables.len(), number);
        let is_right = well_formed(program, count)
            && begins_right(program, &with, count, id)
            && program.edges.len() == with.edges.len()
            && program.edges.iter().zip(&with.edges).all(|(old, new)| {
                same_moves(old, new) && added(&with, new, id) == Some(change(program, count, old))
            });
        if !is_right {
            let reason = "the variable does not count what the weights say";
            return Err(Rejection::new(Condition::Form, format!("count `{}`", count.name), reason));
        }
    }
    Ok(with)
}

/// Weights are positive, small enough to be added up, sorted, and at locations that exist.
fn well_formed(program: &Program, count: &Count) -> bool {
    let in_range = |&(at, weight): &(LocationId, u64)| {
        at.index() < program.locations.len() && (1..=u64::from(u32::MAX)).contains(&weight)
    };
    count.weights.iter().all(in_range)
        && count.weights.windows(2).all(|two| matches!(two, [(a, _), (b, _)] if a < b))
}

/// What a step along an edge adds, modulo the variable's width.
fn change(program: &Program, count: &Count, edge: &Edge) -> u128 {
    let weight = |at: LocationId| {
        u128::from(count.weights.iter().find(|&&(here, _)| here == at).map_or(0, |&(_, weight)| weight))
    };
    let started = match edge.effect {
        Some(Effect::Spawn { template, .. }) => weight(program.templates[template.index()].entry),
        _ => 0,
    };
    let sum = weight(edge.to).wrapping_add(started).wrapping_sub(weight(edge.from));
    sum & ones(count.bits)
}

fn ones(bits: u32) -> u128 {
    u128::MAX.checked_shr(128_u32.saturating_sub(bits)).unwrap_or(0)
}

fn begins_right(program: &Program, with: &Program, count: &Count, id: VariableId) -> bool {
    let main = program.templates[program.main.index()].entry;
    let first = count.weights.iter().find(|&&(at, _)| at == main).map_or(0, |&(_, weight)| weight);
    with.variables.get(id.index()).is_some_and(|variable| {
        variable.scope == Scope::Shared
            && variable.bits == count.bits
            && variable.length == 1
            && variable.initial.as_deref() == Some(&[u128::from(first)])
    })
}

/// Whether two edges are the same but for what they assign.
fn same_moves(old: &Edge, new: &Edge) -> bool {
    let started = |edge: &Edge| match edge.effect {
        Some(Effect::Spawn { template, .. }) => Some(template),
        _ => None,
    };
    (old.from, old.to, old.guard) == (new.from, new.to, new.guard) && started(old) == started(new)
}

/// What an edge adds to a variable; `None` if it does something else with it.
fn added(program: &Program, edge: &Edge, id: VariableId) -> Option<u128> {
    let table = &program.expressions;
    let mut assignments = edge.assignments.iter().filter(|assignment| assignment.target == id);
    let Some(assignment) = assignments.next() else { return Some(0) };
    if assignments.next().is_some() || assignment.index.is_some() {
        return None;
    }
    match table.get(assignment.value) {
        Expression::Binary(BinaryOperator::Add, a, b) if table.get(a) == Expression::Variable(id) => {
            table.as_constant(b)
        }
        _ => None,
    }
}

/// The counts of a program, of which so many threads' numbers are different.
pub(super) fn bounds(
    program: &Program,
    n_variables: usize,
    counts: &[Count],
    number_bits: u32,
) -> Vec<Counted> {
    let counted = counts.iter().enumerate().map(|(number, count)| {
        let most = program.most_threads.map_or_else(|| 1_u128 << number_bits.min(64), u128::from);
        Counted {
            count: count.clone(),
            variable: count_variable(n_variables, number),
            bound: most
                .checked_mul(count.weights.iter().map(|&(_, weight)| u128::from(weight)).max().unwrap_or(0))
                .filter(|&bound| bound <= ones(count.bits)),
        }
    });
    counted.collect()
}

impl Scene<'_> {
    /// Asserts what is known of counts, with threads at these locations before the step.
    pub(super) fn assert_counts(&mut self, at_hand: &[LocationId]) {
        let facts = self.facts;
        for counted in &facts.counts {
            let Some(bound) = counted.bound else { continue };
            let weights = at_hand.iter().map(|&at| u128::from(counted.count.weight(at)));
            let least = weights.fold(0, u128::saturating_add);
            let bits = counted.count.bits;
            for time in [Time::Before, Time::After] {
                let Some(&value) = self.scalars(None, counted.variable, time).first() else { continue };
                let most = self.terms.constant(bound, bits);
                let is_bounded = self.terms.ule(value, most);
                self.assert(is_bounded);
            }
            let Some(&before) = self.scalars(None, counted.variable, Time::Before).first() else { continue };
            let is_enough = if least <= bound {
                let least = self.terms.constant(least, bits);
                self.terms.ule(least, before)
            } else {
                self.terms.truth(false)
            };
            self.assert(is_enough);
        }
    }
}
