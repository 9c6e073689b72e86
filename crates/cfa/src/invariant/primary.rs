//! Reads what stands between operators: variables, casts, parts of values, words with a meaning.

use super::lex::Token;
use super::literal::{self, Operand, Value};
use super::names::{self, Written};
use super::parse::{Parser, TextError, TextErrorKind};
use super::print::{INDEX_BITS, KEYWORDS};
use crate::flow::{Expression, ExpressionId, ValueType};
use std::ops::Range;

impl Parser<'_> {
    /// Words with a meaning of their own: `true`, `this_thread(64)`, `u64(e)`, `bits(e, low, n)`.
    pub(super) fn word(&mut self, word: &str) -> Result<Option<Operand>, TextError> {
        let start = self.here();
        let is_call = self.tokens.get(self.next + 1).is_some_and(|(token, _)| *token == Token::Symbol("("));
        if KEYWORDS.contains(&word) {
            self.next += 1;
            let id = match word {
                "this_thread" => self.this_thread()?,
                _ => self.expressions.truth(word == "true"),
            };
            return Ok(Some(Operand { value: Value::Typed(id, false), range: start }));
        }
        if !is_call {
            return Ok(None);
        }
        let width = word.strip_prefix(['u', 's']).and_then(|digits| digits.parse::<u32>().ok());
        match (word, width) {
            ("bits", _) => {
                self.next += 2;
                self.bits(&start).map(Some)
            }
            (_, Some(width)) => {
                self.next += 2;
                self.check_width(width, &start)?;
                let operand = self.deeper(Self::choice)?;
                let range = start.start..self.here().end;
                self.expect(")")?;
                let value = literal::cast(self.expressions, &operand, width, word.starts_with('s'))?;
                Ok(Some(Operand { value, range }))
            }
            _ => {
                let message = format!("a predicate cannot call `{word}`");
                let (kind, expected) = (TextErrorKind::Syntax, "a variable".to_owned());
                Err(TextError { kind, range: start, message, expected })
            }
        }
    }

    fn this_thread(&mut self) -> Result<ExpressionId, TextError> {
        let range = self.tokens[self.next - 1].1.clone();
        if self.context.active.is_none() {
            let message = "there is no thread that this predicate is about".to_owned();
            return Err(TextError { kind: TextErrorKind::Name, range, message, expected: String::new() });
        }
        let mut width = INDEX_BITS;
        if self.accept("(") {
            width = self.number()?;
            self.check_width(width, &range)?;
            self.expect(")")?;
        }
        Ok(self.expressions.insert(Expression::ThisThread, width))
    }

    /// `bits(e, low, n)` after its parenthesis.
    fn bits(&mut self, start: &Range<usize>) -> Result<Operand, TextError> {
        let operand = self.deeper(Self::choice)?;
        self.expect(",")?;
        let low = self.number()?;
        self.expect(",")?;
        let width = self.number()?;
        let range = start.start..self.here().end;
        self.expect(")")?;
        let Value::Typed(id, _) = operand.value else { return Err(literal::no_width(&operand)) };
        let bits = self.expressions.bits(id);
        if width == 0 || low.checked_add(width).is_none_or(|high| high > bits) {
            let message = format!("{width} bits from bit {low} on are not within {bits} bits");
            return Err(TextError { kind: TextErrorKind::Width, range, message, expected: String::new() });
        }
        let extract = self.expressions.insert(Expression::Extract { operand: id, low }, width);
        Ok(Operand { value: Value::Typed(extract, false), range })
    }

    fn number(&mut self) -> Result<u32, TextError> {
        match self.tokens.get(self.next) {
            Some(&(Token::Number(number), _)) if number <= 128 => {
                self.next += 1;
                Ok(u32::try_from(number).unwrap_or(128))
            }
            _ => Err(self.expected("a number up to 128")),
        }
    }

    fn check_width(&self, width: u32, range: &Range<usize>) -> Result<(), TextError> {
        if (1..=128).contains(&width) {
            return Ok(());
        }
        let message = format!("there are no values of {width} bits");
        let (kind, expected) = (TextErrorKind::Width, "from 1 to 128".to_owned());
        Err(TextError { kind, range: range.clone(), message, expected })
    }

    /// A variable: `x`, `s.a`, `ring[i].next`, `x#3`, `'waits for'`, each perhaps with `$`.
    pub(super) fn name(&mut self, first: String, is_quoted: bool) -> Result<Operand, TextError> {
        let start = self.here().start;
        self.next += 1;
        let (mut pattern, mut bare) = (first.clone(), first);
        let (mut number, mut index) = (None, None);
        loop {
            match self.tokens.get(self.next).map(|(token, _)| token.clone()) {
                Some(Token::Mark(mark)) if number.is_none() => {
                    self.next += 1;
                    number = Some(mark);
                }
                Some(Token::Symbol("[")) if index.is_none() => {
                    self.next += 1;
                    index = Some(self.deeper(Self::choice)?);
                    self.expect("]")?;
                    pattern.push_str("[]");
                }
                Some(Token::Symbol("[")) => {
                    let range = start..self.here().end;
                    let message = "an element of an array of arrays is named by one index".to_owned();
                    let expected = format!("such as `'{pattern}[]'[7]`");
                    return Err(TextError { kind: TextErrorKind::Syntax, range, message, expected });
                }
                Some(Token::Symbol(".")) if !is_quoted => {
                    self.next += 1;
                    let Some((Token::Name { text, is_quoted: false }, _)) = self.tokens.get(self.next) else {
                        return Err(self.expected("the name of a member"));
                    };
                    pattern = format!("{pattern}.{text}");
                    bare = format!("{bare}.{text}");
                    self.next += 1;
                }
                _ => break,
            }
        }
        let is_passive = self.accept("$");
        let range = start..self.tokens[self.next - 1].1.end;
        let names = match (is_quoted, index.is_some()) {
            (false, true) => vec![pattern, bare],
            (false, false) => vec![bare.clone(), format!("{bare}[]")],
            (true, _) => vec![bare],
        };
        let is_simple = !is_quoted && index.is_none() && number.is_none() && !is_passive;
        let written = Written { names, number, is_passive, range };
        self.variable(&written, index, is_simple)
    }

    fn variable(
        &mut self,
        name: &Written,
        index: Option<Operand>,
        is_simple: bool,
    ) -> Result<Operand, TextError> {
        let range = name.range.clone();
        let (id, is_passive) = match names::resolve(self.program, self.context, name) {
            Ok(found) => found,
            Err(error) => {
                let constant =
                    is_simple.then(|| names::constant_named(self.program, &name.names[0])).flatten();
                let Some(constant) = constant else { return Err(error) };
                return Ok(Operand { value: Value::Literal(false, constant), range });
            }
        };
        let variable = self.program.variable(id);
        let is_signed =
            matches!(variable.ty, ValueType::Integer { is_signed: true } | ValueType::Enumeration(_))
                && variable.bits > 1;
        let wrong = |message: String, expected: String| {
            Err(TextError { kind: TextErrorKind::Width, range: range.clone(), message, expected })
        };
        let expression = match index {
            None if variable.length != 1 => {
                let message = format!("`{}` is {} scalars", variable.name, variable.length);
                return wrong(message, "an index".to_owned());
            }
            Some(_) if is_passive => {
                let message = "an element of another thread's array cannot be named".to_owned();
                return wrong(message, String::new());
            }
            None if is_passive => Expression::Passive(id),
            None => Expression::Variable(id),
            Some(Operand { value: Value::Literal(_, 0), .. }) if variable.length == 1 => {
                Expression::Variable(id)
            }
            Some(operand) => {
                let index = literal::index(self.expressions, &operand, variable.length)?;
                Expression::Element(id, index)
            }
        };
        let id = self.expressions.insert(expression, variable.bits);
        Ok(Operand { value: Value::Typed(id, is_signed), range })
    }
}
