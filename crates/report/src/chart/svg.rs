//! Draws a chart: plot, axes, curves, and a legend to the right of them.

use super::axis::Range;
use super::{Chart, Join, Series};
use std::fmt::Write;

/// The plot in pixels, without titles, labels and legend.
const PLOT_WIDTH: f64 = 620.0;
const PLOT_HEIGHT: f64 = 380.0;
/// Room around it: for the vertical axis, the title and the horizontal axis.
const LEFT: f64 = 86.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 62.0;
/// Room beside it for the legend: the sample of a line, and a guess of what a character needs.
const GAP: f64 = 22.0;
const SAMPLE: f64 = 34.0;
const CHARACTER: f64 = 7.2;
const LEGEND_LINE: f64 = 24.0;
/// Characters of a label in the legend; the rest is shown when one points at it.
const LABEL_LENGTH: usize = 40;
/// Lines with few points get a mark at each.
const MARKED_POINTS: usize = 40;

/// Colours that colour-blind people can tell apart (Okabe and Ito), and dashes for who sees none. The lengths of the
/// lists have no common divisor, so that 35 curves look different.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9"];
const DASHES: [&str; 5] = ["", "9 4", "2 3", "10 3 2 3", "16 5"];

const GRID: &str = "#e4e4e4";
const MINOR_GRID: &str = "#f3f3f3";
const INK: &str = "#333333";

/// The picture of a chart.
pub(super) fn render(chart: &Chart) -> String {
    let values = |choose: fn(&(f64, f64)) -> f64| {
        chart.series.iter().flat_map(finite).map(move |point| choose(&point))
    };
    let plot = Plot {
        x: Range::of(chart.x.scale, values(|point| point.0)),
        y: Range::of(chart.y.scale, values(|point| point.1)),
        text: String::new(),
    };
    plot.draw(chart)
}

/// The points of a curve that can be drawn.
fn finite(series: &Series) -> impl Iterator<Item = (f64, f64)> + Clone {
    series.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite())
}

/// A picture under construction.
struct Plot {
    x: Range,
    y: Range,
    text: String,
}

impl Plot {
    fn draw(mut self, chart: &Chart) -> String {
        let longest = chart.series.iter().map(|series| shortened(&series.label).chars().count()).max();
        let legend = longest.map_or(GAP, |length| GAP + SAMPLE + 10.0 + length as f64 * CHARACTER);
        let lines = chart.series.len() as f64 * LEGEND_LINE;
        let (width, height) = (LEFT + PLOT_WIDTH + legend, TOP + PLOT_HEIGHT.max(lines) + BOTTOM);
        self.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\">"
        ));
        self.line(format_args!("<title>{}</title>", escaped(&chart.title)));
        self.line(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"));
        self.title(LEFT + PLOT_WIDTH / 2.0, TOP - 24.0, "font-size=\"16\"", &chart.title);
        self.horizontal_axis(&chart.x.title);
        self.vertical_axis(&chart.y.title);
        for (index, series) in chart.series.iter().enumerate() {
            self.curve(index, series);
            self.legend(index, &series.label);
        }
        self.text.push_str("</svg>\n");
        self.text
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn title(&mut self, x: f64, y: f64, attributes: &str, text: &str) {
        let text = escaped(text);
        self.line(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"{INK}\" {attributes}>{text}</text>"
        ));
    }

    fn horizontal_axis(&mut self, title: &str) {
        let (top, bottom) = (TOP, TOP + PLOT_HEIGHT);
        for tick in self.x.ticks() {
            let x = self.column(tick.value);
            let colour = if tick.label.is_some() { GRID } else { MINOR_GRID };
            self.line(format_args!("<path d=\"M{x:.1} {top}V{bottom}\" stroke=\"{colour}\"/>"));
            if let Some(label) = tick.label {
                self.title(x, bottom + 20.0, "", &label);
            }
        }
        let right = LEFT + PLOT_WIDTH;
        self.line(format_args!("<path d=\"M{LEFT} {bottom}H{right}\" stroke=\"{INK}\"/>"));
        self.title(LEFT + PLOT_WIDTH / 2.0, bottom + 46.0, "", title);
    }

    fn vertical_axis(&mut self, title: &str) {
        let right = LEFT + PLOT_WIDTH;
        for tick in self.y.ticks() {
            let y = self.row(tick.value);
            let colour = if tick.label.is_some() { GRID } else { MINOR_GRID };
            self.line(format_args!("<path d=\"M{LEFT} {y:.1}H{right}\" stroke=\"{colour}\"/>"));
            if let Some(label) = tick.label {
                let (x, y, label) = (LEFT - 8.0, y + 4.5, escaped(&label));
                self.line(format_args!(
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"{INK}\">{label}</text>"
                ));
            }
        }
        let bottom = TOP + PLOT_HEIGHT;
        self.line(format_args!("<path d=\"M{LEFT} {TOP}V{bottom}\" stroke=\"{INK}\"/>"));
        let (x, y) = (20.0, TOP + PLOT_HEIGHT / 2.0);
        self.title(x, y, &format!("transform=\"rotate(-90 {x} {y})\""), title);
    }

    fn curve(&mut self, index: usize, series: &Series) {
        let points: Vec<(f64, f64)> = finite(series).map(|(x, y)| (self.column(x), self.row(y))).collect();
        let stroke = stroke(index);
        if points.len() > 1 {
            let path = path(&points, series.join);
            self.line(format_args!("<path d=\"{path}\" fill=\"none\" stroke-linejoin=\"round\" {stroke}/>"));
        }
        // Steps have their points at their corners; a single point could not be seen without a mark.
        if points.len() == 1 || (series.join == Join::Lines && points.len() <= MARKED_POINTS) {
            let colour = COLOURS[index % COLOURS.len()];
            for (x, y) in points {
                self.line(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"{colour}\"/>"));
            }
        }
    }

    fn legend(&mut self, index: usize, label: &str) {
        let (x, y) = (LEFT + PLOT_WIDTH + GAP, TOP + 12.0 + index as f64 * LEGEND_LINE);
        let (end, stroke) = (x + SAMPLE, stroke(index));
        self.line(format_args!("<path d=\"M{x} {y}H{end}\" {stroke}/>"));
        let (x, y, short, whole) = (end + 8.0, y + 4.5, escaped(&shortened(label)), escaped(label));
        self.line(format_args!(
            "<text x=\"{x}\" y=\"{y}\" fill=\"{INK}\">{short}<title>{whole}</title></text>"
        ));
    }

    fn column(&self, value: f64) -> f64 {
        LEFT + self.x.position(value) * PLOT_WIDTH
    }

    fn row(&self, value: f64) -> f64 {
        TOP + (1.0 - self.y.position(value)) * PLOT_HEIGHT
    }
}

/// Colour and dashes of a curve.
fn stroke(index: usize) -> String {
    let (colour, dashes) = (COLOURS[index % COLOURS.len()], DASHES[index % DASHES.len()]);
    let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
    format!("stroke=\"{colour}\" stroke-width=\"2\"{dashes}")
}

/// The path through points; those that fall on the same spot are drawn once.
fn path(points: &[(f64, f64)], join: Join) -> String {
    let mut path = String::new();
    let mut last = String::new();
    for (index, (x, y)) in points.iter().enumerate() {
        let here = format!("{x:.1} {y:.1}");
        if here == last {
            continue;
        }
        // Writing to a string does not fail.
        let _ = match (index, join) {
            (0, _) => write!(path, "M{here}"),
            (_, Join::Lines) => write!(path, "L{here}"),
            (_, Join::Steps) => write!(path, "H{x:.1}V{y:.1}"),
        };
        last = here;
    }
    path
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LABEL_LENGTH {
        return label.to_owned();
    }
    let start: String = label.chars().take(LABEL_LENGTH - 1).collect();
    format!("{start}…")
}

/// A text of XML. Characters that XML cannot hold are replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            _ if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::{Axis, Scale};
    use super::*;

    fn chart(series: Vec<Series>, scale: Scale) -> Chart {
        let axis = |title: &str| Axis { title: title.to_owned(), scale };
        Chart { title: "a <chart> & \"more\"\0".to_owned(), x: axis("x & y"), y: axis("s"), series }
    }

    fn series(label: &str, points: &[(f64, f64)], join: Join) -> Series {
        Series { label: label.to_owned(), points: points.to_vec(), join }
    }

    /// The names of the elements, if the text is one well-formed XML document.
    fn elements(text: &str) -> Vec<String> {
        let mut reader = quick_xml::Reader::from_str(text);
        let (mut names, mut open) = (Vec::new(), 0);
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Start(start) => {
                    open += 1;
                    names.push(start.name().as_ref().to_owned());
                }
                quick_xml::events::Event::Empty(start) => {
                    start.attributes().for_each(|attribute| drop(attribute.unwrap()));
                    names.push(start.name().as_ref().to_owned());
                }
                quick_xml::events::Event::End(_) => open -= 1,
                quick_xml::events::Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(open, 0);
        assert_eq!(names.first().map(String::as_str), Some("svg"));
        names
    }

    #[test]
    fn a_picture_is_well_formed_whatever_the_labels_hold() {
        let labels = ["<&>\"'", "\u{1}\u{ffff}\n", &"w".repeat(100)];
        let series = labels.map(|label| series(label, &[(0.0, 0.0), (1.0, 1.0)], Join::Lines));
        let svg = chart(series.to_vec(), Scale::Linear).to_svg();
        elements(&svg);
        assert!(svg.contains("a &lt;chart&gt; &amp; &quot;more&quot;\u{fffd}"), "{svg}");
    }

    #[test]
    fn a_logarithmic_picture_holds_zero_one_and_what_is_not_finite() {
        let points = [(0.0, 0.0), (1.0, 1.0), (2.0, f64::NAN), (f64::INFINITY, 3.0), (1000.0, 0.001)];
        let svg = chart(vec![series("s", &points, Join::Lines)], Scale::Logarithmic).to_svg();
        assert_eq!(elements(&svg).iter().filter(|name| *name == "circle").count(), 3);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn one_point_is_seen_and_no_point_is_no_error() {
        let svg = chart(vec![series("s", &[(1.0, 1.0)], Join::Lines)], Scale::Linear).to_svg();
        assert!(elements(&svg).contains(&"circle".to_owned()));
        for scale in [Scale::Linear, Scale::Logarithmic] {
            let step = chart(vec![series("s", &[(1.0, 1.0)], Join::Steps)], scale).to_svg();
            assert!(elements(&step).contains(&"circle".to_owned()));
            let without_points = chart(vec![series("s", &[], Join::Lines)], scale).to_svg();
            assert!(!elements(&without_points).contains(&"circle".to_owned()));
            elements(&chart(vec![], scale).to_svg());
        }
    }

    #[test]
    fn points_on_the_same_spot_are_drawn_once() {
        let points = [(10.0, 10.0), (10.01, 10.0), (20.0, 30.0)];
        assert_eq!(path(&points, Join::Lines), "M10.0 10.0L20.0 30.0");
        assert_eq!(path(&points, Join::Steps), "M10.0 10.0H20.0V30.0");
    }

    #[test]
    fn many_curves_look_different() {
        let strokes: std::collections::BTreeSet<String> = (0..35).map(stroke).collect();
        assert_eq!(strokes.len(), 35);
    }

    #[test]
    fn the_same_chart_gives_the_same_bytes() {
        let chart = chart(vec![series("s", &[(1.0, 1.0), (2.0, 0.5)], Join::Lines)], Scale::Linear);
        assert_eq!(chart.to_svg(), chart.to_svg());
    }
}
