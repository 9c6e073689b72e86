//! Counts in a stream of tokens.

use logos::Logos;
pub(crate) use throng_base::tokens::{Describe, Tokens};
use throng_base::{Diagnostic, Source, Span};

/// Reading counts, which are below [`throng_model::bag::MAX_COUNT`].
pub(crate) trait TakeCount<T> {
    /// The value of the next token, a run of digits, which is consumed.
    fn number(&mut self, digits: T) -> Result<(u32, Span), Diagnostic>;
}

impl<'s, T> TakeCount<T> for Tokens<'s, T>
where
    T: Logos<'s, Source = str> + Describe + Copy + PartialEq,
    T::Extras: Default,
{
    fn number(&mut self, digits: T) -> Result<(u32, Span), Diagnostic> {
        if self.peek() != Some(digits) {
            return Err(self.unexpected(&digits.describe()));
        }
        let value = parse_count(self.source, self.span())?;
        Ok((value, self.advance()))
    }
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
