//! Conditions of invariants for people: as C writes them, without widths, and with names for threads. What evidence says
//! exactly stands in its own language; this is for reading only.

use super::{naming, values};
use throng_cprog::flow::{
    BinaryOperator, Expression, ExpressionId, Expressions, Program, Scope, UnaryOperator, ValueType,
    Variable, VariableId,
};

/// How deep an expression is written out.
const MAX_DEPTH: usize = 12;

/// Whose variables are meant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names<'a> {
    /// The active thread's, before the names of its variables; empty where there is only one thread.
    pub(super) active: &'a str,
    /// The passive thread's.
    pub(super) passive: &'a str,
}

/// Writes conditions of one program.
#[derive(Clone, Copy)]
pub(super) struct Phrases<'a> {
    pub(super) program: &'a Program,
    pub(super) expressions: &'a Expressions,
    pub(super) names: Names<'a>,
}

impl Phrases<'_> {
    /// A condition that is true, or false.
    pub(super) fn condition(self, id: ExpressionId, value: bool) -> String {
        self.truth(id, value, 0)
    }

    /// The same in parentheses, unless it is a name or a comparison.
    fn inner(self, id: ExpressionId, value: bool, depth: usize) -> String {
        let text = self.truth(id, value, depth + 1);
        if text.contains(" || ") || text.contains(" && ") || text.contains(" ? ") {
            format!("({text})")
        } else {
            text
        }
    }

    fn truth(self, id: ExpressionId, value: bool, depth: usize) -> String {
        use BinaryOperator as B;
        if depth > MAX_DEPTH {
            return "…".to_owned();
        }
        let order = |smaller, sign, larger| self.comparison(smaller, sign, larger, depth);
        match self.expressions.get(id) {
            Expression::Constant(constant) => ((constant != 0) == value).to_string(),
            Expression::Unary(UnaryOperator::Not, a) => self.truth(a, !value, depth),
            Expression::Binary(B::Equal, a, b) => {
                if let Some(text) = self.of_bits(a, b, value, depth) {
                    return text;
                }
                order(a, if value { "==" } else { "!=" }, b)
            }
            Expression::Binary(B::UnsignedLess | B::SignedLess, a, b) if value => order(a, "<", b),
            Expression::Binary(B::UnsignedLess | B::SignedLess, a, b) => order(b, "<=", a),
            Expression::Binary(B::UnsignedLessOrEqual | B::SignedLessOrEqual, a, b) if value => {
                order(a, "<=", b)
            }
            Expression::Binary(B::UnsignedLessOrEqual | B::SignedLessOrEqual, a, b) => order(b, "<", a),
            Expression::Binary(operator @ (B::And | B::Or), a, b) => {
                let sign = if (operator == B::And) == value { "&&" } else { "||" };
                format!("{} {sign} {}", self.inner(a, value, depth), self.inner(b, value, depth))
            }
            _ if value => self.operand(id, depth),
            _ => format!("!{}", self.operand(id, depth)),
        }
    }

    /// An equation between truth values, one of which is a constant.
    fn of_bits(self, a: ExpressionId, b: ExpressionId, value: bool, depth: usize) -> Option<String> {
        if self.expressions.bits(a) != 1 {
            return None;
        }
        let (other, constant) = match (self.constant(a), self.constant(b)) {
            (Some(constant), None) => (b, constant),
            (None, Some(constant)) => (a, constant),
            _ => return None,
        };
        // A flag's value is easier to read as a value.
        let is_flag = self.typed(other).is_some();
        (!is_flag).then(|| self.truth(other, value == (constant != 0), depth + 1))
    }

    fn constant(self, id: ExpressionId) -> Option<u128> {
        match self.expressions.get(id) {
            Expression::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn comparison(self, a: ExpressionId, sign: &str, b: ExpressionId, depth: usize) -> String {
        let left = self.beside(a, b, depth);
        format!("{left} {sign} {}", self.beside(b, a, depth))
    }

    /// An operand; a constant as the type of what it is compared with writes it.
    fn beside(self, id: ExpressionId, other: ExpressionId, depth: usize) -> String {
        match (self.constant(id), self.typed(other)) {
            (Some(value), Some(variable)) => {
                values::value(self.program, &variable.ty, self.expressions.bits(id), value)
            }
            _ => self.operand(id, depth + 1),
        }
    }

    fn typed(&self, id: ExpressionId) -> Option<&Variable> {
        match self.expressions.get(id) {
            Expression::Variable(id) | Expression::Passive(id) | Expression::Element(id, _) => {
                Some(self.program.variable(id))
            }
            Expression::Extend { operand, .. } => self.typed(operand),
            _ => None,
        }
    }

    fn operand(self, id: ExpressionId, depth: usize) -> String {
        if depth > MAX_DEPTH {
            return "…".to_owned();
        }
        let bits = self.expressions.bits(id);
        match self.expressions.get(id) {
            Expression::Constant(value) => {
                let signed =
                    values::value(self.program, &ValueType::Integer { is_signed: true }, bits, value);
                let is_short = bits > 1 && signed.len() < 5;
                if is_short { signed } else { value.to_string() }
            }
            Expression::Variable(variable) => self.owned(self.names.active, variable, None),
            Expression::Passive(variable) => self.owned(self.names.passive, variable, None),
            Expression::Element(variable, index) => {
                let index = self.operand(index, depth + 1);
                self.owned(self.names.active, variable, Some(&index))
            }
            Expression::Nondet(_) => "anything".to_owned(),
            Expression::ThisThread if self.names.active.is_empty() => "this thread".to_owned(),
            Expression::ThisThread => self.names.active.to_owned(),
            Expression::NewThread => "the new thread".to_owned(),
            Expression::HasEnded(a) => format!("ended({})", self.operand(a, depth + 1)),
            Expression::ResultOf(a) => format!("result({})", self.operand(a, depth + 1)),
            Expression::Extend { operand, .. } => self.operand(operand, depth),
            Expression::Extract { operand, low: 0 } => self.operand(operand, depth),
            Expression::Extract { operand, low } => {
                format!("({} >> {low})", self.operand(operand, depth + 1))
            }
            Expression::Unary(UnaryOperator::Negate, a) => format!("-{}", self.operand(a, depth + 1)),
            Expression::Unary(UnaryOperator::Not, a) if bits > 1 => {
                format!("~{}", self.operand(a, depth + 1))
            }
            Expression::IfThenElse(c, a, b) => {
                let (a, b) = (self.operand(a, depth + 1), self.operand(b, depth + 1));
                format!("({} ? {a} : {b})", self.truth(c, true, depth + 1))
            }
            Expression::Binary(operator, a, b) if !operator.is_comparison() && bits > 1 => {
                format!("({} {} {})", self.operand(a, depth + 1), sign(operator), self.operand(b, depth + 1))
            }
            Expression::Unary(..) | Expression::Binary(..) => {
                format!("({})", self.truth(id, true, depth + 1))
            }
        }
    }

    /// A variable with the thread that has it, if it is not shared.
    fn owned(self, thread: &str, id: VariableId, index: Option<&str>) -> String {
        let name = naming::element(self.program, id, index);
        let is_shared = self.program.variable(id).scope == Scope::Shared;
        if is_shared || thread.is_empty() { name } else { format!("{thread}.{name}") }
    }
}

/// An operator on numbers as C writes it.
fn sign(operator: BinaryOperator) -> &'static str {
    use BinaryOperator as B;
    match operator {
        B::Add => "+",
        B::Subtract => "-",
        B::Multiply => "*",
        B::UnsignedDivide | B::SignedDivide => "/",
        B::UnsignedRemainder | B::SignedRemainder => "%",
        B::And => "&",
        B::Or => "|",
        B::Xor => "^",
        B::ShiftLeft => "<<",
        B::ShiftRightLogical | B::ShiftRightArithmetic => ">>",
        B::Equal => "==",
        B::UnsignedLess | B::SignedLess => "<",
        B::UnsignedLessOrEqual | B::SignedLessOrEqual => "<=",
    }
}
