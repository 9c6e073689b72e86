//! Lines that fit a screen, broken between words.

use unicode_width::UnicodeWidthStr;

/// Words that stand together are never so long that they get a line narrower than this.
const NARROWEST: usize = 20;

/// Breaks a text into lines of at most `width` columns between words. Words that are longer than a line are broken after
/// punctuation, and if there is none, they stay.
pub(crate) fn words(text: &str, width: usize) -> Vec<String> {
    let width = width.max(NARROWEST);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for piece in text.split(' ').flat_map(|word| pieces(word, width)) {
        let (word, glued) = piece;
        let blank = usize::from(!line.is_empty() && !glued);
        if !line.is_empty() && line.width() + blank + word.width() > width {
            lines.push(std::mem::take(&mut line));
        } else if blank == 1 {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// A word, or its parts if it is longer than a line; whether a part belongs to the one before.
fn pieces(word: &str, width: usize) -> Vec<(&str, bool)> {
    if word.width() <= width {
        return vec![(word, false)];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, char) in word.char_indices() {
        let end = index + char.len_utf8();
        if matches!(char, '/' | ',' | '(' | '.' | ':' | '>' | '|') && end < word.len() {
            parts.push((&word[start..end], start > 0));
            start = end;
        }
    }
    parts.push((&word[start..], start > 0));
    parts
}

/// The entries of a report's head, whose texts go on below their beginning.
const ENTRIES: [&str; 2] = ["  start: ", "  bad:   "];

/// An entry of a report's head that is too long for a line.
fn entry(line: &str, width: usize) -> Option<String> {
    let name = ENTRIES.into_iter().find(|name| line.starts_with(name) && line.width() > width)?;
    let lines = words(&line[name.len()..], width.saturating_sub(name.len()));
    Some(format!("{name}{}\n", lines.join(&format!("\n{}", " ".repeat(name.len())))))
}

/// A text whose lines are broken to fit; what is broken goes on below its first word, and below the text of an item of a list.
/// Tables, and commands to be copied, are left as they are: they have two blanks somewhere.
pub(crate) fn paragraphs(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let body = line.trim_start();
        if let Some(broken) = entry(line, width) {
            out.push_str(&broken);
            continue;
        }
        if line.width() <= width || body.contains("  ") {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let indent = line.len() - body.len();
        let hang = match body {
            _ if body.starts_with("* ") => indent + 2,
            _ if indent > 0 => indent + 2,
            _ => 0,
        };
        // The mark of an item stands where the rest is indented, so all lines of its text are equally long.
        let (mark, body) = body.split_at(if body.starts_with("* ") { 2 } else { 0 });
        let mut lines = words(body, width.saturating_sub(hang)).into_iter();
        out.push_str(&format!("{}{mark}{}\n", " ".repeat(indent), lines.next().unwrap_or_default()));
        lines.for_each(|line| out.push_str(&format!("{}{line}\n", " ".repeat(hang))));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let text = "the quick brown fox jumps over the lazy dog";
        let lines = words(text, 20);
        assert!(lines.iter().all(|line| line.len() <= 20), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        let long = format!("see {}{}", "folder/".repeat(6), "file.c");
        let lines = words(&long, 24);
        assert!(lines.iter().all(|line| line.len() <= 24), "{lines:?}");
        assert_eq!(lines.concat(), long);
        assert_eq!(words(&"x".repeat(50), 20), ["x".repeat(50)]);
    }

    #[test]
    fn items_of_lists_go_on_below_their_text() {
        let text = "  * starting a thread does not fail (a.c:1)\nshort\n  step  line   what a table has in one line\n";
        let shown = paragraphs(text, 30);
        assert_eq!(
            shown,
            "  * starting a thread does not\n    fail (a.c:1)\nshort\n  step  line   what a table has in one line\n"
        );
    }
}
