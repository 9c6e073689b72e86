//! Valuations as bits, and what expressions can be in them.

use throng_boolprog::Cube;
use throng_boolprog::expression::Node;
use throng_boolprog::flow::{Expression, Reference, VariableId};

/// A valuation: bit i is the variable with index i.
pub(super) type Bits = u64;

/// All valuations of the variables of a mask; other bits are 0.
pub(super) fn bits_within(mask: Bits) -> Vec<Bits> {
    let next = |&bits: &Bits| Some(bits.wrapping_sub(mask) & mask).filter(|&next| next != 0);
    std::iter::successors(Some(0), next).collect()
}

/// The variables of a mask with their values.
pub(super) fn cube(bits: Bits, mask: Bits) -> Cube {
    (0..Bits::BITS)
        .filter(|index| mask >> index & 1 == 1)
        .map(|index| (index, bits >> index & 1 == 1))
        .collect()
}

/// Values before and after a step.
#[derive(Clone, Copy)]
pub(super) struct Valuation {
    pub(super) shared: [Bits; 2],
    pub(super) own: [Bits; 2],
    pub(super) passive: [Bits; 2],
}

/// Beyond so many choices an expression is not evaluated for all of them, one after the other.
const MOST_CHOICES: usize = 8;

impl Valuation {
    fn read(&self, reference: &Reference) -> bool {
        let time = usize::from(reference.is_next);
        let (bits, index) = match reference.variable {
            VariableId::Shared(index) => (self.shared[time], index),
            VariableId::Local(index) if reference.is_passive => (self.passive[time], index),
            VariableId::Local(index) => (self.own[time], index),
        };
        bits >> index & 1 == 1
    }

    /// Whether an expression has this value for some choice of its `*`.
    pub(super) fn can_be(&self, expression: &Expression, value: bool) -> bool {
        let nodes = expression.nodes().iter();
        let choices = nodes.filter(|node| matches!(node, Node::Choice | Node::Schoose)).count();
        if choices > MOST_CHOICES {
            return expression.possible_values(|reference| self.read(reference)).contains(value);
        }
        (0..1 << choices).any(|choices| self.evaluate(expression, choices) == value)
    }

    /// The value of an expression when its choices are the bits of `choices`, from the left.
    fn evaluate(&self, expression: &Expression, mut choices: u32) -> bool {
        let mut stack: Vec<bool> = Vec::new();
        for node in expression.nodes() {
            // Operands stand before operators, so the stack is never empty where it is asked.
            let mut pop = || stack.pop().unwrap_or_default();
            let mut choose = || {
                let choice = choices & 1 == 1;
                choices >>= 1;
                choice
            };
            let value = match node {
                Node::Constant(value) => *value,
                Node::Choice => choose(),
                Node::Read(reference) => self.read(reference),
                Node::Not => !pop(),
                Node::Binary(operator) => {
                    let right = pop();
                    operator.apply(pop(), right)
                }
                Node::Schoose => {
                    let (choice, second) = (choose(), pop());
                    pop() || (!second && choice)
                }
            };
            stack.push(value);
        }
        stack.pop().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valuations_are_those_of_the_mask() {
        assert_eq!(bits_within(0), [0]);
        assert_eq!(bits_within(0b101), [0, 1, 4, 5]);
        assert_eq!(cube(0b110, 0b011), [(0, false), (1, true)].into_iter().collect());
    }
}
