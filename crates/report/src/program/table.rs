//! An interleaving of a program as a table: one column per thread, one line per step, only what changes.

use super::trace::Shown;
use super::words::Thread;
use crate::crowd;
use crate::grid::{Align, Grid, left_out};
use crate::table::gap_title;
use crate::text::TextOptions;
use crate::words::counted;
use std::collections::BTreeMap;

/// More threads than this that do nothing are summed up below the table.
const MAX_BYSTANDERS: usize = 3;

/// The table and what is to be said below it; `None` if it does not fit.
pub(super) fn render(shown: &Shown<'_>, visible: &[usize], options: TextOptions) -> Option<String> {
    let all: Vec<usize> = (0..shown.followed.finally.len()).collect();
    let movers: Vec<usize> =
        all.iter().copied().filter(|&thread| !shown.followed.is_bystander(thread)).collect();
    // Hiding somebody who stands alone would take as many words as showing them.
    let choices =
        if all.len() - movers.len() <= MAX_BYSTANDERS { vec![&all, &movers] } else { vec![&movers] };
    for columns in choices {
        for title in ["thread ", "T"] {
            let grid = grid(shown, visible, columns, title, options.verbose);
            if grid.width() <= options.width {
                let hidden = (all.len() - columns.len()) as u64;
                let rest = match hidden {
                    0 => String::new(),
                    1 => "  1 more thread does nothing\n".to_owned(),
                    _ => format!("  {} do nothing\n", counted(hidden, "more thread")),
                };
                let legend =
                    crowd::legend(shown.followed.changes(), "thread", "acts", "is changed by the step");
                return Some(format!("{}{legend}{rest}", grid.render()));
            }
        }
    }
    None
}

fn grid(shown: &Shown<'_>, visible: &[usize], columns: &[usize], title: &str, everything: bool) -> Grid {
    let rows = &shown.followed.rows;
    let has_shared = rows.iter().any(|row| !shown.shared(row).is_empty());
    let mut header = ["step", "line", "statement"].map(str::to_owned).to_vec();
    header.extend(has_shared.then(|| "shared".to_owned()));
    header.extend(columns.iter().map(|thread| format!("{title}{}", thread + 1)));
    let mut grid = Grid::aligned(header, vec![Align::Right, Align::Right]);
    let mut places: BTreeMap<usize, Thread> = BTreeMap::new();
    let hidden = left_out(visible.len(), everything);
    let mut visible = visible.iter().enumerate().peekable();
    for (index, row) in rows.iter().enumerate() {
        let cells: BTreeMap<usize, String> = row
            .changes
            .iter()
            .map(|(&thread, change)| (thread, shown.change(row, thread, places.get(&thread), change)))
            .collect();
        for (&thread, change) in &row.changes {
            match change.place() {
                Some(place) => places.insert(thread, place.clone()),
                None => places.remove(&thread),
            };
        }
        let Some((number, _)) = visible.next_if(|&(_, &row)| row == index) else { continue };
        let (what, shared, cell): (_, _, &dyn Fn(usize) -> String) = if !hidden.contains(&number) {
            let cell = |thread: usize| cells.get(&thread).cloned().unwrap_or_default();
            (shown.title(index), shown.shared(row), &move |thread| cell(thread))
        } else if number + 1 == hidden.end {
            // After a gap the reader needs to know again where everybody is.
            let cell = |thread: usize| places.get(&thread).map(|place| shown.standing(place));
            (gap_title(hidden.len()), String::new(), &move |thread| cell(thread).unwrap_or_default())
        } else {
            continue;
        };
        let mut cells = vec![row.n_steps.to_string(), shown.source_line(row), what];
        cells.extend(has_shared.then_some(shared));
        cells.extend(columns.iter().map(|&thread| cell(thread)));
        grid.push(cells);
    }
    grid
}
