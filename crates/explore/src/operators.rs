//! What operators of programs are in the solver's language, for all who search; the checker has a table of its own.

use throng_cfa::flow::{BinaryOperator, UnaryOperator};
use throng_solver::terms::{TermId, Terms};

/// The term of an operator on one operand.
pub fn unary(terms: &mut Terms, operator: UnaryOperator, a: TermId) -> TermId {
    match operator {
        UnaryOperator::Not => terms.not(a),
        UnaryOperator::Negate => terms.neg(a),
    }
}

/// The term of an operator on two operands of one width.
pub fn binary(terms: &mut Terms, operator: BinaryOperator, a: TermId, b: TermId) -> TermId {
    match operator {
        BinaryOperator::Add => terms.add(a, b),
        BinaryOperator::Subtract => terms.sub(a, b),
        BinaryOperator::Multiply => terms.mul(a, b),
        BinaryOperator::UnsignedDivide => terms.udiv(a, b),
        BinaryOperator::UnsignedRemainder => terms.urem(a, b),
        BinaryOperator::SignedDivide => terms.sdiv(a, b),
        BinaryOperator::SignedRemainder => terms.srem(a, b),
        BinaryOperator::And => terms.and(a, b),
        BinaryOperator::Or => terms.or(a, b),
        BinaryOperator::Xor => terms.xor(a, b),
        BinaryOperator::ShiftLeft => terms.shl(a, b),
        BinaryOperator::ShiftRightLogical => terms.lshr(a, b),
        BinaryOperator::ShiftRightArithmetic => terms.ashr(a, b),
        BinaryOperator::Equal => terms.eq(a, b),
        BinaryOperator::UnsignedLess => terms.ult(a, b),
        BinaryOperator::UnsignedLessOrEqual => terms.ule(a, b),
        BinaryOperator::SignedLess => terms.slt(a, b),
        BinaryOperator::SignedLessOrEqual => terms.sle(a, b),
    }
}
