//! The steps of an interleaving as rows of a table or a list: which are shown, and what is said about each.
//!
//! Steps that only move on (`skip`, `goto`) are left out, unless everything is asked for.

use super::follow::{Change, Followed, Happening, Lost, Row, follow, n_steps, n_threads};
use super::matters::candidates;
use super::values::{Shows, values};
use super::words::{ProgramWords, Thread};
use super::{listing, table, why};
use crate::text::TextOptions;
use crate::words::counted;
use throng_boolprog::flow::{Effect, LocationId};
use throng_cert::document::Trace;

/// An interleaving with everything that is needed to show it.
pub(super) struct Shown<'a> {
    pub(super) words: &'a ProgramWords<'a>,
    pub(super) followed: &'a Followed,
    /// What each row shows.
    pub(super) values: &'a [Shows],
    pub(super) everything: bool,
}

/// What happens in a trace, and why that is bad.
pub(super) fn unsafe_text(words: &ProgramWords<'_>, trace: &Trace, options: TextOptions) -> String {
    let followed = follow(words, trace);
    let start = n_threads(trace);
    let all = followed.as_ref().map_or(start, |followed| followed.finally.len() as u64);
    let verb = if all == 1 { "reaches" } else { "reach" };
    let first = if all > start { format!(" ({start} at the start)") } else { String::new() };
    let head = format!(
        "unsafe: {}{first} {verb} {} in {}.\n",
        counted(all, "thread"),
        why::bad_thing(words),
        counted(n_steps(&trace.items), "step")
    );
    match followed {
        Ok(followed) => {
            let body = body(words, &followed, options);
            format!("{head}\n{body}\n{}", why::why(words, &followed))
        }
        Err(Lost::TooMany) => format!("{head}\n{}", listing::of_acts(words, trace, options.verbose)),
        // Only evidence that nobody checked gets here.
        Err(Lost::NoExecution) => {
            format!("{head}The interleaving is not an execution of the program: it cannot be shown.\n")
        }
    }
}

/// What happens in a trace, step by step; empty if it is not an execution.
pub(super) fn steps(words: &ProgramWords<'_>, trace: &Trace, options: TextOptions) -> String {
    match follow(words, trace) {
        Ok(followed) => body(words, &followed, options),
        Err(Lost::TooMany) => listing::of_acts(words, trace, options.verbose),
        Err(Lost::NoExecution) => String::new(),
    }
}

fn body(words: &ProgramWords<'_>, followed: &Followed, options: TextOptions) -> String {
    let values = values(words.program(), followed, options.verbose);
    let shown = Shown { words, followed, values: &values, everything: options.verbose };
    let visible = shown.visible();
    let table = table::render(&shown, &visible, options)
        .unwrap_or_else(|| listing::of_threads(&shown, &visible, options.verbose));
    let more = if visible.len() < followed.rows.len() {
        "  Steps that only move on (skip, goto) are left out; -v shows them.\n"
    } else {
        ""
    };
    format!("{table}{more}")
}

impl Shown<'_> {
    /// The rows that are shown: all but those of steps that only move on. How it ends is always shown.
    pub(super) fn visible(&self) -> Vec<usize> {
        let rows = &self.followed.rows;
        (0..rows.len()).filter(|&row| row + 1 == rows.len() || !self.only_moves_on(&rows[row])).collect()
    }

    /// Whether a step is only a `skip` or a `goto`, and not everything is asked for.
    fn only_moves_on(&self, row: &Row) -> bool {
        let Happening::Step(moment) = row.happening else { return false };
        let program = self.words.program();
        let moment = self.followed.moments[moment];
        let Some(to) = moment.to else { return false };
        let (from, to) = (program.location(moment.from), program.location(to));
        let is_plain =
            |edge: throng_boolprog::flow::Edge| edge.guard.is_none() && edge.effect == Effect::None;
        !self.everything
            && from.instance == to.instance
            && from.is_atomic == to.is_atomic
            && candidates(program, moment).all(is_plain)
    }

    /// Who acts in a row.
    pub(super) fn actor(&self, row: &Row) -> Option<usize> {
        match row.happening {
            Happening::Step(moment) => Some(self.followed.moments[moment].actor),
            Happening::Start | Happening::Repeated { .. } => None,
        }
    }

    /// Where the thread was that acts in a row.
    fn location(&self, row: &Row) -> Option<LocationId> {
        match row.happening {
            Happening::Step(moment) => Some(self.followed.moments[moment].from),
            Happening::Start | Happening::Repeated { .. } => None,
        }
    }

    /// The line of the source that a row is about.
    pub(super) fn source_line(&self, row: &Row) -> String {
        let line = self.location(row).and_then(|location| self.words.line(location));
        line.map(|line| line.to_string()).unwrap_or_default()
    }

    /// What happened in a row, statements with at most so many characters.
    pub(super) fn title(&self, row: usize, width: usize) -> String {
        let rows = &self.followed.rows;
        match rows[row].happening {
            Happening::Start => "start".to_owned(),
            Happening::Step(moment) => self.words.statement_within(self.followed.moments[moment].from, width),
            Happening::Repeated { first_row, times } => {
                crate::table::repeated_title(rows[first_row].n_steps, rows[row - 1].n_steps, times)
            }
        }
    }

    /// The shared variables that a row shows.
    pub(super) fn shared(&self, row: usize) -> String {
        self.words.shared_values(&self.values[row].shared)
    }

    /// What happened to a thread in a row.
    pub(super) fn change(&self, row: usize, thread: usize, change: &Change) -> String {
        let error = self.words.program().error();
        let values = self.values[row].locals.get(&thread).map(|values| self.words.local_values(values));
        let what = match change {
            Change::Starts(place) => self.function(place.location),
            Change::Created(place) => format!("+> {}", self.place(place.location)),
            Change::Acts(place) if place.location == error => "-> fails".to_owned(),
            Change::Acts(_) => "->".to_owned(),
            Change::Moved(_) => "~>".to_owned(),
            Change::Repeated(place) => format!("=> {}", self.place(place.location)),
            Change::ActsAndEnds => "-> ends".to_owned(),
            Change::Ended => "~> ends".to_owned(),
            Change::RepeatedAndEnded => "=> ends".to_owned(),
        };
        format!("{what} {}", values.unwrap_or_default()).trim().to_owned()
    }

    /// Where a thread is after a gap, with everything.
    pub(super) fn standing(&self, thread: &Thread) -> String {
        let values = self.words.local_values(&thread.locals);
        format!("{} {values}", self.place(thread.location)).trim_end().to_owned()
    }

    fn place(&self, location: LocationId) -> String {
        self.words.line(location).map_or_else(|| "failed".to_owned(), |line| format!("line {line}"))
    }

    /// The function that a thread is in.
    fn function(&self, location: LocationId) -> String {
        let program = self.words.program();
        let function = program.functions_at(location).next();
        function.map(|id| program.text(program.functions()[id.index()].name).to_owned()).unwrap_or_default()
    }
}
