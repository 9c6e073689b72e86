//! An interleaving of a program as a list of steps: for more threads than columns, and for more than can be followed.

use super::follow::{Happening, Row};
use super::trace::Shown;
use super::words::{ProgramWords, Thread};
use crate::grid::{Align, Grid, left_out};
use crate::table::{gap_title, repeated_title};
use std::collections::BTreeMap;
use throng_cert::document::{Act, Item, Trace};

fn grid(who: bool) -> Grid {
    let header = ["step", "line", "thread", "statement", "what happens"].into_iter();
    let header = header.filter(|title| who || *title != "thread").map(str::to_owned);
    Grid::aligned(header.collect(), vec![Align::Right, Align::Right])
}

/// The steps with who takes them and what each changes.
pub(super) fn of_threads(shown: &Shown<'_>, visible: &[usize], everything: bool) -> String {
    let mut grid = grid(true);
    let mut places: BTreeMap<usize, Thread> = BTreeMap::new();
    let hidden = left_out(visible.len(), everything);
    let mut visible = visible.iter().enumerate().peekable();
    for (index, row) in shown.followed.rows.iter().enumerate() {
        let actor = shown.actor(row);
        let what = what_happens(shown, row, actor, &places);
        for (&thread, change) in &row.changes {
            match change.place() {
                Some(place) => places.insert(thread, place.clone()),
                None => places.remove(&thread),
            };
        }
        let Some((number, _)) = visible.next_if(|&(_, &row)| row == index) else { continue };
        let actor = actor.map(|actor| (actor + 1).to_string()).unwrap_or_default();
        if !hidden.contains(&number) {
            grid.push(vec![row.n_steps.to_string(), shown.source_line(row), actor, shown.title(index), what]);
        } else if number + 1 == hidden.end {
            let gap = [row.n_steps.to_string(), String::new(), String::new(), gap_title(hidden.len())];
            grid.push(gap.to_vec());
        }
    }
    grid.render()
}

/// What a row changes: first what the thread that acts sees, then the others, those alike together.
fn what_happens(
    shown: &Shown<'_>,
    row: &Row,
    actor: Option<usize>,
    places: &BTreeMap<usize, Thread>,
) -> String {
    let shared = shown.shared(row);
    let mut parts: Vec<String> = Vec::new();
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (&thread, change) in &row.changes {
        let what = shown.change(row, thread, places.get(&thread), change);
        if actor == Some(thread) {
            let own = what.trim_start_matches("->").trim_start();
            parts.extend((!own.is_empty()).then(|| own.to_owned()));
            continue;
        }
        match groups.iter_mut().find(|(other, _)| *other == what) {
            Some((_, threads)) => threads.push(thread),
            None => groups.push((what, vec![thread])),
        }
    }
    parts.extend((!shared.is_empty()).then(|| format!("shared {shared}")));
    let group = |(what, threads): &(String, Vec<usize>)| match what.strip_prefix("+> ") {
        Some(place) => format!("new {} at {place}", names(threads)),
        None if row.happening == Happening::Start => format!("{} in {what}", names(threads)),
        None => format!("{} {what}", names(threads)),
    };
    parts.extend(groups.iter().map(group));
    parts.join("; ")
}

fn names(threads: &[usize]) -> String {
    crate::listing::numbers("thread", threads)
}

/// The steps of a trace without saying who takes them, repetitions once.
pub(super) fn of_acts(words: &ProgramWords<'_>, trace: &Trace, everything: bool) -> String {
    let mut lines = Vec::new();
    acts(words, &trace.items, 0, &mut lines);
    let hidden = left_out(lines.len(), everything);
    let mut grid = grid(false);
    for (index, line) in lines.into_iter().enumerate() {
        if !hidden.contains(&index) {
            grid.push(line.to_vec());
        } else if index + 1 == hidden.end {
            let [step, ..] = line;
            grid.push(vec![step, String::new(), gap_title(hidden.len()), String::new()]);
        }
    }
    grid.render()
}

/// Adds the lines of items and returns the number of steps after them.
fn acts(words: &ProgramWords<'_>, items: &[Item], before: u64, lines: &mut Vec<[String; 4]>) -> u64 {
    let mut now = before;
    for item in items {
        match item {
            Item::Step(step) => {
                now = now.saturating_add(1);
                let act = step.act.as_deref();
                let location = act.and_then(|act| words.read_thread(&act.thread)).map(|it| it.location);
                let line = location.and_then(|location| words.line(location));
                lines.push([
                    now.to_string(),
                    line.map(|line| line.to_string()).unwrap_or_default(),
                    location.map(|location| words.short_statement(location)).unwrap_or_default(),
                    act.map(|act| act_text(words, act)).unwrap_or_default(),
                ]);
            }
            Item::Repeat { times, items } => {
                let after = acts(words, items, now, lines);
                let title = repeated_title(now.saturating_add(1), after, *times);
                let steps = after.saturating_sub(now).saturating_mul(*times);
                now = now.saturating_add(steps);
                lines.push([now.to_string(), String::new(), title, String::new()]);
            }
        }
    }
    now
}

/// What a step changes.
fn act_text(words: &ProgramWords<'_>, act: &Act) -> String {
    let shared = act.shared.as_ref().and_then(|shared| words.shared_cube(shared));
    let shared = shared.map(|shared| words.shared_values(&shared)).filter(|values| !values.is_empty());
    let own = act.to.as_ref().and_then(|to| words.read_thread(to));
    let own = own.map(|own| words.local_values(&own.locals)).filter(|values| !values.is_empty());
    let mut parts: Vec<String> = shared.into_iter().map(|values| format!("shared {values}")).collect();
    parts.extend(own.map(|values| format!("own {values}")));
    parts.extend(act.to.is_none().then(|| "ends".to_owned()));
    parts.extend(act.starts.iter().map(|_| "starts a thread".to_owned()));
    let moved: u64 = act.passive.iter().map(|(_, _, count)| *count).fold(0, u64::saturating_add);
    parts.extend((moved > 0).then(|| format!("changes {}", crate::words::counted(moved, "other thread"))));
    parts.join("; ")
}
