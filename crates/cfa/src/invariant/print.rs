//! Predicates as text, for evidence and for people: what `parse` reads back to the same expression.
//!
//! Every operation but the outermost stands in parentheses, except that chains such as `a && b && c` need none. Operators
//! on one bit are written `&&` and `||`. Orders, divisions and shifts to the right end in `u` or `s`, unsigned or signed. A
//! constant has the width of its partner; where it has none, the width is said: `u32(5)`, and `true` or `false` for one bit.
//! A name that is no identifier or path of identifiers is quoted: `'waits for'`; a name that several variables have is
//! followed by the variable's number: `x#3`. Variables of the passive thread end in `$`.
//!
//! Expressions share parts and texts do not, so a text can be far longer than what it says: there is a limit.

use super::MAX_DEPTH;
use crate::flow::{
    BinaryOperator, Expression, ExpressionId, Expressions, Program, TemplateId, UnaryOperator, VariableId,
    mask, signed,
};

/// The longest text of one expression, in bytes.
pub const MAX_LENGTH: usize = 1 << 20;

/// The width of an index that is written as a number alone.
pub(super) const INDEX_BITS: u32 = 64;

/// Words that are no names.
pub(super) const KEYWORDS: [&str; 3] = ["true", "false", "this_thread"];

/// The text of an expression over a program's variables. The error says in words why there is none: arbitrary values, other
/// threads' ends and results have no place in predicates, and a text may not be too long or too deeply nested.
pub fn expression_text(
    program: &Program,
    expressions: &Expressions,
    id: ExpressionId,
) -> Result<String, String> {
    let mut printer = Printer { program, expressions, out: String::new(), work: Vec::new() };
    printer.work.push(Piece::Whole(id, 0));
    while let Some(piece) = printer.work.pop() {
        if printer.out.len() > MAX_LENGTH {
            return Err(format!("its text is longer than {MAX_LENGTH} bytes"));
        }
        match piece {
            Piece::Text(text) => printer.out.push_str(&text),
            Piece::Whole(id, depth) => printer.whole(id, depth)?,
            Piece::Operand(id, depth) => printer.operand(id, depth)?,
            Piece::Constant(id) => printer.constant(id, true),
        }
    }
    Ok(printer.out)
}

/// The name of a template, with its number where others have the same name.
pub fn template_text(program: &Program, id: TemplateId) -> String {
    let name = &program.templates[id.index()].name;
    let same = program.templates.iter().filter(|other| other.name == *name).count();
    if same > 1 { format!("{name}#{}", id.index()) } else { name.clone() }
}

/// The template that [`template_text`] calls so.
pub fn template_named(program: &Program, text: &str) -> Option<TemplateId> {
    (0..program.templates.len()).map(TemplateId::new).find(|&id| template_text(program, id) == text)
}

/// What is still to be printed.
enum Piece {
    Text(String),
    /// An expression that needs no parentheses, at this depth.
    Whole(ExpressionId, usize),
    /// An expression in parentheses if it is an operation.
    Operand(ExpressionId, usize),
    /// A constant whose width is known.
    Constant(ExpressionId),
}

struct Printer<'a> {
    program: &'a Program,
    expressions: &'a Expressions,
    out: String,
    /// What follows, the last first: chains may be long, so nothing recurs.
    work: Vec<Piece>,
}

impl Printer<'_> {
    fn follow(&mut self, pieces: impl IntoIterator<Item = Piece, IntoIter: DoubleEndedIterator>) {
        self.work.extend(pieces.into_iter().rev());
    }

    fn whole(&mut self, id: ExpressionId, depth: usize) -> Result<(), String> {
        let text = |text: &str| Piece::Text(text.to_owned());
        match self.expressions.get(id) {
            Expression::Unary(UnaryOperator::Negate, a) => {
                self.follow([text("-"), Piece::Operand(a, depth + 1)]);
            }
            Expression::Unary(UnaryOperator::Not, a) => {
                if let Expression::Binary(BinaryOperator::Equal, x, y) = self.expressions.get(a) {
                    self.pair(x, "!=", y, depth);
                } else {
                    let sign = if self.expressions.bits(a) == 1 { "!" } else { "~" };
                    self.follow([text(sign), Piece::Operand(a, depth + 1)]);
                }
            }
            Expression::Binary(operator, a, b) => {
                let words = operator_text(operator, self.expressions.bits(a));
                if is_chain(operator) && self.is_operation(a, operator) {
                    let right = self.partner(b, depth);
                    self.follow([Piece::Whole(a, depth), text(&format!(" {words} ")), right]);
                } else {
                    self.pair(a, words, b, depth);
                }
            }
            Expression::IfThenElse(c, a, b) => {
                let (first, second) = self.both(a, b, depth);
                let condition = Piece::Operand(c, depth + 1);
                self.follow([condition, text(" ? "), first, text(" : "), second]);
            }
            _ => return self.operand(id, depth),
        }
        Ok(())
    }

    /// Two operands around an operator.
    fn pair(&mut self, a: ExpressionId, operator: &str, b: ExpressionId, depth: usize) {
        let (first, second) = self.both(a, b, depth);
        self.follow([first, Piece::Text(format!(" {operator} ")), second]);
    }

    /// Two operands of one width: of two constants, the first says it.
    fn both(&self, a: ExpressionId, b: ExpressionId, depth: usize) -> (Piece, Piece) {
        let first = if self.expressions.as_constant(b).is_some() {
            Piece::Operand(a, depth + 1)
        } else {
            self.partner(a, depth)
        };
        (first, self.partner(b, depth))
    }

    /// An operand next to another that says the width.
    fn partner(&self, id: ExpressionId, depth: usize) -> Piece {
        match self.expressions.as_constant(id) {
            Some(_) => Piece::Constant(id),
            None => Piece::Operand(id, depth + 1),
        }
    }

    fn is_operation(&self, id: ExpressionId, operator: BinaryOperator) -> bool {
        matches!(self.expressions.get(id), Expression::Binary(other, ..) if other == operator)
    }

    fn operand(&mut self, id: ExpressionId, depth: usize) -> Result<(), String> {
        if depth >= MAX_DEPTH {
            return Err(format!("it is nested more than {MAX_DEPTH} deep"));
        }
        let text = |text: &str| Piece::Text(text.to_owned());
        let bits = self.expressions.bits(id);
        match self.expressions.get(id) {
            Expression::Constant(_) => self.constant(id, false),
            Expression::Variable(variable) => self.out.push_str(&variable_text(self.program, variable)),
            Expression::Passive(variable) => {
                self.out.push_str(&variable_text(self.program, variable));
                self.out.push('$');
            }
            Expression::Element(variable, index) => self.element(variable, index, depth),
            Expression::ThisThread => self.out.push_str(&format!("this_thread({bits})")),
            Expression::Extend { operand, is_signed } => {
                let word = if is_signed { "s" } else { "u" };
                let open = format!("{word}{bits}(");
                self.follow([Piece::Text(open), Piece::Whole(operand, depth + 1), text(")")]);
            }
            Expression::Extract { operand, low } => {
                let close = format!(", {low}, {bits})");
                self.follow([text("bits("), Piece::Whole(operand, depth + 1), Piece::Text(close)]);
            }
            Expression::Unary(..) | Expression::Binary(..) | Expression::IfThenElse(..) => {
                self.follow([text("("), Piece::Whole(id, depth), text(")")]);
            }
            Expression::Nondet(_) => return Err("it has an arbitrary value".to_owned()),
            Expression::NewThread => return Err("it has the number of a new thread".to_owned()),
            Expression::HasEnded(_) => return Err("it asks whether a thread has ended".to_owned()),
            Expression::ResultOf(_) => return Err("it asks for the result of a thread".to_owned()),
        }
        Ok(())
    }

    fn element(&mut self, variable: VariableId, index: ExpressionId, depth: usize) {
        // A number alone is within the array; as the index of a single scalar it means the scalar.
        let length = self.program.variable(variable).length;
        let is_plain = self.expressions.bits(index) == INDEX_BITS
            && length != 1
            && self.expressions.as_constant(index).is_some_and(|value| value < u128::from(length));
        let index = if is_plain { Piece::Constant(index) } else { Piece::Whole(index, depth + 1) };
        let number = number_mark(self.program, variable);
        let name = &self.program.variable(variable).name;
        let is_rest = |rest: &str| rest.is_empty() || rest.strip_prefix('.').is_some_and(is_path);
        let (before, after) = match name.split_once("[]") {
            Some((before, after)) if is_path(before) && is_rest(after) => {
                (before.to_owned(), format!("]{after}{number}"))
            }
            _ => (format!("{}{number}", quoted(name)), "]".to_owned()),
        };
        self.follow([Piece::Text(format!("{before}[")), index, Piece::Text(after)]);
    }

    fn constant(&mut self, id: ExpressionId, is_width_known: bool) {
        let bits = self.expressions.bits(id);
        let value = self.expressions.as_constant(id).unwrap_or_default() & mask(bits);
        let number = signed(value, bits);
        let text = match (bits, value) {
            (1, 0) => "false".to_owned(),
            (1, _) => "true".to_owned(),
            _ if number < 0 && number > -1000 => number.to_string(),
            _ => value.to_string(),
        };
        let text = if is_width_known || bits == 1 { text } else { format!("u{bits}({text})") };
        self.out.push_str(&text);
    }
}

/// Operators that may stand in chains without parentheses.
fn is_chain(operator: BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(operator, B::And | B::Or | B::Xor | B::Add | B::Multiply)
}

/// The name of a variable as it stands in predicates, without `$`.
pub fn variable_text(program: &Program, id: VariableId) -> String {
    let name = &program.variable(id).name;
    let number = number_mark(program, id);
    if is_path(name) { format!("{name}{number}") } else { format!("{}{number}", quoted(name)) }
}

/// `#3` for a variable whose name others have, too.
fn number_mark(program: &Program, id: VariableId) -> String {
    let name = &program.variable(id).name;
    let same = program.variables.iter().filter(|other| other.name == *name).count();
    if same > 1 { format!("#{}", id.index()) } else { String::new() }
}

/// Identifiers with points between them that are read as a name.
fn is_path(name: &str) -> bool {
    let is_identifier = |part: &str| {
        let mut chars = part.chars();
        chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    name.split('.').all(is_identifier) && !KEYWORDS.contains(&name)
}

/// A name in quotes.
fn quoted(name: &str) -> String {
    let mut out = String::from("'");
    for c in name.chars() {
        if c == '\'' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('\'');
    out
}

/// An operator on values of this width.
fn operator_text(operator: BinaryOperator, bits: u32) -> &'static str {
    match operator {
        BinaryOperator::And if bits == 1 => "&&",
        BinaryOperator::Or if bits == 1 => "||",
        _ => operator.text(),
    }
}
