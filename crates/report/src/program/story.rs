//! An interleaving of a Boolean program as a story: see [`crate::story`].

use super::follow::{Followed, Happening, follow};
use super::trace::Shown;
use super::values::values;
use super::why;
use super::words::ProgramWords;
use crate::story::{Place, Step, Story};
use std::collections::BTreeMap;
use throng_boolprog::Cube;
use throng_cert::EvidenceDocument;
use throng_cert::document::Body;

/// Characters of a statement.
const STATEMENT_WIDTH: usize = 80;

/// What happens in the interleaving of a document, if it has one that can be followed.
pub(crate) fn story(file: &str, words: &ProgramWords<'_>, document: &EvidenceDocument) -> Option<Story> {
    let Body::Trace(trace) = &document.body else { return None };
    let followed = follow(words, trace).ok()?;
    let values = values(words.program(), &followed, false);
    let shown = Shown { words, followed: &followed, values: &values, everything: false };
    let visible = shown.visible();
    let steps = visible.iter().map(|&row| step(file, &shown, row)).collect();
    let threads = (1..=followed.finally.len()).map(|number| format!("thread {number}")).collect();
    let kind = if why::asks_for_assertions(words) { "assertion" } else { "target" };
    Some(Story { threads, steps, why: why::why(words, &followed), at: None, kind: kind.to_owned() })
}

fn step(file: &str, shown: &Shown<'_>, index: usize) -> Step {
    let Followed { rows, moments, .. } = shown.followed;
    let row = &rows[index];
    let actor = shown.actor(row);
    let line = shown.source_line(row).parse().ok();
    let place = line.map(|line| Place { file: file.to_owned(), line, ..Place::default() });
    let shared = named(&shown.values[index].shared, |id| shown.words.shared_name(id));
    let own = actor.and_then(|actor| shown.values[index].locals.get(&actor));
    let own = own.map(|cube| named(cube, |id| shown.words.local_name(id))).unwrap_or_default();
    let told = |change: &super::follow::Change, thread: usize| {
        shown.change(index, thread, change).trim_start_matches(['-', '~', '+', '=', '>', ' ']).to_owned()
    };
    let others = row.changes.iter().map(|(&thread, change)| (thread, told(change, thread)));
    let others: BTreeMap<usize, String> = others.filter(|(_, words)| !words.is_empty()).collect();
    let started = match row.happening {
        Happening::Step(moment) => moments[moment].started.map(|(thread, _)| (thread, true)),
        Happening::Start | Happening::Repeated { .. } => None,
    };
    let moved =
        row.changes.iter().filter(|(_, change)| change.is_passive()).map(|(&thread, _)| (thread, false));
    Step {
        number: row.n_steps,
        actor,
        place,
        title: shown.title(index, STATEMENT_WIDTH),
        shared,
        own,
        others,
        reaches: started.into_iter().chain(moved).collect(),
        fails: index + 1 == rows.len(),
        ..Step::default()
    }
}

/// The values of variables by name.
fn named(cube: &Cube, name: impl Fn(u32) -> String) -> BTreeMap<String, String> {
    cube.iter().map(|(id, value)| (name(id), u8::from(value).to_string())).collect()
}
