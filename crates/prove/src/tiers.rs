//! In which order candidates are tried.
//!
//! A comparison of a variable with a constant is worth little if the variable takes ever new values: it says what one run did, and the next
//! spurious run does it with the next value. So such conditions come last, unless they stand in a guard of the program. *Flags*,
//! which are only ever assigned constants and each other, are different.

use crate::weakest::atoms_of;
use rustc_hash::FxHashSet;
use throng_cfa::flow::{BinaryOperator, Expression, ExpressionId, Expressions, Program, VariableId};

/// How much later constants of other variables than flags are tried.
const LATER: u8 = 5;

/// How much later conditions are tried in which a constant is added to such a variable: they are one of many, too.
const SHIFTED: u8 = 3;

/// Knows the flags and guards of a program.
#[derive(Clone, Debug)]
pub(crate) struct Tiers {
    flags: FxHashSet<VariableId>,
    guards: FxHashSet<ExpressionId>,
}

impl Tiers {
    pub(crate) fn new(program: &Program) -> Self {
        let expressions = &program.expressions;
        let mut guards = Vec::new();
        program.edges.iter().for_each(|edge| atoms_of(expressions, edge.guard, &mut guards));
        let mut flags: FxHashSet<VariableId> = VariableId::all(program.variables.len()).collect();
        loop {
            let n = flags.len();
            for assignment in program.edges.iter().flat_map(|edge| &edge.assignments) {
                if !is_flag_value(expressions, assignment.value, &flags) {
                    flags.remove(&assignment.target);
                }
            }
            if flags.len() == n {
                return Self { flags, guards: guards.into_iter().collect() };
            }
        }
    }

    /// The tier of a condition that would have this one.
    pub(crate) fn of(&self, expressions: &Expressions, condition: ExpressionId, tier: u8) -> u8 {
        let mut atoms = Vec::new();
        atoms_of(expressions, condition, &mut atoms);
        let is_late = |&atom: &ExpressionId| {
            !self.guards.contains(&atom) && self.is_constant_of_other(expressions, atom)
        };
        let is_shifted =
            |&atom: &ExpressionId| !self.guards.contains(&atom) && self.is_offset_of_other(expressions, atom);
        match () {
            () if atoms.iter().any(is_late) => tier + LATER,
            () if atoms.iter().any(is_shifted) => tier + SHIFTED,
            () => tier,
        }
    }

    /// Whether a constant is added to something that is no flag.
    fn is_offset_of_other(&self, expressions: &Expressions, atom: ExpressionId) -> bool {
        let mut stack = vec![atom];
        while let Some(id) = stack.pop() {
            if let Expression::Binary(BinaryOperator::Add | BinaryOperator::Subtract, a, b) =
                expressions.get(id)
            {
                let constant = expressions.as_constant(a).or(expressions.as_constant(b));
                let mentioned = crate::translate::variables(expressions, id);
                let mut all = mentioned.own.iter().chain(&mentioned.passive);
                if constant.is_some() && all.any(|it| !self.flags.contains(it)) {
                    return true;
                }
            }
            stack.extend(expressions.operands(id));
        }
        false
    }

    /// Whether a comparison is one of a constant and something that is no flag.
    fn is_constant_of_other(&self, expressions: &Expressions, atom: ExpressionId) -> bool {
        let Expression::Binary(_, a, b) = expressions.get(atom) else { return false };
        let is_constant =
            |id| crate::translate::variables(expressions, id) == crate::translate::Mentioned::default();
        let mentions_other = |id| {
            let mentioned = crate::translate::variables(expressions, id);
            mentioned.own.iter().chain(&mentioned.passive).any(|it| !self.flags.contains(it))
        };
        is_constant(a) && mentions_other(b) || is_constant(b) && mentions_other(a)
    }
}

/// Whether a value is a constant or that of a flag.
fn is_flag_value(expressions: &Expressions, value: ExpressionId, flags: &FxHashSet<VariableId>) -> bool {
    match expressions.get(value) {
        Expression::Constant(_) => true,
        Expression::Variable(variable) => flags.contains(&variable),
        Expression::IfThenElse(_, a, b) => {
            is_flag_value(expressions, a, flags) && is_flag_value(expressions, b, flags)
        }
        Expression::Extend { operand, .. } | Expression::Extract { operand, .. } => {
            is_flag_value(expressions, operand, flags)
        }
        _ => expressions.bits(value) == 1,
    }
}
