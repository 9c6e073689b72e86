//! Boolean expressions in postorder.
//!
//! An expression is the list of its nodes, operands before operators. So it needs one allocation, is evaluated by one
//! pass with a stack, and no depth of nesting can exhaust the stack of a function that follows it: programs made by
//! tools contain conjunctions of many thousand terms. What a leaf refers to is a parameter: a name in the syntax
//! tree, a variable in the control-flow graph.
//!
//! `*` is a value chosen anew wherever it stands and whenever it is evaluated. `schoose[a, b]` is true if a is, false
//! if a is false and b is true, and chosen otherwise. So an expression has a set of possible values, not one.

/// The operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// Both.
    And,
    /// At least one.
    Or,
    /// Exactly one.
    Xor,
    /// Not the first, or the second.
    Implies,
    /// The same value.
    Equal,
    /// Different values.
    NotEqual,
}

impl Operator {
    /// The value for these operands.
    pub fn apply(self, left: bool, right: bool) -> bool {
        match self {
            Operator::And => left & right,
            Operator::Or => left | right,
            Operator::Xor | Operator::NotEqual => left ^ right,
            Operator::Implies => !left | right,
            Operator::Equal => left == right,
        }
    }
}

/// One node of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<R> {
    /// `0` or `1`.
    Constant(bool),
    /// `*`: either value.
    Choice,
    /// The value of a variable.
    Read(R),
    /// Negation of the expression before.
    Not,
    /// An operator on the two expressions before.
    Binary(Operator),
    /// `schoose[a, b]` on the two expressions before.
    Schoose,
}

impl<R> Node<R> {
    /// How many operands it has.
    pub fn operands(&self) -> usize {
        match self {
            Node::Constant(_) | Node::Choice | Node::Read(_) => 0,
            Node::Not => 1,
            Node::Binary(_) | Node::Schoose => 2,
        }
    }
}

/// An expression over references `R`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression<R> {
    /// INVARIANT: every operator stands behind its operands, and one expression remains.
    nodes: Vec<Node<R>>,
}

impl<R> Expression<R> {
    /// The expression with these nodes, or `None` if they are not one expression in postorder.
    pub fn from_postorder(nodes: Vec<Node<R>>) -> Option<Self> {
        let mut available = 0_usize;
        for node in &nodes {
            available = available.checked_sub(node.operands())? + 1;
        }
        (available == 1).then_some(Self { nodes })
    }

    /// A constant.
    pub fn constant(value: bool) -> Self {
        Self { nodes: vec![Node::Constant(value)] }
    }

    /// `*`.
    pub fn choice() -> Self {
        Self { nodes: vec![Node::Choice] }
    }

    /// The value of a variable.
    pub fn read(reference: R) -> Self {
        Self { nodes: vec![Node::Read(reference)] }
    }

    /// The negation.
    #[must_use]
    pub fn negated(mut self) -> Self {
        self.nodes.push(Node::Not);
        self
    }

    /// An operator on this and another expression.
    #[must_use]
    pub fn binary(mut self, operator: Operator, mut right: Self) -> Self {
        self.nodes.append(&mut right.nodes);
        self.nodes.push(Node::Binary(operator));
        self
    }

    /// `schoose[self, otherwise]`.
    #[must_use]
    pub fn schoose(mut self, mut otherwise: Self) -> Self {
        self.nodes.append(&mut otherwise.nodes);
        self.nodes.push(Node::Schoose);
        self
    }

    /// The nodes in postorder.
    pub fn nodes(&self) -> &[Node<R>] {
        &self.nodes
    }

    /// What the expression refers to, from left to right.
    pub fn references(&self) -> impl Iterator<Item = &R> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Read(reference) => Some(reference),
            _ => None,
        })
    }

    /// The expression with other references.
    pub fn map<S>(&self, mut convert: impl FnMut(&R) -> S) -> Expression<S> {
        let nodes = self.nodes.iter().map(|node| match node {
            Node::Constant(value) => Node::Constant(*value),
            Node::Choice => Node::Choice,
            Node::Read(reference) => Node::Read(convert(reference)),
            Node::Not => Node::Not,
            Node::Binary(operator) => Node::Binary(*operator),
            Node::Schoose => Node::Schoose,
        });
        Expression { nodes: nodes.collect() }
    }

    /// For each node, the index of the first node of the expression that ends with it. The right operand of the
    /// operator at `i` ends at `i - 1`, the left one before the start of the right one.
    pub fn starts(&self) -> Vec<u32> {
        let mut starts = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let mut start = index;
            for _ in 0..node.operands() {
                // INVARIANT: the operands stand before the operator, so `start` is above 0.
                start = starts[start - 1] as usize;
            }
            // Expressions come from sources below 4 GiB, a node from at least one byte.
            starts.push(start as u32);
        }
        starts
    }

    /// The values that the expression can have when variables have the values that `read` gives.
    pub fn possible_values(&self, mut read: impl FnMut(&R) -> bool) -> Values {
        // Every choice stands in one place only, so operands take their values independently of each other.
        let mut stack: Vec<Values> = Vec::new();
        for node in &self.nodes {
            // INVARIANT: postorder, so that operands are on the stack; the default is never taken.
            let mut pop = || stack.pop().unwrap_or(Values::EITHER);
            let values = match node {
                Node::Constant(value) => Values::only(*value),
                Node::Choice => Values::EITHER,
                Node::Read(reference) => Values::only(read(reference)),
                Node::Not => pop().negated(),
                Node::Binary(operator) => {
                    let right = pop();
                    pop().combine(right, |a, b| Values::only(operator.apply(a, b)))
                }
                Node::Schoose => {
                    let second = pop();
                    pop().combine(second, |a, b| if a || b { Values::only(a) } else { Values::EITHER })
                }
            };
            stack.push(values);
        }
        stack.pop().unwrap_or(Values::EITHER)
    }
}

/// The values that an expression can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    /// Whether it can be false.
    pub can_be_false: bool,
    /// Whether it can be true.
    pub can_be_true: bool,
}

impl Values {
    /// Both values.
    pub const EITHER: Self = Self { can_be_false: true, can_be_true: true };

    /// One value.
    pub fn only(value: bool) -> Self {
        Self { can_be_false: !value, can_be_true: value }
    }

    /// Whether this value is possible.
    pub fn contains(self, value: bool) -> bool {
        if value { self.can_be_true } else { self.can_be_false }
    }

    fn negated(self) -> Self {
        Self { can_be_false: self.can_be_true, can_be_true: self.can_be_false }
    }

    /// What an operator makes of all pairs of values.
    fn combine(self, right: Self, operator: impl Fn(bool, bool) -> Self) -> Self {
        let mut all = Self { can_be_false: false, can_be_true: false };
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            if self.contains(a) && right.contains(b) {
                let values = operator(a, b);
                all.can_be_false |= values.can_be_false;
                all.can_be_true |= values.can_be_true;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: char) -> Expression<char> {
        Expression::read(name)
    }

    #[test]
    fn operands_are_found_in_postorder() {
        // (a & !b) => schoose[c, *]
        let left = read('a').binary(Operator::And, read('b').negated());
        let expression = left.binary(Operator::Implies, read('c').schoose(Expression::choice()));
        assert_eq!(expression.starts(), [0, 1, 1, 0, 4, 5, 4, 0]);
        assert_eq!(expression.references().collect::<String>(), "abc");
        assert_eq!(Expression::from_postorder(expression.nodes().to_vec()), Some(expression));
    }

    #[test]
    fn what_is_not_one_expression_is_refused() {
        for nodes in
            [vec![], vec![Node::Not], vec![Node::Read('a'), Node::Choice], vec![Node::Choice, Node::Schoose]]
        {
            assert_eq!(Expression::from_postorder(nodes.clone()), None, "{nodes:?}");
        }
    }

    #[test]
    fn schoose_prefers_its_first_operand() {
        for (a, b, expected) in [
            (true, true, Values::only(true)),
            (true, false, Values::only(true)),
            (false, true, Values::only(false)),
            (false, false, Values::EITHER),
        ] {
            let expression = read('a').schoose(read('b'));
            assert_eq!(expression.possible_values(|&name| if name == 'a' { a } else { b }), expected);
        }
    }

    #[test]
    fn every_choice_is_made_for_itself() {
        let values = |expression: Expression<char>| expression.possible_values(|&name| name == 'a');
        let equal = |left: Expression<char>, right| left.binary(Operator::Equal, right);
        assert_eq!(values(equal(Expression::choice(), Expression::choice())), Values::EITHER);
        assert_eq!(values(equal(read('a'), read('a'))), Values::only(true));
        let guarded = read('b').binary(Operator::And, Expression::choice());
        assert_eq!(values(guarded.clone()), Values::only(false));
        assert_eq!(values(guarded.negated()), Values::only(true));
    }

    #[test]
    fn operators_have_their_truth_tables() {
        use Operator::{And, Equal, Implies, NotEqual, Or, Xor};
        let tables = [
            (And, [false, false, false, true]),
            (Or, [false, true, true, true]),
            (Xor, [false, true, true, false]),
            (Implies, [true, true, false, true]),
            (Equal, [true, false, false, true]),
            (NotEqual, [false, true, true, false]),
        ];
        for (operator, table) in tables {
            let inputs = [(false, false), (false, true), (true, false), (true, true)];
            assert_eq!(inputs.map(|(a, b)| operator.apply(a, b)), table, "{operator:?}");
        }
    }
}
