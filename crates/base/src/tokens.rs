//! A stream of tokens with one token of look-ahead and errors that say what was expected.
//!
//! Each language declares its tokens with `logos`; this is what the parsers share.

use crate::{Diagnostic, Source, Span};
use logos::Logos;

/// A token as errors show it, such as "`->`" or "a name".
pub trait Describe {
    /// The words for it after "expected".
    fn describe(&self) -> String;
}

/// Tokens of a source, with one token of look-ahead. A token that does not lex is an error when it is met.
pub struct Tokens<'s, T: Logos<'s, Source = str>> {
    /// Where they come from.
    pub source: &'s Source,
    lexer: logos::Lexer<'s, T>,
    next: Option<Result<T, T::Error>>,
    span: Span,
}

impl<'s, T> Tokens<'s, T>
where
    T: Logos<'s, Source = str> + Describe + Copy + PartialEq,
    T::Extras: Default,
{
    /// The tokens of a source.
    pub fn new(source: &'s Source) -> Self {
        let mut lexer = T::lexer(source.text());
        let next = lexer.next();
        let span = lexer.span().into();
        Self { source, lexer, next, span }
    }

    /// The next token, not consumed; `None` at the end and at something that is no token.
    #[inline]
    pub fn peek(&self) -> Option<T> {
        match &self.next {
            Some(Ok(token)) => Some(*token),
            _ => None,
        }
    }

    /// Where the next token stands.
    #[inline]
    pub fn span(&self) -> Span {
        self.span
    }

    /// The token after the next one, not consumed; `None` at the end and at something that is no token.
    pub fn peek_second(&self) -> Option<T>
    where
        T::Extras: Clone,
    {
        self.lexer.clone().next()?.ok()
    }

    /// The text of the next token.
    #[inline]
    pub fn text(&self) -> &'s str {
        self.source.slice(self.span)
    }

    /// Whether everything has been consumed.
    pub fn at_end(&self) -> bool {
        self.next.is_none()
    }

    /// Consumes the next token; its place is returned.
    #[inline]
    pub fn advance(&mut self) -> Span {
        let span = self.span;
        self.next = self.lexer.next();
        self.span = self.lexer.span().into();
        span
    }

    /// Consumes the next token if it is this one.
    #[inline]
    pub fn eat(&mut self, token: T) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes this token or fails.
    #[inline]
    pub fn expect(&mut self, token: T) -> Result<Span, Diagnostic> {
        if self.peek() == Some(token) { Ok(self.advance()) } else { Err(self.unexpected(&token.describe())) }
    }

    /// An error at the next token: `expected` was wanted there.
    pub fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = match &self.next {
            None => "the end of the file".to_owned(),
            Some(Ok(token)) if self.text().trim().is_empty() => token.describe(),
            Some(_) => format!("`{}`", shorten(self.text())),
        };
        let error = Diagnostic::error("E0101", format!("expected {expected}, found {found}")).at(
            self.source,
            self.span,
            format!("expected {expected}"),
        );
        match self.unclosed() {
            Some(opening) => error.hint(format!("what begins with `{opening}` here is never closed")),
            None => error,
        }
    }

    /// What opens a comment or a quoted name, if that is why the next token does not lex.
    fn unclosed(&self) -> Option<&'static str> {
        const OPENINGS: [&str; 4] = ["/*", "{", "\"", "'"];
        let is_error = matches!(self.next, Some(Err(_)));
        OPENINGS.into_iter().find(|opening| is_error && self.text().starts_with(opening))
    }
}

/// A text that fits a message: an unterminated comment is the whole rest of a file.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() { shown + "…" } else { shown }
}
