//! An interleaving as a table: one column per thread, one row per step, only what changes.

use crate::crowd;
use crate::grid::{Grid, left_out};
use crate::interleaving::{Change, Happening, Interleaving, Row};
use crate::words::{Words, counted};
use std::collections::BTreeMap;
use throng_model::{LocalId, SharedId};

/// More threads than this that do nothing are summed up below the table.
const MAX_BYSTANDERS: usize = 3;

/// The table and what is to be said below it; `None` if it does not fit `width`.
pub(crate) fn render(
    words: Words<'_>,
    interleaving: &Interleaving,
    width: usize,
    everything: bool,
) -> Option<String> {
    let (bystanders, movers): (Vec<usize>, Vec<usize>) =
        (0..interleaving.finally.len()).partition(|&thread| interleaving.is_bystander(thread));
    let all: Vec<usize> = (0..interleaving.finally.len()).collect();
    // Hiding somebody who stands alone would take as many words as showing them.
    let choices = if bystanders.len() <= MAX_BYSTANDERS { vec![&all, &movers] } else { vec![&movers] };
    let long = |thread: usize| format!("{} {}", words.thread(), thread + 1);
    let short = |thread: usize| format!("{}{}", words.thread()[..1].to_uppercase(), thread + 1);
    for columns in choices {
        for title in [&long as &dyn Fn(usize) -> String, &short] {
            let grid = grid(words, interleaving, columns, title, everything);
            if grid.width() <= width {
                let hidden = all.iter().filter(|thread| !columns.contains(thread)).copied();
                let rest = hidden_threads(words, interleaving, hidden);
                return Some(format!("{}{}{rest}", grid.render(), legend(words, interleaving)));
            }
        }
    }
    None
}

/// What has been shown so far.
#[derive(Default)]
struct Seen {
    shared: Option<SharedId>,
    places: BTreeMap<usize, Option<LocalId>>,
}

impl Seen {
    fn apply(&mut self, row: &Row) {
        self.shared = row.shared.or(self.shared);
        self.places.extend(row.changes.iter().map(|(&thread, change)| (thread, change.place().copied())));
    }
}

fn grid(
    words: Words<'_>,
    interleaving: &Interleaving,
    columns: &[usize],
    title: &dyn Fn(usize) -> String,
    everything: bool,
) -> Grid {
    let has_shared = !words.system.is_net();
    let shared_cell =
        |shared: Option<SharedId>| shared.map(|shared| words.shared(shared)).unwrap_or_default();
    let mut header = vec!["step".to_owned(), words.rule_noun().to_owned()];
    header.extend(has_shared.then(|| "shared".to_owned()));
    header.extend(columns.iter().map(|&thread| title(thread)));
    let mut grid = Grid::new(header);
    let mut seen = Seen::default();
    let hidden = left_out(interleaving.rows.len(), everything);
    for (index, row) in interleaving.rows.iter().enumerate() {
        seen.apply(row);
        let (what, shared, cell): (_, _, &dyn Fn(usize) -> String) = if !hidden.contains(&index) {
            let cell = |thread| row.changes.get(&thread).map(|&change| change_cell(words, change));
            (row_title(words, interleaving, index), row.shared, &move |thread| {
                cell(thread).unwrap_or_default()
            })
        } else if index + 1 == hidden.end {
            // After a gap the reader needs the whole state again.
            let cell = |thread| seen.places.get(&thread).copied().flatten().map(|local| words.local(local));
            (gap_title(hidden.len()), seen.shared, &move |thread| cell(thread).unwrap_or_default())
        } else {
            continue;
        };
        let mut line = vec![row.n_steps.to_string(), what];
        line.extend(has_shared.then(|| shared_cell(shared)));
        line.extend(columns.iter().map(|&thread| cell(thread)));
        grid.push(line);
    }
    grid
}

/// The words for rows that are left out.
pub(crate) fn gap_title(n_rows: usize) -> String {
    format!("… {n_rows} rows left out")
}

/// What happened in a row.
pub(crate) fn row_title(words: Words<'_>, interleaving: &Interleaving, index: usize) -> String {
    let rows = &interleaving.rows;
    match rows[index].happening {
        Happening::Start => "start".to_owned(),
        Happening::Step(rule) => words.rule(rule),
        Happening::Repeated { first_row, times } => {
            repeated_title(rows[first_row].n_steps, rows[index - 1].n_steps, times)
        }
    }
}

/// The words for steps that happened repeatedly.
pub(crate) fn repeated_title(first: u64, last: u64, times: u64) -> String {
    if first == last {
        format!("step {first} × {times}")
    } else {
        format!("steps {first}–{last} × {times}")
    }
}

fn change_cell(words: Words<'_>, change: Change) -> String {
    match change {
        Change::Starts(local) => words.local(local),
        Change::Acts(local) => format!("-> {}", words.local(local)),
        Change::ActsAndEnds => "-> ends".to_owned(),
        Change::Moved(local) => format!("~> {}", words.local(local)),
        Change::Ended => "~> ends".to_owned(),
        Change::Created(local) => format!("+> {}", words.local(local)),
        Change::Repeated(local) => format!("=> {}", words.local(local)),
        Change::RepeatedAndEnded => "=> ends".to_owned(),
    }
}

/// Explains the signs that occur.
fn legend(words: Words<'_>, interleaving: &Interleaving) -> String {
    let acts = if words.system.is_net() { "moves" } else { "acts" };
    crowd::legend(interleaving.changes(), words.thread(), acts, "is moved along")
}

/// Says where the threads without a column are.
fn hidden_threads(
    words: Words<'_>,
    interleaving: &Interleaving,
    hidden: impl Iterator<Item = usize>,
) -> String {
    let mut groups: BTreeMap<LocalId, u64> = BTreeMap::new();
    for local in hidden.filter_map(|thread| interleaving.finally[thread]) {
        *groups.entry(local).or_default() += 1;
    }
    let group = |(local, count)| {
        let stays = if count == 1 { "stays" } else { "stay" };
        let more = counted(count, &format!("more {}", words.thread()));
        format!("  {more} {stays} in {} throughout\n", words.local(local))
    };
    groups.into_iter().map(group).collect()
}
