//! The text of one input file, and places in it.

use crate::diagnostic::{Diagnostic, Snippet};
use std::path::Path;

/// A half-open range of byte offsets in a [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span of these byte offsets. Sources are below 4 GiB, so offsets fit.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The smallest span that contains both.
    pub fn to(self, other: Span) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// The decoded text of an input file with the name to show for it.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
}

impl Source {
    /// Reads a file. Bytes that are not UTF-8 are read as Latin-1: several models in circulation are.
    pub fn read(path: &Path) -> Result<Self, Diagnostic> {
        match std::fs::read(path) {
            Ok(bytes) => Self::from_bytes(path.display().to_string(), bytes),
            Err(error) => Err(Self::unreadable(path, &error)),
        }
    }

    /// What is said of a file that cannot be read.
    pub fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
        Diagnostic::error("E0001", format!("cannot read `{}`: {error}", path.display()))
    }

    /// Decodes the bytes of a file called `name`, see [`Source::read`].
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Diagnostic> {
        let name = name.into();
        if u32::try_from(bytes.len()).is_err() {
            return Err(Diagnostic::error("E0002", format!("`{name}` is larger than 4 GiB")));
        }
        let mut text = String::from_utf8(bytes)
            .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
        // Some editors put a byte order mark in front, which is no part of the text.
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        if u32::try_from(text.len()).is_err() {
            return Err(Diagnostic::error("E0002", format!("`{name}` is larger than 4 GiB")));
        }
        Ok(Self { name, text })
    }

    /// A source from a string, for command-line arguments and tests.
    pub fn from_text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// The name to show: the path as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// Line and column of a byte offset, both from 1; columns count characters.
    pub fn position(&self, offset: u32) -> (usize, usize) {
        let before = &self.text[..self.floor(offset as usize)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.bytes().filter(|&b| b == b'\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// The line around a span, cut out so that a message can outlive the text of a large file.
    pub fn snippet(&self, span: Span) -> Snippet {
        /// Context kept after the span on a very long line.
        const CONTEXT: usize = 160;
        let start = self.floor(span.start as usize);
        let (line, column) = self.position(span.start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |newline| start + newline);
        let end = self.floor((span.end as usize).max(start)).min(line_end);
        let cut = self.floor((end + CONTEXT).min(line_end)).max(end);
        Snippet {
            file: self.name.clone(),
            line,
            column,
            text: self.text[line_start..cut].trim_end_matches('\r').to_owned(),
            range: start - line_start..end - line_start,
        }
    }

    /// The nearest character boundary at or below `offset`.
    fn floor(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// Line numbers of increasing offsets in one pass over the text, for parsers that record the line of every
/// rule of a large file.
#[derive(Debug)]
pub struct LineCounter<'a> {
    text: &'a [u8],
    offset: usize,
    line: u32,
}

impl<'a> LineCounter<'a> {
    /// Starts at the beginning of a source.
    pub fn new(source: &'a Source) -> Self {
        Self { text: source.text.as_bytes(), offset: 0, line: 1 }
    }

    /// The line (from 1) of `offset`, which must not be below an offset asked before.
    pub fn line_at(&mut self, offset: u32) -> u32 {
        let target = (offset as usize).min(self.text.len());
        if target > self.offset {
            self.line += self.text[self.offset..target].iter().filter(|&&b| b == b'\n').count() as u32;
            self.offset = target;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin1_bytes_are_decoded() {
        let source = Source::from_bytes("x", vec![b'a', 0xe9, b'\n', b'b']).unwrap();
        assert_eq!(source.text(), "a\u{e9}\nb");
        assert_eq!(source.position(4), (2, 1));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(Source::from_bytes("x", "\u{feff}a".into()).unwrap().text(), "a");
    }

    #[test]
    fn snippet_of_a_span_that_crosses_lines_stops_at_the_line_end() {
        let source = Source::from_text("x", "ab\ncd\r\nef");
        let snippet = source.snippet(Span::new(4, 9));
        assert_eq!((snippet.line, snippet.column, snippet.text.as_str()), (2, 2, "cd"));
        assert_eq!(snippet.range.start, 1);
    }

    #[test]
    fn snippet_at_the_end_of_the_text_is_empty() {
        let source = Source::from_text("x", "ab");
        let snippet = source.snippet(Span::new(2, 2));
        assert_eq!((snippet.line, snippet.column, snippet.range), (1, 3, 2..2));
    }

    #[test]
    fn line_counter_agrees_with_position() {
        let source = Source::from_text("x", "a\nb\n\nc");
        let mut counter = LineCounter::new(&source);
        for offset in 0..=source.text().len() as u32 {
            assert_eq!(counter.line_at(offset) as usize, source.position(offset).0);
        }
    }
}
