//! The preprocessed text of all translation units, one after the other, and where each line of it came from.
//!
//! The preprocessor leaves line markers (`# 12 "lock.c" 2`); they are blanks to the lexer and entries here. A [`Span`]
//! anywhere in this crate is a range of the whole text.

use throng_base::{Diagnostic, Severity, Snippet, Source, Span};

/// From this offset on, lines are those of `file` from `line` on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The offset of the first line that it is about.
    pub offset: u32,
    /// The file, as the preprocessor names it.
    pub file: String,
    /// The number of that first line, from 1.
    pub line: u32,
    /// Whether the file is a header of the system (flag 3 of a marker).
    pub is_system: bool,
}

/// The text with its markers.
#[derive(Clone, Debug)]
pub struct Text {
    source: Source,
    markers: Vec<Marker>,
    /// From each offset on, the largest alignment of members that `#pragma pack` says.
    packs: Vec<(u32, Option<u64>)>,
}

/// A place in a file of the user.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, in characters from 1.
    pub column: u32,
}

impl Text {
    /// A text with markers at increasing offsets; lines before the first marker belong to the source itself.
    pub fn new(source: Source, markers: Vec<Marker>) -> Self {
        Self { source, markers, packs: Vec::new() }
    }

    /// The same with the largest alignments of members, at increasing offsets.
    pub fn with_packs(self, packs: Vec<(u32, Option<u64>)>) -> Self {
        Self { packs, ..self }
    }

    /// The largest alignment of members at an offset, in bytes.
    pub fn pack(&self, offset: u32) -> Option<u64> {
        let before = self.packs.partition_point(|&(from, _)| from <= offset);
        before.checked_sub(1).and_then(|last| self.packs[last].1)
    }

    /// From each offset on, the largest alignment of members that `#pragma pack` says, in order.
    pub fn packs(&self) -> &[(u32, Option<u64>)] {
        &self.packs
    }

    /// The text as one source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Where lines came from, in order.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// What is written at a place.
    pub fn slice(&self, span: Span) -> &str {
        self.source.slice(span)
    }

    /// Where an offset came from.
    pub fn position(&self, offset: u32) -> Position {
        let before = self.markers.partition_point(|marker| marker.offset <= offset);
        let (_, column) = self.source.position(offset);
        match before.checked_sub(1).map(|last| &self.markers[last]) {
            None => {
                let (line, _) = self.source.position(offset);
                Position { file: self.source.name().to_owned(), line: line as u32, column: column as u32 }
            }
            Some(marker) => {
                let between = &self.source.text().as_bytes()[marker.offset as usize..offset as usize];
                let lines = between.iter().filter(|&&byte| byte == b'\n').count() as u32;
                Position { file: marker.file.clone(), line: marker.line + lines, column: column as u32 }
            }
        }
    }

    /// Whether an offset is in a header of the system.
    pub fn is_system(&self, offset: u32) -> bool {
        let before = self.markers.partition_point(|marker| marker.offset <= offset);
        before.checked_sub(1).is_some_and(|last| self.markers[last].is_system)
    }

    /// A diagnostic that points at a place, in the words of the user's file.
    pub fn at(&self, diagnostic: Diagnostic, span: Span, label: impl Into<String>) -> Diagnostic {
        let position = self.position(span.start);
        let snippet =
            Snippet { file: position.file, line: position.line as usize, ..self.source.snippet(span) };
        Diagnostic { place: Some(Box::new((snippet, label.into()))), ..diagnostic }
    }

    /// An error at a place.
    pub fn error(&self, code: &'static str, message: impl Into<String>, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::error(code, message);
        debug_assert_eq!(diagnostic.severity, Severity::Error);
        self.at(diagnostic, span, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_follow_line_markers() {
        let source = Source::from_text("a.i", "int x;\n# 7 \"b.h\" 1 3\nint y;\nint z;\n");
        let offset = source.text().find("int y").unwrap() as u32;
        let marker = Marker { offset, file: "b.h".to_owned(), line: 7, is_system: true };
        let text = Text::new(source, vec![marker]);
        let z = text.source().text().find('z').unwrap() as u32;
        assert_eq!(text.position(4), Position { file: "a.i".to_owned(), line: 1, column: 5 });
        assert_eq!(text.position(z), Position { file: "b.h".to_owned(), line: 8, column: 5 });
        assert!(text.is_system(z) && !text.is_system(0));
    }
}
