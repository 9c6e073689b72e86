//! Conditions of invariants for people: as C writes them, without widths and needless parentheses, and with names for threads.
//! What evidence says exactly stands in its own language; this is for reading only.

use super::{naming, values};
use throng_cfa::flow::{
    BinaryOperator, Expression, ExpressionId, Expressions, Program, Scope, UnaryOperator, ValueType,
    Variable, VariableId,
};

/// How deep an expression is written out.
const MAX_DEPTH: usize = 12;

/// How tightly an operator binds, as in C; operands that bind less get parentheses.
mod binds {
    pub(super) const CHOICE: u8 = 1;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    /// Operators on bits: C's precedence surprises, so they get parentheses wherever they are operands.
    pub(super) const BITS: u8 = 4;
    pub(super) const COMPARISON: u8 = 5;
    pub(super) const SUM: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
    pub(super) const PREFIX: u8 = 8;
    pub(super) const NAME: u8 = 9;
}

/// An expression as text, with how tightly its outermost operator binds.
type Bound = (String, u8);

/// The text of an operand of an operator.
fn within((text, binding): Bound, operator: u8) -> String {
    if binding < operator { format!("({text})") } else { text }
}

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

/// A condition of which no `||` is left outside of parentheses. A comparison is kept in parts, so that one can tell which
/// follows from which.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// `left sign right`, where the sign is `==`, `!=`, `<` or `<=`; whether numbers have signs.
    Comparison(String, &'static str, String, bool),
    /// Anything else.
    Other(String),
}

impl Atom {
    /// The atom as C writes it.
    pub(super) fn text(&self) -> String {
        match self {
            Atom::Comparison(left, sign, right, _) => format!("{left} {sign} {right}"),
            Atom::Other(text) => text.clone(),
        }
    }

    /// Whether another atom holds wherever this one does, as far as the words tell.
    pub(super) fn implies(&self, other: &Atom) -> bool {
        if self == other {
            return true;
        }
        let (Atom::Comparison(a, sign, b, signed), Atom::Comparison(c, weaker, d, other_signed)) =
            (self, other)
        else {
            return false;
        };
        let is_symmetric = |sign: &str| sign == "==" || sign == "!=";
        if (a, b) == (c, d) || (is_symmetric(sign) || is_symmetric(weaker)) && (a, b) == (d, c) {
            return match (*sign, *weaker) {
                ("==", "==" | "<=") | ("!=", "!=") => true,
                ("<", "!=") => true,
                ("<", "<=") => (a, b) == (c, d) && signed == other_signed,
                _ => sign == weaker && (a, b) == (c, d) && signed == other_signed,
            };
        }
        let number = |text: &String| text.parse::<i128>().ok();
        let same_kind = signed == other_signed;
        match (number(a), number(c), number(b), number(d)) {
            // 4 <= x implies 2 <= x, and x <= 2 implies x <= 4.
            (Some(low), Some(lower), ..) if b == d && same_kind => {
                lower <= low && weaker == sign && is_order(sign)
            }
            // x == 0 implies x != 1.
            (.., Some(this), Some(that)) if a == c && (*sign, *weaker) == ("==", "!=") => this != that,
            (.., Some(high), Some(higher)) if a == c && same_kind => {
                high <= higher && weaker == sign && is_order(sign)
            }
            _ => false,
        }
    }
}

fn is_order(sign: &str) -> bool {
    sign == "<" || sign == "<="
}

impl Phrases<'_> {
    /// A condition that is true, or false.
    pub(super) fn condition(self, id: ExpressionId, value: bool) -> String {
        self.truth(id, value, 0).0
    }

    /// The alternatives of a condition that is true, or false: it holds if one of them does.
    pub(super) fn alternatives(self, id: ExpressionId, value: bool) -> Vec<Atom> {
        use BinaryOperator as B;
        match self.expressions.get(id) {
            Expression::Unary(UnaryOperator::Not, a) if self.expressions.bits(a) == 1 => {
                self.alternatives(a, !value)
            }
            Expression::Binary(operator @ (B::And | B::Or), a, b)
                if self.expressions.bits(a) == 1 && (operator == B::Or) == value =>
            {
                let mut all = self.alternatives(a, value);
                all.extend(self.alternatives(b, value));
                all
            }
            _ => vec![self.atom(id, value)],
        }
    }

    fn atom(self, id: ExpressionId, value: bool) -> Atom {
        match self.compared(id, value, 0) {
            Some((a, sign, b, signed)) => {
                Atom::Comparison(self.beside(a, b, 0), sign, self.beside(b, a, 0), signed)
            }
            None => Atom::Other(self.truth(id, value, 0).0),
        }
    }

    /// The parts of a comparison; `None` if it is none, or one of truth values that is told otherwise.
    fn compared(
        self,
        id: ExpressionId,
        value: bool,
        depth: usize,
    ) -> Option<(ExpressionId, &'static str, ExpressionId, bool)> {
        use BinaryOperator as B;
        let Expression::Binary(operator, a, b) = self.expressions.get(id) else { return None };
        let signed = matches!(operator, B::SignedLess | B::SignedLessOrEqual);
        Some(match (operator, value) {
            (B::Equal, _) if self.of_bits(a, b, value, depth).is_some() => return None,
            (B::Equal, true) => (a, "==", b, false),
            (B::Equal, false) => (a, "!=", b, false),
            (B::UnsignedLess | B::SignedLess, true) => (a, "<", b, signed),
            (B::UnsignedLess | B::SignedLess, false) => (b, "<=", a, signed),
            (B::UnsignedLessOrEqual | B::SignedLessOrEqual, true) => (a, "<=", b, signed),
            (B::UnsignedLessOrEqual | B::SignedLessOrEqual, false) => (b, "<", a, signed),
            _ => return None,
        })
    }

    fn truth(self, id: ExpressionId, value: bool, depth: usize) -> Bound {
        use BinaryOperator as B;
        if depth > MAX_DEPTH {
            return ("…".to_owned(), binds::NAME);
        }
        if let Some((a, sign, b, _)) = self.compared(id, value, depth) {
            let text = format!("{} {sign} {}", self.beside(a, b, depth), self.beside(b, a, depth));
            return (text, binds::COMPARISON);
        }
        match self.expressions.get(id) {
            Expression::Constant(constant) => (((constant != 0) == value).to_string(), binds::NAME),
            Expression::Unary(UnaryOperator::Not, a) => self.truth(a, !value, depth),
            Expression::Binary(B::Equal, a, b) => {
                let text = self.of_bits(a, b, value, depth);
                text.unwrap_or_else(|| ("…".to_owned(), binds::NAME))
            }
            Expression::Binary(operator @ (B::And | B::Or), a, b) => {
                let (sign, binding) =
                    if (operator == B::And) == value { ("&&", binds::AND) } else { ("||", binds::OR) };
                let side = |id| {
                    let (text, inner) = self.truth(id, value, depth + 1);
                    // Compilers warn of `&&` in `||` without parentheses.
                    within((text, inner), if inner == binding { binding } else { binds::BITS })
                };
                (format!("{} {sign} {}", side(a), side(b)), binding)
            }
            _ if value => self.operand(id, depth),
            _ => (format!("!{}", within(self.operand(id, depth), binds::PREFIX)), binds::PREFIX),
        }
    }

    /// An equation between truth values, one of which is a constant.
    fn of_bits(self, a: ExpressionId, b: ExpressionId, value: bool, depth: usize) -> Option<Bound> {
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

    /// An operand; a constant as the type of what it is compared with writes it.
    fn beside(self, id: ExpressionId, other: ExpressionId, depth: usize) -> String {
        match (self.constant(id), self.typed(other)) {
            (Some(value), Some(variable)) => {
                values::value(self.program, &variable.ty, self.expressions.bits(id), value)
            }
            _ => within(self.operand(id, depth + 1), binds::SUM),
        }
    }

    fn typed(&self, id: ExpressionId) -> Option<&Variable> {
        match self.expressions.get(id) {
            Expression::Variable(id) | Expression::Passive(id) | Expression::Element(id, _) => {
                Some(self.program.variable(id))
            }
            Expression::Extend { operand, .. } => self.typed(operand),
            // An address some bytes from a pointer is one, too.
            Expression::Binary(BinaryOperator::Add | BinaryOperator::Subtract, a, b) => {
                let is_pointer = |it: &&Variable| it.ty == ValueType::Pointer;
                self.typed(a).filter(is_pointer).or_else(|| self.typed(b).filter(is_pointer))
            }
            _ => None,
        }
    }

    fn operand(self, id: ExpressionId, depth: usize) -> Bound {
        if depth > MAX_DEPTH {
            return ("…".to_owned(), binds::NAME);
        }
        let bits = self.expressions.bits(id);
        let name = |text: String| (text, binds::NAME);
        match self.expressions.get(id) {
            Expression::Constant(value) => name(self.number(value, bits)),
            Expression::Variable(variable) => name(self.owned(self.names.active, variable, None)),
            Expression::Passive(variable) => name(self.owned(self.names.passive, variable, None)),
            Expression::Element(variable, index) => {
                let index = self.operand(index, depth + 1).0;
                name(self.owned(self.names.active, variable, Some(&index)))
            }
            Expression::Nondet(_) => name("anything".to_owned()),
            Expression::ThisThread if self.names.active.is_empty() => name("this thread".to_owned()),
            Expression::ThisThread => name(self.names.active.to_owned()),
            Expression::NewThread => name("the new thread".to_owned()),
            Expression::HasEnded(a) => name(format!("ended({})", self.operand(a, depth + 1).0)),
            Expression::ResultOf(a) => name(format!("result({})", self.operand(a, depth + 1).0)),
            Expression::Extend { operand, .. } | Expression::Extract { operand, low: 0 } => {
                self.operand(operand, depth)
            }
            Expression::Extract { operand, low } => {
                (format!("{} >> {low}", within(self.operand(operand, depth + 1), binds::NAME)), binds::BITS)
            }
            Expression::Unary(UnaryOperator::Negate, a) => {
                (format!("-{}", within(self.operand(a, depth + 1), binds::NAME)), binds::PREFIX)
            }
            Expression::Unary(UnaryOperator::Not, a) if bits > 1 => {
                (format!("~{}", within(self.operand(a, depth + 1), binds::NAME)), binds::PREFIX)
            }
            Expression::IfThenElse(c, a, b) => {
                let side = |id| within(self.operand(id, depth + 1), binds::OR);
                let condition = within(self.truth(c, true, depth + 1), binds::OR);
                (format!("{condition} ? {} : {}", side(a), side(b)), binds::CHOICE)
            }
            Expression::Binary(operator, a, b) if !operator.is_comparison() && bits > 1 => {
                self.arithmetic(operator, a, b, depth)
            }
            Expression::Unary(..) | Expression::Binary(..) => self.truth(id, true, depth + 1),
        }
    }

    fn number(self, value: u128, bits: u32) -> String {
        let signed = values::value(self.program, &ValueType::Integer { is_signed: true }, bits, value);
        let is_short = bits > 1 && signed.len() < 5;
        if is_short { signed } else { value.to_string() }
    }

    fn arithmetic(self, operator: BinaryOperator, a: ExpressionId, b: ExpressionId, depth: usize) -> Bound {
        use BinaryOperator as B;
        let binding = match operator {
            B::Add | B::Subtract => binds::SUM,
            B::Multiply => binds::PRODUCT,
            B::UnsignedDivide | B::SignedDivide | B::UnsignedRemainder | B::SignedRemainder => binds::PRODUCT,
            _ => binds::BITS,
        };
        let sides = if binding == binds::BITS { (binds::NAME, binds::NAME) } else { (binding, binding + 1) };
        let left = within(self.operand(a, depth + 1), sides.0);
        let right = self.operand(b, depth + 1);
        // Adding what is below zero is subtracting.
        if let (B::Add, Some(less)) = (operator, right.0.strip_prefix('-'))
            && self.constant(b).is_some()
        {
            return (format!("{left} - {less}"), binding);
        }
        (format!("{left} {} {}", sign(operator), within(right, sides.1)), binding)
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

#[cfg(test)]
mod tests {
    use super::Atom;

    fn atom(left: &str, sign: &'static str, right: &str) -> Atom {
        Atom::Comparison(left.to_owned(), sign, right.to_owned(), false)
    }

    #[test]
    fn one_comparison_follows_from_another() {
        for (one, other) in [
            (atom("a", "==", "b"), atom("a", "<=", "b")),
            (atom("a", "==", "b"), atom("b", "<=", "a")),
            (atom("a", "==", "b"), atom("b", "==", "a")),
            (atom("a", "<", "b"), atom("a", "!=", "b")),
            (atom("a", "<", "b"), atom("b", "!=", "a")),
            (atom("a", "<", "b"), atom("a", "<=", "b")),
            (atom("4", "<=", "x"), atom("2", "<=", "x")),
            (atom("x", "<", "2"), atom("x", "<", "4")),
            (atom("x", "==", "0"), atom("x", "!=", "1")),
        ] {
            assert!(one.implies(&other), "{} implies {}", one.text(), other.text());
            assert!(one == other || !other.implies(&one) || one.text().contains("=="), "{}", other.text());
        }
        for (one, other) in [
            (atom("a", "<", "b"), atom("b", "<", "a")),
            (atom("a", "<", "b"), atom("b", "<=", "a")),
            (atom("a", "<=", "b"), atom("a", "<", "b")),
            (atom("a", "!=", "b"), atom("a", "<", "b")),
            (atom("2", "<=", "x"), atom("4", "<=", "x")),
            (atom("a", "<=", "b"), atom("b", "<=", "a")),
        ] {
            assert!(!one.implies(&other), "{} does not imply {}", one.text(), other.text());
        }
        // Without signs, numbers above 2^31 are large; with signs they are small.
        let signed = Atom::Comparison("2".to_owned(), "<=", "x".to_owned(), true);
        assert!(!atom("4", "<=", "x").implies(&signed));
    }
}
