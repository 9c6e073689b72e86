//! Branches that decide nothing: all ways from them come together again soon, without a step on them that matters.
//!
//! Whatever decides such a branch, the thread comes to the same place with the same values in all variables that matter, after
//! finitely many steps, none of which can be held up. So the conditions of such a branch are no reason to refuse what has no
//! model: `if (log) log[0] = 'x';`.
//!
//! "Soon" and "held up" are judged by the shape alone: no loop, no end and no error on the way, and at each place either one
//! edge without a condition or two with opposite ones.

use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use throng_cfa::flow::{
    BinaryOperator, Edge, Expression, ExpressionId, LocationId, LocationKind, Program, UnaryOperator,
    VariableId,
};

/// How many places a detour has at most.
const MAX_PLACES: usize = 400;

/// The shape of the graphs.
pub(super) struct Detours<'p> {
    program: &'p Program,
    /// By location: its number in an order in which edges go upwards, but for loops.
    order: Vec<usize>,
}

impl<'p> Detours<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut order = vec![usize::MAX; program.locations.len()];
        let mut next = program.locations.len();
        for template in &program.templates {
            number(program, template.entry, &mut order, &mut next);
        }
        Self { program, order }
    }

    /// Whether the edges from a location decide nothing, given what matters.
    pub(super) fn is_detour(&self, from: LocationId, relevant: &FxHashSet<VariableId>) -> bool {
        let is_atomic = self.program.location(from).is_atomic;
        let mut waiting: BTreeMap<usize, LocationId> = BTreeMap::new();
        let mut place = from;
        for _ in 0..MAX_PLACES {
            if !self.is_free(place) || self.program.location(place).is_atomic != is_atomic {
                return false;
            }
            for (_, edge) in self.program.edges_from(place) {
                let (here, there) = (self.order[place.index()], self.order[edge.to.index()]);
                if there <= here || !is_idle(edge, relevant) {
                    return false;
                }
                waiting.insert(there, edge.to);
            }
            if waiting.len() == 1 {
                return true;
            }
            match waiting.pop_first() {
                Some((_, first)) => place = first,
                None => return false,
            }
        }
        false
    }

    /// Whether a thread always goes on from here.
    fn is_free(&self, place: LocationId) -> bool {
        if self.program.location(place).kind != LocationKind::Inner {
            return false;
        }
        let guards: Vec<ExpressionId> = self.program.edges_from(place).map(|(_, edge)| edge.guard).collect();
        match guards[..] {
            [only] => self.program.expressions.as_constant(only) == Some(1),
            [a, b] => self.are_opposite(a, b),
            _ => false,
        }
    }

    /// Whether one of two conditions holds, whatever variables hold.
    fn are_opposite(&self, a: ExpressionId, b: ExpressionId) -> bool {
        use BinaryOperator as Op;
        let get = |id| self.program.expressions.get(id);
        match (get(a), get(b)) {
            (Expression::Unary(UnaryOperator::Not, x), _) if x == b => true,
            (_, Expression::Unary(UnaryOperator::Not, x)) if x == a => true,
            (Expression::Binary(left, x, y), Expression::Binary(right, z, w)) => {
                let are_swapped = x == w && y == z;
                let is_pair = matches!(
                    (left, right),
                    (Op::SignedLess, Op::SignedLessOrEqual)
                        | (Op::SignedLessOrEqual, Op::SignedLess)
                        | (Op::UnsignedLess, Op::UnsignedLessOrEqual)
                        | (Op::UnsignedLessOrEqual, Op::UnsignedLess)
                );
                are_swapped && is_pair
            }
            _ => false,
        }
    }
}

/// Whether a step changes nothing that matters.
fn is_idle(edge: &Edge, relevant: &FxHashSet<VariableId>) -> bool {
    edge.effect.is_none() && edge.assignments.iter().all(|it| !relevant.contains(&it.target))
}

/// Numbers what can be reached, last things first.
fn number(program: &Program, entry: LocationId, order: &mut [usize], next: &mut usize) {
    const OPEN: usize = usize::MAX - 1;
    let successors =
        |at: LocationId| -> Vec<LocationId> { program.edges_from(at).map(|(_, edge)| edge.to).collect() };
    if order[entry.index()] != usize::MAX {
        return;
    }
    order[entry.index()] = OPEN;
    let mut stack = vec![(entry, successors(entry))];
    while let Some((at, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(to) if order[to.index()] == usize::MAX => {
                order[to.index()] = OPEN;
                stack.push((to, successors(to)));
            }
            Some(_) => {}
            None => {
                *next -= 1;
                order[at.index()] = *next;
                stack.pop();
            }
        }
    }
}
