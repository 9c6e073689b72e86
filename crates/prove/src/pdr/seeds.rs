//! Facts as what is excluded at all levels, without those that say less than others.

use super::cube::{Cube, Lit};
use super::frames::{ALWAYS, Frames};
use crate::houdini::Whom;
use rustc_hash::FxHashSet;
use throng_cfa::flow::{BinaryOperator, Expression, ExpressionId, Expressions, LocationId};
use throng_cfa::invariant::{Element, Invariant, Literal, Of};

/// All facts, but those of the form "one or the other" of which one is a fact already.
pub(super) fn frames(table: &Expressions, facts: &Invariant) -> Frames {
    let expression = |it: &Literal| facts.predicates.get(it.predicate).expression;
    let plain = |element: &Element| match element.literals[..] {
        [it] if !it.value => Some((element.threads.clone(), expression(&it))),
        _ => None,
    };
    let known: FxHashSet<(Vec<LocationId>, ExpressionId)> = facts.elements.iter().filter_map(plain).collect();
    let is_known = |threads: &[LocationId], it: ExpressionId| {
        known.contains(&(threads.to_vec(), it)) || known.contains(&(Vec::new(), it))
    };
    let mut frames = Frames::default();
    for element in &facts.elements {
        let is_weak = plain(element).is_some_and(|(threads, it)| match table.get(it) {
            Expression::Binary(BinaryOperator::Or, a, b) => is_known(&threads, a) || is_known(&threads, b),
            _ => false,
        });
        if !is_weak {
            let lits = element.literals.iter().map(|it| literal(it, expression(it))).collect();
            frames.add(Cube { threads: element.threads.clone(), lits }, ALWAYS);
        }
    }
    frames
}

fn literal(it: &Literal, expression: ExpressionId) -> Lit {
    let whom = match it.of {
        Of::State => Whom::Nobody,
        Of::Thread(a) => Whom::Thread(a),
        Of::Pair(a, b) => Whom::Threads(a, b),
    };
    Lit { expression, whom, value: it.value }
}
