//! Columns of text, aligned.

use unicode_width::UnicodeWidthStr;

/// Blanks between two columns.
const GAP: usize = 2;
/// Rows shown of a long run before and after what is left out.
const HEAD: usize = 150;
const TAIL: usize = 50;

/// A table under construction. The first column is aligned to the right, the others to the left.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// A table with this header.
    pub(crate) fn new(header: Vec<String>) -> Self {
        Self { rows: vec![header] }
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
                let (left, right) = if column == 0 { (&*padding, &**cell) } else { (&**cell, &*padding) };
                line.push_str(left);
                line.push_str(right);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
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
