//! A square of times: two ways to answer the same questions, one on each axis, with a mark for each question. Runs that were
//! out of resources (RO) have a lane beside it and one above. Pointing at a mark names the question.

use super::Scale;
use super::axis::Range;
use super::canvas::{Canvas, INK, escaped};
use super::frame::{Frame, LEFT};

/// The square in pixels.
pub(super) const SIDE: f64 = 380.0;
/// Room above it for the titles.
pub(super) const TOP: f64 = 76.0;
/// The lane of runs out of resources: its distance from the square, which keeps labels apart, and its width.
pub(super) const LANE_GAP: f64 = 16.0;
pub(super) const LANE: f64 = 32.0;
const LANE_COLOUR: &str = "#f0f0f0";
/// How far a mark reaches.
pub(super) const TIME_MARK: f64 = 4.0;

pub(super) const OUT_OF_RESOURCES: &str = "RO";
pub(super) const OUT_OF_RESOURCES_IN_WORDS: &str = "out of resources";

/// See the module's documentation.
pub(super) struct Times {
    /// What the seconds are.
    pub(super) title: &'static str,
    /// The two ways: the first is on the horizontal axis.
    pub(super) labels: [String; 2],
    /// The questions.
    pub(super) points: Vec<Point>,
    /// Times below this are drawn as this.
    pub(super) least: f64,
}

/// A question.
pub(super) struct Point {
    /// What it is called.
    pub(super) about: String,
    pub(super) mark: Mark,
    /// What both ways took; `None` where one was out of resources.
    pub(super) seconds: [Option<f64>; 2],
}

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Ring,
    Triangle,
    Cross,
}

impl Times {
    /// The square.
    pub(super) fn frame(&self) -> Frame {
        let seconds = self.points.iter().flat_map(|point| point.seconds).flatten();
        let range = Range::of(Scale::Logarithmic, seconds.map(|seconds| seconds.max(self.least)));
        let top = TOP + LANE + LANE_GAP;
        Frame { left: LEFT, top, width: SIDE, height: SIDE, x: range, y: range }
    }

    /// Draws everything in the square and beside it.
    pub(super) fn draw(&self, canvas: &mut Canvas, frame: &Frame) {
        let (left, top, bottom) = (frame.left, frame.top, frame.bottom());
        let (lane_left, lane_top) = (frame.right() + LANE_GAP, frame.top - LANE_GAP - LANE);
        let length = SIDE + LANE_GAP + LANE;
        for (x, y, width, height) in [(lane_left, lane_top, LANE, length), (left, lane_top, length, LANE)] {
            canvas.line(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{LANE_COLOUR}\"/>"
            ));
        }
        canvas.centred(left + SIDE / 2.0, TOP - 14.0, "", self.title);
        canvas.centred(lane_left + LANE / 2.0, bottom + 20.0, "", OUT_OF_RESOURCES);
        canvas.ended(left - 8.0, lane_top + LANE / 2.0 + 4.5, OUT_OF_RESOURCES);
        frame.draw(canvas, &self.labels[0], &self.labels[1]);
        let right = frame.right();
        canvas.line(format_args!(
            "<path d=\"M{left} {bottom}L{right} {top}\" stroke=\"{INK}\" stroke-dasharray=\"4 4\"/>"
        ));
        for point in &self.points {
            let [first, second] = point.seconds;
            let x = first.map_or(lane_left + LANE / 2.0, |seconds| frame.column(seconds));
            let y = second.map_or(lane_top + LANE / 2.0, |seconds| frame.row(seconds));
            let about = format!("{}: {} and {}", point.about, self.time(first), self.time(second));
            point.mark.draw(canvas, (x, y), TIME_MARK, INK, &about);
        }
    }

    /// A time in words, with as many digits as matter here.
    fn time(&self, seconds: Option<f64>) -> String {
        let digits = if self.least < 0.001 { 6 } else { 3 };
        seconds
            .map_or_else(|| OUT_OF_RESOURCES_IN_WORDS.to_owned(), |seconds| format!("{seconds:.digits$} s"))
    }
}

impl Mark {
    /// Draws it; pointing at it says what it is about.
    pub(super) fn draw(self, canvas: &mut Canvas, (x, y): (f64, f64), size: f64, colour: &str, about: &str) {
        let about = escaped(about);
        let (path, paint) = match self {
            Mark::Ring => {
                canvas.line(format_args!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{size}\" fill=\"white\" fill-opacity=\"0.6\" \
                     stroke=\"{colour}\" stroke-width=\"1.4\"><title>{about}</title></circle>"
                ));
                return;
            }
            Mark::Triangle => {
                let (wide, high) = (size * 2.2, size * 1.9);
                let (left, base) = (x - size * 1.1, y + size * 0.8);
                let path = format!("M{left:.1} {base:.1}h{wide:.1}l{:.1} -{high:.1}z", -wide / 2.0);
                (path, format!("fill=\"{colour}\" fill-opacity=\"0.65\""))
            }
            Mark::Cross => {
                let (left, top, side) = (x - size, y - size, 2.0 * size);
                let path = format!("M{left:.1} {top:.1}l{side} {side}m-{side} 0l{side} -{side}");
                (path, format!("stroke=\"{colour}\" stroke-width=\"1.6\""))
            }
        };
        canvas.line(format_args!("<path d=\"{path}\" {paint}><title>{about}</title></path>"));
    }
}
