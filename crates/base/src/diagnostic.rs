//! Messages to the user about an input, as data. The `report` crate renders them.

use crate::source::{Source, Span};
use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// The input is read, but perhaps not as its author meant it.
    Warning,
}

/// One line of an input with a marked range, independent of the text it was cut from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The name of the file as the user gave it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column of the marked range, in characters from 1.
    pub column: usize,
    /// The line from its beginning.
    pub text: String,
    /// The marked bytes of `text`.
    pub range: Range<usize>,
}

/// A message with a stable code and, where it is about a place, the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// Stable code, such as `E0103`.
    pub code: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where, with the words to put under the caret (what was expected there; may be empty).
    pub place: Option<Box<(Snippet, String)>>,
    /// Facts that explain the message.
    pub notes: Vec<String>,
    /// What the user can do about it.
    pub hints: Vec<String>,
}

/// The message on one line, `file:line:column: error[code]: message (label)`: for logs and tests.
impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some((snippet, _)) = self.place.as_deref() {
            write!(f, "{}:{}:{}: ", snippet.file, snippet.line, snippet.column)?;
        }
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{severity}[{}]: {}", self.code, self.message)?;
        match self.place.as_deref() {
            Some((_, label)) if !label.is_empty() => write!(f, " ({label})"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

impl Diagnostic {
    /// An error without a place yet.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message.into())
    }

    /// A warning without a place yet.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message.into())
    }

    fn new(severity: Severity, code: &'static str, message: String) -> Self {
        Self { severity, code, message, place: None, notes: Vec::new(), hints: Vec::new() }
    }

    /// Points at a place; `label` stands under the caret.
    #[must_use]
    pub fn at(mut self, source: &Source, span: Span, label: impl Into<String>) -> Self {
        self.place = Some(Box::new((source.snippet(span), label.into())));
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}
