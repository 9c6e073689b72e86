//! Diagnostics as people see them: the line with a caret under the spot, notes and hints.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use throng_base::{Diagnostic, Severity};

/// Bytes of a line before and after the beginning of the marked range that the renderer gets to see. It shows a
/// part that fits a screen, but takes time and memory for what it does not show.
const BEFORE: usize = 100_000;
const AFTER: usize = 2_000;
/// Bytes marked at most: a marked range can be the whole rest of a file.
const MARKED: usize = 100;

/// Renders a diagnostic, without a line end after the last line. `colour` adds ANSI escapes.
pub fn render(diagnostic: &Diagnostic, colour: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let window = diagnostic.place.as_deref().map(|(snippet, _)| window(snippet));
    let mut group = Group::with_title(level.primary_title(&*diagnostic.message).id(diagnostic.code));
    if let (Some((snippet, label)), Some((text, range))) = (diagnostic.place.as_deref(), &window) {
        // The renderer computes the column from the text it is given. A line whose beginning was cut off would
        // get a wrong one, so the place is stated separately then.
        let whole = range.start == snippet.range.start;
        let path = whole.then_some(&*snippet.file);
        if !whole {
            let origin = Origin::path(&*snippet.file).line(snippet.line).char_column(snippet.column);
            group = group.element(origin);
        }
        let label = (!label.is_empty()).then_some(&**label);
        let mark = AnnotationKind::Primary.span(range.clone()).label(label);
        group = group.element(Snippet::source(&**text).line_start(snippet.line).path(path).annotation(mark));
    }
    group = group.elements(diagnostic.notes.iter().map(|note| Level::NOTE.message(&**note)));
    group = group.elements(diagnostic.hints.iter().map(|hint| Level::HELP.message(&**hint)));
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// The part of a line that the renderer gets to see, with the marked bytes in it.
fn window(snippet: &throng_base::Snippet) -> (String, std::ops::Range<usize>) {
    const ELLIPSIS: &str = "... ";
    let (text, mark) = (&snippet.text, &snippet.range);
    let end = floor(text, mark.start.saturating_add(AFTER));
    let mark_end = floor(text, mark.end.min(mark.start + MARKED)).max(mark.start);
    if mark.start <= BEFORE {
        return (text[..end].to_owned(), mark.start..mark_end);
    }
    let start = floor(text, mark.start - MARKED);
    let shift = |at: usize| at - start + ELLIPSIS.len();
    (format!("{ELLIPSIS}{}", &text[start..end]), shift(mark.start)..shift(mark_end))
}

/// The nearest character boundary of a text at or below `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_base::{Source, Span};

    fn at(text: &str, marked: &str) -> String {
        let source = Source::from_text("dir/x.tts", text);
        let start = text.find(marked).unwrap();
        let span = Span::new(start, start + marked.len());
        render(&Diagnostic::error("E0101", "expected `->`").at(&source, span, "expected an arrow"), false)
    }

    #[test]
    fn the_caret_stands_under_the_spot_with_notes_and_hints_below() {
        let source = Source::from_text("x.tts", "2 3\n0 0 => 1 1\n");
        let diagnostic = Diagnostic::error("E0101", "expected `->`, found `=>`")
            .at(&source, Span::new(8, 10), "expected an arrow")
            .note("arrows are `->`, `+>` and `~>`")
            .hint("write `0 0 -> 1 1`");
        let expected = "\
error[E0101]: expected `->`, found `=>`
 --> x.tts:2:5
  |
2 | 0 0 => 1 1
  |     ^^ expected an arrow
  |
  = note: arrows are `->`, `+>` and `~>`
  = help: write `0 0 -> 1 1`";
        assert_eq!(render(&diagnostic, false), expected);
        assert!(render(&diagnostic, true).contains("\x1b["));
    }

    #[test]
    fn tabs_and_wide_letters_do_not_shift_the_caret() {
        assert_eq!(
            at("\t\t0 => 1\n", "=>").lines().skip(1).collect::<Vec<_>>(),
            [" --> dir/x.tts:1:5", "  |", "1 |         0 => 1", "  |           ^^ expected an arrow"]
        );
        let text = at("# é\né漢 => 1\n", "=>");
        assert!(text.contains("x.tts:2:4\n"), "{text}");
        assert!(text.contains("2 | é漢 => 1\n  |     ^^ expected"), "{text}");
    }

    #[test]
    fn a_long_line_is_cut_but_keeps_its_column() {
        // The longer line is one whose beginning the renderer does not see.
        for n_before in [5_000, 500_000] {
            let line = format!("a b\n{} => {}", "x ".repeat(n_before), "y ".repeat(5000));
            let text = at(&line, "=>");
            assert!(text.contains(&format!("x.tts:2:{}\n", 2 * n_before + 2)), "{text}");
            assert!(text.contains(" => y y"), "{text}");
            assert!(text.lines().all(|line| line.chars().count() < 250), "{text}");
            let columns = |sign| text.lines().find_map(|line: &str| line.find(sign)).unwrap();
            assert_eq!(columns("=>"), columns("^^"), "{text}");
            assert!(n_before > 5_000 || !text.contains(":::"), "{text}");
        }
    }

    #[test]
    fn a_mark_on_a_whole_large_file_is_rendered_at_once() {
        let line = "\0".repeat(30_000_000);
        let started = std::time::Instant::now();
        let text = at(&line, &line);
        assert!(text.len() < 2_000, "{}", text.len());
        assert!(started.elapsed() < std::time::Duration::from_secs(5));
    }

    #[test]
    fn the_end_of_a_file_can_be_marked() {
        let source = Source::from_text("x.tts", "2 3\n0 0 ->");
        let diagnostic =
            Diagnostic::error("E0101", "expected a number").at(&source, Span::new(10, 10), "here");
        let text = render(&diagnostic, false);
        assert!(text.contains("x.tts:2:7\n") && text.contains("2 | 0 0 ->\n  |       ^ here"), "{text}");
    }

    #[test]
    fn a_message_about_no_place_is_one_line() {
        let text = render(&Diagnostic::error("E0001", "cannot read `x`"), false);
        assert_eq!(text, "error[E0001]: cannot read `x`");
    }
}
