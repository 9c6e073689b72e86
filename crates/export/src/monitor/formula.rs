//! Predicates as C: expressions over bit-vectors become expressions over a wide unsigned type, variables become reads of the
//! program's own.

use super::variables::{Known, Read};
use throng_cfa::flow::{BinaryOperator, Expression, ExpressionId, Expressions, UnaryOperator};

/// Longer texts are not worth compiling.
const MAX_LENGTH: usize = 4000;

/// What the active thread is called in C.
pub(super) const ACTIVE: &str = "__throng_a";
/// What the passive thread is called in C.
pub(super) const PASSIVE: &str = "__throng_b";

/// An expression as C, for an active and a passive thread; or why that cannot be said.
pub(super) fn formula(
    e: &Expressions,
    known: &mut Known<'_>,
    id: ExpressionId,
) -> Result<String, &'static str> {
    let text = Printer { e }.text(known, id)?;
    if text.len() > MAX_LENGTH { Err("its text is too long") } else { Ok(text) }
}

struct Printer<'a> {
    e: &'a Expressions,
}

impl Printer<'_> {
    fn text(&self, known: &mut Known<'_>, id: ExpressionId) -> Result<String, &'static str> {
        let bits = self.e.bits(id);
        Ok(match self.e.get(id) {
            Expression::Constant(value) => constant(value),
            Expression::Variable(variable) => read(known.read(variable)?, ACTIVE, "", bits),
            Expression::Passive(variable) => read(known.read(variable)?, PASSIVE, "", bits),
            Expression::Element(variable, index) => {
                let length = known.length(variable);
                let index = self.text(known, index)?;
                let inside = read(known.row(variable)?, ACTIVE, "__throng_i", bits);
                format!("({{ __throng_w __throng_i = {index}; __throng_i < {length} ? {inside} : 0; }})")
            }
            Expression::ThisThread => format!("(__throng_w){ACTIVE}"),
            Expression::Nondet(_) => return Err("it has an arbitrary value"),
            Expression::NewThread | Expression::HasEnded(_) | Expression::ResultOf(_) => {
                return Err("it asks whether threads have ended");
            }
            Expression::Unary(operator, a) => {
                let a = self.text(known, a)?;
                let sign = if operator == UnaryOperator::Not { '~' } else { '-' };
                format!("__throng_mask({sign}({a}), {bits})")
            }
            Expression::Binary(operator, a, b) => {
                let width = self.e.bits(a);
                binary(operator, &self.text(known, a)?, &self.text(known, b)?, width)
            }
            Expression::IfThenElse(c, a, b) => {
                let (c, a, b) = (self.text(known, c)?, self.text(known, a)?, self.text(known, b)?);
                format!("({c} ? {a} : {b})")
            }
            Expression::Extend { operand, is_signed: false } => self.text(known, operand)?,
            Expression::Extend { operand, is_signed: true } => {
                let from = self.e.bits(operand);
                let operand = self.text(known, operand)?;
                format!("__throng_mask((__throng_w)__throng_signed({operand}, {from}), {bits})")
            }
            Expression::Extract { operand, low } => {
                format!("__throng_mask(({}) >> {low}, {bits})", self.text(known, operand)?)
            }
        })
    }
}

fn constant(value: u128) -> String {
    let (high, low) = ((value >> 64) as u64, value as u64);
    if high == 0 {
        format!("(__throng_w){low}ULL")
    } else {
        format!("((__throng_w){high}ULL << 64 | {low}ULL)")
    }
}

fn read(read: Read, thread: &str, index: &str, bits: u32) -> String {
    match read {
        Read::Shared(lvalue) => {
            format!(
                "__throng_mask((__throng_w)({}), {bits})",
                lvalue.replacen("[]", &format!("[(unsigned long){index}]"), 1)
            )
        }
        Read::Pointer(lvalue) => {
            let lvalue = lvalue.replacen("[]", &format!("[(unsigned long){index}]"), 1);
            format!("__throng_address((const void *)({lvalue}))")
        }
        Read::Mutex(lvalue) => {
            let lvalue = lvalue.replacen("[]", &format!("[(unsigned long){index}]"), 1);
            format!("__throng_taken((void *)&({lvalue}))")
        }
        Read::Slot { slot, is_pointer } => {
            format!("__throng_get({thread}, {slot}, {bits}, {})", u8::from(is_pointer))
        }
    }
}

fn binary(operator: BinaryOperator, a: &str, b: &str, bits: u32) -> String {
    let wrapped = |sign: &str| format!("__throng_mask(({a}) {sign} ({b}), {bits})");
    let plain = |sign: &str| format!("(__throng_w)(({a}) {sign} ({b}))");
    let signed = |sign: &str| {
        format!("(__throng_w)(__throng_signed({a}, {bits}) {sign} __throng_signed({b}, {bits}))")
    };
    let call = |name: &str| format!("__throng_{name}({a}, {b}, {bits})");
    match operator {
        BinaryOperator::Add => wrapped("+"),
        BinaryOperator::Subtract => wrapped("-"),
        BinaryOperator::Multiply => wrapped("*"),
        BinaryOperator::UnsignedDivide => call("divide"),
        BinaryOperator::UnsignedRemainder => format!("__throng_remainder({a}, {b})"),
        BinaryOperator::SignedDivide => call("sdivide"),
        BinaryOperator::SignedRemainder => call("sremainder"),
        BinaryOperator::And => plain("&"),
        BinaryOperator::Or => plain("|"),
        BinaryOperator::Xor => plain("^"),
        BinaryOperator::ShiftLeft => call("left"),
        BinaryOperator::ShiftRightLogical => call("right"),
        BinaryOperator::ShiftRightArithmetic => call("sright"),
        BinaryOperator::Equal => plain("=="),
        BinaryOperator::UnsignedLess => plain("<"),
        BinaryOperator::UnsignedLessOrEqual => plain("<="),
        BinaryOperator::SignedLess => signed("<"),
        BinaryOperator::SignedLessOrEqual => signed("<="),
    }
}
