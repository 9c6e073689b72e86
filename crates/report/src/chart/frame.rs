//! The part of a picture that two axes span: where values stand in it, and the axes with their lines and labels.

use super::axis::Range;
use super::canvas::{Canvas, INK};

const GRID: &str = "#e4e4e4";
const MINOR_GRID: &str = "#f3f3f3";

/// Room beside and below a frame that its labels and titles need.
pub(super) const LEFT: f64 = 86.0;
pub(super) const BOTTOM: f64 = 62.0;

/// A rectangle in pixels with the ranges of its axes.
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) x: Range,
    pub(super) y: Range,
}

impl Frame {
    pub(super) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Where a value of the horizontal axis stands.
    pub(super) fn column(&self, value: f64) -> f64 {
        self.left + self.x.position(value) * self.width
    }

    /// Where a value of the vertical axis stands.
    pub(super) fn row(&self, value: f64) -> f64 {
        self.top + (1.0 - self.y.position(value)) * self.height
    }

    /// Draws the axes with these titles.
    pub(super) fn draw(&self, canvas: &mut Canvas, x_title: &str, y_title: &str) {
        self.horizontal_axis(canvas, x_title);
        self.vertical_axis(canvas, y_title);
    }

    fn horizontal_axis(&self, canvas: &mut Canvas, title: &str) {
        let (left, right, top, bottom) = (self.left, self.right(), self.top, self.bottom());
        for tick in self.x.ticks() {
            let x = self.column(tick.value);
            let colour = if tick.label.is_some() { GRID } else { MINOR_GRID };
            canvas.line(format_args!("<path d=\"M{x:.1} {top}V{bottom}\" stroke=\"{colour}\"/>"));
            if let Some(label) = tick.label {
                canvas.centred(x, bottom + 20.0, "", &label);
            }
        }
        canvas.line(format_args!("<path d=\"M{left} {bottom}H{right}\" stroke=\"{INK}\"/>"));
        canvas.centred(left + self.width / 2.0, bottom + 46.0, "", title);
    }

    /// Draws the vertical axis alone.
    pub(super) fn vertical_axis(&self, canvas: &mut Canvas, title: &str) {
        let (left, right, top, bottom) = (self.left, self.right(), self.top, self.bottom());
        for tick in self.y.ticks() {
            let y = self.row(tick.value);
            let colour = if tick.label.is_some() { GRID } else { MINOR_GRID };
            canvas.line(format_args!("<path d=\"M{left} {y:.1}H{right}\" stroke=\"{colour}\"/>"));
            if let Some(label) = tick.label {
                canvas.ended(left - 8.0, y + 4.5, &label);
            }
        }
        canvas.line(format_args!("<path d=\"M{left} {top}V{bottom}\" stroke=\"{INK}\"/>"));
        let (x, y) = (left - LEFT + 20.0, top + self.height / 2.0);
        canvas.centred(x, y, &format!("transform=\"rotate(-90 {x} {y})\""), title);
    }
}
