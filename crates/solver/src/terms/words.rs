//! Constructors of terms that change widths: extensions, extracts, concatenation.

use super::{Node, Op, TermId, Terms, values};

impl Terms {
    /// The term with zeros above, up to `width` bits.
    ///
    /// # Panics
    /// If the term is wider, or the width is more than 128.
    pub fn zext(&mut self, a: TermId, width: u32) -> TermId {
        let from = self.width(a);
        assert!(from <= width, "an extension of {from} bits has at least as many, not {width}");
        match self.node(a) {
            _ if from == width => a,
            Node::Constant(value) => self.constant(value, width),
            Node::ZeroExtend(x) => self.intern(Node::ZeroExtend(x), width),
            _ => self.intern(Node::ZeroExtend(a), width),
        }
    }

    /// The term with copies of its sign above, up to `width` bits.
    ///
    /// # Panics
    /// If the term is wider, or the width is more than 128.
    pub fn sext(&mut self, a: TermId, width: u32) -> TermId {
        let from = self.width(a);
        assert!(from <= width, "an extension of {from} bits has at least as many, not {width}");
        match self.node(a) {
            _ if from == width => a,
            Node::Constant(value) => self.constant(values::sign_extend(value, from, width), width),
            Node::SignExtend(x) => self.intern(Node::SignExtend(x), width),
            // The sign is 0: an extension in the arena is a proper one.
            Node::ZeroExtend(x) => self.intern(Node::ZeroExtend(x), width),
            _ => self.intern(Node::SignExtend(a), width),
        }
    }

    /// The bits from `high` down to `low`, both included, where 0 is the lowest.
    ///
    /// # Panics
    /// If there are no such bits.
    pub fn extract(&mut self, a: TermId, high: u32, low: u32) -> TermId {
        assert!(low <= high && high < self.width(a), "bits {high} to {low} of {}", self.width(a));
        let width = high - low + 1;
        // What to look at instead; every step goes to a part, so the loop ends.
        let (mut a, mut low) = (a, low);
        loop {
            let full = self.width(a);
            if width == full {
                return a;
            }
            match self.node(a) {
                Node::Constant(value) => return self.constant(value >> low, width),
                Node::Extract(x, below) => (a, low) = (x, low + below),
                Node::Binary(Op::Concat, x, y) => {
                    let below = self.width(y);
                    if low >= below {
                        (a, low) = (x, low - below);
                    } else if low + width <= below {
                        a = y;
                    } else {
                        break;
                    }
                }
                Node::ZeroExtend(x) => {
                    let from = self.width(x);
                    if low + width <= from {
                        a = x;
                    } else if low >= from {
                        return self.constant(0, width);
                    } else {
                        let part = self.extract(x, from - 1, low);
                        return self.zext(part, width);
                    }
                }
                Node::SignExtend(x) => {
                    let from = self.width(x);
                    if low + width <= from {
                        a = x;
                    } else {
                        let part = self.extract(x, from - 1, low.min(from - 1));
                        return self.sext(part, width);
                    }
                }
                _ => break,
            }
        }
        self.extract_of_operation(a, low, width)
    }

    /// The low bits of sums and the like are sums of low bits. That is done where it costs no more terms than
    /// it saves, and only towards narrower ones: below extensions, constants and variables.
    fn extract_of_operation(&mut self, a: TermId, low: u32, width: u32) -> TermId {
        let is_simple = |t: TermId| {
            matches!(
                self.node(t),
                Node::Constant(_) | Node::Variable(_) | Node::ZeroExtend(_) | Node::SignExtend(_)
            )
        };
        match self.node(a) {
            Node::Not(x) if is_simple(x) => {
                let x = self.extract(x, low + width - 1, low);
                self.not(x)
            }
            Node::Ite(condition, x, y) if self.as_constant(x).is_some() && self.as_constant(y).is_some() => {
                let x = self.extract(x, low + width - 1, low);
                let y = self.extract(y, low + width - 1, low);
                self.ite(condition, x, y)
            }
            Node::Binary(op, x, y) if is_simple(x) && is_simple(y) => {
                let is_bitwise = matches!(op, Op::And | Op::Or | Op::Xor);
                if is_bitwise || (low == 0 && matches!(op, Op::Add | Op::Sub | Op::Mul)) {
                    let x = self.extract(x, low + width - 1, low);
                    let y = self.extract(y, low + width - 1, low);
                    self.binary(op, x, y)
                } else {
                    self.intern(Node::Extract(a, low), width)
                }
            }
            _ => self.intern(Node::Extract(a, low), width),
        }
    }

    /// One bit of a term.
    pub fn bit(&mut self, a: TermId, number: u32) -> TermId {
        self.extract(a, number, number)
    }

    /// The first above the second.
    ///
    /// # Panics
    /// If both together have more than 128 bits.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let below = self.width(low);
        let width = self.width(high) + below;
        match (self.node(high), self.node(low)) {
            (Node::Constant(h), Node::Constant(l)) => {
                assert!(width <= super::MAX_WIDTH, "a vector has 1 to 128 bits, not {width}");
                self.constant(values::apply(Op::Concat, below, h, l), width)
            }
            (Node::Constant(0), _) => self.zext(low, width),
            (Node::Extract(x, from), Node::Extract(y, to)) if x == y && from == to + below => {
                self.extract(x, to + width - 1, to)
            }
            _ => self.intern(Node::Binary(Op::Concat, high, low), width),
        }
    }

    /// The low bits of the term, or the term with zeros above: what a conversion of unsigned numbers does.
    pub fn resize_unsigned(&mut self, a: TermId, width: u32) -> TermId {
        if width < self.width(a) { self.extract(a, width - 1, 0) } else { self.zext(a, width) }
    }

    /// The low bits of the term, or the term with copies of its sign above: what a conversion of signed
    /// numbers does.
    pub fn resize_signed(&mut self, a: TermId, width: u32) -> TermId {
        if width < self.width(a) { self.extract(a, width - 1, 0) } else { self.sext(a, width) }
    }
}
