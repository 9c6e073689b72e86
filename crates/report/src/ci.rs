//! Results as those who run tests read them: annotations of GitHub, and JUnit's XML.

use crate::result::{Finding, RunResult};
use crate::story::story;
use crate::text::{self, TextOptions};
use throng_cert::Verdict;

/// Columns of the report in a test's failure.
const WIDTH: usize = 100;

/// What is said of a result in one place: where, and what.
struct Headline {
    /// `error`, `warning` or `notice`.
    level: &'static str,
    file: String,
    line: Option<u32>,
    column: Option<u32>,
    text: String,
}

fn headline(result: &RunResult<'_>) -> Headline {
    let plain =
        |level, text| Headline { level, file: result.file.to_owned(), line: None, column: None, text };
    match result.finding {
        Finding::Unknown { .. } => plain("warning", format!("no answer: {}", result.finding.verdict())),
        Finding::Decided { case, .. } if case.verdict() == Verdict::Safe => {
            plain("notice", format!("{}: no error can be reached", result.finding.verdict()))
        }
        Finding::Decided { case, .. } => {
            let story = story(result.file, case).unwrap_or_default();
            let place = story.place().cloned();
            let text = story.why.trim().to_owned();
            match place {
                Some(place) => Headline {
                    level: "error",
                    file: place.file,
                    line: Some(place.line),
                    column: Some(place.column).filter(|&column| column > 0),
                    text,
                },
                None => plain("error", text),
            }
        }
    }
}

/// Annotations as GitHub's actions read them from what a step prints, and the verdict as the last line. The interleaving is in
/// the annotation.
pub fn github(result: &RunResult<'_>) -> String {
    let Headline { level, file, line, column, text } = headline(result);
    let mut place = format!("file={}", property(&file));
    place.push_str(&line.map_or_else(String::new, |line| format!(",line={line}")));
    place.push_str(&column.map_or_else(String::new, |column| format!(",col={column}")));
    let details = if level == "error" { format!("{text}\n\n{}", report(result)) } else { text };
    let title = property(&format!("throng: {}", result.finding.verdict()));
    format!(
        "::{level} {place},title={title}::{}\nverdict: {}\n",
        message(details.trim_end()),
        result.finding.verdict()
    )
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

fn report(result: &RunResult<'_>) -> String {
    text::render(result, TextOptions { width: WIDTH, verbose: false })
}

/// A test suite with one test, as JUnit writes it.
pub fn junit(result: &RunResult<'_>) -> String {
    let Headline { level, line, file, text, .. } = headline(result);
    let failures = usize::from(level == "error");
    let errors = usize::from(level == "warning");
    let element = match level {
        "error" => Some("failure"),
        "warning" => Some("error"),
        _ => None,
    };
    let time = result.cost.map_or(0.0, |cost| cost.elapsed.as_secs_f64());
    let at = line.map_or_else(String::new, |line| format!(" line=\"{line}\""));
    let inner = element.map_or_else(String::new, |element| {
        let kind = xml(&result.finding.verdict());
        format!(
            "\n      <{element} message=\"{}\" type=\"{kind}\">{}</{element}>\n    ",
            xml(&text),
            xml(&report(result))
        )
    });
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"throng\" tests=\"1\" failures=\"{failures}\" errors=\"{errors}\" time=\"{time:.3}\">\n    \
         <testcase classname=\"throng\" name=\"{}\" file=\"{}\"{at} time=\"{time:.3}\">{inner}</testcase>\n  </testsuite>\n</testsuites>\n",
        xml(result.file),
        xml(&file),
    )
}

/// A text in XML; control characters that XML does not have are left out.
fn xml(text: &str) -> String {
    let kept = text.chars().filter(|&c| !c.is_control() || c == '\n' || c == '\t');
    kept.flat_map(|c| match c {
        '&' => "&amp;".chars().collect::<Vec<_>>(),
        '<' => "&lt;".chars().collect(),
        '>' => "&gt;".chars().collect(),
        '"' => "&quot;".chars().collect(),
        '\n' => "&#10;".chars().collect(),
        other => vec![other],
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_on_a_line_and_are_no_markup() {
        assert_eq!(message("50 %\nnext"), "50 %25%0Anext");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
        assert_eq!(xml("a<b & \"c\"\u{1b}\n"), "a&lt;b &amp; &quot;c&quot;&#10;");
    }
}
