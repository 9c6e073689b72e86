//! Constructors of sums, products, quotients and shifts.

use super::{Node, Op, TermId, Terms, values};

impl Terms {
    /// Sum, modulo.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(k) = self.as_constant(b) {
            if let Some(value) = self.as_constant(a) {
                return self.constant(value.wrapping_add(k), width);
            } else if k == 0 {
                return a;
            } else if let Some((x, inner)) = self.with_constant(a, Op::Add) {
                let k = self.constant(k.wrapping_add(inner), width);
                // x is not a sum with a constant, since this one would have absorbed it.
                return self.add(x, k);
            } else if let Some((inner, x)) = self.operands(a, Op::Sub)
                && let Some(value) = self.as_constant(inner)
            {
                let k = self.constant(k.wrapping_add(value), width);
                return self.sub(k, x);
            }
        }
        if width == 1 {
            return self.xor(a, b);
        }
        for (difference, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.operands(difference, Op::Sub) {
                if y == other {
                    return x;
                } else if self.as_constant(x) == Some(0) {
                    return self.sub(other, y);
                }
            }
        }
        self.intern(Node::Binary(Op::Add, a, b), width)
    }

    /// Difference, modulo.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        if a == b {
            return self.constant(0, width);
        } else if let Some(k) = self.as_constant(b) {
            let k = self.constant(k.wrapping_neg(), width);
            return self.add(a, k);
        } else if width == 1 {
            return self.xor(a, b);
        }
        if let Some(value) = self.as_constant(a) {
            if let Some((x, k)) = self.with_constant(b, Op::Add) {
                let value = self.constant(value.wrapping_sub(k), width);
                return self.sub(value, x);
            } else if let Some((inner, x)) = self.operands(b, Op::Sub)
                && let Some(k) = self.as_constant(inner)
            {
                let k = self.constant(value.wrapping_sub(k), width);
                return self.add(x, k);
            }
        }
        if let Some((x, y)) = self.operands(a, Op::Add) {
            if x == b {
                return y;
            } else if y == b {
                return x;
            }
        }
        self.intern(Node::Binary(Op::Sub, a, b), width)
    }

    /// The number with the other sign, modulo.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let zero = self.constant(0, self.width(a));
        self.sub(zero, a)
    }

    /// Product, modulo.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        let (a, b) = self.ordered(a, b);
        if let Some(k) = self.as_constant(b) {
            if let Some(value) = self.as_constant(a) {
                return self.constant(value.wrapping_mul(k), width);
            } else if k == 0 {
                return b;
            } else if k == 1 {
                return a;
            } else if k == values::ones(width) {
                return self.neg(a);
            } else if k.is_power_of_two() {
                return self.shl_by(a, k.trailing_zeros());
            } else if let Some((x, inner)) = self.with_constant(a, Op::Mul) {
                let k = self.constant(k.wrapping_mul(inner), width);
                // x is not a product with a constant, since this one would have absorbed it.
                return self.mul(x, k);
            }
        }
        if width == 1 {
            return self.and(a, b);
        }
        self.intern(Node::Binary(Op::Mul, a, b), width)
    }

    /// Unsigned quotient; all ones for division by zero.
    pub fn udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(a), Some(b)) => self.constant(values::apply(Op::UDiv, width, a, b), width),
            (_, Some(0)) => self.constant(values::ones(width), width),
            (_, Some(k)) if k.is_power_of_two() => self.lshr_by(a, k.trailing_zeros()),
            _ => self.intern(Node::Binary(Op::UDiv, a, b), width),
        }
    }

    /// Unsigned remainder; the dividend for division by zero.
    pub fn urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(a), Some(b)) => self.constant(values::apply(Op::URem, width, a, b), width),
            (Some(0), _) | (_, Some(0)) => a,
            (_, Some(1)) => self.constant(0, width),
            (_, Some(k)) if k.is_power_of_two() => {
                let rest = self.extract(a, k.trailing_zeros() - 1, 0);
                self.zext(rest, width)
            }
            _ if a == b => self.constant(0, width),
            _ => self.intern(Node::Binary(Op::URem, a, b), width),
        }
    }

    /// Signed quotient, rounded towards zero; 1 or −1 for division of negative and other numbers by zero.
    pub fn sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(a), Some(b)) => self.constant(values::apply(Op::SDiv, width, a, b), width),
            (_, Some(1)) => a,
            (_, Some(k)) if k == values::ones(width) => self.neg(a),
            _ => self.intern(Node::Binary(Op::SDiv, a, b), width),
        }
    }

    /// Signed remainder, with the sign of the dividend; the dividend for division by zero.
    pub fn srem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(a), Some(b)) => self.constant(values::apply(Op::SRem, width, a, b), width),
            (Some(0), _) | (_, Some(0)) => a,
            (_, Some(k)) if k == 1 || k == values::ones(width) => self.constant(0, width),
            _ if a == b => self.constant(0, width),
            _ => self.intern(Node::Binary(Op::SRem, a, b), width),
        }
    }

    /// Shift to the left by an unsigned amount; 0 from the width on.
    pub fn shl(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(0), _) => a,
            (_, Some(k)) if k >= u128::from(width) => self.constant(0, width),
            (_, Some(k)) => self.shl_by(a, k as u32),
            _ => self.intern(Node::Binary(Op::Shl, a, b), width),
        }
    }

    /// Shift to the right by an unsigned amount, filled with zeros; 0 from the width on.
    pub fn lshr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(0), _) => a,
            (_, Some(k)) if k >= u128::from(width) => self.constant(0, width),
            (_, Some(k)) => self.lshr_by(a, k as u32),
            _ => self.intern(Node::Binary(Op::LShr, a, b), width),
        }
    }

    /// Shift to the right by an unsigned amount, filled with the sign; copies of the sign from the width on.
    pub fn ashr(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.same_width(a, b);
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(0), _) => a,
            (Some(k), _) if k == values::ones(width) => a,
            (_, Some(k)) => {
                let amount = k.min(u128::from(width) - 1) as u32;
                let rest = self.extract(a, width - 1, amount);
                self.sext(rest, width)
            }
            _ => self.intern(Node::Binary(Op::AShr, a, b), width),
        }
    }

    /// Shift to the left by less than the width.
    fn shl_by(&mut self, a: TermId, amount: u32) -> TermId {
        if amount == 0 {
            return a;
        }
        let rest = self.extract(a, self.width(a) - 1 - amount, 0);
        let zeros = self.constant(0, amount);
        self.concat(rest, zeros)
    }

    /// Shift to the right by less than the width, filled with zeros.
    fn lshr_by(&mut self, a: TermId, amount: u32) -> TermId {
        let width = self.width(a);
        let rest = self.extract(a, width - 1, amount);
        self.zext(rest, width)
    }
}
