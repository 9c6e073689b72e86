//! Operands of predicates while they are read: values of a known width, and numbers whose width their partner decides.

use super::parse::{TextError, TextErrorKind};
use super::print::INDEX_BITS;
use crate::flow::{BinaryOperator, Expression, ExpressionId, Expressions, UnaryOperator, mask};
use std::ops::Range;

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// An expression, and whether its type is signed.
    Typed(ExpressionId, bool),
    /// A number without a width: whether it is negative, and its magnitude.
    Literal(bool, u128),
}

/// An operand and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) value: Value,
    pub(super) range: Range<usize>,
}

/// C promotes what is narrower than this.
const INT_BITS: u32 = 32;

/// The error for a number that nothing gives a width.
pub(super) fn no_width(operand: &Operand) -> TextError {
    let message = "nothing here says how wide this number is".to_owned();
    let (kind, expected) = (TextErrorKind::Width, "such as `u32(5)`".to_owned());
    TextError { kind, range: operand.range.clone(), message, expected }
}

/// Whether an operand is not zero.
pub(super) fn truth(e: &mut Expressions, operand: &Operand) -> ExpressionId {
    match operand.value {
        Value::Literal(_, magnitude) => e.truth(magnitude != 0),
        Value::Typed(id, _) if e.bits(id) == 1 => id,
        Value::Typed(id, _) => {
            let zero = e.constant(0, e.bits(id));
            let equal = e.insert(Expression::Binary(BinaryOperator::Equal, id, zero), 1);
            e.insert(Expression::Unary(UnaryOperator::Not, equal), 1)
        }
    }
}

/// A number as a constant of this width, if it fits as a signed or unsigned one.
fn constant(e: &mut Expressions, operand: &Operand, bits: u32) -> Result<ExpressionId, TextError> {
    let (is_negative, magnitude) = match operand.value {
        Value::Literal(is_negative, magnitude) => (is_negative, magnitude),
        Value::Typed(id, _) => return Ok(id),
    };
    let largest = if is_negative { 1 << (bits - 1) } else { mask(bits) };
    if magnitude > largest {
        let sign = if is_negative { "-" } else { "" };
        let message = format!("{sign}{magnitude} does not fit into {bits} bits");
        let expected = format!("its partner has {bits} bits; `u64(e)` and `s64(e)` are wider");
        return Err(TextError {
            kind: TextErrorKind::Width,
            range: operand.range.clone(),
            message,
            expected,
        });
    }
    Ok(e.constant(if is_negative { magnitude.wrapping_neg() } else { magnitude }, bits))
}

/// An index; a number alone is within the array.
pub(super) fn index(e: &mut Expressions, operand: &Operand, length: u32) -> Result<ExpressionId, TextError> {
    if let Value::Literal(is_negative, magnitude) = operand.value
        && (magnitude >= u128::from(length) || (is_negative && magnitude != 0))
    {
        let message = format!("the array has {length} elements");
        let expected = format!("an index below {length}");
        return Err(TextError {
            kind: TextErrorKind::Width,
            range: operand.range.clone(),
            message,
            expected,
        });
    }
    constant(e, operand, INDEX_BITS)
}

/// A value in another width, as C's casts do it; a number gets the width.
pub(super) fn cast(
    e: &mut Expressions,
    operand: &Operand,
    bits: u32,
    is_signed: bool,
) -> Result<Value, TextError> {
    let Value::Typed(id, _) = operand.value else {
        return Ok(Value::Typed(constant(e, operand, bits)?, is_signed));
    };
    let from = e.bits(id);
    let id = match from.cmp(&bits) {
        std::cmp::Ordering::Equal => id,
        std::cmp::Ordering::Less => e.insert(Expression::Extend { operand: id, is_signed }, bits),
        std::cmp::Ordering::Greater => e.insert(Expression::Extract { operand: id, low: 0 }, bits),
    };
    Ok(Value::Typed(id, is_signed))
}

fn extend(e: &mut Expressions, (id, is_signed): (ExpressionId, bool), bits: u32) -> ExpressionId {
    if e.bits(id) == bits { id } else { e.insert(Expression::Extend { operand: id, is_signed }, bits) }
}

/// Both operands in one width, and whether the type of both together is signed. With `by_value`, operands whose
/// types differ in sign are compared as `int`s where that has room for both.
fn unify(
    e: &mut Expressions,
    a: &Operand,
    b: &Operand,
    by_value: bool,
) -> Result<(ExpressionId, ExpressionId, bool), TextError> {
    let (x, y) = match (a.value, b.value) {
        (Value::Literal(..), Value::Literal(..)) => return Err(no_width(a)),
        (Value::Typed(x, is_signed), Value::Literal(..)) => {
            return Ok((x, constant(e, b, e.bits(x))?, is_signed));
        }
        (Value::Literal(..), Value::Typed(y, is_signed)) => {
            return Ok((constant(e, a, e.bits(y))?, y, is_signed));
        }
        (Value::Typed(x, x_signed), Value::Typed(y, y_signed)) => ((x, x_signed), (y, y_signed)),
    };
    let (m, n) = (e.bits(x.0), e.bits(y.0));
    let bits = m.max(n);
    if x.1 != y.1 && bits < INT_BITS && (by_value || m != n) {
        return Ok((extend(e, x, INT_BITS), extend(e, y, INT_BITS), true));
    }
    let is_signed = match m.cmp(&n) {
        std::cmp::Ordering::Equal => x.1 && y.1,
        std::cmp::Ordering::Less => y.1,
        std::cmp::Ordering::Greater => x.1,
    };
    Ok((extend(e, x, bits), extend(e, y, bits), is_signed))
}

/// `c ? a : b`.
pub(super) fn choice(
    e: &mut Expressions,
    condition: ExpressionId,
    a: &Operand,
    b: &Operand,
) -> Result<Operand, TextError> {
    let (x, y, is_signed) = unify(e, a, b, false)?;
    let id = e.insert(Expression::IfThenElse(condition, x, y), e.bits(x));
    Ok(Operand { value: Value::Typed(id, is_signed), range: a.range.start..b.range.end })
}

/// Two operands with an operator between them.
pub(super) fn binary(
    e: &mut Expressions,
    symbol: &str,
    a: &Operand,
    b: &Operand,
) -> Result<Operand, TextError> {
    let range = a.range.start..b.range.end;
    if let (Value::Literal(..), Value::Literal(..)) = (a.value, b.value)
        && let Some(value) = folded(symbol, a.value, b.value)
    {
        return Ok(Operand { value, range });
    }
    let value = match symbol {
        "&&" | "||" => {
            let operator = if symbol == "&&" { BinaryOperator::And } else { BinaryOperator::Or };
            let (x, y) = (truth(e, a), truth(e, b));
            Value::Typed(e.insert(Expression::Binary(operator, x, y), 1), false)
        }
        "!=" => {
            let (x, y, _) = unify(e, a, b, false)?;
            let equal = e.insert(Expression::Binary(BinaryOperator::Equal, x, y), 1);
            Value::Typed(e.insert(Expression::Unary(UnaryOperator::Not, equal), 1), false)
        }
        _ => {
            let is_order = matches!(symbol, "<" | "<=" | ">" | ">=");
            let (x, y, is_signed) = unify(e, a, b, is_order)?;
            let shifted = matches!(a.value, Value::Typed(_, true));
            let (operator, is_swapped) = operator(symbol, if symbol == ">>" { shifted } else { is_signed });
            let (x, y) = if is_swapped { (y, x) } else { (x, y) };
            let bits = if operator.is_comparison() { 1 } else { e.bits(x) };
            let id = e.insert(Expression::Binary(operator, x, y), bits);
            Value::Typed(id, is_signed && !operator.is_comparison())
        }
    };
    Ok(Operand { value, range })
}

/// The operator that is written so, and whether its operands change places.
fn operator(symbol: &str, is_signed: bool) -> (BinaryOperator, bool) {
    use BinaryOperator as B;
    let by_sign = |signed: B, unsigned: B| if is_signed { signed } else { unsigned };
    let is_swapped = symbol.starts_with('>') && !symbol.starts_with(">>");
    let operator = match symbol {
        "+" => B::Add,
        "-" => B::Subtract,
        "*" => B::Multiply,
        "/" => by_sign(B::SignedDivide, B::UnsignedDivide),
        "%" => by_sign(B::SignedRemainder, B::UnsignedRemainder),
        "/u" => B::UnsignedDivide,
        "/s" => B::SignedDivide,
        "%u" => B::UnsignedRemainder,
        "%s" => B::SignedRemainder,
        "&" => B::And,
        "|" => B::Or,
        "^" => B::Xor,
        "<<" => B::ShiftLeft,
        ">>" => by_sign(B::ShiftRightArithmetic, B::ShiftRightLogical),
        ">>u" => B::ShiftRightLogical,
        ">>s" => B::ShiftRightArithmetic,
        "<" | ">" => by_sign(B::SignedLess, B::UnsignedLess),
        "<=" | ">=" => by_sign(B::SignedLessOrEqual, B::UnsignedLessOrEqual),
        "<u" | ">u" => B::UnsignedLess,
        "<=u" | ">=u" => B::UnsignedLessOrEqual,
        "<s" | ">s" => B::SignedLess,
        "<=s" | ">=s" => B::SignedLessOrEqual,
        _ => B::Equal,
    };
    (operator, is_swapped)
}

/// Arithmetic on numbers without widths, as long as they are small.
fn folded(symbol: &str, a: Value, b: Value) -> Option<Value> {
    let number = |value: Value| match value {
        Value::Literal(is_negative, magnitude) => {
            let magnitude = i128::try_from(magnitude).ok()?;
            Some(if is_negative { -magnitude } else { magnitude })
        }
        Value::Typed(..) => None,
    };
    let (x, y) = (number(a)?, number(b)?);
    let value = match symbol {
        "+" => x.checked_add(y)?,
        "-" => x.checked_sub(y)?,
        "*" => x.checked_mul(y)?,
        "<<" if (0..100).contains(&y) => x.checked_mul(1 << y)?,
        _ => return None,
    };
    Some(Value::Literal(value < 0, value.unsigned_abs()))
}
