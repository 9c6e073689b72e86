//! Reads the text of predicates: what `print` writes, to the very same expression, and what people write in C's syntax.
//!
//! Values are bit-vectors. Operands of one width are taken as they are: `c + 1` of an 8-bit `c` has 8 bits, without C's
//! promotion to `int`. A narrower operand is extended to the width of the wider one, with its sign if its type is signed. A
//! number has the width of its partner. `<`, `/`, `%` and `>>` without `u` or `s` are decided by types, as in C: the
//! wider operand's type counts, of the same width the unsigned one; `<` compares the values of operands with different signs
//! below 32 bits; `>>` looks at the left operand. `!`, `&&`, `||`, `?` and whole predicates take values other than 0 for true.
//!
//! The expression is built as it is written, without simplification. Precedence is that of C.

use super::lex::{Spanned, Token, tokens};
use super::{MAX_DEPTH, literal};
use crate::flow::{
    BinaryOperator, Expression, ExpressionId, Expressions, Program, TemplateId, UnaryOperator,
};
use literal::{Operand, Value};
use std::ops::Range;

/// Whose variables are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The code of the active thread, whose variables stand as they are.
    pub active: Option<TemplateId>,
    /// The code of the passive thread, whose variables end in `$`.
    pub passive: Option<TemplateId>,
    /// Whether the passive thread's variables may be written without `$`, as there is no active one.
    pub is_all: bool,
}

/// What kind of mistake a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextErrorKind {
    /// It is not in the language.
    Syntax,
    /// A name means nothing, or several things.
    Name,
    /// Widths do not fit.
    Width,
}

/// Why a text is no predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The kind of mistake.
    pub kind: TextErrorKind,
    /// Where, in bytes of the text.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What could stand there; may be empty.
    pub expected: String,
}

impl TextError {
    /// The message with its column in the text, in characters from 1.
    pub fn with_column(&self, text: &str) -> String {
        let before = text.char_indices().take_while(|&(offset, _)| offset < self.range.start);
        let expected = if self.expected.is_empty() { String::new() } else { format!(" ({})", self.expected) };
        format!("column {}: {}{expected}", before.count() + 1, self.message)
    }
}

/// Reads an expression of any width over the variables of a program.
pub fn parse_expression(
    program: &Program,
    expressions: &mut Expressions,
    context: Context,
    text: &str,
) -> Result<ExpressionId, TextError> {
    let mut parser = Parser::new(program, expressions, context, text)?;
    let operand = parser.all()?;
    match operand.value {
        Value::Typed(id, _) => Ok(id),
        Value::Literal(..) => Err(literal::no_width(&operand)),
    }
}

/// Reads an expression as a truth value: whether it is not 0.
pub fn parse_predicate(
    program: &Program,
    expressions: &mut Expressions,
    context: Context,
    text: &str,
) -> Result<ExpressionId, TextError> {
    let mut parser = Parser::new(program, expressions, context, text)?;
    let operand = parser.all()?;
    Ok(literal::truth(parser.expressions, &operand))
}

/// Where in a text one is.
pub(super) struct Parser<'a> {
    pub(super) program: &'a Program,
    pub(super) expressions: &'a mut Expressions,
    pub(super) context: Context,
    pub(super) tokens: Vec<Spanned>,
    /// The next token.
    pub(super) next: usize,
    /// Where the text ends.
    end: usize,
    depth: usize,
}

/// How strongly operators bind, weakest first; all are left-associative.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">=", "<u", "<=u", ">u", ">=u", "<s", "<=s", ">s", ">=s"],
    &["<<", ">>", ">>u", ">>s"],
    &["+", "-"],
    &["*", "/", "%", "/u", "%u", "/s", "%s"],
];

impl<'a> Parser<'a> {
    fn new(
        program: &'a Program,
        expressions: &'a mut Expressions,
        context: Context,
        text: &str,
    ) -> Result<Self, TextError> {
        let tokens = tokens(text)?;
        Ok(Self { program, expressions, context, tokens, next: 0, end: text.len(), depth: 0 })
    }

    /// The whole text.
    fn all(&mut self) -> Result<Operand, TextError> {
        let operand = self.choice()?;
        if self.next < self.tokens.len() {
            return Err(self.expected("an operator or the end"));
        }
        Ok(operand)
    }

    pub(super) fn here(&self) -> Range<usize> {
        self.tokens.get(self.next).map_or(self.end..self.end, |(_, range)| range.clone())
    }

    pub(super) fn expected(&self, what: &str) -> TextError {
        let message = if self.next < self.tokens.len() {
            "this does not belong here".to_owned()
        } else {
            "the expression ends too early".to_owned()
        };
        let expected = format!("expected {what}");
        TextError { kind: TextErrorKind::Syntax, range: self.here(), message, expected }
    }

    fn symbol(&self) -> Option<&'static str> {
        match self.tokens.get(self.next) {
            Some((Token::Symbol(symbol), _)) => Some(symbol),
            _ => None,
        }
    }

    pub(super) fn accept(&mut self, symbol: &str) -> bool {
        let is_there = self.symbol() == Some(symbol);
        self.next += usize::from(is_there);
        is_there
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Result<(), TextError> {
        if self.accept(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    /// One level deeper, within the limit.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, TextError>,
    ) -> Result<T, TextError> {
        // An operand on the right and its parentheses are one level for people and two here.
        if self.depth > 2 * MAX_DEPTH {
            let message = format!("the expression is nested more than {MAX_DEPTH} deep");
            let (kind, range) = (TextErrorKind::Syntax, self.here());
            return Err(TextError { kind, range, message, expected: String::new() });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// `c ? a : b`, or anything that binds more strongly.
    pub(super) fn choice(&mut self) -> Result<Operand, TextError> {
        let condition = self.binary(0)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let first = self.deeper(Self::choice)?;
        self.expect(":")?;
        let second = self.deeper(Self::choice)?;
        let condition = literal::truth(self.expressions, &condition);
        literal::choice(self.expressions, condition, &first, &second)
    }

    /// Operators of at least this level, by precedence climbing.
    fn binary(&mut self, level: usize) -> Result<Operand, TextError> {
        let mut left = self.unary()?;
        while let Some(symbol) = self.symbol() {
            let Some(found) = LEVELS.iter().position(|symbols| symbols.contains(&symbol)) else { break };
            if found < level {
                break;
            }
            self.next += 1;
            let right = self.deeper(|parser| parser.binary(found + 1))?;
            left = literal::binary(self.expressions, symbol, &left, &right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Operand, TextError> {
        let start = self.here().start;
        let Some(symbol @ ("!" | "~" | "-" | "+")) = self.symbol() else { return self.primary() };
        self.next += 1;
        let operand = self.deeper(Self::unary)?;
        let range = start..operand.range.end;
        let value = match (symbol, operand.value) {
            ("+", value) => value,
            ("!", _) => {
                let truth = self.negated(&operand);
                Value::Typed(truth, false)
            }
            ("-", Value::Literal(is_negative, magnitude)) => Value::Literal(!is_negative, magnitude),
            (_, Value::Literal(..)) => return Err(literal::no_width(&operand)),
            (_, Value::Typed(id, is_signed)) => {
                let operator = if symbol == "-" { UnaryOperator::Negate } else { UnaryOperator::Not };
                let bits = self.expressions.bits(id);
                Value::Typed(self.expressions.insert(Expression::Unary(operator, id), bits), is_signed)
            }
        };
        Ok(Operand { value, range })
    }

    /// `!x` is `x == 0` where `x` is more than a bit.
    fn negated(&mut self, operand: &Operand) -> ExpressionId {
        match operand.value {
            Value::Typed(id, _) if self.expressions.bits(id) > 1 => {
                let zero = self.expressions.constant(0, self.expressions.bits(id));
                self.expressions.insert(Expression::Binary(BinaryOperator::Equal, id, zero), 1)
            }
            Value::Literal(_, magnitude) => self.expressions.truth(magnitude == 0),
            Value::Typed(id, _) => self.expressions.insert(Expression::Unary(UnaryOperator::Not, id), 1),
        }
    }

    fn primary(&mut self) -> Result<Operand, TextError> {
        let range = self.here();
        match self.tokens.get(self.next).map(|(token, _)| token.clone()) {
            Some(Token::Number(number)) => {
                self.next += 1;
                Ok(Operand { value: Value::Literal(false, number), range })
            }
            Some(Token::Symbol("(")) => {
                self.next += 1;
                let inner = self.deeper(Self::choice)?;
                let end = self.here().end;
                self.expect(")")?;
                Ok(Operand { value: inner.value, range: range.start..end })
            }
            Some(Token::Name { text, is_quoted: false }) => match self.word(&text)? {
                Some(operand) => Ok(operand),
                None => self.name(text, false),
            },
            Some(Token::Name { text, is_quoted: true }) => self.name(text, true),
            _ => Err(self.expected("a variable, a number or `(`")),
        }
    }
}
