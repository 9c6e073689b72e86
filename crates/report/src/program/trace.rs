//! The steps of an interleaving as rows of a table or a list: which are shown, and what is said about each.
//!
//! Steps that only move on (`skip`, `goto`) are left out, unless everything is asked for.

use super::follow::{Change, Followed, Happening, Lost, Row, follow, n_steps, n_threads};
use super::matters::{Matters, candidates};
use super::words::{ProgramWords, Thread};
use super::{listing, table, why};
use crate::text::TextOptions;
use crate::words::counted;
use throng_boolprog::Cube;
use throng_boolprog::flow::{Effect, LocationId, VariableId};
use throng_cert::document::Trace;

/// An interleaving with everything that is needed to show it.
pub(super) struct Shown<'a> {
    pub(super) words: &'a ProgramWords<'a>,
    pub(super) followed: &'a Followed,
    matters: &'a Matters,
    everything: bool,
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
    let matters = Matters::of(words.program(), followed);
    let shown = Shown { words, followed, matters: &matters, everything: options.verbose };
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
    fn visible(&self) -> Vec<usize> {
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

    /// What happened in a row.
    pub(super) fn title(&self, row: usize) -> String {
        let rows = &self.followed.rows;
        match rows[row].happening {
            Happening::Start => "start".to_owned(),
            Happening::Step(moment) => self.words.short_statement(self.followed.moments[moment].from),
            Happening::Repeated { first_row, times } => {
                crate::table::repeated_title(rows[first_row].n_steps, rows[row - 1].n_steps, times)
            }
        }
    }

    /// The shared variables that a row shows.
    pub(super) fn shared(&self, row: &Row) -> String {
        let values = match row.happening {
            Happening::Start if !self.everything => self.matters.initial_shared(&row.shared),
            Happening::Step(moment) => self.worth_showing(&row.shared, moment, VariableId::Shared),
            Happening::Start | Happening::Repeated { .. } => row.shared.clone(),
        };
        self.words.shared_values(&values)
    }

    fn worth_showing(&self, values: &Cube, moment: usize, variable: fn(u32) -> VariableId) -> Cube {
        values.restricted(|it| self.everything || self.matters.is_worth_showing(moment, variable(it)))
    }

    /// What happened to a thread in a row, which was like `before`.
    pub(super) fn change(
        &self,
        row: &Row,
        thread: usize,
        before: Option<&Thread>,
        change: &Change,
    ) -> String {
        let with = |what: String, values: Cube| match self.words.local_values(&values) {
            values if values.is_empty() => what,
            values if what.is_empty() => values,
            values => format!("{what} {values}"),
        };
        let first = |place: &Thread| {
            let locals = &place.locals;
            if self.everything { locals.clone() } else { self.matters.first_values(thread, locals) }
        };
        let differing = |place: &Thread| -> Cube {
            let was = |variable| before.and_then(|before| before.locals.get(variable));
            place.locals.iter().filter(|&(variable, value)| was(variable) != Some(value)).collect()
        };
        match (change, row.happening) {
            (Change::Starts(place), _) => with(self.function(place.location), first(place)),
            (Change::Created(place), _) => {
                format!("+> {}", with(self.place(place.location), first(place)))
            }
            (Change::Acts(place), _) if place.location == self.words.program().error() => {
                "-> fails".to_owned()
            }
            (Change::Acts(place), Happening::Step(moment)) => {
                let values = self.worth_showing(&differing(place), moment, VariableId::Local);
                with("->".to_owned(), values)
            }
            (Change::Acts(place), _) => with("->".to_owned(), differing(place)),
            (Change::Moved(place), _) => with("~>".to_owned(), differing(place)),
            (Change::Repeated(place), _) => {
                with(format!("=> {}", self.place(place.location)), differing(place))
            }
            (Change::ActsAndEnds, _) => "-> ends".to_owned(),
            (Change::Ended, _) => "~> ends".to_owned(),
            (Change::RepeatedAndEnded, _) => "=> ends".to_owned(),
        }
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
