//! Which of two declarations counts that do not agree. Headers of our own stand beside those of the system and of the
//! program, and both may declare the same name: the program's own declaration counts, then ours, which has what is
//! modelled, then the system's. Between two of the program it is an error.

use super::Resolver;
use throng_base::Span;

/// What counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precedence {
    /// The declaration that comes first.
    First,
    /// The declaration that comes second.
    Second,
    /// They contradict each other.
    Neither,
}

/// Who wrote a declaration, the least important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Author {
    System,
    Ours,
    Program,
}

impl Resolver<'_> {
    /// Which of two declarations of one name counts.
    pub(super) fn precedence(&self, first: Span, second: Span) -> Precedence {
        match (self.author(first), self.author(second)) {
            (Author::Program, Author::Program) => Precedence::Neither,
            (first, second) if first >= second => Precedence::First,
            _ => Precedence::Second,
        }
    }

    fn author(&self, span: Span) -> Author {
        if !self.text.is_system(span.start) {
            return Author::Program;
        }
        // Our headers are known by what is written to include them.
        let is_ours = self.text.position(span.start).file.starts_with('<');
        if is_ours { Author::Ours } else { Author::System }
    }
}
