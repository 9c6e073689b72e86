//! Draws a chart: frame, curves, and a legend to the right of them.

use super::axis::Range;
use super::canvas::{COLOURS, Canvas, LEGEND_LINE, legend_width, stroke};
use super::frame::{BOTTOM, Frame, LEFT};
use super::{Chart, Join, Series};
use std::fmt::Write;

/// The plot in pixels, without titles, labels and legend.
const PLOT_WIDTH: f64 = 620.0;
const PLOT_HEIGHT: f64 = 380.0;
/// Room above it for the title, and between it and the legend.
const TOP: f64 = 52.0;
const GAP: f64 = 22.0;
/// Lines with few points get a mark at each.
const MARKED_POINTS: usize = 40;

/// The picture of a chart.
pub(super) fn render(chart: &Chart) -> String {
    let values = |choose: fn(&(f64, f64)) -> f64| {
        chart.series.iter().flat_map(finite).map(move |point| choose(&point))
    };
    let frame = Frame {
        left: LEFT,
        top: TOP,
        width: PLOT_WIDTH,
        height: PLOT_HEIGHT,
        x: Range::of(chart.x.scale, values(|point| point.0)),
        y: Range::of(chart.y.scale, values(|point| point.1)),
    };
    let legend = GAP + legend_width(chart.series.iter().map(|series| &*series.label));
    let lines = chart.series.len() as f64 * LEGEND_LINE;
    let height = TOP + PLOT_HEIGHT.max(lines) + BOTTOM;
    let mut canvas = Canvas::new(LEFT + PLOT_WIDTH + legend, height, &chart.title);
    canvas.centred(LEFT + PLOT_WIDTH / 2.0, TOP - 24.0, "font-size=\"16\"", &chart.title);
    frame.draw(&mut canvas, &chart.x.title, &chart.y.title);
    for (index, series) in chart.series.iter().enumerate() {
        draw_curve(&mut canvas, &frame, index, series);
        let y = TOP + 12.0 + index as f64 * LEGEND_LINE;
        canvas.legend_of_curve(frame.right() + GAP, y, index, &series.label);
    }
    canvas.finish()
}

/// The points of a curve that can be drawn.
fn finite(series: &Series) -> impl Iterator<Item = (f64, f64)> + Clone {
    series.points.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite())
}

fn draw_curve(canvas: &mut Canvas, frame: &Frame, index: usize, series: &Series) {
    let points: Vec<(f64, f64)> = finite(series).map(|(x, y)| (frame.column(x), frame.row(y))).collect();
    if points.len() > 1 {
        let (path, stroke) = (path(&points, series.join), stroke(index));
        canvas.line(format_args!("<path d=\"{path}\" fill=\"none\" stroke-linejoin=\"round\" {stroke}/>"));
    }
    // Steps have their points at their corners; a single point could not be seen without a mark.
    if points.len() == 1 || (series.join == Join::Lines && points.len() <= MARKED_POINTS) {
        let colour = COLOURS[index % COLOURS.len()];
        for (x, y) in points {
            canvas.line(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" fill=\"{colour}\"/>"));
        }
    }
}

/// The path through points; those that fall on the same spot are drawn once.
pub(super) fn path(points: &[(f64, f64)], join: Join) -> String {
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

#[cfg(test)]
mod tests {
    use super::super::canvas::tests::elements;
    use super::super::{Axis, Scale};
    use super::*;

    fn chart(series: Vec<Series>, scale: Scale) -> Chart {
        let axis = |title: &str| Axis { title: title.to_owned(), scale };
        Chart { title: "a <chart> & \"more\"\0".to_owned(), x: axis("x & y"), y: axis("s"), series }
    }

    fn series(label: &str, points: &[(f64, f64)], join: Join) -> Series {
        Series { label: label.to_owned(), points: points.to_vec(), join }
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
    fn the_same_chart_gives_the_same_bytes() {
        let chart = chart(vec![series("s", &[(1.0, 1.0), (2.0, 0.5)], Join::Lines)], Scale::Linear);
        assert_eq!(chart.to_svg(), chart.to_svg());
    }
}
