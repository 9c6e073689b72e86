//! Candidates that obligations need: what has to hold for a variable where it is used as an index, a pointer or a divisor, said of
//! every variable that its value may come from.
//!
//! `next[old]` needs `old < 4`. If `old` is a copy of `top`, and `top` of some `next[node]`, then `top < 4` and `next[0] < 4`, …
//! are what a proof is made of, but they stand nowhere in the program's text.

use super::Builder;
use super::rewrite::rewrite;
use std::collections::{BTreeMap, BTreeSet};
use throng_cfa::flow::{Effect, Expression, ExpressionId, LocationKind, UnaryOperator, VariableId};

/// Elements of longer arrays are not told apart.
const LONGEST: u32 = 16;
/// How many candidates there may be.
const MOST: usize = 160;

/// A variable, or an element of one by a constant index.
type Leaf = (VariableId, Option<ExpressionId>);

impl Builder<'_> {
    /// What obligations say of variables, and of those that they are copies of.
    pub(super) fn ranges(&mut self) {
        let program = self.program;
        let sources = self.sources();
        let mut waiting: Vec<(Leaf, ExpressionId)> = Vec::new();
        for edge in &program.edges {
            let LocationKind::Error(property) = program.location(edge.to).kind else { continue };
            if program.properties[property.index()].kind.is_obligation() {
                for part in self.conjuncts(edge.guard) {
                    let condition = self.e.not(part);
                    waiting.extend(self.leaves(condition).into_iter().map(|leaf| (leaf, condition)));
                }
            }
        }
        let mut seen: BTreeSet<(Leaf, ExpressionId)> = waiting.iter().copied().collect();
        let mut next = 0;
        while let Some(&(leaf, condition)) = waiting.get(next) {
            next += 1;
            self.add(condition, 1);
            if waiting.len() > MOST {
                continue;
            }
            for &source in sources.get(&leaf.0).into_iter().flatten() {
                let Some(of_source) = self.said_of(condition, leaf, source) else { continue };
                if seen.insert((source, of_source)) {
                    waiting.push((source, of_source));
                }
            }
        }
    }

    /// The parts of a condition all of which hold if it does.
    fn conjuncts(&self, condition: ExpressionId) -> Vec<ExpressionId> {
        let mut found = Vec::new();
        let mut open = vec![condition];
        while let Some(id) = open.pop() {
            match self.e.get(id) {
                Expression::Binary(throng_cfa::flow::BinaryOperator::And, a, b) => open.extend([b, a]),
                _ => found.push(id),
            }
        }
        found
    }

    /// The only variable of a condition; none if there are several.
    fn leaves(&self, condition: ExpressionId) -> Option<Leaf> {
        let mut found = BTreeSet::new();
        let mut open = vec![condition];
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.e.get(id) {
                Expression::Variable(variable) => {
                    found.insert((variable, None));
                }
                Expression::Element(variable, index) if self.e.as_constant(index).is_some() => {
                    found.insert((variable, Some(index)));
                }
                Expression::Nondet(_) | Expression::Element(..) | Expression::Passive(_) => return None,
                _ => open.extend(self.e.operands(id)),
            }
        }
        if found.len() == 1 { found.pop_first() } else { None }
    }

    /// For each variable, those that its values come from.
    fn sources(&mut self) -> BTreeMap<VariableId, BTreeSet<Leaf>> {
        let program = self.program;
        let mut sources: BTreeMap<VariableId, BTreeSet<Leaf>> = BTreeMap::new();
        for edge in &program.edges {
            let assigned = edge.assignments.iter().map(|it| (it.target, it.value));
            let started = match &edge.effect {
                Some(Effect::Spawn { arguments, .. }) => arguments.as_slice(),
                _ => &[],
            };
            for (target, value) in assigned.chain(started.iter().copied()) {
                let found = self.origins(value);
                sources.entry(target).or_default().extend(found);
            }
        }
        sources
    }

    /// The variables that a value is a copy of, perhaps after adding a constant.
    fn origins(&mut self, value: ExpressionId) -> Vec<Leaf> {
        let mut found = Vec::new();
        let mut open = vec![value];
        while let Some(id) = open.pop() {
            match self.e.get(id) {
                Expression::Variable(variable) => found.push((variable, None)),
                Expression::Element(variable, index) => {
                    let length = self.program.variable(variable).length;
                    let bits = self.e.bits(index);
                    if length <= LONGEST {
                        let indices = (0..length).map(|at| self.e.constant(at.into(), bits));
                        found.extend(indices.map(|index| (variable, Some(index))));
                    }
                }
                Expression::IfThenElse(_, a, b) => open.extend([a, b]),
                Expression::Extend { operand, .. } | Expression::Extract { operand, low: 0 } => {
                    open.push(operand);
                }
                Expression::Unary(UnaryOperator::Negate, _) | Expression::Constant(_) => {}
                Expression::Binary(operator, a, b) if !operator.is_comparison() => open.extend([a, b]),
                _ => {}
            }
        }
        found
    }

    /// The condition said of another variable; `None` if that has another width.
    fn said_of(&mut self, condition: ExpressionId, leaf: Leaf, source: Leaf) -> Option<ExpressionId> {
        let program = self.program;
        let bits = program.variable(source.0).bits;
        if bits != program.variable(leaf.0).bits {
            return None;
        }
        let replacement = match source.1 {
            None => self.e.variable(source.0, bits),
            Some(index) => self.e.element(source.0, index, bits),
        };
        let said = rewrite(&mut self.e, condition, &mut |_, found, _| match found {
            Expression::Variable(variable) if (variable, None) == leaf => Some(replacement),
            Expression::Element(variable, index) if (variable, Some(index)) == leaf => Some(replacement),
            _ => None,
        });
        Some(said)
    }
}
