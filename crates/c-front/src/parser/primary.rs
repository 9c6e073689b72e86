//! Names, literals, parentheses and what GNU C and C11 write like calls.

use super::{Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, TokenKind};
use crate::literals;
use crate::syntax::{Expression, ExpressionKind, TypeName};

impl Parser<'_> {
    /// An expression that no operator belongs to.
    pub(super) fn primary(&mut self) -> Parsed<Expression> {
        let start = self.peek_span();
        let kind = match self.peek() {
            TokenKind::Name => ExpressionKind::Name(self.take_name().text),
            TokenKind::Number => {
                self.advance();
                match literals::number(self.text.slice(start)) {
                    Ok(kind) => kind,
                    Err(message) => return self.fail("E0821", message, start),
                }
            }
            TokenKind::Character => {
                self.advance();
                match literals::character(self.text.slice(start)) {
                    Ok((value, encoding)) => ExpressionKind::Character(value, encoding),
                    Err(message) => return self.fail("E0821", message, start),
                }
            }
            TokenKind::String => {
                let (bytes, encoding) = self.string_bytes()?;
                ExpressionKind::String { bytes, encoding }
            }
            TokenKind::Punctuator(Punctuator::OpenParen) => return self.parentheses(),
            TokenKind::Keyword(keyword) => return self.keyword_primary(keyword),
            _ => return self.fail_expected("an expression"),
        };
        Ok(Expression { kind, span: self.since(start) })
    }

    /// `(e)`, whose parentheses leave no trace, and `({ … })`.
    fn parentheses(&mut self) -> Parsed<Expression> {
        let start = self.advance().span;
        if self.at(Punctuator::OpenBrace) {
            let block = self.nested(Self::block)?;
            self.expect(Punctuator::CloseParen)?;
            let span = self.since(start);
            return Ok(Expression { kind: ExpressionKind::StatementExpression(block), span });
        }
        let inner = self.nested(Self::expression)?;
        self.expect(Punctuator::CloseParen)?;
        Ok(Expression { kind: inner.kind, span: self.since(start) })
    }

    /// What looks like a call of a keyword.
    fn keyword_primary(&mut self, keyword: Keyword) -> Parsed<Expression> {
        let start = self.peek_span();
        let read = match keyword {
            Keyword::Generic => Self::generic,
            Keyword::Offsetof => Self::offsetof,
            Keyword::VaArg => Self::va_arg,
            Keyword::TypesCompatible => Self::types_compatible,
            Keyword::ChooseExpr => Self::choose,
            _ => return self.fail_expected("an expression"),
        };
        self.advance();
        self.expect(Punctuator::OpenParen)?;
        let kind = self.nested(read)?;
        self.expect(Punctuator::CloseParen)?;
        Ok(Expression { kind, span: self.since(start) })
    }

    /// `e, type: a, default: b`
    fn generic(&mut self) -> Parsed<ExpressionKind> {
        let control = self.assignment()?;
        let mut choices: Vec<(Option<TypeName>, Expression)> = Vec::new();
        while self.eat(Punctuator::Comma) {
            let ty =
                if self.eat_keyword(Keyword::Default) { None } else { Some(self.nested(Self::type_name)?) };
            self.expect(Punctuator::Colon)?;
            choices.push((ty, self.assignment()?));
        }
        Ok(ExpressionKind::Generic(Box::new(control), choices))
    }

    /// `type, member`
    fn offsetof(&mut self) -> Parsed<ExpressionKind> {
        let ty = self.type_name()?;
        self.expect(Punctuator::Comma)?;
        Ok(ExpressionKind::Offsetof(Box::new(ty), self.offsetof_designators()?))
    }

    /// `list, type`
    fn va_arg(&mut self) -> Parsed<ExpressionKind> {
        let list = self.assignment()?;
        self.expect(Punctuator::Comma)?;
        Ok(ExpressionKind::VaArg(Box::new(list), Box::new(self.type_name()?)))
    }

    /// `type, type`
    fn types_compatible(&mut self) -> Parsed<ExpressionKind> {
        let left = self.type_name()?;
        self.expect(Punctuator::Comma)?;
        Ok(ExpressionKind::TypesCompatible(Box::new(left), Box::new(self.type_name()?)))
    }

    /// `condition, a, b`
    fn choose(&mut self) -> Parsed<ExpressionKind> {
        let condition = self.assignment()?;
        self.expect(Punctuator::Comma)?;
        let then = self.assignment()?;
        self.expect(Punctuator::Comma)?;
        Ok(ExpressionKind::Choose(Box::new(condition), Box::new(then), Box::new(self.assignment()?)))
    }
}
