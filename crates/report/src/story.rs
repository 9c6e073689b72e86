//! An interleaving or a firing sequence as data, whatever it is about: who acts at each step, where in the source, what happens,
//! and whom that concerns. HTML, SARIF and witnesses are made of it.

use crate::c;
use crate::interleaving::{Change, Happening, Interleaving};
use crate::program::{self, ProgramWords};
use crate::replay::{Event, replay};
use crate::result::Case;
use crate::table::row_title;
use crate::words::Words;
use std::collections::BTreeMap;
use throng_cert::{Evidence, Trace};
use throng_model::{Config, System, bag};

/// What happened, in order.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// What the threads are called, in the order of their creation: `1 main`. Empty if nobody can be followed.
    pub threads: Vec<String>,
    /// The steps.
    pub steps: Vec<Step>,
    /// Why that is bad, in a sentence.
    pub why: String,
    /// Where the error is, if that is a place of the source.
    pub at: Option<Place>,
    /// What kind of error it is, in a word: `assertion`, `bounds`, `target`.
    pub kind: String,
}

impl Story {
    /// Where the error is: where it stands, or the last step.
    pub fn place(&self) -> Option<&Place> {
        let step = || self.steps.iter().rev().find(|step| step.fails).or(self.steps.last());
        self.at.as_ref().or_else(|| step()?.place.as_ref())
    }
}

/// What one thread does at one place, without anybody between.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Its number, from 1; 0 for the start.
    pub number: u64,
    /// Who acts: an index into [`Story::threads`].
    pub actor: Option<usize>,
    /// Where in the source.
    pub place: Option<Place>,
    /// The statement, the rule or the transition.
    pub title: String,
    /// What happens, in words.
    pub what: String,
    /// Shared variables that get values, by name.
    pub shared: BTreeMap<String, String>,
    /// The acting thread's own variables that get values, by name.
    pub own: BTreeMap<String, String>,
    /// What happens to threads, by their index: where they are now, or what is done to them.
    pub others: BTreeMap<usize, String>,
    /// Threads that this step starts (`true`) or wakes (`false`).
    pub reaches: Vec<(usize, bool)>,
    /// Whether this is the error.
    pub fails: bool,
}

/// A place in a source text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, as the user named it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
    /// The function, if there are any.
    pub function: String,
}

/// What happened in the interleaving of a case; `None` if it has none, or one that cannot be followed.
pub fn story(file: &str, case: Case<'_>) -> Option<Story> {
    match case {
        Case::C { program, document } => c::story(program, document),
        Case::Program { program, document } => program::story(file, &ProgramWords::new(program), document),
        Case::System { system, evidence: Evidence::Trace(trace) } => of_system(system, trace),
        Case::System { .. } => None,
    }
}

fn of_system(system: &System, trace: &Trace) -> Option<Story> {
    let words = Words { system };
    let moments = replay(system, trace)?;
    let why = crate::text::why_of(words, trace, &moments);
    match Interleaving::of(system, trace, &moments) {
        Some(interleaving) => Some(of_threads(words, &interleaving, why)),
        None => Some(of_counts(words, trace, &moments, why)),
    }
}

/// Threads or tokens that can be followed one by one.
fn of_threads(words: Words<'_>, interleaving: &Interleaving, why: String) -> Story {
    let noun = words.thread();
    let threads = (1..=interleaving.finally.len()).map(|number| format!("{noun} {number}")).collect();
    let step = |(index, row): (usize, &crate::interleaving::Row)| {
        let actor = row.changes.iter().find(|(_, change)| change.is_action()).map(|(&thread, _)| thread);
        let shared = row.shared.filter(|_| !words.system.is_net());
        let shared = shared.map(|shared| ("shared state".to_owned(), words.shared(shared)));
        let others = row.changes.iter().map(|(&thread, change)| {
            let place = change.place().map_or_else(|| "ends".to_owned(), |&local| words.local(local));
            (thread, place)
        });
        let started = row.changes.iter().filter(|(_, change)| change.is_creation());
        let started = started.map(|(&thread, _)| (thread, true));
        let moved =
            row.changes.iter().filter(|(_, change)| matches!(change, Change::Moved(_) | Change::Ended));
        let moved = moved.map(|(&thread, _)| (thread, false));
        Step {
            number: row.n_steps,
            actor,
            title: row_title(words, interleaving, index),
            shared: shared.into_iter().collect(),
            others: others.collect(),
            reaches: if row.happening == Happening::Start {
                Vec::new()
            } else {
                started.chain(moved).collect()
            },
            fails: index + 1 == interleaving.rows.len(),
            ..Step::default()
        }
    };
    Story {
        threads,
        steps: interleaving.rows.iter().enumerate().map(step).collect(),
        why,
        at: None,
        kind: "target".to_owned(),
    }
}

/// Numbers of tokens or threads by place.
fn of_counts(words: Words<'_>, trace: &Trace, moments: &[crate::replay::Moment<'_>], why: String) -> Story {
    let counts = |config: &Config| -> BTreeMap<String, u64> {
        config.bag.iter().map(|entry| (words.local(entry.local), bag::size(&[*entry]))).collect()
    };
    let start = counts(&trace.initial);
    let shown = |counts: &BTreeMap<String, u64>| {
        counts.iter().map(|(name, count)| (name.clone(), count.to_string())).collect()
    };
    let mut steps = vec![Step { title: "start".to_owned(), shared: shown(&start), ..Step::default() }];
    let mut before = start;
    for (index, moment) in moments.iter().enumerate() {
        let now = counts(&moment.after);
        let names: std::collections::BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        let count = |counts: &BTreeMap<String, u64>, name: &String| counts.get(name).copied().unwrap_or(0);
        let changed = names.into_iter().filter(|&name| count(&before, name) != count(&now, name));
        let shared = changed.map(|name| (name.clone(), count(&now, name).to_string())).collect();
        let title = match moment.event {
            Event::Step(step) => words.rule(step.rule),
            Event::Repeated { first, times } => {
                crate::table::repeated_title(moments[first].n_steps, moments[index - 1].n_steps, times)
            }
        };
        let fails = index + 1 == moments.len();
        steps.push(Step { number: moment.n_steps, title, shared, fails, ..Step::default() });
        before = now;
    }
    Story { threads: Vec::new(), steps, why, at: None, kind: "target".to_owned() }
}
