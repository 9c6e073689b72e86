//! Cutoffs of a folder of models, like Figures 4.1 and 4.2 of Zhao's thesis on STAR (Oxford 2009): how many models have which
//! cutoff, and how long a Karp–Miller search and exploring as many threads as the cutoff take on each.

use super::axis::Range;
use super::canvas::{COLOURS, Canvas, INK};
use super::frame::{BOTTOM, Frame, LEFT};
use super::times::{LANE, LANE_GAP, Mark, OUT_OF_RESOURCES, OUT_OF_RESOURCES_IN_WORDS, Point, Times};
use super::{Scale, canvas};

/// Times below this are drawn as this.
const LEAST_SECONDS: f64 = 1e-6;
/// The room of a bar, and the part of it that the bar takes.
const COLUMN: f64 = 56.0;
const BAR: f64 = 0.7;
/// The plot of bars is at least so wide, and so high.
const PLOT_WIDTH: f64 = 420.0;
const PLOT_HEIGHT: f64 = 300.0;
const TOP: f64 = 52.0;
const GAP: f64 = 22.0;
/// Labels of an axis of counts are whole numbers from this height on.
const LEAST_HEIGHT: f64 = 6.0;
/// The bar of what is not known.
const UNKNOWN_COLOUR: &str = "#bbbbbb";

/// How many models have which cutoff.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// How many models have cutoff 1, 2, and so on.
    pub models: Vec<usize>,
    /// How many have one that is not known.
    pub n_unknown: usize,
}

impl Histogram {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let known = self.models.iter().enumerate().map(|(i, &n)| ((i + 1).to_string(), n, COLOURS[0]));
        let unknown = (self.n_unknown > 0).then(|| ("unknown".to_owned(), self.n_unknown, UNKNOWN_COLOUR));
        let bars: Vec<(String, usize, &str)> = known.chain(unknown).collect();
        let width = PLOT_WIDTH.max(COLUMN * bars.len() as f64);
        let heights = bars.iter().map(|(_, n, _)| *n as f64).chain([LEAST_HEIGHT]);
        let frame = Frame {
            left: LEFT,
            top: TOP,
            width,
            height: PLOT_HEIGHT,
            x: Range::of(Scale::Linear, [0.0, 1.0].into_iter()),
            y: Range::of(Scale::Linear, heights.collect::<Vec<_>>().into_iter()),
        };
        let n_known: usize = self.models.iter().sum();
        let title = format!("Reachability cutoffs of {n_known} models");
        let mut canvas = Canvas::new(LEFT + width + GAP, frame.bottom() + BOTTOM, &title);
        canvas.centred(LEFT + width / 2.0, TOP - 24.0, "font-size=\"16\"", &title);
        frame.vertical_axis(&mut canvas, "models");
        let column = width / bars.len().max(1) as f64;
        for (index, (label, n, colour)) in bars.iter().enumerate() {
            let middle = LEFT + (index as f64 + 0.5) * column;
            draw_bar(&mut canvas, &frame, middle, column * BAR, (*n, colour));
            canvas.centred(middle, frame.bottom() + 20.0, "", label);
        }
        let (left, right, bottom) = (frame.left, frame.right(), frame.bottom());
        canvas.line(format_args!("<path d=\"M{left} {bottom}H{right}\" stroke=\"{INK}\"/>"));
        canvas.centred(left + width / 2.0, bottom + 46.0, "", "threads that reach everything");
        canvas.finish()
    }
}

fn draw_bar(canvas: &mut Canvas, frame: &Frame, middle: f64, width: f64, (n, colour): (usize, &str)) {
    let (left, top) = (middle - width / 2.0, frame.row(n as f64));
    let height = frame.bottom() - top;
    canvas.line(format_args!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>"
    ));
    if n > 0 {
        canvas.centred(middle, top - 6.0, "", &n.to_string());
    }
}

/// Both ways to find everything, on some models.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TwoWays {
    /// The models whose cutoff is known.
    pub models: Vec<Timed>,
}

/// What both ways took on a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// The model.
    pub name: String,
    /// Seconds of the Karp–Miller search; `None` if it did not end.
    pub karp_miller: Option<f64>,
    /// Seconds that it took to explore as many threads as the cutoff.
    pub bounded: f64,
}

impl TwoWays {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let point = |model: &Timed| Point {
            about: model.name.clone(),
            mark: Mark::Ring,
            seconds: [model.karp_miller, Some(model.bounded)],
        };
        let times = Times {
            title: "seconds for each model",
            labels: ["Karp–Miller", "as many threads as the cutoff"].map(String::from),
            points: self.models.iter().map(point).collect(),
            least: LEAST_SECONDS,
        };
        let frame = times.frame();
        let title = format!("Two ways to find everything, on {} models", self.models.len());
        let legend = frame.right() + LANE_GAP + LANE + GAP;
        let width = legend + canvas::legend_width([OUT_OF_RESOURCES_IN_WORDS].into_iter());
        let mut canvas = Canvas::new(width, frame.bottom() + BOTTOM, &title);
        canvas.centred(frame.left + frame.width / 2.0, 28.0, "font-size=\"16\"", &title);
        times.draw(&mut canvas, &frame);
        let y = frame.top + 12.0;
        canvas.centred(canvas::legend_mark(legend), y + 4.5, "", OUT_OF_RESOURCES);
        canvas.legend_label(legend, y, OUT_OF_RESOURCES_IN_WORDS);
        canvas.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::canvas::tests::elements;
    use super::*;

    /// Height and colour of each bar, from left to right.
    fn bars(svg: &str) -> Vec<(f64, String)> {
        let field = |line: &str, name: &str| {
            let start = line.split(&format!(" {name}=\"")).nth(1).unwrap();
            start.split('"').next().unwrap().to_owned()
        };
        let lines = svg.lines().filter(|line| line.starts_with("<rect x="));
        lines.map(|line| (field(line, "height").parse().unwrap(), field(line, "fill"))).collect()
    }

    #[test]
    fn bars_are_as_high_as_there_are_models() {
        let svg = Histogram { models: vec![2, 8, 0, 4], n_unknown: 6 }.to_svg();
        elements(&svg);
        let bars = bars(&svg);
        let heights: Vec<f64> = bars.iter().map(|(height, _)| height / bars[1].0 * 8.0).collect();
        for (height, n) in heights.iter().zip([2.0, 8.0, 0.0, 4.0, 6.0]) {
            assert!((height - n).abs() < 0.05, "{heights:?}");
        }
        assert_eq!((&*bars[0].1, &*bars[4].1), (COLOURS[0], UNKNOWN_COLOUR));
        assert!(svg.contains("Reachability cutoffs of 14 models"), "{svg}");
        assert!(!svg.contains(".5</text>"), "models are not cut in halves");
    }

    #[test]
    fn a_histogram_of_nothing_is_a_picture() {
        elements(&Histogram::default().to_svg());
        assert_eq!(bars(&Histogram { models: vec![1], n_unknown: 0 }.to_svg()).len(), 1);
    }

    #[test]
    fn a_search_that_did_not_end_is_in_its_lane() {
        let timed = |name: &str, karp_miller| Timed { name: name.to_owned(), karp_miller, bounded: 0.00025 };
        let svg = TwoWays { models: vec![timed("a<b", None), timed("c", Some(0.004))] }.to_svg();
        elements(&svg);
        assert!(svg.contains("a&lt;b: out of resources and 0.000250 s"), "{svg}");
        assert!(svg.contains("c: 0.004000 s and 0.000250 s"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 2);
    }
}
