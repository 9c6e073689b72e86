//! Counts: how many threads stand where, as numbers that invariants can speak about.
//!
//! A [`Count`] gives every location a weight, zero if nothing is said. Its value in a state is the sum of the weights of the
//! locations where the threads stand. What a shared counter counts is then an ordinary condition: `readers == '#readers'`, where
//! the count `#readers` has weight 1 at the locations between taking and leaving a read lock.
//!
//! [`counted`] makes a count a shared variable of the program: an edge changes it by the weight of where the thread goes, minus that of where it
//! stands, plus that of where a new thread begins. The program does not read it, so its runs are the same.
//!
//! Values wrap around at the count's width. Whoever concludes from weights how large a count is has to know that it never becomes
//! larger than fits ([`Count::bound`]).

use super::{Predicate, Predicates};
use crate::flow::{
    Assignment, BinaryOperator, Edge, Effect, Expression, LocationId, Program, Scope, ValueType, Variable,
    VariableId,
};

/// How many threads stand where, by weights.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Count {
    /// What predicates call it; it begins with `#`, as no variable of a program does.
    pub name: String,
    /// The width of its value.
    pub bits: u32,
    /// Positive weights, sorted by location, each location once.
    pub weights: Vec<(LocationId, u64)>,
}

impl Count {
    /// The weight of a location.
    pub fn weight(&self, at: LocationId) -> u64 {
        self.weights
            .binary_search_by_key(&at, |&(location, _)| location)
            .map_or(0, |place| self.weights[place].1)
    }

    /// The largest weight.
    pub fn largest(&self) -> u64 {
        self.weights.iter().map(|&(_, weight)| weight).max().unwrap_or(0)
    }

    /// How much a step along an edge adds.
    pub fn change(&self, program: &Program, edge: &Edge) -> i128 {
        let weight = |at| i128::from(self.weight(at));
        let started = match edge.effect {
            Some(Effect::Spawn { template, .. }) => weight(program.templates[template.index()].entry),
            _ => 0,
        };
        weight(edge.to) - weight(edge.from) + started
    }

    /// The largest value with so many threads; `None` if that does not fit.
    pub fn bound(&self, most: u128) -> Option<u128> {
        let bound = most.checked_mul(u128::from(self.largest()))?;
        (self.bits >= 128 || bound >> self.bits == 0).then_some(bound)
    }
}

/// The variable that the count with this number is, in a program with counts that had so many variables without them.
pub fn count_variable(n_variables: usize, number: usize) -> VariableId {
    VariableId::new(n_variables + number)
}

/// The predicates that mention no counts, of a program that has none.
pub fn without_counts(program: &Program, predicates: &Predicates) -> Predicates {
    let table = &predicates.expressions;
    let is_plain = |predicate: &&Predicate| {
        table.subexpressions([predicate.expression]).into_iter().all(|part| match table.get(part) {
            Expression::Variable(id) | Expression::Element(id, _) | Expression::Passive(id) => {
                id.index() < program.variables.len()
            }
            _ => true,
        })
    };
    let list = predicates.list.iter().filter(is_plain).cloned().collect();
    Predicates { expressions: table.clone(), list }
}

/// The program with a shared variable for each count, after its own variables.
pub fn counted(program: &Program, counts: &[Count]) -> Program {
    let mut counted = program.clone();
    let main = program.templates[program.main.index()].entry;
    for (number, count) in counts.iter().enumerate() {
        let id = count_variable(program.variables.len(), number);
        counted.variables.push(Variable {
            name: count.name.clone(),
            function: None,
            scope: Scope::Shared,
            bits: count.bits,
            ty: ValueType::Integer { is_signed: false },
            length: 1,
            initial: Some(vec![u128::from(count.weight(main))]),
            address: None,
            is_ghost: true,
        });
        for (edge, old) in counted.edges.iter_mut().zip(&program.edges) {
            let change = count.change(program, old);
            if change != 0 {
                let e = &mut counted.expressions;
                let before = e.variable(id, count.bits);
                let change = e.constant(change as u128, count.bits);
                let value = e.insert(Expression::Binary(BinaryOperator::Add, before, change), count.bits);
                edge.assignments.push(Assignment { target: id, index: None, value });
            }
        }
    }
    counted
}
