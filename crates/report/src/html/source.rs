//! Source texts with line numbers, and marks at the lines that something is said about.

use super::SourceText;
use super::escape::escape;
use crate::story::Story;
use std::collections::{BTreeMap, BTreeSet};

/// Texts up to this many lines are shown in whole; of longer ones, what is around marked lines.
const WHOLE: usize = 1500;
/// Lines around a marked one.
const AROUND: usize = 12;

/// What is said about lines, by file and line.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Lines that are stepped through.
    visited: BTreeSet<(String, u32)>,
    /// What holds there.
    notes: BTreeMap<(String, u32), Vec<String>>,
    failing: Option<(String, u32)>,
}

impl Marks {
    /// The lines that a story goes through.
    pub(super) fn of_story(story: &Story) -> Self {
        let place =
            |step: &crate::story::Step| step.place.as_ref().map(|place| (place.file.clone(), place.line));
        let failing = story.steps.iter().rev().find(|step| step.fails).and_then(place);
        Self { visited: story.steps.iter().filter_map(place).collect(), failing, ..Self::default() }
    }

    /// Notes at lines.
    pub(super) fn of_notes(notes: BTreeMap<(String, u32), Vec<String>>) -> Self {
        Self { notes, ..Self::default() }
    }

    fn is_marked(&self, key: &(String, u32)) -> bool {
        self.visited.contains(key) || self.notes.contains_key(key)
    }
}

/// The texts of files with marks; empty if there are none.
pub(super) fn render(sources: &[SourceText], marks: &Marks) -> String {
    let texts: String = sources.iter().map(|source| text(source, marks)).collect();
    if texts.is_empty() {
        texts
    } else {
        format!("<section class=\"sources\" aria-label=\"Source\">\n{texts}</section>\n")
    }
}

fn text(source: &SourceText, marks: &Marks) -> String {
    let lines: Vec<&str> = source.text.lines().collect();
    let key = |line: usize| (source.name.clone(), line as u32 + 1);
    let marked: BTreeSet<usize> = (0..lines.len()).filter(|&line| marks.is_marked(&key(line))).collect();
    let is_shown = |line: usize| {
        lines.len() <= WHOLE || marked.range(line.saturating_sub(AROUND)..=line + AROUND).next().is_some()
    };
    let mut rows = String::new();
    let mut skipped = false;
    for (index, line) in lines.iter().enumerate() {
        if !is_shown(index) {
            if !std::mem::replace(&mut skipped, true) {
                rows.push_str("<li class=\"gap\">…</li>\n");
            }
            continue;
        }
        skipped = false;
        let key = key(index);
        let mut class = Vec::new();
        class.extend(marks.visited.contains(&key).then_some("visited"));
        class.extend((marks.failing.as_ref() == Some(&key)).then_some("failing"));
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{}\"", class.join(" ")) };
        let notes = marks.notes.get(&key).map_or_else(String::new, |notes| {
            let items: String =
                notes.iter().map(|note| format!("<span class=\"fact\">{}</span>", escape(note))).collect();
            format!("<span class=\"facts\">{items}</span>")
        });
        let number = index + 1;
        rows.push_str(&format!(
            "<li value=\"{number}\" data-line=\"{number}\"{class}><code>{}</code>{notes}</li>\n",
            escape(if line.is_empty() { " " } else { line })
        ));
    }
    format!(
        "<div class=\"source\" data-file=\"{0}\">\n<h2>{0}</h2>\n<ol class=\"text\" tabindex=\"0\" aria-label=\"{0}\">\n{rows}</ol>\n</div>\n",
        escape(&source.name)
    )
}
