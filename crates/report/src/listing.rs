//! A trace as a list of steps with what each one changes: for more threads than columns, and for nets whose
//! transitions take several tokens at once.

use crate::grid::{Grid, left_out};
use crate::interleaving::{Change, Interleaving};
use crate::replay::{Event, Moment};
use crate::table::{gap_title, repeated_title, row_title};
use crate::words::{Words, counted};
use std::collections::BTreeMap;
use throng_cert::Trace;
use throng_model::{Config, LocalId, bag};

/// Kinds of threads spelled out in a whole configuration.
const LIMIT: usize = 12;

/// The steps of an interleaving, with the threads that each changes.
pub(crate) fn of_threads(words: Words<'_>, interleaving: &Interleaving, everything: bool) -> String {
    let mut grid = Grid::new(["step", words.rule_noun(), "what happens"].map(String::from).to_vec());
    let mut places: BTreeMap<usize, LocalId> = BTreeMap::new();
    let mut shared = None;
    let hidden = left_out(interleaving.rows.len(), everything);
    for (index, row) in interleaving.rows.iter().enumerate() {
        let mut parts = Vec::new();
        if let Some(now) = row.shared.filter(|_| !words.system.is_net()) {
            let before = shared.replace(now).map(|before| format!("{} -> ", words.shared(before)));
            parts.push(format!("shared {}{}", before.unwrap_or_default(), words.shared(now)));
        }
        let mut groups: BTreeMap<(Option<LocalId>, String), Vec<usize>> = BTreeMap::new();
        for (&thread, &change) in &row.changes {
            let before = places.get(&thread).copied();
            groups.entry((before, change_words(words, before, change))).or_default().push(thread);
            match change.place() {
                Some(&local) => places.insert(thread, local),
                None => places.remove(&thread),
            };
        }
        parts.extend(groups.iter().map(|((_, what), threads)| format!("{} {what}", names(words, threads))));
        if !hidden.contains(&index) {
            grid.push(vec![row.n_steps.to_string(), row_title(words, interleaving, index), parts.join("; ")]);
        } else if index + 1 == hidden.end {
            grid.push(vec![row.n_steps.to_string(), gap_title(hidden.len()), String::new()]);
        }
    }
    grid.render()
}

fn change_words(words: Words<'_>, before: Option<LocalId>, change: Change) -> String {
    let before = before.map(|local| words.local(local)).unwrap_or_default();
    match change {
        Change::Starts(local) => format!("in {}", words.local(local)),
        Change::Acts(local) => format!("{before} -> {}", words.local(local)),
        Change::Moved(local) => format!("{before} ~> {}", words.local(local)),
        Change::Created(local) => format!("new in {}", words.local(local)),
        Change::ActsAndEnds => format!("{before} -> ends"),
        Change::Ended => format!("{before} ~> ends"),
        Change::Repeated(local) if before.is_empty() => format!("new in {}", words.local(local)),
        Change::Repeated(local) => format!("{before} => {}", words.local(local)),
        Change::RepeatedAndEnded => format!("{before} => ends"),
    }
}

/// `thread 2`, or `threads 1, 3–5`: the numbers of sorted threads.
pub(crate) fn names(words: Words<'_>, threads: &[usize]) -> String {
    numbers(words.thread(), threads)
}

/// The same for what is called `noun`.
pub(crate) fn numbers(noun: &str, threads: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &thread in threads {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == thread => *last = thread,
            _ => runs.push((thread, thread)),
        }
    }
    let run = |&(first, last): &(usize, usize)| match last - first {
        0 => (first + 1).to_string(),
        1 => format!("{}, {}", first + 1, last + 1),
        _ => format!("{}–{}", first + 1, last + 1),
    };
    if let &[first, second] = threads {
        return format!("{noun}s {} and {}", first + 1, second + 1);
    }
    let numbers: Vec<String> = runs.iter().map(run).collect();
    let plural = if threads.len() == 1 { "" } else { "s" };
    format!("{noun}{plural} {}", numbers.join(", "))
}

/// The steps of a trace, with the counts that each changes.
pub(crate) fn of_counts(words: Words<'_>, trace: &Trace, moments: &[Moment<'_>], everything: bool) -> String {
    let mut grid = Grid::new(["step", words.rule_noun(), "what changes"].map(String::from).to_vec());
    grid.push(vec!["0".to_owned(), "start".to_owned(), words.config(trace.initial.view(), LIMIT)]);
    let hidden = left_out(moments.len(), everything);
    let mut before = &trace.initial;
    for (index, moment) in moments.iter().enumerate() {
        let title = match moment.event {
            Event::Step(step) => words.rule(step.rule),
            Event::Repeated { first, times } => {
                repeated_title(moments[first].n_steps, moments[index - 1].n_steps, times)
            }
        };
        if !hidden.contains(&index) {
            grid.push(vec![moment.n_steps.to_string(), title, differences(words, before, &moment.after)]);
        } else if index + 1 == hidden.end {
            let state = words.config(moment.after.view(), LIMIT);
            grid.push(vec![moment.n_steps.to_string(), gap_title(hidden.len()), state]);
        }
        before = &moment.after;
    }
    grid.render()
}

/// What differs between two configurations: `p: 2 -> 1, q: 0 -> 1`.
fn differences(words: Words<'_>, before: &Config, after: &Config) -> String {
    let mut parts = Vec::new();
    if before.shared != after.shared {
        parts.push(format!("shared: {} -> {}", words.shared(before.shared), words.shared(after.shared)));
    }
    let mut locals: Vec<LocalId> =
        before.bag.iter().chain(after.bag.iter()).map(|entry| entry.local).collect();
    locals.sort_unstable();
    locals.dedup();
    for local in locals {
        let (was, is) = (bag::count(&before.bag, local), bag::count(&after.bag, local));
        if was != is {
            parts.push(format!("{}: {was} -> {is}", words.local(local)));
        }
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") }
}

/// How many threads a configuration has, in words.
pub(crate) fn size(words: Words<'_>, config: &Config) -> String {
    counted(config.view().size(), words.thread())
}
