//! The errors, or the warnings, of one program, collected so that a user sees them all at once.

use throng_base::{Diagnostic, Source, Span};

/// Messages in the order of their places. The first found are kept, up to a limit: each costs a look at the whole
/// text for its line number, and nobody reads hundreds.
#[derive(Debug)]
pub(crate) struct Messages<'s> {
    source: &'s Source,
    kept: Vec<(u32, Diagnostic)>,
    dropped: usize,
}

impl<'s> Messages<'s> {
    /// How many are kept.
    pub(crate) const LIMIT: usize = 50;

    /// No messages yet.
    pub(crate) fn new(source: &'s Source) -> Self {
        Self { source, kept: Vec::new(), dropped: 0 }
    }

    /// Adds a message at a place; it is only made if it is kept.
    pub(crate) fn push(&mut self, span: Span, message: impl FnOnce(&'s Source) -> Diagnostic) {
        if self.is_full() {
            self.dropped += 1;
        } else {
            self.kept.push((span.start, message(self.source)));
        }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether no more messages are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.kept.len() >= Self::LIMIT
    }

    /// The messages by their places; the last says how many more there were.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|&(offset, _)| offset);
        let mut messages: Vec<Diagnostic> = self.kept.into_iter().map(|(_, message)| message).collect();
        if let (Some(last), 1..) = (messages.last_mut(), self.dropped) {
            last.notes.push(format!("{} more messages are not shown", self.dropped));
        }
        messages
    }
}
