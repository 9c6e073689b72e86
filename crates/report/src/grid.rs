//! Columns of text, aligned.

use unicode_width::UnicodeWidthStr;

/// Blanks between two columns.
const GAP: usize = 2;
/// Rows shown of a long run before and after what is left out.
const HEAD: usize = 150;
const TAIL: usize = 50;

/// The narrowest that a column becomes.
const NARROWEST: usize = 20;

/// At which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A table under construction.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    rows: Vec<Vec<String>>,
    /// By column; further columns are aligned to the left.
    align: Vec<Align>,
}

impl Grid {
    /// A table with this header. The first column is aligned to the right, the others to the left.
    pub(crate) fn new(header: Vec<String>) -> Self {
        Self::aligned(header, vec![Align::Right])
    }

    /// A table with this header, its columns aligned like this.
    pub(crate) fn aligned(header: Vec<String>, align: Vec<Align>) -> Self {
        Self { rows: vec![header], align }
    }

    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The width of the widest line.
    pub(crate) fn width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + GAP * widths.len()
    }

    /// The table, every line ended.
    pub(crate) fn render(&self) -> String {
        let widths = self.widths();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let padding = " ".repeat(width - cell.width());
                line.push_str(&" ".repeat(GAP));
                let (left, right) = match self.align_of(column) {
                    Align::Right => (&*padding, &**cell),
                    Align::Left => (&**cell, &*padding),
                };
                line.push_str(left);
                line.push_str(right);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The table within so many columns: if it is wider, the last two columns are broken between words.
    pub(crate) fn render_within(&self, width: usize) -> String {
        let mut widths = self.widths();
        let total = widths.iter().sum::<usize>() + GAP * widths.len();
        if let [.., first, second] = &mut widths[..]
            && total > width
        {
            // Both get half of the room, and what the other does not need.
            let room = (width + *first + *second).saturating_sub(total).max(2 * NARROWEST);
            let half = room / 2;
            (*first, *second) = match (*first <= half, *second <= half) {
                (true, _) => (*first, (*second).min(room - *first)),
                (false, true) => (room - *second, *second),
                (false, false) => (half, room - half),
            };
        }
        let mut grid = Grid { rows: Vec::new(), align: self.align.clone() };
        for row in &self.rows {
            let cells: Vec<Vec<String>> =
                row.iter()
                    .zip(&widths)
                    .map(|(cell, &width)| {
                        if cell.width() <= width {
                            vec![cell.clone()]
                        } else {
                            crate::wrap::words(cell, width)
                        }
                    })
                    .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for line in 0..height {
                grid.push(cells.iter().map(|cell| cell.get(line).cloned().unwrap_or_default()).collect());
            }
        }
        grid.render()
    }

    /// The table in Markdown.
    pub(crate) fn render_markdown(&self) -> String {
        let line = |row: &Vec<String>| {
            let cells = row.iter().map(|cell| format!(" {} |", cell.replace('|', "\\|")));
            format!("|{}\n", cells.collect::<String>())
        };
        let n_columns = self.rows.first().map_or(0, Vec::len);
        let rule = (0..n_columns).map(|column| match self.align_of(column) {
            Align::Right => "---:|",
            Align::Left => "---|",
        });
        let mut lines = self.rows.iter().map(line);
        let header = lines.next().unwrap_or_default();
        format!("{header}|{}\n{}", rule.collect::<String>(), lines.collect::<String>())
    }

    fn align_of(&self, column: usize) -> Align {
        self.align.get(column).copied().unwrap_or(Align::Left)
    }

    fn widths(&self) -> Vec<usize> {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| self.rows.iter().filter_map(|row| Some(row.get(column)?.width())).max();
        (0..n_columns).map(|column| width(column).unwrap_or(0)).collect()
    }
}

/// The rows of a long run that are left out, so that one screen shows how it begins and how it ends.
pub(crate) fn left_out(n_rows: usize, everything: bool) -> std::ops::Range<usize> {
    if everything || n_rows <= HEAD + TAIL + 1 { 0..0 } else { HEAD..n_rows - TAIL }
}
