//! A stream of tokens with one token of look-ahead and errors that say what was expected.
//!
//! Each format declares its tokens with `logos`; this is what their parsers share.

use logos::Logos;
use throng_base::{Diagnostic, Source, Span};

/// A token as errors show it, such as "`->`" or "a name".
pub(crate) trait Describe {
    fn describe(&self) -> String;
}

/// Tokens of a source, with one token of look-ahead. A token that does not lex is an error when it is met.
pub(crate) struct Tokens<'s, T: Logos<'s, Source = str>> {
    pub(crate) source: &'s Source,
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
    pub(crate) fn new(source: &'s Source) -> Self {
        let mut lexer = T::lexer(source.text());
        let next = lexer.next();
        let span = lexer.span().into();
        Self { source, lexer, next, span }
    }

    /// The next token, not consumed; `None` at the end and at something that is no token.
    #[inline]
    pub(crate) fn peek(&self) -> Option<T> {
        match &self.next {
            Some(Ok(token)) => Some(*token),
            _ => None,
        }
    }

    /// Where the next token stands.
    #[inline]
    pub(crate) fn span(&self) -> Span {
        self.span
    }

    /// The text of the next token.
    #[inline]
    pub(crate) fn text(&self) -> &'s str {
        self.source.slice(self.span)
    }

    /// Whether everything has been consumed.
    pub(crate) fn at_end(&self) -> bool {
        self.next.is_none()
    }

    /// Consumes the next token; its place is returned.
    #[inline]
    pub(crate) fn advance(&mut self) -> Span {
        let span = self.span;
        self.next = self.lexer.next();
        self.span = self.lexer.span().into();
        span
    }

    /// Consumes the next token if it is this one.
    #[inline]
    pub(crate) fn eat(&mut self, token: T) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes this token or fails.
    #[inline]
    pub(crate) fn expect(&mut self, token: T) -> Result<Span, Diagnostic> {
        if self.peek() == Some(token) { Ok(self.advance()) } else { Err(self.unexpected(&token.describe())) }
    }

    /// An error at the next token: `expected` was wanted there.
    pub(crate) fn unexpected(&self, expected: &str) -> Diagnostic {
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

    /// The value of the next token, a run of digits, which is consumed.
    pub(crate) fn number(&mut self, digits: T) -> Result<(u32, Span), Diagnostic> {
        if self.peek() != Some(digits) {
            return Err(self.unexpected(&digits.describe()));
        }
        let value = parse_count(self.source, self.span)?;
        Ok((value, self.advance()))
    }
}

/// A text that fits a message: an unterminated comment is the whole rest of a file.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() { shown + "…" } else { shown }
}

/// The value of a run of digits.
pub(crate) fn parse_count(source: &Source, span: Span) -> Result<u32, Diagnostic> {
    let value = source.slice(span).parse::<u64>().ok().and_then(|value| u32::try_from(value).ok());
    value.filter(|&value| value <= throng_model::bag::MAX_COUNT).ok_or_else(|| {
        Diagnostic::error("E0102", "number too large").at(
            source,
            span,
            format!("at most {}", throng_model::bag::MAX_COUNT),
        )
    })
}
