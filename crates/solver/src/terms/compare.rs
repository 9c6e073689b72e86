//! Constructors of comparisons. Their results have one bit.

use super::{Node, Op, TermId, Terms, values};

/// What became of an equation.
enum Step {
    /// This one instead.
    Instead(TermId, TermId),
    /// It is this term.
    Done(TermId),
    /// Nothing more to do.
    Stays,
}

impl Terms {
    /// Equality.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.same_width(a, b);
        let (mut a, mut b) = self.ordered(a, b);
        loop {
            if a == b {
                return self.truth(true);
            } else if self.width(a) == 1 {
                let differ = self.xor(a, b);
                return self.not(differ);
            }
            let step = match self.as_constant(b) {
                Some(k) => self.eq_constant(a, k),
                None => self.eq_terms(a, b),
            };
            match step {
                Step::Instead(x, y) => (a, b) = self.ordered(x, y),
                Step::Done(term) => return term,
                Step::Stays => return self.intern(Node::Binary(Op::Eq, a, b), 1),
            }
        }
    }

    fn eq_constant(&mut self, a: TermId, k: u128) -> Step {
        let width = self.width(a);
        let (x, k) = match self.node(a) {
            Node::Constant(value) => return Step::Done(self.truth(value == k)),
            Node::Not(x) => (x, !k),
            Node::ZeroExtend(x) if k > values::ones(self.width(x)) => return Step::Done(self.truth(false)),
            Node::ZeroExtend(x) => (x, k),
            Node::SignExtend(x) => {
                let from = self.width(x);
                if values::sign_extend(k & values::ones(from), from, width) != k {
                    return Step::Done(self.truth(false));
                }
                (x, k)
            }
            Node::Ite(condition, x, y) => match (self.as_constant(x), self.as_constant(y)) {
                (Some(x), Some(y)) => return Step::Done(self.choose(condition, x == k, y == k)),
                _ => return Step::Stays,
            },
            Node::Binary(Op::Concat, x, y) => {
                // SOUND: the recursion is to narrower terms.
                let below = self.width(y);
                let (high, low) = (self.constant(k >> below, width - below), self.constant(k, below));
                let (x, y) = (self.eq(x, high), self.eq(y, low));
                return Step::Done(self.and(x, y));
            }
            Node::Binary(op, x, y) => match (op, self.as_constant(x), self.as_constant(y)) {
                (Op::Add, _, Some(inner)) => (x, k.wrapping_sub(inner)),
                (Op::Xor, _, Some(inner)) => (x, k ^ inner),
                (Op::Sub, Some(inner), _) => (y, inner.wrapping_sub(k)),
                (Op::Sub, ..) if k == 0 => return Step::Instead(x, y),
                (Op::Xor, ..) if k == 0 => return Step::Instead(x, y),
                _ => return Step::Stays,
            },
            _ => return Step::Stays,
        };
        let k = self.constant(k, self.width(x));
        Step::Instead(x, k)
    }

    fn eq_terms(&mut self, a: TermId, b: TermId) -> Step {
        if self.are_complements(a, b) {
            return Step::Done(self.truth(false));
        }
        match (self.node(a), self.node(b)) {
            (Node::ZeroExtend(x), Node::ZeroExtend(y)) | (Node::SignExtend(x), Node::SignExtend(y))
                if self.width(x) == self.width(y) =>
            {
                return Step::Instead(x, y);
            }
            (Node::Not(x), Node::Not(y)) => return Step::Instead(x, y),
            (Node::Binary(Op::Add, x, y), Node::Binary(Op::Add, u, v)) => {
                for (common, rest) in [(x, y), (y, x)] {
                    if common == u {
                        return Step::Instead(rest, v);
                    } else if common == v {
                        return Step::Instead(rest, u);
                    }
                }
            }
            _ => {}
        }
        for (sum, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.operands(sum, Op::Add)
                && (x == other || y == other)
            {
                let zero = self.constant(0, self.width(a));
                return Step::Instead(if x == other { y } else { x }, zero);
            }
        }
        Step::Stays
    }

    /// `if condition { then } else { otherwise }` for truth values.
    fn choose(&mut self, condition: TermId, then: bool, otherwise: bool) -> TermId {
        match (then, otherwise) {
            (true, false) => condition,
            (false, true) => self.not(condition),
            _ => self.truth(then),
        }
    }

    /// Whether they differ.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Unsigned less.
    pub fn ult(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        let (low, high) = (self.as_constant(a), self.as_constant(b));
        if a == b {
            return self.truth(false);
        } else if let (Some(low), Some(high)) = (low, high) {
            return self.truth(low < high);
        } else if high == Some(0) || low == Some(values::ones(width)) {
            return self.truth(false);
        } else if low == Some(0) || high == Some(values::ones(width)) {
            return self.ne(a, b);
        } else if high == Some(1) {
            let zero = self.constant(0, width);
            return self.eq(a, zero);
        } else if width == 1 {
            let a = self.not(a);
            return self.and(a, b);
        }
        match (self.node(a), self.node(b)) {
            (Node::ZeroExtend(x), Node::ZeroExtend(y)) if self.width(x) == self.width(y) => self.ult(x, y),
            (Node::ZeroExtend(x), Node::Constant(k)) => {
                if k > values::ones(self.width(x)) {
                    return self.truth(true);
                }
                let k = self.constant(k, self.width(x));
                self.ult(x, k)
            }
            (Node::Constant(k), Node::ZeroExtend(y)) => {
                if k > values::ones(self.width(y)) {
                    return self.truth(false);
                }
                let k = self.constant(k, self.width(y));
                self.ult(k, y)
            }
            _ => self.intern(Node::Binary(Op::Ult, a, b), 1),
        }
    }

    /// Signed less.
    pub fn slt(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        let (low, high) = (self.as_constant(a), self.as_constant(b));
        let (least, greatest) = (values::least(width), values::ones(width) >> 1);
        if a == b {
            return self.truth(false);
        } else if let (Some(low), Some(high)) = (low, high) {
            return self.truth(values::signed(low, width) < values::signed(high, width));
        } else if high == Some(least) || low == Some(greatest) {
            return self.truth(false);
        } else if low == Some(least) || high == Some(greatest) {
            return self.ne(a, b);
        } else if high == Some(0) {
            return self.bit(a, width - 1);
        } else if low == Some(values::ones(width)) {
            let sign = self.bit(b, width - 1);
            return self.not(sign);
        }
        match (self.node(a), self.node(b)) {
            (Node::SignExtend(x), Node::SignExtend(y)) if self.width(x) == self.width(y) => self.slt(x, y),
            // Proper extensions are not negative.
            (Node::ZeroExtend(_), Node::ZeroExtend(_)) => self.ult(a, b),
            (Node::ZeroExtend(_), Node::Constant(k)) if k < least => self.ult(a, b),
            (Node::Constant(k), Node::ZeroExtend(_)) if k < least => self.ult(a, b),
            (Node::ZeroExtend(_), Node::Constant(_)) => self.truth(false),
            (Node::Constant(_), Node::ZeroExtend(_)) => self.truth(true),
            _ => self.intern(Node::Binary(Op::Slt, a, b), 1),
        }
    }

    /// Unsigned less or equal.
    pub fn ule(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Signed less or equal.
    pub fn sle(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    /// Unsigned greater.
    pub fn ugt(&mut self, a: TermId, b: TermId) -> TermId {
        self.ult(b, a)
    }

    /// Unsigned greater or equal.
    pub fn uge(&mut self, a: TermId, b: TermId) -> TermId {
        self.ule(b, a)
    }

    /// Signed greater.
    pub fn sgt(&mut self, a: TermId, b: TermId) -> TermId {
        self.slt(b, a)
    }

    /// Signed greater or equal.
    pub fn sge(&mut self, a: TermId, b: TermId) -> TermId {
        self.sle(b, a)
    }

    /// Whether a term is not zero: its truth value in C.
    pub fn is_nonzero(&mut self, a: TermId) -> TermId {
        let zero = self.constant(0, self.width(a));
        self.ne(a, zero)
    }
}
