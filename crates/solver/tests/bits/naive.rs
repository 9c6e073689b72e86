//! Expressions as trees, evaluated by definition: no sharing, no simplification, no `u128` tricks.

use arbitrary::{Result, Unstructured};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use throng_solver::terms::Op;
use throng_solver::{TermId, Terms};

pub(crate) const OPS: [Op; 17] = [
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::URem,
    Op::SDiv,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::Eq,
    Op::Ult,
    Op::Slt,
    Op::Concat,
];

/// What SMT-LIB says, with integers of any size. `width` is that of the operands, of the lower one for a
/// concatenation.
pub(crate) fn apply(op: Op, width: u32, a: u128, b: u128) -> u128 {
    let modulus = BigInt::one() << width;
    let (x, y) = (BigInt::from(a), BigInt::from(b));
    let signed = |value: &BigInt| {
        if value * 2 >= modulus { value - &modulus } else { value.clone() }
    };
    let (sx, sy) = (signed(&x), signed(&y));
    // Amounts beyond the width all do the same.
    let amount = BigInt::one() << y.to_u32().unwrap_or(u32::MAX).min(width);
    let result = match op {
        Op::And => x & y,
        Op::Or => x | y,
        Op::Xor => x ^ y,
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::UDiv if y.is_zero() => BigInt::from(-1),
        Op::UDiv => x / y,
        Op::URem if y.is_zero() => x,
        Op::URem => x % y,
        Op::SDiv if y.is_zero() => BigInt::from(if sx.is_negative() { 1 } else { -1 }),
        Op::SDiv => sx / sy,
        Op::SRem if y.is_zero() => x,
        Op::SRem => sx % sy,
        Op::Shl => x * amount,
        Op::LShr => x / amount,
        Op::AShr => sx.div_floor(&amount),
        Op::Eq => return u128::from(x == y),
        Op::Ult => return u128::from(x < y),
        Op::Slt => return u128::from(sx < sy),
        Op::Concat => return (x * modulus + y).to_u128().expect("at most 128 bits"),
    };
    result.mod_floor(&modulus).to_u128().expect("reduced")
}

/// A tree with its width.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) width: u32,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Constant(u128),
    Variable(usize),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    ZeroExtend(Box<Expr>),
    SignExtend(Box<Expr>),
    Extract(Box<Expr>, u32),
}

impl Expr {
    pub(crate) fn eval(&self, values: &[u128]) -> u128 {
        let modulus = 1_u128 << self.width;
        match &self.kind {
            Kind::Constant(value) => *value,
            Kind::Variable(i) => values[*i],
            Kind::Not(a) => modulus - 1 - a.eval(values),
            Kind::Neg(a) => (modulus - a.eval(values)) % modulus,
            Kind::Binary(op, a, b) => apply(*op, b.width, a.eval(values), b.eval(values)),
            Kind::Ite(c, a, b) => {
                if c.eval(values) == 1 {
                    a.eval(values)
                } else {
                    b.eval(values)
                }
            }
            Kind::ZeroExtend(a) => a.eval(values),
            Kind::SignExtend(a) => {
                let value = a.eval(values);
                let is_negative = value * 2 >= 1 << a.width;
                if is_negative { value + modulus - (1 << a.width) } else { value }
            }
            Kind::Extract(a, low) => a.eval(values) / (1 << low) % modulus,
        }
    }

    pub(crate) fn term(&self, terms: &mut Terms, variables: &[TermId]) -> TermId {
        match &self.kind {
            Kind::Constant(value) => terms.constant(*value, self.width),
            Kind::Variable(i) => variables[*i],
            Kind::Not(a) => {
                let a = a.term(terms, variables);
                terms.not(a)
            }
            Kind::Neg(a) => {
                let a = a.term(terms, variables);
                terms.neg(a)
            }
            Kind::Binary(op, a, b) => {
                let (a, b) = (a.term(terms, variables), b.term(terms, variables));
                terms.binary(*op, a, b)
            }
            Kind::Ite(c, a, b) => {
                let c = c.term(terms, variables);
                let (a, b) = (a.term(terms, variables), b.term(terms, variables));
                terms.ite(c, a, b)
            }
            Kind::ZeroExtend(a) => {
                let a = a.term(terms, variables);
                terms.zext(a, self.width)
            }
            Kind::SignExtend(a) => {
                let a = a.term(terms, variables);
                terms.sext(a, self.width)
            }
            Kind::Extract(a, low) => {
                let a = a.term(terms, variables);
                terms.extract(a, low + self.width - 1, *low)
            }
        }
    }
}

/// A random expression of this width over variables with these widths.
pub(crate) fn expression(
    u: &mut Unstructured<'_>,
    width: u32,
    variables: &[u32],
    depth: u32,
    widest: u32,
) -> Result<Expr> {
    let sub = |u: &mut Unstructured<'_>, width| -> Result<Box<Expr>> {
        Ok(Box::new(expression(u, width, variables, depth - 1, widest)?))
    };
    if depth == 0 || u.ratio(1, 8)? {
        return leaf(u, width, variables);
    }
    let kind = match u.int_in_range(0..=11)? {
        0 => Kind::Not(sub(u, width)?),
        1 => Kind::Neg(sub(u, width)?),
        2 => Kind::Ite(sub(u, 1)?, sub(u, width)?, sub(u, width)?),
        3 if width > 1 => {
            let from = u.int_in_range(1..=width - 1)?;
            Kind::ZeroExtend(sub(u, from)?)
        }
        4 if width > 1 => {
            let from = u.int_in_range(1..=width - 1)?;
            Kind::SignExtend(sub(u, from)?)
        }
        5 | 6 if width < widest => {
            let from = u.int_in_range(width + 1..=widest)?;
            Kind::Extract(sub(u, from)?, u.int_in_range(0..=from - width)?)
        }
        7 if width > 1 => {
            let low = u.int_in_range(1..=width - 1)?;
            Kind::Binary(Op::Concat, sub(u, width - low)?, sub(u, low)?)
        }
        _ if width == 1 && u.ratio(2, 3)? => {
            let op = *u.choose(&[Op::Eq, Op::Ult, Op::Slt])?;
            let operands = u.int_in_range(1..=widest)?;
            Kind::Binary(op, sub(u, operands)?, sub(u, operands)?)
        }
        _ => Kind::Binary(*u.choose(&OPS[..13])?, sub(u, width)?, sub(u, width)?),
    };
    Ok(Expr { width, kind })
}

/// A variable, made to fit, or a constant.
fn leaf(u: &mut Unstructured<'_>, width: u32, variables: &[u32]) -> Result<Expr> {
    if u.ratio(1, 3)? {
        let value = match u.int_in_range(0..=3)? {
            0 => 0,
            1 => (1 << width) - 1,
            2 => 1 << (width - 1),
            _ => u128::from(u.arbitrary::<u64>()?) % (1 << width),
        };
        return Ok(Expr { width, kind: Kind::Constant(value) });
    }
    let i = u.choose_index(variables.len())?;
    let variable = Expr { width: variables[i], kind: Kind::Variable(i) };
    Ok(match variables[i].cmp(&width) {
        std::cmp::Ordering::Equal => variable,
        std::cmp::Ordering::Less => {
            let kind = if u.arbitrary()? { Kind::ZeroExtend } else { Kind::SignExtend };
            Expr { width, kind: kind(Box::new(variable)) }
        }
        std::cmp::Ordering::Greater => {
            let low = u.int_in_range(0..=variables[i] - width)?;
            Expr { width, kind: Kind::Extract(Box::new(variable), low) }
        }
    })
}
