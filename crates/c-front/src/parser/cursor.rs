//! Looking at tokens, taking them, and going on after an error.

use super::{Failed, MAX_ERRORS, Parsed, Parser};
use crate::lexer::{Keyword, Punctuator, Token, TokenKind, describe};
use crate::syntax::Name;
use std::sync::Arc;
use throng_base::Span;

impl<'t> Parser<'t> {
    /// A token from the next one on; the last one is the end of the unit, again and again.
    fn token(&self, ahead: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[(self.next + ahead).min(last)]
    }

    /// What the next token is.
    pub(super) fn peek(&self) -> TokenKind {
        self.token(0).kind
    }

    /// What a token after the next one is.
    pub(super) fn peek_at(&self, ahead: usize) -> TokenKind {
        self.token(ahead).kind
    }

    /// Where the next token stands.
    pub(super) fn peek_span(&self) -> Span {
        self.token(0).span
    }

    /// How a token after the next one is written.
    pub(super) fn text_at(&self, ahead: usize) -> &'t str {
        self.text.slice(self.token(ahead).span)
    }

    /// From a place to the last token that was taken.
    pub(super) fn since(&self, start: Span) -> Span {
        let last = self.next.checked_sub(1).map_or(start, |index| self.tokens[index].span);
        if last.end < start.end { start } else { start.to(last) }
    }

    /// Takes the next token.
    pub(super) fn advance(&mut self) -> Token {
        let token = self.token(0);
        if token.kind != TokenKind::End {
            self.next += 1;
        }
        token
    }

    /// Whether the next token is this punctuator.
    pub(super) fn at(&self, punctuator: Punctuator) -> bool {
        self.peek() == TokenKind::Punctuator(punctuator)
    }

    /// Whether the next token is this keyword.
    pub(super) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek() == TokenKind::Keyword(keyword)
    }

    /// Takes the punctuator if it is next.
    pub(super) fn eat(&mut self, punctuator: Punctuator) -> bool {
        let is_next = self.at(punctuator);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Takes the keyword if it is next.
    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let is_next = self.at_keyword(keyword);
        if is_next {
            self.advance();
        }
        is_next
    }

    /// Takes the punctuator, which has to be next.
    pub(super) fn expect(&mut self, punctuator: Punctuator) -> Parsed<Span> {
        if self.at(punctuator) {
            return Ok(self.advance().span);
        }
        self.fail_expected(&format!("`{}`", punctuator.text()))
    }

    /// Takes a name, which has to be next.
    pub(super) fn expect_name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek() {
            TokenKind::Name => Ok(self.take_name()),
            _ => self.fail_expected(what),
        }
    }

    /// Takes the next token as a name.
    pub(super) fn take_name(&mut self) -> Name {
        let span = self.advance().span;
        Name { text: self.intern(self.text.slice(span)), span }
    }

    /// One string per name.
    pub(super) fn intern(&mut self, text: &'t str) -> Arc<str> {
        Arc::clone(self.names.entry(text).or_insert_with(|| text.into()))
    }

    /// "expected …, found …", at the next token or, if that is on a later line, after the last one.
    pub(super) fn fail_expected<T>(&mut self, what: &str) -> Parsed<T> {
        if self.has_enough_errors() {
            return Err(Failed);
        }
        let found = describe(self.peek(), self.text_at(0));
        let mut span = self.peek_span();
        if let Some(last) = self.next.checked_sub(1).map(|index| self.tokens[index].span) {
            let between = Span { start: last.end, end: span.start };
            if what.starts_with('`') && self.text.slice(between).contains('\n') {
                span = Span { start: last.end, end: last.end };
            }
        }
        self.fail("E0830", format!("expected {what}, found {found}"), span)
    }

    /// Records an error, unless there are enough: what is open then fails, too, and adds nothing.
    pub(super) fn fail<T>(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        span: Span,
    ) -> Parsed<T> {
        if !self.has_enough_errors() {
            self.errors.push(self.text.error(code, message, span));
        }
        Err(Failed)
    }

    /// Whether enough errors were told.
    pub(super) fn has_enough_errors(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    /// Skips to where the next declaration or statement may start: after a `;`, or at the `}` of the block that is
    /// open, where `is_outside` says that there is none and the `}` is taken too.
    pub(super) fn recover(&mut self, is_outside: bool) {
        if self.has_enough_errors() {
            self.next = self.tokens.len() - 1;
        }
        let mut n_open = 0u32;
        loop {
            match self.peek() {
                TokenKind::End => return,
                TokenKind::Punctuator(Punctuator::Semicolon) if n_open == 0 => {
                    self.advance();
                    return;
                }
                TokenKind::Punctuator(Punctuator::OpenBrace) => n_open += 1,
                TokenKind::Punctuator(Punctuator::CloseBrace) if n_open == 0 => {
                    if is_outside {
                        self.advance();
                        self.eat(Punctuator::Semicolon);
                    }
                    return;
                }
                TokenKind::Punctuator(Punctuator::CloseBrace) => {
                    n_open -= 1;
                    if n_open == 0 {
                        self.advance();
                        self.eat(Punctuator::Semicolon);
                        return;
                    }
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips what stands between a parenthesis that was taken and the one that closes it, which is taken too.
    pub(super) fn skip_parenthesised(&mut self) -> Parsed<()> {
        let mut n_open = 1u32;
        while n_open > 0 {
            match self.peek() {
                TokenKind::End => return self.fail_expected("`)`"),
                TokenKind::Punctuator(Punctuator::OpenParen) => n_open += 1,
                TokenKind::Punctuator(Punctuator::CloseParen) => n_open -= 1,
                _ => {}
            }
            self.advance();
        }
        Ok(())
    }
}
