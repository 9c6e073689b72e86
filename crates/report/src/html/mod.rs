//! A page for people: one file that opens offline, without a network, scripts of others or a build step.
//!
//! It says what was asked and answered, shows an interleaving as a column for each thread beside the source, step by step, or
//! what a proof says at the lines of the source. Without scripts everything can be read; scripts only add stepping by
//! keys, current values and arrows between threads. The same data gives the same bytes.
//!
//! * `escape`: text in HTML; `timeline`: the interleaving; `source`: texts with marks; `proof`: what holds where.

mod escape;
mod proof;
mod source;
mod timeline;

use crate::result::{Case, Finding, RunResult};
use crate::story::story;
use crate::text::{self, TextOptions};
use escape::escape;
use throng_cert::Verdict;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Columns of the report in words at the end of the page.
const WIDTH: usize = 100;

/// A source text of the input.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// The file as the user named it.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// The page of a result.
pub fn render(result: &RunResult<'_>, sources: &[SourceText]) -> String {
    let word = result.finding.word();
    let title = format!("{word}: {}", result.file);
    let mut body = head(result);
    body.push_str(&match result.finding {
        Finding::Decided { case, .. } if case.verdict() == Verdict::Unsafe => {
            unsafe_part(result, case, sources)
        }
        Finding::Decided { case, .. } => proof::render(case, sources),
        Finding::Unknown { .. } => String::new(),
    });
    body.push_str(&in_words(result));
    page(&title, &body)
}

/// A page with a title.
fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <main>\n{body}</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escape(title)
    )
}

/// The file, the verdict, what was asked, and who accepted the evidence.
fn head(result: &RunResult<'_>) -> String {
    let word = result.finding.word();
    let checked = match result.finding {
        Finding::Decided { checked: true, .. } => "The independent checker accepted the evidence.",
        Finding::Decided { checked: false, .. } => "Nobody has checked the evidence (--no-check).",
        Finding::Unknown { .. } => "There is no answer.",
    };
    let sentence = sentence(result);
    format!(
        "<header>\n<p class=\"file\">{}</p>\n<h1><span class=\"badge {word}\">{}</span> {}</h1>\n\
         <pre class=\"question\">{}</pre>\n<p class=\"checked\">{checked}</p>\n</header>\n",
        escape(result.file),
        escape(&result.finding.verdict()),
        escape(&sentence),
        escape(&question(result)),
    )
}

/// The sentence that the report in words begins its answer with.
fn sentence(result: &RunResult<'_>) -> String {
    let text = report(result);
    let word = result.finding.word();
    let is_answer =
        |line: &&str| line.starts_with(&format!("{word}:")) || line.starts_with(&format!("{word} "));
    let answer = text.lines().find(is_answer).unwrap_or_default();
    answer.split_once(": ").map_or(answer, |(_, rest)| rest).to_owned()
}

/// What was asked: the lines that the report in words begins with.
fn question(result: &RunResult<'_>) -> String {
    report(result).lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn report(result: &RunResult<'_>) -> String {
    text::render(result, TextOptions { width: WIDTH, verbose: false })
}

/// The interleaving beside the source.
fn unsafe_part(result: &RunResult<'_>, case: Case<'_>, sources: &[SourceText]) -> String {
    let Some(story) = story(result.file, case) else {
        return String::new();
    };
    let why = format!("<p class=\"why\">{}</p>\n", escape(story.why.trim()));
    let marks = source::Marks::of_story(&story);
    let texts = source::render(sources, &marks);
    let sides = if texts.is_empty() { "one" } else { "two" };
    format!(
        "{why}<p class=\"keys\">Click a step, or use <kbd>↑</kbd> <kbd>↓</kbd> (or <kbd>k</kbd> <kbd>j</kbd>), \
         <kbd>Home</kbd>, <kbd>End</kbd>.</p>\n<div class=\"{sides}\">\n{}{texts}</div>\n",
        timeline::render(&story)
    )
}

/// The report as it is printed, for those who prefer it.
fn in_words(result: &RunResult<'_>) -> String {
    format!(
        "<details class=\"words\">\n<summary>The report in words</summary>\n<pre>{}</pre>\n</details>\n",
        escape(&report(result))
    )
}
