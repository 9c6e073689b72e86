//! The conditions of `#if`: integer expressions of 64 bits, signed unless a `u` makes them unsigned.

use super::Preprocessor;
use super::tokens::{Kind, Token};
use crate::literals;
use crate::syntax::ExpressionKind;
use throng_base::Span;

/// An `#if` that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditional {
    /// Whether what follows counts, as far as this one is concerned.
    pub(super) is_active: bool,
    /// Whether a branch of it counted already, or none ever will.
    pub(super) was_active: bool,
    pub(super) has_else: bool,
    pub(super) span: Span,
}

/// How deep a condition may be nested.
const MAX_DEPTH: u32 = 200;

impl Preprocessor<'_> {
    /// Whether a condition holds; if it is malformed, that is told, and it does not.
    pub(super) fn condition(&mut self, line: &[Token], span: Span) -> bool {
        let tokens = self.expand_condition(line);
        let mut evaluator = Evaluator { tokens: &tokens, next: 0, depth: 0 };
        let value = evaluator.conditional(true).and_then(|value| match evaluator.peek() {
            None => Ok(value),
            Some(token) => Err(format!("`{}` does not belong here", token.text)),
        });
        match value {
            Ok(value) => value.bits != 0,
            Err(message) => {
                self.error("E0808", message, span);
                false
            }
        }
    }

    /// `defined` first, since its operand does not expand, then macros.
    fn expand_condition(&mut self, line: &[Token]) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut rest = line;
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            if !first.is("defined") {
                tokens.push(first.clone());
                continue;
            }
            let (name, length) = match after {
                [open, name, close, ..] if open.is("(") && close.is(")") => (name, 3),
                [name, ..] => (name, 1),
                [] => (first, 0),
            };
            let text = if self.is_defined(&name.text) { "1" } else { "0" };
            tokens.push(Token { kind: Kind::Number, text: text.into(), ..first.clone() });
            rest = &after[length..];
        }
        self.expand(tokens, 0)
    }
}

/// A value with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: u64,
    is_unsigned: bool,
}

impl Value {
    fn signed(value: i64) -> Self {
        Self { bits: value as u64, is_unsigned: false }
    }

    fn truth(value: bool) -> Self {
        Self::signed(i64::from(value))
    }
}

type Evaluated = Result<Value, String>;

struct Evaluator<'t> {
    tokens: &'t [Token],
    next: usize,
    depth: u32,
}

/// How strongly an operator binds.
fn strength(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => return None,
    })
}

impl<'t> Evaluator<'t> {
    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.next)
    }

    fn eat(&mut self, text: &str) -> bool {
        let is_next = self.peek().is_some_and(|token| token.is(text));
        self.next += usize::from(is_next);
        is_next
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Evaluated) -> Evaluated {
        if self.depth >= MAX_DEPTH {
            return Err("this condition is nested too deeply".to_owned());
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// `a ? b : c`. What is not evaluated (`is_live` is false) may divide by zero.
    fn conditional(&mut self, is_live: bool) -> Evaluated {
        let condition = self.binary(0, is_live)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let is_true = condition.bits != 0;
        let then = self.nested(|this| this.conditional(is_live && is_true))?;
        if !self.eat(":") {
            return Err("expected `:` after `?`".to_owned());
        }
        let otherwise = self.nested(|this| this.conditional(is_live && !is_true))?;
        let is_unsigned = then.is_unsigned || otherwise.is_unsigned;
        Ok(Value { is_unsigned, ..if is_true { then } else { otherwise } })
    }

    /// Operators that bind more strongly than `least`.
    fn binary(&mut self, least: u8, is_live: bool) -> Evaluated {
        let mut left = self.unary(is_live)?;
        while let Some(operator) = self.peek() {
            let Some(own) = strength(&operator.text).filter(|&own| own > least) else { break };
            self.next += 1;
            let is_right_live = match &*operator.text {
                "&&" => is_live && left.bits != 0,
                "||" => is_live && left.bits == 0,
                _ => is_live,
            };
            let right = self.binary(own, is_right_live)?;
            left = apply(&operator.text, left, right, is_live)?;
        }
        Ok(left)
    }

    fn unary(&mut self, is_live: bool) -> Evaluated {
        let Some(token) = self.peek() else { return Err("the condition is not complete".to_owned()) };
        self.next += 1;
        match &*token.text {
            "-" => self.nested(|this| {
                this.unary(is_live).map(|value| Value { bits: value.bits.wrapping_neg(), ..value })
            }),
            "+" => self.nested(|this| this.unary(is_live)),
            "~" => self.nested(|this| this.unary(is_live).map(|value| Value { bits: !value.bits, ..value })),
            "!" => self.nested(|this| this.unary(is_live).map(|value| Value::truth(value.bits == 0))),
            "(" => {
                let value = self.nested(|this| this.conditional(is_live))?;
                if self.eat(")") { Ok(value) } else { Err("expected `)` in the condition".to_owned()) }
            }
            _ => operand(token),
        }
    }
}

/// A number, a character, or a name that is no macro, which counts as 0.
fn operand(token: &Token) -> Evaluated {
    match token.kind {
        Kind::Name => Ok(Value::signed(0)),
        Kind::Number => match literals::number(&token.text)? {
            ExpressionKind::Integer(literal) => match u64::try_from(literal.value) {
                Ok(bits) => {
                    let is_large = bits > i64::MAX as u64;
                    Ok(Value { bits, is_unsigned: literal.is_unsigned || is_large })
                }
                Err(_) => Err(format!("`{}` does not fit any integer type", token.text)),
            },
            _ => Err(format!("`{}` is not an integer", token.text)),
        },
        Kind::Quoted if token.text.ends_with('\'') => {
            literals::character(&token.text).map(|(value, _)| Value::signed(value))
        }
        _ => Err(format!("`{}` does not belong in a condition", token.text)),
    }
}

fn apply(operator: &str, left: Value, right: Value, is_live: bool) -> Evaluated {
    let is_unsigned = left.is_unsigned || right.is_unsigned;
    let (a, b) = (left.bits, right.bits);
    let less = |a: u64, b: u64| if is_unsigned { a < b } else { (a as i64) < b as i64 };
    let bits = match operator {
        "||" => return Ok(Value::truth(a != 0 || b != 0)),
        "&&" => return Ok(Value::truth(a != 0 && b != 0)),
        "==" => return Ok(Value::truth(a == b)),
        "!=" => return Ok(Value::truth(a != b)),
        "<" => return Ok(Value::truth(less(a, b))),
        ">" => return Ok(Value::truth(less(b, a))),
        "<=" => return Ok(Value::truth(!less(b, a))),
        ">=" => return Ok(Value::truth(!less(a, b))),
        "<<" => return Ok(Value { bits: a.checked_shl(b.min(64) as u32).unwrap_or(0), ..left }),
        ">>" if left.is_unsigned => {
            return Ok(Value { bits: a.checked_shr(b.min(64) as u32).unwrap_or(0), ..left });
        }
        ">>" => return Ok(Value::signed((a as i64) >> b.min(63))),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        _ if b == 0 && is_live => return Err("division by zero in the condition".to_owned()),
        _ if b == 0 => 0,
        "/" if is_unsigned => a / b,
        "/" => (a as i64).wrapping_div(b as i64) as u64,
        _ if is_unsigned => a % b,
        _ => (a as i64).wrapping_rem(b as i64) as u64,
    };
    Ok(Value { bits, is_unsigned })
}
