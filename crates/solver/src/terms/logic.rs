//! Constructors of terms that work bit by bit.

use super::{Node, Op, TermId, Terms, values};

impl Terms {
    /// All bits negated.
    pub fn not(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        match self.node(a) {
            Node::Constant(value) => self.constant(!value, width),
            Node::Not(x) => x,
            _ => self.intern(Node::Not(a), width),
        }
    }

    /// Conjunction, bit by bit.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(k) = self.as_constant(b) {
            if k == 0 {
                return b;
            } else if k == values::ones(width) {
                return a;
            } else if let Some(value) = self.as_constant(a) {
                return self.constant(value & k, width);
            } else if let Some((x, inner)) = self.with_constant(a, Op::And) {
                let mask = self.constant(k & inner, width);
                return if k & inner == 0 {
                    mask
                } else {
                    self.intern(Node::Binary(Op::And, x, mask), width)
                };
            }
        }
        if a == b {
            return a;
        } else if self.are_complements(a, b) {
            return self.constant(0, width);
        }
        for (whole, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.operands(whole, Op::And) {
                if x == other || y == other {
                    return whole;
                } else if self.are_complements(x, other) || self.are_complements(y, other) {
                    return self.constant(0, width);
                }
            } else if let Some((x, y)) = self.operands(whole, Op::Or)
                && (x == other || y == other)
            {
                return other;
            }
        }
        self.intern(Node::Binary(Op::And, a, b), width)
    }

    /// Disjunction, bit by bit.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        let (a, b) = self.ordered(a, b);
        let ones = values::ones(width);
        if let Some(k) = self.as_constant(b) {
            if k == ones {
                return b;
            } else if k == 0 {
                return a;
            } else if let Some(value) = self.as_constant(a) {
                return self.constant(value | k, width);
            } else if let Some((x, inner)) = self.with_constant(a, Op::Or) {
                let set = self.constant(k | inner, width);
                return if k | inner == ones {
                    set
                } else {
                    self.intern(Node::Binary(Op::Or, x, set), width)
                };
            }
        }
        if a == b {
            return a;
        } else if self.are_complements(a, b) {
            return self.constant(ones, width);
        }
        for (whole, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.operands(whole, Op::Or) {
                if x == other || y == other {
                    return whole;
                } else if self.are_complements(x, other) || self.are_complements(y, other) {
                    return self.constant(ones, width);
                }
            } else if let Some((x, y)) = self.operands(whole, Op::And)
                && (x == other || y == other)
            {
                return other;
            }
        }
        self.intern(Node::Binary(Op::Or, a, b), width)
    }

    /// Exclusive disjunction, bit by bit.
    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        // Negations go outside, where two of them meet.
        let strip = |t: TermId| if let Node::Not(x) = self.node(t) { (x, true) } else { (t, false) };
        let ((a, a_negated), (b, b_negated)) = (strip(a), strip(b));
        let (a, b) = self.ordered(a, b);
        let plain = self.xor_of_positive(a, b, width);
        if a_negated == b_negated { plain } else { self.not(plain) }
    }

    fn xor_of_positive(&mut self, a: TermId, b: TermId, width: u32) -> TermId {
        if a == b {
            return self.constant(0, width);
        }
        if let Some(k) = self.as_constant(b) {
            if let Some(value) = self.as_constant(a) {
                return self.constant(value ^ k, width);
            } else if k == 0 {
                return a;
            } else if k == values::ones(width) {
                return self.not(a);
            } else if let Some((x, inner)) = self.with_constant(a, Op::Xor) {
                let k = self.constant(k ^ inner, width);
                return self.xor_of_positive(x, k, width);
            }
        }
        for (whole, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.operands(whole, Op::Xor) {
                if x == other {
                    return y;
                } else if y == other {
                    return x;
                }
            }
        }
        self.intern(Node::Binary(Op::Xor, a, b), width)
    }

    /// `then` if the condition, of one bit, is 1, and `otherwise` if it is 0.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        assert_eq!(self.width(condition), 1, "a condition has one bit");
        let width = self.same_width(then, otherwise);
        if let Some(value) = self.as_constant(condition) {
            return if value == 1 { then } else { otherwise };
        }
        let (condition, then, otherwise) = match self.node(condition) {
            Node::Not(opposite) => (opposite, otherwise, then),
            _ => (condition, then, otherwise),
        };
        let then = self.assuming(condition, true, then);
        let otherwise = self.assuming(condition, false, otherwise);
        if then == otherwise {
            then
        } else if width == 1 {
            self.ite_of_bits(condition, then, otherwise)
        } else {
            self.intern(Node::Ite(condition, then, otherwise), width)
        }
    }

    /// The term where the condition has this value, looking one step deep.
    fn assuming(&mut self, condition: TermId, value: bool, term: TermId) -> TermId {
        if term == condition {
            return self.truth(value);
        }
        match self.node(term) {
            Node::Not(x) if x == condition => self.truth(!value),
            Node::Ite(same, then, otherwise) if same == condition => {
                if value {
                    then
                } else {
                    otherwise
                }
            }
            _ => term,
        }
    }

    fn ite_of_bits(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        match (self.as_constant(then), self.as_constant(otherwise)) {
            (Some(1), _) => self.or(condition, otherwise),
            (_, Some(0)) => self.and(condition, then),
            (Some(_), _) => {
                let opposite = self.not(condition);
                self.and(opposite, otherwise)
            }
            (_, Some(_)) => {
                let opposite = self.not(condition);
                self.or(opposite, then)
            }
            _ if self.are_complements(then, otherwise) => self.xor(condition, otherwise),
            _ => self.intern(Node::Ite(condition, then, otherwise), 1),
        }
    }

    /// Whether the first implies the second, bit by bit.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let a = self.not(a);
        self.or(a, b)
    }

    /// The conjunction of terms of one bit; true if there are none.
    pub fn and_all(&mut self, all: impl IntoIterator<Item = TermId>) -> TermId {
        let mut conjunction = self.truth(true);
        for term in all {
            conjunction = self.and(conjunction, term);
        }
        conjunction
    }

    /// The disjunction of terms of one bit; false if there are none.
    pub fn or_all(&mut self, all: impl IntoIterator<Item = TermId>) -> TermId {
        let mut disjunction = self.truth(false);
        for term in all {
            disjunction = self.or(disjunction, term);
        }
        disjunction
    }
}
