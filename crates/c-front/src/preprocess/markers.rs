//! Line markers (`# 12 "lock.c" 2`): found, and blanked so that places in the text stay where they are.
//!
//! `#pragma` and `#ident` lines, which preprocessors leave, are blanked too; what pragmas say about the layout is kept, and
//! those without a model are refused. Any other directive means that the text is not preprocessed.

use super::pragma::Packing;
use throng_base::{Diagnostic, Source, Span};
use throng_cfa::text::{Marker, Text};

/// A text without directives.
#[derive(Debug)]
pub(super) struct Blanked {
    /// The text with its directives blanked.
    pub(super) text: String,
    /// Its markers.
    pub(super) markers: Vec<Marker>,
    /// From each offset on, the largest alignment of members.
    pub(super) packs: Vec<(u32, Option<u64>)>,
}

/// The text with its directives blanked, and its markers.
pub(super) fn blank(file: &str, text: &str) -> Result<Blanked, Diagnostic> {
    let mut packing = Packing::default();
    let mut blanked = String::with_capacity(text.len());
    let mut markers = Vec::new();
    let mut is_comment = false;
    let mut is_continued = false;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches([' ', '\t']);
        let is_directive = !is_comment && (is_continued || content.starts_with('#'));
        if !is_directive {
            is_comment = ends_in_comment(line, is_comment);
            blanked.push_str(line);
            continue;
        }
        let was_continued = std::mem::replace(&mut is_continued, line.trim_end().ends_with('\\'));
        blanked.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        if was_continued {
            continue;
        }
        let start = blanked.len() - line.len() + (line.len() - content.len());
        let span = Span::new(start, start + content.trim_end().len());
        let directive = content[1..].trim();
        if let Some(words) = directive.strip_prefix("pragma") {
            if let Err((message, hint)) = packing.pragma(words.trim(), blanked.len() as u32) {
                let text = Text::new(Source::from_text(file, text), markers);
                return Err(text.error("E0837", message, span).hint(hint));
            }
            continue;
        }
        match marker(directive) {
            Some(marker) => markers.push(Marker { offset: blanked.len() as u32, ..marker }),
            None if is_ignored(directive) => {}
            None => {
                let source = Source::from_text(file, text);
                let error = Diagnostic::error("E0803", "this text is not preprocessed");
                let error = error.at(&source, span, "");
                return Err(error.hint("name the file `….c`, and it is preprocessed first"));
            }
        }
    }
    Ok(Blanked { text: blanked, markers, packs: packing.packs })
}

/// What preprocessors leave and what means nothing here.
fn is_ignored(directive: &str) -> bool {
    let word = directive.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    directive.is_empty() || matches!(word, "ident" | "sccs" | "unassert" | "assert")
}

/// `12 "lock.c" 2 3`, `line 12 "lock.c"`; the offset is left open.
fn marker(directive: &str) -> Option<Marker> {
    let directive = directive.strip_prefix("line").unwrap_or(directive).trim_start();
    let n_digits = directive.find(|c: char| !c.is_ascii_digit()).unwrap_or(directive.len());
    let line: u32 = directive[..n_digits].parse().ok()?;
    let rest = directive[n_digits..].trim_start().strip_prefix('"')?;
    let mut file = String::new();
    let mut characters = rest.char_indices();
    let end = loop {
        match characters.next()? {
            (at, '"') => break at,
            (_, '\\') => file.push(characters.next()?.1),
            (_, c) => file.push(c),
        }
    };
    let is_system = rest[end + 1..].split_whitespace().any(|flag| flag == "3");
    // A line 0 is before the first one.
    Some(Marker { offset: 0, file, line: line.max(1), is_system })
}

/// Whether a comment is open at the end of a line.
fn ends_in_comment(line: &str, is_comment: bool) -> bool {
    // Most lines have neither.
    if !line.contains("/*") && !line.contains("*/") {
        return is_comment;
    }
    let bytes = line.as_bytes();
    let (mut is_comment, mut quote, mut i) = (is_comment, None, 0);
    while i < bytes.len() {
        match (is_comment, quote, bytes[i], bytes.get(i + 1)) {
            (true, _, b'*', Some(b'/')) => (is_comment, i) = (false, i + 1),
            (true, ..) => {}
            (false, Some(_), b'\\', _) => i += 1,
            (false, Some(open), byte, _) if byte == open => quote = None,
            (false, Some(_), ..) => {}
            (false, None, b'/', Some(b'*')) => (is_comment, i) = (true, i + 1),
            (false, None, b'/', Some(b'/')) => return false,
            (false, None, byte @ (b'"' | b'\''), _) => quote = Some(byte),
            _ => {}
        }
        i += 1;
    }
    is_comment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_blanked_and_kept() {
        let text = "int x;\n# 7 \"a \\\"b.h\" 1 3\nint y;\n#pragma mark \\\n  for\nint z;\n#line 3 \"c.c\"\n";
        let Blanked { text: blanked, markers, .. } = blank("t.i", text).unwrap();
        assert_eq!(blanked.len(), text.len());
        assert_eq!(blanked.split_whitespace().collect::<String>(), "intx;inty;intz;");
        assert_eq!(blanked.find("int y"), text.find("int y"));
        assert_eq!(markers[0], Marker { offset: 25, file: "a \"b.h".into(), line: 7, is_system: true });
        assert_eq!((markers[1].line, &markers[1].file[..], markers[1].is_system), (3, "c.c", false));
    }

    #[test]
    fn a_directive_in_a_comment_is_none() {
        let text = "/* \"\n#include <a>\n*/ int x; // /*\nchar *s = \"/*\";\n";
        assert_eq!(blank("t.i", text).unwrap().text, text);
    }

    #[test]
    fn other_directives_are_refused() {
        let error = blank("t.i", "int x;\n  #include <a.h>\n").unwrap_err();
        assert_eq!(error.to_string(), "t.i:2:3: error[E0803]: this text is not preprocessed");
    }
}
