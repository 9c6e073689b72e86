//! The interleaving as a table: a row for each step, a column for each thread, one for what all share.

use super::escape::escape;
use crate::story::{Step, Story};
use std::collections::BTreeMap;

/// More threads than this do not get a column each.
const MOST_COLUMNS: usize = 12;

/// The table.
pub(super) fn render(story: &Story) -> String {
    let has_columns = (1..=MOST_COLUMNS).contains(&story.threads.len());
    let has_shared = story.steps.iter().any(|step| !step.shared.is_empty());
    let has_lines = story.steps.iter().any(|step| step.place.is_some());
    let mut heads = vec!["step".to_owned()];
    heads.extend(has_lines.then(|| "line".to_owned()));
    match has_columns {
        true => heads.extend(story.threads.iter().cloned()),
        false => heads.push("what happens".to_owned()),
    }
    heads.extend(
        has_shared.then(|| if story.threads.is_empty() { "what changes" } else { "shared" }.to_owned()),
    );
    let heads: String = heads.iter().map(|head| format!("<th scope=\"col\">{}</th>", escape(head))).collect();
    let rows: String =
        story.steps.iter().map(|step| row(story, step, has_columns, has_lines, has_shared)).collect();
    format!(
        "<section class=\"time\" aria-label=\"The steps in order\">\n<p id=\"now\" class=\"now\" role=\"status\" aria-live=\"polite\"></p>\n\
         <div class=\"scroll\" id=\"timeline\" tabindex=\"0\" aria-label=\"Steps; arrow keys move from one to the next\">\n<table>\n<caption>Who does what, in order.</caption>\n\
         <thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n</section>\n"
    )
}

fn row(story: &Story, step: &Step, has_columns: bool, has_lines: bool, has_shared: bool) -> String {
    let line = step.place.as_ref().map_or_else(String::new, |place| place.line.to_string());
    let lines = if has_lines { format!("<td class=\"line\">{line}</td>") } else { String::new() };
    let cells: String = if has_columns {
        (0..story.threads.len()).map(|thread| cell(story, step, thread)).collect()
    } else {
        let who = step.actor.and_then(|actor| story.threads.get(actor)).map(|who| format!("{who}: "));
        let act = act(step, true);
        format!("<td>{}{act}</td>", escape(&who.unwrap_or_default()))
    };
    let shared = match has_shared {
        true => format!("<td class=\"shared\">{}</td>", assignments(&step.shared)),
        false => String::new(),
    };
    let class = if step.fails { " class=\"fails\"" } else { "" };
    format!(
        "<tr{class}{}><th scope=\"row\">{}</th>{lines}{cells}{shared}</tr>\n",
        data(story, step),
        step.number
    )
}

/// What scripts need to know of a step.
fn data(story: &Story, step: &Step) -> String {
    let mut data = String::new();
    if let Some(actor) = step.actor {
        data.push_str(&format!(" data-actor=\"{actor}\""));
        if let Some(name) = story.threads.get(actor) {
            data.push_str(&format!(" data-who=\"{}\"", escape(name)));
        }
    }
    if let Some(place) = &step.place {
        data.push_str(&format!(" data-file=\"{}\" data-line=\"{}\"", escape(&place.file), place.line));
    }
    if !step.reaches.is_empty() {
        let to = step
            .reaches
            .iter()
            .map(|(thread, starts)| format!("{thread}{}", if *starts { "+" } else { "~" }));
        data.push_str(&format!(" data-to=\"{}\"", to.collect::<Vec<_>>().join(" ")));
    }
    data
}

/// What a thread does, or what is done to it.
fn cell(story: &Story, step: &Step, thread: usize) -> String {
    if step.actor == Some(thread) {
        return format!("<td class=\"acts t{}\">{}</td>", thread % 6, act(step, false));
    }
    let note = match step.reaches.iter().find(|(reached, _)| *reached == thread) {
        Some((_, true)) => Some("starts"),
        Some((_, false)) => Some("is woken"),
        None => None,
    };
    let told = step.others.get(&thread).map(|words| escape(words));
    match (note, told) {
        (None, None) => "<td></td>".to_owned(),
        (note, told) => {
            let note = note.filter(|_| !story.threads.is_empty()).unwrap_or_default();
            let parts =
                [note.to_owned(), told.unwrap_or_default()].into_iter().filter(|part| !part.is_empty());
            format!("<td class=\"passive\">{}</td>", parts.collect::<Vec<_>>().join(" "))
        }
    }
}

/// The statement, and below it what it does.
fn act(step: &Step, with_others: bool) -> String {
    let own = assignments(&step.own);
    let actor = step.actor.filter(|_| step.own.is_empty() && step.what.is_empty());
    let place = actor.and_then(|actor| step.others.get(&actor)).map(|words| escape(words));
    let others = if with_others && step.actor.is_none() {
        step.others.values().map(|words| escape(words)).collect::<Vec<_>>().join("; ")
    } else {
        String::new()
    };
    let parts = [own, escape(&step.what), place.unwrap_or_default(), others];
    let what: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let what = if what.is_empty() {
        String::new()
    } else {
        format!("<span class=\"what\">{}</span>", what.join("; "))
    };
    format!("<code>{}</code>{what}", escape(&step.title))
}

fn assignments(values: &BTreeMap<String, String>) -> String {
    let each = values.iter().map(|(name, value)| {
        format!(
            "<span class=\"set\" data-name=\"{0}\" data-value=\"{1}\">{0} = {1}</span>",
            escape(name),
            escape(value)
        )
    });
    each.collect::<Vec<_>>().join(", ")
}
